"""Arrays in files: `.npy`, `.npz`, bare elements, and arrays that stay on the disk."""


def _path(file):
    """A path as a text."""
    if isinstance(file, str):
        return file
    if hasattr(file, "__fspath__"):
        return file.__fspath__()
    if hasattr(file, "name") and hasattr(file, "read"):
        raise TypeError("expected a path, found an open file: files of text hold no arrays")
    raise TypeError(f"expected str, bytes or os.PathLike object, not {type(file).__name__}")


def _ending(path):
    """What a file's name ends with, behind the last dot."""
    name = path.rpartition("/")[2].lower()
    return name.rpartition(".")[2] if "." in name else ""


_ENDINGS = ".npy, .npz, .safetensors, .pt, .gguf, .parquet, .arrow, .feather, .png, .jpg, .csv, .tsv and .txt are known"


# What stands between the fields of tables of text, by their endings.
_DELIMITERS = {"csv": ",", "tsv": "\t", "txt": None}


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000,
         columns=None, delimiter=None):
    """What a file holds: of `.npy` an array, of `.npz` a mapping of names to arrays, of `.safetensors` and `.gguf` a
    checkpoint that is read as it is asked for, of `.pt`, `.pth` and `.bin` what `torch.save` wrote, of `.png` and `.jpg` the pixels,
    of `.csv`, `.tsv` and `.txt` a table of numbers, of `.parquet`, `.arrow` and `.feather` columns by their names. Of all
    these `columns` chooses some by their names. `delimiter` stands between the fields of a table of text.

    With `mmap_mode` the array stays on the disk, and an index reads just what it means: "r" may be read, "r+" written to
    as well. Pickles are refused, because reading one runs code.

    >>> save("/tmp/numbers.npy", arange(3))
    >>> load("/tmp/numbers.npy")
    """
    path = _path(file)
    if allow_pickle:
        raise ValueError("pickles are not read, because reading one runs code: leave `allow_pickle` out")
    ending = _ending(path)
    if delimiter is not None and ending not in _DELIMITERS:
        raise TypeError("load: `delimiter` is for tables of text: .csv, .tsv and .txt")
    if ending == "safetensors" or path.endswith((".safetensors.index.json", ".bin.index.json")):
        from safetensors import _open
        return _open(path)
    if ending == "gguf":
        from gguf import _open
        return _open(path)
    if ending in _DELIMITERS:
        delimiter = delimiter or _DELIMITERS[ending]
        chosen = None if columns is None else _numbers_of(path, delimiter, columns)
        return genfromtxt(path, delimiter=delimiter, skip_header=_titles(path, delimiter), loose=False, usecols=chosen)
    if ending in ("png", "jpg", "jpeg"):
        return disk_picture(path)
    kind = disk_mark(path)
    if kind == "columns" or ending in ("parquet", "arrow", "feather"):
        return _open_columns(path, columns)
    if kind == "torch" or ending in ("pt", "pth", "ckpt") or ending == "bin" and kind == "zip":
        from torch import _open
        return _open(path)
    if kind == "zip":
        archive = _NpzFile(path)
        if archive._members and not [name for name in archive._members if name.endswith(".npy")]:
            raise ValueError(f"'{path}' is an archive without arrays: {_ENDINGS}")
        return archive
    if kind == "npy" or disk_size(path) == 0:
        code, shape, start, is_fortran = disk_npy(path)
        if mmap_mode is None:
            return disk_read(path, code, shape, start, is_fortran, ...)
        return memmap(path, _Code(code), _mode_of(mmap_mode), start, shape, "F" if is_fortran else "C")
    raise ValueError(f"'{path}' is no file of arrays: {_OTHERS.get(ending, _BARE)}{_ENDINGS}")


_HDF = "HDF5 is not read; in Python `np.save(\"x.npy\", h5py.File(path)[\"x\"][...])` writes a data set as one that is: "
_BARE = "bare elements are read by `np.fromfile(path, dtype)`; "

# What to do with files of other kinds, by their endings.
_OTHERS = {
    "h5": _HDF, "hdf5": _HDF, "hdf": _HDF, "keras": _HDF, "nc": _HDF,
    "zarr": "Zarr is not read; in Python `np.save(\"x.npy\", zarr.open(path)[...])` writes an array as one that is: ",
    "pkl": "pickles are not read, because reading one runs code: ",
    "pickle": "pickles are not read, because reading one runs code: ",
    "joblib": "pickles are not read, because reading one runs code: ",
    "xlsx": "spreadsheets are not read; they save as .csv: ", "xls": "spreadsheets are not read; they save as .csv: ",
    "json": "`json.load(open(path))` reads it; of arrays ", "onnx": "ONNX is not read: ",
    "mat": "MATLAB's files are not read; in Python `scipy.io.loadmat` reads one, and `np.savez` writes it as one that is: ",
    "gif": "of pictures .png and .jpg are read: ", "bmp": "of pictures .png and .jpg are read: ",
    "tif": "of pictures .png and .jpg are read: ", "tiff": "of pictures .png and .jpg are read: ",
    "webp": "of pictures .png and .jpg are read: ",
}


