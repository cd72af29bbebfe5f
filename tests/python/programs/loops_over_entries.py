# Loops over dictionaries and their views, and methods that are taken out of their objects.


def told(function, *args):
    try:
        print(function(*args))
    except Exception as error:
        print(type(error).__name__, error)


def walked(made, look, change=None, most=50):
    seen = []
    entries = made()
    for number, item in enumerate(look(entries)):
        seen.append(item)
        if change is not None:
            change(entries, number, item)
        if number > most:
            break
    return seen, entries


def named(count):
    return lambda: {f"name{at}": at for at in range(count)}


for count in (0, 1, 2, 3, 8, 9, 20):
    for look in (dict.keys, dict.values, dict.items, iter, reversed):
        told(lambda: walked(named(count), look)[0])


def grows(entries, number, item):
    entries[number + 1000] = 1


def shrinks(entries, number, item):
    entries.popitem()


def loses_first(entries, number, item):
    del entries[next(iter(entries))]


for count in (1, 2, 8, 9, 20):
    for change in (grows, shrinks, loses_first):
        told(walked, named(count), dict.keys, change)
        told(walked, named(count), dict.items, change)


# The loop itself, in a function and in the program's lines.
def keys(entries):
    for key in entries:
        entries[key] = entries[key] + 1
    return entries


def pairs(entries):
    total = 0
    for key, value in entries.items():
        if value == 2:
            continue
        total += value
        if value > 6:
            break
    else:
        total = -total
    return total


def nested(entries):
    return [(a, b) for a in entries for b in entries.values() if a != b]


def exchanged(entries):
    for key in entries:
        entries[key + "!"] = entries.pop(key)
    return entries


def cut(entries):
    for key in entries:
        del entries[key]
        break
    return list(entries)


def emptied(entries):
    for key in entries:
        entries.clear()
    return entries


def three(entries):
    for a, b, c in entries.items():
        return a


def starred(entries):
    return [rest for first, *rest in entries.items()]


def generated(entries):
    for key, value in entries.items():
        got = yield key
        if got:
            entries[got] = 1


for count in (0, 1, 5, 8, 12):
    for function in (keys, pairs, nested, exchanged, cut, emptied, three, starred):
        if function is exchanged and count > 1:
            continue
        told(function, named(count)())
    told(lambda: list(generated(named(count)())))
walk = generated({"a": 1, "b": 2})
print(next(walk))
told(walk.send, "c")
for name, number in {"x": 1, "y": 2}.items():
    print(name, number)
kept = {"x": 1, "y": 2}
for name in kept:
    kept[name] += 10
print(kept, sum(kept[name] for name in kept), {value: name for name, value in kept.items()})
for entry in kept.items():
    print(entry)
for value in kept.values():
    kept["x"] = value
print(kept)
total = 0
large = {number: number * number for number in range(1000)}
for number in range(0, 1000, 3):
    del large[number]
for number, square in large.items():
    total += square - number
print(total, len(large))
for number in list(large):
    if number % 2:
        del large[number]
print(sum(large), max(large.values()))


class Names(dict):
    pass


class Shown(dict):
    def __iter__(self):
        return iter(["own"])

    def items(self):
        return [("own", 1)]


print([key for key in Names(a=1)], [key for key in Shown(a=1)], [pair for pair in Shown(a=1).items()])
print([pair for pair in Names(a=1, b=2).items()], list(zip(Names(a=1), {"b": 2}.values())))


# Methods without their calls.
class Counter:
    made = 0

    def __init__(self):
        self.count = 0

    def add(self, by=1):
        self.count += by
        return self.count

    @classmethod
    def named(cls, name):
        return cls.__name__ + name

    @staticmethod
    def plain(x):
        return x * 2

    def __call__(self, x):
        return self.count + x


def counted(times):
    counter = Counter()
    results = []
    append = results.append
    for at in range(times):
        add = counter.add
        append(add())
        append(add(by=at))
        append(counter.named("n"))
        named, plain = counter.named, counter.plain
        append(named("m"))
        append(plain(at))
        append(counter(at))
        if at == 2:
            counter.add = lambda by=1: "own"
        if at == 4:
            del counter.add
        if at == 5:
            Counter.add = lambda self, by=1: "class"
    return results


print(counted(8))


def gathered(times):
    items, names, text, members = [], {}, "a,b", set()
    for at in range(times):
        push, pull, find, split, put = items.append, items.pop, names.get, text.split, members.add
        push(at)
        push(at * 2)
        print(pull(), pull(0) if at > 1 else None, find(at), find(at, "none"), split(","), put(at % 3), len(items))
        names[at] = at
        setdefault = names.setdefault
        setdefault(at + 1, []).append(at) if at > 3 else None
    return items, names, sorted(members)


print(gathered(5))


def wrong(times):
    items = [1]
    push, find = items.append, items.index
    for at in range(times):
        told(push)
        told(push, 1, 2)
        told(find, at)
        try:
            push(x=1)
        except TypeError as error:
            print(type(error).__name__)
        look = [].append if at % 2 else {}.get
        told(look, at)
        text = "abc" if at % 2 else [3, 1, 2]
        told(text.index, "c" if at % 2 else 2)
    return items


print(wrong(4))


def deep(number):
    again = Deeper().again
    return again(number)


class Deeper:
    def again(self, number):
        return 0 if number == 0 else 1 + deep(number - 1)


print(deep(200))
told(deep, 5000)


def listeners():
    class Button:
        def __init__(self):
            self.heard = []

        def on(self, listener):
            self.heard.append(listener)

        def press(self):
            return [listener(self) for listener in self.heard]

    class Lamp:
        def __init__(self, name):
            self.name, self.is_on = name, False

        def toggle(self, button):
            self.is_on = not self.is_on
            return self.name, self.is_on, len(button.heard)

    button, lamps = Button(), [Lamp("a"), Lamp("b")]
    for lamp in lamps:
        button.on(lamp.toggle)
    first = button.press()
    button.heard.remove(lamps[0].toggle)
    return first, button.press()


print(listeners())
