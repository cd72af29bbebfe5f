"""Checkpoints: files of tensors with names, read as they are asked for."""

from numpy import _path, _type_of, asarray, memmap


class LazyTensor(memmap):
    """A tensor of a checkpoint, which stays in the file: an index reads just the bytes that it means."""

    def __init__(self, path, name, kind, code, shape, start, nbytes, order=False, storage=None):
        self.filename, self.name, self.kind, self.mode, self.offset = path, name, kind, "r", start
        self._code, self._order, self.shape, self.ndim, self.nbytes = code, order, shape, len(shape), nbytes
        self._storage = storage
        self.dtype = kind if code is None else _type_of(code)
        self.size = 1
        for length in shape:
            self.size *= length
        self.itemsize = 0 if code is None else self.dtype.itemsize

    def _read(self, index):
        if self._code is None:
            raise ValueError(f"'{self.name}' has elements of type {self.kind}, which no tensor here can have")
        return super()._read(index)

    def __repr__(self):
        return f"LazyTensor({self.name!r}, {_called(self)}, shape={self.shape}, {_size(self.nbytes)})"


def _near(name, tensors):
    """What was probably meant by a name that is not there."""
    under = [known for known in tensors if known.startswith(name + ".")]
    if under:
        return f": `ck[\"{name}.*\"]` is {len(under)} that begin so" if len(under) > 1 else f": {under[0]!r} begins so"
    alike = [known for known in tensors if name and name.lower() in known.lower()]
    alike = alike or [known for known in tensors if known and known.lower() in name.lower()]
    some = list(alike or tensors)[:3]
    more = ", …" if len(alike or tensors) > len(some) else ""
    return f": {'there are' if alike else 'the names are'} {', '.join(some)}{more}" if some else ": there is none"


def _called(x):
    """The type of elements in the file, as PyTorch calls it."""
    if x._code is None:
        return x.kind if isinstance(x.dtype, str) else f"{x.kind} as {x.dtype}"
    return str(x.dtype)


