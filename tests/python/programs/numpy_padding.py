# Padding, and places by number.
pad = np.pad
a = np.arange(1, 7).reshape(2, 3)
f = a * 1.5
v = np.array([1, 5, 2, 8])
for m in (
    "linear_ramp",
    "maximum",
    "mean",
    "median",
    "minimum",
    "reflect",
    "symmetric",
    "edge",
    "wrap",
    "constant",
):
    for x in (a, f, v):
        for w in (1, (2, 1)):
            show(lambda: pad(x, w, m))
show(lambda: pad(v, (2, 3), "linear_ramp", end_values=(10, -4)))
show(lambda: pad(f, ((1, 2), (0, 1)), "linear_ramp", end_values=((1, 2), (3, 4))))
show(lambda: pad(v, 2, "mean", stat_length=2))
show(lambda: pad(f, 1, "maximum", stat_length=((1, 2), (2, 1))))
show(lambda: pad(v, (3, 5), "reflect", reflect_type="odd"))
show(lambda: pad(v, (3, 6), "symmetric", reflect_type="odd"))
show(lambda: pad(f, 2, "reflect", reflect_type="odd"))
show(lambda: pad(v, 1, "mean", foo=1))
show(lambda: pad(v, -1, "mean"))
show(lambda: pad(a, 1, constant_values=9))
show(lambda: pad(a, {1: (1, 2)}, "mean"))
show(lambda: pad(a, {-2: 1}))


def pw(vector, w, axis, kw):
    p = kw.get("padder", 10)
    vector[: w[0]] = p
    vector[-w[1] :] = p


show(lambda: pad(a, 2, pw))
show(lambda: pad(a, 2, pw, padder=7))
show(lambda: pad(np.zeros((0, 2)), 1, "mean"))
rmi = np.ravel_multi_index
ui = np.unravel_index
show(lambda: rmi(([3, 6, 6], [4, 5, 1]), (7, 6)))
show(lambda: rmi(([3, 6, 6], [4, 5, 1]), (7, 6), order="F"))
show(lambda: rmi(([3, 6, 6], [4, 5, 1]), (4, 6), mode="clip"))
show(lambda: rmi(([3, 6, 6], [4, 5, 1]), (4, 4), mode=("clip", "wrap")))
show(lambda: rmi((3, 1, 4, 1), (6, 7, 8, 9)))
show(lambda: rmi(([3, 6, 6], [4, 5, 1]), (4, 6)))
show(lambda: rmi(([1], [2], [3]), (4, 6)))
show(lambda: ui([22, 41, 37], (7, 6)))
show(lambda: ui([22, 41, 37], (7, 6), order="F"))
show(lambda: ui(1621, (6, 7, 8, 9)))
show(lambda: ui(99, (6, 7)))
show(lambda: ui([[1, 2], [3, 4]], (7, 6)))
ch = np.choose
show(lambda: ch([0, 1, 2, 1], [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]))
show(lambda: ch([0, 4, 2, 1], [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], mode="wrap"))
show(lambda: ch([0, 4, -2, 1], [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], mode="clip"))
show(lambda: ch([0, 4], [1, 2]))
show(lambda: ch([[0, 1], [1, 0]], [-10, 10.5]))
ed = np.ediff1d
show(lambda: ed([1, 2, 4, 7, 0]))
show(lambda: ed([1, 2, 4, 7, 0], to_begin=-99, to_end=[88, 99]))
show(lambda: ed([[1, 2], [4, 7]]))
show(lambda: ed([1, 2], to_end=0.5))
show(lambda: ed([]))
tr = np.trace
show(lambda: tr(a))
show(lambda: tr(a, 1))
show(lambda: tr(np.arange(8).reshape(2, 2, 2), dtype=float))
show(lambda: tr(np.arange(24).reshape(2, 3, 4), 0, 1, 2))
ix = np.indices
show(lambda: ix((2, 3), sparse=True))
show(lambda: ix((2,), sparse=True))
