"""Names against patterns as shells have them: `*`, `?`, `[abc]`, `[!a-z]`."""


def _set_end(pattern, at):
    """Where the set that begins at a place ends; -1 where it does not."""
    first = at + 2 if pattern[at + 1:at + 2] == "!" else at + 1
    return pattern.find("]", first + 1)


def _is_in(letter, members):
    is_not = members[:1] == "!"
    members = members[1:] if is_not else members
    found, at = False, 0
    while at < len(members):
        if members[at + 1:at + 2] == "-" and at + 2 < len(members):
            found = found or members[at] <= letter <= members[at + 2]
            at += 3
        else:
            found = found or letter == members[at]
            at += 1
    return found != is_not


def _one(letter, pattern, at):
    """Where a pattern goes on behind what stands for one letter; -1 where that is another."""
    mark = pattern[at]
    if mark == "[":
        end = _set_end(pattern, at)
        if end >= 0:
            return end + 1 if _is_in(letter, pattern[at + 1:end]) else -1
    return at + 1 if mark == "?" or mark == letter else -1


def fnmatchcase(name, pat):
    """Whether a name is as a pattern says."""
    at = place = 0
    star = mark = -1
    while at < len(name):
        if place < len(pat) and pat[place] == "*":
            star, mark = place, at
            place += 1
            continue
        behind = _one(name[at], pat, place) if place < len(pat) else -1
        if behind >= 0:
            at, place = at + 1, behind
        elif star >= 0:
            # The last star takes one letter more.
            mark += 1
            at, place = mark, star + 1
        else:
            return False
    return pat[place:].strip("*") == ""


fnmatch = fnmatchcase


def filter(names, pat):
    """The names that are as a pattern says."""
    return [name for name in names if fnmatchcase(name, pat)]


def translate(pat):
    """The regular expression that means the same."""
    made, at = [], 0
    while at < len(pat):
        letter = pat[at]
        at += 1
        if letter == "*":
            if made[-1:] != [".*"]:
                made.append(".*")
        elif letter == "?":
            made.append(".")
        elif letter == "[" and _set_end(pat, at - 1) >= 0:
            end = _set_end(pat, at - 1)
            members = pat[at:end].replace("\\", "\\\\")
            if members[0] == "!":
                members = "^" + members[1:]
            elif members[0] == "^":
                members = "\\" + members
            made.append(f"[{members}]")
            at = end + 1
        else:
            made.append("\\" + letter if letter in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f" else letter)
    return f"(?s:{''.join(made)})\\Z"
