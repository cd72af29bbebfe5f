"""Tables of numbers as text, in files and out of them."""


def fromstring(string, dtype=float, count=-1, *, sep=""):
    """The numbers in a text, between which `sep` stands, all of them or the first `count`.

    White space in `sep` stands for any of it. ValueError for what is no number, and for fewer than `count`.

    >>> fromstring("1, 2, 3", sep=",")
    """
    if sep == "":
        raise ValueError("The binary mode of fromstring is removed, use frombuffer instead")
    if isinstance(string, bytes):
        string = string.decode("latin-1")
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


def _lines(source, encoding=None):
    """The lines of a file by its name, of a file that is open, or of a list."""
    if isinstance(source, str) or hasattr(source, "__fspath__"):
        with open(_path(source), encoding=None if encoding == "bytes" else encoding) as file:
            return file.read().split("\n")
    lines = [line.decode("latin-1") if isinstance(line, bytes) else line for line in source]
    for line in lines:
        if not isinstance(line, str):
            raise TypeError("non-string returned while reading data")
        if "\n" in line[:-1]:
            raise ValueError("Found an unquoted embedded newline within a single line of input.  This is currently not supported.")
    return [line.rstrip("\r\n") for line in lines]


def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None,
            unpack=False, ndmin=0, encoding=None, max_rows=None, *, quotechar=None, like=None):
    """A table of numbers from a text file: shape (rows, columns), or one axis where one of these is 1.

    `fname` is a path, an open file or a list of lines. What stands behind `comments` is left out, and the
    first `skiprows` lines. `usecols` chooses columns, `unpack` turns the table around, `converters` are
    functions of a field by column, or one for all. What stands between two `quotechar` is one field, whatever is
    in it. ValueError for rows of unequal lengths.

    >>> loadtxt(["1 2", "3 4"])
    """
    _check_like(like)
    marks, columns = _marks_and_columns(comments, delimiter, quotechar, usecols, skiprows, max_rows, ndmin)
    if converters is None and quotechar is None and encoding != "latin1":
        made = _table(fname, delimiter, marks, columns, dtype, skiprows, max_rows, None, False)
        if made is not None:
            return _shaped(made, unpack, ndmin, columns, fname)
    rows, width = [], None
    for at, line in enumerate(_lines(fname, encoding)):
        if at < skiprows:
            continue
        line, fields = _cut(line, marks, delimiter, quotechar)
        if not line or delimiter is None and not line.strip():
            continue
        if max_rows is not None and len(rows) == max_rows:
            break
        if width is not None and len(fields) != width and columns is None:
            words = f"the number of columns changed from {width} to {len(fields)} at row {len(rows) + 1}"
            raise ValueError(words + "; use `usecols` to select a subset and avoid this error")
        width = len(fields)
        row = []
        for wanted in range(width) if columns is None else columns:
            one = wanted + width if wanted < 0 else wanted
            if not 0 <= one < width:
                raise ValueError(f"invalid column index {wanted} at row {len(rows) + 1} with {width} columns")
            function = converters if callable(converters) else (converters or {}).get(one)
            row.append(_field(fields[one], dtype, len(rows), one) if function is None else function(fields[one]))
        rows.append(row)
    return _shaped(array(rows, dtype=dtype) if rows else zeros((0, 0), dtype=dtype), unpack, ndmin, columns, fname)


def _marks_and_columns(comments, delimiter, quotechar, usecols, skiprows, max_rows, ndmin):
    """The marks of comments and the columns that are wanted, where all that describes a table can be."""
    for name, mark in (("quotechar", quotechar), ("delimiter", delimiter)):
        if mark is not None and (not isinstance(mark, str) or len(mark) != 1):
            raise TypeError(f"{name} must be a single unicode character or None" if name == "quotechar" else
                            f"Text reading control character must be a single unicode character or None; but got: {mark!r}")
    marks = [] if comments is None else [comments] if isinstance(comments, str) else list(comments)
    if "" in marks:
        raise ValueError("comments cannot be an empty string. Use comments=None to disable comments.")
    columns = None
    if usecols is not None:
        columns = list(usecols) if isinstance(usecols, (list, tuple, range, ndarray, str)) else [usecols]
        for one in columns:
            if not hasattr(one, "__index__"):
                raise TypeError("usecols must be an int or a sequence of ints but it contains at least one element of "
                                f"type '{type(one).__name__}'")
        columns = [int(one) for one in columns]
    if skiprows < 0 or max_rows is not None and max_rows < 0:
        raise ValueError("argument must be nonnegative")
    if ndmin not in (None, 0, 1, 2):
        raise ValueError(f"Illegal value of ndmin keyword: {ndmin}")
    return marks, columns


