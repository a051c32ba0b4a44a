"""The integer functions of the math module, on 64-bit integers."""

import math

from ingot.numpy import primitives as prim

#: The root of the largest int64.
LARGEST_ROOT = 3037000499


def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return abs(a)


def lcm(a, b):
    if a == 0 or b == 0:
        return 0
    return abs(a // gcd(a, b) * b)


def isqrt(n):
    prim.require(n >= 0, "ValueError", "isqrt() argument must be nonnegative")
    # The square root as a float is off by at most one.
    root = min(int(math.sqrt(max(n, 0))), LARGEST_ROOT)
    if root * root > n:
        return root - 1
    if root < LARGEST_ROOT and (root + 1) * (root + 1) <= n:
        return root + 1
    return root
