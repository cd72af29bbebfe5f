"""What runs the program."""

import sys


def python_version():
    """The version of the language that programs are written in."""
    return ".".join(str(part) for part in sys.version_info[:3])


def python_version_tuple():
    """Its parts, as texts."""
    return tuple(str(part) for part in sys.version_info[:3])


def python_implementation():
    """What runs the language."""
    return "genesis"


def system():
    """The system's name."""
    return sys.platform.capitalize()


def machine():
    """The processor's kind, where it is known: nothing."""
    return ""


def processor():
    """The processor's name, where it is known: nothing."""
    return ""


def node():
    """The machine's name in its network, where it is known: nothing."""
    return ""


def release():
    """The system's version, where it is known: nothing."""
    return ""


def version():
    """The system's build, where it is known: nothing."""
    return ""


def platform(aliased=False, terse=False):
    """The system in a word."""
    return system()
