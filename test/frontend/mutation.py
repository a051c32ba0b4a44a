# RUN: %frontend

import numpy as np

from frontend import example


# The argument's new contents are a result more.
# CHECK-LABEL: // argument
@example(np.zeros(4))
def argument(a):
    # CHECK: func.func @argument(%{{.*}}: tensor<4xf64>) -> tensor<4xf64>
    # CHECK: %[[NEW:.*]] = ingot.update_slice %arg0
    # CHECK: return %[[NEW]]
    a[1] = 5.0


# A store through a view reaches the array behind it.
# CHECK-LABEL: // view
@example(np.zeros((4, 5)))
def view(a):
    row = a.T[2]
    # CHECK: ingot.transpose %arg0 axes = [1, 0]
    # CHECK: ingot.update_slice
    # CHECK: %[[BACK:.*]] = ingot.transpose %{{.*}} axes = [1, 0]
    # CHECK: return %[[BACK]]
    row[1] = 7.0


# Slices of slices are one slice.
# CHECK-LABEL: // composed
@example(np.zeros((8, 9)))
def composed(a):
    # CHECK: ingot.slice %arg0 starts = [3, 4] sizes = [2, 1] strides = [2, 1]
    # CHECK-NOT: ingot.slice
    return a[1:7][2::2][:, 4] * 1.0


# CHECK-LABEL: // in_place
@example(np.zeros(4))
def in_place(a):
    b = a
    # CHECK: %[[SUM:.*]] = ingot.add %arg0
    b += 1.0
    # CHECK: return %[[SUM]]


# CHECK-LABEL: // masked
@example(np.zeros(4))
def masked(a):
    # CHECK: ingot.select %{{.*}}, %{{.*}}, %arg0
    a[a < 0] = 0.0
