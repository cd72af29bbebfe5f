"""The files whose paths are as a pattern says: `glob("data/*.csv")`."""

import os
from fnmatch import fnmatchcase


def has_magic(s):
    """Whether a text is a pattern."""
    return any(mark in s for mark in "*?[")


def escape(pathname):
    """A pattern that means just this path."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in pathname)


def _names(folder):
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:
        return []


def _within(folder, is_hidden):
    """The paths of all folders and files below a folder."""
    for name in _names(folder):
        if is_hidden or not name.startswith("."):
            path = os.path.join(folder, name)
            yield path
            if os.path.isdir(path) and not os.path.islink(path):
                yield from _within(path, is_hidden)


def _found(folder, parts, recursive, is_hidden):
    part, rest = parts[0], parts[1:]
    if part == "**" and recursive:
        if rest:
            yield from _found(folder, rest, recursive, is_hidden)
        elif folder:
            yield os.path.join(folder, "")
        for path in _within(folder, is_hidden):
            if not rest:
                yield path
            elif os.path.isdir(path):
                yield from _found(path, rest, recursive, is_hidden)
        return
    if has_magic(part):
        shows = is_hidden or part.startswith(".")
        names = [name for name in _names(folder) if fnmatchcase(name, part) and (shows or not name.startswith("."))]
    else:
        names = [part]
    for name in names:
        path = os.path.join(folder, name) if folder else name
        if not rest:
            if os.path.lexists(path):
                yield path
        elif os.path.isdir(path or "/"):
            yield from _found(path, rest, recursive, is_hidden)


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    """The paths one after the other."""
    pathname = os.fspath(pathname)
    folder = "/" if pathname.startswith("/") else ""
    parts = [part for part in pathname.split("/") if part]
    if root_dir is not None and not folder:
        start = os.path.join(root_dir, "")
        found = _found(start, parts, recursive, include_hidden)
        return (path[len(start):] for path in found if path != start)
    if not parts:
        return iter([folder] if folder else [])
    if pathname.endswith("/"):
        parts.append("")
    return _once(_found(folder, parts, recursive, include_hidden))


def _once(paths):
    seen = set()
    for path in paths:
        if path not in seen:
            seen.add(path)
            yield path


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    """A list of the paths that are as a pattern says; with `recursive` `**` stands for any folders."""
    return list(iglob(pathname, root_dir=root_dir, recursive=recursive, include_hidden=include_hidden))
