"""heapq and bisect: lists keep their items where Python puts them."""

import bisect
import heapq
from heapq import heapify, heappop

import numpy as np
import pytest
from plain import Programs, refused, same_for

import ingot

programs = Programs()
X = np.array([3.0, 1, 2, 5, 4, 0])
SORTED = np.array([1.0, 2, 3, 3, 5])
W = np.random.default_rng(0).integers(0, 5, (6, 6)).astype(float)


@programs(X, X[:1], -X)
def pushed_and_popped(x):
    heap = []
    for v in x:
        heapq.heappush(heap, v)
    seen = list(heap)
    return heappop(heap), seen, heap


@programs(X, SORTED)
def in_other_ways(x):
    heap = [5.0, 3.0, 2.0, 9.0, 4.5]
    heapify(heap)
    first = list(heap)
    least, other = heapq.heapreplace(heap, 1.0), heapq.heappushpop(heap, 2.5)
    return heap, first, least, other, heapq.nsmallest(2, heap), heapq.nlargest(2, heap), x + least


@programs((W, 0), (W, 3), (W * (W > 2), 1))
def shortest_paths(weights, source):
    n = len(weights)
    distance = np.full(n, np.inf)
    distance[source] = 0
    heap = ingot.bound([(0.0, source)], 50)
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v in range(n):
            if weights[u, v] > 0 and d + weights[u, v] < distance[v]:
                distance[v] = d + weights[u, v]
                heapq.heappush(heap, (d + weights[u, v], v))
    return distance


@programs((SORTED, 3), (SORTED, 0.5), (SORTED, 9), (X, 2.0))
def searched(x, v):
    known = [1, 3, 3, 7]
    i, j = bisect.bisect_left(known, v), bisect.bisect(known, v)
    halves = bisect.bisect_left([1, 4, 6], v, key=lambda each: each / 2)
    return (
        i,
        j,
        halves,
        bisect.bisect_left(x, v),
        bisect.bisect_right(x, v),
        bisect.bisect(x, v, 1, 4),
    )


@programs((SORTED,), quick=True)
def inserted(x):
    found = [1.0, 3.0]
    bisect.insort(found, 2.0)
    bisect.insort_left(found, 3.0)
    return found, x * found[1]


@programs((X, -1))
def below_the_start(x, lo):
    return bisect.bisect(x, 2.0, lo)


@pytest.mark.parametrize(("f", "cases"), programs)
def test_against_python(f, cases):
    same_for(f, cases)


def test_popping_from_an_empty_heap():
    with pytest.raises(IndexError):
        ingot.jit(lambda x: heappop([v for v in x if v > 9]))(X)


def test_of_an_array():
    def f(x):
        heapq.heappush(x, 1.0)

    refused(f, X, match="heap argument must be a list, not ndarray")
