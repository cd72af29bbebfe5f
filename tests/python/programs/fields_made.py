"""Fields that come one after the other, more than a few, and again."""

class O: pass
o = O()
for name in ("aa", "ab", "b", "c", "d", "e", "f", "g", "h", "aa"): setattr(o, name, name)
o.x = 1; o.aa = 2; print(vars(o))
class Q:
    def __init__(self): self.a1b = 1; self.a2b = 2; self.a1b = 3; self.a3b = 4
print(vars(Q()))
