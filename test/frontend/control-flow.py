# RUN: %frontend

import numpy as np

from frontend import example


# Both arms give one type; the index of the number's own type goes along.
# CHECK-LABEL: // branch
@example(1.0)
def branch(x):
    # CHECK: %[[R:.*]]:2 = ingot.if %{{.*}} : tensor<f64>, tensor<i64> {
    if x > 0:
        y = 1
    # CHECK: %[[A:.*]] = ingot.constant dense<1.0
    # CHECK: %[[INT:.*]] = ingot.constant dense<1>
    # CHECK: ingot.yield %[[A]], %[[INT]]
    else:
        # CHECK: %[[A:.*]] = ingot.neg
        # CHECK: %[[FLOAT:.*]] = ingot.constant dense<0>
        # CHECK: ingot.yield %[[A]], %[[FLOAT]]
        y = -x
    # CHECK: ingot.assert %{{.*}}, "NotImplementedError", "an integer of more than 53 bits
    # CHECK: %[[IS_FLOAT:.*]] = ingot.compare eq %[[R]]#1
    # CHECK: %[[I:.*]] = ingot.convert %[[R]]#0 : (tensor<f64>) -> tensor<i64>
    # CHECK: return %[[IS_FLOAT]], %[[R]]#0, %[[I]]
    return y


# An early return takes the rest into the other arm.
# CHECK-LABEL: // early_return
@example(1.0)
def early_return(x):
    # CHECK: %[[R:.*]] = ingot.if %{{.*}} : tensor<f64> {
    # CHECK: } else {
    # CHECK: ingot.sqrt
    # CHECK: return %[[R]]
    if x < 0:
        return np.float64(0.0)
    return np.sqrt(x) * 1.0


# The integer before the loop becomes the float that it is after an iteration.
# CHECK-LABEL: // promoted
@example(np.zeros(100))
def promoted(a):
    s = 0
    # CHECK: ingot.for %{{.*}} carry (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<f64>, tensor<i64>
    for i in range(100):
        # CHECK: ingot.dynamic_slice %arg0[%{{.*}}] sizes = [1]
        # CHECK-NOT: ingot.assert
        s += a[i]
    return s


# Only what changes is carried.
# CHECK-LABEL: // carried
@example(np.zeros(100), np.zeros(100), 5)
def carried(a, b, n):
    # CHECK: ingot.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} carry (%[[A:.*]] = %arg0) : tensor<100xf64>
    # CHECK: ingot.update_slice %[[A]]
    for t in range(n):
        a[1:] = b[1:] * t


# CHECK-LABEL: // while_loop
@example(1.0)
def while_loop(x):
    # CHECK: ingot.while (%[[N:.*]] = %{{.*}}, %[[X:.*]] = %arg0) : tensor<i64>, tensor<f64> cond {
    # CHECK: %[[C:.*]] = ingot.compare lt %[[X]]
    # CHECK: ingot.condition %[[C]]
    n = 0
    while x < 100.0:
        x = x * 2
        n += 1
    return n


# `break` becomes a carried flag.
# CHECK-LABEL: // leave
@example(np.zeros(100))
def leave(a):
    # CHECK: ingot.while (
    # CHECK: ingot.not
    # CHECK: ingot.condition
    for i in range(100):
        if a[i] > 3:
            break
    return i


# A short loop is unrolled.
# CHECK-LABEL: // unrolled
@example(np.zeros(4))
def unrolled(a):
    # CHECK-NOT: ingot.for
    # CHECK-COUNT-3: ingot.mul
    for i in range(3):
        a = a * i
    return a


# A run-time start with a static length is a slice; loop bounds prove it inside.
# CHECK-LABEL: // window
@example(np.zeros((40, 7)))
def window(a):
    s = np.zeros((3, 7))
    # CHECK: ingot.for
    for i in range(38):
        # CHECK-NOT: ingot.assert
        # CHECK: ingot.dynamic_slice %arg0[%{{.*}}, %{{.*}}] sizes = [3, 7]
        s += a[i : i + 3]
    return s


# An index that is not proven inside is checked.
# CHECK-LABEL: // checked
@example(np.zeros(40), 3)
def checked(a, i):
    # CHECK: ingot.assert %{{.*}}, "IndexError", "index is out of bounds for axis 0 with size 40"
    return a[i]


# CHECK-LABEL: // unchecked
@example(np.zeros(40), 3, checks=False)
def unchecked(a, i):
    # CHECK-NOT: ingot.assert
    return a[i]


# What follows is evaluated for each string, after a branch on which of them it is.
# CHECK-LABEL: // string_on_paths
# CHECK: %[[TEST:.*]] = ingot.compare gt
# CHECK: %[[WHICH:.*]] = ingot.if %[[TEST]] : tensor<i64>
# CHECK: %[[FIRST:.*]] = ingot.compare eq %[[WHICH]]
# CHECK: ingot.if %[[FIRST]]
# CHECK: ingot.sin
# CHECK: else
# CHECK: ingot.cos
@example(np.zeros(3))
def string_on_paths(x):
    name = "sin" if x[0] > 0 else "cos"
    if name == "sin":
        return np.sin(x)
    return np.cos(x)
