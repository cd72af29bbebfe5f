"""Columns of tables: `.parquet`, `.arrow` and `.feather`."""


class _TableFile:
    """The columns of a file by their names, each read when it is asked for: `t["price"]` reads one, `t[["price", "count"]]`
    chooses some, `t[:1000]` rows, of which no others are read.

    What is null is NaN in a column of floats. One of integers with nulls becomes float64, as in pandas, where that
    holds all of its numbers; one of bools with nulls is a ValueError. `t.column(name, fill=0)` puts a number in
    their place, and keeps the type; `t.isnull(name)` says where they are.
    """

    def __init__(self, path, about, first, last):
        self.path, self._about, self._first, self._last = path, about, first, last
        self.columns = list(about)

    @property
    def shape(self):
        """Rows and columns."""
        return self._last - self._first, len(self.columns)

    def _one(self, name):
        found = self._about.get(name)
        if found is None:
            raise KeyError(f"no column '{name}' in '{self.path}': there are {', '.join(self.columns[:10])}"
                           + (", …" if len(self.columns) > 10 else ""))
        if found[2] is None:
            raise ValueError(f"column '{name}' is {found[1]}, which no tensor holds; the columns of numbers are read")
        return found

    def __getitem__(self, key):
        if isinstance(key, (list, tuple)):
            for name in key:
                if name not in self._about:
                    self._one(name)
            return _TableFile(self.path, {name: self._about[name] for name in key}, self._first, self._last)
        if isinstance(key, str) and key not in self._about and ("*" in key or "?" in key):
            from fnmatch import fnmatchcase
            chosen = [name for name in self.columns if fnmatchcase(name, key)]
            if not chosen:
                raise KeyError(f"no column of '{self.path}' matches {key!r}")
            return self[chosen]
        if not isinstance(key, (str, slice)):
            raise TypeError(f"a table's columns have names, found {type(key).__name__}: `t[\"{self.columns[0] if self.columns else 'x'}\"]`"
                            " is a column, `t[:10]` the first rows, `t.head()` shows them")
        if isinstance(key, slice):
            start, stop, step = key.indices(self._last - self._first)
            if step != 1:
                raise ValueError("rows are chosen one after the other: a slice without a step")
            return _TableFile(self.path, self._about, self._first + start, self._first + max(start, stop))
        at, kind, dtype, nulls = self._one(key)
        if dtype.kind == "f":
            return disk_column(self.path, at, dtype, nan, self._first, self._last)
        found = None if nulls else disk_column(self.path, at, dtype, None, self._first, self._last)
        if found is None and dtype.kind != "b":
            found = disk_column(self.path, at, float64, nan, self._first, self._last)
        if found is None:
            why = "no bool" if dtype.kind == "b" else "no float64 that holds its other numbers"
            raise ValueError(f"column '{key}' has nulls, and {why} stands for one: `t.column({key!r}, fill=0)` puts "
                             f"something in their place, `t.isnull({key!r})` says where they are")
        return found

    def column(self, name, fill=None):
        """A column; with `fill`, in its own type, that stands for what is null."""
        if fill is None:
            return self[name]
        at, kind, dtype, nulls = self._one(name)
        return disk_column(self.path, at, dtype, fill, self._first, self._last)

    def isnull(self, name):
        """Which rows of a column are null."""
        return disk_column_nulls(self.path, self._one(name)[0], self._first, self._last)

    def keys(self):
        """The names of the columns that can be read; `columns` are those of all."""
        return [name for name, about in self._about.items() if about[2] is not None]

    def values(self):
        """The columns, all of them read."""
        return [self[name] for name in self.keys()]

    def items(self):
        """Pairs of names and columns, all of them read."""
        return [(name, self[name]) for name in self.keys()]

    def get(self, key, default=None, /):
        """The column of a name, or `default`."""
        return self[key] if key in self._about else default

    def load(self):
        """All columns of numbers, as a dictionary."""
        return dict(self.items())

    @property
    def dtypes(self):
        """The types of the columns that can be read."""
        return {name: self._about[name][2] for name in self.keys()}

    def head(self, n=5):
        """The first rows as a table of numbers; `t[:n]` are the same rows for reading."""
        return _Shown(self[:n])

    def tail(self, n=5):
        """The last rows as a table of numbers."""
        rows = self._last - self._first
        return _Shown(self[max(rows - n, 0):])

    def describe(self):
        """The statistics of each column: `stats(t)`."""
        return stats(self)

    def __getattr__(self, name):
        if name in self._about:
            return self[name]
        raise AttributeError(f"'Table' object has no attribute '{name}', and no column has that name")

    def __array__(self, dtype=None, copy=None):
        table = stack(self.values(), axis=1) if self.keys() else zeros((self._last - self._first, 0))
        return table if dtype is None else table.astype(dtype)

    def __len__(self):
        return len(self.keys())

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, key):
        return key in self._about

    def _ipython_key_completions_(self):
        return self.keys()

    def __repr__(self):
        rows = [("column", "type", "as", "nulls")]
        for name, (at, kind, dtype, nulls) in self._about.items():
            read = "not read" if dtype is None else "" if str(dtype) == kind else str(dtype)
            rows.append((name, kind, read, "" if nulls is None else str(nulls)))
        hidden = len(rows) - 61
        if hidden > 0:
            rows = rows[:61]
        widths = [max([len(row[at]) for row in rows]) for at in range(4)]
        lines = [f"{self._last - self._first} rows of '{self.path}'"]
        for row in rows:
            cells = [row[at].ljust(widths[at]) for at in range(3)] + [row[3].rjust(widths[3])]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines + ([f"… and {hidden} more"] if hidden > 0 else []))


