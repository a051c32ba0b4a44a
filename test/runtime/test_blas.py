"""The threads of BLAS while programs of small factorisations run."""

import threading

import numpy as np
import pytest

import ingot
from ingot_runtime import blas


def factor(a, b):
    return np.linalg.qr(a)[0] @ b


def is_for_one_thread(f, *args):
    executable, *_ = ingot.jit(f, native=False).lower(*args).compile().variant
    return executable._is_for_one_thread


def matrix(n):
    return np.random.default_rng(0).random((n, n)) + n * np.eye(n)


@pytest.mark.parametrize(
    "f, n, expected",
    [
        (factor, 40, True), (factor, 300, False), (lambda a, b: a @ b, 40, False),
        (lambda a, b: np.linalg.eigh(a), 40, False), (lambda a, b: a + b, 40, False),
        (lambda a, b: np.linalg.qr(a)[0] @ np.tile(b, 6), 100, True),
        (lambda a, b: np.linalg.qr(a)[0] @ np.tile(b, 6), 250, False),
    ],
)  # fmt: skip
def test_which_programs(f, n, expected):
    assert is_for_one_thread(f, matrix(n), matrix(n)) == expected


def test_many_small_matrices_are_small():
    many = np.stack([matrix(9)] * 2000)
    assert is_for_one_thread(np.linalg.qr, many)


@pytest.fixture
def two():
    """The numbers of threads, two of each library however many cores there are."""
    before = blas.counts()
    assert before, "there is no OpenBLAS"
    blas.set_counts([2] * len(before))
    yield [2] * len(before)
    blas.set_counts(before)


SEEN = []


def see():
    SEEN.append(blas.counts())


def test_counts_come_back(two):
    def f(a, b):
        q, r = np.linalg.qr(a)
        ingot.debug.callback(see)
        return q @ r - b

    SEEN.clear()
    a = matrix(20)
    np.testing.assert_allclose(ingot.jit(f)(a, a), np.zeros((20, 20)), atol=1e-12)
    assert SEEN == [[1] * len(two)]
    assert blas.counts() == two


def test_counts_come_back_after_errors(two):
    with pytest.raises(np.linalg.LinAlgError):
        ingot.jit(lambda a, b: np.linalg.solve(np.linalg.qr(a)[1], b))(np.zeros((9, 9)), matrix(9))
    assert blas.counts() == two


def test_calls_in_threads_share_the_limit(two):
    inside, leave = threading.Barrier(3), threading.Barrier(3)

    def stay():
        with blas.ONE_THREAD:
            inside.wait()
            leave.wait()

    threads = [threading.Thread(target=stay) for _ in range(2)]
    for each in threads:
        each.start()
    inside.wait()
    with blas.ONE_THREAD:
        assert blas.counts() == [1] * len(two)
    assert blas.counts() == [1] * len(two)
    leave.wait()
    for each in threads:
        each.join()
    assert blas.counts() == two
