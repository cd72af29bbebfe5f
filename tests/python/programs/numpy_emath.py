# np.emath: functions that go on into the complex plane.
E = np.emath


def say(f):
    try:
        r = np.asarray(f())
    except Exception as e:
        print(type(e).__name__, e)
        return
    print(r.dtype, np.round(r.astype(complex), 6).tolist())


for name in ["sqrt", "log", "log2", "log10"]:
    f = getattr(E, name)
    for x in [-4.0, 4.0, [1.0, -8.0], [1, 8], np.array([-9], "i1"), np.array([-9.0], "f4"), np.array([-9], "i4"), np.array([[2.0, -2.0]]), np.array([], "f8"), 1j, np.array(-1.0)]:
        say(lambda: f(x))
for name in ["arccos", "arcsin", "arctanh"]:
    f = getattr(E, name)
    for x in [0.5, 2.0, [-2.0, 0.25], np.array([0.5, -3.0], "f4"), 0.5 + 0.5j, np.array([], "f4")]:
        say(lambda: f(x))
for x, p in [(2, 3), (-2, 0.5), ([2, 4], 2), ([2, 4], -2), ([-2, 4], 2), (2.0, -1), ([-8.0], 1 / 3), (2, [1, -1]), (1j, 2)]:
    say(lambda: E.power(x, p))
for n, x in [(2, [4.0, -4.0]), (2, 8.0), (-2, 4.0), (10, [1, 100])]:
    say(lambda: E.logn(n, x))
print(np.lib.scimath.sqrt(-1.0) == E.sqrt(-1.0))
