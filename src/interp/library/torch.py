"""PyTorch's generators."""

from time import time_ns as _time_ns


class Generator:
    """A stream of random numbers of its own, for `generator=`. The numbers are the same on every device."""

    def __init__(self, device="cpu"):
        self.device = device
        self.manual_seed(67280421310721)

    def manual_seed(self, seed):
        """Begins the stream of a seed; gives the generator."""
        self._seed, self._block = int(seed), 0
        return self

    def seed(self):
        """Begins a stream that the clock chooses, and gives its seed."""
        return self.manual_seed(_time_ns()).initial_seed()

    def initial_seed(self):
        """The seed of the stream."""
        return self._place()[0]

    def get_state(self):
        """Where the stream stands, as a tensor."""
        return array(self._place(), dtype=int64)

    def set_state(self, new_state):
        """Puts the stream where it stood; gives the generator."""
        seed, block = new_state.tolist()
        self.manual_seed(seed)
        self._go_on(block)
        return self

    def clone_state(self):
        """Another generator that stands where this one does."""
        return Generator(self.device).set_state(self.get_state())

    def _place(self):
        return self._seed, self._block

    def _go_on(self, block):
        self._block = block

    def __repr__(self):
        return "<torch.Generator>"


class _SessionGenerator(Generator):
    """The stream of the session."""

    def __init__(self):
        self.device = "cpu"

    def manual_seed(self, seed):
        set_session_stream(int(seed), 0)
        return self

    def _place(self):
        return session_stream(0)

    def _go_on(self, block):
        set_session_stream(session_stream(0)[0], block)


default_generator = _SessionGenerator()


def initial_seed():
    """The seed of the session's stream."""
    return default_generator.initial_seed()


def get_rng_state():
    """Where the session's stream stands, for `set_rng_state`."""
    return default_generator.get_state()


def set_rng_state(new_state):
    """Puts the session's stream where it stood."""
    default_generator.set_state(new_state)


def poisson(input, generator=None):
    """Of each element how many events fall into a time in which so many are expected, in its type."""
    from numpy.random import MT19937, RandomState
    source = default_generator if generator is None else generator
    bits = MT19937(0)
    bits._key, bits._position = source._place()
    drawn = RandomState(bits).poisson(input)
    source._go_on(bits._position)
    return asarray(drawn).astype(input.dtype)
