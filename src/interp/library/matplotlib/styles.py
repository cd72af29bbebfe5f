"""Colours, lines and signs as matplotlib writes them."""

_signs = "o.,s^v<>12348DdpPhH+xX*_|"
_dashes = {"-": "-", "--": "--", ":": ":", "-.": "-.", "solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}
_nothing = ("None", "none", " ", "")

from warnings import warn as _warn

_long = {"c": "color", "ls": "linestyle", "lw": "linewidth", "ms": "markersize", "ec": "edgecolor", "fc": "facecolor"}


def _chosen(owner, given, known, unheeded=()):
    """The arguments by their long names; an error where one is not known.

    A warning names those of matplotlib's that change nothing here.
    """
    chosen = {}
    for name, value in given.items():
        name = name if name in known else _long.get(name, name)
        if name in unheeded:
            _warn(f"{owner}: {name!r} has no effect here")
            continue
        if name not in known:
            takes = f"; it takes {', '.join(known)}" if known else ""
            raise AttributeError(f"{owner} got an unexpected keyword argument {name!r}{takes}")
        if name in chosen:
            raise TypeError(f"{owner} got {name!r} twice, once by its short name")
        chosen[name] = value
    return chosen


def _rgba(color, alpha=None):
    """Four numbers up to 255, of a colour as matplotlib takes it."""
    if isinstance(color, str):
        found = figure_color(color)
        if found is None:
            raise ValueError(f"{color!r} is not a valid value for color")
    else:
        try:
            parts = [float(part) for part in color]
        except TypeError:
            raise ValueError(f"{color!r} is not a valid value for color") from None
        if len(parts) not in (3, 4) or not all(0 <= part <= 1 for part in parts):
            raise ValueError(f"{color!r} is not a valid value for color: its parts are 3 or 4 numbers from 0 to 1")
        found = tuple(round(part * 255) for part in parts + [1.0][: 4 - len(parts)])
    if alpha is None or found[3] == 0:
        return found
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be between 0 and 1, inclusive, but got {alpha}")
    return found[:3] + (round(alpha * 255),)


def _is_color(value):
    if isinstance(value, str):
        return figure_color(value) is not None
    return isinstance(value, tuple) and len(value) in (3, 4) and not any(isinstance(part, (str, tuple)) for part in value)


def _dash(style):
    """The short form of a line's style; None for no line."""
    if style is None:
        return "-"
    if style in _nothing:
        return None
    if style not in _dashes:
        raise ValueError(f"{style!r} is not a valid value for ls; supported values are '-', '--', '-.', ':', 'None'")
    return _dashes[style]


def _sign(marker):
    if marker is None or marker in _nothing:
        return None
    if marker not in list(_signs):
        raise ValueError(f"Unrecognized marker style {marker!r}")
    return marker


def _format(fmt):
    """Line, sign and colour that a format string such as 'r--o' means."""
    if fmt not in ("0", "1") and not fmt.isdigit() and fmt not in list(_signs) and figure_color(fmt) is not None:
        return None, None, fmt
    style = sign = color = None
    at = 0
    while at < len(fmt):
        two, one = fmt[at : at + 2], fmt[at]
        found = two if two in ("--", "-.") else one
        at += len(found)
        if found in ("-", "--", "-.", ":"):
            if style is not None:
                raise ValueError(f"{fmt!r} is not a valid format string (two linestyle symbols)")
            style = found
        elif one in _signs:
            if sign is not None:
                raise ValueError(f"{fmt!r} is not a valid format string (two marker symbols)")
            sign = one
        elif one in "bgrcmykw" or one == "C":
            if color is not None:
                raise ValueError(f"{fmt!r} is not a valid format string (two color symbols)")
            color = one
            while one == "C" and at < len(fmt) and fmt[at].isdigit():
                color += fmt[at]
                at += 1
            if color == "C":
                raise ValueError(f"{fmt!r} is not a valid format string ('C' must be followed by a number)")
        else:
            raise ValueError(f"{fmt!r} is not a valid format string (unrecognized character {one!r})")
    return style, sign, color


def _map(cmap):
    """The name of a ramp of colours."""
    name = rcParams["image.cmap"] if cmap is None else cmap
    if not isinstance(name, str) or figure_map(name) is None:
        known = ", ".join(figure_maps())
        raise ValueError(f"{name!r} is not a valid value for cmap; supported values are {known}, each also with '_r'")
    return name


class _Maps:
    """The ramps of colours by name: `plt.cm.viridis`."""

    def __getattr__(self, name):
        try:
            return _map(name)
        except ValueError as error:
            raise AttributeError(str(error)) from None


cm = _Maps()
