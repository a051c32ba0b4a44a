"""Numbers of different types on different paths: each result has the type of the path taken."""

import numpy as np
import pytest
from plain import same, same_for, same_or_refused

import ingot

X = np.array([1.0, -2.0, 3.0])
#: Arguments that take the paths of the functions below.
SIGNS = [(X,), (-X,), (0 * X,), (X - 5,)]


def one_of_three(x):
    y = 1
    if x[0] > 0:
        y = 2.5
    elif x[0] < -3:
        y = np.float32(3)
    return y


def returned(x):
    y = one_of_three(x)
    return y, [y, 1], {"y": (y, x)}


def computed(x):
    y = one_of_three(x)
    z = 3 if x[1] > 0 else 0.5
    return y * z, -y, +y, abs(y), y + 1, z // 1, z**2, 2.0 * z, y > z, max(y, z), z % 2


def chosen(x):
    return max(x[0], 0), min(float(x[0]), 2), 0 if x[0] > 0 else x[0], sum(x[x > 2])


def part_of_complex(x):
    y = 2j if x[0] > 0 else 3
    return y, y.real, y.imag, y * y


def asked(x):
    y = one_of_three(x)
    kinds = isinstance(y, int), isinstance(y, float), isinstance(y, (int, float, np.floating))
    return (kinds, 1) if isinstance(y, np.floating) else (kinds, y)


def by_a_while_loop(x):
    best = -1
    while x[0] > 0 and best < 5:
        best = best + 1.5
    return best


def by_recursion(x, n):
    if n == 0:
        return 0
    return by_recursion(x, n - 1) + (x[n] if x[n] > 0 else 1)


def stored(x):
    found = {"a": 0}
    kept = [0] * 3
    for i in range(3):
        if x[i] > 0:
            found["a"] = found["a"] + 0.5
            kept[i] = 0.25
    return found, kept


class Total:
    value = 0


def to_an_object(x):
    total = Total()
    total.value = one_of_three(x)
    return total.value


def grown(x):
    kept = []
    for v in x:
        if v > -1.5:
            kept.append((1 if v > 1 else 0.5, 3))
    return kept, [2 if v > 1 else 0.5 for v in x if v > -1.5]


def grown_in_two_loops(x):
    kept = []
    for v in x:
        if v > -1.5:
            kept.append(2)
    for v in x:
        if v < 0:
            kept.append(0.5)
    return kept, kept[0] if kept else -1, len(kept)


def from_rows(x):
    kept = [1 if v > 1 else 0.5 for v in x if v > -9]
    kept[0] = 7
    kept.reverse()
    return kept, kept[-1], kept.pop(), kept, max(kept), sum(kept)


def in_order(x):
    y = one_of_three(x)
    kept = [1 if v > 1 else 0.5 for v in x if v > -9]
    kept.sort(reverse=True)
    return sorted([x[0], 2, y, -1]), sorted([y, 0.75, 1], key=abs), kept, sorted([(1, y), (0, 2)])


RETURNED = [
    returned, computed, chosen, part_of_complex, asked, by_a_while_loop, stored, to_an_object, grown,
    grown_in_two_loops, from_rows, in_order,
]  # fmt: skip


@pytest.mark.parametrize("f", RETURNED)
def test_types_of_the_path_taken(f):
    same_for(f, SIGNS)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_types_of_a_recursion(n):
    for (x,) in SIGNS:
        same(by_recursion, x, n)


def after_a_loop(x, n):
    total = 0
    for i in range(n):
        total = total + float(x[i])
    return total


def test_a_loop_that_may_not_run():
    same_for(after_a_loop, [(X, 0), (X, 2), (X, 0)])


def printed(x):
    y = one_of_three(x)
    z = 3 if x[1] > 0 else 0.5
    print(y, f"{y}: {z!r} {y:.2f}", "%s" % z, [z], sep=", ")
    if x[1] < -1:
        raise ValueError(f"{y} and {z}")
    return y


def test_texts_of_the_path_taken():
    outcomes = [same(printed, x) for (x,) in SIGNS]
    assert any(outcome.error for outcome in outcomes)
    assert len({outcome.printed for outcome in outcomes}) > 2


def represented(x):
    print(repr(np.float64(x[0]) if x[0] > 0 else 1))


def test_a_text_that_names_the_type_is_refused():
    with pytest.raises(ingot.UnsupportedError, match=r"int or np\.float64, depending on the path"):
        ingot.jit(represented)(X)


def beyond_float(x):
    return 2**60 + 1 if x[0] > 0 else 0.5


def beyond_float_in_rows(x):
    return [2**60 + 1 if v > 0 else 0.5 for v in x if v != 0]


@pytest.mark.parametrize("f", [beyond_float, beyond_float_in_rows])
def test_integers_that_a_float_does_not_hold(f):
    compiled = ingot.jit(f)
    with pytest.raises(NotImplementedError, match="an integer of more than 53 bits"):
        compiled(X)
    same(f, -abs(X))


def summed(x):
    return sum(x * x) if x[0] > 0 else 0


def test_derivatives_and_batches_have_one_type():
    value, gradient = ingot.value_and_grad(summed)(X)
    assert value == 14.0
    np.testing.assert_array_equal(gradient, 2 * X)
    batch = ingot.vmap(summed)(np.stack([X, -X]))
    assert batch.dtype == np.float64
    np.testing.assert_array_equal(batch, [14.0, 0.0])


def of_one_form(x, y):
    z = y
    if x[0] > 0:
        z = x
        z[1] = 5.0
    return z, 0 if x[0] > 0 else 0.5


def test_results_of_artifacts_have_one_form(tmp_path):
    """One type for a number, and a new array for what may be one of the arguments."""
    path = tmp_path / "made.ingot"
    ingot.export(of_one_form, X, X).save(path)
    entry = ingot.load(path).entry("of_one_form")
    assert [result.name for result in entry.results] == ["output.0", "output.1"]
    for x in (X.copy(), -X):
        found, number = entry(x, 2 * X)
        wanted, expected = of_one_form(x.copy(), 2 * X)
        np.testing.assert_array_equal(found, wanted)
        assert (type(number), number) == (float, expected)


def bound_to_an_array_of_another_dtype(x, n):
    made, current = np.zeros(len(x)), x
    for _ in range(n):
        total = 0.0
        for each in current:
            total = each + 0.5 * total
        made[0] = total
        current = made
    return made, current


def bound_to_an_array_of_another_shape(x, n):
    made, current, i = np.zeros((2, 2)), x, 0
    while i < n:
        made[0] += current.sum()
        current = made
        i += 1
    return made, current is made


@pytest.mark.parametrize("n", [0, 5, 200])
@pytest.mark.parametrize(
    "f", [bound_to_an_array_of_another_dtype, bound_to_an_array_of_another_shape]
)
def test_loops_that_bind_a_name_to_arrays_of_different_types(f, n):
    same_or_refused(f, np.arange(3), n)
    same_or_refused(f, np.arange(3.0), n)


def product_to(n):
    return 1 if n == 0 else n * product_to(n - 1)


def combinations(n, k, repeated=False):
    if repeated:
        return product_to(n + k - 1)
    return product_to(n)


def test_a_recursion_in_an_arm_that_a_bool_does_not_take():
    # 27! has more than 64 bits.
    for repeated in (False, True):
        assert ingot.jit(combinations)(20 - 8 * repeated, 8, repeated) == combinations(
            20 - 8 * repeated, 8, repeated
        )
