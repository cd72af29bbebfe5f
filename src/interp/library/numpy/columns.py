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


_TableFile.__name__ = "Table"


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
