"""Arithmetic is parsed by recursive descent."""


def parse(t, p):
    v, p = term(t, p)
    while p < len(t) and t[p] in "+-":
        o = t[p]
        w, p = term(t, p + 1)
        v = v + w if o == "+" else v - w
    return v, p


def term(t, p):
    v, p = atom(t, p)
    while p < len(t) and t[p] == "*":
        w, p = atom(t, p + 1)
        v *= w
    return v, p


def atom(t, p):
    if t[p] == "(":
        v, p = parse(t, p + 1)
        return v, p + 1
    q = p
    while p < len(t) and t[p].isdigit():
        p += 1
    return int(t[q:p]), p


def work():
    s = 0
    for k in range(300):
        s += parse("(1+2)*3-4*(5+6*(7-8))+9*10-(11+12)*2", 0)[0]
    return s
