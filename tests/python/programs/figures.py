# statistics, textwrap and pprint.
import statistics as st
import textwrap
from pprint import pformat, pp, pprint

data = [2, 4, 4, 4, 5, 5, 7, 9]
print(st.mean(data), st.median(data), st.mode(data), st.pstdev(data), st.pvariance(data), st.stdev([1.5, 2.5, 2.5, 2.75, 3.25, 4.75]))
print(st.mean([1, 2, 3]), st.mean([1, 2]), st.mean([0.5, 1.5]), st.fmean([1, 2, 4]), st.fmean([1, 2], weights=[3, 1]), st.mean([True, False]))
print(st.median([1, 3, 5]), st.median([1, 3]), st.median_low([1, 3]), st.median_high([1, 3]), st.multimode("aabbc"), st.mode(["x", "y", "x"]))
print(st.variance([1, 2, 3, 4]), st.variance([0.5, 1.5, 3.5]), st.quantiles([1, 2, 3, 4, 5]), st.quantiles(range(11), n=5, method="inclusive"))
print(st.harmonic_mean([40, 60]), round(st.geometric_mean([54, 24, 36]), 9), st.correlation([1, 2, 3], [2, 4, 6]), st.covariance([1, 2, 3], [1, 5, 7]))
for wrong in [lambda: st.mean([]), lambda: st.stdev([1]), lambda: st.median([]), lambda: st.mode([]), lambda: st.mean(["a"]), lambda: st.quantiles([1])]:
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e, isinstance(e, st.StatisticsError))
text = """
    def f():
        return 1

    # end
"""
print(repr(textwrap.dedent(text)))
print(repr(textwrap.dedent("  a\n   b\n\t\n c")), repr(textwrap.dedent("\ta\n  b")), repr(textwrap.dedent("")), repr(textwrap.dedent("a\n b")))
print(textwrap.indent("one\n\ntwo\n", "> "), repr(textwrap.indent("a\n\nb", "+", lambda line: True)))
config = {
    "name": "model", "layers": [{"type": "linear", "in": 784, "out": 256}, {"type": "relu"}, {"type": "linear", "in": 256, "out": 10}],
    "lr": 0.001, "tags": ("a", "b"), "empty": {}, "nested": {"deep": {"deeper": {"deepest": list(range(30))}}},
}
pprint(config)
pprint(config, width=40)
pprint(config, depth=2)
pprint(list(range(40)), compact=True)
pprint([["x" * 20] * 4, {"k": "y" * 30, 3: "z" * 40}], indent=4)
pp({"b": 1, "a": 2})
print(pformat({"b": 1, "a": [1, 2]}), pformat("short"), pformat({1, 2, 3}), pformat(("one",)))
pprint("the quick brown fox jumps over the lazy dog and then the story goes on and on for more than eighty characters")
pprint({"key": "the quick brown fox jumps over the lazy dog and then the story goes on and on for more than that"})
pprint({1: "a", "b": 2, (1, 2): [3]})
from statistics import NormalDist, linear_regression, median_grouped

n = NormalDist(100, 15)
print(n, n.cdf(110), n.pdf(100), n.zscore(130), n.mean, n.stdev, n.variance, n == NormalDist(100, 15))
print(NormalDist.from_samples([1, 2, 3, 4]), n + 5, n * 2, NormalDist(1, 2) + NormalDist(3, 4), -n, 3 - n)
for p in (0.975, 0.5, 0.1, 1e-12, 0.999999):
    print(round(n.inv_cdf(p), 9))
print([round(q, 9) for q in n.quantiles(4)], round(n.overlap(NormalDist(110, 15)), 12), round(n.overlap(NormalDist(90, 3)), 12))
r = linear_regression([1, 2, 3, 4], [2, 4, 6, 9])
print(r, r.slope, linear_regression([1, 2, 3], [2, 4, 7], proportional=True).intercept)
print(median_grouped([1, 2, 2, 3, 4, 4, 4, 5]), median_grouped([52, 52, 53, 54], 2))
