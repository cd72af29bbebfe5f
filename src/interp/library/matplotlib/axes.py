"""A pair of axes."""

from numpy import float64, inf, nan, ndarray

_bases = {"left": 0.0, "edge": 0.0, "center": 0.5}


class Axes:
    """A pair of axes and what is drawn in them."""

    def __init__(self, figure, place):
        self.figure, self._place = figure, place
        self.cla()

    def __repr__(self):
        return "<Axes: " + repr(self._title)[1:-1] + ">"

    def cla(self):
        """Empties the axes."""
        self.xaxis, self.yaxis, self._marks, self._title = Axis(), Axis(), [], ""
        self._legend, self._grid, self._frame, self._equal = False, False, True, False
        self._bar, self._odd, self._lines, self._fills = None, (0, 0), 0, 0

    clear = cla

    def _told(self, x=(None, None), y=(None, None)):
        marks = [mark._told() for mark in sorted(self._marks, key=lambda mark: mark._order)]
        flags = (self._legend, self._grid, self._frame, self._equal)
        return (self._place, self._title, self.xaxis._told(*x), self.yaxis._told(*y), marks, flags, self._bar, self._odd)

    def _view(self):
        return figure_view(self._told())

    def _add(self, mark, order=None):
        mark._order = 2 if order is None else order
        self._marks.append(mark)
        return mark

    def _next(self, is_line):
        if is_line:
            self._lines += 1
            return f"C{(self._lines - 1) % 10}"
        self._fills += 1
        return f"C{(self._fills - 1) % 10}"

    # Curves and points

    def plot(self, *args, **kwargs):
        """Draws curves: `plot(y)`, `plot(x, y)`, `plot(x, y, 'r--o')`, several of them in one call."""
        given = _chosen("Line2D.set()", kwargs, ("color", "linestyle", "linewidth", "marker", "markersize", "alpha", "label", "zorder"))
        lines, at = [], 0
        while at < len(args):
            group = [args[at]]
            at += 1
            if at < len(args) and not isinstance(args[at], str):
                group.append(args[at])
                at += 1
            fmt = ""
            if at < len(args) and isinstance(args[at], str):
                fmt = args[at]
                at += 1
            lines += self._curves(group, fmt, given)
        return lines

    def _curves(self, group, fmt, given):
        style, sign, color = _format(fmt)
        if style is None:
            style = "None" if sign is not None else "-"
        style = _dash(given["linestyle"]) if "linestyle" in given else _dash(style)
        sign = _sign(given["marker"]) if "marker" in given else sign
        color = given.get("color", color)
        width = float(given.get("linewidth", rcParams["lines.linewidth"])) * 100 / 72
        y = _numbers(group[-1], self.yaxis)
        x = _numbers(group[0], self.xaxis) if len(group) == 2 else None
        if y.ndim > 2 or x is not None and x.ndim > 2:
            raise ValueError("x and y can be no greater than 2D")
        if x is not None:
            _pair(x, y)
        columns = y.shape[1] if y.ndim == 2 else 1
        if x is not None and x.ndim == 2 and x.shape[1] not in (1, columns):
            raise ValueError(f"x has {x.shape[1]} columns but y has {columns} columns")
        labels = given.get("label")
        if not isinstance(labels, (list, tuple)) or len(labels) != columns:
            labels = [labels] * columns
        lines = []
        for column in range(columns):
            along = x if x is None or x.ndim == 1 else x[:, min(column, x.shape[1] - 1)]
            ink = _rgba(self._next(True) if color is None else color, given.get("alpha"))
            size = float(given.get("markersize", rcParams["lines.markersize"])) * 100 / 72
            line = Line2D(
                self, "curve", labels[column], ink, along, y[:, column] if y.ndim == 2 else y,
                None if style is None else width, style or "-", sign, size,
            )
            lines.append(self._add(line, given.get("zorder")))
        return lines

    def semilogx(self, *args, **kwargs):
        """As `plot`, over an axis of factors."""
        self.set_xscale("log")
        return self.plot(*args, **kwargs)

    def semilogy(self, *args, **kwargs):
        """As `plot`, with heights along an axis of factors."""
        self.set_yscale("log")
        return self.plot(*args, **kwargs)

    def loglog(self, *args, **kwargs):
        """As `plot`, with two axes of factors."""
        self.set_xscale("log")
        return self.semilogy(*args, **kwargs)

    def step(self, x, y, *args, where="pre", **kwargs):
        """Draws stairs: `where` is "pre", "post" or "mid"."""
        x, y = _numbers(x, self.xaxis), _numbers(y, self.yaxis)
        _pair(x, y)
        if where == "mid":
            middle = (x[1:] + x[:-1]) / 2
            return self.plot(concatenate([x[:1], repeat(middle, 2), x[-1:]]), repeat(y, 2), *args, **kwargs)
        if where not in ("pre", "post"):
            raise ValueError(f"{where!r} is not a valid value for where; supported values are 'pre', 'post', 'mid'")
        twice = repeat(x, 2), repeat(y, 2)
        if where == "pre":
            return self.plot(twice[0][:-1], twice[1][1:], *args, **kwargs)
        return self.plot(twice[0][1:], twice[1][:-1], *args, **kwargs)

    def scatter(self, x, y, s=None, c=None, *, marker=None, cmap=None, vmin=None, vmax=None, alpha=None, **kwargs):
        """Draws points; `c` is a colour, or a number for each, and `s` how large they are, in points squared."""
        given = _chosen("PathCollection.set()", kwargs, ("color", "label", "zorder"), ("edgecolor", "linewidth"))
        x, y = _numbers(x, self.xaxis).ravel(), _numbers(y, self.yaxis).ravel()
        if len(x) != len(y):
            raise ValueError("x and y must be the same size")
        sizes = asarray(36.0 if s is None else s, dtype=float64).ravel()
        if len(sizes) not in (1, len(x)):
            raise ValueError("s must be a scalar, or float array-like with the same size as x and y")
        color, values, sign = given.get("color"), None, _sign("o" if marker is None else marker)
        if c is not None and _is_color(c):
            color = c
        elif c is not None and len(c) == len(x) and all(isinstance(part, str) for part in c):
            for name in dict.fromkeys(c):
                which = array([part == name for part in c])
                ink, size = _rgba(name, alpha), sqrt(sizes if len(sizes) == 1 else sizes[which]) * 100 / 72
                last = self._add(PathCollection(self, "dots", given.get("label"), ink, x[which], y[which], size, None, sign))
            return last
        elif c is not None:
            numbers = (array(c) if isinstance(c, ndarray) else array(c, dtype=float64)).ravel()
            if len(numbers) != len(x):
                raise ValueError(f"'c' argument has {len(numbers)} elements, which is inconsistent with 'x' and 'y' with size {len(x)}.")
            values = (numbers, vmin, vmax, _map(cmap))
        ink = _rgba(self._next(False) if color is None else color, alpha)
        mark = PathCollection(self, "dots", given.get("label"), ink, x, y, sqrt(sizes) * 100 / 72, values, sign)
        return self._add(mark, given.get("zorder", 1))

    # Bars

    def _boxes(self, ends, count, given, is_flat=False):
        color, edge = given.get("color", given.get("facecolor")), given.get("edgecolor")
        edge = None if edge is None else _rgba(edge)
        several = isinstance(color, list) or isinstance(color, tuple) and not _is_color(color)
        colors = list(color) if several and len(color) > 0 else [self._next(False) if color is None else color]
        marks = []
        for at, one in enumerate(colors):
            parts = [end[at :: len(colors)] for end in ends]
            label = given.get("label") if at == 0 else None
            mark = Artist(self, "boxes", label, _rgba(one, given.get("alpha")), *parts, edge, is_flat)
            marks.append(self._add(mark, given.get("zorder", 1)))
        return BarContainer(self, count, marks)

    def _bars(self, place, length, thick, base, align, kwargs, is_flat):
        known = ("color", "facecolor", "edgecolor", "alpha", "label", "zorder", "tick_label", "log")
        given = _chosen("Rectangle.set()", kwargs, known, ("linewidth",))
        own, other = (self.yaxis, self.xaxis) if is_flat else (self.xaxis, self.yaxis)
        place, length = _numbers(place, own).ravel(), _numbers(length, other).ravel()
        count = max(len(place), len(length))
        place, length, thick = _column(place, count), _column(length, count), _column(thick, count)
        if align not in ("center", "edge"):
            raise ValueError(f"{align!r} is not a valid value for align; supported values are 'center', 'edge'")
        base = _column(0.0 if base is None else base, count)
        first = place - thick * _bases[align]
        if given.get("log"):
            other._set_scale("log")
        if given.get("tick_label") is not None:
            own._set_ticks(place.tolist(), given["tick_label"])
        ends = [first, base, first + thick, base + length]
        if is_flat:
            ends = [base, first, base + length, first + thick]
        return self._boxes(ends, count, given, is_flat)

    def bar(self, x, height, width=0.8, bottom=None, *, align="center", **kwargs):
        """Draws bars that stand."""
        return self._bars(x, height, width, bottom, align, kwargs, False)

    def barh(self, y, width, height=0.8, left=None, *, align="center", **kwargs):
        """Draws bars that lie."""
        return self._bars(y, width, height, left, align, kwargs, True)

    def hist(self, x, bins=None, range=None, density=False, weights=None, cumulative=False, histtype="bar",
             orientation="vertical", log=False, color=None, label=None, **kwargs):
        """Counts numbers in bins and draws that; gives the counts, the edges and the bars."""
        given = _chosen("Rectangle.set()", kwargs, ("edgecolor", "alpha", "zorder"), ("linewidth",))
        is_list = isinstance(x, (list, tuple)) and len(x) > 0 and hasattr(x[0], "__len__")
        series = [_numbers(part, self.xaxis).ravel() for part in (x if is_list else [x])]
        if not is_list and isinstance(x, ndarray) and x.ndim == 2:
            series = [array(x[:, column]) for column in arange(x.shape[1]).tolist()]
        seen = []
        for part in series:
            finite = isfinite(part)
            nans, infs = int(isnan(part).sum()), int(isinf(part).sum())
            self._odd = (self._odd[0] + nans, self._odd[1] + infs)
            seen.append(part[finite] if nans + infs else part)
        every = concatenate(seen) if len(seen) > 1 else seen[0]
        edges = histogram_bin_edges(every, rcParams["hist.bins"] if bins is None else bins, range)
        counts = [histogram(part, edges, weights=weights, density=density)[0] for part in seen]
        if cumulative:
            counts = [cumsum(part * diff(edges) if density else part) for part in counts]
        if histtype not in ("bar", "step", "stepfilled"):
            raise ValueError(f"{histtype!r} is not a valid value for histtype; supported values are 'bar', 'step', 'stepfilled'")
        if log:
            (self.yaxis if orientation == "vertical" else self.xaxis)._set_scale("log")
        colors = color if isinstance(color, (list, tuple)) and not _is_color(color) else [color] * len(series)
        labels = label if isinstance(label, (list, tuple)) else [label] + [None] * (len(series) - 1)
        if len(colors) != len(series):
            raise ValueError(f"The 'color' argument must have one color per dataset, but {len(series)} datasets and {len(colors)} colors were provided")
        made, wide = [], diff(edges) / len(series)
        for at, part in enumerate(counts):
            own = dict(given, label=labels[at], color=colors[at])
            if histtype == "step":
                ink = _rgba(self._next(False) if colors[at] is None else colors[at], given.get("alpha"))
                path = repeat(edges, 2), concatenate([zeros(1), repeat(part * 1.0, 2), zeros(1)])
                made.append(self._add(Line2D(self, "curve", labels[at], ink, *path, 1.5, "-", None, 1.0)))
                continue
            first = edges[:-1] + wide * at
            narrow = wide * 0.1 if len(series) > 1 else 0
            ends = [first + narrow, zeros(len(part)), first + wide - narrow, part * 1.0]
            if orientation == "horizontal":
                ends = [ends[1], ends[0], ends[3], ends[2]]
            made.append(self._boxes(ends, len(part), own, orientation == "horizontal"))
        if len(series) == 1:
            return counts[0], edges, made[0]
        return counts, edges, made

    # Areas and straight lines

    def fill_between(self, x, y1, y2=0, where=None, **kwargs):
        """Fills what lies between two curves."""
        given = _chosen("PolyCollection.set()", kwargs, ("color", "facecolor", "alpha", "label", "zorder"), ("linewidth",))
        x = _numbers(x, self.xaxis) * 1.0
        low, high = _column(y1, len(x)), _column(y2, len(x))
        if where is not None:
            low = low.copy()
            low[~asarray(where, dtype=bool)] = nan
        color = given.get("color", given.get("facecolor"))
        ink = _rgba(self._next(False) if color is None else color, given.get("alpha"))
        return self._add(PathCollection(self, "area", given.get("label"), ink, x, low, high), given.get("zorder", 1))

    def _straight(self, name, ends, kwargs, color="C0"):
        given = _chosen(name, kwargs, ("color", "linestyle", "linewidth", "alpha", "label", "zorder"))
        ink = _rgba(given.get("color", color), given.get("alpha"))
        width = float(given.get("linewidth", rcParams["lines.linewidth"])) * 100 / 72
        count = max(asarray(end).size for end in ends)
        ends = [_column(end, count) for end in ends]
        mark = PathCollection(self, "segments", given.get("label"), ink, *ends, width, _dash(given.get("linestyle")) or "-")
        return self._add(mark, given.get("zorder"))

    def axhline(self, y=0, **kwargs):
        """Draws a line across."""
        return self._straight("Line2D.set()", (-inf, y, inf, y), kwargs)

    def axvline(self, x=0, **kwargs):
        """Draws an upright line."""
        return self._straight("Line2D.set()", (x, -inf, x, inf), kwargs)

    def hlines(self, y, xmin, xmax, **kwargs):
        """Draws lines across from `xmin` to `xmax`."""
        return self._straight("LineCollection.set()", (xmin, y, xmax, y), kwargs)

    def vlines(self, x, ymin, ymax, **kwargs):
        """Draws upright lines from `ymin` to `ymax`."""
        return self._straight("LineCollection.set()", (x, ymin, x, ymax), kwargs)

    def _span(self, ends, kwargs, is_flat):
        given = _chosen("Rectangle.set()", kwargs, ("color", "facecolor", "edgecolor", "alpha", "label", "zorder"), ("linewidth",))
        return self._boxes([array([float(end)], dtype=float64) for end in ends], 1, given, is_flat)

    def axhspan(self, ymin, ymax, **kwargs):
        """Fills a strip across."""
        return self._span((-inf, ymin, inf, ymax), kwargs, True)

    def axvspan(self, xmin, xmax, **kwargs):
        """Fills an upright strip."""
        return self._span((xmin, -inf, xmax, inf), kwargs, False)

    def errorbar(self, x, y, yerr=None, xerr=None, fmt="", **kwargs):
        """Draws a curve with how far its points may be off."""
        x, y = _numbers(x, self.xaxis) * 1.0, _numbers(y, self.yaxis) * 1.0
        kwargs = _chosen("errorbar()", kwargs, tuple(kwargs), ("capsize",))
        line = self.plot(x, y, fmt, **kwargs)[0]
        for error, is_up in ((yerr, True), (xerr, False)):
            if error is not None:
                error = asarray(error, dtype=float64)
                below, above = (error[0], error[1]) if error.ndim == 2 else (error, error)
                ends = (x, y - below, x, y + above) if is_up else (x - below, y, x + above, y)
                self._straight("LineCollection.set()", ends, {})._color = line._color
        return line

    def stem(self, *args, **kwargs):
        """Draws points on stems: `stem(y)` or `stem(x, y)`."""
        given = _chosen("stem()", kwargs, ("label",))
        y = _numbers(args[-1], self.yaxis)
        x = _numbers(args[0], self.xaxis) if len(args) == 2 else arange(len(y))
        _pair(x, y)
        self._straight("LineCollection.set()", (x, 0.0, x, y), {})
        self.axhline(0, color="C3", linewidth=1)
        return self.plot(x, y, "C0o", **given)[0]

    def text(self, x, y, s, *, fontsize=10, color="black", ha="left", va="baseline", **kwargs):
        """Writes at a place."""
        given = _chosen("Text.set()", kwargs, ("alpha", "zorder", "horizontalalignment", "verticalalignment"))
        ha = given.get("horizontalalignment", ha)
        va = given.get("verticalalignment", va)
        drops = {"baseline": 0.0, "bottom": 0.0, "center": 0.5, "top": 1.0}
        if ha not in ("left", "center", "right") or va not in drops:
            raise ValueError(f"{ha!r}, {va!r} are no places of a text")
        ink = _rgba(color, given.get("alpha"))
        mark = Text(self, "label", None, ink, float(x), float(y), str(s), float(fontsize) * 1.1, ha, drops[va])
        return self._add(mark, given.get("zorder", 3))

    # Images

    def imshow(self, X, cmap=None, *, aspect=None, interpolation=None, alpha=None, vmin=None, vmax=None, origin=None, extent=None, **kwargs):
        """Shows a matrix as colours of a ramp, or a picture of (height, width, 3 or 4)."""
        _chosen("AxesImage.set()", kwargs, ())
        x = array(X)
        if x.dtype.kind == "f" and not isinstance(X, ndarray):
            x = array(X, dtype=float64)
        if x.dtype.kind == "c":
            raise TypeError("Image data of dtype complex128 cannot be converted to float")
        if not (x.ndim == 2 or x.ndim == 3 and x.shape[2] in (1, 3, 4)) or x.size == 0:
            raise TypeError(f"Invalid shape {tuple(x.shape)} for image data")
        if interpolation not in (None, "nearest", "none", "auto", "antialiased"):
            raise ValueError(f"interpolation={interpolation!r} is not there; cells are drawn as they are: 'nearest'")
        if origin not in (None, "upper", "lower"):
            raise ValueError(f"{origin!r} is not a valid value for origin; supported values are 'upper', 'lower'")
        if alpha is not None:
            raise ValueError("alpha is not there for images; a picture of (height, width, 4) has its own")
        x = x[:, :, 0] if x.ndim == 3 and x.shape[2] == 1 else x
        is_upper = origin != "lower"
        rows, cols = x.shape[0], x.shape[1]
        if extent is None:
            extent = (-0.5, cols - 0.5, rows - 0.5, -0.5) if is_upper else (-0.5, cols - 0.5, -0.5, rows - 0.5)
        extent = tuple(float(end) for end in extent)
        self.xaxis._is_turned, self.yaxis._is_turned = extent[0] > extent[1], extent[2] > extent[3]
        self.set_aspect("equal" if aspect is None else aspect)
        mark = AxesImage(self, "image", None, (0, 0, 0, 255), x, extent, _map(cmap), vmin, vmax, is_upper)
        return self._add(mark, 0)

    def matshow(self, Z, **kwargs):
        """Shows a matrix as colours."""
        return self.imshow(Z, **kwargs)

    def pcolormesh(self, *args, cmap=None, vmin=None, vmax=None, **kwargs):
        """Shows a matrix as colours, its first row below: `pcolormesh(C)` or `pcolormesh(X, Y, C)` with even steps."""
        _chosen("QuadMesh.set()", kwargs, (), ("shading",))
        z = asarray(args[-1])
        ends = (0.0, float(z.shape[1]), 0.0, float(z.shape[0]))
        if len(args) == 3:
            x, y = (asarray(part) for part in args[:2])
            x, y = (x[0] if x.ndim == 2 else x), (y[:, 0] if y.ndim == 2 else y)
            ends = ()
            for along, count in ((x, z.shape[1]), (y, z.shape[0])):
                steps = diff(along)
                if not allclose(steps, steps[0]):
                    raise ValueError("pcolormesh draws cells of one size here: x and y must have even steps")
                half = float(steps[0]) / 2 if len(along) == count else 0.0
                ends += (float(along[0]) - half, float(along[-1]) + half)
        return self.imshow(z, cmap, aspect="auto", vmin=vmin, vmax=vmax, origin="lower", extent=ends)
