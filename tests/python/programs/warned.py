# warnings: filters, records and errors.
import warnings


def old(x):
    warnings.warn("old is deprecated", DeprecationWarning, stacklevel=2)
    return x


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old(1)
    old(2)
    warnings.warn("user")
print(len(caught), caught[0].category.__name__, str(caught[0].message), caught[2].category is UserWarning)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("default")
    for i in range(3):
        warnings.warn("same line")
    warnings.warn("another")
print([str(w.message) for w in caught])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("once")
    warnings.warn("a")
    warnings.warn("a")
    warnings.warn("b")
print([str(w.message) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("raised", RuntimeWarning)
    except RuntimeWarning as e:
        print("caught", repr(e))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    old(3)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.filterwarnings("ignore", message="quiet")
    warnings.filterwarnings("error", category=FutureWarning)
    warnings.warn("quiet please")
    warnings.warn("loud please")
    warnings.warn("Quiet too")
    try:
        warnings.warn("soon", FutureWarning)
    except FutureWarning as e:
        print("future", e)
print([str(w.message) for w in caught])


class Mine(UserWarning):
    pass


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn(Mine("an object"))
    warnings.warn("x", Mine)
print([(w.category.__name__, str(w.message)) for w in caught])
for wrong in [
    lambda: warnings.simplefilter("sometimes"),
    lambda: warnings.warn("x", int),
    lambda: warnings.warn("x", "y"),
    lambda: warnings.simplefilter("error", lineno=-1),
]:
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__)
before = len(warnings.filters)
warnings.resetwarnings()
print(before > 0, warnings.filters)
