"""Merge sort: slices, appends, `len`."""


def msort(l):
    if len(l) <= 1:
        return l
    m = len(l) // 2
    a = msort(l[:m])
    b = msort(l[m:])
    r = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            r.append(a[i])
            i += 1
        else:
            r.append(b[j])
            j += 1
    return r + a[i:] + b[j:]


def work():
    return msort([(i * 7919) % 10007 for i in range(4000)])[5]
