"""Views of an array's memory in other shapes."""

from numpy import AxisError, asarray


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    """A view of x's memory under any shape; an element is as many bytes behind the first as strides say.

    ValueError where the view would reach beyond that memory. Without `writeable` it is read-only; with it,
    which of the values stays that several indices write to one element is not said.

    >>> lib.stride_tricks.as_strided(arange(5), (3, 3), (8, 8))
    """
    x = asarray(x)
    shape = x.shape if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    strides = x.strides if strides is None else (strides,) if isinstance(strides, int) else tuple(strides)
    if any([stride % x.itemsize != 0 for stride in strides]):
        raise ValueError(f"as_strided: strides are whole elements of {x.itemsize} bytes here")
    view = strided(x, shape, [stride // x.itemsize for stride in strides])
    return view if writeable else read_only(view)


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """The windows of a shape that slide over an array, as a view: the axes' places, then the windows' axes.

    An axis of length n has n - w + 1 places for a window of w; all axes slide if `axis` is None. The
    view is read-only unless `writeable` is true. ValueError for windows larger than the array.

    >>> lib.stride_tricks.sliding_window_view(arange(5), 3)
    """
    x = asarray(x)
    window = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    if any([length < 0 for length in window]):
        raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(window) != x.ndim:
            words = f"Since axis is None, must provide window_shape for all dimensions of `x`; got {len(window)} window_shape"
            raise ValueError(f"{words} elements and `x.ndim` is {x.ndim}.")
    else:
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
        for one in axes:
            if not -x.ndim <= one < x.ndim:
                raise AxisError(one, x.ndim, None)
        axes = tuple([one % x.ndim for one in axes])
        if len(window) != len(axes):
            words = f"Must provide matching length window_shape and axis; got {len(window)} window_shape elements"
            raise ValueError(f"{words} and {len(axes)} axes elements.")
    shape = list(x.shape)
    for one, length in zip(axes, window):
        if shape[one] < length:
            raise ValueError("window shape cannot be larger than input array shape")
        shape[one] -= length - 1
    steps = [stride // x.itemsize for stride in x.strides]
    view = strided(x, tuple(shape) + window, steps + [steps[one] for one in axes])
    return view if writeable else read_only(view)
