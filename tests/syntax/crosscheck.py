#!/usr/bin/env python3
"""Compares this project's parser with CPython's, tree by tree.

    crosscheck.py DUMP_AST [--count 20000] [--seed 1]   random programs, and mutations of them
    crosscheck.py --bless                               write grammar/ok/*.ast from CPython's trees

DUMP_AST is the built example `dump_ast`. A random program is of the language's subset (now and then
with a `not` where none may stand): both give one tree for it, or both refuse it. So with a mutated
program, but there one of them may refuse alone, for a reason on the lists below.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import warnings

from cpython import cpython
from programs import Generator, mutate

warnings.simplefilter("ignore")
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Messages of ours for programs that CPython accepts: the constructs that are not in the language,
# and the documented limits.
DIFFERENCES = [
    r"not in the language",
    r"levels deep$",
    r"half of a surrogate pair",
    # CPython 3.11 reads a field in parentheses, and so takes a generator without any; 3.12 does not.
    r"in a field of an f-string, found the keyword `for`",
]
# Programs that we accept and CPython 3.11 does not.
ONLY_OURS = [
    # `(x).y: int`: its parser takes `(x)` for the whole target and does not look again.
    r"illegal target for annotation",
    # Since 3.12 a field may hold what its f-string's quotes, backslashes and comments forbade.
    r"f-string",
]


def is_command(program):
    """Lines that are no Python but commands of the REPL."""
    return re.search(r"(?m)^[ \t]*(:|[\w.]*\?+[ \t]*$|\?)", program) is not None


def compare(dump_ast, programs, is_mutated):
    fed = "".join(program + "\0" for program in programs).encode()
    answers = subprocess.run([dump_ast], input=fed, stdout=subprocess.PIPE, check=True).stdout
    answers = answers.decode().split("\0")[:-1]
    assert len(answers) == len(programs), "lost programs"
    accepted = refused = excused = 0
    failures = []
    for program, ours in zip(programs, answers):
        theirs, message = cpython(program)
        error = ours.removeprefix("error: ") if ours.startswith("error: ") else None
        if theirs is not None and ours == theirs:
            accepted += 1
        elif theirs is None and error is not None:
            refused += 1
        elif error is not None and any(re.search(reason, error) for reason in DIFFERENCES) and is_mutated:
            excused += 1
        elif theirs is None and any(re.search(reason, message) for reason in ONLY_OURS) and is_mutated:
            excused += 1
        elif is_mutated and is_command(program):
            excused += 1
        else:
            failures.append((program, ours, theirs, message))
    return accepted, refused, excused, failures


def bless():
    for path in sorted((ROOT / "grammar/ok").glob("*.gx")):
        tree, message = cpython(path.read_bytes().decode("utf-8-sig"))
        assert tree is not None, f"{path.name}: {message}"
        path.with_suffix(".ast").write_text(tree, newline="\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump_ast", nargs="?")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bless", action="store_true")
    args = parser.parse_args()
    if args.bless:
        return bless()
    rng = random.Random(args.seed)
    generator = Generator(rng)
    programs = [generator.program() for _ in range(args.count)]
    mutated = [mutate(rng, program).replace("\0", "") for program in programs]
    status = 0
    for what, batch, is_mutated in [("generated", programs, False), ("mutated", mutated, True)]:
        accepted, refused, excused, failures = compare(args.dump_ast, batch, is_mutated)
        print(f"{what}: {len(batch)} programs, {accepted} with one tree, {refused} refused by both, "
              f"{excused} on the list of differences, {len(failures)} failures")
        for program, ours, theirs, message in sorted(failures, key=lambda f: len(f[0]))[:8]:
            print(f"--- {program!r}\n  ours    {ours!r}\n  cpython {theirs!r} {message or ''}")
        status |= bool(failures)
    sys.exit(status)


if __name__ == "__main__":
    main()
