"""Random numbers from streams of their own: generators, and NumPy's older functions.

A stream is Philox's (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): each
number is a function of the stream's key, the position of a draw and the element, so that it is the same on
every device. The numbers are not those that NumPy gives for a seed.
"""

from math import prod as _product
from operator import index as _index
from time import time_ns as _time_ns
from warnings import warn as _warn

from numpy import AxisError as _AxisError
from numpy.linalg import cholesky as _cholesky
from numpy.linalg import eigh as _eigh

_LOW = 0xffffffff
_FULL = (-9223372036854775807, 9223372036854775807)


def _mixed(words):
    """A key that all the words have a part in: each turns the key of those before it."""
    key = 0
    for word in words:
        key = philox("integers", key, word, (), int64, *_FULL).item()
    return key


def _entropy(value):
    """Integers that are not negative, as a list."""
    if isinstance(value, (float, str)):
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {value}")
    if isinstance(value, (list, tuple)) or ndim(value) > 0:
        return [word for item in value for word in _entropy(item)]
    try:
        word = _index(value)
    except TypeError:
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {value}")
    if word < 0:
        raise ValueError("expected non-negative integer")
    return [word]


class SeedSequence:
    """Makes keys of streams from a seed, and seeds of others that share nothing with it: `spawn`.

    `entropy` is an integer or several; without it the clock's. The methods stand where NumPy has them; the
    numbers are others.
    """

    def __init__(self, entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0):
        if pool_size < 4:
            raise ValueError("The size of the entropy pool should be at least 4")
        self.entropy = _time_ns() if entropy is None else entropy
        self.spawn_key = tuple(spawn_key)
        self.pool_size = pool_size
        self.n_children_spawned = n_children_spawned
        words = _entropy(self.entropy)
        self._root = _mixed([len(words), *words, *_entropy(self.spawn_key)])

    @property
    def state(self):
        """What another one is made of that is the same."""
        names = ["entropy", "spawn_key", "pool_size", "n_children_spawned"]
        return {name: getattr(self, name) for name in names}

    def generate_state(self, n_words, dtype=None):
        """So many words of 32 bits, int64; with `dtype=int64` words of 64 bits."""
        if dtype is None or dtype == "uint32":
            return philox("integers", self._root, 0, (n_words,), int64, 0, 2**32)
        if dtype not in (int64, "uint64"):
            raise ValueError("only support uint32 or uint64")
        return philox("integers", self._root, 0, (n_words,), int64, *_FULL)

    def spawn(self, n_children):
        """So many seeds of streams that are independent of this one's and of each other."""
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        last = self.n_children_spawned
        keys = [self.spawn_key + (number,) for number in range(first, last)]
        return [type(self)(self.entropy, spawn_key=key, pool_size=self.pool_size) for key in keys]

    def __repr__(self):
        lines = [f"    entropy={self.entropy},"]
        if self.spawn_key:
            lines.append(f"    spawn_key={self.spawn_key},")
        if self.pool_size != 4:
            lines.append(f"    pool_size={self.pool_size},")
        if self.n_children_spawned:
            lines.append(f"    n_children_spawned={self.n_children_spawned},")
        return "\n".join(["SeedSequence(", *lines, ")"])


class BitGenerator:
    """A stream of random bits: a key, and how many blocks of 128 bits were taken.

    `state` holds both, and setting it puts the stream where it was.
    """

    def __init__(self, seed=None):
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        self._key = self.seed_seq._root
        self._position = 0

    def _take(self, blocks):
        """The key, and the first of so many blocks that nobody else gets."""
        position = self._position
        self._position = position + blocks
        return self._key, position

    @property
    def state(self):
        """The stream's name, key and position."""
        place = {"key": self._key, "counter": self._position}
        return {"bit_generator": type(self).__name__, "state": place}

    @state.setter
    def state(self, value):
        name = type(self).__name__
        if not isinstance(value, dict):
            raise TypeError("state must be a dict")
        if value.get("bit_generator") != name:
            raise ValueError(f"state must be for a {name} RNG")
        place = value["state"]
        self._key, self._position = _index(place["key"]), _index(place["counter"])

    def random_raw(self, size=None, output=True):
        """Integers of 64 random bits."""
        shape = () if size is None else _lengths(size)
        drawn = _filled(self, "integers", shape, int64, *_FULL)
        return drawn if output else None

    def spawn(self, n_children):
        """So many streams that are independent of this one and of each other."""
        return [type(self)(seed) for seed in self.seed_seq.spawn(n_children)]

    def advance(self, delta):
        """Goes on by so many blocks of 128 bits."""
        self._position += delta
        return self

    def jumped(self, jumps=1):
        """Another stream, far from here in any direction."""
        other = type(self)(self.seed_seq)
        other._key = _mixed([self._key, jumps])
        other._position = self._position
        return other

    def __repr__(self):
        return f"<numpy.random.{type(self).__name__}>"


