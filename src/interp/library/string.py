"""Texts with names to fill in."""


def capwords(s, sep=None):
    """The words with a capital each."""
    return (sep or " ").join(word.capitalize() for word in s.split(sep))


class Template:
    """A text in which `$name` and `${name}` stand for values. A class derived from it may have another `delimiter`, or names
    of its own: `idpattern`, `braceidpattern`, `flags` and `pattern` are regular expressions, as in CPython."""

    delimiter = "$"
    idpattern = "(?a:[_a-z][_a-z0-9]*)"
    braceidpattern = None
    flags = 2
    pattern = None

    def __init__(self, template):
        self.template = template

    def _parts(self):
        """Texts, and names with what stands for them; a dollar without a name has `None`."""
        own = ("idpattern", "braceidpattern", "flags", "pattern")
        if any(getattr(self, name) is not getattr(Template, name) for name in own):
            yield from self._parts_by_pattern()
            return
        text, at, sign = self.template, 0, self.delimiter
        while at < len(text):
            dollar = text.find(sign, at)
            if dollar < 0:
                yield text[at:], None, at
                return
            if dollar > at:
                yield text[at:dollar], None, at
            behind = dollar + len(sign)
            rest = text[behind:]
            if rest.startswith(sign):
                yield sign, "$", dollar
                at = behind + len(sign)
                continue
            is_braced = rest.startswith("{")
            start = end = behind + is_braced
            while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "_"):
                end += 1
            name = text[start:end]
            closes = not is_braced or text[end:end + 1] == "}"
            if name.isidentifier() and closes:
                at = end + is_braced
                yield text[dollar:at], name, dollar
            else:
                yield sign, "", dollar
                at = behind

    def _parts_by_pattern(self):
        import re

        sign, name = re.escape(self.delimiter), self.idpattern
        pattern = self.pattern or f"""
            {sign}(?:
              (?P<escaped>{sign})  |
              (?P<named>{name}) |
              {{(?P<braced>{self.braceidpattern or name})}} |
              (?P<invalid>)
            )"""
        text, at = self.template, 0
        for found in re.compile(pattern, self.flags | re.VERBOSE).finditer(text):
            if found.start() > at:
                yield text[at:found.start()], None, at
            at = found.end()
            name = found.group("named") or found.group("braced")
            if name is not None:
                yield found.group(), name, found.start()
            elif found.group("escaped") is not None:
                yield self.delimiter, "$", found.start()
            elif found.group("invalid") is not None:
                yield found.group(), "", found.start("invalid")
            else:
                raise ValueError("Unrecognized named group in pattern", pattern)
        if at < len(text):
            yield text[at:], None, at

    def _invalid(self, at):
        before = self.template[:at]
        line = before.count("\n") + 1
        raise ValueError(f"Invalid placeholder in string: line {line}, col {at - before.rfind(chr(10))}")

    def _filled(self, mapping, kws, is_safe):
        made = []
        for text, name, at in self._parts():
            if name is None:
                made.append(text)
            elif name == "$":
                made.append(text)
            elif name == "":
                if not is_safe:
                    self._invalid(at)
                made.append(text)
            else:
                try:
                    made.append(str(kws[name] if name in kws or mapping == () else mapping[name]))
                except KeyError:
                    if not is_safe:
                        raise
                    made.append(text)
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
    """What `str.format` does, as an object; a class derived from it may say otherwise at each step."""

    def format(self, format_string, /, *args, **kwargs):
        """The text with its fields filled in."""
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        """As `format`, with the values as a tuple and a dictionary."""
        used = set()
        made, _ = self._vformat(format_string, args, kwargs, used, 2)
        self.check_unused_args(used, args, kwargs)
        return made

    def _vformat(self, format_string, args, kwargs, used, depth, number=0):
        if depth < 0:
            raise ValueError("Max string recursion exceeded")
        made = []
        for text, name, spec, conversion in self.parse(format_string):
            if text:
                made.append(text)
            if name is None:
                continue
            if name == "":
                if number is None:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering")
                name, number = str(number), number + 1
            elif name.isdigit():
                if number:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering")
                number = None
            value, key = self.get_field(name, args, kwargs)
            used.add(key)
            value = self.convert_field(value, conversion)
            spec, number = self._vformat(spec, args, kwargs, used, depth - 1, number)
            made.append(self.format_field(value, spec))
        return "".join(made), number

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
                start, depth, in_brackets = at + 1, 1, False
                if start == end:
                    raise ValueError("Single '{' encountered in format string")
                while depth:
                    at += 1
                    if at == end:
                        raise ValueError("expected '}' before end of string")
                    sign = format_string[at]
                    in_brackets = sign != "]" and (in_brackets or sign == "[")
                    depth += 0 if in_brackets else {"{": 1, "}": -1}.get(sign, 0)
                name, colon, spec = format_string[start:at].partition(":")
                name, mark, conversion = name.partition("!")
                yield text, name, spec, conversion if mark else None
                text, at = "", at + 1
            else:
                text, at = text + sign, at + 1
        if text:
            yield text, None, None, None

    def get_field(self, field_name, args, kwargs):
        """What a field's name stands for, attributes and items and all, and its first part."""
        end = min([at for at in (field_name.find("."), field_name.find("[")) if at >= 0], default=len(field_name))
        first, rest = field_name[:end], field_name[end:]
        first = int(first) if first.isdigit() else first
        value = self.get_value(first, args, kwargs)
        while rest:
            if rest.startswith("["):
                inside, bracket, rest = rest[1:].partition("]")
                if not bracket:
                    raise ValueError("Missing ']' in format string")
                if not inside:
                    raise ValueError("Empty attribute in format string")
                if rest and rest[0] not in ".[":
                    raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
                value = value[int(inside) if inside.isdigit() else inside]
            else:
                rest = rest[1:]
                end = min([at for at in (rest.find("."), rest.find("[")) if at >= 0], default=len(rest))
                if end == 0:
                    raise ValueError("Empty attribute in format string")
                value, rest = getattr(value, rest[:end]), rest[end:]
        return value, first

    def get_value(self, key, args, kwargs):
        """What the name or the number of a field stands for."""
        return args[key] if isinstance(key, int) else kwargs[key]

    def convert_field(self, value, conversion):
        """What `!s`, `!r` and `!a` make of a value."""
        if conversion is None:
            return value
        if conversion in ("s", "r", "a"):
            return {"s": str, "r": repr, "a": ascii}[conversion](value)
        raise ValueError(f"Unknown conversion specifier {conversion}")

    def format_field(self, value, format_spec):
        """`format(value, format_spec)`"""
        return format(value, format_spec)

    def check_unused_args(self, used_args, args, kwargs):
        """May refuse values that no field has asked for."""
