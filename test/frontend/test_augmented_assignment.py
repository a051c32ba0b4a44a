"""`x op= y`: what Python stores to, by whatever the target is read and written."""

import numpy as np
import pytest
from plain import Programs, same_for

import ingot

programs = Programs()
ROW, TABLE = np.arange(3.0), np.arange(9.0).reshape(3, 3)


class Copies:
    """Gives copies and counts its stores."""

    def __init__(self, held):
        self.held, self.stores = held, 0

    def __getitem__(self, i):
        return self.held[i] * 1

    def __setitem__(self, i, value):
        self.held[i] = value
        self.stores += 1

    @property
    def whole(self):
        return self.held * 1

    @whole.setter
    def whole(self, value):
        self.held = value
        self.stores += 1


class Same(Copies):
    """Gives what it holds, to be changed in place, and is told of it none the less."""

    @property
    def whole(self):
        return self.held

    @whole.setter
    def whole(self, value):
        self.stores += 1


class Fixed:
    def __init__(self, held):
        self._held = held

    @property
    def held(self):
        return self._held


class Shared:
    items = [1, 2]


@programs(ROW, TABLE)
def flat_slices(a):
    a.flat[:2] *= 2
    a.flat[[0, 1]] += 2
    a.flat[1] -= 5
    return a


@programs(ROW, TABLE)
def a_name_for_flat(a):
    b = a.flat
    b[1:] -= 1
    return a


@programs(ROW, TABLE)
def items_of_an_instance(x):
    w = Copies(x)
    w[slice(0, 2)] += 1
    w[0] *= 3
    return w.held, w.stores


@programs(ROW, TABLE)
def properties(x):
    found = []
    for kind in (Copies, Same):
        w = kind(x)
        w.whole *= 2
        found += [w.held, w.stores]
    return found


@programs(ROW)
def a_property_without_a_setter(x):
    w = Fixed(x)
    w.held *= 2
    return w.held


@programs(ROW, TABLE)
def arrays_in_containers(x):
    held = [x, {"a": x}]
    held[0] += 1
    held[0][1:] *= 2
    held[1]["a"] -= 1
    return held


@programs((ROW, True), (ROW, False))
def attributes_in_loops_and_branches(x, flag):
    w = Copies(x)
    for i in range(3):
        w.held += i
    if flag:
        w.held *= 2
    return w.held


@programs(([1, 2, 3], 1), ([4.5], 2), ([[1], [2]], 1))
def slices_of_lists(items, n):
    items[1:] *= 2
    items[:1] += [items[0]]
    items[n:] += items[:n]
    return items


@programs(([1, 2, 3, 4],), ([[1], [2]],))
def steps_of_lists(items):
    items[::2] *= 1
    try:
        items[::2] *= 2
    except ValueError:
        return "size", items
    return items


@programs((ROW,), (-ROW,))
def slices_of_lists_of_run_time_lengths(x):
    found = [1.0]
    for each in x:
        if each > 0:
            found.append(each)
    found[1:] += [each * 2 for each in x if each > 1]
    return found


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def test_an_attribute_of_the_class():
    """`a.items += ...` extends the class's list, and makes it an attribute of the instance."""

    def f():
        a, b = Shared(), Shared()
        a.items += [3]
        a.items = [*a.items, 4]
        return a.items, b.items

    found = ingot.jit(f)()
    assert Shared.items == [1, 2, 3]
    Shared.items = [1, 2]
    assert found == f() == ([1, 2, 3, 4], [1, 2, 3])


# A result that may not be cast to the target's dtype is refused, as NumPy's UFuncTypeError.


def under_mask(a, m):
    a[m] += 1.5


def under_condition(a, m):
    a[a > 1] /= 2


def under_mask_by_many(a, m):
    a[m] -= np.array([0.5, 1.0])


def product(a, m):
    square = a.reshape(2, 2)
    square @= np.ones((2, 2))


@pytest.mark.parametrize("f", [under_mask, under_condition, under_mask_by_many, product])
def test_casts_that_lose_something_are_refused(f):
    mask = np.array([True, False, True, False])
    with pytest.raises(TypeError, match="same_kind"):
        f(np.arange(4), mask)
    # Where a check comes before it, the program raises it.
    with pytest.raises(TypeError, match="same_kind"):
        ingot.jit(f)(np.arange(4), mask)


# The value is of a function that binds the target to something else.


def of_a_number(x):
    n = 5

    def other():
        nonlocal n
        n = 100
        return 0

    n += other()
    return n


def of_a_list(x):
    items = [1]

    def other():
        nonlocal items
        items = [7]
        return [2]

    items += other()
    return items


def of_an_array(x):
    y = x

    def other():
        nonlocal y
        y = y * 3
        return 1

    y += other()
    return y is x, y


def of_an_array_from_an_inner_function(x):
    y = x

    def inner():
        nonlocal y

        def other():
            nonlocal y
            y = y * 5
            return 2

        y += other()

    inner()
    return y is x, y


def of_an_item(x):
    items = [x, x * 2]

    def other():
        items[0] = x * 3
        return 1

    items[0] += other()
    return items[0] is x, items


@pytest.mark.parametrize(
    "f",
    [of_a_number, of_a_list, of_an_array, of_an_array_from_an_inner_function, of_an_item],
)
def test_the_old_object_is_stored_again(f):
    same_for(f, [(np.arange(3.0),)])
