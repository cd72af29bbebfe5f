# Who may write to an array, and what is assigned to its attributes.
a = np.arange(4)
b, v = a, a[1:]
a.flags.writeable = False
show(lambda: [b.flags["WRITEABLE"], v.flags["W"], a[::2].flags.writeable])


def write(x):
    x[0] = 7


show(lambda: write(b))
show(lambda: write(a[1:]))
show(lambda: np.add(1, 1, out=a))
show(lambda: a.fill(1))
write(v)
print(a)
a.setflags(write=True)
write(b)
print(a)
c = np.arange(6).reshape(2, 3)
show(lambda: write(c.diagonal()))
d = np.diagonal(c)
d.flags.writeable = True
write(d)
print(c)
w = np.lib.stride_tricks.sliding_window_view(np.arange(6), 3)
show(lambda: write(w))
q = np.arange(6)
np.lib.stride_tricks.sliding_window_view(q, 3, writeable=True)[0, 1] = 10
print(q)
show(lambda: write(np.lib.stride_tricks.as_strided(q, (2, 2), (8, 8), writeable=False)))
a.flags["WRITEABLE"] = False
show(lambda: write(a))
show(lambda: a.setflags(uic=True))
show(lambda: a.flags["x"])
print(np.ones((2, 3), order="F").flags)
c.flat = 3
print(c)
c.flat = [1, 2]
print(c)
t = c.T
t.flat[1] = 9
t.flat[[0, 5]] = [7, 8]
t.flat[2:4] = 0
print(c, t.flat[1:3], len(t.flat), [int(x) for x in t.flat])
f = c.flat
next(f)
print(f.coords, f.index, np.asarray(f), f.base is c, (f == 9).tolist())
s = np.array([1.5, np.nan, np.inf, -2.25])
np.set_printoptions(sign="+", nanstr="NA", infstr="INF")
print(s, np.array([1, -2]))
np.set_printoptions(sign="-", floatmode="fixed", precision=3)
print(s, np.array([1e10, 1.0]))
np.set_printoptions(floatmode="maxprec_equal", nanstr="nan", infstr="inf")
print(s, np.array([0.1, 0.25]))
np.set_printoptions(floatmode="unique")
print(np.array([0.1, 0.123456789012]), sorted(np.get_printoptions().items(), key=lambda item: item[0])[1])
np.set_printoptions(sign=" ", floatmode="maxprec", precision=8)
print(np.array([1.0, 2.5]), np.array([-1.0, 2.5]), np.array([1, 2]))
np.set_printoptions(sign="-")
show(lambda: np.set_printoptions(floatmode="x"))
print(np.array2string(np.array([1.0, 2.25]), floatmode="fixed", precision=3))
