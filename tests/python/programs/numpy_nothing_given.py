"""What is asked of nothing, or without what has to be said."""
import numpy as np


def show(make):
    try:
        made = make()
        print(made, getattr(made, "dtype", None))
    except Exception as error:
        print(type(error).__name__, error)


V = np.array([1.0, 2.0])
show(lambda: np.tile(V))
show(lambda: np.tile(V, reps=2))
show(lambda: np.tile(A=V, reps=(2, 1)))
show(lambda: np.tile(V, []))
show(lambda: np.tile(V, ()))
show(lambda: np.tile(3, 2))
for fold in (np.nanmax, np.nanmin):
    show(lambda: fold(np.array([])))
    show(lambda: fold(np.zeros((0, 3)), axis=0))
    show(lambda: fold(np.zeros((0, 3)), axis=1))
    show(lambda: fold(np.zeros((0, 3)), axis=-2))
    show(lambda: fold(np.zeros((2, 0)), axis=0))
    show(lambda: fold(np.zeros((2, 0)), axis=(0, 1)))
    show(lambda: fold(np.zeros((2, 0), dtype=np.float32), axis=1, keepdims=True))
    show(lambda: fold(np.zeros((2, 0)), axis=2))
    show(lambda: fold(np.array(3.0)))
    show(lambda: fold(np.array([3, 1], dtype=np.int8)))
for fold in (np.max, np.min, np.ptp):
    show(lambda: fold(np.zeros((0, 3))))
    show(lambda: fold(np.zeros((0, 3)), axis=1))
    show(lambda: fold(np.zeros(0, dtype=int)))
