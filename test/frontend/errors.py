# RUN: %frontend

import numpy as np

from frontend import example


# CHECK-LABEL: // statement
# CHECK: UnsupportedError: {{.*}}errors.py:[[# @LINE + 9]]:9: a finally that leaves is not supported
# CHECK-NEXT: return x
# CHECK-NEXT: {{ +}}^^^^
# CHECK: hint: leave after it
@example(np.zeros(3))
def statement(x):
    try:
        x += 1
    finally:
        return x  # noqa: B012


# CHECK-LABEL: // shapes
# CHECK: ShapeError: {{.*}}errors.py:[[# @LINE + 5]]:12: operands could not be broadcast together with shapes (3,) (4,)
# CHECK-NEXT: return x + y
# CHECK-NEXT: {{ +}}^^^^^
@example(np.zeros(3), np.zeros(4))
def shapes(x, y):
    return x + y


# CHECK-LABEL: // unknown_function
# CHECK: UnsupportedError: {{.*}}: np.einsum_path is not supported
# CHECK-NEXT: return np.einsum_path(x)
@example(np.zeros(3))
def unknown_function(x):
    return np.einsum_path(x)


# CHECK-LABEL: // dtype
# CHECK: DTypeError: {{.*}}'bitwise_and'
@example(np.zeros(3))
def dtype(x):
    return x & 1


# CHECK-LABEL: // mask
# CHECK: an array selected by a mask has a length known only at run time
# CHECK: hint: reduce it, store it through the same mask, or use np.where
@example(np.zeros(3))
def mask(x):
    return np.fft.fft(x[x > 0])


# CHECK-LABEL: // two_types
# CHECK: `y` holds an array of shape (3,) and dtype float64 on one path and a range on another
# CHECK: hint: assign it before the branch or loop, with the same type on every path
@example(np.zeros(3))
def two_types(a):
    if a[0] > 0:
        y = a
    else:
        y = range(int(a[1]))
    return len(y)


# CHECK-LABEL: // late_read
# CHECK: UnsupportedError: {{.*}}errors.py:[[# @LINE + 5]]:5: NumPy stores these elements one by one, and reads some after it has stored to them
# CHECK-NEXT: x.flat = x[::-1]
# CHECK: hint: store a copy of the value: write .copy() after it
@example(np.ones((2, 2)))
def late_read(x):
    x.flat = x[::-1]
