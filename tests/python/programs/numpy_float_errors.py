# What happens at floating-point errors: raised, told of, and ignored again.
import warnings


def raised(f):
    try:
        print("no error", f())
    except FloatingPointError as error:
        print(type(error).__name__, error)


print(np.errstate(all="raise") is not None)
x = np.array([1.0, 0.0, -1.0, 1e308])
cases = {
    "divide": lambda: x / 0.0,
    "divide by zeros": lambda: np.ones(4) / np.array([1.0, 2.0, 0.0, 4.0]),
    "zero by zero": lambda: np.zeros(2) / np.zeros(2),
    "floor": lambda: x[:1] // np.zeros(1),
    "remainder": lambda: x % 0.0,
    "log": lambda: np.log(x[:2]),
    "log of less": lambda: np.log(x[2:]),
    "log2": lambda: np.log2(x[1:2]),
    "log10": lambda: np.log10(x[1:2]),
    "log1p": lambda: np.log1p(x[2:3]),
    "sqrt": lambda: np.sqrt(x[2:]),
    "arctanh": lambda: np.arctanh(x[:1]),
    "arctanh beyond": lambda: np.arctanh(x[3:]),
    "arcsin": lambda: np.arcsin(x[3:]),
    "multiply": lambda: x * 10,
    "add": lambda: x + x,
    "subtract": lambda: -x - x * 0.9999,
    "exp": lambda: np.exp(x[3:]),
    "exp of less": lambda: np.exp(-x[3:]),
    "square": lambda: np.square(x),
    "power": lambda: x**3,
    "reciprocal": lambda: np.reciprocal(x),
    "zero to a power": lambda: x[1:2] ** -2.5,
    "small": lambda: np.array([1e-300]) * 1e-300,
    "small, divided": lambda: np.array([1e-300]) / 1e300,
    "infinite by infinite": lambda: np.array([np.inf]) / np.inf,
    "infinite less infinite": lambda: np.array([np.inf]) - np.inf,
    "NaN goes on": lambda: np.array([np.nan]) + 1,
    "infinity goes on": lambda: np.array([np.inf]) * 2,
    "zeros": lambda: np.zeros(3) * 5,
    "sum": lambda: np.sum(np.array([1e308, 1e308])),
    "sum of infinities": lambda: np.sum(np.array([np.inf, -np.inf])),
    "sum of rows": lambda: np.array([[np.inf, 0.0], [1e308, 1e308]]).sum(axis=1),
    "product": lambda: np.prod(np.array([1e200, 1e200])),
    "cumsum": lambda: np.cumsum(np.array([1e308, 1e308])),
    "matmul": lambda: np.array([[1e308, 1e308]]) @ np.array([[1.0], [1.0]]),
    "to float32": lambda: np.array([1e300]).astype(np.float32),
    "to int8": lambda: np.array([-128.5, 127.5]).astype(np.int8),
    "NaN to int64": lambda: np.array([np.nan]).astype(np.int64),
    "large to int64": lambda: np.array([1e19]).astype(np.int64),
    "float32": lambda: np.float32([1e30]) * np.float32(1e30),
    "float16": lambda: np.float16([6e4]) * np.float16(2),
    "complex": lambda: np.array([1 + 2j]) / 0,
    "integers": lambda: np.array([1, 2]) * 3,
    "comparisons": lambda: np.array([np.nan]) < 1,
    "none": lambda: np.sin(x[:3]),
}
for name, f in cases.items():
    with np.errstate(all="raise"):
        print(name, end=": ")
        raised(f)
print("each by itself")
for error in ("divide", "over", "under", "invalid"):
    with np.errstate(all="ignore"):
        with np.errstate(**{error: "raise"}):
            names = []
            for name, f in cases.items():
                try:
                    f()
                except FloatingPointError:
                    names.append(name)
            print(error, names)

print("warnings")
with np.errstate(all="warn"), warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    np.log(x[:2])
    x[:1] / np.zeros(1)
    for w in told:
        print(w.category.__name__, w.message)
with np.errstate(all="warn"), warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        np.sqrt(x[2:3])
    except RuntimeWarning as warning:
        print("raised", warning)

print("called")
heard = []
with np.errstate(all="call", call=lambda *what: heard.append(what)):
    np.log(x[:2])
    np.sqrt(x[2:3])
    print(np.geterr()["over"], callable(np.geterrcall()))
print(heard, np.geterrcall())


class Log:
    def write(self, text):
        print("log:", text.strip())


old = np.seterrcall(Log())
print(old)
with np.errstate(over="log"):
    x * 10
np.seterrcall(old)
show(lambda: np.seterrcall(3))
show(lambda: np.seterr(all="foo"))
show(lambda: np.seterr(divide="bar"))


@np.errstate(all="raise")
def f(x):
    return x / 0


show(lambda: f(np.ones(2)))
state = np.errstate(all="ignore")
with state:
    show(lambda: state.__enter__())
before = np.seterr(all="ignore")
print(np.geterr())
print(np.seterr(over="raise") == np.geterr(), np.geterr())
np.seterr(all="ignore")
print(np.array([1.0]) / 0)
