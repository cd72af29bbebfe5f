"""Values written over several lines."""


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    """A value as a text whose lines are at most `width` long where that can be."""
    if indent < 0:
        raise ValueError("indent must be >= 0")
    if depth is not None and depth <= 0:
        raise ValueError("depth must be > 0")
    if not width:
        raise ValueError("width must be != 0")
    return _Printer(indent, width, depth, compact, sort_dicts, underscore_numbers).text(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    """Prints a value over several lines."""
    text = pformat(
        object, indent, width, depth, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers
    )
    if stream is None:
        print(text)
    else:
        stream.write(text + "\n")


def pp(object, *args, sort_dicts=False, **kwargs):
    """As `pprint`, with the keys of dictionaries as they stand."""
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def _sort_key(value):
    return _Key(value)


class _Key:
    """Values of types that have no order go by their types' names."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            one, two = type(self.value), type(other.value)
            return (str(one), id(self.value)) < (str(two), id(other.value))


class _Printer:
    def __init__(self, indent, width, depth, compact, sort_dicts, underscores):
        self.per_level, self.width, self.depth = indent, width, depth
        self.compact, self.sort_dicts, self.underscores = compact, sort_dicts, underscores

    def text(self, value):
        self.parts = []
        self.format(value, 0, 0, [], 0)
        return "".join(self.parts)

    def repr(self, value, around, level):
        """The value on one line."""
        kind = type(value)
        if kind is int and self.underscores:
            return f"{value:_d}"
        if not isinstance(value, (dict, list, tuple)) or not value or not _is_plain(kind):
            return repr(value)
        if self.depth is not None and level >= self.depth:
            return {dict: "{...}", list: "[...]", tuple: "(...)"}[kind]
        if any(value is one for one in around):
            return f"<Recursion on {kind.__name__} with id={id(value)}>"
        around = around + [value]
        if kind is dict:
            items = sorted(value.items(), key=_pair_key) if self.sort_dicts else value.items()
            pairs = [f"{self.repr(k, around, level + 1)}: {self.repr(v, around, level + 1)}" for k, v in items]
            return "{" + ", ".join(pairs) + "}"
        inner = ", ".join([self.repr(item, around, level + 1) for item in value])
        if kind is list:
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"

    def format(self, value, indent, allowance, around, level):
        if any(value is one for one in around):
            self.parts.append(f"<Recursion on {type(value).__name__} with id={id(value)}>")
            return
        text = self.repr(value, around, level)
        kind = type(value)
        if len(text) <= self.width - indent - allowance or not value or not _is_plain(kind):
            if len(text) > self.width - indent - allowance and _is_data(value):
                return self.data(value, indent, allowance, around + [value], level + 1)
            self.parts.append(text)
            return
        if self.depth is not None and level >= self.depth:
            self.parts.append(text)
            return
        around = around + [value]
        if kind is dict:
            self.parts.append("{" + " " * (self.per_level - 1))
            items = sorted(value.items(), key=_pair_key) if self.sort_dicts else list(value.items())
            self.pairs(items, indent, allowance + 1, around, level + 1)
            self.parts.append("}")
        elif kind is list:
            self.parts.append("[")
            self.items(value, indent, allowance + 1, around, level + 1)
            self.parts.append("]")
        elif kind is tuple:
            self.parts.append("(")
            end = ",)" if len(value) == 1 else ")"
            self.items(value, indent, allowance + len(end), around, level + 1)
            self.parts.append(end)
        elif kind is set:
            self.parts.append("{")
            self.items(sorted(value, key=_sort_key), indent, allowance + 1, around, level + 1)
            self.parts.append("}")
        elif kind is frozenset:
            self.parts.append("frozenset({")
            self.items(sorted(value, key=_sort_key), indent + 10, allowance + 2, around, level + 1)
            self.parts.append("})")
        else:
            self.string(value, indent, allowance, level + 1)

    def pairs(self, items, indent, allowance, around, level):
        indent += self.per_level
        separator = ",\n" + " " * indent
        for at, (key, value) in enumerate(items):
            is_last = at + 1 == len(items)
            text = self.repr(key, around, level)
            self.parts.append(text + ": ")
            self.format(value, indent + len(text) + 2, allowance if is_last else 1, around, level)
            if not is_last:
                self.parts.append(separator)

    def items(self, items, indent, allowance, around, level):
        indent += self.per_level
        if self.per_level > 1:
            self.parts.append(" " * (self.per_level - 1))
        separator = ",\n" + " " * indent
        items = list(items)
        delimiter = ""
        width = room = self.width - indent + 1
        for at, item in enumerate(items):
            is_last = at + 1 == len(items)
            if is_last:
                room -= allowance
                width -= allowance
            if self.compact:
                text = self.repr(item, around, level)
                need = len(text) + 2
                if width < need:
                    width = room
                    if delimiter:
                        delimiter = separator
                if width >= need:
                    width -= need
                    self.parts.append(delimiter + text)
                    delimiter = ", "
                    continue
            self.parts.append(delimiter)
            delimiter = separator
            self.format(item, indent, allowance if is_last else 1, around, level)

    def string(self, text, indent, allowance, level):
        lines = text.splitlines(True)
        if level == 1:
            indent += 1
            allowance += 1
        room = most = self.width - indent
        chunks = []
        shown = ""
        for at, line in enumerate(lines):
            shown = repr(line)
            if at == len(lines) - 1:
                most -= allowance
            if len(shown) <= most:
                chunks.append(shown)
                continue
            # Words with the blanks behind them.
            words = _words(line)
            most = room
            current = ""
            for number, word in enumerate(words):
                candidate = current + word
                if number == len(words) - 1 and at == len(lines) - 1:
                    most -= allowance
                if len(repr(candidate)) > most:
                    if current:
                        chunks.append(repr(current))
                    current = word
                else:
                    current = candidate
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            self.parts.append(shown)
            return
        inner = ("\n" + " " * indent).join(chunks)
        self.parts.append(f"({inner})" if level == 1 else inner)

    def data(self, value, indent, allowance, around, level):
        name = type(value).__qualname__
        indent += len(name) + 1
        fields = [f for f in value.__dataclass_fields__.values() if getattr(f, "repr", True)]
        self.parts.append(name + "(")
        for at, field in enumerate(fields):
            is_last = at + 1 == len(fields)
            self.parts.append(field.name + "=")
            self.format(
                getattr(value, field.name), indent + len(field.name) + 1, allowance if is_last else 1, around, level
            )
            if not is_last:
                self.parts.append(",\n" + " " * indent)
        self.parts.append(")")


def _is_plain(kind):
    return kind in (dict, list, tuple, set, frozenset, str)


def _is_data(value):
    return not isinstance(value, type) and hasattr(value, "__dataclass_fields__")


def _pair_key(pair):
    return (_Key(pair[0]), _Key(pair[1]))


def _words(line):
    words, start, at = [], 0, 0
    while at < len(line):
        while at < len(line) and not line[at].isspace():
            at += 1
        while at < len(line) and line[at].isspace():
            at += 1
        words.append(line[start:at])
        start = at
    return words
