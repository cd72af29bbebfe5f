"""Texts and bytes as files."""

SEEK_SET = 0
SEEK_CUR = 1
SEEK_END = 2


class _IOBase:
    """A file in memory: `_parts` are joined when somebody reads, around `_empty`."""

    __spoken_name__ = "_io._IOBase"

    def _check_open(self):
        if self.closed:
            raise ValueError(self._closed_words)

    def _whole(self):
        self._check_open()
        if len(self._parts) > 1:
            self._parts[:] = [self._empty.join(self._parts)]
        return self._parts[0]

    def getvalue(self):
        """All that it holds."""
        return self._whole()

    def writelines(self, lines, /):
        """Writes texts or bytes one behind the other."""
        for line in lines:
            self.write(line)

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
        self._check_open()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def tell(self):
        """Where the file stands."""
        self._check_open()
        return self._at

    def close(self):
        """Lets go of what it holds."""
        self._parts, self.closed = [self._empty], True

    def flush(self):
        self._check_open()

    def isatty(self):
        self._check_open()
        return False

    def readable(self):
        self._check_open()
        return True

    def writable(self):
        return self.readable()

    def seekable(self):
        return self.readable()

    def __enter__(self):
        self._check_open()
        return self

    def __exit__(self, *exc_info):
        self.close()


class StringIO(_IOBase):
    """A file that is a text in memory."""

    __spoken_name__ = "_io.StringIO"
    _empty = ""
    _closed_words = "I/O operation on closed file"

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
        self._parts, self._length, self._at, self.closed = [text], len(text), 0, False

    def write(self, text, /):
        """Writes a text where the file stands; how many characters it has."""
        if not isinstance(text, str):
            raise TypeError(f"string argument expected, got {type(text).__name__!r}")
        self._check_open()
        given = len(text)
        if self._is_translated:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        elif self._written:
            text = text.replace("\n", self._written)
        at = self._at
        end = at + len(text)
        if at == self._length:
            self._parts.append(text)
            self._length = end
        else:
            whole = self._whole().ljust(at, "\0")
            self._parts[:] = [whole[:at] + text + whole[end:]]
            self._length = max(self._length, end)
        self._at = end
        return given

    def read(self, size=-1, /):
        """So many characters from where the file stands; all without a number."""
        text = self._whole()
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
        text = self._whole()
        end = self._line_end(text)
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        part = text[self._at:end]
        self._at = max(self._at, end)
        return part

    def seek(self, pos, whence=0, /):
        """Goes to a place: from the start, or with 2 the end."""
        text = self._whole()
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence and pos:
            raise OSError("Can't do nonzero cur-relative seeks")
        if pos < 0:
            raise ValueError(f"Negative seek position {pos}")
        self._at = pos if whence == 0 else self._at if whence == 1 else len(text)
        return self._at

    def truncate(self, pos=None, /):
        """Cuts the text off."""
        text = self._whole()
        pos = self._at if pos is None else pos
        if pos < 0:
            raise ValueError(f"Negative size value {pos}")
        self._parts[:] = [text[:pos]]
        self._length = len(self._parts[0])
        return pos


class BytesIO(_IOBase):
    """A file that is bytes in memory."""

    __spoken_name__ = "_io.BytesIO"
    _empty = b""
    _closed_words = "I/O operation on closed file."

    def __init__(self, initial_bytes=b""):
        self._parts = [b"" if initial_bytes is None else _as_bytes(initial_bytes)]
        self._length, self._at, self.closed = len(self._parts[0]), 0, False

    def write(self, b, /):
        """Writes bytes where the file stands; how many they are."""
        self._check_open()
        b = _as_bytes(b)
        if not b:
            return 0
        if self._at == self._length:
            self._parts.append(b)
        else:
            whole = self._whole()
            whole += b"\0" * (self._at - len(whole))
            self._parts[:] = [whole[:self._at] + b + whole[self._at + len(b):]]
        self._at += len(b)
        self._length = max(self._length, self._at)
        return len(b)

    def _taken(self, size, end):
        whole = self._whole()
        if size is not None and not hasattr(size, "__index__"):
            raise TypeError(f"argument should be integer or None, not {type(size).__name__!r}")
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        part = whole[self._at:end]
        self._at = max(self._at, end)
        return part

    def read(self, size=-1, /):
        """So many bytes from where the file stands; all without a number."""
        return self._taken(size, len(self._whole()))

    def read1(self, size=-1, /):
        """The same as `read`."""
        return self.read(size)

    def readline(self, size=-1, /):
        """The rest of a line, with its line feed."""
        whole = self._whole()
        feed = whole.find(b"\n", self._at)
        return self._taken(size, len(whole) if feed < 0 else feed + 1)

    def seek(self, pos, whence=0, /):
        """Goes to a place: from the start, with 1 from where it stands, with 2 from the end."""
        length = len(self._whole())
        if whence not in (0, 1, 2):
            raise ValueError(f"invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and pos < 0:
            raise ValueError(f"negative seek value {pos}")
        self._at = max(0, pos + (0, self._at, length)[whence])
        return self._at

    def truncate(self, size=None, /):
        """Cuts the bytes off."""
        whole = self._whole()
        size = self._at if size is None else size
        if size < 0:
            raise ValueError(f"negative size value {size}")
        self._parts[:] = [whole[:size]]
        self._length = len(self._parts[0])
        return size

    def _unsupported(self, name):
        from io import UnsupportedOperation

        raise UnsupportedOperation(name)

    def detach(self):
        self._unsupported("detach")

    def fileno(self):
        self._unsupported("fileno")


def _as_bytes(value):
    if isinstance(value, bytes):
        return value
    if isinstance(value, (str, int)) or not hasattr(value, "__array__"):
        raise TypeError(f"a bytes-like object is required, not {type(value).__name__!r}")
    return value.tobytes()
