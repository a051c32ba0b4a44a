"""What an expression has evaluated before a call: the function may change it, and bind its name to another array."""

import numpy as np
import pytest
from plain import same_for, same_or_refused

CASES = [(np.array([first, 1.0, 2.0]), 4) for first in (0.5, 1.0, -4.0)]


class Held:
    def __init__(self, v):
        self.v = v

    def step(self, x, n):
        for _ in range(n):
            self.v[0] += 1
            if self.v[0] > 3:
                self.v = x * 5
        return 0

    @property
    def stepped(self):
        for _ in range(4):
            self.v[0] += 1
            if self.v[0] > 3:
                self.v = self.v * 5
        return 0

    def __add__(self, other):
        for _ in range(4):
            self.v[0] += 1
            if self.v[0] > 3:
                self.v = self.v * 5
        return other


def operand(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return 0.0

    return y + f()


def operand_of_a_comparison(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return 3.5

    return y < f()


def item_of_a_list(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return 0

    return [y, f()], y


def argument(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return 0

    return np.where(y > 0, y, f()), y


def argument_of_a_call_within(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return 0

    def g():
        f()
        return 1

    return (lambda a, b: a + b)(y, g()), y


def value_of_a_subscript(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return 0

    return y[f()], y


def old_value_of_an_augmented_assignment(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return 10

    y += f()
    return y


def attribute(x, n):
    held = Held(x * 2)
    return held.v + held.step(x, n), held.v


def attribute_beside_a_property(x, n):
    held = Held(x * 2)
    return held.v * 1 + 0 + held.stepped, held.v


def attribute_beside_an_operator(x, n):
    held = Held(x * 2)
    return held.v - (held + 1), held.v


def item(x, n):
    kept = [x * 2]

    def f():
        for _ in range(n):
            kept[0][0] += 1
            if kept[0][0] > 3:
                kept[0] = x * 5
        return 0

    return kept[0] + f(), kept


def alone(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return y

    z = f()
    return z + 1


@pytest.mark.parametrize(
    "f",
    [
        operand, operand_of_a_comparison, item_of_a_list, argument, argument_of_a_call_within,
        old_value_of_an_augmented_assignment, attribute, attribute_beside_a_property, alone,
    ],
)  # fmt: skip
def test_values(f):
    same_for(f, CASES)


@pytest.mark.parametrize("f", [value_of_a_subscript, attribute_beside_an_operator, item])
def test_values_or_refusals(f):
    same_or_refused(f, *CASES[0], others=CASES[1:])
