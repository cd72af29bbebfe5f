"""Texts with names to fill in."""


def capwords(s, sep=None):
    """The words with a capital each."""
    return (sep or " ").join(word.capitalize() for word in s.split(sep))


class Template:
    """A text in which `$name` and `${name}` stand for values."""

    def __init__(self, template):
        self.template = template

    def _parts(self):
        """Texts, and names with what stands for them; a dollar without a name has `None`."""
        text, at = self.template, 0
        while at < len(text):
            dollar = text.find("$", at)
            if dollar < 0:
                yield text[at:], None, at
                return
            if dollar > at:
                yield text[at:dollar], None, at
            rest = text[dollar + 1:]
            if rest.startswith("$"):
                yield "$", "$", dollar
                at = dollar + 2
                continue
            is_braced = rest.startswith("{")
            start = end = dollar + 1 + is_braced
            while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "_"):
                end += 1
            name = text[start:end]
            closes = not is_braced or text[end:end + 1] == "}"
            if name.isidentifier() and closes:
                at = end + is_braced
                yield text[dollar:at], name, dollar
            else:
                yield "$", "", dollar
                at = dollar + 1

    def _invalid(self, at):
        before = self.template[:at]
        line = before.count("\n") + 1
        raise ValueError(f"Invalid placeholder in string: line {line}, col {at - before.rfind(chr(10))}")

    def _filled(self, mapping, kws, is_safe):
        values = {**dict(mapping), **kws}
        made = []
        for text, name, at in self._parts():
            if name is None:
                made.append(text)
            elif name == "$":
                made.append("$")
            elif name == "":
                if not is_safe:
                    self._invalid(at)
                made.append("$")
            elif name in values:
                made.append(str(values[name]))
            elif is_safe:
                made.append(text)
            else:
                raise KeyError(name)
        return "".join(made)

    def substitute(self, mapping=(), /, **kws):
        """The text with all names filled in."""
        return self._filled(mapping, kws, False)

    def safe_substitute(self, mapping=(), /, **kws):
        """The text with the names filled in that are known."""
        return self._filled(mapping, kws, True)

    def get_identifiers(self):
        """The names, each once."""
        return list({name: None for _, name, _ in self._parts() if name and name != "$"})

    def is_valid(self):
        """Whether every dollar has a name."""
        return all(name != "" for _, name, _ in self._parts())


class Formatter:
    """What `str.format` does, as an object; a class derived from it may say what a field's name stands for."""

    def format(self, format_string, /, *args, **kwargs):
        """The text with its fields filled in."""
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        """As `format`, with the values as a tuple and a dictionary."""
        names = _Values(self, args, kwargs)
        return format_string.format_map(names) if type(self).get_value is not Formatter.get_value else format_string.format(*args, **kwargs)

    def parse(self, format_string):
        """The parts of a format: text, and behind it a field's name, its specification and its conversion."""
        text, at, end = "", 0, len(format_string)
        while at < end:
            sign = format_string[at]
            if sign in "{}" and format_string[at + 1:at + 2] == sign:
                yield text + sign, None, None, None
                text, at = "", at + 2
            elif sign == "}":
                raise ValueError("Single '}' encountered in format string")
            elif sign == "{":
                start, depth = at + 1, 1
                if start == end:
                    raise ValueError("Single '{' encountered in format string")
                while depth:
                    at += 1
                    if at == end:
                        raise ValueError("expected '}' before end of string")
                    depth += {"{": 1, "}": -1}.get(format_string[at], 0)
                name, colon, spec = format_string[start:at].partition(":")
                name, mark, conversion = name.partition("!")
                yield text, name, spec, conversion if mark else None
                text, at = "", at + 1
            else:
                text, at = text + sign, at + 1
        if text:
            yield text, None, None, None

    def get_value(self, key, args, kwargs):
        """What the name or the number of a field stands for."""
        return args[key] if isinstance(key, int) else kwargs[key]


class _Values(dict):
    """Looks names up as a formatter says."""

    def __init__(self, formatter, args, kwargs):
        self._formatter, self._args, self._kwargs = formatter, args, kwargs

    def __getitem__(self, key):
        return self._formatter.get_value(key, self._args, self._kwargs)
