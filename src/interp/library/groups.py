"""What groups of exceptions are split by."""


def _test_of(condition):
    kinds = condition if isinstance(condition, tuple) else (condition,)
    if all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds):
        return lambda exc: isinstance(exc, condition)
    if isinstance(condition, type) or not callable(condition):
        raise TypeError("expected a function, exception type or tuple of exception types")
    return condition


def _split_group(group, condition):
    return _parts_of(group, _test_of(condition))


def _parts_of(group, test):
    if test(group):
        return group, None
    inside, outside = [], []
    for exc in group.exceptions:
        if isinstance(exc, BaseExceptionGroup):
            yes, no = _parts_of(exc, test)
        else:
            yes, no = (exc, None) if test(exc) else (None, exc)
        if yes is not None:
            inside.append(yes)
        if no is not None:
            outside.append(no)
    return _part_of(group, inside), _part_of(group, outside)


def _part_of(group, excs):
    if not excs:
        return None
    part = group.derive(excs)
    if not isinstance(part, BaseExceptionGroup):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    part.__context__, part.__cause__ = group.__context__, group.__cause__
    for note in getattr(group, "__notes__", []):
        part.add_note(note)
    return part
