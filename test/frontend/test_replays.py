"""Calls whose operations are cloned from an earlier call of the same function."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import ingot
from ingot.syntax.evaluator import Evaluator
from ingot.syntax.replays import Replays

X, Y = np.arange(1, 7) / 4, np.arange(-3, 3) / 2


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions whose bodies are evaluated, in order."""
    names: list[str] = []
    run = Evaluator.run_frame

    def noted(self: Evaluator, frame: Any, bound: dict[str, Any]) -> Any:
        names.append(frame.node.name)
        return run(self, frame, bound)

    monkeypatch.setattr(Evaluator, "run_frame", noted)
    return names


def check(f: Any, *args: Any) -> None:
    """Results and changed arguments are those of NumPy."""
    mine, its = ([np.array(each) for each in args] for _ in range(2))
    np.testing.assert_equal(ingot.jit(f)(*mine), f(*its))
    np.testing.assert_equal(mine, its)


def scaled(x, factor=2.0):
    return np.sqrt(np.abs(x)) * factor


def total(x):
    return np.max(x * x)


def both(x, y):
    return x - y, (x + y, 3)


def of_parts(parts):
    return parts["w"] * parts["x"] + parts["b"][0]


def stacked(parts):
    return np.stack([scaled(each) for each in parts])


def test_calls_of_one_pattern_are_evaluated_once(evaluated: list[str]) -> None:
    def f(x, y):
        return scaled(x) + scaled(y) + scaled(scaled(x))

    check(f, X, Y)
    assert evaluated.count("scaled") == 1


def test_numbers_tuples_and_containers(evaluated: list[str]) -> None:
    def f(x, y):
        a, (b, three) = both(x, y)
        c, (d, _) = both(b, a)
        w = np.outer(x, y)
        first = of_parts({"w": w, "x": x, "b": [y]})
        second = of_parts({"w": w + w, "x": y, "b": [x]})
        return a, b, c, d, three, total(x) + total(y), first, second, stacked([x, y, x])

    check(f, X, Y)
    assert [evaluated.count(name) for name in ("both", "total", "of_parts")] == [1, 1, 1]


def test_other_types_and_static_values_are_evaluated(evaluated: list[str]) -> None:
    def f(x, n):
        return (
            scaled(x, 3.0),
            scaled(x, -0.0),
            scaled(x, 0.0),
            scaled(x, 1),
            scaled(x, True),
            scaled(n),
        )

    check(f, X, np.arange(6))
    assert evaluated.count("scaled") == 6


def test_the_ir_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x, y):
        return scaled(x) * total(y) + scaled(y) * total(x)

    replayed = ingot.jit(f).lower(X, Y).ir(locations=True)
    monkeypatch.setattr(Replays, "call", lambda self, ev, frame, bound: ev.run_frame(frame, bound))
    assert ingot.jit(f).lower(X, Y).ir(locations=True) == replayed


STATE, HELD = [1.0], np.ones(6)


class Counter:
    def __init__(self) -> None:
        self.count = 0.0


COUNTER = Counter()


def with_state(x):
    return x * STATE[0]


def with_held(x):
    return x * HELD


def counted(x):
    return x * COUNTER.count


def test_what_is_read_from_outside_may_have_changed() -> None:
    def f(x):
        a = with_state(x), with_held(x), counted(x)
        STATE[0] = 5.0
        HELD[0] = 7.0
        COUNTER.count = COUNTER.count + 1.0
        return a, (with_state(x), with_held(x), counted(x))

    def reset() -> None:
        STATE[0], HELD[0], COUNTER.count = 1.0, 1.0, 0.0

    reset()
    expected = f(X)
    reset()
    np.testing.assert_equal(ingot.jit(f)(X), expected)
    reset()


def doubled_in_place(x):
    x[1] = x[0] * 2
    return x + 1


def itself(x):
    return x


def difference(x, y):
    x = x + 0
    x[0] = 3.0
    return x - y


def test_calls_that_change_arguments() -> None:
    def f(x, y):
        a = doubled_in_place(x)
        x[0] = y[0]
        return a, doubled_in_place(x), doubled_in_place(y), doubled_in_place(x)

    check(f, X, Y)


def test_results_that_are_arguments() -> None:
    def f(x, y):
        a, b = itself(x), itself(y)
        b[0] = 4.0
        return a, itself(b)

    check(f, X, Y)


def test_results_are_arrays_of_their_own() -> None:
    def f(x):
        a, b = scaled(x), scaled(x)
        a[0] = 4.0
        return a, b, scaled(x)

    check(f, X)


