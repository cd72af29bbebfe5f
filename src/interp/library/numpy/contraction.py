"""The order in which a sum of products is cheapest."""


def _parts(subscripts, operands):
    """The letters of each operand and of the result, and the length that each letter has."""
    if not isinstance(subscripts, str):
        raise TypeError("einsum_path: the subscripts are a text here, such as 'ij,jk->ik'")
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    if "." in text:
        raise ValueError("einsum_path: an ellipsis has no order here: write its axes out")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise ValueError("Number of einsum subscripts must be equal to the number of operands.")
    if not arrow:
        right = "".join(sorted([c for c in set(left.replace(",", "")) if left.count(c) == 1]))
    sizes = {}
    for at, (term, operand) in enumerate(zip(terms, operands)):
        shape = asarray(operand).shape
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


def einsum_path(subscripts, *operands, optimize="greedy"):
    """In which order `einsum` is cheapest: a path of the operands that are multiplied, and a report of it.

    `optimize` is 'greedy', 'optimal', True for greedy, False for all at once, a path of one's own, or a pair
    of a name and the most elements of what stands between. What is multiplied leaves the list; the product
    stands at its end. ValueError for subscripts that do not fit.

    >>> a = ones((2, 3))
    >>> einsum_path("ij,jk,kl->il", a, ones((3, 4)), ones((4, 5)))[0]
    """
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
    elif optimize is False or len(terms) <= 2:
        path = [tuple(range(len(terms)))]
    elif optimize in (True, "greedy"):
        path = _greedy(terms, right, sizes, most)
    elif optimize == "optimal":
        path = _optimal(terms, right, sizes, most)
    else:
        raise KeyError(f"Path name {optimize} not found")
    return ["einsum_path"] + path, _told(terms, right, sizes, path, subscripts)


def _told(terms, right, sizes, path, subscripts):
    """A report of a path: its cost beside that of all at once, and each step."""
    letters = set("".join(terms))
    naive = _cost(letters, len(letters) > len(right), len(terms), sizes)
    total, largest, steps, left = 0, _size(right, sizes), [], list(terms)
    for step in path:
        made, chosen, rest = _joined(left, step, right)
        total += _cost(chosen, len(chosen) > len(made), len(step), sizes)
        result = right if not rest else "".join(sorted(made))
        largest = max(largest, _size(result, sizes))
        steps.append(",".join([left[at] for at in sorted(step, reverse=True)]) + "->" + result)
        left = rest + [result]
    lines = [
        f"  Complete contraction:  {subscripts.replace(' ', '')}",
        f"         Naive scaling:  {len(letters)}",
        f"      Naive FLOP count:  {naive:.3e}",
        f"  Optimized FLOP count:  {total:.3e}",
        f"   Theoretical speedup:  {naive / total if total else 1.0:.3e}",
        f"  Largest intermediate:  {largest:.3e} elements",
    ]
    return "\n".join(lines + [f"  {step}" for step in steps]) + "\n"
