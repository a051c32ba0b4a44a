"""Random rules, many of them with inverses, on random expressions: an error, or what NumPy computes."""

import random
import re

import numpy as np
import pytest

import ingot
from level import pick
from sources import namespace_of

#: Both ways round, so that rules often undo each other or apply to what they make. Names of one
#: letter stand for any expression.
IDENTITIES = [
    ("(a + b)", "(b + a)"), ("(a * b)", "(b * a)"), ("(a - b)", "(a + -b)"), ("a", "(-(-a))"),
    ("((a + b) + c)", "(a + (b + c))"), ("((a * b) + (a * c))", "(a * (b + c))"),
    ("((a * b) + a)", "(a * (b + 1))"), ("(a * a)", "(a ** 2)"), ("a", "(a + 0.0)"),
    ("a", "(1.0 * a)"), ("np.exp(a + b)", "(np.exp(a) * np.exp(b))"), ("np.log(np.exp(a))", "a"),
    ("np.tanh(a)", "(-np.tanh(-a))"), ("(a / a)", "np.ones_like(a)"), ("(a - a)", "np.zeros_like(a)"),
    ("np.maximum(a, b)", "np.where(a > b, a, b)"), ("np.maximum(a, a)", "a"), ("np.abs(-a)", "np.abs(a)"),
    ("np.sqrt(a * a)", "np.abs(a)"), ("np.sum(a + b, axis=0)", "(np.sum(a, axis=0) + np.sum(b, axis=0))"),
    ("np.sum(2 * a)", "(2 * np.sum(a))"), ("np.sum(a, axis=-1)", "np.sum(a.T, axis=0)"), ("a.T.T", "a"),
]  # fmt: skip
CONDITIONS = ["", "when=lambda x, y: x.shape == y.shape", "when=lambda x, y: x.ndim == 1"]
WRAPPERS = [
    "{}",
    "np.sin({})",
    "({} + 0.5)",
    "({} * y)",
    "np.exp(-np.abs({}))",
    "np.sum({}, axis=0)",
]
SHAPES = [(), (3,), (1,), (2, 3), (1, 3)]


def replaced(text, values):
    """The text with an expression for each name of one letter."""
    return re.sub(r"(?<![\w.])[abc](?!\w)", lambda found: values[found.group()], text)


class Rules:
    """Random rules and expressions that they apply to."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def expression(self, depth):
        if depth == 0:
            return self.random.choice(["x", "y", "(x * 2.0)"])
        text = self.random.choice(self.random.choice(IDENTITIES))
        values = {name: self.expression(depth - 1) for name in "abc"}
        return replaced(text, values)

    def rule(self, name):
        left, right = self.random.choice(IDENTITIES)
        if self.random.random() < 0.5:
            left, right = right, left
        values = {"a": "x", "b": self.random.choice(["y", "y", "np.cos(x)"]), "c": "x"}
        left, right = replaced(left, values), replaced(right, values)
        wrapper = self.random.choice(["{}", "{}", "np.sin({})", "({} + y)"])
        names = "x, y" if "y" in left + right + wrapper else "x"
        condition = self.random.choice(CONDITIONS) if names == "x, y" else ""
        return (
            f"@ingot.rewrite({condition})\ndef {name}({names}):\n"
            f"    return {wrapper.format(left)}, {wrapper.format(right)}\n"
        ), left

    def program(self):
        rules, lefts = zip(*(self.rule(f"r{i}") for i in range(self.random.randint(1, 3))))
        lines = ["def f(x, y):\n"]
        for i in range(3):
            text = self.random.choice([self.random.choice(lefts), self.expression(2)])
            lines.append(f"    v{i} = {self.random.choice(WRAPPERS).format(text)}\n")
        return rules, "".join([*lines, "    return v0, v1, v2\n"])


@pytest.fixture(autouse=True)
def no_rules():
    yield
    for rule in ingot.rewrites():
        rule.remove()


@pytest.mark.floor(0.5)
@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", range(pick(20, 60, 2000)))
def test_random_rules(tmp_path, seed, sweep):
    """It ends within seconds; what is computed is close, as the rules hold for real numbers."""
    made = Rules(seed)
    rules, source = made.program()
    for rule in rules:
        try:
            namespace_of(rule, tmp_path)
        except ingot.UnsupportedError as error:
            assert "rule r" in str(error)
            sweep.refused(error, "rules")
        else:
            sweep.agreed("rules")
    f = namespace_of(source, tmp_path)["f"]
    numbers = np.random.default_rng(seed)
    args = [numbers.uniform(0.5, 2, made.random.choice(SHAPES)) for _ in "xy"]
    try:
        with np.errstate(all="ignore"):
            expected = f(*args)
    except ValueError:
        return sweep.skipped()
    if not all(np.isfinite(each).all() for each in expected):
        return sweep.skipped()
    try:
        found = ingot.jit(f)(*args)
    except ingot.CompileError as error:
        if "rewrite rule" in str(error):
            return sweep.refused(error)
        # Not for a rule then.
        for rule in ingot.rewrites():
            rule.remove()
        with pytest.raises(type(error)):
            ingot.jit(f)(*args)
        return sweep.skipped()
    for one, other in zip(found, expected, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype), source
        np.testing.assert_allclose(
            one, other, rtol=1e-6, atol=1e-6, err_msg="".join([*rules, source])
        )
    sweep.agreed()
