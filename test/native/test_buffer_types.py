"""The types of buffers are computed in a time that does not double with each loop of a chain."""

import time

import numpy as np
from plain import same, written

LOOP = """
        while a[0] < {0}:
            if a[1] > {0} + 4:
                break
            a, b = b, a
            a += 1
            b[1] = a[0]
"""


def test_a_chain_of_loops_that_exchange_arrays():
    """Without `BufferTypes.cpp`, a chain of 8 takes more than a minute."""
    text = "def f(a, b, n):\n    for i in range(n):\n        a[1] = b[0]\n"
    text += "".join(LOOP.format(i + 1) for i in range(10)) + "    return a\n"
    f = written(text)
    start = time.process_time()
    same(f, np.zeros(3), np.ones(3), 3)
    assert time.process_time() - start < 20
