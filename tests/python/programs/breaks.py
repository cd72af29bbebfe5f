# Texts as files with every kind of line break.
import io
for nl in (None, "", "\n", "\r", "\r\n"):
    for text in ("a\nb\r\nc\rd", "", "\r", "x\r\n\ny"):
        f = io.StringIO(text, newline=nl)
        print(repr(nl), repr(text), list(f), repr(f.getvalue()))
        f.seek(0, 2)
        print(f.write("p\nq\r\nr"), repr(f.getvalue()))
