"""Products along axes that are named: `cross`, and NumPy's functions of whole rows and matrices."""


def _cross(x, y, axisa, axisb, axisc, axis):
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = arrays_of(x, y)
    if x.ndim < 1 or y.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    x = moveaxis(x, _normal_axis(axisa, x.ndim, "axisa"), -1)
    y = moveaxis(y, _normal_axis(axisb, y.ndim, "axisb"), -1)
    if x.shape[-1] not in (2, 3) or y.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    x0, x1, y0, y1 = x[..., 0], x[..., 1], y[..., 0], y[..., 1]
    last = x0 * y1 - x1 * y0
    if x.shape[-1] == 2 and y.shape[-1] == 2:
        return last
    axisc = _normal_axis(axisc, last.ndim + 1, "axisc")
    x2 = x[..., 2] if x.shape[-1] == 3 else 0
    y2 = y[..., 2] if y.shape[-1] == 3 else 0
    return moveaxis(stack([x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, last], -1), -1, axisc)


def _by_axes(name, x, y, cores, axes, out, call):
    """Calls a function whose operands' own axes, as many as `cores` says, are last, where they are elsewhere."""
    if not isinstance(axes, (list, tuple)):
        raise TypeError("axes should be a list.")
    moved = []
    for at, (operand, n) in enumerate(zip(arrays_of(x, y), cores)):
        own = axes[at] if isinstance(axes[at], (list, tuple)) else (axes[at],)
        if len(own) != n:
            raise ValueError(f"{name}: operand {at} has {n} core dimensions, but {len(own)} are specified by axes item {at}.")
        moved.append(moveaxis(operand, own, range(-n, 0)))
    made = call(*moved)
    n = cores[2]
    if len(axes) == 3 and n > 0:
        own = axes[2] if isinstance(axes[2], (list, tuple)) else (axes[2],)
        made = moveaxis(made, range(-n, 0), own)
    elif len(axes) == 2 and n > 0:
        raise ValueError(f"axes should be a list with an entry for all 3 inputs and outputs; entries for outputs can only be omitted if none of them has core axes.")
    return _given(made, out)


_CORES = {
    "matmul": (3, "(n?,k),(k,m?)->(n?,m?)"), "matvec": (2, "(m,n),(n)->(m)"), "vecmat": (2, "(n),(n,m)->(m)"),
}


def _refuse_one_axis(name, axis, keepdims):
    if axis is not None:
        count, cores = _CORES[name]
        words = f"{name}: axis can only be used with a single shared core dimension, not with the {count} distinct ones"
        raise TypeError(f"{words} implied by signature {cores}.")
    if keepdims is not None:
        raise TypeError(f"{name} does not support keepdims: its signature requires that all inputs and outputs have the same core dimensions")


def _matmul(x, y, out, casting, order, dtype, subok, signature, axes, axis, keepdims):
    _refuse_one_axis("matmul", axis, keepdims)
    return _by_axes("matmul", x, y, (2, 2, 2), axes, out, lambda x, y: matmul(x, y, casting=casting, dtype=dtype))


def _matvec(x, y, out, casting, order, dtype, subok, signature, axes, axis, keepdims):
    _refuse_one_axis("matvec", axis, keepdims)
    return _by_axes("matvec", x, y, (2, 1, 1), axes, out, lambda x, y: matvec(x, y, casting=casting, dtype=dtype))


def _vecdot(x, y, out, casting, order, dtype, subok, signature, axes, axis, keepdims):
    if axes is not None:
        return _by_axes("vecdot", x, y, (1, 1, 0), axes, out, lambda x, y: vecdot(x, y, casting=casting, dtype=dtype))
    made = vecdot(x, y, casting=casting, dtype=dtype, axis=axis)
    return _given(expand_dims(made, axis) if keepdims else made, out)


def vecmat(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, signature=None, axes=None,
           axis=None, keepdims=None):
    """Vectors, conjugated, times matrices: the last axis of x1 is summed with the last but one of x2; stacks broadcast.

    `axes` says where the operands' own axes are: [(-1,), (-2, -1), (-1,)] unless it is given.

    >>> vecmat(array([1, 2]), array([[1, 2], [3, 4]]))
    """
    _refuse_one_axis("vecmat", axis, keepdims)
    x1, x2 = arrays_of(x1, x2)
    if axes is not None:
        return _by_axes("vecmat", x1, x2, (1, 2, 1), axes, out, lambda x, y: vecmat(x, y, casting=casting, dtype=dtype))
    for at, (x, least) in enumerate(((x1, 1), (x2, 2))):
        if x.ndim < least:
            words = f"vecmat: Input operand {at} does not have enough dimensions (has {x.ndim}, gufunc core with signature"
            raise ValueError(f"{words} (n),(n,m)->(m) requires {least})")
    if x1.shape[-1] != x2.shape[-2]:
        words = f"(size {x2.shape[-2]} is different from {x1.shape[-1]})"
        raise ValueError("vecmat: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                         f"{vecmat.signature} {words}")
    x1 = conj(x1) if iscomplexobj(x1) else x1
    made = matmul(x1[..., None, :], x2, casting=casting, dtype=dtype, signature=signature)[..., 0, :]
    return _given(made if order == "K" else copy(made, order=order), out)


vecmat.nin, vecmat.nout, vecmat.nargs = 2, 1, 3
vecmat.identity, vecmat.signature = None, "(n),(n,m)->(m)"
