# Methods of elementwise functions.
a = np.arange(1, 13).reshape(3, 4)
f = a / 3
for u in (
    np.add,
    np.multiply,
    np.maximum,
    np.subtract,
    np.logaddexp,
    np.hypot,
    np.fmax,
    np.divide,
    np.logical_and,
    
):
    for x in (a, f):
        for ind in ([0, 2], [0, 3, 1], [3], [1, 1, 2]):
            show(lambda: u.reduceat(x, ind, axis=1))
        show(lambda: u.reduceat(x, [0, 1, 2]))
        show(lambda: u.reduce(x))
        show(lambda: u.reduce(x, axis=None))
        show(lambda: u.reduce(x, axis=(0, 1)))
        show(lambda: u.accumulate(x, axis=1))
        show(lambda: u.outer(x[0], x[1]))
show(lambda: np.add.reduceat(a, [5]))
show(lambda: np.add.reduceat(a, [0, 1], axis=2))
show(lambda: np.sin.reduceat(a, [0]))
show(lambda: np.fmax.reduce(f, axis=1, keepdims=True))
show(lambda: np.logaddexp.reduce(np.zeros((0, 2))))
show(lambda: np.fmax.reduce(np.zeros((0, 2))))
show(lambda: np.hypot.reduce(f, initial=10))
show(lambda: np.logical_or.reduce(a > 11, axis=1, where=[True, True, True, False]))
b = np.arange(6.0).reshape(2, 3)
np.power.at(b, (0, [1, 1, 2]), 2)
show(lambda: b)
b = np.arange(6)
np.negative.at(b, [1, 1, 2])
show(lambda: b)
np.floor_divide.at(b, [5, 5], 2)
show(lambda: b)
show(lambda: np.power.at(b, [0, 1]))
show(lambda: np.hypot.nin)
show(lambda: np.sin.nin)
# Steps that wait for each other, over types, sections and places that come often.
steps = (np.arange(600) % 23 - 11).reshape(20, 30)
for name in ["subtract", "floor_divide", "remainder", "fmod", "left_shift", "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or", "logical_xor", "fmax", "fmin"]:
    u = getattr(np, name)
    for kind in (np.int8, np.int64, np.float32, np.float64):
        m = (steps % 7 + 1 if name in ("floor_divide", "remainder", "fmod") else steps).astype(kind)
        for x in (m, m.T, m[::-1, ::2]):
            show(lambda: u.reduce(x, axis=0)[:4])
            show(lambda: u.reduce(x, axis=1, keepdims=True)[:2])
            show(lambda: u.accumulate(x, axis=1)[3, :5])
            show(lambda: u.reduceat(x, [3, 9, 9, 4, 0, 7], axis=0)[:, 2])
            show(lambda: u.reduceat(x[0], np.arange(0, x.shape[1], 2)))
        often = m[0].copy()
        show(lambda: (u.at(often, [0, 2, 0, 0, -1, 2], np.array([3, 1, 2, 5, 1, 4], dtype=kind)), often[[0, 1, 2, -1]])[1])
wide = np.arange(5)
np.subtract.at(wide, [0, 1, 1], np.array([1, 2, 250], "u1"))
print(wide)
for kind in ("u1", "u4", "u8", "i2", "?"):
    b = np.array([1, 3, 5]).astype(kind)
    show(lambda: np.bitwise_and.reduce(b[:0]))
    show(lambda: np.bitwise_and.reduce(b, where=b > 1))
for name in ("logical_and", "logical_or", "logical_xor", "divide", "hypot", "logaddexp"):
    show(lambda: getattr(np, name).reduce(np.arange(3), dtype=np.int64))
    show(lambda: getattr(np, name).reduceat(np.arange(3), [0], dtype=np.uint8))
show(lambda: np.lcm.reduce(np.ones((2, 2), int), axis=None))
for x in (np.array([4.0, 9.0, 16.0]), np.array([2.0, 3.0])):
    np.sqrt.at(x, [0, 1, 0, 1, 0])
    np.negative.at(x, [1, 1, 1])
    print(x)
one = np.array(7)
np.subtract.at(one, ..., 2)
print(one)
np.bitwise_or.at(wide, [], 1)
show(lambda: np.bitwise_or.at(np.ones(2), [0][:0], 1.0))
print(np.subtract.reduce(np.arange(70000) % 5), np.subtract.accumulate(np.arange(70000) % 5)[-3:])
print(np.maximum.reduceat(np.arange(70000) * 7919 % 10007, np.arange(0, 70000, 9000)), np.add.reduceat(np.arange(70000), np.arange(0, 70000, 500))[-4:])
# What has an identity begins with it, also over no axes.
for name in ("gcd", "hypot", "lcm", "subtract", "bitwise_or", "logical_xor", "fmax", "divide", "logaddexp"):
    u = getattr(np, name)
    for axis in (0, None, -1, ()):
        show(lambda: u.reduce(np.array(-3), axis=axis))
    show(lambda: u.reduce(np.array(-3), keepdims=True))
    show(lambda: u.reduce(np.array([-3, -5]), axis=()))
