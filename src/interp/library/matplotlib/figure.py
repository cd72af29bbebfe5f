"""Figures, and what is set on axes."""

from numpy import float64


class _Subplot(Axes):
    """Axes with everything that is said about them."""

    def set_title(self, label, **kwargs):
        """Writes above the axes."""
        _chosen("Text.set()", kwargs, (), ("fontsize", "loc", "pad", "fontweight"))
        self._title = str(label)

    def set_xlabel(self, xlabel, **kwargs):
        """Says what the axis below measures."""
        _chosen("Text.set()", kwargs, (), ("fontsize", "labelpad", "color"))
        self.xaxis._label = str(xlabel)

    def set_ylabel(self, ylabel, **kwargs):
        """Says what the axis on the left measures."""
        _chosen("Text.set()", kwargs, (), ("fontsize", "labelpad", "color", "rotation"))
        self.yaxis._label = str(ylabel)

    def get_title(self):
        """What stands above the axes."""
        return self._title

    def get_xlabel(self):
        """What the axis below measures."""
        return self.xaxis._label

    def get_ylabel(self):
        """What the axis on the left measures."""
        return self.yaxis._label

    def set_xlim(self, left=None, right=None, *, xmin=None, xmax=None):
        """Says where the axis below begins and ends."""
        self.xaxis._limit(xmin if left is None else left, xmax if right is None else right)
        return self.get_xlim()

    def set_ylim(self, bottom=None, top=None, *, ymin=None, ymax=None):
        """Says where the axis on the left begins and ends."""
        self.yaxis._limit(ymin if bottom is None else bottom, ymax if top is None else top)
        return self.get_ylim()

    def get_xlim(self):
        """Where the axis below begins and ends."""
        return self._view()[0]

    def get_ylim(self):
        """Where the axis on the left begins and ends."""
        return self._view()[1]

    def get_xticks(self):
        """Where numbers stand along the axis below."""
        return array([at for at, _ in self._view()[2]], dtype=float64)

    def get_yticks(self):
        """Where numbers stand along the axis on the left."""
        return array([at for at, _ in self._view()[3]], dtype=float64)

    def set_xscale(self, value):
        """Makes equal distances equal steps, "linear", or equal factors, "log"."""
        self.xaxis._set_scale(value)

    def set_yscale(self, value):
        """As `set_xscale`, of the axis on the left."""
        self.yaxis._set_scale(value)

    def get_xscale(self):
        """What equal distances mean along the axis below."""
        return self.xaxis._scale

    def get_yscale(self):
        """What equal distances mean along the axis on the left."""
        return self.yaxis._scale

    def set_xticks(self, ticks, labels=None, **kwargs):
        """Says which numbers stand along the axis below, and what is written there."""
        _chosen("Text.set()", kwargs, (), ("fontsize",))
        self.xaxis._set_ticks(ticks, labels)

    def set_yticks(self, ticks, labels=None, **kwargs):
        """As `set_xticks`, of the axis on the left."""
        _chosen("Text.set()", kwargs, (), ("fontsize",))
        self.yaxis._set_ticks(ticks, labels)

    def set_xticklabels(self, labels, **kwargs):
        """Says what is written along the axis below."""
        self.set_xticks([at for at, _ in self._view()[2]], labels, **kwargs)

    def set_yticklabels(self, labels, **kwargs):
        """Says what is written along the axis on the left."""
        self.set_yticks([at for at, _ in self._view()[3]], labels, **kwargs)

    def invert_xaxis(self):
        """Turns the axis below around."""
        self.set_xlim(*reversed(self.get_xlim()))

    def invert_yaxis(self):
        """Turns the axis on the left around."""
        self.set_ylim(*reversed(self.get_ylim()))

    def set(self, **kwargs):
        """Sets several things by their names: `set(title="…", xlim=(0, 1))`."""
        for name, value in kwargs.items():
            if name not in ("title", "xlabel", "ylabel", "xlim", "ylim", "xscale", "yscale", "xticks", "yticks", "aspect"):
                raise AttributeError(f"Axes.set() got an unexpected keyword argument {name!r}")
            getattr(self, "set_" + name)(value)

    def set_aspect(self, aspect):
        """Makes a step as long on both axes, "equal", or not, "auto"."""
        if aspect not in ("equal", "auto", 1):
            raise ValueError(f"{aspect!r} is not a valid value for aspect; supported values are 'equal', 'auto'")
        self._equal = aspect != "auto"

    def set_axis_off(self):
        """Takes the frame and the numbers away."""
        self._frame = False

    def axis(self, arg=None):
        """"off", "on", "equal", "tight", "auto" or (left, right, bottom, top); gives that."""
        if arg == "off" or arg == "on":
            self._frame = arg == "on"
        elif arg in ("equal", "scaled", "square"):
            self.set_aspect("equal")
        elif arg in ("tight", "auto"):
            self.xaxis._ends = self.yaxis._ends = (None, None)
            self.xaxis._margin = self.yaxis._margin = 0.05
        elif arg is not None:
            left, right, bottom, top = arg
            self.set_xlim(left, right)
            self.set_ylim(bottom, top)
        view = self._view()
        return view[0] + view[1]

    def margins(self, x=None, y=None):
        """How much room there is beside what is drawn, of its extent."""
        for axis, margin in ((self.xaxis, x), (self.yaxis, x if y is None else y)):
            if margin is not None:
                axis._margin = float(margin)

    def legend(self, *args, **kwargs):
        """Names what is drawn: by its labels, or by a list of names."""
        _chosen("Legend.set()", kwargs, (), ("loc", "fontsize", "frameon", "ncol", "title"))
        if args:
            shown = [mark for mark in self._marks if mark._kind != "label"]
            marks, labels = (shown, args[0]) if len(args) == 1 else args
            for mark, label in zip(marks, labels):
                mark.set_label(label)
        self._legend = True

    def grid(self, visible=None, which="major", axis="both", **kwargs):
        """Draws lines behind everything where numbers stand."""
        _chosen("Line2D.set()", kwargs, (), ("color", "linestyle", "linewidth", "alpha"))
        if axis != "both":
            raise ValueError("grid lines are drawn along both axes")
        self._grid = not self._grid if visible is None and not kwargs else visible is not False


