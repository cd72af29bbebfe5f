"""Looking into checkpoints: statistics of their tensors, and what differs between two of them."""

# Bytes of a tensor that are in memory at once.
_BUDGET = 64 * 2**20


def _opened(ck):
    """Tensors by their names: of a checkpoint, a path or a dictionary."""
    if isinstance(ck, str) or hasattr(ck, "__fspath__"):
        ck = load(ck)
    if isinstance(ck, _TableFile):
        return {name: _Column(ck, name) for name in ck.keys()}
    if isinstance(ck, (list, tuple)):
        ck = asarray(ck)
    if isinstance(ck, memmap) or not hasattr(ck, "items"):
        if not hasattr(ck, "dtype") or not hasattr(ck, "nbytes"):
            raise TypeError(f"expected a checkpoint, a table, a path or tensors, found {type(ck).__name__}")
        return {"": ck}
    tensors = {}
    for name, x in ck.items():
        if not isinstance(x, memmap) and hasattr(x, "items"):
            tensors.update({f"{name}.{inner}": value for inner, value in _opened(x).items()})
        elif hasattr(x, "dtype"):
            tensors[str(name)] = x
    return tensors


def _parts_of(x, before=()):
    """The indices of pieces of a tensor that are not larger than the budget."""
    shape = x.shape[len(before):]
    size = 8
    for length in shape:
        size *= length
    if not shape or size <= _BUDGET:
        yield before if before else ...
        return
    row = max(size // shape[0], 1)
    if row > _BUDGET:
        for at in range(shape[0]):
            yield from _parts_of(x, before + (at,))
        return
    step = max(_BUDGET // row, 1)
    for at in range(0, shape[0], step):
        yield before + (slice(at, min(at + step, shape[0])),)


def _pieces(x):
    """A tensor, a piece at a time. What is read says so itself how far it is; what is in memory is told of here."""
    is_here = not hasattr(x, "filename")
    for part in _parts_of(x):
        piece = x[part]
        if is_here:
            disk_done(piece.nbytes)
        yield piece


def _is_plain_file(x):
    """Whether elements that are no complex numbers lie one behind the other in a file."""
    return isinstance(x, memmap) and x._code is not None and isinstance(x._order, bool) and x.dtype.kind != "c"


def _wide(piece):
    """Elements as float64, of complex ones how large they are."""
    return abs(piece).astype(float64) if piece.dtype.kind == "c" else piece.astype(float64)


class _Moments:
    """What is counted of a tensor's elements; those of several can be joined."""

    def __init__(self):
        self.count, self.nan, self.inf, self.zeros, self.mean, self.squares = 0, 0, 0, 0, 0.0, 0.0
        self.nulls = None
        self.min, self.max, self.finite = float("inf"), float("-inf"), 0

    def take(self, found):
        """Adds what `disk_moments` found."""
        part = _Moments()
        part.count, part.nan, part.inf, part.zeros, part.mean, part.squares, part.min, part.max = found
        part.finite = part.count - part.nan - part.inf
        self.join(part)

    def add(self, piece):
        x = _wide(piece)
        count = x.size
        if count == 0:
            return
        fine = isfinite(x)
        finite = int(fine.sum())
        nan = int(isnan(x).sum())
        part = _Moments()
        part.count, part.nan, part.inf, part.finite = count, nan, count - finite - nan, finite
        part.zeros = count - int(count_nonzero(x))
        if finite > 0:
            part.mean = float(where(fine, x, 0.0).sum()) / finite
            part.squares = float(square(where(fine, x - part.mean, 0.0)).sum())
            part.min, part.max = float(where(fine, x, inf).min()), float(where(fine, x, -inf).max())
        self.join(part)

    def add_rows(self, column, part):
        """Rows of a table's column: what is null is counted, and counts for nothing else."""
        found, missing = column.apart(part)
        absent = 0 if missing is None else int(missing.sum())
        self.add(found[~missing] if absent else found)
        self.count, self.nulls = self.count + absent, (self.nulls or 0) + absent

    def join(self, part):
        finite = self.finite + part.finite
        if finite > 0:
            apart = part.mean - self.mean
            self.squares += part.squares + apart * apart * self.finite * part.finite / finite
            self.mean += apart * part.finite / finite
        self.finite, self.count = finite, self.count + part.count
        self.nan, self.inf, self.zeros = self.nan + part.nan, self.inf + part.inf, self.zeros + part.zeros
        self.min, self.max = min(self.min, part.min), max(self.max, part.max)

    def row(self):
        has = self.finite > 0
        return {"elements": self.count, "mean": self.mean if has else None,
                "std": (self.squares / self.finite) ** 0.5 if has else None, "min": self.min if has else None,
                "max": self.max if has else None, "zeros": self.zeros, "nan": self.nan, "inf": self.inf,
                "nulls": self.nulls}


class _Table:
    """Rows of a table, each a dictionary: `t.rows`."""

    _columns = []

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, at):
        return self.rows[at]

    def __repr__(self):
        if not self.rows:
            return "nothing to count"
        columns = [name for name in self._columns if any([row.get(name) is not None for row in self.rows])]
        lines = [columns] + [[_cell(row.get(name)) for name in columns] for row in self.rows]
        widths = [max([len(line[at]) for line in lines]) for at in range(len(columns))]
        shown = []
        for line in lines:
            cells = [cell.ljust(width) if at < 3 else cell.rjust(width)
                     for at, (cell, width) in enumerate(zip(line, widths))]
            shown.append("  ".join(cells).rstrip())
        return "\n".join(shown)


def _cell(value):
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Statistics(_Table):
    """What the elements of tensors are like: a row for each pattern of names."""

    _columns = ["name", "dtype", "shape", "count", "mean", "std", "min", "max", "zeros", "nan", "inf", "nulls"]


class Differences(_Table):
    """What differs between two checkpoints: a row for each pattern of names, what changed most first. `heatmap()` shows
    the layers beside each other, how much each of their parts has changed as a colour.
    """

    _columns = ["name", "what", "shape", "count", "nmse", "max", "cosine", "rank"]

    def __init__(self, rows, changes):
        self.rows, self._changes = rows, changes

    def _grid(self):
        """Parts, layers, and how much each part has changed in each layer; nothing where there are no two layers."""
        cells, parts, layers = {}, [], []
        for name, change in self._changes.items():
            words = name.split(".")
            numbers = [at for at, word in enumerate(words) if word.isdigit()]
            if not numbers:
                continue
            first = numbers[0]
            layer = ".".join(words[:first]), int(words[first])
            # Of what is there many times in a layer, as experts are, the largest change counts.
            inner = ["*" if word.isdigit() else word for word in words[first + 1:]]
            part = ".".join(inner).removesuffix(".weight") or layer[0]
            if part not in parts:
                parts.append(part)
            if layer not in layers:
                layers.append(layer)
            cells[part, layer] = max(cells.get((part, layer), 0.0), change)
        if len(layers) < 2 or not any(cells.values()):
            return None
        layers.sort()
        finite = [log10(change) for change in cells.values() if 0 < change < inf]
        # What has not changed is darker than the smallest change.
        none = min(finite, default=0.0) - 1.0

        def shade(part, layer):
            change = cells.get((part, layer))
            return nan if change is None else none if change == 0 else inf if change == inf else log10(change)

        return parts, layers, [[float(shade(part, layer)) for layer in layers] for part in parts]

    def heatmap(self):
        """A figure of layers and their parts: the colour is the logarithm of the relative change, the square root of
        `nmse`; what has not changed has the darkest, what was zero and no tensor of both has none.
        """
        grid = self._grid()
        if grid is None:
            raise ValueError("there are no layers that have changed: names with a number between dots, at least two")
        from matplotlib.pyplot import Figure
        parts, layers, values = grid
        figure = Figure((6.4, min(max(1.4 + 0.22 * len(parts), 2.4), 20.0)))
        axes = figure.gca()
        image = axes.imshow(array(values), aspect="auto")
        is_one = len({prefix for prefix, number in layers}) == 1
        names = [str(number) if is_one else f"{prefix}.{number}" for prefix, number in layers]
        step = max(-(-len(layers) // (16 if is_one else 4)), 1)
        axes.set_xticks(list(range(0, len(layers), step)), names[::step])
        axes.set_yticks(list(range(len(parts))), parts)
        axes.set_xlabel(layers[0][0] if is_one else "layer")
        axes.set_title("log10 of the relative change")
        figure.colorbar(image)
        return figure

    def _as_figure(self):
        """What is shown below the rows."""
        return None if self._grid() is None else self.heatmap()


def _kind_of(x):
    from safetensors import _called
    return _called(x) if hasattr(x, "kind") else str(x.dtype)


def _groups(names, key):
    """Names that differ by numbers only and are alike, each group with its pattern."""
    from safetensors import _parts, _range
    groups = {}
    for name in names:
        pattern, numbers = _parts(name)
        groups.setdefault((pattern, key(name)), []).append((numbers, name))
    for (pattern, found), members in groups.items():
        for at in range(pattern.count("{}")):
            pattern = pattern.replace("{}", _range(sorted({numbers[at] for numbers, name in members})), 1)
        yield pattern, found, [name for numbers, name in members]


def stats(ck):
    """Mean, deviation and extremes of the tensors of a checkpoint, folded by patterns of names, or of the columns of a table;
    how many elements are zero, NaN, infinite and null, which count for nothing else. A tensor or a column is read in
    pieces, so that it may be larger than memory. `ck` is a checkpoint, a part of one (`ck["layers.*"]`), a table, a path
    (that of a text, `.csv`, has a row for each column) or a dictionary; `stats(ck).rows` has the numbers.

    >>> stats({"layers.0.w": array([1.0, 2.0]), "layers.1.w": array([3.0, nan])})
    """
    if (isinstance(ck, str) or hasattr(ck, "__fspath__")) and _ending(_path(ck)) in _DELIMITERS:
        return Statistics(_text_rows(_path(ck)))
    if isinstance(ck, str) or hasattr(ck, "__fspath__"):
        ck = load(ck)
    tensors = _opened(ck)
    rows = []
    total = sum([x.nbytes for x in tensors.values()])
    if isinstance(ck, _TableFile):
        # What is said to be done is bytes of the file, of which columns take fewer than of memory.
        total = min(total, disk_size(ck.path))
    disk_begin("stats", total)
    try:
        files = {name: x for name, x in tensors.items() if _is_plain_file(x)}
        places = [(x.filename, x._code, x.offset, x.size) for x in files.values()]
        found = dict(zip(files, disk_moments(places)))
        for name, (kind, shape), members in _groups(tensors, lambda name: (_kind_of(tensors[name]), tensors[name].shape)):
            moments = _Moments()
            for member in members:
                if member in found:
                    moments.take(found[member])
                    continue
                if isinstance(tensors[member], _Column):
                    for part in _parts_of(tensors[member]):
                        moments.add_rows(tensors[member], part)
                    continue
                for piece in _pieces(tensors[member]):
                    moments.add(piece)
            rows.append({"name": name, "dtype": kind, "shape": shape, "count": len(members), **moments.row()})
    finally:
        disk_end()
    return Statistics(rows)


def _text_rows(path):
    """The statistics of each column of a table of text, of which a part is in memory at a time."""
    delimiter = _DELIMITERS[_ending(path)]
    titles = _titles(path, delimiter)
    columns, place, rows, lines, fields = [], 0, 0, 0, 0
    size = disk_size(path)
    disk_begin("stats", size)
    try:
        while place < size:
            found = disk_table_part(path, delimiter, place, rows, lines, fields, titles if place == 0 else 0)
            if found is None:
                # What only the language reads is read whole.
                whole = load(path)
                whole = whole.reshape((1, -1)) if len(whole.shape) < 2 else whole
                found, columns = (whole, size, 0, whole.shape[1]), []
            piece, place, lines, fields = found
            rows += piece.shape[0]
            columns = columns or [_Moments() for column in range(piece.shape[1])]
            for at in range(piece.shape[1]):
                columns[at].add(piece[:, at])
    finally:
        disk_end()
    names = [f"column {at}" for at in range(len(columns))]
    if titles:
        given = _names_in(path, delimiter)
        if not rows:
            columns = [_Moments() for name in given]
        if len(given) == len(columns):
            names = given
    return [{"name": name, "dtype": "float64", "shape": (rows,), "count": 1, **moments.row()}
            for name, moments in zip(names, columns)]


def compare(a, b, rank=False):
    """What differs between two checkpoints, `b` from `a`, folded by patterns of names: tensors that only one has, other
    shapes and types, and of the rest how far they are apart: `nmse` is the sum of the squared differences beside that of
    a's squares, `max` the largest difference, `cosine` that of the angle between them. With `rank` matrices also have the
    rank of the change, as low-rank training leaves it. `diff(a, b)` is the same.

    >>> compare({"w": array([1.0, 2.0]), "v": ones(2)}, {"w": array([1.0, 2.5]), "u": ones(3)})
    """
    a, b = _opened(a), _opened(b)
    names = list(a) + [name for name in b if name not in a]

    def what(name):
        if name not in b:
            return "only in a", a[name].shape
        if name not in a:
            return "only in b", b[name].shape
        x, y = a[name], b[name]
        if x.shape != y.shape:
            return f"shape {x.shape} became {y.shape}", None
        return (None if _kind_of(x) == _kind_of(y) else f"{_kind_of(x)} became {_kind_of(y)}"), x.shape

    rows, changes = [], {}
    both = [(name, a[name], b[name]) for name in names if name in a and name in b and a[name].shape == b[name].shape]
    disk_begin("diff", sum([(x.nbytes + y.nbytes) * (2 if rank and len(x.shape) == 2 else 1) for name, x, y in both]))
    try:
        distances = _file_distances(both)
        for name, (found, shape), members in _groups(names, what):
            row = {"name": name, "what": found, "shape": shape, "count": len(members)}
            if shape is not None and not (found or "").startswith("only"):
                row.update(_apart([(member, a[member], b[member]) for member in members], distances, rank, changes))
                if found is None:
                    row["what"] = "same" if row["max"] == 0 else "changed"
            rows.append(row)
    finally:
        disk_end()

    def order(row):
        if "max" not in row:
            return 0, 0.0
        # What was zero throughout has changed beyond measure.
        return 1, -inf if row["nmse"] is None else -row["nmse"]

    return Differences(sorted(rows, key=order), changes)


def _distances(x, y):
    """Of parts p and q of two tensors the largest |q - p|, and the sums of its square, of |p|², of |q|² and of p·q."""
    for p, q in zip(_pieces(x), _pieces(y)):
        if p.dtype.kind != "c" and q.dtype.kind != "c":
            p, q = p.astype(float64), q.astype(float64)
        if p.size == 0:
            continue
        change = abs(q - p)
        same = (p == q) | (isnan(p) & isnan(q))
        change = where(same, 0.0, change)
        yield (float(where(isnan(change), inf, change).max()), float(square(change).sum()), float(square(abs(p)).sum()),
               float(square(abs(q)).sum()), float((p * q.conj()).real.sum()))


def _file_distances(pairs):
    """What `_distances` finds, by their names, of pairs that lie in files."""
    pairs = [(name, x, y) for name, x, y in pairs
             if _is_plain_file(x) and _is_plain_file(y) and x._order == y._order]
    places = [(x.filename, x._code, x.offset, y.filename, y._code, y.offset, x.size) for name, x, y in pairs]
    return dict(zip([name for name, x, y in pairs], disk_distances(places)))


def _apart(pairs, found, rank, changes):
    """How far pairs of tensors are apart, of some of which that is found; the relative change of each goes to `changes`."""
    most, apart, own, other, both, ranks = 0.0, 0.0, 0.0, 0.0, 0.0, []
    for name, x, y in pairs:
        before, length = apart, own
        for far, squares, p, q, product in [found[name]] if name in found else _distances(x, y):
            most, apart = max(most, far), apart + squares
            own, other, both = own + p, other + q, both + product
        changed, length = apart - before, own - length
        changes[name] = 0.0 if changed == 0 else (changed / length) ** 0.5 if length > 0 and isfinite(changed) else inf
        if rank and len(x.shape) == 2 and min(x.shape) > 0:
            ranks.append(int(linalg.matrix_rank(_wide(y[...]) - _wide(x[...]), rtol=max(x.shape) * 2.0**-23)))
    nmse = apart / own if own > 0 and isfinite(apart) and isfinite(own) else (0.0 if most == 0 else None)
    length = (own * other) ** 0.5
    row = {"nmse": nmse, "max": most, "cosine": both / length if length > 0 and isfinite(length) else None}
    if ranks:
        row["rank"] = max(ranks)
    return row


def _shell(command, paths, pattern, as_json):
    """What the subcommands of the shell print."""
    if command == "stats" and pattern is None:
        found = list(paths)
    else:
        found = [load(path) for path in paths]
    if pattern is not None:
        if not hasattr(found[0], "items"):
            raise ValueError(f"'{paths[0]}' holds no tensors with names")
        found[0] = found[0][pattern]
    if command == "show" and not as_json:
        if hasattr(found[0], "dtype") and not isinstance(found[0], memmap):
            from safetensors import _size
            print(f"{found[0].dtype} {tuple(found[0].shape)} {_size(found[0].nbytes)}")
        print(found[0])
        return
    if command == "show":
        tensors = _opened(found[0])
        rows = [{"name": name, "dtype": _kind_of(x), "shape": x.shape, "bytes": x.nbytes} for name, x in tensors.items()]
    else:
        rows = stats(found[0]) if command == "stats" else compare(*found)
        if not as_json:
            print(rows)
            figure = rows._as_figure() if command == "diff" else None
            if figure is not None:
                figure.show()
            return
    import json

    def plain(value):
        if isinstance(value, tuple):
            return list(value)
        return None if isinstance(value, float) and not isfinite(value) else value

    print(json.dumps([{name: plain(value) for name, value in row.items()} for row in rows]))
