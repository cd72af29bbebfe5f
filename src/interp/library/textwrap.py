"""Texts of several lines."""


def dedent(text):
    """The text without the blanks that all its lines begin with."""
    lines = [line if line.strip(" \t") else "" for line in text.split("\n")]
    margin = None
    for line in lines:
        if not line:
            continue
        indent = line[:len(line) - len(line.lstrip(" \t"))]
        if margin is None or margin.startswith(indent):
            margin = indent
        elif not indent.startswith(margin):
            same = 0
            while same < min(len(margin), len(indent)) and margin[same] == indent[same]:
                same += 1
            margin = margin[:same]
    return "\n".join(line[len(margin or ""):] for line in lines)


def indent(text, prefix, predicate=None):
    """The text with a prefix before each line that is not blank, or that `predicate` picks."""
    if predicate is None:
        predicate = lambda line: line.strip()
    lines = text.splitlines(True)
    return "".join(prefix + line if predicate(line) else line for line in lines)
