# Elements of arrays in loops: read, written, changed, compared.
import warnings

TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


def copied(kind):
    x = (np.arange(7) * 3 % 5).astype(kind)
    y = np.zeros(7, dtype=kind)
    for i in range(7):
        y[i] = x[-1 - i]
    return y


def summed(kind):
    x = (np.arange(6) * 3 % 5).astype(kind)
    s = x[0]
    for i in range(1, 6):
        s = s + x[i]
    return s, s.dtype


def changed(kind):
    x = (np.arange(6) * 3 % 5).astype(kind)
    for i in range(6):
        x[i] += x[i - 1]
    for i in range(0, 6, 2):
        x[i] *= 2
    return x


def counted(kind):
    x = (np.arange(9) * 4 % 5 - 2).astype(kind) if kind[0] != "u" else (np.arange(9) * 4 % 5).astype(kind)
    more = same = less = true = 0
    for i in range(9):
        if x[i] > 1:
            more += 1
        if x[i] == x[0]:
            same += 1
        if not x[i] >= 0.5:
            less += 1
        if x[i]:
            true += 1
    return more, same, less, true


for kind in TYPES:
    print(kind, copied(kind))
    print(*summed(kind))
    if kind != "bool":
        print(changed(kind))
    if kind[0] != "c":
        print(counted(kind))


# Python's numbers take the type of what they meet.
def mixed(kind):
    x = np.array([0.5, 1.5, -2.0, 3.25]).astype(kind)
    out = []
    for i in range(4):
        for r in (x[i] + 1, 2 - x[i], x[i] * 0.1, 1 / (x[i] + 8), x[i] + i, x[i] - x[i - 1]):
            out.append((r.dtype.name, float(r)))
    return out


for kind in ("float16", "float32", "float64"):
    print(mixed(kind))

# Scalars never change, whoever else has them.
x = np.array([1.0, 2.0, 3.0])
kept = []
s = x[0]
for i in range(3):
    t = s
    s += x[i]
    kept.append(x[i])
    kept.append(s)
    kept.append(t)
print([float(k) for k in kept])
first = x[0]
for i in range(3):
    x[0] = i
print(first, x[0])
held = [v for v in x]
for v in x:
    held.append(v)
print([float(v) for v in held], v)

# Arrays without axes do.
a = np.array(1.0)
b = a
for i in range(3):
    a += 1
print(a, b, a is b)

# What is written while a loop goes through it shows.
x = np.arange(5)
for i, v in enumerate(x):
    x[4 - i] = v * 10
print(x)
x = np.arange(5)
seen = []
for v in x:
    seen.append(int(v))
    x[:] = x + 1
print(seen, x)

# Views, reversed, strided, transposed, broadcast.
m = np.arange(12).reshape(3, 4)
t = m.T
total = 0
for i in range(4):
    for j in range(3):
        total += t[i, j] * (i + 1)
        t[i, -1 - j] -= j
print(total, m)
r = np.arange(10)[::-2]
for i in range(5):
    r[i] = r[i] + i
print(r, [int(v) for v in r])
wide = np.broadcast_to(np.array([1, 2, 3]), (2, 3))
print(sum(wide[i, j] for i in range(2) for j in range(3)))
print([int(v) for v in np.broadcast_to(7, (3,))])

