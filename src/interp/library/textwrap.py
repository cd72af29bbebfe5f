"""Texts of several lines."""


def dedent(text):
    """The text without the blanks that all its lines begin with."""
    lines = [line if line.strip(" \t") else "" for line in text.split("\n")]
    margin = None
    for line in lines:
        if not line:
            continue
        indent = line[:len(line) - len(line.lstrip(" \t"))]
        if margin is None or margin.startswith(indent):
            margin = indent
        elif not indent.startswith(margin):
            same = 0
            while same < min(len(margin), len(indent)) and margin[same] == indent[same]:
                same += 1
            margin = margin[:same]
    return "\n".join(line[len(margin or ""):] for line in lines)


def indent(text, prefix, predicate=None):
    """The text with a prefix before each line that is not blank, or that `predicate` picks."""
    if predicate is None:
        predicate = lambda line: line.strip()
    lines = text.splitlines(True)
    return "".join(prefix + line if predicate(line) else line for line in lines)


_BLANKS = "\t\n\x0b\x0c\r "
_SPACES = {letter: " " for letter in _BLANKS}


def _is_part(letter):
    return letter.isalnum() or letter == "_"


def _is_letter(letter):
    return _is_part(letter) and not letter.isdigit()


def _split_word(word, on_hyphens):
    """A word in the pieces between which a line may end."""
    pieces, start, at = [], 0, 0
    while on_hyphens and at < len(word):
        if word[at] != "-":
            at += 1
            continue
        end = at
        while end < len(word) and word[end] == "-":
            end += 1
        if end - at >= 2:
            # A dash between words stands by itself.
            is_dash = at > start and (_is_part(word[at - 1]) or word[at - 1] in "!\"'&.,?") and end < len(word) and _is_part(word[end])
            if is_dash:
                pieces.append(word[start:at])
                pieces.append(word[at:end])
                start = end
        elif _breaks_at(word, at):
            pieces.append(word[start:end])
            start = end
        at = end
    if start < len(word):
        pieces.append(word[start:])
    return pieces


def _breaks_at(word, at):
    """Whether a line may end behind the single hyphen at `at`."""
    before, behind = word[:at], word[at + 1:]
    if len(behind) < 2 or not _is_letter(behind[0]):
        return False
    if not (_is_letter(behind[1]) or behind[1] == "-" and len(behind) > 2 and _is_letter(behind[2])):
        return False
    if len(before) >= 2 and _is_letter(before[-1]) and _is_letter(before[-2]):
        return True
    is_word = len(before) >= 3 and (_is_part(before[-1]) or before[-1] in "!\"'&.,?")
    return is_word and before[-2] == "-" and _is_letter(before[-3])


class TextWrapper:
    """Breaks texts into lines of at most `width` letters."""

    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True,
                 replace_whitespace=True, fix_sentence_endings=False, break_long_words=True,
                 drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None,
                 placeholder=" [...]"):
        self.width, self.initial_indent, self.subsequent_indent = width, initial_indent, subsequent_indent
        self.expand_tabs, self.replace_whitespace = expand_tabs, replace_whitespace
        self.fix_sentence_endings, self.break_long_words = fix_sentence_endings, break_long_words
        self.drop_whitespace, self.break_on_hyphens = drop_whitespace, break_on_hyphens
        self.tabsize, self.max_lines, self.placeholder = tabsize, max_lines, placeholder

    def _pieces(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = "".join(_SPACES.get(letter, letter) for letter in text)
        pieces, at = [], 0
        while at < len(text):
            is_blank, end = text[at] in _BLANKS, at
            while end < len(text) and (text[end] in _BLANKS) == is_blank:
                end += 1
            pieces.extend([text[at:end]] if is_blank else _split_word(text[at:end], self.break_on_hyphens))
            at = end
        if self.fix_sentence_endings:
            for at in range(len(pieces) - 1):
                word = pieces[at].rstrip("\"'")
                if pieces[at + 1] == " " and len(word) > 1 and word[-1] in ".!?" and word[-2].islower():
                    pieces[at + 1] = "  "
        return pieces

    def wrap(self, text):
        """The lines, without line breaks."""
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        pieces = self._pieces(text)[::-1]
        lines = []
        while pieces:
            indent = self.subsequent_indent if lines else self.initial_indent
            room = self.width - len(indent)
            if self.drop_whitespace and lines and not pieces[-1].strip():
                pieces.pop()
            line, length = [], 0
            while pieces and length + len(pieces[-1]) <= room:
                length += len(pieces[-1])
                line.append(pieces.pop())
            if pieces and len(pieces[-1]) > room:
                length += self._long(pieces, line, length, room)
            if self.drop_whitespace and line and not line[-1].strip():
                length -= len(line.pop())
            if not line:
                continue
            is_last = not pieces or self.drop_whitespace and len(pieces) == 1 and not pieces[0].strip()
            if self.max_lines is None or len(lines) + 1 < self.max_lines or is_last and length <= room:
                lines.append(indent + "".join(line))
                continue
            self._end(lines, line, length, indent, room)
            break
        return lines

    def _long(self, pieces, line, length, room):
        """Puts a part of a word that fits no line into this one; how long it is."""
        left = room - length if room > 0 else 1
        word = pieces[-1]
        if self.break_long_words:
            end = left
            if self.break_on_hyphens and len(word) > left:
                hyphen = word.rfind("-", 0, left)
                if hyphen > 0 and any(letter != "-" for letter in word[:hyphen]):
                    end = hyphen + 1
            line.append(word[:end])
            pieces[-1] = word[end:]
            return end
        if not line:
            line.append(pieces.pop())
            return len(word)
        return 0

    def _end(self, lines, line, length, indent, room):
        """The last line that there may be ends with the placeholder."""
        while line:
            if line[-1].strip() and length + len(self.placeholder) <= room:
                lines.append(indent + "".join(line) + self.placeholder)
                return
            length -= len(line.pop())
        if lines:
            before = lines[-1].rstrip()
            if len(before) + len(self.placeholder) <= self.width:
                lines[-1] = before + self.placeholder
                return
        lines.append(indent + self.placeholder.lstrip())

    def fill(self, text):
        """The lines as one text."""
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    """The text in lines of at most `width` letters."""
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    """The same as one text."""
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    """The text in one line of at most `width` letters, its end left out where it is longer."""
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))
