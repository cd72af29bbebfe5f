"""Tables as text: values between commas."""


QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = 0, 1, 2, 3


class Error(Exception):
    """What a table's text can't be."""


class Dialect:
    """How a table is written."""

    delimiter = ","
    quotechar = '"'
    escapechar = None
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL
    strict = False


class excel(Dialect):
    """As spreadsheets write it."""


class excel_tab(excel):
    """The same between tabs."""

    delimiter = "\t"


class unix_dialect(Dialect):
    """With quotes around everything, and lines that end with a line feed."""

    lineterminator = "\n"
    quoting = QUOTE_ALL


_dialects = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}
_NAMES = ("delimiter", "quotechar", "escapechar", "doublequote", "skipinitialspace", "lineterminator", "quoting", "strict")


def register_dialect(name, dialect=excel, **fmtparams):
    """Gives a way of writing tables a name."""
    _dialects[name] = _dialect(dialect, fmtparams)


def unregister_dialect(name):
    """Forgets a name."""
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    """The way of writing tables that has a name."""
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    """All names."""
    return list(_dialects)


def field_size_limit(limit=None):
    """Fields may be as long as memory allows here."""
    return (1 << 63) - 1


class _Chosen(Dialect):
    """A dialect with some of it changed."""


def _dialect(dialect, changes):
    made = _Chosen()
    base = get_dialect(dialect) if isinstance(dialect, str) else dialect
    for name in _NAMES:
        setattr(made, name, getattr(base, name))
    for name, value in changes.items():
        if name not in _NAMES:
            raise TypeError(f"this function got an unexpected keyword argument '{name}'")
        setattr(made, name, value)
    for name in ("delimiter", "quotechar", "escapechar"):
        value = getattr(made, name)
        if value is None and name != "delimiter":
            continue
        if not isinstance(value, str):
            wanted = "string" if name == "delimiter" else "string or None"
            raise TypeError(f'"{name}" must be {wanted}, not {type(value).__name__}')
        if len(value) != 1:
            raise TypeError(f'"{name}" must be a 1-character string')
    if made.quoting not in (0, 1, 2, 3):
        raise TypeError('bad "quoting" value')
    if made.quoting != QUOTE_NONE and not made.quotechar:
        raise TypeError("quotechar must be set if quoting enabled")
    return made


def _simple(line, dialect):
    """Whether a line has but fields and delimiters."""
    return (
        (dialect.quotechar is None or dialect.quotechar not in line)
        and dialect.escapechar is None
        and not dialect.skipinitialspace
        and dialect.quoting != QUOTE_NONNUMERIC
        and "\r" not in line
    )


class _Reader:
    """The rows of a table, each a list of texts."""

    def __init__(self, lines, dialect):
        self._lines, self.dialect, self.line_num = iter(lines), dialect, 0

    def __iter__(self):
        return self

    def _line(self):
        line = next(self._lines)
        if not isinstance(line, str):
            raise Error(f"iterator should return strings, not {type(line).__name__} (the file should be opened in text mode)")
        self.line_num += 1
        return line

    def __next__(self):
        line = self._line()
        dialect = self.dialect
        if _simple(line, dialect):
            line = line.removesuffix("\n")
            if "\n" in line:
                raise Error("new-line character seen in unquoted field - do you need to open the file with newline=''?")
            return line.split(dialect.delimiter) if line else []
        return self._row(line)

    def _row(self, line):
        dialect = self.dialect
        delimiter, quote, escape = dialect.delimiter, dialect.quotechar, dialect.escapechar
        if dialect.quoting == QUOTE_NONE:
            quote = None
        row, field, at, size = [], [], 0, len(line)
        # Between fields, inside of one, inside quotes, behind a quote within quotes.
        START, INSIDE, QUOTED, BEHIND = range(4)
        state, is_quoted, is_ended, has_begun = START, False, False, False

        def end():
            text = "".join(field)
            field.clear()
            if dialect.quoting == QUOTE_NONNUMERIC and not is_quoted:
                text = float(text)
            row.append(text)

        while True:
            if at >= size:
                if state == QUOTED:
                    try:
                        line = self._line()
                    except StopIteration:
                        if dialect.strict:
                            raise Error("unexpected end of data") from None
                        break
                    at, size = 0, len(line)
                    continue
                break
            letter = line[at]
            at += 1
            if state == QUOTED:
                if letter == escape:
                    if at < size:
                        field.append(line[at])
                        at += 1
                elif letter == quote:
                    state = BEHIND if dialect.doublequote else INSIDE
                else:
                    field.append(letter)
                continue
            if is_ended and letter not in "\r\n":
                raise Error("new-line character seen in unquoted field - do you need to open the file with newline=''?")
            if state == BEHIND and letter == quote:
                field.append(letter)
                state = QUOTED
            elif letter == "\n" or letter == "\r":
                is_ended = True
            elif letter == delimiter:
                end()
                state, is_quoted, has_begun = START, False, True
            elif state == START and letter == quote:
                state, is_quoted, has_begun = QUOTED, True, True
            elif state == START and letter == " " and dialect.skipinitialspace:
                has_begun = True
            elif letter == escape:
                has_begun = True
                if at < size:
                    field.append(line[at])
                    at += 1
                state = INSIDE
            elif state == BEHIND and dialect.strict:
                raise Error(f"'{delimiter}' expected after '{quote}'")
            else:
                field.append(letter)
                state, has_begun = INSIDE, True
        if row or has_begun:
            end()
        return row