def _size(count):
    """Bytes as people say them."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024


class Checkpoint:
    """Tensors by their names, each read when it is asked for: `ck["name"]` is one of them, `ck["layers.*.weight"]` those
    whose names match, `ck["name"][:10]` reads ten rows.
    """

    def __init__(self, path, tensors, metadata):
        self.path, self.metadata, self._tensors = path, metadata, tensors

    def __getitem__(self, key):
        if not isinstance(key, str):
            raise TypeError(f"tensors of a checkpoint have names, found {type(key).__name__}: `ck[\"name\"]` is one, "
                            "`list(ck)` has the names")
        found = self._tensors.get(key)
        if found is not None:
            return found
        if "*" in key or "?" in key or "[" in key:
            from fnmatch import fnmatchcase
            chosen = {name: x for name, x in self._tensors.items() if fnmatchcase(name, key)}
            if chosen:
                return Checkpoint(self.path, chosen, self.metadata)
            raise KeyError(f"no tensor of the checkpoint matches {key!r}")
        raise KeyError(f"no tensor is called {key!r}{_near(key, self._tensors)}")

    def get_tensor(self, key):
        """A tensor, read."""
        return self[key][...]

    def get_slice(self, key):
        """A tensor of which an index reads a part."""
        return self[key]

    def get(self, key, default=None):
        """The tensor of a name, or `default`."""
        return self._tensors.get(key, default)

    def keys(self):
        """The names, in the order of the file."""
        return list(self._tensors)

    def values(self):
        """The tensors, none of them read."""
        return list(self._tensors.values())

    def items(self):
        """Pairs of names and tensors, none of them read."""
        return list(self._tensors.items())

    def load(self):
        """All of it, as a dictionary of tensors in memory; those that share a storage in the file share it there."""
        users = {}
        for x in self._tensors.values():
            if x._storage is not None:
                users[x._storage.start] = users.get(x._storage.start, 0) + 1
        shared = [start for start, count in users.items() if count > 1]
        storages, loaded = {}, {}
        disk_begin(self.path, self.nbytes)
        try:
            for name, x in self._tensors.items():
                is_shared = x._storage is not None and x._storage.start in shared
                loaded[name] = x._storage.view(x, storages) if is_shared else x[...]
        finally:
            disk_end()
        return loaded

    def __len__(self):
        return len(self._tensors)

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, key):
        return key in self._tensors

    def __enter__(self):
        return self

    def __exit__(self, *details):
        return None

    def _ipython_key_completions_(self):
        return self.keys()

    @property
    def nbytes(self):
        """Bytes of all tensors in the file."""
        return sum([x.nbytes for x in self._tensors.values()])

    def __repr__(self):
        rows = [("name", "dtype", "shape", "count", "bytes")]
        for name, x, count in _folded(self._tensors):
            rows.append((name, _called(x), str(x.shape), str(count), _size(x.nbytes * count)))
        kinds = {}
        for x in self._tensors.values():
            kind = _called(x)
            count, nbytes = kinds.get(kind, (0, 0))
            kinds[kind] = count + 1, nbytes + x.nbytes
        for kind, (count, nbytes) in sorted(kinds.items()):
            rows.append(("total", kind, "", str(count), _size(nbytes)))
        widths = [max([len(row[at]) for row in rows]) for at in range(5)]
        lines = []
        for row in rows:
            left = [row[at].ljust(widths[at]) for at in range(3)]
            lines.append("  ".join(left + [row[at].rjust(widths[at]) for at in (3, 4)]).rstrip())
        return "\n".join(lines)


def _parts(name):
    """A name with a mark for each number between its dots, and the numbers."""
    words, numbers = [], []
    for word in name.split("."):
        if word.isdigit():
            numbers.append(int(word))
            word = "{}"
        words.append(word)
    return ".".join(words), tuple(numbers)


def _folded(tensors):
    """Names that differ by numbers only, of one type and shape, as one: its pattern, one of them, how many they are."""
    groups = {}
    for name, x in tensors.items():
        pattern, numbers = _parts(name)
        key = pattern, x.kind, x.shape
        groups.setdefault(key, []).append((numbers, x))
    rows = []
    for (pattern, kind, shape), members in groups.items():
        shown = pattern
        for at in range(pattern.count("{}")):
            shown = shown.replace("{}", _range(sorted({numbers[at] for numbers, x in members})), 1)
        rows.append((shown, members[0][1], len(members)))
    return rows


def _range(numbers):
    if len(numbers) == 1:
        return str(numbers[0])
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [str(first) if first == last else f"{first}..{last}" for first, last in runs[:4]]
    return "{" + ",".join(shown) + (",…" if len(runs) > 4 else "") + "}"


def _open(path):
    """A checkpoint in one file, or in those that an index names."""
    if not path.endswith(".index.json"):
        return Checkpoint(path, *_one(path))
    folder, slash, name = path.rpartition("/")
    tensors, files, metadata = {}, {}, {}
    for name, file in disk_index(path):
        if file not in files:
            files[file], notes = _one(folder + slash + file)
            metadata.update(notes)
        if name not in files[file]:
            raise ValueError(f"'{file}' has no tensor '{name}', which the index says is there")
        tensors[name] = files[file][name]
    return Checkpoint(path, tensors, metadata)


def _one(path):
    if not path.endswith(".safetensors"):
        from torch import _lazy
        return _tensors_of(path, _lazy(path)), {}
    entries, notes = disk_checkpoint(path)
    tensors = {}
    for name, kind, code, shape, start, nbytes in entries:
        tensors[name] = LazyTensor(path, name, kind, code, shape, start, nbytes)
    return tensors, dict(notes)


def _tensors_of(path, found):
    """A dictionary that holds tensors with names and nothing else."""
    if not isinstance(found, dict) or any([not isinstance(x, LazyTensor) for x in found.values()]):
        raise ValueError(f"'{path}' does not hold tensors alone")
    for name, x in found.items():
        x.name = str(name)
    return {str(name): x for name, x in found.items()}


def _save(path, tensors, metadata):
    notes = []
    for name, text in (metadata or {}).items():
        notes += [name, text]
    names = list(tensors.keys())
    disk_save_checkpoint(path, names, [asarray(tensors[name]) for name in names], notes)


def safe_open(filename, framework="pt", device=None):
    """A checkpoint that is read as it is asked for, for `with`."""
    return _open(_path(filename))


def load_file(filename, device=None):
    """All tensors of a file, as a dictionary.

    >>> save_file({"x": array([1, 2])}, "/tmp/numbers.safetensors")
    >>> load_file("/tmp/numbers.safetensors")
    """
    loaded = _open(_path(filename)).load()
    return loaded if device is None else {name: x.to(device) for name, x in loaded.items()}


def save_file(tensors, filename, metadata=None):
    """Writes a dictionary of tensors, and texts about them; the file takes an old one's place when it is whole."""
    _save(_path(filename), tensors, metadata)
