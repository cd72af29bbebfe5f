#!/usr/bin/env python3
"""Writes scalars.jsonl: what Python numbers become beside arrays of each type, by NumPy.

    python tests/numpy/scalars.py > tests/numpy/scalars.jsonl

A line is {"setup": program, "cases": [[program, value, both], …]}: the value of each program's last
statement after the setup, encoded as in generate.py. `both` says that it does not hang on the type of
new floats, so that it holds in either mode of `default_float`.
"""

import json
import sys
import warnings

import numpy as np

from generate import encode, kind_of

TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u1", "u8", "c16"]
NUMBERS = ["0.1", "-2.5", "2147483647.0", "2**53 + 1", "float(2**53 + 1)", "1e300", "300", "-1", "3.0", "nan", "inf", "True"]
# {x}: an array; {s}: the number; {m}: a mask.
RESULTS = [
    "np.full_like(x, {s})", "np.pad(x, 1, constant_values={s})", "np.insert(x, 1, {s})", "np.append(x, {s})",
    "np.where(m, x, {s})", "np.where(m, {s}, x)", "np.clip(x, {s}, None)", "np.clip(x, None, {s})",
    "np.array_equal(x, [{s}, {s}, {s}])", "np.array_equal(np.full(3, 1, x.dtype) * x[2], x[2])",
    "np.isclose(x, {s}, rtol=0, atol=0)", "np.allclose(x[2:], {s}, rtol=0, atol=0)",
    "np.isin(x, {s})", "np.isin(x, [{s}, 7])", "np.isin({s}, x)", "np.searchsorted(np.sort(x), {s})",
    "np.searchsorted(np.sort(x), [{s}, 0.5], side='right')", "np.digitize(x, [{s}])", "np.digitize({s}, np.sort(x))",
    "np.select([m], [x], {s})", "np.select([m], [{s}], x)", "np.choose(i, [x, {s}])", "np.maximum(x, {s})", "np.minimum({s}, x)",
    "x + {s}", "{s} - x", "x * {s}", "x == {s}", "x < {s}", "{s} >= x", "x != [{s}, 1, 2]", "np.greater(x, {s})", "np.add(x, [{s}, 1, 2])",
    "np.nan_to_num(x, nan={s})", "np.union1d(x, [{s}])", "np.setdiff1d(x, [{s}])", "np.intersect1d(x, [{s}])",
    "np.concatenate([x, [{s}]])", "np.hstack([x, {s}])", "np.stack([x[0], {s}])", "np.array([x[0], {s}])", "np.diff(x, prepend={s})",
    "np.dot(x, {s})", "np.dot(x, [{s}, 1, 1])", "np.outer(x, [{s}])", "np.heaviside(x, {s})", "np.copysign(x, {s})",
    "np.float_power(np.abs(x[:2]), 0.1)", "np.array([{s}], dtype=x.dtype)", "np.asarray({s}, dtype=x.dtype)",
    "np.trapezoid(x[:2], dx={s})", "np.average(x[:2], weights=[0.1, {s}])", "np.interp({s}, [0.1, 0.2], [0.3, 0.7])",
    "np.add(x, {s}, dtype='f8')", "np.sum([{s}, 0.1], dtype='f8')", "np.cumsum([{s}, 0.7], dtype='f8')", "np.exp(0.1, dtype='f8')",
    "np.isin(x, 5.0000000001)", "np.searchsorted(np.sort(x), 5.0000000001)", "np.array_equal(x, [1, 0, 5.0000000001])", "np.setdiff1d(x, [5.0000000001])",
    "np.piecewise(x, [m], [{s}, 1])", "np.r_[x, {s}]", "np.linspace(0, {s}, 3, dtype=x.dtype)", "np.pad(x, 1, 'linear_ramp', end_values={s})",
    "np.kron(x, {s})", "np.polyval([{s}, 1], x)", "np.polyval(x, {s})", "np.diff(x, append={s})", "np.convolve(x, [{s}])", "np.ediff1d(x, to_begin={s}, to_end={s})",
    "np.sum(x, initial={s})", "np.max(x, initial={s})", "np.fmax(x, {s})", "np.array_equiv(x, {s})", "np.setxor1d(x, [{s}])", "np.logical_and(x, {s})", "x[0] + {s}",
    "x[0] == {s}", "{s} * x[2]", "np.column_stack([x, [{s}, 1, 2]])", "np.cross(x, [{s}, 1, 2])", "np.einsum('i,i', x, [{s}, 1, 2])",
    "np.block([x, {s}])", "np.vdot(x, [{s}, 0, 0])", "np.where(m, x, [{s}, 1, 2])", "np.full(2, {s}, dtype=x.dtype)", "{s} in x",
]
STORES = [
    "a[0] = {s}", "a[:] = {s}", "a[m] = {s}", "a[[0, 2]] = {s}", "a[:] = [{s}, 1, 1]", "a[m] = [{s}, 1]", "a.fill({s})", "np.put(a, [0], {s})",
    "np.put(a, [0, 1], [{s}, 1])", "np.putmask(a, m, {s})", "np.place(a, m, {s})", "np.place(a, m, [{s}])", "np.copyto(a, {s})",
    "np.put_along_axis(a, np.array([1]), {s}, 0)", "b = a.reshape(1, 3); np.fill_diagonal(b, {s})", "np.add.at(a, [0, 0], {s})",
    "a.flat[0] = {s}", "a.flat[:] = [{s}]", "a.flat = [{s}, 1]", "np.maximum.at(a, [1, 1], {s})", "a[0], a[1] = {s}, 1", "a[1:] = [{s}, {s}]", "a[...] = {s}",
    "np.copyto(a, [{s}, 1, 1], where=m)", "np.putmask(a, m, [{s}, 1])", "a.put(1, {s})",
]

