"""The builder of the bindings, which the frontend emits operations with."""

import numpy as np
import pytest

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
        with pytest.raises(RuntimeError, match="code that was given up"):
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
