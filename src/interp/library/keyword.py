"""The words that are no names."""

kwlist = "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split()
softkwlist = ["_", "case", "match"]


def iskeyword(s, /):
    """Whether a text is a word of the language.

    >>> iskeyword("for"), iskeyword("four")
    (True, False)
    """
    return s in kwlist


def issoftkeyword(s, /):
    """Whether a text is a word of the language in some places only."""
    return s in softkwlist
