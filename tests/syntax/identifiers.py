#!/usr/bin/env python3
"""Writes identifiers.txt: which characters CPython takes in a name, and what it makes of them.

The lists are half-open ranges of code points, each number as its distance from the one before. A
line `nfkc P` counts the assigned characters of plane P and has the FNV-1a hash of their compatibility
forms in UTF-8, each with a zero byte behind it.
"""
import pathlib
import sys
import unicodedata

POINTS = [point for point in range(0x110000) if not 0xD800 <= point < 0xE000]


def ranges(is_in):
    ends, last = [], None
    for point in POINTS:
        if not is_in(chr(point)):
            continue
        if last is not None and last == point:
            ends[-1] = point + 1
        else:
            ends += [point, point + 1]
        last = point + 1
    gaps = [ends[0]] + [b - a for a, b in zip(ends, ends[1:])]
    return " ".join(f"{gap:x}" for gap in gaps)


def is_assigned(c):
    return unicodedata.category(c) != "Cn"


def digest(plane):
    state, count = 0xCBF29CE484222325, 0
    for point in POINTS:
        if point >> 16 != plane or not is_assigned(chr(point)):
            continue
        count += 1
        for byte in unicodedata.normalize("NFKC", chr(point)).encode() + b"\0":
            state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{count} {state:016x}"


lines = [
    f"# CPython {sys.version.split()[0]}, Unicode {unicodedata.unidata_version}",
    "start " + ranges(str.isidentifier),
    "continue " + ranges(lambda c: ("a" + c).isidentifier()),
    "unassigned " + ranges(lambda c: not is_assigned(c)),
    *(f"nfkc {plane} {digest(plane)}" for plane in range(17)),
]
pathlib.Path(__file__).with_name("identifiers.txt").write_text("\n".join(lines) + "\n")
