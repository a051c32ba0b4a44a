# RUN: %frontend

import numpy as np

from frontend import example


# CHECK-LABEL: // arithmetic
@example(np.zeros((3, 1)), np.zeros(4, np.float32))
def arithmetic(x, y):
    # CHECK: func.func @arithmetic(%[[X:.*]]: tensor<3x1xf64>, %[[Y:.*]]: tensor<4xf32>)
    # CHECK: %[[W:.*]] = ingot.convert %[[Y]] : (tensor<4xf32>) -> tensor<4xf64>
    # CHECK: ingot.add %[[X]], %[[W]] : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
    return x + y


# A Python number takes the array's dtype.
# CHECK-LABEL: // weak
@example(np.zeros(4, np.float32))
def weak(x):
    # CHECK: ingot.constant dense<2.500000e+00> : tensor<f32>
    # CHECK: ingot.mul {{.*}} -> tensor<4xf32>
    return x * 2.5


# Scalars are traced: no constant 3 in the program.
# CHECK-LABEL: // traced
@example(np.zeros(4), 3)
def traced(x, n):
    # CHECK: func.func @traced(%{{.*}}: tensor<4xf64>, %[[N:.*]]: tensor<i64>)
    # CHECK-NOT: dense<3>
    # CHECK: ingot.convert %[[N]] : (tensor<i64>) -> tensor<f64>
    return x * n


def square(v):
    return v * v


# Helpers, lambdas, closures and defaults are inlined.
# CHECK-LABEL: // calls
@example(np.zeros(4))
def calls(x, scale=3.0):
    def scaled(v, by=2.0):
        return v * by * scale

    # CHECK: ingot.mul %arg0, %arg0
    # CHECK: ingot.constant dense<2.0
    # CHECK: ingot.constant dense<3.0
    # CHECK: ingot.sub
    # CHECK-NOT: call
    return (lambda a, b: a - b)(square(x), scaled(x))


# Trees of results.
# CHECK-LABEL: // trees
@example({"a": np.zeros(2), "b": (np.zeros(3), 1.0)})
def trees(t):
    # CHECK: return %{{.*}}, %{{.*}} : tensor<3xf64>, tensor<2xf64>
    return [t["b"][0] + t["b"][1], {"k": t["a"] * 2.0, "static": 5}]


# Positions that np.arange and np.argsort count are in range.
# CHECK-LABEL: // positions
@example(np.zeros((3, 4)))
def positions(x):
    # CHECK-NOT: ingot.assert
    # CHECK: %[[ROWS:.*]] = ingot.iota axis = 0 : tensor<3xi64>
    # CHECK-NOT: ingot.assert
    # CHECK: ingot.gather %{{.*}}[%[[ROWS]], %{{.*}}]
    # CHECK-NOT: ingot.assert
    # CHECK: return
    order = np.argsort(x, axis=1)
    return x[np.arange(3), np.array([1, 2, 0])], np.take_along_axis(x, order, 1)


# CHECK-LABEL: // after_a_pass
@example(np.zeros(4), after="share-equal")
def after_a_pass(x):
    # CHECK-COUNT-1: ingot.sin
    # CHECK-NOT: ingot.sin
    return np.sin(x) * np.sin(x)
