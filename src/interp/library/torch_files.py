"""PyTorch's files: `.pt` and `.pth`. No code in them is ever run."""

from numpy import _path, _type_of
from safetensors import Checkpoint, LazyTensor


class _Storage:
    """Elements in a file, under all tensors that are views of them."""

    def __init__(self, path, code, start, length):
        self.path, self.code, self.start, self.length = path, code, start, length

    def view(self, x, storages):
        """A tensor of it, in memory; `storages` holds those that are there already."""
        key = self.path, self.start, self.code
        if key not in storages:
            storages[key] = disk_read(self.path, self.code, (self.length,), self.start, False, ...)
        return strided(storages[key][x._place:], x.shape, x._strides)


def _lazy(path):
    """What a file holds, its tensors not read."""
    def tensor(kind, code, start, length, place, shape, strides):
        size = 1 if code is None else _type_of(code).itemsize
        count, dense = 1, []
        for extent in reversed(shape):
            dense.insert(0, count)
            count *= extent
        order = False
        if count > 0 and any([a != b for a, b, n in zip(strides, dense, shape) if n > 1]):
            order = strides
        storage = _Storage(path, code, start, length)
        x = LazyTensor(path, "", kind, code, shape, start + place * size, count * size, order, storage)
        x._place, x._strides = place, strides
        return x

    return disk_torch(path, tensor)


def _open(path):
    """What a file holds: a dictionary of tensors as a checkpoint."""
    return _seen(path, _lazy(path), 4)


def _seen(path, value, depth):
    if isinstance(value, LazyTensor):
        return value[...]
    if not isinstance(value, dict) or depth == 0:
        return value
    tensors = [x for x in value.values() if isinstance(x, LazyTensor)]
    if tensors and len(tensors) == len(value):
        for name, x in value.items():
            x.name = str(name)
        return Checkpoint(path, {str(name): x for name, x in value.items()}, {})
    for name, x in list(value.items()):
        if isinstance(x, LazyTensor):
            x.name = str(name)
        elif isinstance(x, dict):
            value[name] = _seen(path, x, depth - 1)
    return value


def load(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None):
    """What `torch.save` has written, since the first versions: tensors, and numbers, texts, lists, tuples, dictionaries
    and sets of them. Anything else is an error: no code of a file is ever run, whatever `weights_only` says.

    Tensors come to the session's device, or to `map_location`; those that shared memory share it again. With `mmap` they
    stay in the file until an index asks for them; `load("x.pt")` without `torch.` shows them as a table.

    >>> torch.save({"x": arange(3), "epoch": 7}, "/tmp/numbers.pt")
    >>> torch.load("/tmp/numbers.pt")
    """
    path = _path(f)
    if map_location is not None and not isinstance(map_location, (str, device)):
        raise TypeError("`map_location` is a device here, or its name")
    if mmap:
        return _lazy(path)
    storages = {}

    def tensor(kind, code, start, length, place, shape, strides):
        if code is None:
            raise ValueError(f"'{path}' has elements of type {kind}, which no tensor here can have")
        x = LazyTensor(path, "", kind, code, shape, start, 0)
        x._place, x._strides = place, strides
        read = _Storage(path, code, start, length).view(x, storages)
        return read if map_location is None else read.to(map_location)

    return disk_torch(path, tensor)


def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    """Writes tensors, and numbers, texts, lists, tuples, dictionaries and sets of them, as PyTorch since 1.6 reads them
    with `weights_only=True`. Views of one storage stay so. The file takes an old one's place when it is whole.

    >>> torch.save({"x": arange(3)}, "/tmp/numbers.pt")
    """
    disk_save_torch(_path(f), obj.load() if isinstance(obj, Checkpoint) else obj)