class Philox(BitGenerator):
    """The stream behind all generators here; `key` sets its key instead of a seed."""

    def __init__(self, seed=None, counter=None, key=None):
        if seed is not None and key is not None:
            raise ValueError("seed and key cannot be both used")
        super().__init__(seed)
        if key is not None:
            self._key = _index(key)
        if counter is not None:
            self._position = _index(counter)


class PCG64(BitGenerator):
    """A stream under the name of NumPy's usual one; the bits are Philox's."""


class PCG64DXSM(BitGenerator):
    """A stream under the name of one of NumPy's; the bits are Philox's."""


class SFC64(BitGenerator):
    """A stream under the name of one of NumPy's; the bits are Philox's."""


class MT19937(BitGenerator):
    """A stream under the name of the one behind NumPy's older functions; the bits are Philox's."""


class _SessionStream(MT19937):
    """The stream that `seed`, `rand` and all functions without a generator draw from."""

    def __init__(self):
        self.seed_seq = None

    def _take(self, blocks):
        return session_stream(blocks)

    @property
    def _key(self):
        return session_stream(0)[0]

    @_key.setter
    def _key(self, key):
        set_session_stream(key, self._position)

    @property
    def _position(self):
        return session_stream(0)[1]

    @_position.setter
    def _position(self, position):
        set_session_stream(self._key, position)


def _filled(bits, kind, shape, dtype, low=0, high=0):
    """A tensor of fresh random numbers. 16 blocks serve 64 elements, or 32 of 64 bits."""
    key, position = bits._take((_product(shape) + 31) // 32 * 16)
    return philox(kind, key, position, shape, dtype, low, high)


class _Fill:
    """What a distribution draws from at first: whole tensors."""

    def __init__(self, bits, count, dtype):
        self.bits, self.shape, self.dtype = bits, (count,), dtype

    def uniform(self):
        """Numbers of [0, 1)."""
        return _filled(self.bits, "uniform", self.shape, self.dtype)

    def normal(self):
        return _filled(self.bits, "normal", self.shape, self.dtype)


class _Again:
    """What elements draw from that are tried again: each has a word of its own, which starts a sequence of
    SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). So no element's
    number depends on which others were tried again.
    """

    def __init__(self, words, dtype):
        self.state, self.dtype = words, dtype

    def _uniform(self):
        """53 random bits over [0, 1), float64."""
        self.state = self.state - 7046029254386353131
        x = self.state
        x = (x ^ ((x >> 30) & 0x3ffffffff)) * -4658895280553007687
        x = (x ^ ((x >> 27) & 0x1fffffffff)) * -7723592293110705685
        x = x ^ ((x >> 31) & 0x1ffffffff)
        return ((x >> 11) & 0x1fffffffffffff).astype(float64) * 2.0**-53

    def uniform(self):
        # Fewer bits where rounding might reach one.
        return self._uniform() if self.dtype == float64 else floor(self._uniform() * 2.0**24).astype(self.dtype) * 2.0**-24

    def normal(self):
        radius = sqrt(-2 * log(1 - self._uniform()))
        return (radius * cos(2 * pi * self._uniform())).astype(self.dtype)

    def only(self, which):
        """The same for some of the elements."""
        return _Again(self.state[which], self.dtype)


def _attempts(bits, attempt, shape, dtype, *parameters):
    """What `attempt` makes of random numbers, element by element, tried again where it rejects.

    `attempt(draw, *parameters)` gives values and which of them are rejected. A comparison with NaN is false, so
    what rejects by comparisons accepts NaN.
    """
    flat = [_flattened(x, shape, dtype) for x in parameters]
    count = _product(shape)
    values, wrong = attempt(_Fill(bits, count, dtype), *flat)
    words = _filled(bits, "bits", (count,), int64)
    left = flatnonzero(wrong)
    again = _Again(words[left], dtype)
    while len(left) > 0:
        fresh, wrong = attempt(again, *[x if ndim(x) == 0 else x[left] for x in flat])
        values[left] = fresh
        left, again = left[wrong], again.only(wrong)
    return values.reshape(shape)


def _flattened(x, shape, dtype):
    x = asarray(x).astype(dtype) if is_tensor(x) else asarray(x, dtype=dtype)
    return x if x.ndim == 0 else broadcast_to(x, shape).reshape(-1)
