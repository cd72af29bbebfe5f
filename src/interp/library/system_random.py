"""Random numbers that no seed gives again."""

from random import Random


class SystemRandom:
    """The functions of `random` from a stream that is seeded by the system, and by nothing else."""

    def __init__(self, x=None):
        self._source = Random()

    def seed(self, *args, **kwds):
        """Does nothing: there is no seed."""

    def getstate(self, *args, **kwds):
        raise NotImplementedError("System entropy source does not have state.")

    def setstate(self, *args, **kwds):
        raise NotImplementedError("System entropy source does not have state.")

    def __getattr__(self, name):
        return getattr(self._source, name)
