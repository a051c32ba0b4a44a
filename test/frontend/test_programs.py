"""Whole programs against NumPy: control flow, mutation, aliases, scalars."""

import functools

import numpy as np
import pytest

import ingot
from oracle import assert_same

GLOBAL = 3.0
TABLE = np.array([10.0, 20.0, 30.0])


def helper(x, scale=2.0, *rest, shift=0.0):
    return x * scale + shift + len(rest)


def countdown(n):
    total = 0
    while n > 0:
        if n % 3 == 0:
            n -= 2
            continue
        total += n
        n -= 1
    return total, n


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def find(a, x):
    for i in range(len(a)):
        if a[i] == x:
            return i
    return -1


def find_else(a, x):
    where = -1
    for i in range(a.shape[0]):
        if a[i] == x:
            where = i
            break
    else:
        where = -100
    return where


def nested_breaks(a):
    count = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] < 0:
                break
            if a[i, j] > 5:
                continue
            count += 1
    return count


def mandelbrot(re, im, limit):
    z = 0j
    c = complex(1) * re + 1j * im
    n = 0
    while abs(z) <= 2 and n < limit:
        z = z * z + c
        n += 1
    return n


def elifs(x):
    if x < -1:
        y = -1.0
    elif x > 1:
        y = 2.5
    elif x == 0:
        return 0.0
    else:
        y = x
    return y * 2


def aliases(a):
    b = a
    c = a[1:]
    c[0] = 100.0
    d = c[::-1]
    d[0] = -5.0
    b += 1
    return a, c, d


def views_of_views(a):
    row = a.T[1]
    row[2] = 9.0
    flat = a.reshape(-1)
    flat[0] = -1.0
    block = a[1:, 1:]
    block *= 2
    return a.sum()


def swap(a, b, n):
    a = a * 1.0
    b = b * 1.0
    for _ in range(n):
        a, b = b, a
        a[0] += 1
    return a, b


def ping_pong(x, n):
    y = np.zeros_like(x)
    for _ in range(n):
        y[1:] = x[:-1] + 1
        x = y * 0.5
    return x


def updated_by_helper(a):
    def bump(v, i):
        v[i] += 10

    for i in range(len(a)):
        bump(a, i)


def scalars(x, n):
    t = (x, n)
    x, n = t[1], t[0]
    x += 1
    return x * n, x // 2, n / 4, -x, x % 3, 2**x, divmod(x, 4), x > 1 and n < 100


def recursion(n):
    def fact(k):
        return 1 if k == 0 else k * fact(k - 1)

    return fact(5) * n


def comprehension(xs):
    return [x * 2 for x in xs if x.ndim == 1], sum(x.sum() for x in xs)


def reads_globals(i):
    return GLOBAL * TABLE[i] + TABLE.sum()


def over_rows(m):
    total = np.zeros(m.shape[1])
    for row in m:
        total += row * row[0]
    for k, v in enumerate(m[0]):
        total[k] -= v
    for x, y in zip(m[0], m[1]):
        total += x * y
    return total


def negative_steps(a, n):
    s = 0.0
    for i in range(n, -1, -2):
        s = s * 2 + a[i]
    for i in reversed(range(n)):
        s -= a[-i - 1]
    return s


def append_in_static_loop(x):
    parts = []
    for k in range(4):
        parts.append(x * k)
    return np.concatenate(parts)


def out_arguments(a, b):
    c = np.empty_like(a)
    np.add(a, b, out=c)
    np.multiply(c, 2, c)
    np.copyto(b, c)
    c.fill(3)
    return c


def fancy_store(a, i):
    a[i] = 7.0
    a[[0, 1]] = a[[1, 0]]
    return a[i] + 1


def masks(a, b):
    a[a < 0] = 0
    b[a > 1] += 10
    return np.where(a > b, a, b)


def slices_at_run_time(a, k):
    s = 0.0
    for i in range(a.shape[0] - 3):
        s += a[i : i + 3].sum() * a[i + 1 : i + 4][k]
    return s


def first_assigned_in_loop(a):
    for i in range(len(a)):
        last = a[i] * 2
    return last, i


def state_machine(a):
    state, count, flag = 0, 0, False
    for i in range(a.shape[0]):
        if state == 0:
            if a[i] > 0:
                state = 1
                flag = True
        elif state == 1:
            if a[i] < 0:
                state = 0
                count += 1
    return state, count, flag


def tuple_state(n):
    s = (0.5, 1.0)
    for i in range(n):
        s = (s[1] + i, s[0])
    return s


def while_with_index(a):
    i = 0
    while i < len(a) and a[i] > 0:
        i += 1
    return i


def zero_d(a):
    b = a
    b += 1
    return a


def unchanged_alias(x, c):
    y = x
    if c > 0:
        x = x + 1
    return x, y


def rebound_after_alias(x):
    y = x
    y = y + 1
    y[0] = 5
    return x, y


def view_outlives_rebinding(x):
    z = x[::2]
    x = x * 2
    z[0] = 9
    return x, z


