"""What is given with `*` and `**`, and what `dict` takes: mappings are those that have `keys`."""

import numpy as np
import pytest
from plain import Programs, same_for

programs = Programs()
X = np.array([1.0, 2.0])


class Table:
    """A mapping; the items that it is iterated over are its keys."""

    def __init__(self):
        self.held = {"ab": 1.0, "cd": 2.0}

    def keys(self):
        return self.held.keys()

    def __getitem__(self, key):
        return self.held[key]

    def __iter__(self):
        return iter(self.held)


def given(*args, **kwargs):
    return args, kwargs


@programs((X,), (Table(),), ({"a": X},), ([("a", 1)],), ((),), (2.0,), (None,), ("ab",))
def mapping_in_a_display(x):
    return {"z": 1, **x}


@programs((X,), (Table(),), ({"a": X},), ([("a", 1)],), (2.0,), (None,), ({1: 2},))
def mapping_of_keywords(x):
    return given(**x)


@programs(
    (X,),
    (Table(),),
    ({"a": X},),
    ([("a", 1), (3, X)],),
    (2.0,),
    ([(1, 2, 3)],),
    ([(1, 2), (3,)],),
    (["ab", "cd"],),
    ([1],),
)
def argument_of_dict(x):
    return dict(x)


@programs((X,), (Table(),), ([("a", 1), ("b",)],), ([None],))
def argument_of_update(x):
    made = {"a": 3.0}
    made.update(x)
    return made


@programs((X,), (2.0,), (None,), ([1, X],), ("ab",), (np.float32(2),))
def items_in_displays(x):
    return [*x], (*x, 1), {"a": [0, *x]}


@programs((X,), (2.0,), (None,), ([1, X],), (np.int64(2),))
def items_of_a_call(x):
    return given(*x)


@programs((X,), (2.0,), (None,))
def items_behind_another(x):
    return given(1, *x)


@programs((X, {"a": 1.0}), (-X, {"a": 1.0}))
def none_on_some_paths(x, options):
    chosen = options if x[0] > 0 else None
    if chosen is None:
        return x
    return given(**chosen), {**chosen}


@pytest.mark.parametrize("f, cases", programs)
def test_stars(f, cases):
    for case in cases:
        same_for(f, [case])
