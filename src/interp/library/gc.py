"""Containers that hold each other."""

garbage = []
_enabled = [True]


def enable():
    """What `isenabled` says. Cycles are let go of by `collect`, and where memory would run out."""
    _enabled[0] = True


def disable():
    """What `isenabled` says: nothing is collected between statements anyway."""
    _enabled[0] = False


def isenabled():
    """Whether `disable` was called last."""
    return _enabled[0]
