"""Texts as files."""

SEEK_SET = 0
SEEK_CUR = 1
SEEK_END = 2


class StringIO:
    """A file that is a text in memory."""

    __spoken_name__ = "_io.StringIO"

    def __init__(self, initial_value="", newline="\n"):
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError(f"illegal newline value: {newline!r}")
        # What a line ends with when it is read, and what is written for a line feed.
        self._is_translated = newline is None
        self._is_any, self._break, self._written = not newline, newline or "\n", newline if newline in ("\r", "\r\n") else None
        text = initial_value or ""
        if newline is None:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        elif self._written:
            text = text.replace("\n", newline)
        # Parts that are joined when somebody reads.
        self._parts, self._length, self._at, self.closed = [text], len(text), 0, False

    def _text(self):
        if self.closed:
            raise ValueError("I/O operation on closed file")
        if len(self._parts) > 1:
            self._parts[:] = ["".join(self._parts)]
        return self._parts[0]

    def getvalue(self):
        """All of the text."""
        return self._text()

    def write(self, text, /):
        """Writes a text where the file stands; how many characters it has."""
        if not isinstance(text, str):
            raise TypeError(f"string argument expected, got {type(text).__name__!r}")
        if self.closed:
            raise ValueError("I/O operation on closed file")
        given = len(text)
        if self._is_translated:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        elif self._written:
            text = text.replace("\n", self._written)
        if self._at == self._length:
            self._parts.append(text)
        else:
            whole = self._text().ljust(self._at, "\0")
            self._parts[:] = [whole[:self._at] + text + whole[self._at + len(text):]]
        self._at += len(text)
        self._length = max(self._length, self._at)
        return given

    def writelines(self, lines, /):
        """Writes texts one behind the other."""
        for line in lines:
            self.write(line)

    def read(self, size=-1, /):
        """So many characters from where the file stands; all without a number."""
        text = self._text()
        end = len(text) if size is None or size < 0 else min(self._at + size, len(text))
        part = text[self._at:end]
        self._at = max(self._at, end)
        return part

    def _line_end(self, text):
        feed = text.find(self._break, self._at)
        end = len(text) if feed < 0 else feed + len(self._break)
        back = text.find("\r", self._at, end) if self._is_any else -1
        return end if back < 0 else back + 2 if text[back + 1:back + 2] == "\n" else back + 1

    def readline(self, size=-1, /):
        """The rest of a line, with its line break."""
        text = self._text()
        end = self._line_end(text)
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        part = text[self._at:end]
        self._at = max(self._at, end)
        return part

    def readlines(self, hint=-1, /):
        """The lines that are left."""
        lines, total = [], 0
        while line := self.readline():
            lines.append(line)
            total += len(line)
            if hint is not None and 0 < hint <= total:
                break
        return lines

    def __iter__(self):
        self._text()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def seek(self, pos, whence=0, /):
        """Goes to a place: from the start, or with 2 the end."""
        text = self._text()
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence and pos:
            raise OSError("Can't do nonzero cur-relative seeks")
        if pos < 0:
            raise ValueError(f"Negative seek position {pos}")
        self._at = pos if whence == 0 else self._at if whence == 1 else len(text)
        return self._at

    def tell(self):
        """Where the file stands."""
        self._text()
        return self._at

    def truncate(self, pos=None, /):
        """Cuts the text off."""
        text = self._text()
        pos = self._at if pos is None else pos
        if pos < 0:
            raise ValueError(f"Negative size value {pos}")
        self._parts[:] = [text[:pos]]
        self._length = len(self._parts[0])
        return pos

    def close(self):
        """Lets the text go."""
        self._parts, self.closed = [""], True

    def flush(self):
        self._text()

    def isatty(self):
        self._text()
        return False

    def readable(self):
        self._text()
        return True

    def writable(self):
        return self.readable()

    def seekable(self):
        return self.readable()

    def __enter__(self):
        self._text()
        return self

    def __exit__(self, *exc_info):
        self.close()
