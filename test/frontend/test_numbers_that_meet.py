"""Numbers of different kinds on different paths: what depends on the kind is computed for each."""

import math

import numpy as np
import pytest
from plain import same_for

import ingot
from oracle import assert_same


def either(c, n):
    """A float or an int."""
    return 0.5 if c else n


def full(c, n):
    return np.full(3, either(c, n))


def int_array(c, n):
    return np.arange(3) * either(c, n)


def after_arithmetic(c, n):
    return np.arange(3) + (-(either(c, n) * 2 + 1))


def made_array(c, n):
    return np.array([either(c, n), 1])


def made_array_of_one(c, n):
    return np.asarray(either(c, n))


def chosen_by_where(c, n):
    return np.where(np.arange(3) > 1, either(c, n), 0)


def clipped(c, n):
    return np.clip(np.arange(3), 0, either(c, n))


def summed(c, n):
    return np.sum(either(c, n))


def magnitude(c, n):
    return np.arange(3) + np.abs(either(c, n))


def of_a_list(c, n):
    return np.arange(3) * [0.5, 1][n % 2]


def after_a_loop(c, n):
    total = 0
    for _ in range(n):
        total += 0.5
    return np.full(2, total)


def numpy_or_python(c, n):
    return np.ones(3, "f4") * min(np.ones(1)[0], 0.5 if c else 2.0)


def numpy_dtypes(c, n):
    return np.ones(3, "f4") * (np.ones(1, "f4")[0] if c else np.ones(1)[0])


def bool_or_int(c, n):
    return np.array([True]) + (True if c else n)


def bool_or_int_as_index(c, n):
    return np.arange(5)[True if c else n]


def asked_for_its_class(c, n):
    return np.zeros(2, dtype=type(either(c, n)))


def result_type(c, n):
    return np.zeros(2, np.result_type(either(c, n), np.int8))


def like(c, n):
    return np.zeros_like(either(c, n))


def extended(c, n):
    return np.concatenate([np.arange(2), np.atleast_1d(either(c, n))])


@pytest.mark.parametrize(
    "f",
    [
        full, int_array, after_arithmetic, made_array_of_one, chosen_by_where, clipped,
        summed, magnitude, of_a_list, after_a_loop, numpy_or_python, numpy_dtypes, bool_or_int,
        bool_or_int_as_index, asked_for_its_class, result_type, like, extended,
    ],
)  # fmt: skip
def test_what_decides_a_dtype_has_it_on_each_path(f):
    same_for(f, [(0, 3), (1, 3), (0, 4)])


def test_lists_of_numbers_that_would_decide_a_dtype_are_refused():
    with pytest.raises(ingot.UnsupportedError, match="depending on the path taken") as caught:
        ingot.jit(made_array)(1, 3)
    assert caught.value.lineno and "float(...)" in caught.value.hint


def by_its_opposite(c, n):
    p = either(not c, n)
    return np.arange(3) * p, np.array([p, 1])


def by_an_if(c, n):
    if c:
        p = int(np.round(n / 2))
    else:
        p = n / 2
    return np.full(2, p), np.zeros(2, dtype=type(p))


def after_arithmetic_of_two(c, n):
    return np.arange(3) + (either(c, n) * 2 + (1 if c else 0.5))


@pytest.mark.parametrize(
    "f",
    [
        full, int_array, after_arithmetic, made_array, summed, like, bool_or_int,
        asked_for_its_class, by_its_opposite, by_an_if, after_arithmetic_of_two,
    ],
)  # fmt: skip
def test_a_bool_that_decides_a_dtype_is_static(f):
    compiled = ingot.jit(f)
    for c in (True, False, np.True_, np.False_, True):
        assert_same(compiled(c, 3), f(c, 3))


def test_a_bool_that_decides_no_dtype_is_no_constant():
    compiled = ingot.jit(lambda c, n: np.ones(3) * either(c, n))
    compiled(True, 3)
    compiled(False, 3)
    assert len(compiled._compiled) == 1