class _Shown:
    """Rows of a table, to be looked at."""

    def __init__(self, table):
        self._table = table

    def __repr__(self):
        table, lines = self._table, []
        rows = table.shape[0]
        columns = [[str(at) for at in range(table._first, table._last)]]
        titles = [""]
        for name, (at, kind, dtype, nulls) in list(table._about.items())[:20]:
            titles.append(name)
            if dtype is None:
                columns.append([f"({kind})"] * rows)
                continue
            found, missing = _Column(table, name).apart(...)
            absent = zeros(rows, dtype=bool) if missing is None else missing
            columns.append(["null" if is_null else f"{value:.6g}" if isinstance(value, float) else str(value)
                            for value, is_null in zip(found.tolist(), absent.tolist())])
        widths = [max([len(title)] + [len(cell) for cell in column]) for title, column in zip(titles, columns)]
        for cells in [titles] + [list(row) for row in zip(*columns)]:
            lines.append("  ".join([cell.rjust(width) for cell, width in zip(cells, widths)]).rstrip())
        hidden = len(table._about) - 20
        return "\n".join(lines + ([f"… and {hidden} more columns"] if hidden > 0 else []))


# Errors and `type` call it so.
_TableFile = type("Table", (_TableFile,), {"__doc__": _TableFile.__doc__})


class _Column:
    """A column that is read when rows of it are asked for: what is null is NaN."""

    def __init__(self, table, name):
        self._table, self._name = table, name
        at, kind, self.dtype, self._nulls = table._one(name)
        self.filename, self.shape = table.path, (table.shape[0],)
        self.nbytes = self.shape[0] * self.dtype.itemsize

    def _rows(self, part):
        return self._table if part is ... else self._table[part[0]]

    def __getitem__(self, part):
        found, missing = self.apart(part)
        return found if missing is None else where(missing, nan, found.astype(float64))

    def apart(self, part):
        """Rows, and which of them are null; None where that is known of none."""
        table = self._rows(part)
        found = table.column(self._name, fill=False if self.dtype.kind == "b" else 0)
        return found, None if self._nulls == 0 else table.isnull(self._name)


def _open_columns(path, chosen):
    """The columns of a file, or those that are chosen."""
    rows, columns = disk_columns(path)
    about = {}
    for at, (name, kind, dtype, nulls) in enumerate(columns):
        # A name may come twice; both can be read.
        known, number = name, 2
        while name in about:
            name, number = f"{known}_{number}", number + 1
        about[name] = at, kind, dtype, nulls
    table = _TableFile(path, about, 0, rows)
    return table if chosen is None else table[[chosen] if isinstance(chosen, str) else list(chosen)]
