"""Tables of numbers as text, in files and out of them."""


def fromstring(string, dtype=float, count=-1, *, sep):
    """The numbers in a text, between which `sep` stands, all of them or the first `count`.

    White space in `sep` stands for any of it. ValueError for what is no number, and for fewer than `count`.

    >>> fromstring("1, 2, 3", sep=",")
    """
    if sep == "":
        raise ValueError("fromstring: bytes are not there; `sep` says what stands between the numbers")
    parts = string.split() if sep.strip() == "" else [part.strip() for part in string.split(sep.strip())]
    if parts and parts[-1] == "":
        parts.pop()
    if count >= 0:
        if len(parts) < count:
            raise ValueError(f"string is smaller than requested size: {count} numbers, found {len(parts)}")
        parts = parts[:count]
    return array([_number(part, dtype) for part in parts], dtype=dtype)


def _number(text, kind):
    """A text as a number of a type."""
    try:
        return int(text) if zeros(0, dtype=kind).dtype.kind in "iu" else float(text)
    except ValueError:
        raise ValueError(f"could not convert string {text!r} to {dtype(kind)}") from None


def _lines(source):
    """The lines of a file by its name, of a file that is open, or of a list."""
    if isinstance(source, str):
        with open(source) as file:
            return file.read().split("\n")
    return [line.rstrip("\n") for line in source]


def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None,
            unpack=False, ndmin=0, *, max_rows=None):
    """A table of numbers from a text file: shape (rows, columns), or one axis where one of these is 1.

    `fname` is a path, an open file or a list of lines. What stands behind `comments` is left out, and the
    first `skiprows` lines. `usecols` chooses columns, `unpack` turns the table around, `converters` are
    functions of a field by column, or one for all. ValueError for rows of unequal lengths.

    >>> loadtxt(["1 2", "3 4"])
    """
    marks = [] if comments is None else [comments] if isinstance(comments, str) else list(comments)
    columns = None if usecols is None else [usecols] if isinstance(usecols, int) else list(usecols)
    rows, width = [], None
    for at, line in enumerate(_lines(fname)):
        if at < skiprows:
            continue
        for mark in marks:
            line = line.partition(mark)[0]
        fields = line.split() if delimiter is None else [part.strip() for part in line.split(delimiter)]
        if not line.strip():
            continue
        if max_rows is not None and len(rows) == max_rows:
            break
        if width is not None and len(fields) != width and columns is None:
            words = f"the number of columns changed from {width} to {len(fields)} at row {len(rows) + 1}"
            raise ValueError(words + "; use `usecols` to select a subset and avoid this error")
        width = len(fields)
        chosen = range(width) if columns is None else [one % width if one < 0 else one for one in columns]
        row = []
        for one in chosen:
            if one >= width:
                raise ValueError(f"invalid column index {one} at row {len(rows) + 1} with {width} columns")
            function = converters if callable(converters) else (converters or {}).get(one)
            row.append(_field(fields[one], dtype, len(rows), one) if function is None else function(fields[one]))
        rows.append(row)
    if not rows:
        return zeros((0,) if ndmin < 2 else (0, 1), dtype=dtype)
    made = array(rows, dtype=dtype)
    if ndmin < 2 and 1 in made.shape:
        made = made.reshape((made.size,)) if made.size != 1 or ndmin == 1 else made.reshape(())
    return made.T if unpack else made


def _field(text, kind, row, column):
    try:
        return _number(text, kind)
    except ValueError as error:
        raise ValueError(f"{error} at row {row}, column {column + 1}.") from None


def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, *,
               missing_values=None, filling_values=nan, usecols=None, unpack=False, ndmin=0, max_rows=None):
    """As `loadtxt`; a field that is empty, or no number, is `filling_values`, and so is one of `missing_values`.

    >>> genfromtxt(["1,2", "3,"], delimiter=",")
    """
    absent = [] if missing_values is None else (
        [missing_values] if isinstance(missing_values, str) else list(missing_values))

    def read(text):
        if text == "" or text in absent:
            return filling_values
        try:
            return _number(text, dtype)
        except ValueError:
            return filling_values

    lines = _lines(fname)
    while lines and lines[-1] == "":
        lines.pop()
    lines = lines[:len(lines) - skip_footer]
    return loadtxt(lines, dtype, comments, delimiter, read, skip_header, usecols, unpack, ndmin, max_rows=max_rows)


def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# "):
    """Writes an array of one or two axes as text, a row a line: `fname` is a path or an open file.

    `fmt` is a format for all numbers, one for each column, or one of a whole row. ValueError for more axes.

    >>> import io
    >>> savetxt(io.StringIO(), array([[1, 2], [3, 4]]), fmt="%d")
    """
    X = asarray(X)
    if X.ndim == 0 or X.ndim > 2:
        raise ValueError(f"Expected 1D or 2D array, got {X.ndim}D array instead")
    rows = X[:, None] if X.ndim == 1 else X
    width = rows.shape[1]
    if isinstance(fmt, (list, tuple)):
        if len(fmt) != width:
            raise AttributeError(f"fmt has wrong shape.  {fmt}")
        line = delimiter.join(fmt)
    else:
        line = fmt if fmt.count("%") == width and width > 1 else delimiter.join([fmt] * width)
        if fmt.count("%") not in (1, width):
            raise ValueError(f"fmt has wrong number of % formats:  {fmt}")
    text = _commented(header, comments, newline)
    for row in rows.tolist():
        text += line % tuple(row) + newline
    text += _commented(footer, comments, newline)
    if isinstance(fname, str):
        with open(fname, "w") as file:
            file.write(text)
    else:
        fname.write(text)


def _commented(text, comments, newline):
    return comments + text.replace("\n", "\n" + comments) + newline if text else ""
