"""Values of other structures on other paths, as only run time knows: strings, functions, lists,
tuples and dicts of other lengths, arrays of other shapes."""

import sys
import types

import numpy as np
import pytest
from plain import same, same_for

import ingot

X = np.array([1.0, -2.0, 3.0, 0.5])
#: Arguments that take the paths of the functions below.
SIGNS = [(X,), (-X,), (0 * X,), (X - 9,)]


def a_string(x):
    mode = "edge" if x[0] > 0 else "wrap"
    padded = np.pad(x, 1, mode=mode)
    if mode == "edge" and x[1] > 5:
        mode = "neither"
    return padded, mode, len(mode)


def a_state(x):
    state, total = "start", 0.0
    for v in x:
        if state == "start":
            total += v
            state = "run" if v > 0 else state
        elif state == "run":
            total -= v
            state = "end" if v < 0 else "run"
        else:
            total *= 2
    return total, state


def a_state_by_a_while_loop(x):
    state, i = "up", 0
    while i < 4 and state != "done":
        match state:
            case "up":
                state = "down" if x[i] < 0 else "up"
            case "down":
                state = "done" if x[i] > 1 else "down"
        i += 1
    return i, state


def shapes(x):
    y = x[:2] if x[0] > 0 else x.reshape(2, 2) * 2
    z = y + 1
    return z, z.sum(), z.shape


def dtypes(x):
    y = np.arange(3) if x[0] > 0 else np.ones(3)
    y[0] += 1
    return y


def a_view(x):
    part = x[:2] if x[0] > 0 else x[1:]
    part *= 2
    return x.copy(), len(part)


def an_array_or_a_number(x):
    y = x if x[0] > 0 else 1.5
    return np.sum(y), np.ndim(y)


def a_grown_list(x):
    parts = [x, x * 2]
    if x[0] > 0:
        parts.append(x + 1)
    first = parts[0]
    return np.concatenate(parts), len(parts), parts[-1], first is parts[0]


def a_list_of_a_loop(x):
    found = [x]
    for i in range(3):
        if x[i] < 0:
            break
        found.extend([x + i, x[:i]])
    return found, len(found)


def lists_of_several_names(x):
    a, b = [x], [x, x]
    p = a if x[0] > 0 else b
    p.append(1.0)
    return p, a, b


def aliases(x):
    a = [1]
    b = a
    if x[0] > 0:
        a.append(x)
    b.append(2)
    return len(a), a is b, a


def inside_of_an_arm(x):
    if x[0] > -5:
        made = [x]
        alias = made
        if x[1] > 0:
            made.append(x)
    else:
        made = alias = ()
    return len(made), made is alias, made


def tuples(x):
    t = (x, 1) if x[0] > 0 else (x,)
    a, *rest = t
    return len(t), t[-1], rest, a


def a_shape(x):
    shape = (2, 2) if x[0] > 0 else (4,)
    return (x + 1).reshape(shape)


def a_dict(x):
    d = {"a": x}
    if x[0] > 0:
        d["b"] = x * 2
    total = 0.0
    for key, value in d.items():
        total += value.sum() + len(key)
    return d, total, "b" in d, d.get("b", 0.0)


def a_function(x):
    f = np.sin if x[0] > 0 else (lambda q: q * 2)
    return f(x), list(map(f, [x[0], x[1]]))


def picked(x):
    if x[0] > 0:
        return [x]
    return [x, x + 1]


def a_call(x):
    got = picked(x)
    got.append(x)
    total = 0.0
    for each in got:
        total += each.sum()
    return total, got


def a_call_in_an_expression(x):
    return len(picked(x)), [picked(x)], (picked(x), 1)


def a_result(x):
    if x[0] > 0:
        return x
    return x, x + 1, [x]


def a_result_beside_its_parts(x):
    a = [x + 1]
    p = a if x[0] > 0 else (a, 2)
    return p, a, p


def unpacked(x):
    a, b = (1, x) if x[0] > 0 else (x, "text")
    return b, a


def none_or_several(x):
    y = None
    if x[0] > 0:
        y = "up"
    elif x[1] > 0:
        y = x
    if y is None:
        return 0
    return y


def an_axis(x):
    axis = None if x[0] > 0 else 0
    x = x.reshape(2, 2)
    return np.sum(x, axis=axis), np.sum(x, axis), x.max(axis=axis)


def a_bound_of_a_slice(x):
    end = None if x[0] > 0 else 2
    begin = 1 if x[1] > 0 else None
    return x[:end].sum(), x[begin:].sum()


def called_for_its_effect(x):
    picked(x)
    (lambda v: None if v > 0 else 1)(x[0])
    return x