def reader(csvfile, dialect="excel", **fmtparams):
    """The rows of a file, or of any lines, each a list of texts."""
    return _Reader(csvfile, _dialect(dialect, fmtparams))


class _Writer:
    """Writes rows into a file."""

    def __init__(self, file, dialect):
        if not hasattr(file, "write"):
            raise TypeError('argument 1 must have a "write" method')
        self._file, self.dialect = file, dialect

    def _field(self, value, is_alone):
        dialect = self.dialect
        is_number = isinstance(value, (int, float))
        text = "" if value is None else str(value)
        quote, escape = dialect.quotechar, dialect.escapechar
        breaks = [dialect.delimiter, "\r", "\n", *dialect.lineterminator]
        if quote and dialect.doublequote:
            breaks.append(quote)
        is_special = any(mark in text for mark in breaks)
        is_quoted = (
            dialect.quoting == QUOTE_ALL
            or dialect.quoting == QUOTE_NONNUMERIC and not is_number
            or dialect.quoting == QUOTE_MINIMAL and (is_special or text == "" and is_alone)
        )
        if dialect.quoting == QUOTE_NONE:
            if text == "" and is_alone:
                raise Error("single empty field record must be quoted")
            escaped = [*breaks, quote, escape]
        else:
            escaped = [escape] if dialect.doublequote else [quote, escape]
        if any(mark and mark in text for mark in (*escaped, quote)):
            made = []
            for letter in text:
                if letter in escaped:
                    if escape is None:
                        raise Error("need to escape, but no escapechar set")
                    made.append(escape)
                elif letter == quote and is_quoted:
                    made.append(quote)
                made.append(letter)
            text = "".join(made)
        return quote + text + quote if is_quoted else text

    def _line(self, row):
        try:
            row = list(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        fields = [self._field(value, len(row) == 1) for value in row]
        return self.dialect.delimiter.join(fields) + self.dialect.lineterminator

    def writerow(self, row):
        """Writes one row; how many characters it has."""
        return self._file.write(self._line(row))

    def writerows(self, rows):
        """Writes rows, one behind the other."""
        for row in rows:
            self._file.write(self._line(row))


def writer(csvfile, dialect="excel", **fmtparams):
    """Writes rows into a file, or into whatever has a method `write`."""
    return _Writer(csvfile, _dialect(dialect, fmtparams))


class DictReader:
    """The rows of a table as dictionaries; without `fieldnames` the first row has the names."""

    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        self._fieldnames, self.restkey, self.restval = fieldnames, restkey, restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect, self.line_num = dialect, 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            for row in self.reader:
                self._fieldnames = row
                break
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while row == []:
            row = next(self.reader)
        names = names or []
        entries = dict(zip(names, row))
        if len(names) < len(row):
            entries[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            entries[name] = self.restval
        return entries


class DictWriter:
    """Writes dictionaries as rows, in the order of `fieldnames`."""

    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.fieldnames, self.restval, self.extrasaction = fieldnames, restval, extrasaction.lower()
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        """Writes the names as a row."""
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _row(self, rowdict):
        if self.extrasaction == "raise":
            wrong = [name for name in rowdict if name not in self.fieldnames]
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + ", ".join(map(repr, wrong)))
        return [rowdict.get(name, self.restval) for name in self.fieldnames]

    def writerow(self, rowdict):
        """Writes one dictionary as a row."""
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        """Writes dictionaries as rows."""
        return self.writer.writerows(map(self._row, rowdicts))


class Sniffer:
    """Looks at a table's text for how it is written."""

    def sniff(self, sample, delimiters=None):
        """The dialect with the delimiter that comes as often in each line."""
        lines = [line for line in sample.splitlines() if line]
        best = None
        for mark in delimiters or ",;\t|: ":
            counts = {line.count(mark) for line in lines}
            if lines and len(counts) == 1 and 0 not in counts:
                best = mark
                break
        if best is None:
            raise Error("Could not determine delimiter")
        return _dialect(excel, {"delimiter": best})


