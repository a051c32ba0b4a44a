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


#: A function whose inner one changes y, and may bind it to another array, where an expression has
#: evaluated it.
PROGRAM = """
def program(x, n):
    y = x * 2

    def f():
        nonlocal y
        for _ in range(n):
            y[0] += 1
            if y[0] > 3:
                y = x * 5
        return RESULT

    def g():
        f()
        return 1

    EXPRESSION
"""
#: The statements, and what the inner function returns.
STATEMENTS = {
    "operand": ("return y + f()", "0.0"),
    "operand of a comparison": ("return y < f()", "3.5"),
    "item of a list": ("return [y, f()], y", "0"),
    "argument": ("return np.where(y > 0, y, f()), y", "0"),
    "argument of a call within": ("return (lambda a, b: a + b)(y, g()), y", "0"),
    "value of a subscript": ("return y[f()], y", "0"),
    "old value of an augmented assignment": ("y += f(); return y", "10"),
    "alone": ("z = f(); return z + 1", "y"),
}


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


def written(name, folder):
    statement, result = STATEMENTS[name]
    path = folder / "program.py"
    path.write_text(PROGRAM.replace("EXPRESSION", statement).replace("RESULT", result))
    names = {"np": np}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["program"]


@pytest.mark.parametrize("name", [each for each in STATEMENTS if each != "value of a subscript"])
def test_values_of_variables(name, tmp_path):
    same_for(written(name, tmp_path), CASES)


def test_a_subscript_is_right_or_refused(tmp_path):
    same_or_refused(written("value of a subscript", tmp_path), *CASES[0], others=CASES[1:])


@pytest.mark.parametrize("f", [attribute, attribute_beside_a_property])
def test_values(f):
    same_for(f, CASES)


@pytest.mark.parametrize("f", [attribute_beside_an_operator, item])
def test_values_or_refusals(f):
    same_or_refused(f, *CASES[0], others=CASES[1:])
