"""What the tests rely on: floors, levels, and what counts as an internal."""

import pytest

import ingot
from internals import internals_in
from sweeps import FEWEST, Sweep, summed

pytestmark = pytest.mark.once


def total_of(floor, *outcomes):
    sweep = Sweep(floor)
    for outcome in outcomes:
        error = [ingot.UnsupportedError("")] if outcome == "refused" else []
        getattr(sweep, outcome)(*error)
    (total,) = summed([("test", floor, sweep.counts)])
    return total


def test_a_sweep_that_refuses_everything_is_below_its_floor():
    assert total_of(0.1, *["refused"] * FEWEST).is_too_low
    assert total_of(0.1, *["skipped"] * FEWEST).is_too_low
    assert not total_of(0.5, *["agreed", "refused"] * FEWEST).is_too_low
    assert total_of(0.6, *["agreed", "refused"] * FEWEST).is_too_low
    assert not total_of(1.0, *["agreed", "skipped"] * FEWEST).is_too_low


def test_nothing_is_asked_of_a_few_cases():
    assert not total_of(1.0, *["refused"] * (FEWEST - 1)).is_too_low


def test_an_error_that_is_no_refusal_fails_a_sweep():
    with pytest.raises(ingot.ShapeError):
        Sweep(0.5).refused(ingot.ShapeError("shapes differ"))


def test_tests_of_one_name_are_summed_by_part():
    totals = summed([("a", 0.5, {"": {"agreed": 1}, "second": {"refused": 2}}),
                     ("a", 0.5, {"": {"agreed": 2}})])  # fmt: skip
    assert [(total.name, total.counts.total()) for total in totals] == [("a", 3), ("a second", 2)]
    assert str(totals[0]) == "a: 3 tried, 3 agreed, 0 refused, 0 skipped"


@pytest.mark.parametrize(
    "text",
    [
        "Scalar(value=<ingot._core.Value object at 0x7f>, dtype=dtype('float64'))",
        "a LocalFunction can't be returned",
        "`Mod` of str and Scalar",
        "comparison of Array and str",
        "TypeError: 'Array' object is not subscriptable",
        "super(): __class__ cell not found",
        "np.divmod: divmod_() got an unexpected keyword argument 'out'",
        "np.sum: reduction.<locals>.call() got an unexpected keyword argument 'nope'",
        "types.<locals>.<lambda>() takes 1 positional argument but 2 were given",
        "f() missing 1 required positional argument: 'ev'",
        "'ingot.call_stablehlo' op requires attribute 'text'",
        "INVALID_ARGUMENT: Unknown NumPy dtype dtype('O') char O kind O itemsize 8",
        "std::bad_cast",
        "KeyError: 'k'",
        "Text(format='{}', values=())",
    ],
)
def test_internals(text):
    assert internals_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "m.py:3:5: f.<locals>.<lambda>() missing 1 required positional argument: 'y'",
        "a jax.Array, which can't change",
        "f() takes 1 positional argument but 2 were given",
        "operands could not be broadcast together with shapes (3,) (5,)",
        "np.sum() got an unexpected keyword argument 'nope'",
    ],
)
def test_no_internals(text):
    assert not internals_in(text)
