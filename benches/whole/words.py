"""Words are counted and sorted."""


def work():
    text = "the quick brown fox jumps over the lazy dog and runs away from the angry bear " * 40
    c = {}
    for k in range(10):
        for w in text.split():
            w = w.strip(".,").lower()
            if w in c:
                c[w] += 1
            else:
                c[w] = 1
    return sorted(c.items(), key=lambda kv: (-kv[1], kv[0]))[:3]
