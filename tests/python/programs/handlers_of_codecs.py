# What stands for bytes that are no text, and for characters that an encoding has not.
HANDLERS = ("strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "no such")
TEXTS = ("", "plain", "é", "aéb", "€", "a€", "😀", "é€😀", "\x80\xff\u0100", "\uffff\U0010ffff")
BYTES = (b"", b"plain", b"\xff", b"a\xffb", b"\xc3\xa9", b"\xc3", b"\xe2\x82", b"\xe2\x82x", b"\xf0\x9f\x98\x80\x80", b"\xed\xa0\x80", b"\xc0\xaf\xf5")

for name in ("utf-8", "ascii", "latin-1"):
    for handler in HANDLERS:
        for text in TEXTS:
            if handler == "no such" and (name == "utf-8" or max(text, default="") < "\u0100"):
                continue
            try:
                print(name, handler, ascii(text), text.encode(name, handler))
            except (UnicodeEncodeError, LookupError) as error:
                print(name, handler, ascii(text), type(error).__name__, error)
        for data in BYTES:
            if handler == "no such":
                continue
            try:
                print(name, handler, data, ascii(data.decode(name, handler)))
            except (UnicodeDecodeError, TypeError) as error:
                print(name, handler, data, type(error).__name__, error)
print(str(b"a\xff", "ascii", "backslashreplace"), bytes("é€", "ascii", "xmlcharrefreplace"))
