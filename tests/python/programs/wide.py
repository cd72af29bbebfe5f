"""Long texts with characters of several bytes: positions, slices, searches."""

import random

random.seed(3)
LETTERS = "aé√🙂 \nß"
for size in (0, 1, 60, 63, 64, 65, 84, 85, 86, 127, 128, 129, 200, 1000, 5000):
    for kind in range(4):
        letters = (LETTERS, "é", "a" * 50 + "🙂", "ab")[kind]
        text = "".join(random.choice(letters) for _ in range(size))
        count = len(text)
        print(size, kind, count, hash(text) == hash("".join(list(text))))
        for _ in range(12):
            at = random.randrange(-count - 2, count + 2)
            try: print(ascii(text[at]), end=" ")
            except IndexError: print("none", end=" ")
            a, b = (random.choice((None, random.randrange(-count - 3, count + 4))) for _ in range(2))
            step = random.choice((None, 1, 1, 2, -1, -7))
            part = text[a:b:step]
            print(len(part), ascii(part[:3]), ascii(part[-3:]), end=" ")
            x = random.choice(letters)
            lo, hi = sorted(random.randrange(-5, count + 5) for _ in range(2))
            print(text.find(x, lo), text.rfind(x, lo, hi), text.count(x, lo, hi), text.startswith(x, lo), text.endswith(x, lo, hi))
            try: print(text.index(part[:5]), text.rindex(part[:5]))
            except ValueError as e: print(e)
text = "é" * 300
for k in range(40):
    text += "√x"
    if k % 7 == 0: print(len(text), text[-1], text[301 + k], text.find("x"), text.rfind("√"))
same = text
text += "!"
print(len(same), len(text), same[-1], text[-1])
found, at = [], 0
text = "".join(random.choice("aé ") for _ in range(3000))
while (at := text.find("é ", at)) >= 0:
    found.append(at)
    at += 1
print(len(found), sum(found), [i for i in range(len(text) - 1) if text[i:i + 2] == "é "] == found)
import json, re

text = "é" * 400 + "ab é1 "
print([m.span() for m in re.finditer(r"\w\d", text)], re.search("b", text).start(), re.compile("é").search(text, 399, 402).span())
print(re.compile("b").search(text, 10**6), [m.start() for m in re.finditer("(?<=é)é", text)][-2:], re.findall("(a)(b)|(1)", text))
print(json.JSONDecoder().raw_decode(text + '[1, "é"] x', 406))