def test_arguments_that_are_one_object() -> None:
    def f(x, y):
        return difference(x, y), difference(x, x), difference(y, y), difference(y, x)

    check(f, X, Y)


def added(x, y):
    x[0] = 10.0
    return x + y


def test_changes_seen_through_the_other_argument() -> None:
    def f(x, y):
        z = np.zeros(6)
        return added(z, x), added(z, z), added(y, y), added(x, z)

    check(f, X, Y)


def checked(x, i):
    return x[i] * 2


def test_each_call_checks() -> None:
    @ingot.jit
    def f(x, i, j):
        return checked(x, i) + checked(x, j)

    assert f(X, np.array(1), np.array(2)) == X[1] * 2 + X[2] * 2
    with pytest.raises(IndexError):
        f(X, np.array(1), np.array(9))


def start_of(x, n):
    return np.sum(x[:n])


def test_numbers_that_are_arguments_and_others() -> None:
    def f(x, n, m):
        k = int(np.max(m))
        return start_of(x, k), start_of(x, n), start_of(x, k - 1)

    m = np.array([2, 4])
    np.testing.assert_equal(ingot.jit(f)(X, 3, m), f(X, 3, m))


def printed(x):
    print("value", x[0])
    return x + 1


def test_each_call_prints(capfd: pytest.CaptureFixture[str]) -> None:
    np.testing.assert_equal(ingot.jit(lambda x: printed(printed(x)))(X), X + 2)
    assert capfd.readouterr().out.count("value") == 2


def raising(x):
    STATE[0] = STATE[0] + 1.0
    raise ValueError("always")


def caught(x, n):
    return raising(x) if n else x * STATE[0]


def test_an_abandoned_call_inside_of_a_recorded_one() -> None:
    def f(x, n):
        y = caught(x, n)
        STATE[0] = 2.0
        return y, caught(x, n)

    STATE[0] = 1.0
    np.testing.assert_equal(ingot.jit(f)(X, 0), (X, X * 2.0))
    STATE[0] = 1.0


def transposed_sum(x):
    return (x + 1).ravel(order="K")


def test_memory_order() -> None:
    def f(x):
        y = np.asfortranarray(x)
        return transposed_sum(x), transposed_sum(y), transposed_sum(x.T), transposed_sum(x)

    check(f, X.reshape(2, 3))


def taken(x, rows):
    return x[rows]


def test_integers_with_known_bounds() -> None:
    def f(x, n):
        return taken(x, np.arange(3)), taken(x, np.array([5, 4, 3])), taken(x, n[:3])

    check(f, X, np.arange(6))


def test_in_regions(evaluated: list[str]) -> None:
    def f(x, y):
        for i in range(len(y)):
            if y[i] > 0:
                x = scaled(x) + scaled(y)
            else:
                x = scaled(y) - scaled(x)
        return scaled(x)

    check(f, X, Y)


def test_in_derivatives_and_batches() -> None:
    def f(x):
        return np.sum(scaled(scaled(x)) * total(scaled(x)))

    def plain(x):
        t = lambda x: np.sqrt(np.abs(x)) * 2.0  # noqa: E731
        return np.sum(t(t(x)) * np.max(t(x) * t(x)))

    np.testing.assert_allclose(ingot.grad(f)(X), ingot.grad(plain)(X), rtol=1e-12)
    rows = np.stack([X, Y + 3])
    expected = np.stack([ingot.grad(plain)(row) for row in rows])
    np.testing.assert_allclose(ingot.vmap(ingot.grad(f))(rows), expected, rtol=1e-12)


def test_functions_as_arguments(evaluated: list[str]) -> None:
    def f(x):
        return applied(scaled, x) + applied(np.abs, x) + applied(scaled, applied(np.abs, x))

    check(f, X)
    assert evaluated.count("applied") == 2


def applied(function, x):
    return function(x)


def test_partials_and_keywords(evaluated: list[str]) -> None:
    def f(x):
        return half(x) + half(scaled(factor=0.5, x=x)) + scaled(x, factor=0.5)

    check(f, X)
    assert evaluated.count("scaled") == 1


half = functools.partial(scaled, factor=0.5)


def halved(x):
    return x / 2


def summed_over(x, parts):
    if x > 3:
        x = halved(x)
    if not parts:
        return x
    return summed_over(x + parts[0], parts[1:])


@pytest.mark.quick
def test_a_recursion_that_calls_others_on_paths_is_not_evaluated_again(
    evaluated: list[str],
) -> None:
    def f(x):
        return summed_over(x, (1.0, 2.0))

    assert ingot.jit(f)(20.0) == 3.75
    assert evaluated == ["f", *["summed_over", "halved"] * 3]
