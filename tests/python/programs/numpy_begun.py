# Sums and products that begin with nothing, and edges with NaN.
import numpy as np


def told(run, *arguments, **named):
    try:
        made = run(*arguments, **named)
        print(made.tolist(), made.shape)
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)


nan = np.nan
for fold in (np.sum, np.prod, np.nansum, np.nanprod):
    for x in (np.array([1.0, nan, 3.0]), np.array([1, 2, 3], np.int8), np.zeros(0), np.ones((0, 3)), np.ones((2, 0))):
        told(fold, x, initial=None)
        told(fold, x, initial=None, where=True)
        told(fold, x, initial=None, axis=0)
        told(fold, x, initial=None, axis=-1, keepdims=True)
        told(fold, x, initial=None, where=np.ones(x.shape, bool))
        told(fold, x, initial=None, where=False)
        told(fold, x, initial=2, where=False)
        told(fold, x, where=np.zeros(x.shape, bool))
told(np.array([1.0, 2.0]).sum, initial=None, where=np.array([True, False]))
told(np.array([1.0, 2.0]).prod, initial=None)

x = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, nan, np.inf, -np.inf])
for bins in ([0, 1, nan], [nan, 1, 0], [nan, nan], [nan], [nan, 1, 1], [nan, nan, 1], [1, 1], []):
    for right in (False, True):
        told(np.digitize, x, np.array(bins, float), right)
for bins in ([nan, 0, 1], [nan, nan, 0, 1], [1, nan, 2, 0, 3], [2, 1, 1, 5]):
    told(np.digitize, x, np.array(bins, float))
