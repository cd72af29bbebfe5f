"""The environment, as the process began with it."""

from warnings import warn

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
