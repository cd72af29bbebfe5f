# Loops that come round: ranges at the ends of what fits, either way, empty ones, and what the body
# does to the variable or to what is gone through.
last = 2**63 - 1

for r in (range(0), range(5, 5), range(5, 0), range(0, 5, -1), range(3), range(5, 0, -2), range(-3, 3, 4)):
    print(r, [i for i in r], end=" ")
    for i in r:
        pass
    else:
        print("ended")

for r in (range(last - 3, last), range(-last - 1, -last + 2), range(0, last, last // 2), range(last, 0, -(last // 3)),
          range(last - 1, last, 5), range(-last - 1, last, last), range(last, -last - 1, -last)):
    seen = []
    for i in r:
        seen.append(i)
    print(len(r), seen, seen == list(r), [i for i in r] == seen)


def changed(n):
    out = []
    for i in range(n):
        out.append(i)
        i = i * 10
        out.append(i)
    return out, i


print(changed(3))


def typed(n):
    # The variable holds other kinds between the turns.
    out = []
    for i in range(n):
        out.append(i)
        i = [None, "text", 1.5, [i], {}][i % 5]
        out.append(i)
    return out


print(typed(7))


def left(n):
    found = []
    for i in range(n):
        for j in range(i, n):
            if j == 2:
                continue
            if j == 4:
                break
            found.append((i, j))
        else:
            found.append("whole")
            continue
        found.append("left")
    return found


print(left(3), left(5))


def turned(values):
    # One loop over many kinds, each of which the same place meets.
    out = []
    for value in values:
        for item in value:
            out.append(item)
    return out


print(turned([range(3), [1, 2], (3,), "ab", {4: 5}, iter([6]), (x for x in (7, 8)), range(9, 7, -1), b"a", {10}]))


def grown():
    items = [1]
    for item in items:
        if item < 5:
            items.append(item + 1)
    return items


print(grown())


def many_turns(n):
    total = 0
    for i in range(n):
        for j in range(3):
            total += i * j
        k = 0
        while k < 2:
            k += 1
            if k == 1:
                continue
            total -= 1
    return total


print(many_turns(1000))
print([[i * j for j in range(i) if j % 2] for i in range(5)], {i: i for i in range(3)}, sorted({i % 3 for i in range(9)}))
print(sum(i for i in range(100) for j in range(i) if j == 3))

it = iter(range(3))
for i in it:
    print(i, list(it))

for i in range(3):
    try:
        if i == 1:
            raise ValueError(i)
    except ValueError as error:
        print("caught", error)
        continue
    finally:
        print("finally", i)
