"""NumPy's own exceptions and warnings."""


class TooHardError(RuntimeError):
    """A result would take too long to find."""


class DTypePromotionError(TypeError):
    """Types have no common one."""


class RankWarning(RuntimeWarning):
    """A least-squares fit has less rank than it has coefficients."""


class ComplexWarning(RuntimeWarning):
    """An imaginary part is dropped."""


class VisibleDeprecationWarning(UserWarning):
    """Something that users see will go."""


class ModuleDeprecationWarning(DeprecationWarning):
    """A module will go."""
