"""What the Array API standard asks of a namespace beside NumPy's own functions."""

from numpy import dtype as _dtype

__version__ = "2.4.0"
__array_api_version__ = "2025.12"


class _Info:
    """What a namespace can do: types, devices, and what it takes where nothing is said."""

    _kinds = {
        "bool": ["bool"],
        "signed integer": ["int8", "int16", "int32", "int64"],
        "unsigned integer": ["uint8", "uint16", "uint32", "uint64"],
        "real floating": ["float32", "float64"],
        "complex floating": ["complex64", "complex128"],
    }
    _joined = {
        "integral": ["signed integer", "unsigned integer"],
        "numeric": ["signed integer", "unsigned integer", "real floating", "complex floating"],
    }

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        return str(zeros(()).device)

    def devices(self):
        import torch
        return ["cpu"] + [f"cuda:{at}" for at in range(torch.cuda.device_count())]

    def default_dtypes(self, *, device=None):
        floating = zeros(()).dtype
        return {"real floating": floating, "complex floating": result_type(floating, "complex64"),
                "integral": _dtype("int64"), "indexing": _dtype("int64")}

    def dtypes(self, *, device=None, kind=None):
        """The types by their names, of one kind or of several in a tuple if one is given."""
        kinds = list(self._kinds) if kind is None else list(kind) if isinstance(kind, tuple) else [kind]
        found = {}
        for one in kinds:
            for part in self._joined.get(one, [one]):
                if part not in self._kinds:
                    raise ValueError(f"unsupported kind: {one!r}")
                found.update({name: _dtype(name) for name in self._kinds[part]})
        return found


def __array_namespace_info__():
    return _Info()
