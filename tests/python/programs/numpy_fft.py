# np.fft beside its definition for many lengths, types, axes, norms and paddings; results that are exact; errors.
import numpy as np
if hasattr(np, "set_default_dtype"): np.set_default_dtype(np.float64)
def t(f):
    try: print(repr(f()))
    except BaseException as e: print(type(e).__name__, e)
def line(n, seed=0):
    k = np.arange(n)
    return np.sin(k * 1.7 + seed) + 1j * np.cos(k * k * 0.3 + seed)
def definition(x, sign):
    n = x.shape[0]
    k = np.arange(n)
    return np.exp(sign * 2j * np.pi * (np.outer(k, k) % n) / n) @ x
def off(a, b):
    return float(np.abs(a - b).max() / max(1e-30, float(np.abs(b).max())))
def bound(dtype, n):
    return (3e-7 if dtype in ("float32", "complex64") else 5e-16) * (2 + np.log2(n)) * 3
worst = 0
for n in list(range(1, 71)) + [97, 128, 251]:
    x = line(n)
    for dtype in ("complex128", "complex64"):
        z = x.astype(dtype)
        whole = definition(z.astype("complex128"), -1)
        ok = [
            off(np.fft.fft(z), whole) < bound(dtype, n),
            off(np.fft.ifft(z) * n, definition(z.astype("complex128"), 1)) < bound(dtype, n),
            off(np.fft.ifft(np.fft.fft(z)), z) < bound(dtype, n),
            off(np.fft.rfft(z.real), definition(z.real.astype("complex128"), -1)[: n // 2 + 1]) < bound(dtype, n),
            off(np.fft.irfft(np.fft.rfft(z.real), n), z.real) < bound(dtype, n),
            off(np.fft.ihfft(np.fft.hfft(z[: n // 2 + 1], n)).imag[:1], np.zeros(1)) < 1,
        ]
        if not all(ok): print(n, dtype, [bool(o) for o in ok])
for shape in ((4, 6), (3, 5, 7), (2, 9, 20), (1, 8), (8, 1), (33, 3, 2)):
    x = line(int(np.prod(shape))).reshape(shape)
    for axis in range(-len(shape), len(shape)):
        moved = np.moveaxis(np.fft.fft(x, axis=axis), axis, -1)
        want = np.fft.fft(np.ascontiguousarray(np.moveaxis(x, axis, -1)))
        real = np.moveaxis(np.fft.rfft(x.real, axis=axis), axis, -1)
        back = np.fft.irfft(np.fft.rfft(x.real, axis=axis), shape[axis], axis)
        print(shape, axis, moved.shape, off(moved, want) < 1e-14, off(real, np.fft.rfft(np.ascontiguousarray(np.moveaxis(x.real, axis, -1)))) < 1e-14, off(back, x.real) < 1e-14)
    print(shape, off(np.fft.ifftn(np.fft.fftn(x)), x) < 1e-14, off(np.fft.irfftn(np.fft.rfftn(x.real), shape), x.real) < 1e-14, off(np.fft.fft2(x), np.fft.fft(np.fft.fft(x), axis=-2)) < 1e-14, np.fft.rfftn(x.real).shape, np.fft.irfftn(x).shape if shape[-1] > 1 else 1, np.fft.fftn(x, axes=(0,)).shape)
x = line(12).reshape(3, 4)
for z in (x[::-1], x[:, ::2], x.T, x[1:, 1:], x.real, x.imag, x[0], np.broadcast_to(x[0], (5, 4)), x[:, ::-3]):
    print(z.shape, off(np.fft.fft(z), np.fft.fft(z.copy())) == 0, off(np.fft.ifft(z, axis=0), np.fft.ifft(z.copy(), axis=0)) == 0)
for n in (1, 2, 3, 5, 8, 20):
    for norm in (None, "backward", "ortho", "forward"):
        a = np.fft.fft(x, n, norm=norm)
        b = np.fft.ifft(a, norm=norm)
        kept = min(n, 4)
        print(n, norm, a.shape, off(b[:, :kept], x[:, :kept]) < 1e-14, np.fft.rfft(x.real, n, norm=norm).shape, np.fft.irfft(x, n, norm=norm).shape, np.fft.hfft(x, n, norm=norm).shape, np.fft.ihfft(x.real, n, norm=norm).shape)
for dtype in ("bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64", "complex128"):
    a = np.ones(4).astype(dtype)
    print(dtype, [f(a).dtype for f in (np.fft.fft, np.fft.ifft, np.fft.irfft, np.fft.hfft, np.fft.fftn, np.fft.ifftn)], [f(a).dtype for f in (np.fft.rfft, np.fft.ihfft)] if "complex" not in dtype else "")
for values in ([1.0, 2, 3, 4], [1.0, 0, 0, 0], [5.0], [1.0, 1], [0.0, 1, 0, 0]):
    for f in (np.fft.fft, np.fft.rfft, np.fft.hfft):
        if f is not np.fft.hfft or len(values) > 1: t(lambda: (f(np.array(values)) + 0).round(12) + 0.0)
t(lambda: np.fft.fft(np.zeros((0, 4))))
t(lambda: np.fft.fft(np.zeros((4, 0))))
t(lambda: np.fft.fft(np.zeros((4, 0)), 2))
t(lambda: np.fft.rfft(np.zeros((2, 0, 3)), axis=0))
t(lambda: np.fft.fft(5.0))
t(lambda: np.fft.fftn(np.array(5.0)).shape)
t(lambda: np.fft.fft([]))
t(lambda: np.fft.irfft([]))
t(lambda: np.fft.irfft([1.0]))
t(lambda: np.fft.fft([1.0, 2], 0))
t(lambda: np.fft.fft([1.0, 2], -1))
t(lambda: np.fft.fft([1.0, 2], axis=1))
t(lambda: np.fft.fft([1.0, 2], 2, axis=1))
t(lambda: np.fft.fft([1.0, 2], norm="orthogonal"))
t(lambda: np.fft.ifft([1.0, 2], norm="orthogonal"))
t(lambda: np.fft.hfft([1.0, 2], norm="x"))
t(lambda: np.fft.fftn(np.ones((2, 2)), s=(2,), axes=(0, 1)))
t(lambda: np.fft.fft2([1.0, 2]))
t(lambda: np.fft.fftn(np.ones((2, 3)), s=(-1, 2), axes=(0, 1)).shape)
t(lambda: np.fft.irfftn(np.ones((3, 3))).shape)
t(lambda: np.fft.irfftn(np.ones((3, 3)), axes=(0,)).shape)
t(lambda: np.fft.rfft2(np.ones((3, 5)), s=(4, 4)).shape)
t(lambda: np.fft.irfft2(np.ones((3, 5)), s=(4, 7)).shape)
t(lambda: np.fft.ifft2(np.ones((3, 5)), axes=(0, 1)).shape)
t(lambda: np.fft.fftn(np.ones((3, 5)), axes=(0, 0)).shape)
out = np.zeros(4, dtype=complex)
t(lambda: np.fft.fft([1.0, 0, 0, 0], out=out) is out)
print(out)
t(lambda: np.fft.fft([1.0, 0, 0], out=out))
t(lambda: np.fft.ifft([4.0, 0, 0, 0], out=out).real)
real = np.zeros(4)
t(lambda: np.fft.irfft([4.0, 0, 0], out=real) is real)
print(real)
for n in (1, 2, 5, 8):
    t(lambda: np.fft.fftfreq(n))
    t(lambda: np.fft.rfftfreq(n, 0.5))
    t(lambda: np.fft.fftshift(np.fft.fftfreq(n, 2)))
    t(lambda: np.fft.ifftshift(np.fft.fftshift(np.arange(n))))
t(lambda: np.fft.fftfreq(2.5))
t(lambda: np.fft.rfftfreq("a"))
t(lambda: np.fft.fftshift(np.arange(9).reshape(3, 3)))
t(lambda: np.fft.fftshift(np.arange(9).reshape(3, 3), axes=1))
t(lambda: np.fft.ifftshift(np.arange(12).reshape(3, 4), axes=(0, 1)))
for n in (1 << 17, 3 << 16, 131 * 1009, 1 << 18):
    k = np.arange(n)
    x = np.exp(2j * np.pi * (k * 5 % n) / n)
    a = np.fft.fft(x)
    peak = np.abs(a)
    noise = peak.copy()
    noise[5] = 0
    print(n, int(peak.argmax()), off(a[5:6], np.array([n + 0j])) < 1e-14, float(noise.max()) < 1e-9 * n ** 0.5, off(np.fft.ifft(a), x) < 1e-14, off(np.fft.irfft(np.fft.rfft(x.real), n), x.real) < 1e-14)
spikes = np.zeros(1 << 17, dtype=np.complex64)
spikes[3] = 1
a = np.fft.fft(spikes)
k = np.arange(1 << 17)
print(a.dtype, float(np.abs(a - np.exp(-2j * np.pi * (3 * k % (1 << 17)) / (1 << 17))).max()) < 1e-5)