def several_at_once(x):
    a = "p" if x[0] > 0 else "q"
    b = (x,) if x[1] > 0 else (x, x)
    return a * len(b), len(a) + len(b)


def in_texts(x):
    name = "up" if x[0] > 0 else "down"
    print(f"{name}: {len(name)}", name)
    return name.upper()


def raised(x):
    name = "up" if x[0] > 0 else "down"
    if name == "down":
        raise ValueError(name)
    return name


def by_inner_functions(x):
    mode = "up" if x[0] > 0 else "down"

    def scaled(v):
        return v * 2 if mode == "up" else v

    return [scaled(v) for v in x], scaled(1.0)


def without_names(x):
    text = "a" + ("b" if x[0] > 0 else "") + f"{'c' if x[1] > 0 else 'dd'}"
    total = 0.0
    for each in [x] if x[0] > 0 else [x, x + 1]:
        for i in range(2):
            total += each[i]
    total += len(text) + len(picked(x))
    text += "e" if x[2] > 0 else "f"
    second = ("p", "q")[x[0] > 0], (picked(x) + [1])[-1], -(x[:2] if x[1] > 0 else x)
    return text, total, second, (np.sin if x[0] > 0 else np.cos)(x), picked(x)[0].shape


def looped(rows):
    total = 0.0
    for row in rows:
        for i in range(row.shape[0]):
            total = total * 0.5 + row[i]
    return total


def loops_of_each_version(x):
    """The loops in the function have other types in each call."""
    return looped([x] if x[0] > 0 else [x, x[:2].astype("f4")]), looped(
        (x, x) if x[1] > 0 else (x,)
    )