def _table(fname, delimiter, marks, columns, kind, skipped, most, filling, is_loose):
    """The rows of a file that is named, read by all threads at once; None where that can't tell all there is."""
    if not isinstance(fname, str) and not hasattr(fname, "__fspath__"):
        return None
    return disk_table(_path(fname), delimiter, marks, columns, kind, skipped, most, filling, is_loose)


def _shaped(made, unpack, ndmin, columns, source):
    if len(made) == 0:
        from warnings import warn
        warn(f'loadtxt: input contained no data: "{source}"')
        made = zeros((0, 1 if columns is None else len(columns)), dtype=made.dtype)
    if ndmin < 2 and 1 in made.shape:
        made = made.reshape((made.size,)) if made.size != 1 or ndmin == 1 else made.reshape(())
    return made.T if unpack else made


def _cut(line, marks, delimiter, quotechar):
    """A line without what is said beside it, and its fields."""
    if quotechar is None or quotechar not in line:
        for mark in marks:
            line = line.partition(mark)[0]
        return line, line.split() if delimiter is None else [part.strip() for part in line.split(delimiter)]
    fields, field, is_quoted, at, end = [], None, False, 0, len(line)
    while at < len(line):
        letter = line[at]
        if letter == quotechar and is_quoted and line[at:at + 2] == quotechar * 2:
            field, at = (field or "") + letter, at + 1
        elif letter == quotechar:
            is_quoted, field = not is_quoted, field or ""
        elif not is_quoted and any([line.startswith(mark, at) for mark in marks]):
            end = at
            break
        elif not is_quoted and (letter.isspace() if delimiter is None else line.startswith(delimiter, at)):
            if field is not None or delimiter is not None:
                fields.append(field or "")
            field, at = None, at + (0 if delimiter is None else len(delimiter) - 1)
        else:
            field = (field or "") + letter
        at += 1
    if field is not None or delimiter is not None:
        fields.append(field or "")
    return line[:end], [part.strip() for part in fields] if delimiter is not None else fields


def _field(text, kind, row, column):
    try:
        return _parsed(text, kind)
    except ValueError as error:
        raise ValueError(f"{error} at row {row}, column {column + 1}.") from None


def _parsed(text, kind):
    """A field as a number of a type, written as C writes it: without what Python allows beside that."""
    name = zeros(0, dtype=kind).dtype
    wrong = f"could not convert string {text!r} to {name}"
    if not text.isascii() or "_" in text:
        raise ValueError(wrong)
    try:
        number = complex(text) if name.kind == "c" else _number(text, kind)
        if name.kind in "iu":
            array(number, dtype=name)
        return number
    except (ValueError, OverflowError):
        raise ValueError(wrong) from None


