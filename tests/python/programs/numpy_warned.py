# What functions of statistics warn of: too few elements, and rows of NaN alone.
import warnings


def told(words, f):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with np.errstate(all="ignore"):
            try:
                r = np.asarray(f())
                print(words, r.dtype, r.shape, r.round(6).tolist(), end=" ")
            except Exception as e:
                print(words, type(e).__name__, e, end=" ")
    print([f"{w.category.__name__}: {w.message}" for w in found])


nan = np.nan
rows = {
    "none": np.array([]), "nan": np.array([nan]), "one": np.array([1.5]), "two": np.array([1.0, 3.0]),
    "some": np.array([[nan, 1.0, 4.0], [nan, 2.0, nan]]), "narrow": np.array([nan, nan], dtype=np.float32),
    "half": np.array([nan, 2.0], dtype=np.float16), "ints": np.array([1, 2, 4]), "bools": np.array([True, False]),
    "complex": np.array([nan + 1j, 2.0 - 1j]), "number": np.array(2.0), "empty": np.zeros((0, 3)), "list": [[nan, 1.0], [nan, 2.0]],
    "view": np.array([[nan, 1.0], [nan, 2.0]]).T[::-1],
}
for name, x in rows.items():
    functions = [np.mean, np.nanmean, np.median, np.nanmedian]
    # Of bools, of nothing and of rows of nothing NumPy's own say what its insides met.
    functions += [np.nanmax, np.nanmin, np.average] if name not in ("none", "empty", "bools") else []
    for function in functions:
        told(f"{function.__name__} {name}", lambda: function(x))
        if np.ndim(x) > 1:
            told(f"{function.__name__} {name} 0", lambda: function(x, axis=0))
            told(f"{function.__name__} {name} 1", lambda: function(x, axis=-1))
    for function in [np.var, np.std, np.nanvar, np.nanstd]:
        for ddof in [0, 1, 2, 5]:
            told(f"{function.__name__} {name} {ddof}", lambda: function(x, ddof=ddof))
        if np.ndim(x) > 1:
            told(f"{function.__name__} {name} 0", lambda: function(x, axis=0, ddof=1))
    for function in [np.nanmean, np.nanvar, np.nanstd, np.nansum, np.mean]:
        # A variance of complex numbers is real.
        if name != "complex" or function not in (np.nanvar, np.nanstd):
            told(f"{function.__name__} {name} float32", lambda: function(x, dtype=np.complex64 if name == "complex" else np.float32))
        if name != "complex":
            told(f"{function.__name__} {name} int", lambda: function(np.nan_to_num(x) if function in (np.nansum, np.mean) else x, dtype=int))
for x in [rows["nan"], rows["some"], rows["narrow"], np.array([], dtype=float)]:
    told("nanquantile", lambda: np.nanquantile(x, 0.5))
    if x.size:
        told("nanpercentile", lambda: np.nanpercentile(x, [25, 75], axis=0))
    told("nanquantile lower", lambda: np.nanquantile(x, 0.5, method="lower"))
for x in [[1.0], [1.0, 2.0], [[1.0, 2.0], [3.0, 5.0]]]:
    for ddof in [None, 2, 5]:
        told("cov", lambda: np.cov(x, ddof=ddof))
told("where", lambda: np.mean([1.0, 2.0], where=[False, False]))
told("where", lambda: np.var([1.0, 2.0], where=[True, False], ddof=1))
told("where", lambda: np.nanmean([nan, 2.0], where=[True, False]))
told("where", lambda: np.mean(np.ones((2, 2)), axis=0, where=[[True, False], [False, False]]))
told("ddof", lambda: np.var([1.0, 2.0], ddof=1, correction=1))
told("ddof", lambda: np.std([1.0, 2.0], ddof=0, correction=1))
told("ddof", lambda: np.nanvar([1.0, 2.0], ddof=1, correction=1))
warnings.simplefilter("error")
try:
    np.nanmax(np.array([nan]))
except RuntimeWarning as e:
    print("raised", e)
