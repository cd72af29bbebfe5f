"""How long small pieces of a program take. `:timeit` does it at the prompt."""

import gc
import time

default_timer = time.perf_counter
default_number = 1000000
default_repeat = 5


def _body(stmt, indent):
    if isinstance(stmt, str):
        return stmt.replace("\n", "\n" + indent) or "pass"
    if callable(stmt):
        return None
    raise ValueError("stmt is neither a string nor callable")


class Timer:
    """Times a statement, which is a text or a function without arguments.

    >>> Timer(lambda: 3 + 4).timeit(number=10) >= 0
    True
    """

    def __init__(self, stmt="pass", setup="pass", timer=default_timer, globals=None):
        self.timer = timer
        body, ready = _body(stmt, " " * 8), _body(setup, " " * 4)
        names = {} if globals is None else globals
        called = [name for name in names if isinstance(name, str) and name.isidentifier()]
        given = "".join(f", {name}" for name in called if name[:1] != "_")
        text = f"def inner(_number, _timer, _stmt, _setup{given}):\n"
        text += f"    {'_setup()' if ready is None else ready}\n    _begun = _timer()\n"
        text += f"    for _turn in range(_number):\n        {'_stmt()' if body is None else body}\n    return _timer() - _begun\n"
        self._inner = written("<timeit>", text)
        self._given = [stmt, setup, *(names[name] for name in called if name[:1] != "_")]

    def timeit(self, number=default_number):
        """The seconds that so many runs take together."""
        return self._inner(number, self.timer, *self._given)

    def repeat(self, repeat=default_repeat, number=default_number):
        """The seconds of several rounds."""
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        """As many runs as take a fifth of a second, and their seconds."""
        scale = 1
        while True:
            for times in (1, 2, 5):
                taken = self.timeit(scale * times)
                if callback:
                    callback(scale * times, taken)
                if taken >= 0.2:
                    return scale * times, taken
            scale *= 10


def timeit(stmt="pass", setup="pass", timer=default_timer, number=default_number, globals=None):
    """The seconds that so many runs of a statement take together.

    >>> timeit("x + 1", "x = 2", number=10) >= 0
    True
    """
    return Timer(stmt, setup, timer, globals).timeit(number)


def repeat(stmt="pass", setup="pass", timer=default_timer, repeat=default_repeat, number=default_number, globals=None):
    """The seconds of several rounds of so many runs."""
    return Timer(stmt, setup, timer, globals).repeat(repeat, number)
