"""scipy.ndimage: neighbourhoods of elements."""

import numpy as np


def generate_binary_structure(rank, connectivity):
    if rank < 1:
        return np.array(True)
    steps = np.zeros((3,) * rank, int)
    for axis in range(rank):
        shape = [1] * rank
        shape[axis] = 3
        steps = steps + np.array([1, 0, 1]).reshape(shape)
    return steps <= max(connectivity, 1)