def _names_in(path, delimiter):
    """What the first line of a table of text calls its columns."""
    with open(path) as file:
        fields = file.readline().removeprefix("\ufeff").lstrip("#").split(delimiter)
    return [name.strip().strip('"') for name in fields]


def _numbers_of(path, delimiter, columns):
    """The numbers of columns by their names, or by their places."""
    wanted = [columns] if isinstance(columns, (str, int)) else list(columns)
    names = _names_in(path, delimiter) if _titles(path, delimiter) else []
    for name in wanted:
        if isinstance(name, str) and name not in names:
            there = f"there are {', '.join(names[:10])}" if names else "its first line has numbers, and columns are 0, 1, …"
            raise KeyError(f"no column '{name}' in '{path}': {there}")
    return [names.index(name) if isinstance(name, str) else name for name in wanted]


def _titles(path, delimiter):
    """1 where a table begins with the names of its columns, none of which is a number."""
    with open(path) as file:
        fields = file.readline().split(delimiter)
    names = [field.strip() for field in fields]
    for name in names:
        try:
            float(name or "0")
            return 0
        except ValueError:
            pass
    return 1 if names else 0


def save(file, arr, allow_pickle=True, fix_imports=True):
    """Writes an array as `.npy`, behind whose name that is put where it is missing; names that end with `.npz` and
    `.safetensors` take a dictionary of arrays, those with `.pt` and `.pth` what `torch.save` takes, those with `.png`
    pixels, those with `.csv`, `.tsv` and `.txt` a table of numbers. Another ending is a ValueError.

    The file is written beside an old one and takes its place when it is whole. `:undo` does not take it back.

    >>> save("/tmp/numbers.npy", array([[1, 2], [3, 4]]))
    >>> save("/tmp/numbers.csv", array([[1, 2], [3, 4]]))
    """
    path = _path(file)
    ending = _ending(path)
    if ending in ("npz", "safetensors"):
        if not hasattr(arr, "keys"):
            raise TypeError(f"a .{ending} file holds arrays with names: give a dictionary, " + '{"x": x}')
        if ending == "npz":
            return _save_members(path, {name: arr[name] for name in arr.keys()}, False)
        from safetensors import _save
        return _save(path, arr, None)
    if ending in ("pt", "pth"):
        return disk_save_torch(path, arr)
    if ending == "png":
        return imsave(path, arr)
    if ending in ("csv", "tsv", "txt"):
        table = asarray(arr)
        return savetxt(path, table, _plain_format(table), {"csv": ",", "tsv": "\t"}.get(ending, " "))
    if ending.isalpha() and ending != "npy":
        raise ValueError(f"no file ends with .{ending} that arrays are written to: .npy, .npz, .safetensors, .pt, .png, .csv, "
                         ".tsv and .txt are")
    disk_save(path if ending == "npy" else path + ".npy", _array_of(arr))


def _plain_format(table):
    """A format in which every number of a type comes back as it was."""
    kind = table.dtype.kind
    digits = {2: 5, 4: 9, 8: 17}[table.dtype.itemsize] if kind == "f" else 0
    return f"%.{digits}g" if kind == "f" else "%d"


def _array_of(arr):
    """An array, of which no element is an object."""
    try:
        return asarray(arr)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{error}; objects would be pickles, which are not written") from None


def savez(file, *args, allow_pickle=True, **kwds):
    """Writes arrays to one `.npz` file, by the names of the arguments, those without a name as "arr_0", "arr_1" …

    >>> savez("/tmp/both.npz", x=arange(3), y=ones(2))
    >>> load("/tmp/both.npz")["y"]
    """
    _save_members(_path(file), _named(args, kwds), False)


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    """As `savez`, deflated.

    >>> savez_compressed("/tmp/both.npz", x=zeros(1000))
    >>> load("/tmp/both.npz").files
    """
    _save_members(_path(file), _named(args, kwds), True)


def _named(args, kwds):
    named = dict(kwds)
    for at, arr in enumerate(args):
        name = f"arr_{at}"
        if name in kwds:
            raise ValueError(f"Cannot use un-named variables and keyword {name}")
        named[name] = arr
    return named


