"""Paths as objects. They read what is on the disk, and write files as `open` does."""

import os
from fnmatch import fnmatchcase as _matches


class PurePath:
    """A path that is not looked for on the disk."""

    def __init__(self, *args):
        parts = [str(arg) if isinstance(arg, PurePath) else os.fspath(arg) for arg in args]
        text = os.path.join(*parts) if parts else ""
        self.root = "/" if text.startswith("/") else ""
        self._names = [name for name in text.split("/") if name not in ("", ".")]
        self.drive = ""

    def _made(self, root, names):
        made = type(self)()
        made.root, made._names = root, names
        return made

    anchor = property(lambda self: self.root)

    @property
    def parts(self):
        """All names, with the root in front."""
        return (*((self.root,) if self.root else ()), *self._names)

    @property
    def name(self):
        """The last name."""
        return self._names[-1] if self._names else ""

    @property
    def suffix(self):
        """The last name's ending, with its dot."""
        at = self.name.rfind(".")
        return self.name[at:] if 0 < at < len(self.name) - 1 else ""

    @property
    def suffixes(self):
        """All endings of the last name."""
        if self.name.endswith("."):
            return []
        return ["." + part for part in self.name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        """The last name without its ending."""
        return self.name[:len(self.name) - len(self.suffix)] if self.suffix else self.name

    @property
    def parent(self):
        """The folder that it lies in."""
        return self._made(self.root, self._names[:-1]) if self._names else self

    @property
    def parents(self):
        """The folders that it lies in, the nearest first."""
        return [self._made(self.root, self._names[:count]) for count in range(len(self._names) - 1, -1, -1)]

    def joinpath(self, *args):
        """The path with more names behind it."""
        return type(self)(self, *args)

    def __truediv__(self, other):
        return type(self)(self, other) if isinstance(other, (str, PurePath)) else NotImplemented

    def __rtruediv__(self, other):
        return type(self)(other, self) if isinstance(other, str) else NotImplemented

    def with_name(self, name):
        """The path with another last name."""
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self._made(self.root, [*self._names[:-1], name])

    def with_stem(self, stem):
        """The path with another last name and the same ending."""
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        """The path with another ending."""
        if suffix and (not suffix.startswith(".") or suffix == "." or "/" in suffix):
            raise ValueError(f"Invalid suffix {suffix!r}")
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        return self._made(self.root, [*self._names[:-1], self.stem + suffix])

    def is_absolute(self):
        """Whether it begins at the root."""
        return self.root != ""

    def is_relative_to(self, *other):
        """Whether it lies in another."""
        other = type(self)(*other)
        return self.root == other.root and self._names[:len(other._names)] == other._names

    def relative_to(self, *other):
        """How to come to it from another that it lies in."""
        folder = type(self)(*other)
        if not self.is_relative_to(folder):
            raise ValueError(
                f"{str(self)!r} is not in the subpath of {str(folder)!r} OR one path is relative and the other is absolute."
            )
        return self._made("", self._names[len(folder._names):])

    def match(self, pattern):
        """Whether its last names are as a pattern says."""
        wanted = PurePath(pattern)
        if not wanted._names:
            raise ValueError("empty pattern")
        if wanted.root and (not self.root or len(wanted._names) != len(self._names)) or len(wanted._names) > len(self._names):
            return False
        return all(_matches(name, form) for name, form in zip(self._names[::-1], wanted._names[::-1]))

    def as_posix(self):
        """The path as a text."""
        return str(self)

    def as_uri(self):
        """The path behind `file://`."""
        if not self.root:
            raise ValueError("relative path can't be expressed as a file URI")
        return "file://" + str(self)

    def __fspath__(self):
        return str(self)

    def __str__(self):
        return self.root + "/".join(self._names) or "."

    def __repr__(self):
        name = "PurePosixPath" if type(self) is PurePath else "PosixPath" if type(self) is Path else type(self).__name__
        return f"{name}({str(self)!r})"

    def _key(self):
        return self.root, self._names

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, PurePath) else NotImplemented

    def __lt__(self, other):
        return self.parts < other.parts if isinstance(other, PurePath) else NotImplemented

    def __le__(self, other):
        return self.parts <= other.parts if isinstance(other, PurePath) else NotImplemented

    def __gt__(self, other):
        return self.parts > other.parts if isinstance(other, PurePath) else NotImplemented

    def __ge__(self, other):
        return self.parts >= other.parts if isinstance(other, PurePath) else NotImplemented

    def __hash__(self):
        return hash((self.root, *self._names))