PROGRAMS = [
    each for each in list(globals().values())
    if isinstance(each, types.FunctionType) and each.__module__ == __name__ and each not in (picked, looped)
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_paths(f):
    same_for(f, SIGNS)


class Machine:
    def __init__(self):
        self.mode, self.items = "off", []

    def step(self, x):
        if x > 0:
            self.mode = "on"
            self.items.append(x)
        return len(self.mode)


def test_attributes_of_arguments():
    def f(x, machine):
        lengths = []
        for i in range(2):
            lengths.append(machine.step(x[i]))
        return lengths, machine.mode == "on"

    for (x,) in SIGNS:
        same(f, x, Machine())


def test_containers_of_arguments():
    def f(x, items, entries):
        if x[0] > 0:
            items.append(x)
            entries["new"] = 1.0
        return len(items), sorted(entries)

    for (x,) in SIGNS:
        same(f, x, [1, x], {"a": 2})


def test_derivatives():
    def f(x):
        parts = [x, x * 2]
        if x[0] > 0:
            parts.append(x**2)
        y = x[:2] if x[1] > 0 else x.reshape(2, 2) * 3
        return np.sum(np.concatenate(parts)) + np.sum(y * y)

    def expected(x):
        rest = 2 * x * ([1, 1, 0, 0] if x[1] > 0 else 9)
        return 3 + (2 * x if x[0] > 0 else 0) + rest

    for (x,) in SIGNS:
        np.testing.assert_allclose(ingot.grad(f)(x), expected(x), rtol=1e-12)


def test_batches():
    def f(x):
        mode = "edge" if x[0] > 0 else "wrap"
        parts = [x]
        if x[1] > 0:
            parts.append(x + 1)
        return np.pad(x, 1, mode=mode), len(parts), np.concatenate(parts).sum()

    batch = np.stack([x for (x,) in SIGNS])
    for got, want in zip(ingot.vmap(f)(batch), zip(*map(f, batch), strict=True), strict=True):
        np.testing.assert_array_equal(got, np.stack(want))


@pytest.mark.parametrize(
    "call",
    [
        lambda: ingot.vmap(a_result)(np.stack([X, -X])),
        lambda: ingot.jvp(a_result, (X,), (X,)),
        lambda: ingot.value_and_grad(lambda x: (x.sum(), picked(x)), has_aux=True)(X),
    ],
)
def test_results_of_transformed_functions_have_one_structure(call):
    with pytest.raises(ingot.UnsupportedError, match="returns what holds"):
        call()


def test_results_of_artifacts_have_one_form():
    with pytest.raises(ingot.UnsupportedError, match="returns what holds"):
        ingot.export(a_result, X)


def test_the_disk_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        assert ingot.jit(a_state)(X) == a_state(X)


def too_many(x):
    y = ()
    for i in range(x.shape[0] * 5):
        if x[i % 4] > 0:
            y = (*y, x)
    return y


def too_many_at_once(x):
    a = "p" if x[0] > 0 else "q"
    b = (x,) if x[1] > 0 else (x, x)
    c = "r" if x[2] > 0 else "s"
    d = (1,) if x[3] > 0 else ()
    e = "t" if x[3] > 1 else "u"
    return a + c + e, len(b) + len(d)


@pytest.mark.parametrize("f", [too_many, too_many_at_once])
def test_refused(f):
    with pytest.raises(ingot.UnsupportedError):
        ingot.jit(f)(X)


def test_programs_are_specialised_where_arguments_decide():
    """They have one structure then, and no branch."""

    def f(x, flag):
        y = x[:2] if flag else x
        return y + 1

    compiled = ingot.jit(f)
    for flag in (True, False):
        np.testing.assert_array_equal(compiled(X, flag), f(X, flag))
    assert "ingot.if" not in str(compiled.lower(X, True).ir())


def stores_to_the_chosen(arrays, x):
    arrays[int(x[0] > 0)][0], found = 5, arrays[int(x[0] > 0)][0]
    return arrays, found


def augments_the_chosen(arrays, x):
    for k in range(20):
        arrays[k % 2][0] += k
    arrays[int(x[0] > 0)][1:] *= 2
    return arrays


def stores_to_the_chosen_in_a_try(arrays, x):
    try:
        arrays[int(x[0] > 0)][0] = 5
    except TypeError:
        return "caught"
    return arrays


@pytest.mark.parametrize(
    "f", [stores_to_the_chosen, augments_the_chosen, stores_to_the_chosen_in_a_try]
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_stores_to_what_has_no_name(f, sign):
    for arrays in ((np.arange(3), np.arange(4) * 2), [np.arange(3), [4, 5, 6, 7]]):
        same(f, arrays, np.array([sign]))


class Point:
    def __init__(self, at):
        self.at = at


def stores_to_an_attribute_of_the_chosen(x):
    points = Point(1.0), Point([2.0, 3.0])
    points[int(x[0] > 0)].at = x[0]
    points[int(x[1] > 0)].at *= 2
    return points[0].at, points[1].at


def test_attributes_of_what_has_no_name():
    for x in ([1.0, -1.0], [-1.0, 1.0]):
        same(stores_to_an_attribute_of_the_chosen, np.array(x))


def slices_a_dict(x):
    held = [{0: 1.0}, [2.0, 3.0]][int(x[0] > 0)]
    try:
        return held[::-1]
    except TypeError:
        return "unhashable"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="slices have a hash")
def test_a_key_without_a_hash_on_one_path():
    for sign in (1.0, -1.0):
        same(slices_a_dict, np.array([sign]))


# The kind of a number decides the dtype of what is computed with an array.


def narrow_array_plus_a_number(x):
    number = x[0] if x.sum() > 0 else 2.5
    made = x.astype(np.float32) * (number * 2)
    made[0] = 0.1
    return made, made.dtype.itemsize


def integers_plus_a_number(x):
    number = x.max() if x[0] > 0 else 2
    made = np.ones(3, np.int8) + number
    return made, made.dtype == np.int8


def a_call_of_a_ufunc(x):
    number = x.max() if x[0] > 0 else 2
    made = np.add(np.ones(3, np.int16), np.multiply(number, np.int8(3)))
    for _ in range(2):
        x = x + made.sum()
    return made, x


def a_method_of_a_chosen_array(x):
    number = x[0] if x[1] < 0 else 2.5
    narrow = x.astype(np.float32)
    return np.where(narrow > 0, number, narrow).sum(), np.where(narrow > 0, narrow, number).max()


def indices_of_two_kinds(x):
    index = 1 if x[0] > 0 else x[1] * 0
    m = np.arange(12.0).reshape(3, 4)
    try:
        return m[index, 2], m[index:].sum(), m[0, index], x[index]
    except IndexError:
        return x


def a_bound_that_may_be_no_index(x):
    most = max(1, x[0])
    try:
        return x[:most].sum()
    except TypeError:
        return -1.0


def prints_once(x):
    number = x[0] if x[1] < 0 else 2.5

    def shown(value):
        print("once")
        return value.astype(np.float32) - number

    return shown(x)


@pytest.mark.parametrize(
    "f",
    [
        pytest.param(narrow_array_plus_a_number, marks=pytest.mark.quick),
        integers_plus_a_number, a_call_of_a_ufunc, a_method_of_a_chosen_array, prints_once,
        indices_of_two_kinds, a_bound_that_may_be_no_index,
    ],
)  # fmt: skip
def test_arrays_with_numbers_of_two_kinds(f):
    same_for(f, SIGNS)
