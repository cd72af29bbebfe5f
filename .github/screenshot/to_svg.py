"""A terminal's screen with ANSI colours, from standard input, as an SVG on standard output."""

import re
import sys
import unicodedata
from xml.sax.saxutils import escape

CELL, LINE, MARGIN, SIZE = 8.43, 19, 18, 14
INK, PAPER, FRAME = "#d8dee9", "#1e222a", "#2b303b"
COLORS = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9"]
BRIGHT = ["#7f8898", "#f07a84", "#a9d48a", "#f0cd8c", "#74bdfb", "#d48be8", "#68c7d3", "#ffffff"]


def xterm(index):
    if index < 8:
        return COLORS[index]
    if index < 16:
        return BRIGHT[index - 8]
    if index < 232:
        steps = [0, 95, 135, 175, 215, 255]
        index -= 16
        return "#%02x%02x%02x" % (steps[index // 36], steps[index // 6 % 6], steps[index % 6])
    level = 8 + 10 * (index - 232)
    return "#%02x%02x%02x" % (level, level, level)


def restyle(style, codes):
    codes = [int(code or 0) for code in codes.split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = {}
        elif code in (1, 4):
            style = {**style, {1: "bold", 4: "underline"}[code]: True}
        elif code in (22, 24):
            style = {k: v for k, v in style.items() if k != {22: "bold", 24: "underline"}[code]}
        elif 30 <= code <= 37:
            style = {**style, "fill": COLORS[code - 30]}
        elif 90 <= code <= 97:
            style = {**style, "fill": BRIGHT[code - 90]}
        elif code == 38 and codes[:1] == [5]:
            style = {**style, "fill": xterm(codes[1])}
            codes = codes[2:]
        elif code == 39:
            style = {k: v for k, v in style.items() if k != "fill"}
    return style


def width(text):
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def draw(line, row, style):
    column = 0
    parts = []
    for at, piece in enumerate(re.split(r"\x1b\[([0-9;]*)m", line)):
        if at % 2:
            style = restyle(style, piece)
        elif piece:
            look = f' fill="{style["fill"]}"' if "fill" in style else ""
            look += ' font-weight="bold"' if style.get("bold") else ""
            look += ' text-decoration="underline"' if style.get("underline") else ""
            x = MARGIN + column * CELL
            length = width(piece) * CELL
            # Viewers join runs of ordinary blanks.
            text = escape(piece).replace(" ", "\u00a0")
            parts.append(
                f'<tspan x="{x:.1f}" textLength="{length:.1f}"{look}>{text}</tspan>'
                if piece.strip()
                else ""
            )
            column += width(piece)
    y = MARGIN + 26 + row * LINE
    return f'<text y="{y}">{"".join(parts)}</text>', style


def main():
    columns = int(sys.argv[1])
    lines = sys.stdin.read().rstrip().split("\n")
    w, h = columns * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN + 20
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:.0f} {h:.0f}" width="{w:.0f}" '
        f'height="{h:.0f}" font-size="{SIZE}" fill="{INK}" xml:space="preserve" '
        "font-family=\"ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace\">"
    )
    print(f'<rect width="100%" height="100%" rx="9" fill="{PAPER}" stroke="{FRAME}"/>')
    for at, color in enumerate(["#e06c75", "#e5c07b", "#98c379"]):
        print(f'<circle cx="{20 + 20 * at}" cy="17" r="5.5" fill="{color}"/>')
    style = {}
    for row, line in enumerate(lines):
        text, style = draw(line, row, style)
        print(text)
    print("</svg>")


main()