PurePosixPath = PurePath


class Path(PurePath):
    """A file or a folder: `Path("data") / "train.csv"`."""

    @classmethod
    def cwd(cls):
        """The folder in which the session runs."""
        return cls(os.getcwd())

    @classmethod
    def home(cls):
        """The user's folder."""
        return cls(os.path.expanduser("~"))

    def expanduser(self):
        """With the user's folder in the place of `~`."""
        return type(self)(os.path.expanduser(str(self)))

    def absolute(self):
        """From the root on."""
        return self if self.root else type(self)(os.getcwd(), self)

    def resolve(self, strict=False):
        """From the root on, with links followed."""
        if strict and not self.exists():
            raise FileNotFoundError(f"[Errno 2] No such file or directory: {str(self)!r}")
        return type(self)(os.path.realpath(str(self)))

    def exists(self):
        """Whether there is something."""
        return os.path.exists(str(self))

    def is_file(self):
        """Whether it is a file."""
        return os.path.isfile(str(self))

    def is_dir(self):
        """Whether it is a folder."""
        return os.path.isdir(str(self))

    def is_symlink(self):
        """Whether it is a link."""
        return os.path.islink(str(self))

    def samefile(self, other_path):
        """Whether both lead to one place."""
        return self.resolve() == Path(other_path).resolve()

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        """The file, as `open` opens it."""
        return open(str(self), mode, buffering, encoding, errors, newline)

    def read_text(self, encoding=None, errors=None):
        """All of its text."""
        with self.open(encoding=encoding, errors=errors) as file:
            return file.read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        """Writes a text in the place of what it held; how many characters it has."""
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        with self.open("w", encoding=encoding, errors=errors, newline=newline) as file:
            return file.write(data)

    def touch(self, mode=0o666, exist_ok=True):
        """Makes an empty file where there is none."""
        if self.exists():
            if not exist_ok:
                raise FileExistsError(f"[Errno 17] File exists: {str(self)!r}")
            return
        self.open("a").close()

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        """Makes the folder; with `parents` those around it as well."""
        try:
            os.mkdir(str(self), mode)
        except FileNotFoundError:
            if not parents or self.parent == self:
                raise
            self.parent.mkdir(parents=True, exist_ok=True)
            self.mkdir(mode, exist_ok=exist_ok)
        except OSError:
            if not exist_ok or not self.is_dir():
                raise

    def iterdir(self):
        """What is in the folder, in no order."""
        return iter([self / name for name in os.listdir(str(self))])

    def glob(self, pattern):
        """What in the folder is as a pattern such as `*.csv` or `**/*.py` says."""
        forms = PurePath(pattern)
        if forms.root:
            raise NotImplementedError("Non-relative patterns are unsupported")
        if not forms._names:
            raise ValueError(f"Unacceptable pattern: {pattern!r}")
        return self._fitting(forms._names, set())

    def rglob(self, pattern):
        """What in the folder, or in one within, is as a pattern says."""
        return self.glob("**/" + pattern)

    def _fitting(self, forms, seen):
        form, *rest = forms
        if form == "**":
            if rest:
                yield from self._fitting(rest, seen)
            else:
                yield from self._once(seen)
            for entry in sorted(self.iterdir()) if self.is_dir() else ():
                if entry.is_dir() and not entry.is_symlink():
                    yield from entry._fitting(forms, seen)
            return
        if not self.is_dir():
            return
        for entry in sorted(self.iterdir()):
            if _matches(entry.name, form):
                if rest:
                    yield from entry._fitting(rest, seen)
                else:
                    yield from entry._once(seen)

    def _once(self, seen):
        if str(self) not in seen:
            seen.add(str(self))
            yield self

    def _refused(self, *args, **kwargs):
        raise NotImplementedError("programs move and remove no files or folders here; `mkdir` makes folders, `open` and `write_text` write files")

    rmdir = unlink = rename = replace = chmod = symlink_to = hardlink_to = _refused

    def stat(self):
        """Not here."""
        raise NotImplementedError("programs read names and texts of files here, and nothing else of them")

    def read_bytes(self):
        """Not here."""
        raise NotImplementedError("there are no bytes here; `read_text` reads a text")

    def write_bytes(self, data):
        """Not here."""
        raise NotImplementedError("there are no bytes here; `write_text` writes a text")


PosixPath = Path
