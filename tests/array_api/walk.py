#!/usr/bin/env python3
"""Walks the Array API standard beside array-api-strict: names, signatures, types, special cases, and every function of
`cases.py` with random arguments. What differs is told, and has to stand in `differs.txt` with a reason.

    python3 tests/array_api/walk.py [--examples 100] [--seed 1] [name …]

Needs `pip install array-api-strict`. `GENESIS_BINARY` says which binary, `GENESIS_DEVICE` which device.
"""

import argparse
import inspect
import itertools
import json
import pathlib
import sys
import warnings

import array_api_strict as strict
import numpy as np

import cases
import genesis_array_api as xp
from genesis_array_api._array import Array
from genesis_array_api._session import DType, session

strict.set_array_api_strict_flags(api_version="2025.12")
HERE = pathlib.Path(__file__).parent
# What array-api-strict has beside the standard.
BESIDE = ("set_array_api_strict_flags", "get_array_api_strict_flags", "reset_array_api_strict_flags", "ArrayAPIStrictFlags", "Device")
METHODS = (
    "__abs__ __add__ __and__ __array_namespace__ __bool__ __complex__ __dlpack__ __dlpack_device__ __eq__ __float__ "
    "__floordiv__ __ge__ __getitem__ __gt__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__ "
    "__index__ __int__ __invert__ __ior__ __ipow__ __irshift__ __isub__ __itruediv__ __ixor__ __le__ __lshift__ __lt__ "
    "__matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pos__ __pow__ __radd__ __rand__ __rfloordiv__ __rlshift__ "
    "__rmatmul__ __rmod__ __rmul__ __ror__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __setitem__ "
    "__sub__ __truediv__ __xor__ to_device dtype device mT ndim shape size T"
).split()
# Of these several results are right: what is compared is what they make together.
PRODUCTS = {
    "linalg.qr": lambda x, r: (r[0] @ r[1],),
    "linalg.svd": lambda x, r: ((r[0][..., : r[1].shape[-1]] * r[1][..., None, :]) @ r[2][..., : r[1].shape[-1], :], r[1]),
    "linalg.eigh": lambda x, r: (r[0], (r[1] * r[0][..., None, :]) @ np.conj(np.swapaxes(r[1], -1, -2))),
    "linalg.eig": lambda x, r: (ordered(r[0]), x @ r[1] - r[1] * r[0][..., None, :]),
    "linalg.eigvals": lambda x, r: (ordered(r[0]),),
}


def ordered(values):
    return np.sort_complex(values.round(3))


class Told:
    """What was compared, and what differed."""

    def __init__(self, known):
        self.known, self.count, self.wrong = known, 0, {}

    def check(self, is_right, name, words):
        self.count += 1
        if not is_right:
            self.wrong.setdefault(name, []).append(words)


def here(x):
    """An argument for the session."""
    if isinstance(x, cases.Type):
        return DType(str(x))
    if isinstance(x, np.ndarray):
        flat = xp.asarray(x.ravel().tolist(), dtype=DType(str(x.dtype)))
        return flat if x.ndim == 1 else xp.reshape(flat, x.shape)
    if isinstance(x, (list, tuple)):
        return type(x)(here(item) for item in x)
    return x


def there(x):
    if isinstance(x, cases.Type):
        return getattr(strict, str(x))
    if isinstance(x, np.ndarray):
        return strict.asarray(x)
    if isinstance(x, (list, tuple)):
        return type(x)(there(item) for item in x)
    return x


def plain(x):
    """A result as NumPy's array, a name or a plain value; several as a tuple of them."""
    if isinstance(x, Array):
        text = f"{x._text}.ravel()"
        if x.dtype.name[0] == "c":
            re, im = json.loads(session().run(f"print(_json.dumps([{text}.real.tolist(), {text}.imag.tolist()]))"))
            made = np.empty(len(re), dtype=complex)
            made.real, made.imag = re, im
        else:
            made = json.loads(session().run(f"print(_json.dumps({text}.tolist()))"))
        return np.array(made, dtype=x.dtype.name).reshape(x.shape)
    if isinstance(x, strict._array_object.Array):
        return np.asarray(x._array)
    if isinstance(x, (tuple, list)):
        return tuple(plain(item) for item in x)
    if isinstance(x, DType):
        return x.name
    if type(x).__name__ == "DType" or isinstance(x, np.dtype):
        return str(getattr(x, "_np_dtype", x))
    return x


