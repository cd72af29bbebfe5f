# Modules that lie in others, and functions that a class of the library has.
import collections.abc, os.path
import numpy as np
import numpy.linalg, numpy.polynomial.polynomial

print(isinstance([], collections.abc.Sized), collections.abc.Iterable.__name__)
print(os.path.join("a", "b"), np.linalg.norm(np.array([3.0, 4.0])), numpy.fft.fft(np.ones(2)).real)
print(numpy.polynomial.polynomial.polyval(2.0, np.array([1.0, 2.0])), np.random.default_rng(0).integers(1, 2))
print(hasattr(collections, "nothing"), hasattr(np, "exceptions"), hasattr(np.linalg, "linalg"))
try:
    collections.xyz
except AttributeError as error:
    print(error)

print(np.ndarray.argpartition(np.array([3, 1, 2]), 1)[1], np.ndarray.sum(np.ones(3)))
print([str(method(np.array([[1, 2], [3, 4]]))) for method in (np.ndarray.tolist, np.ndarray.trace)])
print(list(map(np.ndarray.ravel, [np.eye(2)])))
print(hasattr(np.ndarray, "resize"), hasattr(np.ndarray, "nothing"))
kinds = collections.abc.Iterable, collections.abc.Sized, collections.abc.Container, collections.abc.Sequence
print([isinstance(np.ones(3), kind) for kind in kinds], issubclass(np.ndarray, collections.abc.Iterable))
