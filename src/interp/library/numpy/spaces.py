"""Numbers in steps between arrays: `linspace` and its kin, for more than two numbers, and for complex ones."""


def _linspace(start, stop, num, endpoint, retstep, dtype, axis, device):
    num = _count(num)
    start, stop = _spread(_floats_on(device, start, stop, kind=dtype))
    kind = result_type(start, stop)
    parts = num - 1 if endpoint else num
    delta = stop - start
    steps = arange(num, device=device).astype(kind).reshape((num,) + (1,) * delta.ndim)
    step = delta / parts if parts > 0 else full_like(delta, nan)
    # Where a step is too small to be one, all are divided last.
    if parts > 0:
        made = steps / parts * delta if (step == 0).any() else steps * step
    else:
        made = steps * delta
    made = made + start
    if endpoint and num > 1:
        made = concatenate([made[:-1], stop[None]])
    made = _in_type(moveaxis(made, 0, axis), kind if dtype is None else dtype)
    return (made, step) if retstep else made


def _floats_on(device, *ends, kind=None):
    """The ends as arrays of floats, as wide as the result is to be. Python's numbers take the others' type."""
    beside = [] if kind is None or result_type(kind).kind in "biu" else [zeros(0, dtype=kind)]
    plain = [not is_tensor(end) and isinstance(end, (int, float, complex)) for end in ends]
    made = [asarray(end, device=device) for end in arrays_of(*ends, *beside)[:len(ends)]]
    if all(plain):
        return [x * 1.0 for x in made]
    common = result_type(*[x for x, is_plain in zip(made, plain) if not is_plain], *beside, 1.0)
    common = result_type(common, *[end for end, is_plain in zip(ends, plain) if is_plain])
    return [asarray(end, dtype=common, device=device) if is_plain else x.astype(common)
            for x, end, is_plain in zip(made, ends, plain)]


def _count(num):
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    return num


def _in_type(made, kind):
    return made.astype(kind) if zeros(0, dtype=kind).dtype.kind in "fcb" else floor(made).astype(kind)


def _logspace(start, stop, num, endpoint, base, dtype, axis, device):
    start, stop, base = _spread(_floats_on(device, start, stop, base))
    powers = _linspace(start, stop, num, endpoint, False, None, axis, device)
    made = expand_dims(base, axis) ** powers
    return made if dtype is None else made.astype(dtype)


def _geomspace(start, stop, num, endpoint, dtype, axis, device):
    # At least the default float's digits.
    ends = _floats_on(device, start, stop, kind=zeros(0).dtype)
    if any([(x == 0).any() for x in ends]):
        raise ValueError("Geometric sequence cannot include zero")
    start, stop = _spread([x.astype(result_type(x, zeros(0))) for x in ends])
    if dtype is not None and result_type(dtype).kind == "c":
        start, stop = start + 0j, stop + 0j
    signs = sign(start)
    if iscomplexobj(start) or iscomplexobj(stop):
        # Along a spiral, from the angle of the one to that of the other.
        powers = _linspace(log10(start / signs), log10(stop / signs), num, endpoint, False, None, 0, device)
        return _with_ends(10.0 ** powers * signs, start, stop, num, endpoint, dtype, axis)
    made = 10.0 ** _linspace(log10(start * signs), log10(stop * signs), num, endpoint, False, None, 0, device)
    # A start that is NaN makes NaN of all.
    return _with_ends(made * signs, start, stop * signs * signs, num, endpoint, dtype, axis)


def _with_ends(made, start, stop, num, endpoint, dtype, axis):
    """With the ends, which are exact, in their places."""
    if num > 0:
        last = [stop[None]] if endpoint and num > 1 else []
        made = concatenate([start[None], made[1:num - len(last)]] + last)
    made = moveaxis(made, 0, axis)
    return made if dtype is None else made.astype(dtype)