def several(x):
    return x if isinstance(x, tuple) else (x,)


def is_close(own, other, precise=True):
    if isinstance(other, np.ndarray):
        if not isinstance(own, np.ndarray) or own.shape != other.shape or own.dtype != other.dtype:
            return False
        if other.dtype.kind not in "fc":
            return bool((own == other).all())
        single = other.dtype in (np.float32, np.complex64)
        near = (2e-5 if single else 1e-12) if precise else (5e-3 if single else 1e-8)
        with np.errstate(all="ignore"):
            return np.allclose(own, other, rtol=near, atol=near, equal_nan=True)
    if isinstance(other, tuple):
        return isinstance(own, tuple) and len(own) == len(other) and all(map(is_close, own, other))
    return type(own) is type(other) and own == other or own == other and not isinstance(other, (bool, int))


def shown(x):
    return f"{x.dtype} {x.shape} {x.tolist()}" if isinstance(x, np.ndarray) else repr(x)


def function(namespace, path):
    for part in path.split("."):
        namespace = getattr(namespace, part)
    return namespace


def compare(told, path, args, named):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            wanted = plain(function(strict, path)(*there(args), **{key: there(value) for key, value in named.items()}))
        except Exception:
            return  # What array-api-strict refuses, the standard leaves open.
    call = f"{path}({', '.join([*map(shown, args), *(f'{key}={value!r}' for key, value in named.items())])})"
    try:
        found = plain(function(xp, path)(*here(args), **{key: here(value) for key, value in named.items()}))
    except Exception as error:
        return told.check(False, path, f"{call}: {type(error).__name__}: {error}")
    product = PRODUCTS.get(path)
    if path.startswith("empty"):
        found, wanted = np.zeros_like(found), np.zeros_like(wanted)
    if product:
        same = [a.shape == b.shape and a.dtype == b.dtype for a, b in zip(several(found), several(wanted))]
        told.check(all(same) and len(several(found)) == len(several(wanted)), path, f"{call}: shapes or types")
        if all(same):
            found, wanted = product(args[0], several(found)), product(args[0], several(wanted))
    precise = not path.startswith(("linalg.", "fft."))
    if isinstance(wanted, tuple) and not product:
        fits = isinstance(found, tuple) and len(found) == len(wanted) and all(is_close(a, b, precise) for a, b in zip(found, wanted))
    else:
        fits = all(is_close(a, b, precise) for a, b in zip(several(found), several(wanted)))
    told.check(fits, path, f"{call}\n    strict {shown(wanted)}\n    here   {shown(found)}")


def names(told):
    for space, path in ((strict, ""), (strict.linalg, "linalg."), (strict.fft, "fft.")):
        for name in space.__all__:
            if name in BESIDE or name.startswith("__") and name not in ("__array_api_version__", "__array_namespace_info__"):
                continue
            there = hasattr(function(xp, path[:-1]) if path else xp, name)
            told.check(there, f"{path}{name}", "is not there")
    x = xp.zeros((2, 2))
    for name in METHODS:
        asked = session().ask(f"hasattr({x._text}, {name!r})")
        told.check(asked, f"array.{name}", "is not there")
    told.check(xp.__array_api_version__ == "2025.12", "__array_api_version__", xp.__array_api_version__)
    own, other = xp.__array_namespace_info__(), strict.__array_namespace_info__()
    for kind in (None, "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"):
        told.check(set(own.dtypes(kind=kind)) == set(other.dtypes(kind=kind)), "__array_namespace_info__", f"dtypes of {kind}")
    for name in ("capabilities", "default_dtypes"):
        told.check(set(getattr(own, name)()) == set(getattr(other, name)()), "__array_namespace_info__", name)
    told.check(own.default_device() in own.devices(), "__array_namespace_info__", "devices")
    for name in cases.REALS + cases.COMPLEX + cases.INTEGERS:
        ask = "iinfo" if name in cases.INTEGERS else "finfo"
        own, other = getattr(xp, ask)(DType(name)), getattr(strict, ask)(getattr(strict, name))
        for key in ("bits", "max", "min") + (("eps", "smallest_normal") if ask == "finfo" else ()):
            told.check(getattr(own, key) == getattr(other, key), ask, f"{name} {key}: {getattr(own, key)}")
        told.check(plain(own.dtype) == plain(other.dtype), ask, f"{name} dtype {own.dtype}")


