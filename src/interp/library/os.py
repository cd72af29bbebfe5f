"""The environment, as the process began with it."""

from warnings import warn

SEEK_SET = 0
SEEK_CUR = 1
SEEK_END = 2

# What is read when a session or a device opens, and not again.
_EARLY = ("GENESIS_", "CUDA_", "RAYON_")


class _Environ(dict):
    """Names and texts. A change is seen by this program, and by nothing that has begun before."""

    def __setitem__(self, key, value):
        for part in (key, value):
            if not isinstance(part, str):
                raise TypeError(f"str expected, not {type(part).__name__}")
        super().__setitem__(key, value)
        if key.startswith(_EARLY):
            warn(f"{key} comes too late: it is read before the first statement; set it in the shell", RuntimeWarning)

    def setdefault(self, key, value=None):
        if key not in self:
            self[key] = value
        return self[key]

    def update(self, other=(), /, **names):
        for key, value in {**dict(other), **names}.items():
            self[key] = value

    def copy(self):
        return dict(self)

    def __repr__(self):
        return f"environ({super().__repr__()})"


environ = _Environ(first_environment())


def getenv(key, default=None):
    """What the environment has under a name."""
    return environ.get(key, default)


def putenv(name, value, /):
    """The same as `environ[name] = value` here."""
    environ[name] = value


curdir, pardir, pathsep, extsep, altsep, devnull = ".", "..", ":", ".", None, "/dev/null"


def makedirs(name, mode=0o777, exist_ok=False):
    """Makes a folder, and those around it that are not there."""
    from os import fspath, mkdir
    from os.path import exists, isdir, split

    name = fspath(name)
    head, tail = split(name)
    if not tail:
        head, tail = split(head)
    if head and tail and not exists(head):
        makedirs(head, exist_ok=True)
        if tail == curdir:
            return
    try:
        mkdir(name, mode)
    except OSError:
        if not exist_ok or not isdir(name):
            raise


def _refused(*args, **kwargs):
    raise NotImplementedError("programs remove and move no files or folders here; `makedirs` makes folders, `open` writes files")


remove = unlink = rmdir = removedirs = rename = renames = replace = _refused


def walk(top, topdown=True, onerror=None, followlinks=False):
    """(folder, names of folders in it, names of files) of a folder and of all below it."""
    from os import listdir
    from os.path import isdir, islink, join

    try:
        names = listdir(top)
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    folders = [name for name in names if isdir(join(top, name))]
    files = [name for name in names if name not in folders]
    if topdown:
        yield top, folders, files
    for name in folders:
        path = join(top, name)
        if followlinks or not islink(path):
            yield from walk(path, topdown, onerror, followlinks)
    if not topdown:
        yield top, folders, files


class PathLike:
    """What gives a path by `__fspath__`."""

    def __fspath__(self):
        raise NotImplementedError("a class derived from PathLike must have __fspath__")