# Lists and numbers beside arrays of doubles, in functions that make arrays of their arguments one by one.
DOUBLES = "x = np.array([0.5, 1.5, 2.5], dtype='f8'); m = np.array([[1.0, 2.0], [3.0, 5.0]], dtype='f8'); c = np.array([1+2j, 3.5-1j], dtype='c16')"
BESIDE = [
    "np.piecewise(x,[x>1],[0.1,0.3])", "np.piecewise(x,[x>1, x>2],[0.1,0.3,0.7])", "np.select([x>2, x>1],[0.1,x],0.3)",
    "np.choose([0,1,0],[0.1,x])",
    "np.clip(x, 0.6, 1.1)", "np.clip(x, 0.6, None)", "np.digitize(x, [0.1,0.7,2.3])",
    "np.digitize(0.1, x)", "np.searchsorted(x, 1.1)", "np.insert(x, 1, 0.1)",
    "np.insert(x, [0,1], [0.1,0.2])", "np.append(x, [0.1])", "np.concatenate([x,[0.1]])",
    "np.hstack([x,0.1])", "np.vstack([x,[0.1,0.2,0.3]])", "np.r_[x,0.1]",
    "np.c_[x,[0.1,0.2,0.3]]", "np.pad(x,1,constant_values=(0.1,0.3))", "np.pad(x,2,mode='linear_ramp',end_values=0.1)",
    "np.full_like(x,0.1)", "np.interp([0.1,0.9],x,x*2)", "np.interp(0.1,[0.,1.],x[:2])",
    "np.interp(x,x,x,left=0.1,right=0.3)", "np.interp(9.,x,x,right=0.3)", "np.interp(x,x,x,period=0.7)",
    "np.polyval([0.1,0.2,0.3],x)", "np.polyval(x,0.1)", "np.polyfit(x,[0.1,0.2,0.4],1)",
    "np.trapezoid(x,dx=0.1)", "np.trapezoid(x,[0.1,0.2,0.4])", "np.gradient(x,0.1)",
    "np.gradient(x,[0.1,0.2,0.4])", "np.diff(x,prepend=0.1)", "np.diff(x,append=0.1)",
    "np.ediff1d(x,to_begin=0.1,to_end=0.3)", "np.convolve(x,[0.1,0.2])", "np.correlate(x,[0.1,0.2],'full')",
    "np.cross(x,[0.1,0.2,0.3])", "np.dot(x,[0.1,0.2,0.3])", "np.inner(x,[0.1,0.2,0.3])",
    "np.outer(x,[0.1,0.2,0.3])", "np.kron(x,[0.1,0.2])", "np.einsum('i,i',x,[0.1,0.2,0.3])",
    "np.tensordot(x,[0.1,0.2,0.3],1)", "np.vdot(x,[0.1,0.2,0.3])", "np.matmul(m,[0.1,0.2])",
    "m @ [0.1,0.2]", "np.linalg.solve(m,[0.1,0.2])", "np.linalg.lstsq(m,[0.1,0.2])[0]",
    "np.average(x,weights=[0.1,0.2,0.4])", "np.percentile(x,33.3)", "np.quantile(x,[0.1,0.3])",
    "np.quantile(x,0.1,method='hazen')", "np.nanquantile(x,0.1)", "np.nanpercentile(x,[10.1,33.3])",
    "np.quantile(x,0.3,weights=[0.1,0.2,0.4],method='inverted_cdf')", "np.histogram(x,bins=[0.1,0.7,2.7])[1]", "np.histogram(x,bins=3,range=(0.1,2.7))[1]",
    "np.histogram_bin_edges(x,3,range=(0.1,0.7))",
    "np.bincount([0,1,1],weights=x*0.1)", "np.cov(x,[0.1,0.2,0.4])", "np.corrcoef(x,[0.1,0.2,0.4])",
    "np.cov(x,aweights=[0.1,0.2,0.4])", "np.fmod(x,0.3)", "np.mod(x,0.3)",
    "x % 0.3", "x // 0.3", "0.3 // x",
    "0.1 - x", "x ** 0.1", "0.1 ** x",
    "divmod(x,0.3)", "np.divmod(x,0.3)", "np.hypot(x,0.1)",
    "np.arctan2(x,0.1)", "np.arctan2(0.1,x)", "np.copysign(x,-0.1)",
    "np.nextafter(x,0.1)", "np.heaviside(x-0.5,0.1)", "np.logaddexp(x,0.1)",
    "np.logaddexp2(x,0.1)", "np.maximum(x,0.7)", "np.fmin(x,0.7)",
    "np.float_power(x,0.1)", "np.isclose(x,0.5+1e-9,rtol=1e-10,atol=0)", "np.allclose(x,[0.1,0.2,0.3])",
    "np.isin(x,[0.5,0.1])", "np.isin(x*0.1,[0.05,0.15000000000000002])", "np.sum(x,initial=0.1)",
    "np.prod(x,initial=0.1)", "np.max(x,initial=2.7)", "np.min(x,initial=0.1)",
    "x.sum(initial=0.1)", "np.add.reduce(x,initial=0.1)", "np.add.accumulate(x*0.1)",
    "np.add.outer(x,[0.1,0.2])", "np.multiply.outer(x,0.1)", "np.vander(x*0.1,3)",
    "np.unwrap(x*3,period=0.7)", "np.unwrap(x*3,discont=0.1)", "np.sinc(x*0.1)",
    "np.i0(x*0.1)", "np.apply_along_axis(lambda r: r*0.1,0,x)",
    "np.vectorize(lambda r: r*0.1)(x)", "np.setdiff1d(x,[0.5])",
    "np.union1d(x,[0.1])", "np.intersect1d(x,[0.5,0.1])", "np.lexsort((x,[0.3,0.1,0.2]))",
    "np.array([x,[0.1,0.2,0.3]])", "np.stack([x,[0.1,0.2,0.3]])", "np.block([[x,0.1*x]])",
    "np.polyadd(x,0.1)", "np.polynomial.polynomial.polyval(x,[0.1,0.2])", "np.linalg.norm(x,0.3)",
    "np.linalg.matrix_power(m*0.1,3)", "np.linalg.cond(m)", "np.linalg.pinv(m,0.1)",
    "np.linalg.matrix_rank(m,0.1)", "np.abs(c*0.1)", "np.round(x*0.1,2)",
    "np.around(x*1.1,1)", "np.std(x,ddof=0.3)", "np.var(x,ddof=1)",
    "np.var(x,mean=0.1)", "np.std(x,correction=0.5)", "np.apply_over_axes(np.sum,m*0.1,[0,1])",
    "x.clip(0.7)", "x.dot([0.1,0.2,0.3])", "x.searchsorted([0.7])",
    "x.round(1)*0.1", "x.__add__(0.1)", "x.__rpow__(0.1)",
    "x[0]+0.1", "x[0]*0.1+x[1]*0.3", "x.mean()+0.1",
    "abs(x[0]-0.1)", "min(x[0],0.1)", "max(0.7,x[0])",
    "sum(x*0.1)", "sum([0.1,x[0]])", "np.minimum.reduce(x,initial=0.1)",
    "np.logical_and(x,0.1)", "np.lib.stride_tricks.sliding_window_view(x*0.1,2)", "np.trace(m*0.1)",
    "np.polyint(x,k=0.1)", "np.polyint(x,2,k=[0.1,0.2])", "np.polymul(x,[0.1,0.2])",
    "np.polydiv(x,[0.1,0.7])", "np.polysub([0.1,0.2],x)", "np.polyfit(x,x*x,1,w=[0.1,0.2,0.4])",
    "np.polynomial.polynomial.polyadd(x,[0.1,0.2])", "np.polynomial.polynomial.polymul(x,[0.1,0.2])", "np.polynomial.polynomial.polysub(x,[0.1,0.2])",
    "np.polynomial.polynomial.polydiv(x,[0.1,0.7])", "np.polynomial.polynomial.polyval([0.1,0.2],x)", "np.polynomial.polynomial.polyval2d(x,[0.1,0.2,0.3],m)",
    "np.polynomial.polynomial.polygrid2d(x,[0.1,0.2],m)", "np.polynomial.polynomial.polyvander2d(x,[0.1,0.2,0.3],[1,1])", "np.polynomial.polynomial.polyvalfromroots(x,[0.1,0.2])",
    "np.polynomial.polynomial.polyint(x,k=0.1)", "(np.polynomial.Polynomial(x)+[0.1,0.2]).coef", "(np.polynomial.Polynomial(x)*0.1).coef",
    "np.polynomial.Polynomial.fit(x,[0.1,0.2,0.4],1).convert().coef", "np.linalg.solve([[0.1,0.2],[0.3,0.7]],x[:2])", "np.linalg.multi_dot([m,[[0.1,0.2],[0.3,0.4]],m])",
    "np.linalg.tensorsolve(m,[0.1,0.2])", "np.linalg.cross(x,[0.1,0.2,0.3])", "np.linalg.outer(x,[0.1,0.2])",
    "np.linalg.vecdot(x,[0.1,0.2,0.3])", "np.vecdot(x,[0.1,0.2,0.3])", "np.matvec(m,[0.1,0.2])",
    "np.vecmat([0.1,0.2],m)", "np.average(m,axis=(0,1),weights=[[0.1,0.2],[0.3,0.4]])", "np.linspace(x,[0.1,0.2,0.3],3)",
    "np.linspace(x,0.1,3)", "np.geomspace(x,[0.1,0.2,0.3],3)", "np.logspace(x,[0.1,0.2,0.3],3)",
    "np.logspace(x,x,3,base=0.7)", "np.intersect1d(x*0.1,[0.15000000000000002])", "np.setxor1d(x*0.1,[0.05])",
    "np.union1d(x*0.1,[0.1])", "np.setdiff1d(x*0.1,[0.05])", "np.r_[0.1,x,[0.1,0.2]]",
    "np.c_[[0.1,0.2,0.3],x]", "np.r_[x,0.1:0.7:0.2]", "np.interp([0.1],x,[0.1,0.2,0.3],period=0.7)",
    "np.cov(m,aweights=[0.1,0.3])", "np.atleast_1d(x,[0.1])",
    "np.histogram2d(x,[0.1,0.2,0.3],bins=2)[1]", "np.histogram2d(x,[0.1,0.2,0.3],bins=2)[2]",
    "np.lexsort((x,[0.1,0.2,0.3]))", "np.einsum('ij,j',m,[0.1,0.2])",
    "np.column_stack([x,[0.1,0.2,0.3]])", "np.dstack([x,[0.1,0.2,0.3]])",
    "np.ma if False else np.add(x,[0.1,0.2,0.3])", "np.where([True,False,True],x,[0.1,0.2,0.3])",
    "np.maximum.outer(x,[0.1,0.7])", "np.subtract.outer([0.1,0.2],x)", "np.add.reduceat(x*0.1,[0,1])",
    "np.nanstd(x*0.1)", "np.nanvar(x,mean=[0.1])", "np.std(x,mean=0.1)",
    "np.mean(x,where=[True,False,True])", "np.isclose([0.1],x[:1]*0.2)", "np.array_equiv([0.05],x[:1]*0.1)",
    "np.asarray(x).tolist() == [0.5,1.5,2.5]", "(x*0.1).tolist() == [0.05,0.15000000000000002,0.25]", "np.trapezoid([0.1,0.2,0.4],x)",
    "np.gradient([0.1,0.2,0.4],x)", "np.clip([0.1,0.9,1.1],x,2)", "np.searchsorted([0.05,0.15,0.25],x*0.1)",
    "np.digitize(x*0.1,[0.05,0.15])", "np.isin([0.05],x*0.1)",
    "np.select([[True,False,False]],[[0.1,0.2,0.3]],x)", "np.roll(x*0.1,1)", "np.nextafter(0.1,x)",
    "np.allclose(x*0.1,[0.05,0.15,0.25],rtol=1e-15,atol=0)", "np.hypot([0.1,0.2,0.3],x)", "np.sum([0.1,0.2]*x[:2])",
    "sum([0.1,0.2]*x[:2])", "[0.1,0.2]@m", "np.ldexp(x,1)*0.1",
    "np.minimum(x,[0.1,0.2,0.3])", "x.clip([0.1,0.2,0.3],[0.7,0.8,0.9])", "np.round([0.15,0.25]*x[:2],1)",
    "np.inner([0.1,0.2],m)", "np.kron([0.1],x)", "np.vander([0.1,0.2]*x[:2])",
    "np.polynomial.polynomial.polyfit(x,[0.1,0.2,0.4],1)", "c+[0.1,0.2j]", "c*0.1",
    "c**0.3", "np.fft.fft(x,norm='ortho')", "(np.poly1d(x)*[0.1,0.2]).coef",
    "(np.poly1d(x)+[0.1,0.2]).coef", "([0.1,0.2]-np.poly1d(x)).coef",
]


