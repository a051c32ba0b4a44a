"""The Mandelbrot set with a Python `while` for every pixel."""

import numpy as np


def mandelbrot(real, imaginary, limit):
    """Iterations until each point of the plane escapes, at most `limit`.

    Args:
        real: (width,) real parts of the columns.
        imaginary: (height,) imaginary parts of the rows.
        limit: the largest number of iterations.

    Returns:
        (height, width) of int64.
    """
    image = np.zeros((len(imaginary), len(real)), np.int64)
    for row in range(len(imaginary)):
        for column in range(len(real)):
            c = complex(real[column], imaginary[row])
            z = 0j
            n = 0
            while abs(z) <= 2 and n < limit:
                z = z * z + c
                n += 1
            image[row, column] = n
    return image
