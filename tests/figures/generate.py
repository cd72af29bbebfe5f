"""Writes `views.jsonl`: programs, and what matplotlib says of the axes that they draw. Wants matplotlib and NumPy.

    python3 tests/figures/generate.py > tests/figures/views.jsonl
"""

import json

import matplotlib

matplotlib.use("svg")
import matplotlib.colors as colors
import matplotlib.pyplot as plt
import numpy as np

chance = np.random.default_rng(5)


def tell(kind, **row):
    print(json.dumps({"kind": kind, **row}))


def inside(ticks, ends):
    """Numbers that are seen: ends are in view, up to rounding."""
    low, high = sorted(ends)
    slack = (high - low) * 1e-9 if low <= 0 or high < 1e3 * low else low * 1e-9
    return [float(at) for at in ticks if low - slack <= at <= high + slack]


def view(code):
    plt.close("all")
    exec(code, {"plt": plt, "np": np})
    axes = plt.gca()
    plt.gcf().canvas.draw()
    row = {"xlim": axes.get_xlim(), "ylim": axes.get_ylim()}
    row["xticks"], row["yticks"] = inside(axes.get_xticks(), row["xlim"]), inside(axes.get_yticks(), row["ylim"])
    tell("view", code=code, **{name: [float(end) for end in row[name]] for name in row})


PROGRAMS = """
plt.plot([1.0, 2.0, 3.0])
plt.plot([1, 2, 4], [10, 20, 5])
plt.plot([5.0, 5.0, 5.0])
plt.plot([0.0, 0.0])
plt.plot([-2.0])
plt.plot([1.0, float('nan'), 3.0])
plt.plot([1.0, 2.0]); plt.plot([0.0, 1.0, 2.0, 3.0], [7.0, -1.0, 0.0, 2.0])
plt.plot(np.array([[1.0, 2.0], [3.0, 5.0]]))
plt.plot([1, 2, 3]); plt.xlim(0, 10); plt.ylim(-1, 1)
plt.plot([1, 2, 3]); plt.xlim(10, 0)
plt.plot([1, 2, 3]); plt.ylim(bottom=0)
plt.plot([1, 2, 3]); plt.gca().invert_yaxis()
plt.plot([1, 2, 3]); plt.margins(0)
plt.plot([1, 2, 3]); plt.axis('tight')
plt.plot([1, 2, 3]); plt.axhline(10)
plt.plot([1, 2, 3]); plt.axvline(-4)
plt.scatter([1, 2, 3], [4, 5, 9])
plt.bar([0, 1, 2], [3.0, 5.0, 4.0])
plt.bar([0, 1, 2], [3.0, -5.0, 4.0], width=0.5)
plt.bar([0, 1, 2], [3.0, 5.0, 4.0], align='edge')
plt.barh([0, 1, 2], [3.0, 5.0, 4.0])
plt.bar([0, 1], [3.0, 5.0], bottom=[1.0, 2.0])
plt.hist([1.0, 2.0, 2.0, 3.0, 7.0])
plt.hist([1.0, 2.0, 2.0, 3.0, 7.0], bins=3, density=True)
plt.hist([1.0, 2.0, 2.0, 3.0, 7.0], bins=[0, 2, 4, 8])
plt.hist([1.0, 2.0, 2.0, 3.0, 7.0], cumulative=True)
plt.hist([1.0, 2.0, 2.0, 3.0, 7.0], orientation='horizontal')
plt.imshow(np.zeros((3, 5)))
plt.imshow(np.zeros((3, 5)), origin='lower')
plt.imshow(np.zeros((3, 5)), extent=(0, 6, 1, 5))
plt.imshow(np.zeros((20, 30, 3)))
plt.fill_between([0, 1, 2], [1.0, 2.0, 3.0], [0.0, 0.5, 1.0])
plt.fill_between([0, 1, 2], [1.0, 2.0, 3.0])
plt.step([0, 1, 2], [1.0, 2.0, 3.0])
plt.errorbar([0, 1, 2], [1.0, 2.0, 3.0], yerr=0.5)
plt.errorbar([0, 1, 2], [1.0, 2.0, 3.0], yerr=[0.5, 1.0, 2.0], xerr=0.25)
plt.hlines([1.0, 2.0], 0, 5)
plt.vlines([1.0, 2.0, 3.0], 0, [1.0, 2.0, 3.0])
plt.semilogy([1.0, 10.0, 1000.0])
plt.semilogx([1.0, 10.0, 1000.0], [1, 2, 3])
plt.loglog([1e-6, 1e9], [1e3, 1e30])
plt.semilogy([0.0, 10.0, 1000.0])
plt.semilogy([-1.0, -2.0])
plt.semilogy([5.0, 5.0, 5.0]); plt.xlim(0, 2)
plt.plot([1.0, 2.0, 3.0]); plt.yscale('log'); plt.ylim(1e-3, 1e3)
plt.plot([0, 1]); plt.xticks([0, 0.25, 1]); plt.yticks([0.5], ['half'])
plt.pcolormesh(np.zeros((3, 5)))
""".strip().split("\n")

for program in PROGRAMS:
    view(program)

for round_ in range(240):
    size = 10 ** chance.uniform(-14, 14)
    low = chance.normal() * size * 10 ** chance.uniform(0, [0, 1, 6][round_ % 3])
    high = low + chance.random() * size + abs(low) * 1e-9
    ends = f"{low!r}, {high!r}".replace("np.float64(", "").replace(")", "")
    view(f"plt.xlim({ends}); plt.ylim({ends})")

for fmt in ["r", "b-", "--", "r--o", "go", "k.", "C1", "C1-.", "m:^", "sy", "-.x", "c1", "1", "0.5", "tab:red", "#ff8800", "+", "None", "-", "k|--"]:
    try:
        line = plt.plot([1, 2], fmt)[0]
        style = line.get_linestyle()
        sign = line.get_marker()
        told = [round(part * 255) for part in colors.to_rgba(line.get_color())]
        plain = colors.to_rgba(matplotlib.rcParams["axes.prop_cycle"].by_key()["color"][0])
        is_own = any(letter in fmt for letter in "rgbcmykC#") and fmt != "None" or fmt in ("0.5", "tab:red")
        tell("format", fmt=fmt, style=None if style == "None" else style, sign=None if sign == "None" else sign, color=told if is_own else None)
    except ValueError:
        tell("format", fmt=fmt, error=True)
for fmt in ["rr", "--:", "oo", "q", "r--z", "C", "ox"]:
    try:
        plt.plot([1, 2], fmt)
    except ValueError:
        tell("format", fmt=fmt, error=True)

for name in ["r", "g", "y", "w", "k", "C0", "C3", "C12", "tab:olive", "tab:gray", "red", "Navy", "grey", "steelblue", "#abc", "#1f77b4", "#1f77b480", "0.25", "none"]:
    tell("color", name=name, color=[round(part * 255) for part in colors.to_rgba(name)])

for name in "viridis plasma inferno magma cividis gray binary hot cool bwr coolwarm RdBu seismic Blues Greens Reds turbo jet viridis_r".split():
    ramp = [[round(part * 255) for part in matplotlib.colormaps[name](at / 20)[:3]] for at in range(21)]
    tell("map", name=name, colors=ramp)
