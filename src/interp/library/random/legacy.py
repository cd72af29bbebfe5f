class RandomState(_Distributions):
    """Random numbers by NumPy's older methods, from a stream of their own."""

    def __init__(self, seed=None):
        self._bits = seed if isinstance(seed, BitGenerator) else MT19937(_older_seed(seed))

    def seed(self, seed=None):
        """Begins the stream of a seed anew."""
        fresh = MT19937(_older_seed(seed))
        self._bits._key, self._bits._position = fresh._key, 0

    def get_state(self, legacy=True):
        """The stream's place, for `set_state`."""
        return self._bits.state

    def set_state(self, state):
        """Puts the stream where it was."""
        self._bits.state = state

    def rand(self, *args):
        """Numbers spread evenly over [0, 1); the arguments are the shape."""
        return self.random(args or None)

    def randn(self, *args):
        """Normally distributed numbers of mean 0 and deviation 1; the arguments are the shape."""
        return self.standard_normal(args or None)

    def random_sample(self, size=None):
        """Numbers spread evenly over [0, 1)."""
        return self.random(size)

    def randint(self, low, high=None, size=None, dtype=int64):
        """Whole numbers from `low` up to, but not including, `high`; from 0 if one is given."""
        drawn = self._integers(low, high, size, dtype, False, "randint")
        return drawn.item() if size is None and drawn.ndim == 0 else drawn

    def random_integers(self, low, high=None, size=None):
        """Whole numbers from `low` to `high`, both included; from 1 if one is given."""
        low, high = (1, low) if high is None else (low, high)
        return self.randint(low, high + 1, size)

    def tomaxint(self, size=None):
        """Whole numbers that are not negative."""
        return self.randint(0, _LARGEST, size)

    def choice(self, a, size=None, replace=True, p=None):
        """Elements of a (or of the numbers below it), each with the chance in `p`."""
        items = a if isinstance(a, int) or is_tensor(a) else _items(a, _OLDER_WORDS["kind"])
        if is_tensor(items) and items.ndim > 1:
            raise ValueError("a must be 1-dimensional")
        return self._choice(items, size, replace, p, 0, True, _OLDER_WORDS)

    def __repr__(self):
        return f"RandomState({type(self._bits).__name__})"


def _older_seed(seed):
    """A seed as NumPy's older functions take it."""
    if seed is None or isinstance(seed, SeedSequence):
        return seed
    words = _entropy(seed)
    if any(word >= 2**32 for word in words):
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    return words if len(words) != 1 else words[0]


_session = RandomState(_SessionStream())
beta = _session.beta
binomial = _session.binomial
bytes = _session.bytes
chisquare = _session.chisquare
choice = _session.choice
dirichlet = _session.dirichlet
exponential = _session.exponential
f = _session.f
gamma = _session.gamma
geometric = _session.geometric
get_state = _session.get_state
gumbel = _session.gumbel
hypergeometric = _session.hypergeometric
laplace = _session.laplace
logistic = _session.logistic
lognormal = _session.lognormal
logseries = _session.logseries
multinomial = _session.multinomial
multivariate_normal = _session.multivariate_normal
negative_binomial = _session.negative_binomial
noncentral_chisquare = _session.noncentral_chisquare
noncentral_f = _session.noncentral_f
normal = _session.normal
pareto = _session.pareto
permutation = _session.permutation
poisson = _session.poisson
power = _session.power
rand = _session.rand
randint = _session.randint
randn = _session.randn
random = _session.random
random_integers = _session.random_integers
random_sample = _session.random_sample
rayleigh = _session.rayleigh
set_state = _session.set_state
shuffle = _session.shuffle
standard_cauchy = _session.standard_cauchy
standard_exponential = _session.standard_exponential
standard_gamma = _session.standard_gamma
standard_normal = _session.standard_normal
standard_t = _session.standard_t
triangular = _session.triangular
uniform = _session.uniform
vonmises = _session.vonmises
wald = _session.wald
weibull = _session.weibull
zipf = _session.zipf
ranf = _session.random_sample
sample = _session.random_sample
