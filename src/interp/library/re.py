"""Regular expressions: patterns that texts are searched for."""

from enum import IntFlag


class RegexFlag(IntFlag):
    """How a pattern matches; several are joined by `|`."""

    NOFLAG = 0
    IGNORECASE = I = 2
    LOCALE = L = 4
    MULTILINE = M = 8
    DOTALL = S = 16
    UNICODE = U = 32
    VERBOSE = X = 64
    DEBUG = 128
    ASCII = A = 256

    def __str__(self):
        return repr(self)

    def __repr__(self):
        names = [f"re.{name}" for name, bit in _NAMED if int(self) & bit]
        return "|".join(names) or "re.NOFLAG"


_NAMED = [("ASCII", 256), ("IGNORECASE", 2), ("LOCALE", 4), ("UNICODE", 32), ("MULTILINE", 8), ("DOTALL", 16), ("VERBOSE", 64), ("DEBUG", 128)]

NOFLAG = RegexFlag.NOFLAG
I = IGNORECASE = RegexFlag.IGNORECASE
L = LOCALE = RegexFlag.LOCALE
M = MULTILINE = RegexFlag.MULTILINE
S = DOTALL = RegexFlag.DOTALL
U = UNICODE = RegexFlag.UNICODE
X = VERBOSE = RegexFlag.VERBOSE
A = ASCII = RegexFlag.ASCII


class error(Exception):
    """What is wrong with a pattern: `msg`, and the position `pos`."""

    __module__ = "re"

    def __init__(self, msg, pattern=None, pos=None):
        self.msg, self.pattern, self.pos, self.lineno, self.colno = msg, pattern, pos, None, None
        if pattern is not None and pos is not None:
            self.lineno = pattern.count("\n", 0, pos) + 1
            self.colno = pos - pattern.rfind("\n", 0, pos)
            msg = f"{msg} at position {pos}"
            if "\n" in pattern:
                msg += f" (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


_ANYWHERE, _HERE, _WHOLE = 0, 1, 2
_ALL = 1 << 62


def _check(string):
    if not isinstance(string, str):
        raise TypeError(f"expected string or bytes-like object, got '{type(string).__name__}'")


class Match:
    """Where a pattern matches a text."""

    __spoken_name__ = "re.Match"
    __module__ = "re"

    def __init__(self, pattern, string, pos, endpos, ends):
        self.re, self.string, self.pos, self.endpos, self._ends = pattern, string, pos, endpos, ends

    def _group(self, which):
        if type(which) is int and 0 <= which <= self.re.groups:
            return 2 * which
        if isinstance(which, str):
            which = self.re.groupindex.get(which, -1)
        elif not isinstance(which, int):
            which = which.__index__() if hasattr(which, "__index__") else -1
        if not 0 <= which <= self.re.groups:
            raise IndexError("no such group")
        return 2 * which

    def _text(self, at, default=None):
        start = self._ends[at]
        return default if start < 0 else self.string[start:self._ends[at + 1]]

    def group(self, *groups):
        """The text of a group, by number or name; of several a tuple; without any of all of the match."""
        texts = texts_of_groups(self.string, self._ends, groups, None)
        if texts is NotImplemented:
            texts = tuple([self._text(self._group(group)) for group in groups])
            return texts if len(texts) > 1 else texts[0]
        return texts

    def __getitem__(self, group):
        return self._text(self._group(group))

    def groups(self, default=None):
        """The texts of all groups."""
        texts = texts_of_groups(self.string, self._ends, self.re._numbers, default)
        return texts if self.re.groups > 1 else (texts,) if self.re.groups else ()

    def groupdict(self, default=None):
        """The texts of the groups that have names."""
        return {name: self._text(2 * group, default) for name, group in self.re.groupindex.items()}

    def start(self, group=0, /):
        """Where a group begins; -1 where it has no part in the match."""
        return self._ends[self._group(group)]

    def end(self, group=0, /):
        """Where a group ends; -1 where it has no part in the match."""
        return self._ends[self._group(group) + 1]

    def span(self, group=0, /):
        """(start, end) of a group."""
        ends, at = self._ends, self._group(group)
        return ends[at], ends[at + 1]

    @property
    def regs(self):
        return tuple(zip(self._ends[::2], self._ends[1::2]))

    @property
    def lastindex(self):
        """The group that closed last."""
        ends = self._ends
        last, end = None, -1
        for group in self.re._closed:
            if ends[2 * group + 1] >= end and ends[2 * group] >= 0:
                last, end = group, ends[2 * group + 1]
        return last

    @property
    def lastgroup(self):
        """The name of the group that closed last."""
        names = self.re.groupindex
        if names:
            last = self.lastindex
            for name, group in names.items():
                if group == last:
                    return name
        return None

    def expand(self, template):
        """A template as `sub` takes it, with the groups filled in."""
        return _filled(_template(template, self.re), self)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={self._text(0)!r}>"


