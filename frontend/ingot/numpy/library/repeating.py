"""The indices by which np.repeat with dynamic counts takes items."""

import numpy as np


def repeated_indices(counts, size):
    """The index of the item for each result, and the number of results.

    Args:
        counts: how often each item is repeated, (n,) nonnegative integers.
        size: a static upper bound of the number of results.

    Returns:
        (size,) int64, of which only the first elements count, and their number.
    """
    ends = np.cumsum(counts)
    # The index of an item is the number of items that end at or before the position.
    marks = np.zeros(size + 1, int)
    np.add.at(marks, np.minimum(ends, size), 1)
    return np.cumsum(marks)[:size], np.sum(counts)