def setups():
    for code in TYPES:
        for number in NUMBERS:
            setup = f"x = np.array([1, 0, 5], dtype='{code}'); m = np.array([True, False, True]); i = np.array([0, 1, 1])"
            # The third element is the number itself where the type has it.
            held = hold(number, code)
            if held is not None:
                setup += f"; x[2] = {held}"
            lasts = [template.format(s=number) for template in RESULTS]
            stores = [f"a = x.copy(); {template.format(s=number)}; a" for template in STORES]
            yield code, number, setup, dict.fromkeys(lasts + stores)


def hold(number, code):
    try:
        np.array([eval(number, {"nan": np.nan, "inf": np.inf})], dtype=code)
    except (ValueError, OverflowError):
        return None
    return number


def answer(setup, program):
    scope = {"np": np, "nan": np.nan, "inf": np.inf}
    body, _, last = f"{setup}; {program}".rpartition("; ")
    try:
        exec(body, scope)
        return encode(eval(last, scope))
    except RuntimeWarning:
        return None
    except Exception as error:
        return {"error": kind_of(error)}


def is_float(value):
    return isinstance(value, list) and value[0].startswith("float") or isinstance(value, float)


def main():
    # Where NumPy warns, the value is nobody's.
    warnings.simplefilter("error", RuntimeWarning)
    warnings.filterwarnings("ignore", "overflow encountered in cast|invalid value encountered in cast")
    for code, number, setup, programs in setups():
        cases = []
        for program in programs:
            if is_left_out(code, number, program):
                continue
            with np.errstate(all="ignore"):
                value = answer(setup, program)
            if value is not None:
                both = code == "f8" and "interp" not in program or code[0] in "iu" and not is_float(value)
                cases.append([program, value, both])
        json.dump({"setup": setup, "cases": cases}, sys.stdout, separators=(",", ":"))
        print()
    cases = [[program, answer(DOUBLES, program), True] for program in BESIDE]
    json.dump({"setup": DOUBLES, "ulps": 64, "scale": 1.0, "cases": cases}, sys.stdout, separators=(",", ":"))
    print()


def is_left_out(code, number, program):
    """What differs on purpose."""
    whole = number in ("2**53 + 1", "300", "-1", "True")
    if code[0] in "iu":
        # NumPy's `full`, `where` and their kin wrap numbers that are too large.
        wraps = ("np.pad(", "np.full(", "np.full_like(", "np.where(", "np.select(", "np.choose(", "a = x.copy(); np.copyto(a, [")
        # Narrow integers become float16 or float32 there, and `at` works in float64.
        narrow = code[1] in "12" and program.startswith(("np.heaviside(", "np.copysign("))
        return program.startswith(wraps) or narrow or ".at(" in program
    if code == "c16" and number == "inf" and program.startswith(("np.dot", "np.convolve")):
        # Which part of a product with infinity is NaN hangs on the library that sums it.
        return True
    if "linear_ramp" in program and code in ("f4", "f2"):
        # A ramp to infinity.
        return True
    # An integer array that meets a narrower float takes its type.
    strong = ("[", "np.append", "np.diff", "np.hstack", "np.dot", "np.union1d", "np.intersect1d", "np.kron", "np.polyval")
    return whole and code != "f8" and any(word in program for word in strong)


if __name__ == "__main__":
    main()
