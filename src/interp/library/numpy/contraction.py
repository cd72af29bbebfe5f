"""The order in which a sum of products is cheapest."""


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _from_lists(given):
    """The text and the operands of `einsum(a, [0, 1], b, [1], [0])`: numbers for letters."""
    def letters(axes):
        made = ""
        for axis in axes:
            if axis is ...:
                made += "..."
            elif isinstance(axis, int) and 0 <= axis < len(_LETTERS):
                made += _LETTERS[axis]
            else:
                raise TypeError(f"einsum: each axis is a number from 0 to {len(_LETTERS) - 1} or an ellipsis, not {axis!r}")
        return made

    pairs = len(given) // 2
    operands = [given[2 * at] for at in range(pairs)]
    text = ",".join([letters(given[2 * at + 1]) for at in range(pairs)])
    return (text + "->" + letters(given[-1]) if len(given) % 2 == 1 else text), operands


def _parts(subscripts, operands):
    """The letters of each operand and of the result, and the length that each letter has."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise ValueError("Number of einsum subscripts must be equal to the number of operands.")
    if not arrow:
        plain = left.replace(",", "").replace(".", "")
        right = "..." if "." in left else ""
        right += "".join(sorted([c for c in set(plain) if plain.count(c) == 1]))
    shapes = [asarray(operand).shape for operand in operands]
    # An ellipsis stands for axes that have no letter: they get those that are left over.
    widths = [len(shape) - len(term.replace("...", "")) for term, shape in zip(terms, shapes)]
    hidden = [letter for letter in _LETTERS if letter not in text]
    most = max([width for term, width in zip(terms, widths) if "..." in term] + [0])
    if most > len(hidden):
        raise ValueError("too many axes behind the ellipsis")
    hidden = "".join(hidden[:most])
    terms = [term.replace("...", hidden[most - width:] if width > 0 else "") for term, width in zip(terms, widths)]
    right = right.replace("...", hidden)
    sizes = {}
    for at, (term, shape) in enumerate(zip(terms, shapes)):
        if len(shape) != len(term):
            words = f"Einstein sum subscript {term} does not contain the correct number of indices"
            raise ValueError(f"{words} for operand {at}.")
        for letter, length in zip(term, shape):
            if sizes.setdefault(letter, length) not in (length, 1) and length != 1:
                words = f"Size of label '{letter}' for operand {at} ({sizes[letter]})"
                raise ValueError(f"{words} does not match previous terms ({length}).")
            sizes[letter] = max(sizes[letter], length)
    for letter in right:
        if letter not in sizes:
            raise ValueError(f"Output character {letter} did not appear in the input")
    return terms, right, sizes


def _einsum(first, rest, out, dtype, order, casting, optimize):
    text, operands = (first, rest) if isinstance(first, str) else _from_lists([first] + rest)
    options = dict(dtype=dtype, order=order, casting=casting)
    if optimize is False or optimize is None or len(operands) < 3:
        return einsum(text, *operands, out=out, **options)
    terms, right, _ = _parts(text, operands)
    left = list(operands)
    for step in einsum_path(text, *operands, optimize=optimize)[0][1:]:
        made, _, others = _joined(terms, step, right)
        result = right if not others else "".join(sorted(made))
        words = ",".join([terms[at] for at in step]) + "->" + result
        joined = einsum(words, *[left[at] for at in step], **options)
        left = [operand for at, operand in enumerate(left) if at not in step] + [joined]
        terms = others + [result]
    return _given(left[0], out)


def _size(letters, sizes):
    made = 1
    for letter in letters:
        made *= sizes[letter]
    return made


def _joined(terms, pair, right):
    """What is left of the terms when some are multiplied, and all letters of these."""
    chosen = set("".join([terms[at] for at in pair]))
    rest = [term for at, term in enumerate(terms) if at not in pair]
    needed = set("".join(rest)) | set(right)
    return chosen & needed, chosen, rest


def _cost(letters, is_sum, count, sizes):
    """How many multiplications and additions."""
    return _size(letters, sizes) * (max(1, count - 1) + (1 if is_sum else 0))


def _greedy(terms, right, sizes, most):
    """Joins the pair that makes the data smallest, again and again."""
    path, terms = [], list(terms)
    while len(terms) > 2:
        best = None
        for i in range(len(terms)):
            for j in range(i + 1, len(terms)):
                made, chosen, _ = _joined(terms, (i, j), right)
                if _size(made, sizes) > most:
                    continue
                saved = _size(terms[i], sizes) + _size(terms[j], sizes) - _size(made, sizes)
                cost = _cost(chosen, len(chosen) > len(made), 2, sizes)
                key = (not set(terms[i]) & set(terms[j]), -saved, cost)
                if best is None or key < best[0]:
                    best = (key, (i, j))
        if best is None:
            break
        made, _, rest = _joined(terms, best[1], right)
        path.append(best[1])
        terms = rest + ["".join(sorted(made))]
    return path + [tuple(range(len(terms)))]


def _optimal(terms, right, sizes, most):
    """The cheapest of all orders."""
    best = [None, [tuple(range(len(terms)))]]

    def look(cost, path, terms):
        if best[0] is not None and cost >= best[0]:
            return
        if len(terms) == 1:
            best[0], best[1] = cost, path
            return
        for i in range(len(terms)):
            for j in range(i + 1, len(terms)):
                made, chosen, rest = _joined(terms, (i, j), right)
                if len(rest) > 0 and _size(made, sizes) > most:
                    continue
                more = _cost(chosen, len(chosen) > len(made), 2, sizes)
                look(cost + more, path + [(i, j)], rest + ["".join(sorted(made))])

    look(0, [], list(terms))
    return best[1]


def einsum_path(subscripts, *operands, optimize="greedy", einsum_call=False):
    """In which order `einsum` is cheapest: a path of the operands that are multiplied, and a report of it.

    `optimize` is 'greedy', 'optimal', True for greedy, False for all at once, a path of one's own, or a pair
    of a name and the most elements of what stands between. What is multiplied leaves the list; the product
    stands at its end. With `einsum_call` there are the operands, and each step with the subscripts that it
    takes, those that it leaves. ValueError for subscripts that do not fit.

    >>> a = ones((2, 3))
    >>> einsum_path("ij,jk,kl->il", a, ones((3, 4)), ones((4, 5)))[0]
    """
    if not isinstance(subscripts, str):
        subscripts, operands = _from_lists([subscripts] + list(operands))
    terms, right, sizes = _parts(subscripts, operands)
    most = max([_size(term, sizes) for term in terms + [right]])
    if isinstance(optimize, (list, tuple)) and len(optimize) == 2 and isinstance(optimize[0], str):
        optimize, limit = optimize
        if isinstance(limit, (int, float)):
            most = limit
        else:
            optimize = ["einsum_path"] + limit
    if isinstance(optimize, (list, tuple)):
        path = [tuple(step) for step in optimize[1:]]
    elif optimize in (False, None) or len(terms) <= 2 or set("".join(terms)) == set(right):
        path = [tuple(range(len(terms)))]
    elif optimize in (True, "greedy"):
        path = _greedy(terms, right, sizes, most)
    elif optimize == "optimal":
        path = _optimal(terms, right, sizes, most)
    else:
        raise KeyError("Path name %s not found", optimize)
    steps, left = [], terms
    for step in path:
        step = tuple(sorted(step, reverse=True))
        made, chosen, rest = _joined(left, step, right)
        by_size = sorted([(sizes[letter], letter) for letter in made])
        result = right if len(steps) + 1 == len(path) else "".join([letter for _, letter in by_size])
        words = ",".join([left[at] for at in step]) + "->" + result
        cost = _cost(chosen, len(chosen) > len(made), len(step), sizes)
        left = rest + [result]
        steps.append((step, words, left, cost, len(chosen), _size(made, sizes)))
    if len(left) != 1:
        words = f"Invalid einsum_path is specified: {len(left) - 1} more operands has to be contracted."
        raise RuntimeError(words)
    if einsum_call:
        return operands, [step[:3] for step in steps]
    return ["einsum_path"] + path, _told(terms, right, sizes, steps)


def _told(terms, right, sizes, steps):
    """A report of a path: its cost beside that of all at once, and each step."""
    letters = set("".join(terms))
    is_inner = sum([len(set(term)) for term in terms]) > len(letters)
    naive = _cost(letters, is_inner, len(terms), sizes)
    total = sum([cost for _, _, _, cost, _, _ in steps]) + 1
    lines = [
        f"  Complete contraction:  {','.join(terms)}->{right}",
        f"         Naive scaling:  {len(letters)}",
        f"     Optimized scaling:  {max([scale for _, _, _, _, scale, _ in steps])}",
        f"      Naive FLOP count:  {naive:.3e}",
        f"  Optimized FLOP count:  {total:.3e}",
        f"   Theoretical speedup:  {naive / total:3.3f}",
        f"  Largest intermediate:  {max([size for _, _, _, _, _, size in steps]):.3e} elements",
        "-" * 74,
        "%6s %24s %40s" % ("scaling", "current", "remaining"),
        "-" * 74,
    ]
    for _, words, left, _, scale, _ in steps:
        lines.append("%4d    %24s %40s" % (scale, words, ",".join(left) + "->" + right))
    return "\n".join(lines)