def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, converters=None,
               missing_values=None, filling_values=None, usecols=None, *, autostrip=False, unpack=False, loose=True,
               invalid_raise=True, max_rows=None, encoding=None, ndmin=0, like=None):
    """As `loadtxt`; a field that is empty, or no number, is `filling_values`, and so is one of `missing_values`.

    Fields are numbers, so that white space around them means nothing, with `autostrip` or without.
    `filling_values` is NaN for floats and -1 for integers where it is not given. Without `loose` what is no number
    is a ValueError; without `invalid_raise` rows of another length are left out, with a warning.

    >>> genfromtxt(["1,2", "3,"], delimiter=",")
    """
    is_float = zeros(0, dtype=dtype).is_floating_point()
    if filling_values is None:
        filling_values = nan if is_float else -1
    absent = [] if missing_values is None else (
        [missing_values] if isinstance(missing_values, str) else list(missing_values))

    def read(text):
        if text == "" or text in absent:
            return filling_values
        try:
            return _number(text, dtype)
        except ValueError:
            if not loose:
                raise
            return filling_values

    if converters is not None:
        own = converters if callable(converters) else {}
        columns = {} if callable(converters) else converters
        read = own if callable(converters) else _Columns(read, columns)
    elif missing_values is None and skip_footer == 0 and invalid_raise:
        marks = [] if comments is None else [comments] if isinstance(comments, str) else list(comments)
        columns = None if usecols is None else [usecols] if isinstance(usecols, int) else list(usecols)
        made = _table(fname, delimiter, marks, columns, dtype, skip_header, max_rows, filling_values, loose)
        if made is not None:
            return _shaped(made, unpack, ndmin, columns, fname)
    # A line of blanks is none, also between fields that a delimiter separates.
    marks = [] if comments is None else [comments] if isinstance(comments, str) else list(comments)
    lines = [line if _cut(line, marks, None, None)[0].strip() else "" for line in _lines(fname, encoding)]
    while lines and lines[-1] == "":
        lines.pop()
    lines = lines[:len(lines) - skip_footer]
    if not invalid_raise:
        lines = _of_one_length(lines, comments, delimiter, skip_header)
    return loadtxt(lines, dtype, comments, delimiter, read, skip_header, usecols, unpack, ndmin, max_rows=max_rows,
                   like=like)


class _Columns:
    """A converter for each column, and one for those that have none."""

    def __init__(self, rest, columns):
        self._rest, self._columns = rest, columns

    def get(self, column):
        return self._columns.get(column, self._rest)


def _of_one_length(lines, comments, delimiter, skipped):
    from warnings import warn
    marks, kept, width = [] if comments is None else [comments], lines[:skipped], None
    for line in lines[skipped:]:
        bare, fields = _cut(line, marks, delimiter, None)
        if not bare.strip():
            continue
        if width is None:
            width = len(fields)
        if len(fields) == width:
            kept.append(line)
        else:
            warn(f"a line has {len(fields)} columns instead of {width}, and is left out")
    return kept


def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# ",
            encoding=None):
    """Writes an array of one or two axes as text, a row a line: `fname` is a path or an open file.

    `fmt` is a format for all numbers, one for each column, or one of a whole row. ValueError for more axes.

    >>> import io
    >>> savetxt(io.StringIO(), array([[1, 2], [3, 4]]), fmt="%d")
    """
    X = asarray(X)
    if X.ndim == 0 or X.ndim > 2:
        raise ValueError(f"Expected 1D or 2D array, got {X.ndim}D array instead")
    rows = X[:, None] if X.ndim == 1 else X
    width, is_complex = rows.shape[1], iscomplexobj(X)
    if isinstance(fmt, (list, tuple)):
        if len(fmt) != width:
            raise AttributeError(f"fmt has wrong shape.  {fmt}")
        line = delimiter.join(fmt)
    elif not isinstance(fmt, str):
        raise ValueError(f"invalid fmt: {fmt!r}")
    elif fmt.count("%") == 1:
        line = delimiter.join([f" ({fmt}+{fmt}j)" if is_complex else fmt] * width)
    elif fmt.count("%") != (2 * width if is_complex else width):
        raise ValueError(f"fmt has wrong number of % formats:  {fmt}")
    else:
        line = fmt
    if is_complex:
        parts = stack([rows.real, rows.imag], axis=-1).reshape(len(rows), 2 * width)
        lines = [(line % tuple(row) + newline).replace("+-", "-") for row in parts.tolist()]
    else:
        # As a text a short float has the digits of its own type.
        is_short = X.is_floating_point() and X.dtype != float64 and line.count("%s") == width
        rows = [[str(number) for number in row] for row in rows] if is_short else rows.tolist()
        lines = [line % tuple(row) + newline for row in rows]
    text = _commented(header, comments, newline) + "".join(lines) + _commented(footer, comments, newline)
    if isinstance(fname, str) or hasattr(fname, "__fspath__"):
        disk_save_text(_path(fname), text)
    else:
        fname.write(text)


def _commented(text, comments, newline):
    return comments + text.replace("\n", "\n" + comments) + newline if text else ""