def test_derivatives_where_a_bool_decides_a_dtype():
    def f(x, c):
        return np.sum(np.full(3, 2 if c else x[0]) * x)

    x = np.arange(1.0, 4.0)
    np.testing.assert_allclose(ingot.grad(f)(x, True), [2, 2, 2])
    np.testing.assert_allclose(ingot.grad(f)(x, False), [7, 1, 1])
    np.testing.assert_allclose(ingot.vmap(f, in_axes=(0, None))(x[None], True), [12])


def float_array(c, n):
    p = either(c, n)
    return np.ones(3) * p, np.ones(3, "f4") - p, np.ones(2) ** p, np.ones(3, complex) * p


def true_division(c, n):
    return np.arange(3) / either(c, n), either(c, n) / 2 * np.arange(3)


def comparison(c, n):
    p = either(c, n)
    return np.arange(3) < p, p == 1, bool(p), np.int8(3) > p, n <= p


def stored(c, n):
    a = np.arange(3)
    a[0] = either(c, n)
    b = np.zeros(2)
    b[1:] = either(c, n)
    b += either(c, n)
    return a, b


def array_with_a_float(c, n):
    return np.array([either(c, n), 1.0]), np.where(np.arange(3) > 1, either(c, n), 0.0)


def given_dtype(c, n):
    p = either(c, n)
    return np.full(2, p, float), np.array([p, 1], int), np.float32(p)


def converted(c, n):
    p = either(c, n)
    return np.full(2, float(p)), np.arange(2) * float(p), int(p), round(p), math.floor(p)


def in_functions(c, n):
    p = either(c, n)
    return np.sqrt(p), math.sqrt(p), np.linspace(0, p, 3), np.arange(3.0).clip(0, p)


def isinstance_of_both(c, n):
    return isinstance(either(c, n), (int, float))


def integers_as_index(c, n):
    i = 0 if c else np.arange(3)[1]
    return np.arange(5)[i]


def after_a_loop_that_runs(c, n):
    total = 0
    for i in range(20):
        total += 0.5 * n
    last = 0.5
    for i in range(20):
        last = i
    return np.full(2, total), np.arange(2) * last


def accumulated(c, n):
    x = np.arange(4.0)
    total = 0
    for i in range(n):
        total += x[i]
    return x * total, x / (total + 1)


def accumulated_narrow(c, n):
    x = np.arange(4, dtype="f4")
    total = 0.0
    for i in range(n):
        total += x[i]
    return x * total


@pytest.mark.parametrize(
    "f",
    [
        float_array, true_division, comparison, stored, array_with_a_float, given_dtype, converted,
        in_functions, isinstance_of_both, integers_as_index, after_a_loop_that_runs, accumulated,
        accumulated_narrow,
    ],
)  # fmt: skip
@pytest.mark.parametrize("c", [0, 1])
def test_what_is_the_same_on_both_paths_goes_on(f, c):
    assert_same(ingot.jit(f)(c, 3), f(c, 3))


@pytest.mark.parametrize("op", ["+", "-", "*", "//", "%", "**", "/"])
def test_arithmetic_keeps_what_is_undecided(op, compile_text):
    text = (
        "import numpy as np\n"
        f"def f(c, n):\n    return np.arange(2, dtype='i1') * ((0.5 if c else n) {op} 2)\n"
    )
    same_for(compile_text(text)["f"], [(0, 3), (1, 3)])


def test_the_kinds_are_named():
    def f(c, a):
        return np.array([a[0] if c else 1, a[0]], "i1"), np.array([a[0] if c else 1, 2])

    with pytest.raises(ingot.UnsupportedError, match=r"this number is int or np\.float32"):
        ingot.jit(f)(1, np.ones(1, "f4"))


def test_gradients_of_numbers_that_meet():
    def f(x):
        p = x[0] if x[1] > 0 else 2
        return (x * p).sum()

    for x in (np.array([3.0, 1.0]), np.array([3.0, -1.0])):
        p, d = (3.0, x.sum()) if x[1] > 0 else (2.0, 0.0)
        np.testing.assert_allclose(ingot.grad(f)(x), [p + d, p])


def escapes(c):
    z, n = 0j, 0
    while n < 20 and z.real * z.real + z.imag * z.imag < 4:
        z = z * z + c
        n += 1
    return n, z.real, np.imag(z)


