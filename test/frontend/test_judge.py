"""The judge of random programs: what it calls rounding, and what not."""

import inspect

import numpy as np
import pytest
from generator.judge import Comparison, judge_case
from generator.running import LINES, Excess, load, watched


def grows_in_a_generator_that_ends_early():
    found = any(q > 1 for q in [1e300, 2.0])
    n = 0
    while n < 10 * LINES:
        n += 1
    return found


def test_programs_are_watched_to_their_end():
    """What is raised where a generator is closed is lost, and the watching with it."""
    text = inspect.getsource(grows_in_a_generator_that_ends_early)
    f = load(f"LINES = {LINES}\n{text}")[grows_in_a_generator_that_ends_early.__name__]
    with pytest.raises(Excess):
        watched(f)


def amplified(x):
    for _ in range(3):
        x = np.sin(x) * np.float32(8)
    return x


def judged(plain, compiled, *args):
    return judge_case(
        plain, compiled, lambda: tuple(np.array(a, np.float32) for a in args), Comparison(rtol=1e-6)
    )


def test_what_rounding_amplifies_agrees():
    def compiled(x):
        return amplified(x.astype(float)).astype(np.float32)

    found = judged(amplified, compiled, [1.0])
    assert compiled(np.float32([1.0])) != amplified(np.float32([1.0]))
    assert found.verdict == "agreed", found.detail


@pytest.mark.parametrize("factor", [1.001, 0.9, -1])
def test_what_rounding_does_not_explain_is_wrong(factor):
    assert judged(amplified, lambda x: amplified(x) * np.float32(factor), [1.0]).verdict == "wrong"
    assert judged(np.exp, lambda x: np.exp(x) * np.float32(factor), [1.0, 2.0]).verdict == "wrong"


def test_other_dtypes_and_objects_are_wrong_where_values_are_rounded():
    def twice(x):
        y = amplified(x)
        return [y, y]

    def compiled(x):
        y = amplified(x.astype(float)).astype(np.float32)
        return [y, y.copy()]

    assert judged(twice, compiled, [1.0]).verdict == "wrong"
