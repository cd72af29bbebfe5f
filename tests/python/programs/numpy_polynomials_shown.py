# Polynomials as text: domains, long ones, complex coefficients, NaN.
from numpy.polynomial import Polynomial as P

for p in [
    P([1, 2, 3]), P([1, 2, 3], domain=[0, 1]), P([1, 2, 3], domain=[0, 2]), P([1, 2], domain=[0, 2], window=[0, 2]),
    P([1, 2], domain=[0, 2], window=[1, 3]), P([1, 2], domain=[-2, 2]), P(list(range(1, 20))), P(list(range(1, 20)), domain=[0, 7]),
    P([1j, 2, -1 - 1j]), P([1, np.nan, -np.inf, -0.0, 0]), P([1.5], symbol="t"), P([1, -2], symbol="t"), P([1e-20, 1e20, 3]),
    P([1, 2, 3]).convert(domain=[0, 1]), P.fit([0, 1, 2], [1, 3, 2], 2), P([-1e9, -1e-9]),
]:
    print(p)
    print(f"{p:ascii}|{p:unicode}|{p}")
with np.printoptions(linewidth=20, precision=2):
    print(P([1 / 3, 2 / 3, 1, 4 / 3, 5 / 3]))
try:
    print(f"{P([1]):x}")
except ValueError as e:
    print(e)
for p in [
    np.poly1d([1, 2, 3]), np.poly1d([1 + 2j, 3]), np.poly1d([0]), np.poly1d([1, 0, -2.5]), np.poly1d([1j, 0, -1, 2 - 1j]),
    np.poly1d(list(range(1, 25))), np.poly1d([1e-10, 1e10, -0.0, 1]), np.poly1d([-1, 1], variable="z"), np.poly1d([1, 2], True),
    np.poly1d([-5]), np.poly1d([12345.678, -0.00012345]), np.poly1d([1 + 0j, 2]),
]:
    print(p)
