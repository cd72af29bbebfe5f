"""What `pyplot` does in the axes that were used last."""


def plot(*args, **kwargs):
    """Draws curves: `plot(y)`, `plot(x, y)`, `plot(x, y, 'r--o')`, several of them in one call."""
    return gca().plot(*args, **kwargs)


def scatter(*args, **kwargs):
    """Draws points; `c` is a colour, or a number for each, and `s` how large they are, in points squared."""
    return gca().scatter(*args, **kwargs)


def bar(*args, **kwargs):
    """Draws bars that stand."""
    return gca().bar(*args, **kwargs)


def barh(*args, **kwargs):
    """Draws bars that lie."""
    return gca().barh(*args, **kwargs)


def hist(*args, **kwargs):
    """Counts numbers in bins and draws that; gives the counts, the edges and the bars."""
    return gca().hist(*args, **kwargs)


def imshow(*args, **kwargs):
    """Shows a matrix as colours of a ramp, or a picture of (height, width, 3 or 4)."""
    return gca().imshow(*args, **kwargs)


def matshow(*args, **kwargs):
    """Shows a matrix as colours."""
    return gca().matshow(*args, **kwargs)


def pcolormesh(*args, **kwargs):
    """Shows a matrix as colours, its first row below."""
    return gca().pcolormesh(*args, **kwargs)


def step(*args, **kwargs):
    """Draws stairs."""
    return gca().step(*args, **kwargs)


def fill_between(*args, **kwargs):
    """Fills what lies between two curves."""
    return gca().fill_between(*args, **kwargs)


def errorbar(*args, **kwargs):
    """Draws a curve with how far its points may be off."""
    return gca().errorbar(*args, **kwargs)


def stem(*args, **kwargs):
    """Draws points on stems."""
    return gca().stem(*args, **kwargs)


def axhline(*args, **kwargs):
    """Draws a line across."""
    return gca().axhline(*args, **kwargs)


def axvline(*args, **kwargs):
    """Draws an upright line."""
    return gca().axvline(*args, **kwargs)


def axhspan(*args, **kwargs):
    """Fills a strip across."""
    return gca().axhspan(*args, **kwargs)


def axvspan(*args, **kwargs):
    """Fills an upright strip."""
    return gca().axvspan(*args, **kwargs)


def hlines(*args, **kwargs):
    """Draws lines across."""
    return gca().hlines(*args, **kwargs)


def vlines(*args, **kwargs):
    """Draws upright lines."""
    return gca().vlines(*args, **kwargs)


def text(*args, **kwargs):
    """Writes at a place."""
    return gca().text(*args, **kwargs)


def semilogx(*args, **kwargs):
    """As `plot`, over an axis of factors."""
    return gca().semilogx(*args, **kwargs)


def semilogy(*args, **kwargs):
    """As `plot`, with heights along an axis of factors."""
    return gca().semilogy(*args, **kwargs)


def loglog(*args, **kwargs):
    """As `plot`, with two axes of factors."""
    return gca().loglog(*args, **kwargs)


def legend(*args, **kwargs):
    """Names what is drawn: by its labels, or by a list of names."""
    return gca().legend(*args, **kwargs)


def grid(*args, **kwargs):
    """Draws lines behind everything where numbers stand."""
    return gca().grid(*args, **kwargs)


def margins(*args, **kwargs):
    """How much room there is beside what is drawn."""
    return gca().margins(*args, **kwargs)


def title(*args, **kwargs):
    """Writes above the axes."""
    return gca().set_title(*args, **kwargs)


def xlabel(*args, **kwargs):
    """Says what the axis below measures."""
    return gca().set_xlabel(*args, **kwargs)


def ylabel(*args, **kwargs):
    """Says what the axis on the left measures."""
    return gca().set_ylabel(*args, **kwargs)


def xscale(*args, **kwargs):
    """Makes equal distances equal steps, "linear", or equal factors, "log"."""
    return gca().set_xscale(*args, **kwargs)


def yscale(*args, **kwargs):
    """As `xscale`, of the axis on the left."""
    return gca().set_yscale(*args, **kwargs)


def cla(*args, **kwargs):
    """Empties the axes."""
    return gca().cla(*args, **kwargs)