def _save_members(path, arrays, is_deflated):
    if _ending(path) != "npz":
        path = path + ".npz"
    names = [name + ".npy" for name in arrays]
    disk_save_members(path, names, [_array_of(arr) for arr in arrays.values()], is_deflated)


class _Names:
    """The arrays of an archive as attributes."""

    def __init__(self, archive):
        self._archive = archive

    def __getattr__(self, name):
        try:
            return self._archive[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self):
        return self._archive.files


class _NpzFile:
    """The arrays of a `.npz` file by their names, each read when it is asked for."""

    def __init__(self, path):
        self._path, self._members = path, disk_members(path)
        self.files = [name.removesuffix(".npy") for name in self._members]
        self.f, self.zip, self.fid = _Names(self), None, None

    def __getitem__(self, key):
        if self._members is None:
            raise ValueError("the archive is closed: open it again with `load`")
        for member in self._members:
            if member == key or member == f"{key}.npy":
                if not member.endswith(".npy"):
                    raise ValueError(f"'{member}' is no array: its name does not end with .npy")
                return disk_member(self._path, member)
        raise KeyError(f"{key} is not a file in the archive: there are {', '.join(self.files[:10])}"
                       + (", …" if len(self.files) > 10 else ""))

    def __contains__(self, key):
        return key in self.files or key in (self._members or [])

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def keys(self):
        """The names."""
        return list(self.files)

    def values(self):
        """The arrays, all of them read."""
        return [self[name] for name in self.files]

    def items(self):
        """Pairs of names and arrays, all of them read."""
        return [(name, self[name]) for name in self.files]

    def get(self, key, default=None, /):
        """The array of a name, or `default`."""
        return self[key] if key in self else default

    def close(self):
        """Ends the use of the file."""
        self._members = None

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self.close()

    def _ipython_key_completions_(self):
        return self.files

    def __repr__(self):
        shown = ", ".join(self.files[:5]) + ("..." if len(self.files) > 5 else "")
        return f"NpzFile {self._path!r} with keys: {shown}"


_NpzFile.__name__ = "NpzFile"


def imread(file):
    """The pixels of a PNG or a JPEG: (height, width) of a grey one, else (height, width, channels); uint8, of a PNG of
    16 bits uint16. A palette is looked up, fewer bits than 8 are spread over 8.

    >>> imsave("/tmp/grey.png", array([[0, 128, 255]], dtype=uint8))
    >>> imread("/tmp/grey.png")
    """
    return disk_picture(_path(file))


def imsave(file, arr):
    """Writes pixels of uint8 or uint16 as a PNG: (height, width), or (height, width, channels) with 1 channel for grey,
    2 for that and how opaque it is, 3 for red, green and blue, 4 for all of these. Truth is black and white.

    >>> imsave("/tmp/red.png", array([[[255, 0, 0]]], dtype=uint8))
    """
    path, pixels = _path(file), asarray(arr)
    if _ending(path) != "png":
        raise ValueError(f"pictures are written as PNG, to a name that ends with .png: '{path}'")
    disk_save_picture(path, pixels.astype(uint8) * uint8(255) if pixels.dtype.kind == "b" else pixels)


def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, like=None):
    """The elements of a file that holds nothing else, the first `count` of them, from byte `offset` on.

    With `sep` the file is text, between whose numbers it stands.

    >>> arange(4).tofile("/tmp/numbers.bin")
    >>> fromfile("/tmp/numbers.bin", dtype=int64, offset=8)
    """
    _check_like(like)
    path = _path(file)
    if sep != "":
        with open(path) as text:
            return fromstring(text.read(), dtype, count, sep=sep)
    kind = zeros(0, dtype=dtype).dtype
    if offset < 0:
        raise ValueError("'offset' must not be negative")
    there = max(disk_size(path) - offset, 0) // kind.itemsize
    length = there if count < 0 else min(count, there)
    return disk_read(path, _code_of(kind), (length,), offset, False, ...)


def _code_of(kind):
    return "<V2" if kind.name == "bfloat16" else kind.str


def _method_tofile(x, fid, sep="", format="%s"):
    """Writes the elements to a file, as they are or as text with `sep` between them."""
    if sep == "":
        return disk_save_raw(_path(fid), x)
    text = sep.join([format % item for item in x.ravel().tolist()])
    if isinstance(fid, str) or hasattr(fid, "__fspath__"):
        disk_save_text(_path(fid), text)
    else:
        fid.write(text)


class _Code:
    """A type as a file has it."""

    def __init__(self, code):
        self.code = code


