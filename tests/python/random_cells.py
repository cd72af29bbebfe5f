"""Random inputs of a session whose blocks fail somewhere inside, beside CPython: what state they leave.

Usage: python tests/python/random_cells.py [--binary PATH] [--count N] [--seed N]
       python tests/python/random_cells.py --write N > tests/python/cells.jsonl

Each statement inside a block of the cell commits by itself, so a block that fails half-way leaves what CPython leaves.
Statements that fail change nothing before, because a statement is all or nothing here. What conditions, iterators,
managers, handlers and the ways out of them change is part of it: all of these write into the same few names. A line of
the output is a program, behind the text that each begins with: for each input its text, the class of its error or
null, and the state behind it.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

PRELUDE = '''
from contextlib import contextmanager, suppress
l, d, s, n, t = [], {}, set(), 0, ()

def note(k):
    global n
    l.append(k)
    n += 1
    return k

def steps(k):
    for i in range(k):
        l.append(("step", i))
        yield i
    d["steps"] = k

class Note:
    def __init__(self, k, swallows=False):
        self.k, self.swallows = k, swallows

    def __enter__(self):
        global n
        n += self.k
        l.append("in")
        return self.k

    def __exit__(self, kind, value, traceback):
        global t
        t += (None if kind is None else kind.__name__,)
        d[self.k] = "out"
        return self.swallows

@contextmanager
def guard(k):
    s.add(k)
    try:
        yield k
        d["guard"] = k
    except KeyError:
        l.append("swallowed")
    finally:
        s.discard(k)
        l.append("left")

class Counted:
    count = 0

    def __bool__(self):
        Counted.count += 1
        return Counted.count % 3 != 0

    def __iter__(self):
        d["iter"] = Counted.count
        return steps(2)

def state():
    return repr((l, d, sorted(s), n, t, Counted.count, sorted(k for k in globals() if k in ("a", "b", "e", "m", "g"))))
'''
ERRORS = ["ValueError", "KeyError", "ZeroDivisionError", "NameError", "TypeError", "LookupError"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(f"cells {seed}")

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self, most=4):
        return self.random.randint(0, most)

    def inputs(self):
        return [PRELUDE.strip("\n")] + ["\n".join(self.statement(3, False)) for _ in range(self.random.randint(2, 6))]

    def block(self, depth, in_loop):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth - 1, in_loop)
        return ["    " + line for line in lines]

    def statement(self, depth, in_loop):
        if depth == 0 or self.random.random() < 0.25:
            return [self.simple(in_loop)]
        return self.pick(self.loop, self.turns, self.branch, self.guarded, self.guarded, self.managed, self.managed)(depth, in_loop)

    def simple(self, in_loop):
        k = self.number()
        if self.random.random() < 0.2:
            # Nothing is changed before it fails.
            return self.pick("missing", "1 // 0", f"raise {self.pick(*ERRORS)}({k})", "[].pop()", "del d['none']", "None + 1", "raise",
                             f"assert n < {k}", "int('x')", "next(iter(()))")
        if in_loop and self.random.random() < 0.15:
            return self.pick("break", "continue")
        return self.pick(f"l.append({k})", f"d[{k}] = n", "n += 1", f"s.add({k})", f"t += ({k},)", f"note({k})", f"a = note({k})", f"b, *a = note({k}), n",
                         f"m = [note(i) for i in range({k})]", f"s ^= {{{k}, n}}", f"l[:1] = [note({k})]", f"g = steps({k})", "m = list(steps(2))",
                         f"del l[{k}:]", f"d.update(a={k})", "l += [n]", f"a = (b := note({k})) + 1", "pass", f"any(note(i) for i in ({k}, 0, 1))")

    def condition(self):
        k = self.number()
        return self.pick(f"n > {k}", f"note({k})", f"note({k}) and note({k + 1})", f"not note({k})", f"len(l) % 2 == {k % 2}", "Counted()", "True",
                         f"(a := note({k}))", f"n < note({k}) < 3", "missing" if self.random.random() < 0.1 else "s")

    def loop(self, depth, _):
        k = self.number(3)
        items = self.pick(f"range({k})", f"steps({k})", f"enumerate(steps({k}))", f"zip(steps({k}), range(3))", "Counted()", f"[note({k}), {k}]", "tuple(s)",
                          f"map(note, range({k}))", f"(note(i) for i in range({k}))", "list(d)", "7" if self.random.random() < 0.1 else "l[:3]")
        lines = [f"for {self.pick('a', 'a', 'b')} in {items}:"] + self.block(depth, True)
        return lines + self.pick([], [], ["else:"] + self.block(depth, False))

    def turns(self, depth, _):
        c = f"c{depth}"
        lines = [f"{c} = 0", f"while {c} < {self.number(3)} and {self.condition()}:", f"    {c} += 1"] + self.block(depth, True)
        return lines + self.pick([], [], ["else:"] + self.block(depth, False))

    def branch(self, depth, in_loop):
        lines = [f"if {self.condition()}:"] + self.block(depth, in_loop)
        if self.random.random() < 0.4:
            lines += [f"elif {self.condition()}:"] + self.block(depth, in_loop)
        return lines + self.pick([], ["else:"] + self.block(depth, in_loop))

    def guarded(self, depth, in_loop):
        lines = ["try:"] + self.block(depth, in_loop)
        handlers = self.random.randint(0, 2)
        for _ in range(handlers):
            error = self.pick(*ERRORS, f"({self.pick(*ERRORS)}, {self.pick(*ERRORS)})")
            lines += [f"except {error}{self.pick('', ' as e')}:"] + self.block(depth, in_loop)
        if handlers and self.random.random() < 0.3:
            lines += ["else:"] + self.block(depth, in_loop)
        if not handlers or self.random.random() < 0.5:
            lines += ["finally:"] + self.block(depth, False)
        return lines

    def managed(self, depth, in_loop):
        k = self.number(3)
        manager = lambda: self.pick(f"Note({k})", f"Note({k}, True)", f"guard({k})", f"suppress({self.pick(*ERRORS)})", f"Note({k}) as a", f"guard({k}) as b",
                                    f"Note(note({k}))", "missing" if self.random.random() < 0.1 else f"Note({k}) as d[{k}]")
        return [f"with {', '.join(manager() for _ in range(self.pick(1, 1, 2)))}:"] + self.block(depth, in_loop)


def in_cpython(inputs):
    names = {"__name__": "__main__"}
    done = []
    for code in inputs:
        error = None
        try:
            exec(compile(code, "<input>", "exec"), names)
        except Exception as caught:
            error = type(caught).__name__
        done.append([code, error, names["state"]()])
    return done


def here(binary, inputs):
    requests = [json.dumps({"code": code}) for text in inputs for code in (text, "state()")]
    run = subprocess.run([binary, "--json", "--no-history", "--device", "cpu"], input="\n".join(requests), capture_output=True, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    done = []
    for number, code in enumerate(inputs):
        told, state = answers[2 * number], answers[2 * number + 1]
        done.append([code, (told.get("error") or {}).get("kind"), (state.get("value") or {}).get("value")])
    return done


def is_sound(code):
    try:
        compile(code, "<input>", "exec")
    except SyntaxError:
        return False
    return True


def programs(count, seed):
    made = 0
    while made < count:
        inputs = Maker(seed).inputs()
        seed += 1
        if all(map(is_sound, inputs)):
            made += 1
            yield seed - 1, inputs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=str(Path(__file__).parents[2] / "target/release/genesis-repl"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", type=int)
    options = parser.parse_args()
    if options.write:
        print(json.dumps(PRELUDE))
        for _, inputs in programs(options.write, options.seed):
            print(json.dumps(in_cpython(inputs)[1:]))
        return
    wrong = 0
    for seed, inputs in programs(options.count, options.seed):
        for expected, found in zip(in_cpython(inputs), here(options.binary, inputs)):
            if expected != found:
                wrong += 1
                print(f"seed {seed}:\n{expected[0]}\n  CPython {expected[1:]}\n  here    {found[1:]}\n")
                break
    print(f"{options.count} programs, {wrong} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
