"""What is drawn in a pair of axes."""

from numpy import float64, ndarray


class Artist:
    """Something drawn, which knows its name and its colour."""

    def __init__(self, axes, kind, label, color, *rest):
        self.axes, self._kind, self._color, self._rest = axes, kind, color, rest
        self._label, self._order = "" if label is None else str(label), 0

    def _told(self):
        label = "" if self._label.startswith("_") else self._label
        return (self._kind, label, self._color) + self._rest

    def set_label(self, s):
        """Names it in the legend."""
        self._label = str(s)

    def get_label(self):
        """What the legend calls it."""
        return self._label

    def set_color(self, color):
        """Gives it another colour."""
        self._color = _rgba(color)

    def remove(self):
        """Takes it out of the axes."""
        self.axes._marks = [mark for mark in self.axes._marks if mark is not self]


class Line2D(Artist):
    """A curve."""

    def get_xdata(self):
        """Where its points stand."""
        x, y = self._rest[0], self._rest[1]
        return arange(len(y)) if x is None else x

    def get_ydata(self):
        """How high its points are."""
        return self._rest[1]

    def __repr__(self):
        return f"<Line2D({self._label})>" if self._label else "<Line2D>"


class PathCollection(Artist):
    """Points, areas, or straight lines."""

    def __repr__(self):
        return "<PathCollection>"


class AxesImage(Artist):
    """An image."""

    def __repr__(self):
        return f"<AxesImage shape={tuple(self._rest[0].shape)}>"


class Text(Artist):
    """A text."""

    def __repr__(self):
        return f"<Text {self._rest[2]!r}>"


class BarContainer(Artist):
    """Bars."""

    def __init__(self, axes, count, marks):
        self.axes, self._count, self._marks = axes, count, marks

    def set_label(self, s):
        """Names them in the legend."""
        self._marks[0].set_label(s)

    def get_label(self):
        """What the legend calls them."""
        return self._marks[0].get_label()

    def set_color(self, color):
        """Gives them another colour."""
        for mark in self._marks:
            mark.set_color(color)

    def remove(self):
        """Takes them out of the axes."""
        for mark in self._marks:
            mark.remove()

    def __len__(self):
        return self._count

    def __repr__(self):
        return f"<BarContainer object of {self._count} artists>"


def _numbers(values, axis):
    """What is to be drawn as a tensor of its own; words stand at whole numbers."""
    if isinstance(values, str):
        values = [values]
    if isinstance(values, (int, float)):
        values = [values]
    if not isinstance(values, ndarray):
        values = list(values) if hasattr(values, "__iter__") else [values]
        if values and all(isinstance(value, str) for value in values):
            return axis._places(values)
    found = array(values) if isinstance(values, ndarray) else array(values, dtype=float64)
    if found.dtype.kind == "c":
        raise TypeError("complex numbers have no place on an axis; `.real`, `.imag` or `abs` of them have")
    return found.reshape(1) if found.ndim == 0 else found


def _pair(x, y):
    if len(x) != len(y):
        raise ValueError(f"x and y must have same first dimension, but have shapes {tuple(x.shape)} and {tuple(y.shape)}")


def _column(values, count):
    """A number for each of so many."""
    found = asarray(values, dtype=float64).ravel()
    if len(found) not in (1, count):
        raise ValueError(f"expected 1 number or {count}, one for each, found {len(found)}")
    return found + zeros(count, dtype=float64)
