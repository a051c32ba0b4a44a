"""`isinstance` and `issubclass` of what is no class raise what they raise in Python."""

import numpy as np
import pytest
from plain import same


class Plain:
    pass


@pytest.mark.parametrize(
    "asked",
    [
        lambda x: isinstance(x, 3), lambda x: isinstance(x, "int"), lambda x: isinstance(x, Plain()),
        lambda x: isinstance(x, (int, 3)), lambda x: isinstance(x, (np.ndarray, (list, 3))),
        lambda x: isinstance(x, [int]), lambda x: isinstance(x, list[int]),
        lambda x: issubclass(type(x), 3), lambda x: issubclass(x, int),
        lambda x: isinstance(x, int | float),
    ],
)  # fmt: skip
def test_classes_that_are_none(asked):
    for x in (np.ones(3), 2.0, np.float32(2), [1, 2]):
        same(asked, x)
