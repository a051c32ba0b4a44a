"""`ingot.rewrite`: rules that users write, checked when they are defined."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import ingot
from sources import namespace_of

OPT = Path(__file__).resolve().parents[2] / "build" / "bin" / "ingot-opt"
X = np.array([0.5, -1.0, 2.0])


@pytest.fixture(autouse=True)
def no_rules():
    yield
    for rule in ingot.rewrites():
        rule.remove()


def log_of_exp(x):
    return np.log(np.exp(x)), x


def test_a_rule_is_applied():
    def f(x):
        return np.log(np.exp(x * 2)) + 1

    assert "stablehlo.log" in ingot.jit(f).lower(X).stablehlo()
    rule = ingot.rewrite(log_of_exp)
    assert [each.name for each in ingot.rewrites()] == ["log_of_exp"]
    text = ingot.jit(f).lower(X).stablehlo()
    assert "stablehlo.log" not in text and "exponential" not in text
    # A function that was compiled before is compiled anew, and the rule is a function still.
    compiled = ingot.jit(f)
    np.testing.assert_array_equal(compiled(X), X * 2 + 1)
    rule.remove()
    assert ingot.rewrites() == ()
    np.testing.assert_allclose(compiled(X), X * 2 + 1, rtol=1e-15)
    assert rule(1.0) == (1.0, 1.0)


def test_a_program_keeps_its_rules_where_a_check_fails():
    rule = ingot.rewrite(log_of_exp)

    def f(x, i):
        assert i < 2, "too large"
        return np.log(np.exp(x))[i]

    lowered = ingot.jit(f).lower(X, 1)
    rule.remove()
    for each in (lowered, lowered.precise()):
        assert "exponential" not in each.stablehlo()
    with pytest.raises(AssertionError, match="too large"):
        lowered.compile().call_leaves([X, 3])


def test_it_is_applied_to_every_shape_dtype_and_derivative():
    ingot.rewrite(log_of_exp)

    def f(x):
        return np.sum(np.log(np.exp(x)) ** 2)

    for x in (X, X.astype(np.float32), np.float64(0.5), X[None] * X[:, None]):
        assert "exponential" not in ingot.jit(f).lower(x).stablehlo()
    np.testing.assert_allclose(ingot.vmap(ingot.grad(f))(X[None]), [2 * X])
    # Not to what it is not about.
    assert "exponential" in ingot.jit(lambda z: np.log(np.exp(z))).lower(X + 1j).stablehlo()


def test_several_arguments_and_a_condition():
    @ingot.rewrite(when=lambda a, b, c: c.ndim == 0)
    def distribute(a, b, c):
        return a * c + b * c, (a + b) * c

    def f(a, b, c):
        return a * c + c * b

    scalar = ingot.jit(f).lower(X, X + 1, np.float64(3.0)).ir(after="apply-rewrites")
    assert scalar.count("ingot.mul") == 1
    array = ingot.jit(f).lower(X, X + 1, X + 2).ir(after="apply-rewrites")
    assert array.count("ingot.mul") == 2
    np.testing.assert_allclose(ingot.jit(f)(X, X + 1, 3.0), f(X, X + 1, 3.0))


def test_rules_that_are_not_elementwise():
    @ingot.rewrite
    def sum_of_product(a, b):
        return np.sum(np.sum(a @ b, axis=1), axis=0), np.sum(a, axis=0) @ np.sum(b, axis=1)

    def f(a, b):
        return np.sum(np.sum(a @ b, axis=1), axis=0)

    a, b = np.arange(12.0).reshape(3, 4), np.arange(12.0).reshape(4, 3)
    text = ingot.jit(f).lower(a, b).ir(after="apply-rewrites")
    assert "tensor<3x3xf64>" not in text
    np.testing.assert_allclose(ingot.jit(f)(a, b), f(a, b))


def test_dtypes_in_conditions():
    @ingot.rewrite(when=lambda x: x.dtype == np.float32 and x.ndim >= 1)
    def twice(x):
        return x + x, 2 * x

    wide = X.astype(np.float32)

    def f(x):
        return np.sin(x) + np.sin(x)

    assert "multiply" in ingot.jit(f).lower(wide).stablehlo()
    assert "multiply" not in ingot.jit(f).lower(X).stablehlo()


def refused(f, **options):
    with pytest.raises(ingot.UnsupportedError) as caught:
        ingot.rewrite(f, **options)
    assert caught.value.filename == __file__
    assert caught.value.hint
    assert ingot.rewrites() == ()
    return str(caught.value)


def test_wrong_rules_are_refused():
    def wrong(x):
        return np.sin(x), x

    assert "another value than the first on random input" in refused(wrong)

    def wrong_far_away(x):
        return np.maximum(x, -1000), x * 1.0

    assert "another value than the first on random input" in refused(wrong_far_away)

    def wrong_at_zero(x):
        return np.where(x == 0, 1.0, x), x * 1.0

    assert "another value than the first on random input" in refused(wrong_at_zero)

    def same(x):
        return x + 1, 1 + x

    assert "both expressions of a rule are the same" in refused(same)

    def sized(x):
        return np.sum(x * 0 + 1), np.float64(x.size) + 0 * np.sum(x)

    assert "depend on the extents" in refused(sized)

    def single(x):
        return np.sin(x)

    assert "gives no pair" in refused(single)

    def reduced(x):
        return x * 1.0, np.sum(x)

    assert "differ in shape or dtype" in refused(reduced)

    def reshaped(x):
        return np.reshape(np.sin(x), (-1, 1)), np.reshape(np.sin(x), (-1, 1)) * 1

    assert "can't be part of a rule" in refused(reshaped)

    def factor(x):
        return np.linalg.qr(x)[0], x * np.nan

    refused(factor)

    def fine(x):
        return x + x, 2 * x

    assert "is no condition of a rule" in refused(fine, when=lambda x: x.flags)
    assert "holds for none of the arrays" in refused(fine, when=lambda x: x.ndim == 7)
    assert "holds for none of the arrays" in refused(fine, when=lambda x: x.shape[7] == 1)
    with pytest.raises(ingot.IngotError, match="not a Python function"):
        ingot.rewrite(fine, when=True)


#: Rules that apply to what they make, alone or with others, and what of them does not end.
ENDLESS = {
    "its own result": ["def ra(x): return np.tanh(x), -np.tanh(-x)"],
    "a part of it": ["def ra(x): return np.sin(x), np.sin(x) + 0.0"],
    "a part of a where": [
        "def ra(x): return np.maximum(x, 0), np.where(x > 0, np.maximum(x, 0), x * 0)"
    ],
    "an order of operands": ["def ra(a, b, c): return (a + b) + c, a + (b + c)"],
    "its inverse": [
        "def ra(x, y): return x * y + x, x * (y + 1)",
        "def rb(x, y): return x * (y + 1), x * y + x",
    ],
    "a part of a sum": ["def ra(x): return np.sin(np.cos(x)), 0 * x + np.sin(np.cos(x))"],
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("rules", ENDLESS.values(), ids=ENDLESS)
def test_rules_without_end_are_refused(rules, tmp_path):
    *fine, last = rules
    for rule in fine:
        namespace_of(f"@ingot.rewrite\n{rule}\n", tmp_path)
    with pytest.raises(
        ingot.UnsupportedError, match="what (it makes|they make) without end"
    ) as got:
        namespace_of(f"@ingot.rewrite\n{last}\n", tmp_path)
    names = [rule[4:6] for rule in rules]
    assert all(f"`{name}`" in str(got.value) for name in names)
    # Those before are as they were.
    assert [rule.name for rule in ingot.rewrites()] == names[:-1]


def test_rules_without_end_for_some_shapes():
    """What is known when a program is compiled is an error there, with the names of the rules."""

    @ingot.rewrite(when=lambda x: x.size > 8)
    def forth(x):
        return np.sin(x) * 2, np.cos(x - np.pi / 2) * 2

    @ingot.rewrite(when=lambda x: x.size > 8)
    def back(x):
        return np.cos(x - np.pi / 2), np.sin(x)

    def f(x):
        return np.sin(x) * 2

    np.testing.assert_allclose(ingot.jit(f)(X), f(X))
    with pytest.raises(ingot.CompileError, match="`forth`, `back`|`back`, `forth`") as caught:
        ingot.jit(f)(np.ones(9))
    assert "without end" in str(caught.value)
    assert caught.value.lineno == f.__code__.co_firstlineno + 1
    assert caught.value.hint
    back.remove()
    np.testing.assert_allclose(ingot.jit(f)(np.ones(9)), f(np.ones(9)))


@pytest.mark.parametrize("shape", [(), (7,), (2, 1, 3)])
def test_a_constant_has_the_shape_of_what_it_replaces(shape):
    @ingot.rewrite
    def ratio(x):
        return x / x, np.ones_like(x)

    @ingot.rewrite
    def nothing(x):
        return x * 0.0, np.zeros_like(x)

    x = np.ones(shape, np.float32)
    for f in (lambda x: x / x, lambda x: x * 0.0, lambda x: (x / x * 2.0) @ np.ones(x.shape[-1:])):
        if f.__code__.co_names and not shape:
            continue
        assert "divide" not in ingot.jit(f).lower(x).stablehlo()
        np.testing.assert_array_equal(ingot.jit(f)(x), f(x), strict=True)


def test_a_rule_holds_for_all_shapes_that_it_applies_to():
    """Where arrays of one item are repeated, sums of them are others."""

    def total(x, y):
        return np.sum(x + y, axis=0), np.sum(x, axis=0) + np.sum(y, axis=0)

    assert "for the shapes (" in refused(total)
    ingot.rewrite(total, when=lambda x, y: x.ndim == y.ndim and x.shape[0] == y.shape[0])

    def f(x, y):
        return np.sum(x + y, axis=0)

    for y in (X, X[:1]):
        np.testing.assert_allclose(ingot.jit(f)(X, y), f(X, y))
    assert ingot.jit(f).lower(X, X).ir(after="apply-rewrites").count("ingot.reduce") == 2
    assert ingot.jit(f).lower(X, X[:1]).ir(after="apply-rewrites").count("ingot.reduce") == 1

    # A constant that the program repeats is not the number of the rule.
    @ingot.rewrite
    def scaled(x):
        return np.sum(x * 2.0, axis=0), 2.0 * np.sum(x, axis=0)

    def g(x):
        return np.sum(x * np.full(7, 2.0), axis=0)

    for n in (1, 7):
        np.testing.assert_array_equal(ingot.jit(g)(np.ones(n)), g(np.ones(n)))


def test_a_rule_does_not_meet_a_function_of_its_name():
    ingot.rewrite(log_of_exp)

    @ingot.jit
    def log_of_exp_(x):
        return np.log(np.exp(x))

    log_of_exp_.__ingot_function__.__name__ = "log_of_exp"
    np.testing.assert_array_equal(log_of_exp_(X), X)


def test_numbers_of_a_rule_are_rounded_as_those_of_the_program():
    @ingot.rewrite
    def tenth(x):
        return x * 0.1, x / 10.0

    x = X.astype(np.float32)
    assert "divide" in ingot.jit(lambda x: x * np.float32(0.1)).lower(x).stablehlo()


def test_rules_in_a_file(tmp_path):
    ingot.rewrite(log_of_exp)
    (tmp_path / "rules.mlir").write_text("\n".join(rule.ir for rule in ingot.rewrites()))
    program = """func.func @f(%x: tensor<7xf32>) -> tensor<7xf32> {
      %0 = ingot.exp %x : tensor<7xf32>
      %1 = ingot.log %0 : tensor<7xf32>
      return %1 : tensor<7xf32>
    }"""
    (tmp_path / "f.mlir").write_text(program)
    done = subprocess.run(
        [OPT, f"--apply-rewrites=rules={tmp_path / 'rules.mlir'}", tmp_path / "f.mlir"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "return %arg0" in done.stdout
