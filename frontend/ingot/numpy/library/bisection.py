"""Python's bisect: where an item belongs in a sorted sequence."""


def _first(belongs_right, a, lo, hi, key):
    """The first index whose item belongs right of what is sought, as all later ones do."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        mid = (lo + hi) // 2
        if belongs_right(a[mid] if key is None else key(a[mid])):
            hi = mid
        else:
            lo = mid + 1
    return lo


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    return _first(lambda item: not item < x, a, lo, hi, key)


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    return _first(lambda item: x < item, a, lo, hi, key)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)