# Large ones whose elements are asked for before anything else.
for n in (3, 1 << 14, (1 << 14) + 1, 100_000):
    big = np.arange(n) * 2.0
    print(big[1], big[-1], big[n // 2], sum(big[i] for i in range(3)))
    zero = np.zeros(n)
    print(zero[0] == 0, zero[-n], sum(1 for i in range(3) if zero[i] < 1))


# What does not go.
def refused(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)


def out_of_bounds(at):
    x = np.zeros(3)
    for i in range(at):
        x[i]


def written_beyond():
    x = np.zeros(3)
    for i in range(9):
        x[i] = i


def too_large():
    x = np.zeros(3, dtype=np.int8)
    for i in range(126, 130):
        x[0] = i
        print(x[0])


def read_only():
    x = np.arange(3.0)
    x.flags.writeable = False
    for i in range(3):
        print(x[i])
        x[i] = 1


def of_text():
    x = np.zeros(3)
    for v in (1, 2.5, True, np.float64(4.5), np.array(5.5)):
        x[0] = v
        print(x[0])


for f in (lambda: out_of_bounds(4), written_beyond, too_large, read_only, of_text):
    refused(f)
refused(lambda: np.zeros(3)[3])
refused(lambda: np.zeros((2, 2))[1, 2])
refused(lambda: np.zeros((2, 2))[1, 0, 0])

# Errors of floats and of integers that wrap.
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    np.seterr(all="warn")
    x = np.array([1e308, 1.0, 0.0, 1e-308])
    small = np.array([100, 1], dtype=np.int8)
    for i in range(3):
        x[0] * 10, x[1] / x[2], x[2] / x[2], x[3] * x[3], x[2] * x[3], 0.0 * x[1]
        small[0] + small[0], small[1] + small[1]
    np.seterr(under="ignore")
    print(sorted(str(w.message) for w in heard))
with np.errstate(all="raise"):
    for f in (lambda: x[0] * 10, lambda: x[1] / x[2], lambda: x[2] / x[2], lambda: x[3] * x[3], lambda: x[3] * x[2]):
        refused(f)

# NaN is in no order.
x = np.array([np.nan, 1.0, np.inf, -np.inf])
print([[bool(x[i] < x[j]) for j in range(4)] for i in range(4)])
print([("t" if x[i] != x[i] else "f") + ("t" if x[i] >= 1 else "f") for i in range(4)])
y = np.array([2**53, 2**53 + 1, -(2**63), 2**63 - 1])
print([int(y[i]) for i in range(4)], y[1] == 2**53, y[1] > 2**53, y[3] == 2**63 - 1)
z = np.array([16777216.0, 0.1], dtype=np.float32)
print(z[0] == 16777217, z[1] == 0.1, z[1] > 0.1, z[1] < 0.1, z[0] < 1e300)


# A scalar that one element of integers with a sign cannot take; elsewhere it is cut.
def one(kind, value):
    x = np.zeros(3, dtype=kind)
    x[1] = value
    print(x)


def added(kind, value):
    x = np.ones(3, dtype=kind)
    x[-1] *= value
    print(x)


for kind in ("int8", "int16", "int32", "int64"):
    for value in (np.float64(100.7), np.float64(-1e5), np.float32("nan"), np.float64("inf"), np.int64(300), np.uint64(2**63), np.int8(-1)):
        refused(lambda: one(kind, value))
for kind in ("int8", "int32"):
    for value in (2.5, 1e3, 1e30):
        refused(lambda: added(kind, value))


# Rows are views, of which each name has its own.
m = np.arange(12).reshape(4, 3)
rows = []
before = None
for row in m:
    rows.append(row)
    if before is not None:
        before[0] += 100
    before = row
print(m, [r.tolist() for r in rows])
for row in m:
    row += 1
    last = row[1:]
print(m, row, last)
for i in range(4):
    row = m[i]
    half = row[::2]
    row[0] = i
    half *= 2
print(m, row, half)


def turned(m):
    out = []
    for row in m.T:
        other = row
        out.append(int(row.sum()) + int(other[0]))
        row[-1] = 7
    return out, row.base is not None, row.strides == m.T[0].strides


print(turned(m), m)
cube = np.arange(24).reshape(2, 3, 4)
for plane in cube:
    for row in plane:
        for v in row:
            row[0] += v
print(cube)
fixed = np.arange(6).reshape(3, 2)
for row in fixed:
    row[0] = 9
    fixed.flags.writeable = False
    break
for row in fixed:
    refused(lambda: row.fill(1))
    fixed.flags.writeable = True
print(fixed, [r.flags.writeable for r in fixed])
for n in (2, 1 << 14, 1 << 16):
    lazy = np.ones((n, 2)) * 3
    for row in lazy:
        row[1] = 5
    print(lazy[0], lazy[-1], lazy.sum())
refused(lambda: m[4])
refused(lambda: m[-5])
print([r.shape for r in np.zeros((3, 0))], [r for r in np.zeros((0, 3))])

# A scalar has no axes.
s = np.float64(1.5)
for f in (lambda: s[0], lambda: s[0:1], lambda: s[()], lambda: s[...], lambda: s[None], lambda: s[0, 0], lambda: s[np.array([0])],
          lambda: s[True], lambda: s[[0]], lambda: s[None, 0], lambda: np.array(1.5)[0], lambda: x.sum()[0]):
    refused(lambda: print(f()))
