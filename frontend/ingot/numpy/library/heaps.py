"""Python's heapq: a list in which no item is less than the item at half its index.

A heap is an ordinary list that programs may look into, so the items move as they do in Python.
"""


def _is_list(heap):
    if not isinstance(heap, list):
        raise TypeError(f"heap argument must be a list, not {type(heap).__name__}")


def _rise(heap, start, at):
    """Move the item at an index up, until its parent is not greater."""
    item = heap[at]
    while at > start:
        parent = (at - 1) >> 1
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item


def _sink(heap, at):
    """Move the lesser children up to the leaves, and the item from the leaf that it reaches."""
    start, end = at, len(heap)
    item = heap[at]
    child = 2 * at + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _rise(heap, start, at)


def heapify(heap, /):
    _is_list(heap)
    for at in range(len(heap) // 2 - 1, -1, -1):
        _sink(heap, at)


def heappush(heap, item, /):
    _is_list(heap)
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap, /):
    _is_list(heap)
    item = heap.pop()
    if len(heap) > 0:
        heap[0], item = item, heap[0]
        _sink(heap, 0)
    return item


def heapreplace(heap, item, /):
    _is_list(heap)
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def heappushpop(heap, item, /):
    _is_list(heap)
    if len(heap) > 0 and heap[0] < item:
        heap[0], item = item, heap[0]
        _sink(heap, 0)
    return item


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]