def defaults(path):
    """The standard's named parameters that have a value of their own."""
    parameters = inspect.signature(function(strict, path)).parameters.values()
    return {one.name: one.default for one in parameters if one.kind == one.KEYWORD_ONLY and one.default is not one.empty}


def functions(told, rng, examples, wanted):
    table = {name: case for name, case in cases.MAIN.items()}
    table |= {f"linalg.{name}": case for name, case in cases.LINALG.items()}
    table |= {f"fft.{name}": case for name, case in cases.FFT.items()}
    for space, path in ((strict, ""), (strict.linalg, "linalg."), (strict.fft, "fft.")):
        for name in space.__all__:
            value = getattr(space, name)
            if inspect.isfunction(value) and name not in BESIDE and f"{path}{name}" not in table:
                if name not in ("finfo", "iinfo", "result_type", "__array_namespace_info__"):
                    told.check(False, f"{path}{name}", "has no case")
    for path, case in table.items():
        if wanted and path not in wanted:
            continue
        for at in range(examples):
            args, named = case(rng)
            if at % 4 == 0:
                every = defaults(path)
                plain_ones = {key: value for key, value in every.items() if value is None or type(value) in (bool, int, float, str)}
                named = plain_ones | named
            compare(told, path, args, named)


def promotion(told):
    """Types of results: of every pair of types, of operators in every form, beside Python's numbers."""
    for (name, dtypes), one in itertools.product(cases.BINARY.items(), [0]):
        for first, second in itertools.product(dtypes, dtypes):
            x, y = np.array([1, 2], dtype=first), np.array([[1], [1]], dtype=second)
            compare(told, name, (x, y), {})
            sign = cases.SIGNS.get(name)
            if sign and first == second:
                for number in (True, 2, 1.5, 2j):
                    operator(told, sign, x, number)
                    operator(told, sign, number, x)
    for first, second in itertools.product(cases.ALL, cases.ALL):
        compare(told, "result_type", (cases.Type(first), cases.Type(second)), {})
        compare(told, "result_type", (np.zeros(2, dtype=first), cases.Type(second)), {})


def operator(told, sign, left, right):
    scope = {"warnings": warnings}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = plain(eval(f"a {sign} b", scope, {"a": there(left), "b": there(right)}))
    except Exception:
        return
    words = f"{shown(left)} {sign} {shown(right)}"
    try:
        found = plain(eval(f"a {sign} b", scope, {"a": here(left), "b": here(right)}))
    except Exception as error:
        return told.check(False, f"operator {sign}", f"{words}: {error}")
    told.check(is_close(found, wanted), f"operator {sign}", f"{words}: strict {shown(wanted)}, here {shown(found)}")


def special(told):
    """Infinities, NaNs, zeros of both signs and ones, in every function of floats, against NumPy."""
    line = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, np.inf, -np.inf, np.nan, 1e300, -1e-300]
    x = np.array(line)
    pairs = np.array(list(itertools.product(line, line))).T
    few = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan]
    grid = np.empty(len(few) ** 2, dtype=complex)
    grid.real, grid.imag = np.array(list(itertools.product(few, few))).T
    for name, dtypes in cases.UNARY.items():
        if "float64" in dtypes:
            exactly(told, name, x)
        if "complex128" in dtypes:
            exactly(told, name, grid)
    for name, dtypes in cases.BINARY.items():
        if "float64" in dtypes:
            exactly(told, name, *pairs)


def exactly(told, name, *operands):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = getattr(np, name)(*operands)
    found = plain(getattr(xp, name)(*here(operands)))
    for at in range(len(operands[0])):
        a, b = found[at], wanted[at]
        parts = [(a.real, b.real), (a.imag, b.imag)] if wanted.dtype.kind == "c" else [(a, b)]
        same = all(np.isclose(p, q, rtol=1e-11, atol=0, equal_nan=True) and (np.isnan(q) or np.signbit(p) == np.signbit(q)) for p, q in parts) if wanted.dtype.kind in "fc" else a == b
        words = ", ".join(repr(operand[at].item()) for operand in operands)
        told.check(bool(same), f"special {name}", f"{name}({words}): NumPy {b!r}, here {a!r}")


