"""Values that are None on some paths, as only run time knows."""

import numpy as np
import pytest
from plain import same, same_for

import ingot

X = np.array([1.0, -2.0, 3.0])
#: Arguments that take the paths of the functions below.
SIGNS = [(X,), (-X,), (0 * X,), (X - 9,)]


def least(x):
    best = where = None
    for i in range(len(x)):
        if best is None or x[i] < best:
            best = x[i]
            where = i
    return best, where


def last_positive(x):
    found = None
    for i in range(3):
        if x[i] > 0:
            found = i
    if found is None:
        return -1
    return found


def first_above(x):
    for i in range(3):
        if x[i] > 2:
            return i


def bisected(x):
    root = None
    low, high = -3.0, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        if abs(middle**3 - x[0]) < 1e-6:
            root = middle
            break
        if middle**3 < x[0]:
            low = middle
        else:
            high = middle
    return root


def differences(x):
    before = None
    total = 0.0
    for v in x:
        if before is not None:
            total += v - before
        before = v
    return total


def by_a_while_loop(x):
    node, before = 0, None
    while node is not None:
        before = node
        node = node + 1 if node < x[0] else None
    return before


def an_array(x):
    y = None
    if x[0] > 0:
        y = x * 2
    elif x[0] < -5:
        y = x
    if y is not None:
        x = x + y
    return x, y, y


def an_expression(x):
    z = x.sum() if x[0] > 0 else None
    return 0 if z is None else z, z, z or 1.5, z is not None and z > 1, z == 2, z != None  # noqa: E711


def a_truth_value(x):
    z = None
    if x[0] > 0:
        z = x[0] - 1
    if z:
        return z * 2
    return z if not z else 1.5


def solutions(x):
    d = x[0] ** 2 - x[1]
    if d < 0:
        return None
    return np.sqrt(d), -np.sqrt(d)


def of_a_call(x):
    found = solutions(x)
    if found is None:
        return 0.0, None, 1
    a, b = found
    return a + b, solutions(-x), (lambda y: y if y is None else 1)(solutions(x))


def in_containers(x):
    held = {"a": None, "b": 1}
    kept = [None, 1.0]
    if x[0] > 0:
        held["a"] = 1.5
        kept[0] = x[1]
    return held, kept, kept[0] is None, [held["a"]]


def a_list(x):
    y = None
    if x[0] > 0:
        y = [1, 2]
    if y is not None:
        y.append(3)
    return y


class Cache:
    def __init__(self):
        self.value = None

    def set(self, v):
        if v > 0:
            self.value = v
        return self

    def get(self):
        return self.value if self.value is not None else -1


def in_an_object(x):
    cache = Cache().set(x[0])
    return cache.get(), cache.value


def of_two_types(x):
    y = None
    if x[0] > 0:
        y = 1
    elif x[0] < -5:
        y = 0.5
    return y


def unbound_or_none(x):
    if x[0] > 0:
        y = None
        if x[1] < -1:
            y = 2.0
    else:
        y = x[0]
    return y


def narrowed(x):
    y = z = None
    if x[0] > 0:
        y, z = x[0], x[1]
    if y is None:
        raise ValueError("no y")
    assert z is not None, "no z"
    return y + z


def narrowed_in_a_loop(x):
    y = 3.0 if x[0] > 0 else None
    total = 0.0
    while y is not None and total < 5:
        total += y
        y = y - 1 if y > 1 else None
    return total, y


def none_if_small(v):
    return v if v > 1 else None


def bound_after_the_test(x):
    y = none_if_small(x[2])
    if y is not None and ((y := none_if_small(x[0])) or True):
        return y
    return y is None or y


def left_alone(x):
    none_if_small(x[0])
    for i in range(20):
        none_if_small(x[0] + i)
    return x[1]


def a_default(x):
    def one(y=none_if_small(x[0]), *, z=none_if_small(x[2])):
        return y, z

    return one(), one(1.5, z=None)


def a_member(x):
    y = none_if_small(x[0])
    known = {"none": None, 3.0: 1}
    return y in (None, 2.0), y not in [3.0, 4.0], y in known, y is None in (True, False)


def by_keyword(x):
    made = dict(a=none_if_small(x[0]), b=1)
    made.setdefault("c", none_if_small(x[2]))
    return made


FUNCTIONS = [
    left_alone, a_default, a_member, by_keyword,
    least, last_positive, first_above, bisected, differences, by_a_while_loop, an_array,
    an_expression, a_truth_value, of_a_call, in_containers, a_list, in_an_object, of_two_types,
    unbound_or_none, narrowed, narrowed_in_a_loop, bound_after_the_test,
]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS)
def test_none_on_some_paths(f):
    same_for(f, SIGNS)


def test_a_loop_that_is_not_unrolled():
    x = np.sin(np.arange(1000.0) ** 2)
    same(least, x)
    assert ingot.jit(least).lower(x).ir().count("ingot.dynamic_slice") < 9


@pytest.mark.parametrize("f", [narrowed, narrowed_in_a_loop, an_array])
def test_what_a_condition_says_is_not_checked(f):
    assert "a value is None" not in ingot.jit(f).lower(X).ir()


def used_in_arithmetic(x):
    y = 1.0 if x[0] > 0 else None
    return y + 1


def used_by_numpy(x):
    y = x if x[0] > 0 else None
    return np.sin(y)


