# Floating numbers of eight bits, beside those of ml_dtypes.
import numpy as np
import ml_dtypes

np.seterr(all="ignore")
VALUES = [0.0, -0.0, 0.001, 0.0009765625, 0.3, -0.7, 1.0, 1.0625, 2.6, -17.0, 240.0, 447.0, 464.0, 465.0, 57344.0,
          61439.0, 61440.0, 1e9, -1e-9, np.inf, -np.inf, np.nan]


def plain(x):
    return x.astype(np.float64).tolist()


for kind in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
    x = np.array(VALUES, dtype=kind)
    print(x.itemsize, x.nbytes, plain(x))
    print(str(plain(np.array(VALUES, dtype=np.float32).astype(kind))) == str(plain(x)), (x[:4] @ x[:4]).dtype)
    every = np.arange(256, dtype=np.uint8).view(kind)
    print(plain(every))
    print(plain(every[np.isfinite(every.astype(np.float32))][::7].astype(np.float16).astype(kind)))
    finite = every[np.isfinite(every.astype(np.float32))]
    a, b = finite[3::17], finite[::-1][5::17]
    n = min(len(a), len(b))
    a, b = a[:n], b[:n]
    print(plain(a + b), plain(a - b), plain(a * b), plain(a / b))
    print(plain(-a), plain(abs(a)), plain(a * kind(0.3)), (a < b).tolist(), (a == a).tolist())
    print(plain(np.maximum(a, b)), plain(np.minimum(a, b)), plain(np.floor(a)), plain(np.sqrt(abs(a))))
    print(plain(np.exp(a)), plain(np.tanh(a)), plain(np.log(abs(a))), plain(np.rint(a)))
    towards = np.array([1.0], dtype=kind)
    print(plain(np.nextafter(finite, towards)), plain(np.nextafter(finite, np.array([-2.0], dtype=kind))))
    print(plain(np.sort(a)), np.argsort(b, kind="stable").tolist(), plain(a.max()), plain(b.min()), a.argmax())
    print(plain(np.where(a < b, a, b)), plain(a[a > kind(0)]), plain(a.reshape(-1, 1)[:3]), plain(np.concatenate([a, b])[::3]))
    print(finite.astype(np.int32).tolist(), np.arange(-20, 20).astype(kind).astype(np.int64).tolist())
    print((a + np.float32(1)).dtype, (a.astype(np.float16) + a.astype(np.float32)).dtype)
    a[1:3] = 2.6
    a[0] = -1e-9
    print(plain(a), plain(a[:6].reshape(2, 3).T @ b[:4].reshape(2, 2)), (a != a).tolist(), np.isnan(x).tolist())
print(ml_dtypes.finfo(ml_dtypes.float8_e4m3fn).bits, float(ml_dtypes.finfo(ml_dtypes.float8_e4m3fn).max))
print(float(ml_dtypes.finfo(ml_dtypes.float8_e5m2).eps), float(ml_dtypes.finfo(ml_dtypes.float8_e5m2).tiny))
