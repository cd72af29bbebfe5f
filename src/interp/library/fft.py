"""Fourier transforms of any length along any axes, by NumPy's names, and PyTorch's with `dim=`.

Lines are transformed by the device that has them: on the CPU by rustfft, on NVIDIA GPUs by cuFFT. float32
gives complex64. `norm` says which direction is divided by n: "backward", "forward", or "ortho" for both by
its square root.
"""

def _no_norm(norm, comma):
    return ValueError(f'Invalid norm value {norm}; should be "backward",{comma}"ortho" or "forward".')


def _turned(norm):
    try:
        return {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}[norm]
    except KeyError:
        raise _no_norm(norm, " ") from None


def _numbers(a):
    if a.dtype.kind not in "fc":
        return a * 1.0
    return a.astype("float32") if a.itemsize < 4 else a


def _fitted(a, n, axis):
    m = a.shape[axis]
    first = (slice(None),) * axis + (slice(min(m, n)),)
    if m >= n:
        return a[first]
    padded = zeros(a.shape[:axis] + (n,) + a.shape[axis + 1 :], dtype=a.dtype, device=a.device)
    padded[first] = a
    return padded


def _given(result, out, axis):
    if out is None:
        return result
    if out.ndim != result.ndim or out.shape[axis] != result.shape[axis]:
        raise ValueError("output array has wrong shape.")
    copyto(out, result)
    return out


def _transformed(kind, a, n, axis, norm, out, dim):
    a = asarray(a)
    axis = axis if dim is None else dim
    halves = kind == "irfft"
    if n is None:
        n = (a.shape[axis] - 1) * 2 if halves else a.shape[axis]
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    if kind in ("ifft", "irfft"):
        norm = _turned(norm)
    if norm not in (None, "backward", "ortho", "forward"):
        raise _no_norm(norm, "")
    scale = {"ortho": n**-0.5, "forward": 1 / n}.get(norm, 1.0)
    flip(a, axis)  # NumPy's AxisError where there is no such axis.
    axis = axis % a.ndim
    low = a.dtype if halves and a.itemsize < 4 and a.dtype.kind == "f" else None
    a = _numbers(a)
    if kind != "rfft":
        a = a.astype(result_type(a.dtype, 1j), copy=False)
    elif a.dtype.kind == "c":
        raise TypeError("rfft transforms real numbers, and these are complex: `fft` takes them, `x.real` has their real parts")
    a = _fitted(a, n // 2 + 1 if halves else n, axis)
    if halves and a.device.type != "cpu":
        # What no real line has there; cuFFT would look at it.
        a = a.copy()
        for at in {0, n // 2} if n % 2 == 0 else {0}:
            a.imag[(slice(None),) * axis + (at,)] = 0
    result = fourier_of(kind, a, axis, n, scale)
    return _given(result if low is None else result.astype(low), out, axis)


def fft(a, n=None, axis=-1, norm=None, out=None, *, dim=None):
    """The Fourier transform along an axis, of its first `n` elements, or with zeros behind them.

    >>> fft.fft([1.0, 0, 0, 0])
    """
    return _transformed("fft", a, n, axis, norm, out, dim)


def ifft(a, n=None, axis=-1, norm=None, out=None, *, dim=None):
    """What `fft` makes this of: the transform with the other sign, divided by n.

    >>> fft.ifft([4.0, 0, 0, 0]).real
    """
    return _transformed("ifft", a, n, axis, norm, out, dim)


def rfft(a, n=None, axis=-1, norm=None, out=None, *, dim=None):
    """The first n // 2 + 1 elements of the transform of real numbers; the others are conjugate to them.

    >>> fft.rfft([1.0, 2, 3, 4])
    """
    return _transformed("rfft", a, n, axis, norm, out, dim)


def irfft(a, n=None, axis=-1, norm=None, out=None, *, dim=None):
    """The n real numbers that `rfft` makes this of; n is even unless given.

    >>> fft.irfft([10.0, -2 + 2j, -2])
    """
    return _transformed("irfft", a, n, axis, norm, out, dim)


def hfft(a, n=None, axis=-1, norm=None, out=None, *, dim=None):
    """The real transform of a line whose second half is conjugate to its first, which alone is given.

    >>> fft.hfft([15.0, -4, 0, -1, 0])
    """
    return irfft(conjugate(asarray(a)), n, axis, _turned(norm), out, dim=dim)


def ihfft(a, n=None, axis=-1, norm=None, out=None, *, dim=None):
    """The first half of a line that `hfft` makes this of.

    >>> fft.ihfft([15.0, -4, 0, -1, 0, -4])
    """
    axis = axis if dim is None else dim
    result = conjugate(rfft(a, n, axis, _turned(norm)))
    return _given(result, out, axis)


def _lengths(a, s, axes, dim, halves=False):
    axes = axes if dim is None else dim
    if isinstance(axes, int):
        axes = (axes,)
    whole = s is None
    if whole:
        s = list(a.shape) if axes is None else take(list(a.shape), list(axes)).tolist()
    s = [s] if isinstance(s, int) else list(s)
    axes = list(range(-len(s), 0)) if axes is None else list(axes)
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    if halves and whole:
        s[-1] = (a.shape[axes[-1]] - 1) * 2
    return [a.shape[axis] if n == -1 else n for n, axis in zip(s, axes)], axes


def _along_all(function, a, s, axes, norm, out, dim):
    a = asarray(a)
    s, axes = _lengths(a, s, axes, dim)
    for n, axis in reversed(list(zip(s, axes))):
        a = function(a, n, axis, norm)
    return _given_all(a, out)


def _given_all(result, out):
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError("output array has wrong shape.")
    copyto(out, result)
    return out


def fftn(a, s=None, axes=None, norm=None, out=None, *, dim=None):
    """The Fourier transform along several axes, or all; `s` has a length for each.

    >>> fft.fftn(ones((2, 2)))
    """
    return _along_all(fft, a, s, axes, norm, out, dim)


def ifftn(a, s=None, axes=None, norm=None, out=None, *, dim=None):
    """What `fftn` makes this of.

    >>> fft.ifftn(ones((2, 2))).real
    """
    return _along_all(ifft, a, s, axes, norm, out, dim)


def rfftn(a, s=None, axes=None, norm=None, out=None, *, dim=None):
    """The transform of real numbers along several axes, half of it along the last one.

    >>> fft.rfftn(ones((2, 2)))
    """
    a = asarray(a)
    s, axes = _lengths(a, s, axes, dim)
    a = rfft(a, s[-1], axes[-1], norm)
    for n, axis in reversed(list(zip(s[:-1], axes[:-1]))):
        a = fft(a, n, axis, norm)
    return _given_all(a, out)


def irfftn(a, s=None, axes=None, norm=None, out=None, *, dim=None):
    """The real numbers that `rfftn` makes this of.

    >>> fft.irfftn(fft.rfftn(ones((2, 2))))
    """
    a = asarray(a)
    s, axes = _lengths(a, s, axes, dim, halves=True)
    for n, axis in zip(s[:-1], axes[:-1]):
        a = ifft(a, n, axis, norm)
    return _given_all(irfft(a, s[-1], axes[-1], norm), out)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None, *, dim=None):
    """The Fourier transform along two axes, the last ones.

    >>> fft.fft2(eye(2)).real
    """
    return fftn(a, s, axes, norm, out, dim=dim)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None, *, dim=None):
    """What `fft2` makes this of.

    >>> fft.ifft2(eye(2)).real
    """
    return ifftn(a, s, axes, norm, out, dim=dim)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None, *, dim=None):
    """The transform of real numbers along two axes, half of it along the last one.

    >>> fft.rfft2(eye(2)).real
    """
    return rfftn(a, s, axes, norm, out, dim=dim)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None, *, dim=None):
    """The real numbers that `rfft2` makes this of.

    >>> fft.irfft2(fft.rfft2(eye(2)))
    """
    return irfftn(a, s, axes, norm, out, dim=dim)