def key(rng, shape):
    """Something that selects parts of an array: numbers, slices, None and an ellipsis, or one mask."""
    if rng.random() < 0.15:
        return rng.integers(0, 2, shape).astype(bool)
    if rng.random() < 0.2:
        return tuple(rng.integers(-side, side, 2) for side in shape)
    parts = []
    for side in shape:
        if rng.random() < 0.4:
            parts.append(int(rng.integers(-side, side)))
        else:
            step = int(rng.choice([-2, -1, 1, 2]))
            ends = [None if rng.random() < 0.4 else int(rng.integers(-side, side + 1)) for _ in range(2)]
            parts.append(slice(*ends, step))
    if rng.random() < 0.3:
        parts.insert(int(rng.integers(0, len(parts) + 1)), None)
    if rng.random() < 0.3:
        cut = int(rng.integers(0, len(parts) + 1))
        parts = parts[:cut] + [Ellipsis] if rng.random() < 0.5 else [Ellipsis] + parts[len(parts) - cut:]
    return tuple(parts)


def indexing(told, rng, examples):
    """Elements that are selected and assigned, beside NumPy."""
    for _ in range(examples):
        x = cases.some(rng, cases.pick(rng, cases.ALL), cases.shape(rng, int(rng.integers(1, 4)), 1))
        at = key(rng, x.shape)
        own_key = here(at) if isinstance(at, (np.ndarray, tuple)) else at
        own, words = here(x), f"{shown(x)}[{at}]"
        try:
            told.check(is_close(plain(own[own_key]), x[at]), "array.__getitem__", words)
            value = cases.some(rng, str(x.dtype), x[at].shape[-1:] if x[at].ndim else ())
            own[own_key] = here(value)
            x[at] = value
            told.check(is_close(plain(own), x), "array.__setitem__", f"{words} = {shown(value)}")
        except Exception as error:
            told.check(False, "array.__getitem__", f"{words}: {error}")


def in_place(told):
    """Operators that change their left operand, and the special methods of the same names."""
    for name, dtypes in cases.BINARY.items():
        sign = cases.SIGNS.get(name)
        if sign is None or sign in ("==", "!=", "<", "<=", ">", ">="):
            continue
        for dtype in dtypes:
            if sign == "/" and dtype not in cases.REALS + cases.COMPLEX:
                continue
            x, y = np.array([[4, 3, 2], [1, 5, 6]], dtype=dtype), np.array([1, 2, 1], dtype=dtype)
            wanted, own = plain(eval(f"a {sign} b", {"a": there(x), "b": there(y)})), here(x)
            other = here(y)
            same = session().ask(f"id({own._text})")
            session().run(f"_x = {own._text}\n_x {sign}= {other._text}\n_kept[{own._number}] = _x")
            told.check(is_close(plain(own), wanted), f"operator {sign}=", f"{shown(x)} {sign}= {shown(y)}")
            told.check(session().ask(f"id({own._text})") == same, f"operator {sign}=", "another array")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--examples", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--all", action="store_true", help="tell what differs by intention, too")
    arguments.add_argument("names", nargs="*")
    arguments = arguments.parse_args()
    known = {}
    for line in (HERE / "differs.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, reason = line.split("\t")
            known[name] = reason
    told = Told(known)
    if not arguments.names:
        names(told)
        promotion(told)
        special(told)
        in_place(told)
        indexing(told, np.random.default_rng(arguments.seed), 4 * arguments.examples)
    functions(told, np.random.default_rng(arguments.seed), arguments.examples, arguments.names)
    unknown = {name: words for name, words in told.wrong.items() if arguments.all or name not in known}
    for name, words in unknown.items():
        print(f"{name}: {len(words)} differ, the first:\n  {words[0][:1500]}")
    # A name that no longer differs has no place in the list.
    stale = [] if arguments.names else [name for name in known if name not in told.wrong]
    for name in stale:
        print(f"differs.txt: {name} does not differ any more")
    wrong = sum(map(len, told.wrong.values()))
    print(f"{told.count - wrong} passed, {0 if not unknown else sum(map(len, unknown.values()))} failed, "
          f"{wrong} differ in {len(told.wrong)} names, {len(known)} of them known")
    sys.exit(bool(unknown or stale))


if __name__ == "__main__":
    main()