def used_as_a_bound(x):
    y = 2 if x[0] > 0 else None
    return max(y, 1)


def used_for_an_attribute(x):
    y = x if x[0] > 0 else None
    return y.sum()


def stored_to_an_array(x):
    y = 2.0 if x[0] > 0 else None
    z = x.copy()
    z[0] = y
    return z


@pytest.mark.parametrize(
    "f", [used_in_arithmetic, used_by_numpy, used_as_a_bound, used_for_an_attribute]
)
def test_uses_of_none_raise(f):
    same(f, X)
    with pytest.raises((TypeError, AttributeError)) as plain:
        f(-X)
    with pytest.raises(plain.type):
        ingot.jit(f)(-X)


def test_none_is_not_stored_to_an_array():
    same(stored_to_an_array, X)
    with pytest.raises(TypeError, match="a value is None"):
        ingot.jit(stored_to_an_array)(-X)


def printed(x):
    y = z = None
    if x[0] > 0:
        y = 1
        z = x[:2] * 2
    print(y, f"{y}; {{}} {y!r} {z}", "%s" % y, [y, 2])
    return y


def test_texts():
    printed_by = {same(printed, x).printed for (x,) in SIGNS}
    assert len(printed_by) == 2


def compared_with_an_array(x):
    y = x if x[0] > 0 else None
    return y == None  # noqa: E711


def test_the_equality_of_an_array_and_none():
    """NumPy compares each element with None."""
    same_for(compared_with_an_array, SIGNS)


def matched(x):
    y = 1 if x[0] > 0 else None
    match y:
        case None:
            return 0
        case _:
            return 1


def compared(x):
    y = 1 if x[0] > 0 else None
    z = 2 if x[1] > 0 else None
    return y == z


def formatted(x):
    y = 1.0 if x[0] > 0 else None
    print(f"{y:.2f}")


@pytest.mark.parametrize("f", [matched, compared, formatted])
def test_refused(f):
    with pytest.raises(ingot.UnsupportedError, match="may be None"):
        ingot.jit(f)(X)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ingot.vmap(bisected)(np.stack([X, -X])),
        lambda: ingot.jvp(bisected, (X,), (X,)),
        lambda: ingot.value_and_grad(lambda x: (x.sum(), bisected(x)), has_aux=True)(X),
    ],
)
def test_results_of_transformed_functions_are_no_none(call):
    with pytest.raises(ingot.UnsupportedError, match="returns a value that may be None"):
        call()


def test_results_of_artifacts_have_one_form():
    with pytest.raises(ingot.UnsupportedError, match="a result that may be None"):
        ingot.export(bisected, X)


def test_derivatives_and_batches():
    """Values that are None inside of a function that returns none of them."""
    x = np.array([[2.0, 1.0, 3.0], [1.0, -2.0, 5.0]])
    np.testing.assert_array_equal(ingot.vmap(lambda row: least(row)[0])(x), [1.0, -2.0])
    np.testing.assert_array_equal(ingot.vmap(last_positive)(-x), [-1, 1])
    np.testing.assert_array_equal(ingot.grad(lambda x: least(x)[0] ** 2)(x[1]), [0.0, -4.0, 0.0])
    assert ingot.grad(lambda x: differences(x))(X).tolist() == [-1.0, 0.0, 1.0]


class Momentum:
    def __init__(self):
        self.v = self.m = None

    def step(self, w, g):
        if self.v is None:
            self.v = np.zeros_like(w)
            self.m = 0.0
        self.v *= 0.9
        self.v += g
        self.m += g[0]
        w -= 0.1 * self.v


def updated_attributes(w):
    optimizer = Momentum()
    for k in range(40):
        g = 2 * w
        if g @ g < 1e-3:
            return w, k, optimizer.m
        optimizer.step(w, g)
    return w, -1, optimizer.m


def updated_items(x):
    found, counts, seen = {"v": None}, [None, 0], None
    for i in range(20):
        if x[i % 3] > 0 and found["v"] is None:
            found["v"] = seen = x * 1.0
            counts[0] = i
        if found["v"] is not None:
            found["v"] *= 0.5
            found["v"] += x
            counts[0] += 2
    return found, counts, None if seen is None else seen.sum()


@pytest.mark.parametrize("f", [updated_attributes, updated_items])
def test_augmented_assignment_of_parts(f):
    same_for(f, [(X,), (-X,), (0 * X,), (X - 9,)])


def test_augmented_assignment_of_a_part_that_is_none():
    def f(x):
        parts = [x, None if x[0] > 0 else 1.0]
        parts[1] += 1.0
        return parts

    assert ingot.jit(f)(-X)[1] == 2.0
    with pytest.raises(TypeError, match="a value is None"):
        ingot.jit(f)(X)


class Stump:
    def __init__(self):
        self.column = None


def column_of_a_stump(m):
    best, stump = 1e9, Stump()
    for i in range(3):
        if np.sum(m[:, i]) < best:
            best, stump.column = np.sum(m[:, i]), i
    return m[:, stump.column]


def test_index_of_an_array():
    m = np.arange(12.0).reshape(4, 3)
    same_for(column_of_a_stump, [(m,)])
    with pytest.raises(NotImplementedError, match="would be a new axis"):
        ingot.jit(column_of_a_stump)(m * 0 + 1e10)
