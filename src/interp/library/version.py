"""The version of NumPy whose names and meanings these are."""

from numpy import __version__

version = full_version = short_version = __version__
release, git_revision = True, ""
