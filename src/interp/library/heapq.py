"""Lists as heaps: the smallest item stands first, and none is larger than the two below it."""


def heappush(heap, item):
    """Puts an item into a heap."""
    if not risen(heap, item):
        heap.append(item)
        if not moved(heap, len(heap) - 1, False):
            _sift_up(heap, 0, len(heap) - 1)


def heappop(heap):
    """Takes the smallest item out of a heap."""
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if heap:
        smallest = heap[0]
        if not sunk(heap, 0, last):
            heap[0] = last
            _go_down(heap, 0)
        return smallest
    return last


def heapreplace(heap, item):
    """Takes the smallest item out, then puts another in."""
    if not heap:
        raise IndexError("index out of range")
    smallest = heap[0]
    if not sunk(heap, 0, item):
        heap[0] = item
        _go_down(heap, 0)
    return smallest


def heappushpop(heap, item):
    """Puts an item in, then takes the smallest out."""
    if heap and heap[0] < item:
        return heapreplace(heap, item)
    return item


def heapify(x):
    """Makes a list a heap, in place."""
    for at in reversed(range(len(x) // 2)):
        if not sunk(x, at, x[at]):
            _go_down(x, at)


def _go_down(heap, at):
    if not moved(heap, at, True):
        _sift_down(heap, at)


def _sift_up(heap, first, at):
    item = heap[at]
    while at > first:
        above = (at - 1) >> 1
        if not item < heap[above]:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item


def _sift_down(heap, at):
    # As in CPython: down to a leaf with the smaller of the two below, then up again.
    end, first, item = len(heap), at, heap[at]
    below = 2 * at + 1
    while below < end:
        if below + 1 < end and not heap[below] < heap[below + 1]:
            below += 1
        heap[at] = heap[below]
        at = below
        below = 2 * at + 1
    heap[at] = item
    _sift_up(heap, first, at)


def merge(*iterables, key=None, reverse=False):
    """The items of sorted iterables in their order, one after the other."""
    ways = [iter(way) for way in iterables]
    heads = []
    for at, way in enumerate(ways):
        for item in way:
            heads.append((item if key is None else key(item), at, item))
            break
    while heads:
        best = 0
        for at in range(1, len(heads)):
            if heads[best][0] < heads[at][0] if reverse else heads[at][0] < heads[best][0]:
                best = at
        _, at, item = heads[best]
        yield item
        for item in ways[at]:
            heads[best] = (item if key is None else key(item), at, item)
            break
        else:
            heads.pop(best)


def nlargest(n, iterable, key=None):
    """The largest items, the largest first."""
    if n == 1:
        return _first(max, iterable, key)
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


def nsmallest(n, iterable, key=None):
    """The smallest items, the smallest first."""
    if n == 1:
        return _first(min, iterable, key)
    return sorted(iterable, key=key)[:max(n, 0)]


def _first(of, iterable, key):
    none = object()
    item = of(iterable, default=none, key=key)
    return [] if item is none else [item]