class Pattern:
    """A compiled pattern."""

    __spoken_name__ = "re.Pattern"
    __module__ = "re"

    def __init__(self, pattern, flags):
        found = compiled_pattern(pattern, int(flags))
        if len(found) == 2:
            message, at = found
            raise error(message, pattern, at)
        self.pattern = pattern
        self._searcher, self.flags, self.groups, self.groupindex, self._closed = found
        self._numbers = tuple(range(1, self.groups + 1))

    def _all(self, string, pos, endpos, how, limit=_ALL, must_advance=False):
        _check(string)
        return matches_of(self._searcher, string, max(pos, 0), max(endpos, 0), how, limit, must_advance)

    def _one(self, string, pos, endpos, how):
        _check(string)
        pos, endpos, size = max(pos, 0), max(endpos, 0), len(string)
        found = matches_of(self._searcher, string, pos, endpos, how, 1, False)
        return Match(self, string, min(pos, size), min(endpos, size), found[0]) if found else None

    def search(self, string, pos=0, endpos=_ALL):
        """The first match anywhere in a text; None without any."""
        return self._one(string, pos, endpos, _ANYWHERE)

    def match(self, string, pos=0, endpos=_ALL):
        """The match that begins where the text does."""
        return self._one(string, pos, endpos, _HERE)

    def fullmatch(self, string, pos=0, endpos=_ALL):
        """The match of the whole text."""
        return self._one(string, pos, endpos, _WHOLE)

    def findall(self, string, pos=0, endpos=_ALL):
        """The texts of all matches; where there are groups, of these."""
        _check(string)
        return texts_of_matches(self._searcher, string, max(pos, 0), max(endpos, 0))

    def finditer(self, string, pos=0, endpos=_ALL):
        """All matches, one after the other."""
        return self._each(string, pos, endpos, self._all(string, pos, endpos, _ANYWHERE, 64))

    def _each(self, string, pos, endpos, found):
        size = len(string)
        start, end, batch = min(max(pos, 0), size), min(max(endpos, 0), size), 64
        while found:
            for ends in found:
                yield Match(self, string, start, end, ends)
            if len(found) < batch:
                return
            pos, must_advance = found[-1][1], found[-1][0] == found[-1][1]
            batch = 4096
            found = self._all(string, pos, endpos, _ANYWHERE, batch, must_advance)

    def split(self, string, maxsplit=0):
        """The parts of a text between the matches, with the groups' texts among them."""
        if maxsplit < 0:
            return [string]
        _check(string)
        return parts_between_matches(self._searcher, string, maxsplit or _ALL)

    def subn(self, repl, string, count=0):
        """(the text with matches replaced, how many there were)"""
        if count < 0:
            return string, 0
        template = None if callable(repl) else _template(repl, self)
        if template is not None and len(template) == 1 and isinstance(template[0], str):
            _check(string)
            return replaced_matches(self._searcher, string, template[0], count or _ALL)
        found = self._all(string, 0, _ALL, _ANYWHERE, count or _ALL)
        parts, at, size = [], 0, len(string)
        for ends in found:
            parts.append(string[at:ends[0]])
            at = ends[1]
            match = Match(self, string, 0, size, ends)
            if template is not None:
                parts.append(_filled(template, match))
                continue
            new = repl(match)
            if new is not None:
                if not isinstance(new, str):
                    raise TypeError(f"expected str instance, {type(new).__name__} found")
                parts.append(new)
        parts.append(string[at:])
        return "".join(parts), len(found)

    def sub(self, repl, string, count=0):
        """The text with matches replaced: by a template with `\\\\1` and `\\\\g<name>`, or by what a function gives."""
        return self.subn(repl, string, count)[0]

    def __eq__(self, other):
        if not isinstance(other, Pattern):
            return NotImplemented
        return (self.pattern, self.flags) == (other.pattern, other.flags)

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        text = repr(self.pattern)
        if len(text) > 200:
            text = text[:200]
        flags = self.flags & ~32
        return f"re.compile({text}, {RegexFlag(flags)!r})" if flags else f"re.compile({text})"