@pytest.mark.parametrize("c", [0.1 + 0.2j, np.complex128(0.1 + 0.2j), 1, True])
def test_parts_of_numbers_that_meet(c):
    assert_same(ingot.jit(escapes)(c), escapes(c))


def test_parts_of_a_float_or_an_int():
    f = lambda c, n: (either(c, n).real * 1.0, either(c, n).imag + 0.5)  # noqa: E731
    for c in (True, False):
        assert_same(ingot.jit(f)(c, 3), f(c, 3))


def chosen(c, a, b):
    return a if c else b


def carried(c, a, b):
    for i in range(3):
        if i == 1 and c:
            a = b
    return a


NARROW = [
    (np.int8(1), 300), (np.uint8(1), -1), (np.int32(1), 2**40), (np.float16(1), 1e5),
    (np.float32(1), 1e300), (np.float32(0.1), 0.1), (np.complex64(1), 1e300j),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), NARROW)
def test_pythons_numbers_keep_their_digits_where_they_meet_numpys(a, b):
    others = [] if isinstance(b, complex) else [largest, last]
    for f in [chosen, carried, *others]:
        for c in (True, False):
            with np.errstate(over="ignore"):
                found, wanted = ingot.jit(f)(c, a, b), f(c, a, b)
            assert_same(found, wanted)


def largest(c, a, b):
    return max(b, a, a)


def last(c, a, b):
    return min([a, b])


def test_integers_that_do_not_fit_numpys_raise():
    f = lambda c, a, b: chosen(c, a, b) + a  # noqa: E731
    assert ingot.jit(f)(True, np.int8(1), 300) == 2
    with pytest.raises(OverflowError, match="out of bounds for int8"):
        ingot.jit(f)(False, np.int8(1), 300)
    g = lambda c, a, b: (chosen(c, a, b) < a, chosen(c, a, b) == 300)  # noqa: E731
    for c in (True, False):
        assert ingot.jit(g)(c, np.int8(1), 300) == g(c, np.int8(1), 300)


