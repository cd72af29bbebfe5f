"""Parts of paths that need no look at the disk."""

from os import environ
from os.path import exists, islink

curdir, pardir, pathsep, defpath, extsep, altsep, devnull = ".", "..", ":", "/bin:/usr/bin", ".", None, "/dev/null"


def commonprefix(m):
    """What all texts begin with, letter by letter."""
    if not m:
        return ""
    least, most = min(m), max(m)
    for at, letter in enumerate(least):
        if letter != most[at]:
            return least[:at]
    return least


def commonpath(paths):
    """The longest path that all paths begin with."""
    paths = list(paths)
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    is_absolute = {path.startswith("/") for path in paths}
    if len(is_absolute) > 1:
        raise ValueError("Can't mix absolute and relative paths")
    parts = [[part for part in path.split("/") if part and part != "."] for path in paths]
    common = commonprefix(parts)
    return ("/" if True in is_absolute else "") + "/".join(common)


def splitdrive(p):
    """The drive, which there is none here, and the path."""
    return "", p


def lexists(path):
    """Whether there is something at a path, if only a link that leads nowhere."""
    return exists(path) or islink(path)


def normcase(s):
    """The path as it is: capitals matter here."""
    return s


def expandvars(path):
    """The path with `$NAME` and `${NAME}` replaced by what the environment has."""
    made, at = [], 0
    while at < len(path):
        start = at + 1
        is_braced = path[at] == "$" and path[start:start + 1] == "{"
        start += is_braced
        end = path.find("}", start) if is_braced else start
        while not is_braced and end < len(path) and path[end].isascii() and (path[end].isalnum() or path[end] == "_"):
            end += 1
        name = path[start:end]
        behind = end + is_braced
        if path[at] != "$" or end < 0 or name not in environ:
            behind = at + 1 if path[at] != "$" or end < 0 else behind
            made.append(path[at:behind])
        else:
            made.append(environ[name])
        at = behind
    return "".join(made)