def _mode_of(mode):
    names = {"readonly": "r", "copyonwrite": "c", "readwrite": "r+", "write": "w+"}
    mode = names.get(mode, mode)
    if mode not in ("r", "c", "r+", "w+"):
        raise ValueError("mode must be one of ['r', 'c', 'r+', 'w+', 'readonly', 'copyonwrite', 'readwrite', 'write'] "
                         f"(got {mode!r})")
    if mode == "c":
        raise ValueError("changes that stay in memory want a copy there: `load(path)`")
    return mode


class memmap:
    """An array that stays in its file: an index reads just the bytes that it means, an assignment writes them at once.

    `mode` is "r" to read, "r+" to read and write, "w+" for a new file of zeros. Nothing is mapped, so that a file that
    becomes shorter meanwhile is an error and no crash. Arithmetic and functions take all of it into memory. What is
    written stays written, whatever becomes of the statement.

    >>> m = memmap("/tmp/numbers.bin", dtype=float32, mode="w+", shape=(2, 3))
    >>> m[1] = 5
    >>> m[:, 0]
    """

    def __init__(self, filename, dtype=uint8, mode="r+", offset=0, shape=None, order="C"):
        self.filename, self.mode, self.offset = _path(filename), _mode_of(mode), offset
        self._code = dtype.code if isinstance(dtype, _Code) else _code_of(zeros(0, dtype=dtype).dtype)
        self._order = order == "F"
        self.dtype = _type_of(self._code) if isinstance(dtype, _Code) else zeros(0, dtype=dtype).dtype
        if shape is None:
            if self.mode == "w+":
                raise ValueError("shape must be given if mode == 'w+'")
            rest = disk_size(self.filename) - offset
            if rest % self.dtype.itemsize:
                raise ValueError("Size of available data is not a multiple of the data-type size.")
            shape = (rest // self.dtype.itemsize,)
        self.shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        size = 1
        for length in self.shape:
            size *= length
        self.size, self.ndim, self.itemsize = size, len(self.shape), self.dtype.itemsize
        self.nbytes = size * self.itemsize
        if self.mode != "r":
            disk_grow(self.filename, offset + self.nbytes, self.mode == "w+")
        elif disk_size(self.filename) < offset + self.nbytes:
            raise ValueError("mmap length is greater than file size")

    def _read(self, index):
        return disk_read(self.filename, self._code, self.shape, self.offset, self._order, index)

    def __getitem__(self, index):
        found = self._read(index)
        return self._read(...)[index] if found is NotImplemented else found

    def __setitem__(self, index, value):
        if self.mode == "r":
            raise ValueError("assignment destination is read-only: open it with mode 'r+'")
        if disk_write(self.filename, self._code, self.shape, self.offset, self._order, index, value) is NotImplemented:
            whole = self._read(...)
            whole[index] = value
            disk_write(self.filename, self._code, self.shape, self.offset, self._order, ..., whole)

    def __array__(self, dtype=None, copy=None):
        return self._read(...) if dtype is None else self._read(...).astype(dtype)

    def flush(self):
        """Nothing waits: what is assigned is written at once."""

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        for at in range(len(self)):
            yield self[at]

    def __getattr__(self, name):
        # Whether there is such a name is no reason to read all of it.
        if name.startswith("_") or not hasattr(zeros(0), name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(self._read(...), name)

    def __repr__(self):
        return f"memmap({self.filename!r}, {self.dtype}, shape={self.shape}, mode={self.mode!r})"

    def __bool__(self):
        return bool(self._read(...))

    def __float__(self):
        return float(self._read(...))

    def __int__(self):
        return int(self._read(...))

    def __neg__(self):
        return -self._read(...)

    def __abs__(self):
        return abs(self._read(...))


def _type_of(code):
    """The type that elements with a file's code become."""
    names = {"<V2": "bfloat16", "<V1": "float8_e4m3fn", "<f1": "float8_e5m2"}
    return zeros(0, dtype=names.get(code) or code.lstrip("<>|=")).dtype


def _operators():
    """Arithmetic of arrays on the disk is that of the arrays."""
    import operator
    names = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift lt le gt ge eq ne".split()
    for name in names:
        function = getattr(operator, name + "_" if name in ("and", "or") else name)
        setattr(memmap, f"__{name}__", lambda a, b, f=function: f(a._read(...), _plain(b)))
        if name not in ("lt", "le", "gt", "ge", "eq", "ne"):
            setattr(memmap, f"__r{name}__", lambda a, b, f=function: f(_plain(b), a._read(...)))


def _plain(value):
    return value._read(...) if isinstance(value, memmap) else value


_done = _operators()
