"""Arrays of dtypes that compiled code does not have: they stay where they are, and nothing uses them."""

import numpy as np
import pytest
from plain import same

import ingot


class Filter:
    """As filters keep the last measurement, none at first."""

    def __init__(self):
        self.x = np.zeros(2)
        self.z = np.array([[None, None]]).T
        self.names = np.array(["position", "speed"])
        self.count = 0

    def predict(self, u):
        for _ in range(3):
            if self.x[0] < 2:
                self.count += 1
        while self.count < 5:
            self.count += 1
        self.x = self.x + u
        return self.x.sum()

    def update(self, z):
        if z is None:
            self.old = None
            return
        self.z = z
        self.x = self.x + z

    def kinds(self):
        return self.z is None, isinstance(self.z, np.ndarray), type(self.names)

    def forget(self):
        del self.z
        self.names = None

    def loss(self, u):
        return np.sum(self.x * u)


OUTSIDE = Filter()


def changes_what_is_outside(u):
    OUTSIDE.x = OUTSIDE.x + u
    return OUTSIDE.x * 2


U = np.array([1.0, 2.0])


@pytest.mark.parametrize("name, args", [
    ("predict", (U,)), ("update", (U,)), ("update", (None,)), ("kinds", ()), ("forget", ()),
])  # fmt: skip
def test_objects_that_hold_them(name, args):
    same(getattr(Filter, name), Filter(), *args)


def test_they_stay_the_same_objects():
    one = Filter()
    held = one.z, one.names
    ingot.jit(Filter.predict)(one, U)
    assert one.z is held[0] and one.names is held[1]


def test_another_dtype_in_their_place_compiles_again():
    f = ingot.jit(lambda filter: filter.x + 1 if filter.z is None else filter.x)
    one = Filter()
    np.testing.assert_array_equal(f(one), one.x)
    for z, expected in ((U, one.x), (None, one.x + 1), (np.array([None]), one.x)):
        one.z = z
        np.testing.assert_array_equal(f(one), expected)


def test_from_outside():
    f = ingot.jit(changes_what_is_outside)
    for step in (1, 2):
        np.testing.assert_array_equal(f(U), 2 * step * U)
    assert OUTSIDE.z.dtype == object and OUTSIDE.count == 0


def test_transformations_leave_them_alone():
    one = Filter()
    np.testing.assert_array_equal(ingot.grad(Filter.loss, argnums=1)(one, U), one.x)
    assert ingot.grad(Filter.loss)(one, U).z is None
    rows = ingot.vmap(Filter.loss, in_axes=(None, 0))(one, np.ones((3, 2)))
    np.testing.assert_array_equal(rows, np.zeros(3))


@pytest.mark.parametrize("use", [
    "{} + 1", "1 + {}", "-{}", "{}[0]", "{}.T", "{}.shape", "len({})", "np.sum({})", "x[{}]",
    "np.dot({}, x)", "sorted({})", "list({})", "max({})", "[each for each in {}]", "{} == 1",
    "bool({})", "float({})", "str({})", "print({})", "copy.copy({})", "np.asarray({})",
    "{}.astype(float)", "{{1: 2}}[{}]", "1 in {}", "hasattr({}, 'shape')", "np.where(x > 0, {}, 1)",
])  # fmt: skip
def test_their_uses_are_refused(use, compile_text):
    """Also in a `try`, whose handler must not take the refusal for an exception of Python's."""
    names = compile_text(f"""
import copy
import numpy as np

def f(filter, x):
    try:
        used = {use.format("filter.z")}
    except Exception:
        return "caught"
    return used
""")
    with pytest.raises(ingot.IngotError):
        ingot.jit(names["f"])(Filter(), U)


def test_they_are_not_stored_to_and_not_returned():
    def stores(filter):
        filter.z[0] = 1

    for f in (stores, lambda filter: filter.z, lambda filter: [filter.x, filter.names]):
        with pytest.raises(ingot.IngotError, match=r"dtype (object|<U8) can't be"):
            ingot.jit(f)(Filter())
    with pytest.raises(ingot.UnsupportedError, match="takes an array of dtype object"):
        ingot.export(Filter.loss, Filter(), U)
