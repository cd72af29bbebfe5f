# Functions that take real numbers only say so of complex ones, and those that leave NaN out see it in them, too.
z = np.array([1 + 1j, 0.5, np.nan])
for call in (
    lambda: np.digitize(z, [0, 2]), lambda: np.percentile(z, 50), lambda: np.quantile(z, 0.5), lambda: np.nanpercentile(z, 50), lambda: np.nanquantile(z, 0.5, method="nearest"),
    lambda: np.quantile(z, 0.5, method="nearest"), lambda: np.interp(z, [0, 1], [0, 1]), lambda: np.interp(0.5, z, z), lambda: np.heaviside(z, 1), lambda: np.ldexp(z, 1),
    lambda: np.deg2rad(z), lambda: np.degrees(z), lambda: np.isposinf(z), lambda: np.isneginf(z), lambda: np.bincount([0, 1, 2], weights=z), lambda: np.i0(z), lambda: np.fabs(z),
    lambda: np.packbits(z), lambda: np.random.normal(z), lambda: np.random.default_rng(1).gamma(z), lambda: np.random.default_rng(1).poisson(z), lambda: np.spacing(z), lambda: np.floor(z),
    lambda: np.fmod(z, 1), lambda: np.arctan2(z, 1), lambda: np.hypot(z, 1), lambda: np.modf(z), lambda: np.frexp(z), lambda: np.cbrt(z), lambda: np.signbit(z), lambda: np.logaddexp(z, 1),
    lambda: np.nextafter(z, 1), lambda: np.bitwise_count(z), lambda: np.floor_divide(z, 2), lambda: np.divmod(z, 2), lambda: np.unwrap(z), lambda: np.copysign(z, 1),
):
    try:
        print(call())
    except TypeError as error:
        print(type(error) is TypeError or "ufunc" in str(error))
print(np.nansum(z), np.nanprod(z), np.nanmean(z), np.nanvar(z), np.nanstd(z).round(6), np.nanmax(z), np.nanmin(z), np.nanargmax(z), np.nanargmin(z))
print(np.nancumsum(z).tolist(), np.nancumprod(z).tolist(), np.var(z[:2]), np.nanvar(np.stack([z, z * 2]), axis=0, ddof=1).tolist())
print(np.asarray(range(0)).dtype, np.array(range(3)).dtype, np.array([range(0)]).shape, np.concatenate([range(0), range(2)]).tolist(), np.arange(4)[range(0)].tolist())
print(np.int64(7) in range(10**18), np.float64(7.5) in range(9), np.array(3) in range(3), range(9).index(np.int64(4)), range(9).count(np.int64(4)))
