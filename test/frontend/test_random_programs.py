"""Random programs of slices, views and in-place operations behave as NumPy does."""

import pytest

import ingot
from level import pick
from oracle import assert_same
from programs import Writer, assert_may_be_refused, for_programs, function_of


def arguments():
    writer = Writer(None)
    return [writer.arrays[name] for name in "abk"]


@pytest.mark.slow
@pytest.mark.floor(0.95)
def test_random_program(tmp_path, sweep):
    def run(source):
        f = function_of(source, tmp_path)
        plain, compiled = arguments(), arguments()
        expected = f(*plain)
        try:
            actual = ingot.jit(f)(*compiled)
        except ingot.CompileError as error:
            assert_may_be_refused(error, source)
            sweep.refused(error)
            return
        try:
            assert_same(compiled, plain)
            assert_same(actual, expected)
        except AssertionError as error:
            raise AssertionError(f"{source}\n{error}") from None
        sweep.agreed()

    for_programs(pick(10, 120, 2000), run)
