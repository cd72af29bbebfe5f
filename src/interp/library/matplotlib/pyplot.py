"""Charts, as matplotlib's `pyplot` names them: in the terminal as characters, in notebooks as images, in files as SVG and PNG."""

from numpy import float32, int64, uint16, uint8

rcParams = {
    "figure.figsize": (6.4, 4.8),
    "figure.dpi": 100.0,
    "lines.linewidth": 1.5,
    "lines.markersize": 6.0,
    "image.cmap": "viridis",
    "hist.bins": 10,
}
_open, _current = {}, [None]


def figure(num=None, figsize=None, dpi=None, **kwargs):
    """Begins a figure, or goes on with one that has this number; `figsize` is in inches."""
    # Axes never overlap here, whatever the layout.
    _chosen("figure()", kwargs, ("layout", "constrained_layout", "tight_layout"), ("facecolor", "clear"))
    if num is None:
        num = max([key for key in _open if isinstance(key, int)], default=0) + 1
    if num not in _open:
        _open[num] = Figure(figsize, dpi)
    _current[0] = num
    return _open[num]


def gcf():
    """The figure that was used last; a new one where there is none."""
    return _open[_current[0]] if _current[0] in _open else figure()


def gca():
    """The axes that were used last; new ones where there are none."""
    return gcf().gca()


def sca(ax):
    """Goes on with these axes."""
    for num, one in _open.items():
        if any(axes is ax for axes in one.axes):
            _current[0], one._now = num, ax


def get_fignums():
    """The numbers of the figures that were begun and not shown."""
    return sorted(key for key in _open if isinstance(key, int))


def close(fig=None):
    """Forgets a figure: the current one, one by its number, or "all"."""
    if fig == "all":
        _open.clear()
    elif isinstance(fig, Figure):
        for num in [num for num, one in _open.items() if one is fig]:
            del _open[num]
    else:
        _open.pop(_current[0] if fig is None else fig, None)
    if _current[0] not in _open:
        _current[0] = max([key for key in _open if isinstance(key, int)], default=None)


def show(*, block=None):
    """Shows all figures that were begun, and forgets them."""
    figures = [one for one in _open.values() if one.axes]
    close("all")
    for one in figures:
        figure_show(one._told())


def _end_cell(value):
    """Shows what was begun, but for a figure that is the cell's value and shown as that."""
    if isinstance(value, Figure):
        close(value)
    show()


def subplot(*args, **kwargs):
    """Axes in a grid of the current figure: `subplot(2, 2, 1)`, `subplot(221)`."""
    return gcf().add_subplot(*args, **kwargs)


def subplots(nrows=1, ncols=1, *, sharex=False, sharey=False, squeeze=True, figsize=None, dpi=None, **kwargs):
    """A new figure with axes in rows and columns; gives both."""
    fig = figure(None, figsize, dpi, **kwargs)
    return fig, fig.subplots(nrows, ncols, sharex=sharex, sharey=sharey, squeeze=squeeze)


def savefig(fname, **kwargs):
    """Writes the current figure as `.svg` or `.png`."""
    gcf().savefig(fname, **kwargs)


def suptitle(t, **kwargs):
    """Writes above all axes of the current figure."""
    gcf().suptitle(t, **kwargs)


def tight_layout(**kwargs):
    """Nothing to do: axes never overlap here."""


subplots_adjust = tight_layout


def clf():
    """Empties the current figure."""
    gcf().clf()


def colorbar(mappable=None, ax=None, **kwargs):
    """Says beside the axes what colours mean."""
    return gcf().colorbar(mappable, ax=ax, **kwargs)


def imread(fname, format=None):
    """The pixels of a picture: from 0 to 1 of a PNG, as they are of a JPEG."""
    x = disk_picture(fname)
    if x.dtype == uint16:
        return (x / 65535).astype(float32)
    return x if str(fname).lower().endswith((".jpg", ".jpeg")) else (x / 255).astype(float32)


def imsave(fname, arr, *, cmap=None, vmin=None, vmax=None, **kwargs):
    """Writes an array as a PNG, a matrix as colours of a ramp."""
    _chosen("imsave()", kwargs, ("origin", "format"))
    x = asarray(arr)
    if x.ndim == 2:
        low, high = float(x.min() if vmin is None else vmin), float(x.max() if vmax is None else vmax)
        ramp = array([figure_map(_map(cmap), at / 255) for at in range(256)], dtype=uint8)
        place = (x - low) / (high - low if high > low else 1.0)
        x = ramp[(clip(place, 0, 1) * 255).round().astype(int64)]
    elif x.dtype.kind == "f":
        x = (clip(x, 0, 1) * 255).round().astype(uint8)
    if kwargs.get("origin") == "lower":
        x = x[::-1]
    disk_save_picture(fname, x)


def xlim(*args, **kwargs):
    """Where the axis below begins and ends; sets that where it is given."""
    return gca().set_xlim(*args, **kwargs) if args or kwargs else gca().get_xlim()


def ylim(*args, **kwargs):
    """Where the axis on the left begins and ends; sets that where it is given."""
    return gca().set_ylim(*args, **kwargs) if args or kwargs else gca().get_ylim()


def xticks(ticks=None, labels=None, **kwargs):
    """Which numbers stand along the axis below; sets that where it is given."""
    if ticks is None:
        return gca().get_xticks()
    gca().set_xticks(ticks, labels, **kwargs)


def yticks(ticks=None, labels=None, **kwargs):
    """Which numbers stand along the axis on the left; sets that where it is given."""
    if ticks is None:
        return gca().get_yticks()
    gca().set_yticks(ticks, labels, **kwargs)


def axis(arg=None):
    """"off", "on", "equal", "tight", "auto" or (left, right, bottom, top); gives that."""
    return gca().axis(arg)
