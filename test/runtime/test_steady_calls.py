"""Programs of XLA's whose calls need neither a thread nor copies of what they don't read."""

import numpy as np
import pytest

import ingot
from arrays import placed
from calls import Calls
from ingot_runtime import buffers, hlo
from oracle import assert_same

RNG = np.random.default_rng(0)
A, B = RNG.random((8, 8)) + 8 * np.eye(8), RNG.random(8)
#: Far more bytes than are staged.
LARGE = np.arange(100_000.0)


def heat(u):
    for _ in range(50):
        u = u + 0.1 * (np.roll(u, 1) - u)
    return u


def halved(x):
    n = 0
    while x > 1:
        x, n = x / 2, n + 1
    return n


def solved(a, b):
    return np.linalg.solve(a, b)


def with_kernel(a, b):
    return np.sin(np.linalg.solve(a, b)) + np.arange(8)


def eigenvalues(a):
    return np.linalg.eigvalsh(a + a.T)


def in_branch(a, b):
    if b[0] > 0:
        return np.linalg.solve(a, b)
    return b


def calling_back(x):
    return ingot.callback(np.sin, x, x)


def executable(f, *args, **options):
    return ingot.jit(f, native=False, **options).lower(*args).compile().executable


def text(f, *args, **options):
    found = executable(f, *args, **options)._loaded.hlo_modules()
    return "".join(module.to_string() for module in found)


@pytest.mark.parametrize(
    "f, args, expected",
    [
        (heat, (B,), True),
        (solved, (A, B), True),
        (lambda a, b: a @ a @ b, (A, B), True),
        (np.sort, (LARGE,), True),
        (halved, (1e9,), False),
        (eigenvalues, (A,), False),
        (in_branch, (A, B), False),
        (calling_back, (B,), False),
    ],
)
def test_what_the_values_of_arguments_hardly_slow_down(f, args, expected):
    assert hlo.is_steady(text(f, *args, checks=False)) == expected


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("f, args", [(heat, (B,)), (solved, (A, B)), (with_kernel, (A, B))])
def test_what_was_quick_needs_no_thread(f, args, native):
    calls = Calls(f, native=native, checks=False)
    found = [calls(*args), calls(*args)]
    assert calls.was_direct
    assert_same(*found)
    np.testing.assert_allclose(found[0], f(*args))


def slow(x):
    for _ in range(20_000_000):
        x = np.sin(x) * 1.5
    return x


@pytest.mark.parametrize("f, args", [(slow, (B,)), (halved, (1e9,)), (eigenvalues, (A,))])
def test_what_was_slow_or_may_be_stays_on_a_thread(f, args):
    calls = Calls(f, native=False, checks=False)
    calls(*args)
    calls(*args)
    assert not calls.was_direct


def unread(f, *args):
    return executable(f, *args)._unread


def test_which_inputs_are_read():
    assert unread(lambda x, y: np.ones_like(x) * y[0], A, B) == {0}
    assert unread(lambda x, y: x + y, B, B) == set()
    assert unread(lambda x: x.copy(), B) == set()
    assert unread(ingot.grad(lambda x, y: np.sum(x + y)), LARGE, LARGE) == {0}


def filled(x, out):
    out[:] = x * 2
    return np.zeros(x.shape)


FORMS = {
    "aligned": placed(LARGE), "unaligned": placed(LARGE, 16), "backward": LARGE[::-1],
    "broadcast": np.broadcast_to(1.5, LARGE.shape),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_what_is_not_read_is_not_copied(form, monkeypatch):
    calls = Calls(lambda x, y: np.zeros_like(x) + y, native=False)
    calls.same(FORMS[form], 2.0)
    monkeypatch.setattr(buffers, "_staged_copy", None)
    monkeypatch.setattr(buffers, "copied_by_xla", None)
    for number in range(3):
        calls.same(FORMS[form], float(number))
    assert calls.was_direct or form == "broadcast"


def test_what_is_stored_to_and_not_read_is_stored_to():
    calls = Calls(filled, native=False)
    for number in range(3):
        out, expected = np.full(8, np.nan), np.full(8, np.nan)
        calls(B + number, out)
        filled(B + number, expected)
        assert_same(out, expected)
    assert calls.was_direct


def test_arguments_that_are_not_read_still_have_a_type():
    calls = Calls(lambda x, y: x.shape[0] * y, native=False)
    for size in (3, 5, 3):
        calls.same(np.ones(size), 2.0)
