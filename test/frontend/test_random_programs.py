"""Random programs of slices, views and in-place operations behave as NumPy does.

INGOT_PROGRAMS says how many: 200 by default, 2,000 in `make nightly`.
"""

import os

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings
from programs import Writer, function_of

import ingot
from oracle import assert_same

PROGRAMS = int(os.environ.get("INGOT_PROGRAMS", "200"))


def arguments():
    writer = Writer(None)
    return [writer.arrays[name] for name in "abk"]


#: What may be refused, and no more: aliases that depend on run-time values, and what NumPy would
#: refuse on a path that it did not take.
REFUSED = ("shares its memory", "which shares memory", "can't cast the result", "broadcast")


@settings(
    max_examples=PROGRAMS, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
@given(st.data())
def test_random_program(tmp_path_factory, data):
    source = Writer(data.draw).program()
    f = function_of(source, tmp_path_factory.getbasetemp())
    plain, compiled = arguments(), arguments()
    expected = f(*plain)
    try:
        actual = ingot.jit(f)(*compiled)
    except ingot.CompileError as error:
        assert any(text in str(error) for text in REFUSED), f"{source}\n{error}"
        return
    try:
        assert_same(compiled, plain)
        assert_same(actual, expected)
    except AssertionError as error:
        raise AssertionError(f"{source}\n{error}") from None
