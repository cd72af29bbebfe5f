# Arrays that are still to be computed, stacked: in one pass where nothing of them is folded first.
def chain(x, n, a):
    for k in range(n):
        x = x * a + k % 3
    return x
x = np.arange(12.).reshape(3, 4)
i = np.array([0, 2, 1])
for axis in [0, 1, 2, -1]:
    for n in [1, 3, 40, 90, 200]:
        for parts in [2, 3, 4, 5]:
            r = np.stack([chain(x, n, 0.5 + k / 8) for k in range(parts)], axis)
            print(axis, n, parts, r.shape, np.round(r.sum(), 6), np.round((r.ravel() * np.arange(r.size)).sum(), 5))
print(np.stack([x + 1, x.sum(0) * x, x - x.mean(1, keepdims=True)], -1).tolist())
print(np.stack([x[i] + 1, x[::-1] * 2, x.T.reshape(3, 4) - 1], -1).tolist())
print(np.concatenate([x + 1, x * 2, (x > 4).astype(float)], 1).tolist(), np.stack([x + 1, x.astype(int) * 2, x > 3], -1).dtype)
y = x + 1
print(np.stack([y, y, y * 2], -1).sum(), np.stack([y[1:], y[:-1]], -1).tolist())
y[:, :2] = np.stack([y[:, 1] * 2, y[:, 0] - 1], -1)
print(y.tolist())
show(lambda: np.stack([x[i] + 1, x[np.array([0, 5, 1])] * 2], -1))
show(lambda: np.stack([x + 1, x[:2] * 2], -1))
with np.errstate(divide="raise"):
    show(lambda: np.stack([x + 1, x / (x - x)], -1))
