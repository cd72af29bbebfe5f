# Paths as objects, and names against patterns.
from pathlib import PurePosixPath
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
P = PurePosixPath
for s in ("a/b/c.txt", "/a/b.tar.gz", "a", "/", "", ".", "a//b/./c", "../x", ".bashrc", "a.", "x/..", "a/.b.c", "/usr/"):
    p = P(s)
    t(lambda: (str(p), repr(p), p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parts, p.root, p.is_absolute(), [str(q) for q in p.parents]))
    t(lambda: p.with_suffix(".py")); t(lambda: p.with_name("z")); t(lambda: p.with_stem("q"))
    t(lambda: p / "k" / "l"); t(lambda: "pre" / p); t(lambda: p / "/abs"); t(lambda: p.joinpath("x", "y"))
    t(lambda: p.relative_to("a")); t(lambda: p.is_relative_to("/a")); t(lambda: p.match("*.txt")); t(lambda: p.match("b/*")); t(lambda: p.as_posix()); t(lambda: p.as_uri())
    t(lambda: p.with_suffix("py")); t(lambda: p.with_suffix(""))
from fnmatch import fnmatchcase, filter, translate
for name in ("", "a", "abc", "a.txt", "[a]", "a-b", "]", "x.TXT", "a\nb"):
    for pat in ("*", "?", "a*", "*.txt", "[abc]", "[!a]*", "[a-c]*", "*b*", "[", "[]]", "[[]a]", "a?b", "**", "*?*", "[!]]", "*.[tT]*", "a[-]b", ""):
        if fnmatchcase(name, pat): print(repr(name), pat)
print(filter(["a.py", "b.txt", "c.py"], "*.py"))
from pathlib import Path
print(repr(Path("a") / "b"), Path("/dev/null").exists(), Path("/dev").is_dir(), Path("/nonexistent").exists(), Path("/dev/null").is_file())
import os
print(os.path.join(Path("a"), "b"), os.path.exists(Path("/dev")), os.fspath(Path("x/y")), os.path.basename(Path("/q/r")))
with open(Path("/dev/null")) as f:
    print(repr(f.read()))
print(repr(Path("/dev/null").read_text()), Path.cwd() == Path(os.getcwd()), Path("a").absolute() == Path.cwd() / "a")
from glob import glob
print(glob("/dev/nul*"), glob("/nonexistent/*"), glob("/dev/null"))
