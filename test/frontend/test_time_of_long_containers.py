"""Branches that leave long containers take time in proportion to their lengths."""

import time

import ingot


def seconds(n):
    def f(x):
        items = [x * i for i in range(n)]
        if x > 0:
            items[0] = 1.0
        return items[0], items[-1]

    start = time.process_time()
    compiled = ingot.jit(f)
    assert compiled(2.0) == f(2.0)
    return time.process_time() - start


def test_time_of_a_branch_with_a_long_list():
    seconds(10)
    short, long = (min(seconds(n) for _ in range(2)) for n in (400, 3200))
    # A time that grows by the square would be 64 times as long.
    assert long < 16 * short, (short, long)