class _Grid:
    """Axes in rows and columns: `axs[0, 1]`, `axs.flat`."""

    def __init__(self, axes, shape):
        self._axes, self.shape = axes, shape

    @property
    def flat(self):
        """All of them, row by row."""
        return iter(self._axes)

    size = property(lambda self: len(self._axes))

    def ravel(self):
        """All of them, in one row."""
        return _Grid(self._axes, (len(self._axes),))

    flatten = ravel

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return iter(self[at] for at in range(len(self)))

    def __getitem__(self, index):
        if len(self.shape) == 1:
            found = self._axes[index]
            return _Grid(found, (len(found),)) if isinstance(found, list) else found
        row, column = index if isinstance(index, tuple) else (index, slice(None))
        wide = self.shape[1]
        rows = [self._axes[at * wide : (at + 1) * wide] for at in range(self.shape[0])]
        if isinstance(row, slice):
            found = [line[column] for line in rows[row]]
            if isinstance(column, slice):
                flat = [axes for line in found for axes in line]
                return _Grid(flat, (len(found), len(found[0]) if found else 0))
            return _Grid(found, (len(found),))
        found = rows[row][column]
        return _Grid(found, (len(found),)) if isinstance(found, list) else found

    def __repr__(self):
        return f"<{' × '.join(str(side) for side in self.shape)} Axes>"