def root_sum(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            s += np.sqrt(x[i])
    return s


def root_sum_while(x):
    s, i = 0, 0
    while i < len(x) and x[i] > -1:
        s = s + np.sqrt(abs(x[i])) * x[i]
        i += 1
    return {"s": s, "more": [s * 2, x**2]}


@pytest.mark.parametrize("f", [root_sum, root_sum_while])
def test_jacobians_of_numbers_of_two_kinds(f):
    x = np.array([1.0, -0.5, 4.0])
    forward = ingot.jacfwd(f)
    second = ingot.jacfwd(forward)
    assert_same(ingot.jacrev(f)(x), forward(x))
    assert_same(ingot.hessian(f)(x), second(x))


def test_jacobians_of_jacobians_of_numbers_of_two_kinds():
    x, forward = np.array([1.0, -0.5]), ingot.jacfwd(root_sum)
    for twice in (ingot.jacrev(ingot.jacrev(root_sum)), ingot.jacrev(forward)):
        assert_same(twice(x), ingot.jacfwd(forward)(x))
    assert_same(ingot.vmap(ingot.jacrev(root_sum))(x[None]), forward(x)[None])


# What depends on the kind beyond the dtype of an array.


def divisor(c, n):
    return math.gcd(either(c, n), 4)


def root(c, n):
    return math.isqrt(either(c, n))


def truncated(c, n):
    return math.trunc(np.int64(n) if c else n)


def less(c, n):
    return (1j if c else n) < 3


def to_a_negative_power(c, n):
    return (np.float64(0.5) if c else np.int32(n)) ** -1


@pytest.mark.parametrize("f", [divisor, root, truncated, less, to_a_negative_power])
def test_kinds_that_decide_have_an_outcome_each(f):
    same_for(f, [(0, 2), (1, 2)])


def gathered(x):
    found = []
    for each in x:
        found.append(each * 2 if each > 1 else math.nan)
    return np.array(found)


def test_lists_of_pythons_numbers_and_narrow_ones_are_no_arrays(check):
    check(gathered, np.arange(20.0))
    for n in (3, 20):
        with pytest.raises(ingot.UnsupportedError, match=r"float or np\.float32"):
            ingot.jit(gathered)(np.arange(n, dtype=np.float32))


def wrapped(c, n):
    """A uint8 where c, else an int64."""
    return np.uint8(3) - (n if c else np.int64(n))


def test_integers_that_wrap_around_on_one_path(check):
    check(wrapped, False, 2)
    with pytest.raises(NotImplementedError, match=r"np\.int64 or np\.uint8"):
        ingot.jit(wrapped)(True, 5)


def real_part(c, n):
    return (np.int8(2) if c else n).real


def test_parts_keep_their_digits():
    assert ingot.jit(real_part)(False, 300) == 300


ITEMS = np.array([1.5, 2.5, -3.0])


def arithmetic_of_numbers_that_met(f):
    """An array of float32 times a number computed from what is Python's or NumPy's float."""

    def times(x, t):
        s = 2.0 if x[0] > t else x[0]
        return np.ones(2, np.float32) * f(s)

    return times


@pytest.mark.parametrize(
    "f",
    [lambda s: s * 2, lambda s: -s, lambda s: s + s, abs, lambda s: s % 3, lambda s: s**2],
    ids=["product", "negative", "sum", "abs", "remainder", "power"],
)
def test_arithmetic_keeps_the_kinds(f):
    """`s * 2` is Python's where s is, so its product with a float32 array may be one of float32."""
    same_for(arithmetic_of_numbers_that_met(f), [(ITEMS, 100), (ITEMS, -100)])


def run_through(x, t):
    """The range of the items; both bounds are Python's integers at first."""
    low = high = 0
    for v in x:
        if v > high:
            high = v
        if v < low:
            low = v
    return high > low, high == low, high - low, high


def compared(x, t):
    a = 1 if x[2] > t else x[0]
    b = 2 if x[2] > t else x[1]
    return a < b, a >= b, a != b, max(a, b)


@pytest.mark.parametrize("f", [run_through, compared])
def test_comparisons_of_two_numbers_that_met(check, f):
    check(f, ITEMS, 100)


def inverted(x, t):
    done = False if x[0] > t else x[0] < 2
    return ~done


def added(x, t):
    done = True if x[0] > t else x[0] < 2
    return done + done


def inverted_comparison(x, t):
    s = 2.0 if x[0] > t else x[0]
    return ~(s < 3)


def inverted_tuples(x, t):
    return ~((x[0], t) < (x[0], 4))


@pytest.mark.parametrize("f", [inverted, added, inverted_comparison, inverted_tuples])
def test_bools_are_integers_to_python_only(f):
    same_for(f, [(ITEMS, 3), (ITEMS, 1), (-ITEMS, -3)])


def mean_above(x, t):
    total, n = 0.0, 0
    for v in x:
        if v > t:
            total += v
            n += 1
    return total / n


def test_division_by_zero_of_numbers_that_met(check):
    """Python's float raises, NumPy's gives NaN: which one the mean of no items is, is not known."""
    check(mean_above, ITEMS, 0)
    with pytest.raises(NotImplementedError, match=r"float or np\.float64.*test for zero"):
        ingot.jit(mean_above)(ITEMS, 100)


def test_tuples_compare_as_their_first_different_items(check):
    check(lambda x, t: ((x[0], 1) < (x[1], 2), (x[0], 1) == (x[1], 1), (t, 1) < (t, 2)), ITEMS, 3)
    check(lambda x, t: 5 if (x[0], t) <= (x[1], 2) else 6, ITEMS, 3)


def compared_with_a_narrow_number(x, t):
    return np.float32(0.1) == (0.1 if x[0] > t else np.float64(0.1))


def compared_with_a_narrow_array(x, t):
    return x.astype(np.float32) < (0.1 if x[0] > t else x[0])


@pytest.mark.parametrize("f", [compared_with_a_narrow_number, compared_with_a_narrow_array])
def test_comparisons_of_two_precisions(f):
    """NumPy rounds Python's 0.1 to float32 for this, and widens float32 beside an np.float64."""
    same_for(f, [(ITEMS, 0), (ITEMS, 30)])


def greatest(x, t):
    best = 0.0
    for v in x:
        if v > best:
            best = v
    return best > 1, best < 3, x < best


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_comparisons_of_one_precision(check, dtype):
    check(greatest, ITEMS.astype(dtype), 0)


def of_python_or_numpy(x):
    """A `float` or an np.float64: the same as arrays."""
    return 0.0 if x[0] > 1 else np.log(x[0])


def counted(x):
    """An `int` or an np.int64."""
    return 3 if x[0] > 1 else np.argmax(x)


SAME_AS_ARRAYS = {
    "sum": lambda x: np.sum(of_python_or_numpy(x)),
    "mean, max": lambda x: np.mean(of_python_or_numpy(x)) + np.max(of_python_or_numpy(x)),
    "cumsum": lambda x: np.cumsum(of_python_or_numpy(x)),
    "atleast_1d": lambda x: np.atleast_1d(of_python_or_numpy(x)),
    "stack": lambda x: np.stack([of_python_or_numpy(x), x[1]]),
    "concatenate": lambda x: np.append(x, of_python_or_numpy(x)),
    "full": lambda x: np.full(3, of_python_or_numpy(x)),
    "full_like": lambda x: np.full_like(of_python_or_numpy(x), 2),
    "dot": lambda x: np.dot(of_python_or_numpy(x), x),
    "dot of float32": lambda x: np.dot(of_python_or_numpy(x), np.ones(2, np.float32)),
    "sum of ints": lambda x: np.sum(counted(x)) + np.prod(counted(x)),
    "full of ints": lambda x: np.full(2, counted(x)),
}


@pytest.mark.parametrize("name", SAME_AS_ARRAYS)
def test_numbers_that_are_the_same_arrays(name):
    f = SAME_AS_ARRAYS[name]
    compiled = ingot.jit(f)
    for x in (np.array([0.5, 2.0]), np.array([1.5, 2.0])):
        assert_same(compiled(x), f(x))


def zero_or_root(x):
    return 0 if x[0] < 0 else np.sqrt(x[0])


@pytest.mark.parametrize("f", [
    lambda x: np.r_[zero_or_root(x), x], lambda x: np.append(x, zero_or_root(x)),
    lambda x: np.concatenate([[zero_or_root(x), 2], x[1:]]),
    lambda x: np.hstack([x, zero_or_root(x)]), lambda x: np.stack([zero_or_root(x), x[0]]),
    lambda x: np.concatenate([x[x > 1], [zero_or_root(x)]]),
    lambda x: np.result_type(zero_or_root(x), x),
])  # fmt: skip
def test_what_joins_with_arrays_of_their_own_dtype_does_not_decide(check, f):
    for first in (2.25, -2.0):
        check(f, np.array([first, 1.5]))
    narrow = np.array([2.25, 1.5], np.float32)
    for first in (2.25, -2.0):
        check(lambda x, y: np.r_[zero_or_root(x), y], np.array([first]), narrow)


def many_of_either_kind(x):
    return np.array([0.5 if v > 0 else 1 for v in x])


def many_of_three_kinds(x):
    return np.array([0.5 if v > 0 else np.float64(2.0) if v < -1 else 1.5 for v in x])


def test_arrays_of_many_numbers_that_met():
    x = np.random.default_rng(0).normal(size=60)
    with pytest.raises(ingot.UnsupportedError, match="depend"):
        ingot.jit(many_of_either_kind)(x)
    assert_same(ingot.jit(many_of_three_kinds)(x), many_of_three_kinds(x))


def powers_up_to_a_bound(x, counts):
    s = 0.0
    for k in counts:
        s += np.sum(x ** np.arange(min(k, 10) + 1)) + np.sum(np.arange(min(k, 10) - -3))
    return s


def test_bounds_of_numbers_that_met():
    counts = np.array([0, 3, 7, 12])
    compiled = ingot.jit(powers_up_to_a_bound)(0.5, counts)
    assert_same(compiled, powers_up_to_a_bound(0.5, counts))


def inverted(c, n):
    return ~either(c, n)


def masked_by_one(c, n):
    return either(c, n) & 1


@pytest.mark.parametrize("f", [inverted, masked_by_one])
def test_an_operator_that_one_kind_lacks_is_raised_on_its_path(f):
    compiled = ingot.jit(f)
    a = np.array([1.0])
    for c in (False, True):

        def call(g, c=c):
            try:
                return g(a[0] > (0 if c else 2), 3)
            except TypeError as error:
                return str(error)

        assert call(compiled) == call(f)
