"""Which items an array of counts repeats."""

import numpy as np


def repeated_indices(counts, size):
    """For each of up to `size` results the number of the item, and how many results there are.

    Args:
        counts: how often each item is there, none negative.
    """
    ends = np.cumsum(counts)
    # Each end that lies at or before a place has one more item behind it.
    marks = np.zeros(size + 1, int)
    np.add.at(marks, np.minimum(ends, size), 1)
    return np.cumsum(marks)[:size], np.sum(counts)
