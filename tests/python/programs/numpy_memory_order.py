# What results look like in memory: NumPy's order='K', over every order of the axes and over steps of all kinds.
import copy
from itertools import permutations


def shown(*arrays):
    print(*[(a.strides, a.flags.c_contiguous, a.flags.f_contiguous, a.flags.owndata) for a in arrays])


whole = np.arange(2 * 3 * 4 * 5, dtype='int64').reshape(2, 3, 4, 5)
for order in permutations(range(4)):
    x = whole.transpose(order)
    print(order)
    shown(x + 1, -x, x * x, (x + 1) * 2 - x, x.astype('int32'), x > 3, np.where(x > 3, x, 0))
    shown(np.copy(x), x.copy(), x.copy(order='K'), np.array(x), np.asarray(x, dtype='int16'), copy.copy(x), +x)
    shown(np.zeros_like(x), np.ones_like(x, dtype='int8'), np.empty_like(x), np.full_like(x, 3))
    shown(x.sum(axis=0), x.sum(axis=1, keepdims=True), x.max(axis=(1, 2)), x.argmax(axis=2), x.min(axis=3))
    y = whole.transpose(order[::-1])
    shown(x + x[:1], x + x[:, :1], x + x[0], x[..., :1] * x[:1], x[::-1] + x, x[:, ::2] * 2, x[1:, :, 1:] + 0)
    print(int((x * 2 + x[:1]).sum()), (x + 1)[1, 0].ravel()[:7], (x + 1).reshape(-1)[:9], x.argmax(), (x % 7).argmax(axis=1).ravel()[:5])
    z = x * 2
    z += x
    z[0] *= 3
    print(z.strides, int(z.sum()), z.T.strides, z.base is None, z.view('uint8').shape if order[3] == 3 else None)
    z.flat[3] = 100
    print(z.ravel()[:6], z.tolist()[0][0][0][:3])

seed = 1
state = seed


def drawn(n):
    global state
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % n


# Several operands, each in an order of its own, with axes of length one, missing ones, steps and reversed axes.
orders = {rank: list(permutations(range(rank))) for rank in range(1, 5)}
for _ in range(300):
    rank = 2 + drawn(3)
    shape = [1 + drawn(4) for _ in range(rank)]
    operands = []
    for _ in range(1 + drawn(3)):
        own = shape[drawn(2) if rank > 2 else 0:] if drawn(3) == 0 else list(shape)
        own = [1 if drawn(4) == 0 else n for n in own]
        axes = orders[len(own)][drawn(len(orders[len(own)]))]
        lying = [0] * len(own)
        for place, axis in enumerate(axes):
            lying[place] = own[axis]
        made = np.arange(int(np.prod(lying)), dtype='int32').reshape(lying)
        back = [axes.index(axis) for axis in range(len(own))]
        made = made.transpose(back)
        if drawn(4) == 0:
            made = np.repeat(made, 2, axis=drawn(len(own)))
            made = made[tuple(slice(None, n) for n in own)]
        if drawn(5) == 0:
            made = made[..., ::-1]
        operands.append(made)
    result = operands[0] * 2
    if len(operands) == 2:
        result = operands[0] + operands[1]
    if len(operands) == 3:
        result = np.where(operands[0] > 1, operands[1], operands[2])
    if result.size > 1:
        print(result.shape, result.strides, int((result * np.arange(result.shape[-1], dtype='int32')).sum()))
