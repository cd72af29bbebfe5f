"""Matplotlib's name, for programs that import it; `matplotlib.pyplot` draws."""

from matplotlib.pyplot import rcParams as _settings

rcParams = _settings


def use(backend, *, force=True):
    """Takes the name of what would draw: figures go to the terminal, the notebook or a file here, whatever it is."""


def get_backend():
    """The name of what draws."""
    return "genesis"
