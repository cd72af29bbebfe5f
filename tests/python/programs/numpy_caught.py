# What is computed later fails where it is written: inside its `try`, once, and nowhere else.
def later_write(x):
    y = np.zeros(3)
    try:
        r = x[[5]]
        print(r)
    except IndexError as e:
        print("caught", e)
    y[0] = 1
    return y


print(later_write(np.arange(3)))


def given_back(x):
    try:
        return x[[10]]
    except IndexError:
        return "caught"


print(given_back(np.arange(3)))


def left_by_break(x):
    for k in range(3):
        try:
            if k == 1:
                r = x[[k + 7]]
                break
            r = x[[k]]
        except IndexError:
            print("caught", k)
    return k


print(left_by_break(np.arange(3)))


def left_by_continue(x):
    for k in range(3):
        try:
            r = x[[k + 2]]
            continue
        except IndexError:
            print("caught", k)
    return k


print(left_by_continue(np.arange(3)))

import warnings


def within(f):
    with warnings.catch_warnings(record=True) as found:
        try:
            r = f()
            said = repr(r)
        except Exception as e:
            said = type(e).__name__
    print(said, len(found))


within(lambda: np.take([1, 2], 5))
within(lambda: np.array([1, 2]) ** -1)
within(lambda: np.array([1, 2])[[1, 2]])


def first_of_two(x):
    try:
        len(x[[9]])
        {}["key"]
    except IndexError:
        return "the index"
    except KeyError:
        return "the key"


print(first_of_two(np.arange(3)))


def several(x):
    good = x[[0, 1]] * 2
    try:
        bad = x[[7]] + 1
        both = bad[0] + good
        print(both)
    except IndexError:
        x[0] = 100
    return good


print(several(np.arange(3)))


def nested(x):
    try:
        try:
            return x[[4]]
        except ValueError:
            return "inner"
    except IndexError:
        return "outer"
    finally:
        print("finally")


print(nested(np.arange(2)))
