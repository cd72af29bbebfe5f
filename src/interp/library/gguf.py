"""Checkpoints of llama.cpp: `.gguf`."""

from numpy import _path, float32
from safetensors import Checkpoint, LazyTensor


class BlockTensor(LazyTensor):
    """A tensor of a checkpoint in blocks of few bits, which stays in the file; what is read of it is widened to float32."""

    def _blocks(self, first, last):
        if not self._is_read:
            raise ValueError(f"'{self.name}' has elements of type {self.kind}, which are not read: those of F32, F16, BF16, "
                             "Q4_0 to Q8_0 and Q2_K to Q8_K are")
        return disk_blocks(self.filename, self.kind, self.offset, first, last)

    def _read(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        shape, place, size = self.shape, 0, self.size
        # What numbers in front choose lies together, and what a slice behind them does.
        while parts and shape and isinstance(parts[0], int) and not isinstance(parts[0], bool):
            at, axis = parts[0], self.ndim - len(shape)
            if not -shape[0] <= at < shape[0]:
                raise IndexError(f"index {at} is out of bounds for axis {axis} with size {shape[0]}")
            size //= shape[0]
            place += at % shape[0] * size
            parts, shape = parts[1:], shape[1:]
        if parts and shape and size > 0 and isinstance(parts[0], slice):
            begin, end, step = parts[0].indices(shape[0])
            if step > 0 and end > begin:
                inner = size // shape[0]
                place, size = place + begin * inner, (end - begin) * inner
                parts, shape = (slice(None, None, step),) + parts[1:], (end - begin,) + shape[1:]
        found = self._blocks(place, place + size).reshape(shape)
        return found[parts] if parts else found


class _Checkpoint(Checkpoint):
    """A checkpoint that reads what the file says of the model when that is asked for."""

    @property
    def metadata(self):
        """What the file says of the model."""
        if self._notes is None:
            self._notes = dict(disk_gguf_notes(self.path))
        return self._notes

    @metadata.setter
    def metadata(self, notes):
        self._notes = notes


_Checkpoint.__name__ = "Checkpoint"


def _open(path):
    tensors = {}
    for name, kind, code, shape, start, nbytes, is_read in disk_gguf(path):
        if code is not None:
            tensors[name] = LazyTensor(path, name, kind, code, shape, start, nbytes)
            continue
        x = BlockTensor(path, name, kind, None, shape, start, nbytes)
        x._is_read = is_read
        if is_read:
            x.dtype, x.itemsize = float32, 4
        tensors[name] = x
    return _Checkpoint(path, tensors, None)
