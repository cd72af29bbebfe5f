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
