# The same bytes as elements of another type.
x = np.arange(8, dtype=np.uint8)
for d in (np.int8, np.uint16, np.int16, np.float16, np.uint32, np.float32, np.int64, np.float64, np.complex64):
    show(lambda: x.view(d))
    show(lambda: x.view(d).dtype)
for a in (np.arange(4, dtype=np.int16), np.array([1.0, -2.0]), np.array([1.0, 2.0], dtype=np.float32), np.array([1 + 2j, 3j])):
    for d in (np.int8, np.uint16, np.int32, np.int64, np.float32, np.complex64):
        show(lambda: a.view(d))
show(lambda: x[:6].view(np.uint32))
show(lambda: x.reshape(2, 4).view(np.uint16))
show(lambda: x.reshape(2, 4).view(np.uint32).shape)
show(lambda: x.reshape(4, 2).T.view(np.int8))
show(lambda: x[::-1].view(np.int8))
show(lambda: np.array(1.0).view(np.int64))
show(lambda: np.array(1.0).view(np.int32))
show(lambda: np.array([True, False]).view(np.uint8))
show(lambda: np.array([1, 0], dtype=np.uint8).view(bool))
show(lambda: np.array([1, 0], dtype=np.int32).view(bool))
show(lambda: np.zeros((2, 0)).view(np.int32).shape)
show(lambda: np.zeros((0, 2)).view(np.int32).shape)
# What one writes, the other shows.
f = np.zeros(3, dtype=np.float32)
i = f.view(np.int32)
i[1] = 1065353216
print(f, i)
f[2] = -2.0
print(f, i)
f *= 2
print(f, i, np.shares_memory(f, i), np.shares_memory(f[:1], i[1:]))
b = f.view(np.uint8)
b[3] = 64
print(f, b.shape, np.shares_memory(b[:4], f[0]), np.shares_memory(b[:4], f[1:]))
f[:] = f.view(np.int32)[::-1]
print(f)
i += i[::-1].copy()
print(f)
k = i.view(np.float32)
k[0] = 1.5
print(f[0], i.view(np.float32)[0], np.may_share_memory(k, b))
z = np.array([1 + 2j, 3 - 4j])
z.view(np.float64)[1] = 7
w = z.view(np.int64)
w[0] = 0
print(z, np.shares_memory(z, w), np.shares_memory(z.real, z.imag), np.may_share_memory(z.real, z.imag))
r = np.arange(4, dtype=np.int32)
r.flags.writeable = False
show(lambda: r.view(np.float32).flags.writeable)
s = np.arange(16, dtype=np.int16).reshape(4, 4)
t = s[1:, :2].view(np.int32)
print(t)
t[0, 0] = 0
print(s)
print(s[1:, :2].view(np.int8).sum(), s.T.view(np.uint16).sum())
# A trick of old: the inverse square root.
y = np.array([4.0, 2.0], dtype=np.float32)
n = 0x5F3759DF - (y.view(np.int32) >> 1)
print(np.round(n.view(np.float32), 3))
