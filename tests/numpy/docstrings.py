#!/usr/bin/env python3
"""Runs every example of NumPy's own documentation in NumPy and here, and tells where the answers differ.

    python3 tests/numpy/docstrings.py [--binary PATH] [--known] [name …]

A name, such as `np.cross`, picks the documentation of functions whose names hold it. What differs by intention stands
in INTENDED; `--known` shows that, too. The examples are read from the NumPy that is installed.
"""

import argparse
import ast
import contextlib
import doctest
import inspect
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings

import numpy as np

OWNERS = {
    "np": np,
    "np.linalg": np.linalg,
    "np.lib.stride_tricks": np.lib.stride_tricks,
    "ndarray": np.ndarray,
    "np.testing": np.testing,
    "np.polynomial.polynomial": np.polynomial.polynomial,
    "np.polynomial.Polynomial": np.polynomial.Polynomial,
    "np.polynomial.Chebyshev": np.polynomial.Chebyshev,
    "np.polynomial.Legendre": np.polynomial.Legendre,
    "np.polynomial.Hermite": np.polynomial.Hermite,
    "np.polynomial.Laguerre": np.polynomial.Laguerre,
    "np.polynomial.chebyshev": np.polynomial.chebyshev,
    "np.polynomial.legendre": np.polynomial.legendre,
    "np.polynomial.hermite": np.polynomial.hermite,
    "np.polynomial.hermite_e": np.polynomial.hermite_e,
    "np.polynomial.laguerre": np.polynomial.laguerre,
    "np.fft": np.fft,
    "np.emath": np.emath,
    "np.lib": np.lib,
    "np.exceptions": np.exceptions,
    "np.random": np.random,
    "np.random.Generator": np.random.Generator,
}

# A reason for other numbers, and for no error.
DIGITS = "last digits, signs of zeros and of vectors"

# What an example says, or asks for, that is otherwise here, and why.
INTENDED = {
    r"datetime|timedelta|busday|isnat": "dates are no elements of tensors",
    r"recarray|np\.rec\b|fields|dtype\(\[|\[\('|np\.void|setfield|getfield": "records are no elements of tensors",
    r"dtype=object|'object'|np\.object_|np\.char|np\.str_|bytes_|b'|S\d|frombuffer": "texts and objects are none, either",
    r"masked|np\.ma\b|np\.matrix|asmatrix|bmat|ndarray\):|ctypes|memmap": "there is one kind of array, whose memory is the allocator's",
    r"np\.random|default_rng|rng\.|Generator": "random numbers follow their distribution, and are not NumPy's own",
    r"\bid\(|np\.empty|type\(|<class|np\.show_|get_include|getbufsize": "what a run of NumPy happens to have",
    r"np\.save|np\.load|tofile|fromfile|dump|fromregex|tobytes|byteswap|newbyteorder": "bytes are not what programs read and write",
    r"retstep": "a step is a Python number",
    r"geterr|seterr|errstate": "floating-point errors are ignored at the start, where NumPy warns",
    r"\.base\b|\.shape = |\.resize\(": "an array keeps its shape and size, and does not know whose view it is",
    r"ldexp|common_type": "integers become the default float, and types are values",
    r"corrcoef|polyfit|herme?fit:|lagfit:": "random numbers, under names that do not tell",
    r"order=\(|order='[xy]'|dtype=dtype|names ?=|\b[yz]\.a\b|ndarray\.view: xv|np\.asarray|np\.asanyarray": "records are no elements of tensors",
    r"np\.info": "the texts of help are our own",
    r"mintypecode|polyutils|pu\.|set_default_printstyle|assert_warns|clear_and_catch|measure|print_assert_equal|timeit|globals|scipy|NumpyVersion|Arrayterator|msg_prefix": "not there",
    r"not np\.all\(a ?== ?b\)|np\.partition: p2|unique_values|np\.unique: indices": "in what order scratch is left, or what is equal stands, is left open",
    r"linalg\.(inv|cond|eig|svdvals|matrix_norm|norm|slogdet|matrix_power|cholesky)|poly1d: p\(p|poly(fit|roots|fromroots)|cumsum|cumulative_sum|np\.(std|var):": DIGITS,
    r"np\.fft\.\w+: np\.fft|polynomial\.\w+\.\w+(roots|interpolate|int|vander): ": DIGITS,
    r"np\.(real|imag): np\.(real|imag)\(1": "a Python number becomes an array",
    r"finfo\(float\)\.eps|setflags|\.flags": "what figures and flags print",
    r"r_\['r'": "matrices are arrays of two axes",
    r"n \*\* power|print\(x2\)": "a Python integer has 64 bits",
    r"\"a\"|'A string'|first_names|isrealobj\(None|oct\(": "texts are no elements of tensors",
}

