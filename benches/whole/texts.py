"""f-strings, slices and methods of texts."""


def work():
    out = []
    for i in range(8000):
        t = f"{i:05d}"
        if t[::-1] == t:
            out.append(t)
        if t.startswith("00") and not t.endswith("1"):
            out.append(t.replace("0", "o"))
    return len("".join(out))