class Figure:
    """A sheet with axes on it."""

    def __init__(self, figsize=None, dpi=None):
        size = rcParams["figure.figsize"] if figsize is None else figsize
        wide, high = (float(side) for side in size)
        if not (0.2 <= wide <= 150 and 0.2 <= high <= 150):
            raise ValueError(f"figure size must be from 0.2 to 150 inches, not {tuple(size)}")
        self._size, self.dpi = (wide, high), float(rcParams["figure.dpi"] if dpi is None else dpi)
        self.axes, self._title, self._now, self._shared = [], "", None, (False, False)

    def __repr__(self):
        wide, high = (round(side * self.dpi) for side in self._size)
        return f"<Figure size {wide}x{high} with {len(self.axes)} Axes>"

    def _told(self):
        bounds = []
        for at, is_shared in enumerate(self._shared):
            views = [axes._view()[at] for axes in self.axes] if is_shared else []
            bounds.append((min(min(view) for view in views), max(max(view) for view in views)) if views else (None, None))
        return (self._size[0] * 100, self._size[1] * 100, self._title, [axes._told(*bounds) for axes in self.axes])

    def gca(self):
        """The axes that were used last; new ones where there are none."""
        if self._now is None:
            self.add_subplot()
        return self._now

    def add_subplot(self, *args, **kwargs):
        """Axes in a grid: `add_subplot(2, 2, 1)`, `add_subplot(221)`."""
        _chosen("Axes.set()", kwargs, ())
        if len(args) == 1 and isinstance(args[0], int) and 110 < args[0] < 1000:
            args = tuple(int(digit) for digit in str(args[0]))
        rows, cols, index = args if args else (1, 1, 1)
        first, last = index if isinstance(index, tuple) else (index, index)
        if not 1 <= first <= last <= rows * cols:
            raise ValueError(f"num must be an integer with 1 <= num <= {rows * cols}, not {index}")
        (top, left), (bottom, right) = divmod(first - 1, cols), divmod(last - 1, cols)
        place = (left / cols, top / rows, (right + 1) / cols, (bottom + 1) / rows)
        for axes in self.axes:
            if axes._place == place:
                self._now = axes
                return axes
        self._now = _Subplot(self, place)
        self.axes.append(self._now)
        return self._now

    def subplots(self, nrows=1, ncols=1, *, sharex=False, sharey=False, squeeze=True):
        """Axes in rows and columns."""
        if nrows < 1 or ncols < 1:
            raise ValueError(f"Number of rows and columns must be positive, not {nrows} and {ncols}")
        made = [self.add_subplot(nrows, ncols, at + 1) for at in range(nrows * ncols)]
        self._now, self._shared = made[-1], (sharex not in (False, "none"), sharey not in (False, "none"))
        if not squeeze:
            return _Grid(made, (nrows, ncols))
        if nrows * ncols == 1:
            return made[0]
        return _Grid(made, (nrows, ncols) if nrows > 1 and ncols > 1 else (nrows * ncols,))

    def suptitle(self, t, **kwargs):
        """Writes above all axes."""
        _chosen("Text.set()", kwargs, (), ("fontsize", "y"))
        self._title = str(t)

    def colorbar(self, mappable=None, *, ax=None, label="", **kwargs):
        """Says beside the axes what colours mean."""
        _chosen("Colorbar.set()", kwargs, (), ("shrink", "fraction", "pad"))
        owner = ax or (mappable.axes if mappable is not None else self.gca())
        if not any(mark._kind == "image" or mark._kind == "dots" and mark._rest[3] is not None for mark in owner._marks):
            raise RuntimeError("No mappable was found to use for colorbar creation. First define a mappable such as an image (with imshow).")
        owner._bar = str(label)
        return _Colorbar(owner)

    def tight_layout(self, **kwargs):
        """Nothing to do: axes never overlap here."""

    subplots_adjust = autofmt_xdate = tight_layout

    def clf(self):
        """Empties the sheet."""
        self.axes, self._title, self._now = [], "", None

    clear = clf

    def set_size_inches(self, w, h=None):
        """How large the sheet is."""
        self._size = Figure(w if h is None else (w, h))._size

    def savefig(self, fname, *, dpi=None, format=None, **kwargs):
        """Writes the figure as `.svg` or `.png`."""
        _chosen("savefig()", kwargs, (), ("bbox_inches", "pad_inches", "transparent", "facecolor"))
        if not isinstance(fname, str) and not hasattr(fname, "__fspath__"):
            raise TypeError(f"expected a path, not {type(fname).__name__}")
        fname = str(fname)
        name = fname.replace("\\", "/").split("/")[-1]
        kind = format or (name.rsplit(".", 1)[1] if "." in name else "")
        if not kind:
            fname, kind = fname + ".png", "png"
        kind = kind.lower()
        if kind not in ("png", "svg"):
            raise ValueError(f"Format {kind!r} is not supported (supported formats: png, svg)")
        dots = self.dpi if dpi in (None, "figure") else float(dpi)
        if not 1 <= dots <= 2400:
            raise ValueError(f"dpi must be from 1 to 2400, not {dots:g}")
        wide, high = (round(side * dots) for side in self._size)
        if kind == "png" and wide * high > 2**25:
            raise ValueError(f"Image size of {wide}x{high} pixels is too large; an SVG has no pixels")
        figure_save(fname, self._told(), kind, dots / 100)

    def show(self):
        """Shows the figure."""
        figure_show(self._told())

    def _as_value(self):
        """Shows what a front end has as a statement's value; a sheet without axes has nothing to show."""
        if self.axes:
            self.show()


class _Colorbar:
    """What colours mean."""

    def __init__(self, ax):
        self._axes = ax

    def set_label(self, label, **kwargs):
        """Says what the colours measure."""
        self._axes._bar = str(label)