SHOW = """
def __plain(v):
    if isinstance(v, np.generic): return np.asarray(v)
    if type(v) in (tuple, list): return type(v)(__plain(i) for i in v)
    return v
def __show(*v):
    for v in v:
        if v is not None: print(repr(__plain(v)))
"""


class Slow(BaseException):
    """An example that takes too long."""


def stop(*_):
    raise Slow


def documented():
    """What has examples in its documentation, each text once."""
    seen = set()
    for owner, module in OWNERS.items():
        for name in sorted(dir(module)):
            value = getattr(module, name)
            text = getattr(value, "__doc__", None)
            if name.startswith("_") or inspect.ismodule(value) or not text or ">>>" not in text or text in seen:
                continue
            seen.add(text)
            yield f"{owner}.{name}", text


def shown(source):
    """An example that prints its last value, scalars as arrays without axes."""
    *before, last = ast.parse(source).body
    if not isinstance(last, ast.Expr) or isinstance(last.value, ast.Starred):
        return source
    return "\n".join([*map(ast.unparse, before), f"__show(({ast.unparse(last.value)}))"])


def examples(text):
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    for example in found:
        with contextlib.suppress(SyntaxError):
            yield example.source, shown(example.source)


def in_numpy(programs):
    """What each prints, and the name of its error."""
    scope, answers = {}, []
    exec("import numpy as np\nnp.random.seed(0)" + SHOW, scope)
    for program in programs:
        printed, error = io.StringIO(), ""
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            signal.alarm(20)
            try:
                exec(compile(program, "<example>", "exec"), scope)
            except Slow:
                error = "Slow"
            except Exception as raised:
                error = type(raised).__name__
            finally:
                signal.alarm(0)
        answers.append((printed.getvalue(), error))
    return answers


def here(binary, programs):
    """The same, with the error's words."""
    first = "import numpy as np\nnp.set_default_dtype(np.float64)\nnp.random.seed(0)" + SHOW
    lines = "".join(json.dumps({"code": program}) + "\n" for program in [first, *programs])
    command = [binary, "--json", "--no-history", "--device", "cpu"]
    try:
        ran = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=100)
    except subprocess.TimeoutExpired:
        return [("", "Slow", "all examples together take longer than 100 seconds")] * len(programs)
    answers = [json.loads(line) for line in ran.stdout.splitlines()][1:]
    if len(answers) < len(programs):
        sys.exit(f"the binary ended: {ran.stderr[-500:]}")
    errors = [answer.get("error") or {"kind": "", "message": ""} for answer in answers]
    return [(answer["stdout"], error["kind"], error["message"]) for answer, error in zip(answers, errors)]


def stored(source):
    names = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--binary", default="target/debug/genesis-repl")
    arguments.add_argument("--known", action="store_true")
    arguments.add_argument("names", nargs="*")
    arguments = arguments.parse_args()
    binary = os.path.abspath(arguments.binary)
    signal.signal(signal.SIGALRM, stop)
    os.chdir(tempfile.mkdtemp())
    count = same = intended = 0
    for name, text in documented():
        if arguments.names and not any(part in name for part in arguments.names):
            continue
        found = list(examples(text))
        expected, ours = in_numpy([program for _, program in found]), here(binary, [program for _, program in found])
        if ours and ours[0][1] == "Slow":
            print(f"{name}: {ours[0][2]}")
        lost = set()
        for (source, _), (wanted, error), (printed, kind, message) in zip(found, expected, ours):
            is_about_others = "Slow" in (error, kind) or error in ("ModuleNotFoundError", "NameError", "ImportError")
            follows = kind == "NameError" and message.split("'")[1] in lost
            if is_about_others or follows:
                continue
            count += 1
            if kind == error and printed.split() == wanted.split():
                same += 1
                continue
            if kind and not error:
                lost |= stored(source)
            reasons = (why for part, why in INTENDED.items() if re.search(part, f"{name}: {source} {wanted}"))
            reason = next((why for why in reasons if not (kind and why is DIGITS)), None)
            intended += reason is not None
            if reason is None or arguments.known:
                told = f"{kind}: {message}" if kind else printed
                print(f"{name}: {source}  NumPy: {wanted}{error}\n  here:  {told}", reason or "", "\n")
    print(f"{count} examples: {same} alike, {intended} differ by intention, {count - same - intended} else")


if __name__ == "__main__":
    main()
