"""The builder of the bindings, which the frontend emits operations with."""

import numpy as np
import pytest

from ingot._core import Diagnostic, FunctionBuilder, parse
from ingot.dtypes import CODES
from ingot.syntax.ops import Ops

FLOAT = np.dtype(float)


def test_a_value_of_code_that_was_given_up_is_found():
    ops = Ops("f")
    mark = ops.builder.mark()
    (argument,) = ops.builder.begin_region([([2], 0)])
    ops.builder.begin_region([])
    inside = ops.elementwise("neg", [argument], [FLOAT])
    ops.builder.rollback(mark)
    for value in (argument, inside):
        result = ops.elementwise("neg", [value], [FLOAT])
        with pytest.raises(
            RuntimeError, match="a value is used that was computed in code that was given up"
        ):
            ops.builder.finish([result])


def test_code_that_was_given_up_is_left_out():
    ops = Ops("f")
    mark = ops.builder.mark()
    ops.builder.begin_region([])
    ops.elementwise("neg", [ops.constant(1.0, FLOAT)], [FLOAT])
    ops.builder.rollback(mark)
    module = ops.builder.finish([ops.constant(2.0, FLOAT)])
    text = module.text()
    assert "ingot.neg" not in text
    assert "2.0" in text


@pytest.mark.parametrize(
    ("emit", "message"),
    [
        (lambda b, x: b.create("ingot.nothing", [x]), "unknown operation ingot.nothing"),
        (lambda b, x: b.create("ingot.checkpoint", [], regions=1), "regions are missing"),
        (lambda b, x: b.convert(x, len(CODES)), "unknown element type"),
        (lambda b, x: b.create("ingot.transpose", [x], {"axes": [0, 1]}), "axes has 2 entries for"),
        (lambda b, x: b.create("ingot.iota", [], {}, [([2], 4)]), "requires attribute 'axis'"),
    ],
)
def test_what_makes_no_operation_is_refused(emit, message):
    builder = FunctionBuilder("f")
    argument = builder.add_argument(([2], CODES[FLOAT]))
    with pytest.raises(Diagnostic, match=message):
        emit(builder, argument)


def test_a_region_has_an_end():
    builder = FunctionBuilder("f")
    builder.begin_region([])
    with pytest.raises(RuntimeError, match="a region was not ended"):
        builder.finish([])


def test_what_an_arm_has_computed_does_not_leave_it():
    ops = Ops("f")
    ops.builder.begin_region([])
    inside = ops.constant(1.0, FLOAT)
    ops.builder.end_region("ingot.yield", [])
    ops.builder.begin_region([])
    ops.builder.end_region("ingot.yield", [])
    ops.builder.create("ingot.if", [ops.constant(True, np.dtype(bool))], {}, [], 2)
    with pytest.raises(RuntimeError, match="the frontend made an invalid module"):
        ops.builder.finish([inside])


def test_what_is_no_module_is_refused():
    module = parse("func.func @f() { return }")
    for read in (parse, module.add):
        with pytest.raises(Diagnostic, match="expected operation name"):
            read("module {")
    with pytest.raises(
        Diagnostic, match="wrong pass pipeline no-such-pass: 'no-such-pass' does not refer to a"
    ):
        module.run("no-such-pass")