_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}


def _template(template, pattern):
    """A template's parts: texts, and the numbers of groups."""
    if not isinstance(template, str):
        raise TypeError(f"expected str instance, {type(template).__name__} found")
    parts, at, size = [""], 0, len(template)

    def add(part):
        if isinstance(part, str) and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)

    def group(number, where):
        if number > pattern.groups:
            raise error(f"invalid group reference {number}", template, where)
        add(number)

    while at < size:
        slash = template.find("\\", at)
        if slash < 0:
            add(template[at:])
            break
        add(template[at:slash])
        letter = template[slash + 1:slash + 2]
        at = slash + 2
        if letter == "":
            raise error("bad escape (end of pattern)", template, slash)
        if letter == "g":
            if template[at:at + 1] != "<":
                raise error("missing <", template, at)
            end = template.find(">", at)
            name = template[at + 1:end] if end >= 0 else template[at + 1:]
            if name == "":
                raise error("missing group name", template, at + 1)
            if end < 0:
                raise error("missing >, unterminated name", template, at + 1)
            if name.isdigit():
                group(int(name), at + 1)
            elif not name.isidentifier():
                raise error(f"bad character in group name {name!r}", template, at + 1)
            elif name not in pattern.groupindex:
                raise IndexError(f"unknown group name {name!r}")
            else:
                add(pattern.groupindex[name])
            at = end + 1
        elif letter.isdigit() and letter.isascii():
            digits = template[slash + 1:slash + 4]
            is_octal = len(digits) == 3 and all(digit in "01234567" for digit in digits)
            if letter == "0" or is_octal:
                end = at
                while end < slash + (3 if letter == "0" else 4) and template[end:end + 1] in tuple("01234567"):
                    end += 1
                code = int(template[slash + 1:end], 8)
                if code > 0o377:
                    raise error(f"octal escape value {template[slash:end]} outside of range 0-0o377", template, slash)
                add(chr(code))
                at = end
            else:
                if template[at:at + 1] in tuple("0123456789"):
                    at += 1
                group(int(template[slash + 1:at]), slash + 1)
        elif letter in _ESCAPES:
            add(_ESCAPES[letter])
        elif letter.isascii() and letter.isalpha():
            raise error(f"bad escape \\{letter}", template, slash)
        else:
            add("\\" + letter)
    return [part for part in parts if part != ""] or [""]


def _filled(template, match):
    return "".join(part if isinstance(part, str) else match._text(2 * part, "") for part in template)


_known = {}
_MOST = 512


def compile(pattern, flags=0):
    """A pattern, ready to search texts: `re.compile(r"(\\w+)=(\\d+)")`."""
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not isinstance(pattern, str):
        raise TypeError("first argument must be string or compiled pattern")
    if int(flags) & 4:
        raise ValueError("cannot use LOCALE flag with a str pattern")
    key = pattern, int(flags)
    found = _known.get(key)
    if found is None:
        found = Pattern(pattern, flags)
        if len(_known) >= _MOST:
            _known.clear()
        _known[key] = found
    return found


def search(pattern, string, flags=0):
    """The first match anywhere in a text; None without any."""
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    """The match that begins where the text does."""
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    """The match of the whole text."""
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    """The texts of all matches; where there are groups, of these."""
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    """All matches, one after the other."""
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    """The parts of a text between the matches."""
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    """The text with matches replaced: by a template with `\\\\1` and `\\\\g<name>`, or by what a function gives."""
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    """(the text with matches replaced, how many there were)"""
    return compile(pattern, flags).subn(repl, string, count)


_SPECIAL = set("()[]{}?*+-|^$\\.&~# \t\n\r\v\f")


def escape(pattern):
    """A pattern that matches just this text."""
    return "".join("\\" + letter if letter in _SPECIAL else letter for letter in pattern)


def purge():
    """Forgets the patterns that are kept."""
    _known.clear()