def list_of_arrays_in_loop(x, n):
    ys = [x, x * 2]
    for i in range(n):
        ys[0][1] += 1
    return ys


def closure_stores(x):
    def inner():
        x[0] = 4
        return x.sum()

    return inner() + x[0]


def swap_elements(x, i):
    x[i], x[i + 1] = x[i + 1], x[i]
    return x


def return_from_nested_loops(x):
    for i in range(5):
        for j in range(5):
            if x[i] + j > 6:
                return i, j
    return -1, -1


def overlapping_slices(a):
    a[1:] = a[:-1]
    return a


def reversed_view_of_itself(a):
    a[::-1] += a
    return a


def reshape_that_copies(a):
    b = a.reshape(2, 3).T.reshape(-1)
    b[0] = 99
    return a, b


def newaxis_views(a):
    b = a[None, :, None]
    b[0, 2, 0] = 3
    b += 1
    return a


def masked_updates(x):
    m = x > 0
    x[m] *= -1
    x[~m] = 100
    return x


def integer_in_place(a):
    a //= 2
    a %= 3
    a **= 2
    a <<= 1
    return a


def endless_while(x, n):
    i = 0
    while True:
        i += 1
        if i * x > n:
            return i


def element_is_a_copy(a, n):
    for i in range(n):
        b = a[i]
        b += 1
        a[i] = b * 2
    return a


def row_is_a_view(m):
    for i in range(10):
        row = m[i]
        row += i
    return m


def scalar_read_before_store(a):
    t = a[0]
    a[0] = 50
    return t, a


def slice_read_after_store(a):
    t = a[0:1]
    a[0] = 50
    return t + 0


def counting_down(x, n):
    total = 0.0
    for i in range(n, 0, -1):
        total = total * 0.5 + x[i - 1]
    return total


def widening_with_memory(alpha, image):
    y = np.empty_like(image)
    y[:, 0] = alpha * image[:, 0]
    t = 0
    for j in range(1, image.shape[1]):
        t = t + alpha * j
        y[:, j] = image[:, j] + t * y[:, j - 1]
    for j in range(image.shape[1] - 2, -1, -1):
        for k in range(3):
            for m in range(12):
                t = t * 0.5 + m
                y[k, j] += t
    return y


def conditions_with_checks(a):
    i = total = 0
    while a[i] < 5:
        j = i
        while a[j] < 0:
            total += a[j]
            j += 1
        i += 1
    return i, total


PROGRAMS = [
    (countdown, 10), (collatz, 27), (find, np.arange(20), 13), (find, np.arange(20), 99),
    (find_else, np.arange(30.0), 4.0), (find_else, np.arange(30.0), -4.0),
    (nested_breaks, np.arange(-6.0, 30).reshape(6, 6) % 9 - 1), (mandelbrot, -0.5, 0.5, 50),
    (mandelbrot, 1.0, 1.0, 50), (elifs, -3.0), (elifs, 3.0), (elifs, 0.0), (elifs, 0.5),
    (aliases, np.arange(5.0)), (views_of_views, np.arange(12.0).reshape(3, 4)),
    (swap, np.zeros(3), np.ones(3), 3), (swap, np.zeros(3), np.ones(3), 4),
    (ping_pong, np.arange(9.0), 5), (updated_by_helper, np.arange(20.0)), (scalars, 3, 7),
    (scalars, 3.5, 7), (recursion, 2), (recursion, np.arange(3)),
    (comprehension, [np.arange(3.0), np.ones((2, 2))]), (reads_globals, 1), (reads_globals, -1),
    (over_rows, np.arange(30.0).reshape(10, 3)), (negative_steps, np.arange(20.0), 11),
    (append_in_static_loop, np.arange(3)), (out_arguments, np.arange(3.0), np.ones(3)),
    (fancy_store, np.arange(5.0), np.array([3, -1])), (masks, np.arange(-3.0, 4), np.arange(7)),
    (slices_at_run_time, np.arange(30.0), 1), (first_assigned_in_loop, np.arange(20.0)),
    (state_machine, np.sin(np.arange(40.0))), (tuple_state, 12),
    (while_with_index, np.arange(20.0) * -1 + 7), (while_with_index, np.ones(20)),
    (zero_d, np.array(3.0)), (unchanged_alias, np.arange(3.0), 1), (unchanged_alias, np.arange(3.0), -1),
    (rebound_after_alias, np.arange(3.0)), (view_outlives_rebinding, np.arange(4.0)),
    (list_of_arrays_in_loop, np.arange(3.0), 12), (closure_stores, np.arange(3.0)),
    (swap_elements, np.arange(5.0), 1), (return_from_nested_loops, np.arange(5)),
    (return_from_nested_loops, np.arange(5) - 9), (overlapping_slices, np.arange(5)),
    (reversed_view_of_itself, np.arange(5)), (reshape_that_copies, np.arange(6)),
    (newaxis_views, np.arange(4.0)), (masked_updates, np.arange(5.0) - 2),
    (integer_in_place, np.arange(9)), (endless_while, 3, 100), (element_is_a_copy, np.arange(12.0), 12),
    (row_is_a_view, np.zeros((10, 3))), (scalar_read_before_store, np.arange(3.0)),
    (slice_read_after_store, np.arange(3.0)), (counting_down, np.arange(20.0), 15),
    (widening_with_memory, 0.25, np.arange(60.0).reshape(3, 20)), (conditions_with_checks, np.arange(20) - 9),
]  # fmt: skip


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: f"{case[0].__name__}{case[1:]!r:.40}")
def test_program(check, case):
    function, *args = case
    check(function, *args)


