# open(): text files, their modes, positions and errors.
import os

folder = os.environ.get("TMPDIR", "/tmp")
path = os.path.join(folder, f"genesis-files-{os.getpid()}.txt")

with open(path, "w") as f:
    print(f.write("one\n"), f.write("two\nthree"), f.tell(), f.closed, f.mode, f.readable(), f.writable())
    f.writelines(["\n", "four\n"])
print(f.closed, os.path.getsize(path))
with open(path) as f:
    print(f.read(), end="|\n")
    print(repr(f.read()), f.tell(), f.seek(0), f.read(5), f.readline(), f.readlines())
with open(path) as f:
    for number, line in enumerate(f):
        print(number, repr(line))
with open(path) as f:
    print(next(f), f.readline(2), f.readline(), list(f), next(f, "end"))
with open(path, "a", encoding="utf-8") as f:
    f.write("fünf ✓ 🎉\n")
    print("five", file=f)
    print(f.tell())
with open(path, encoding="utf-8") as f:
    text = f.read()
    print(text, len(text), os.path.getsize(path))
    f.seek(0)
    print([f.read(7) for _ in range(6)])
    print(f.encoding, f.errors, f.seekable(), f.isatty(), os.path.basename(f.name)[:13])
with open(path, "r+") as f:
    f.write("ONE")
    f.seek(0)
    print(f.readline(), f.seek(0, 2), f.write("end"), f.seek(4), f.readline())
with open(path, "w+") as f:
    f.write("abc")
    f.seek(1)
    print(f.read(), f.truncate(2), f.seek(0), f.read())
print(open(path).read())
try:
    open(path, "x")
except FileExistsError as e:
    print("FileExistsError", e.errno, e.strerror, e.filename == path)
for wrong in [
    lambda: open("/nonexistent/file"),
    lambda: open("/tmp"),
    lambda: open(path, "q"),
    lambda: open(path, "rw"),
    lambda: open(path, ""),
    lambda: open(path, "w").read(),
    lambda: open(path).write("x"),
    lambda: open(path, encoding="klingon"),
    lambda: open(path, newline="x"),
    lambda: f.read(),
    lambda: f.write("x"),
    lambda: next(f),
    lambda: open(path, "w").write(3),
    lambda: open(path).seek(-1),
    lambda: open(path).seek(1, 1),
    lambda: open(path).seek(0, 7),
    lambda: open("a\0b"),
    lambda: open(3.5),
]:
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__, e)
with open(path, "w", newline="") as g:
    g.write("a\r\nb\rc\nd")
for newline in (None, "", "\n", "\r", "\r\n"):
    with open(path, newline=newline) as g:
        print(repr(newline), g.readlines())
    with open(path, newline=newline) as g:
        print([g.read(2), g.read(1), g.read(1), g.read(3), g.tell()])
with open(path, "w", newline="\r\n") as g:
    g.write("x\ny\n")
print(os.path.getsize(path), repr(open(path).read()))
with open(path, "w", encoding="latin-1") as g:
    g.write("é")
try:
    print(open(path, encoding="utf-8").read())
except UnicodeDecodeError as e:
    print(e)
print(repr(open(path, encoding="utf-8", errors="replace").read()), repr(open(path, errors="ignore").read()), open(path, encoding="latin-1").read())
try:
    with open(path, "w", encoding="ascii") as g:
        g.write("ok")
        g.write("né")
except UnicodeEncodeError as e:
    print(e)
print(open(path).read())


def copied(source, target):
    with open(source) as a, open(target, "w") as b:
        for line in a:
            b.write(line.upper())


with open(path, "w") as g:
    for i in range(2000):
        g.write(f"line {i}\n")
copied(path, path + "2")
with open(path + "2") as g:
    lines = g.read().splitlines()
print(len(lines), lines[0], lines[-1], sum(len(line) for line in open(path)))
try:
    with open(path, "w") as g:
        g.write("before")
        raise ValueError("inside")
except ValueError as e:
    print(e, g.closed, open(path).read())
f = open(path)
for line in f:
    try:
        f.tell()
    except OSError as e:
        print(e)
f.close()
f.close()
print(f.closed)
with open(path, "w") as g:
    pass
print(repr(open(path).read()), list(open(path)))