def _whole(n):
    if isinstance(n, int) or hasattr(n, "dtype") and n.ndim == 0 and n.dtype.kind in "iu":
        return int(n)
    raise ValueError("n should be an integer")


def fftfreq(n, d=1.0, device=None, *, dtype=None):
    """The frequencies that the elements of a transform of length `n` stand for; `d` is the time between samples.

    >>> fft.fftfreq(4)
    """
    n = _whole(n)
    if n < 0:
        raise ValueError("negative dimensions are not allowed")
    first = arange(0, (n - 1) // 2 + 1, device=device)
    frequencies = concatenate([first, arange(-(n // 2), 0, device=device)]) * (1.0 / (n * d))
    return frequencies if dtype is None else frequencies.astype(dtype)


def rfftfreq(n, d=1.0, device=None, *, dtype=None):
    """The same for the half that `rfft` gives.

    >>> fft.rfftfreq(4)
    """
    n = _whole(n)
    frequencies = arange(0, n // 2 + 1, device=device) * (1.0 / (n * d))
    return frequencies if dtype is None else frequencies.astype(dtype)


def _shifted(x, axes, dim, sign):
    x = asarray(x)
    axes = axes if dim is None else dim
    if axes is None:
        axes = tuple(range(x.ndim))
    if isinstance(axes, int):
        return roll(x, sign * (x.shape[axes] // 2), axes)
    return roll(x, tuple(sign * (x.shape[axis] // 2) for axis in axes), tuple(axes))


def fftshift(x, axes=None, *, dim=None):
    """The frequency zero in the middle.

    >>> fft.fftshift(fft.fftfreq(5))
    """
    return _shifted(x, axes, dim, 1)


def ifftshift(x, axes=None, *, dim=None):
    """What `fftshift` makes this of.

    >>> fft.ifftshift([-2, -1, 0, 1, 2])
    """
    return _shifted(x, axes, dim, -1)