def test_returned_argument_is_the_argument():
    def same(a):
        a[0] = 1
        return a

    a = np.zeros(3)
    assert ingot.jit(same)(a) is a


def test_results_can_be_changed():
    result = ingot.jit(lambda x: x + 1)(np.zeros(3))
    result[0] = 5
    assert result[0] == 5


def test_globals_are_read_at_each_call(monkeypatch):
    f = ingot.jit(reads_globals)
    before = f(0)
    monkeypatch.setitem(globals(), "GLOBAL", 5.0)
    assert f(0) == before + 20
    TABLE[0] += 1
    try:
        assert f(0) == reads_globals(0)
    finally:
        TABLE[0] -= 1


def test_methods_and_partials():
    class Model:
        def __init__(self):
            self.w = np.arange(3.0)

        @ingot.jit
        def predict(self, x):
            return self.w @ x

    assert Model().predict(np.ones(3)) == 3.0
    assert_same(
        ingot.jit(helper)(np.ones(2), 3.0, 1, shift=1.0), helper(np.ones(2), 3.0, 1, shift=1.0)
    )
    part = functools.partial(helper, shift=4.0)
    assert_same(ingot.jit(lambda x: part(x))(np.ones(2)), part(np.ones(2)))


def test_scalars_do_not_recompile():
    f = ingot.jit(countdown)
    assert [f(n) for n in (3, 5, 9)] == [countdown(n) for n in (3, 5, 9)]
    assert len(f._compiled) == 1


def test_a_scalar_needed_as_a_shape_specialises_once(caplog):
    def grow(n, scale):
        return np.zeros(n) + scale

    f = ingot.jit(grow)
    with caplog.at_level("INFO", logger="ingot"):
        assert [f(n, 2.0).shape for n in (2, 3, 2)] == [(2,), (3,), (2,)]
    assert len(f._compiled) == 2
    assert len([r for r in caplog.records if "compile time" in r.message]) == 1
    f(2, 3.5)
    assert len(f._compiled) == 2


def test_static_parameters():
    def power(x, n):
        for _ in range(n):
            x = x * x
        return x

    f = ingot.jit(power, static=("n",))
    assert f(2.0, 3) == power(2.0, 3)
    assert "ingot.for" not in f.lower(2.0, 3).ir()


def test_compile_time_grows_linearly_with_nesting():
    visits = []
    for depth in (5, 10):
        lines = ["def f(a):", " s = 0"]
        for d in range(depth):
            lines.append(" " * (d + 1) + f"for i{d} in range(20):")
        lines.append(" " * (depth + 1) + "s = s + a[i0] * 0.5")
        lines.append(" return s")
        visits.append(_body_visits("\n".join(lines)))
    assert visits[1] <= 2 * visits[0] + 2


def _body_visits(text):
    import linecache

    from ingot.syntax.loops import Loops

    name = f"<nest {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"__name__": "nest"}
    exec(compile(text, name, "exec"), namespace)
    count = 0
    original = Loops._attempt_for

    def counted(self, *args):
        nonlocal count
        count += 1
        return original(self, *args)

    Loops._attempt_for = counted
    try:
        ingot.jit(namespace["f"]).lower(np.zeros(20))
    finally:
        Loops._attempt_for = original
    return count


RAVELLED = ["a[:2]", "a[1]", "a[:, 1]", "a.T", "a[None]", "a[:, :1]", "a[1:2, 1:3]", "a[:1, ::2]",
            "np.flip(a)", "a[::2]", "a[::-1]", "a[::-1][:1]", "a[:1].T", "a[:, 1:2].T", "a.reshape(-1)[::2]",
            "a.reshape(2, 6)[1]"]  # fmt: skip


@pytest.mark.parametrize("function", ["ravel", "reshape"])
@pytest.mark.parametrize("view", RAVELLED)
def test_ravel_copies_what_is_not_contiguous(check, compile_text, view, function):
    """reshape gives a view wherever strides can express it, ravel only of what is contiguous."""
    flat = "ravel()" if function == "ravel" else "reshape(-1)"
    source = f"def f(a):\n    b = {view}.{flat}\n    b[...] = 7\n    return b\n"
    check(compile_text(source)["f"], np.arange(12.0).reshape(3, 4))


def test_order_a_of_what_fortran_would_store():
    def flat(a):
        return a.T.reshape(-1, order="A"), a[:, ::2].reshape(-1, order="A"), a.ravel("A")

    a = np.arange(6.0).reshape(2, 3)
    for found, expected in zip(ingot.jit(flat)(a), flat(a)):
        np.testing.assert_array_equal(found, expected)
