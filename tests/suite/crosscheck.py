"""Runs the suite's programs in CPython with NumPy and reports where it answers otherwise.

Usage: python tests/suite/crosscheck.py [FILE ...]

A difference is no failure by itself: the default float, messages with more words than NumPy's, and
names that only this language has differ on purpose. The script is for the eye, before a blessing.
"""

import ast
import codeop
import contextlib
import io
import pathlib
import re
import sys

import numpy as np

MARKS = ("# Error:", "# Hint:", "# in ", "# =>", "# out:")


def cases(text):
    name, body = None, []
    for line in text.splitlines():
        if line.startswith("--- ") and line.endswith(" ---"):
            if name:
                yield name, body
            name, body = line[4:-4], []
        else:
            body.append(line)
    if name:
        yield name, body


def chunks(body):
    """Each statement with what is expected of it."""
    error, program, answers = None, "", []
    for line in body + [""]:
        if line.startswith("# Error:"):
            if program:
                yield error, program, answers
                program, answers = "", []
            error = line.split(" ", 3)[3]
        elif line.startswith(("# =>", "# out:")):
            answers.append(line.split(" ", 2)[2] if line.count(" ") > 1 else "")
        elif not line.startswith(MARKS):
            if program and complete(program):
                yield error, program, answers
                error, program, answers = None, "", []
            program = program + "\n" + line if program else line
    if program.strip():
        yield error, program, answers


def complete(program):
    """Whether a prompt would run it: a block needs a blank line."""
    try:
        if "\n" not in program:
            compile(program, "-", "exec")
            return True
        return codeop.compile_command(program, "-", "single") is not None
    except SyntaxError as error:
        known = ("expected an indented block", "was never closed", "unterminated")
        return not any(words in str(error) for words in known)


def plain(text):
    text = re.sub(r"np\.(True|False)_", r"\1", text)
    text = re.sub(r"np\.\w+\((-?[\w.+-]+)\)", r"array(\1)", text)
    text = re.sub(r"array\((-?[\w.+-]+)(, dtype=\w+)?\)", r"\1", text)
    return re.sub(r"(, )?dtype=float(32|64)", "", text).replace(",)", ")")


def run(program, scope):
    out = io.StringIO()
    try:
        tree = ast.parse(program)
        with contextlib.redirect_stdout(out), np.errstate(all="ignore"):
            value = None
            if tree.body and isinstance(tree.body[-1], ast.Expr):
                last = ast.Expression(tree.body.pop().value)
                exec(compile(tree, "-", "exec"), scope)
                value = eval(compile(last, "-", "eval"), scope)
            else:
                exec(compile(tree, "-", "exec"), scope)
        lines = out.getvalue().splitlines()
        return None, lines + (repr(value).splitlines() if value is not None else [])
    except Exception as error:
        kind = type(error).__name__.replace("UFuncTypeError", "TypeError")
        return f"{kind}: {error}", out.getvalue().splitlines()


def main():
    folder = pathlib.Path(__file__).parent
    paths = [pathlib.Path(path) for path in sys.argv[1:]] or sorted(folder.glob("*.gx"))
    total = different = 0
    for path in paths:
        for name, body in cases(path.read_text()):
            scope = {}
            exec("from numpy import *\nimport numpy as np\nfrom builtins import *", scope)
            for error, program, answers in chunks(body):
                total += 1
                found_error, found = run(program, scope)
                same = [plain(line) for line in answers] == [plain(line) for line in found]
                if not same or (error or "").strip() != (found_error or "").strip():
                    different += 1
                    print(f"{path.name} [{name}] {program}")
                    print(f"    here  {error or answers}\n    numpy {found_error or found}")
    print(f"{different} of {total} statements differ")


if __name__ == "__main__":
    main()
