"""Functions of NumPy and SciPy in the body of a `try` whose handlers would catch what they raise."""

import numpy as np
import pytest
import scipy.linalg
from plain import Programs, same_for

import ingot

programs = Programs()
X = np.array([0.5, -1.0, 2.0, 0.25, 3.0, -2.0])
A = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]])
SINGULAR = np.ones((3, 3))
NANS = A * np.nan


@programs((A,), (SINGULAR,))
def inverse_or_reciprocal(a):
    try:
        k = np.linalg.inv(a)
    except:  # noqa: E722
        k = 1.0 / a
    return k


@programs((A,), (SINGULAR,))
def any_of_matrices(a):
    b = a[0].copy()
    found = []
    try:
        found.append(np.linalg.solve(a, b))
    except Exception:
        found.append(b)
    try:
        found.append(np.linalg.slogdet(a)[1])
    except Exception:
        found.append(np.float64(1.0))
    try:
        found.append(np.linalg.eigvals(a).real.sum())
    except (ValueError, IndexError):
        found.append(np.float64(0.0))
    try:
        found.append(np.linalg.lstsq(a, b)[0].sum())
    except Exception:
        found.append(np.float64(2.0))
    try:
        found.append(np.linalg.svd(a)[1].max())
    except np.linalg.LinAlgError:
        found.append(np.float64(3.0))
    return found


@programs((A,), (-A,), (NANS,))
def eigenvalues_of_numbers(a):
    try:
        return np.linalg.eigvals(a).real.sum()
    except np.linalg.LinAlgError:
        return np.float64(-1.0)


@programs((A,), (SINGULAR,), (NANS,))
def of_scipy(a):
    try:
        return scipy.linalg.inv(a)
    except ValueError:
        return a * 0.0
    except np.linalg.LinAlgError:
        return a * 0.0 + 7.0


@programs(
    (X, X * X),
)
def fitted(x, y):
    """The rules of these functions for derivatives raise nothing that a handler sees."""
    try:
        return np.polyfit(x, y, 2), np.linalg.pinv(x[:, None])
    except Exception:
        return x[:3] * 0.0, x[None] * 0.0


@programs((X, 0.3), (X, 1.5))
def quantile(x, q):
    try:
        return np.quantile(x, q)
    except ValueError:
        return np.float64(-1.0)


@programs((X, X * X), (X, X * 0.0))
def weighted(x, w):
    try:
        return np.average(x, weights=w)
    except ZeroDivisionError:
        return x.mean()


@programs((X,), (X * np.nan,), (X * np.inf,))
def counted(x):
    try:
        return np.histogram(x, 4)[0].sum()
    except ValueError:
        return np.int64(-1)


@programs((X,), (X * np.nan,))
def best(x):
    try:
        return np.nanargmax(x)
    except Exception:
        return np.int64(-1)


@programs((X, 2.0), (X, 2.5))
def position(x, item):
    try:
        return x.tolist().index(item)
    except ValueError:
        return -1


@programs((2.5,), (np.inf,), (np.nan,), (-np.inf,), (-1e18,))
def whole(v):
    try:
        return int(v)
    except (ValueError, OverflowError):
        return -1


@programs((X, 1), (X, 4), (X, 5), (X, -2))
def part(x, i):
    """A slice of one length, which NumPy ends at the end of the array."""
    try:
        return (x[i : i + 3] * 2.0).sum()
    except IndexError:
        return np.float64(-1.0)


@programs((3,), (-1,))
def power(n):
    try:
        return 2**n
    except ValueError:
        return 5


@programs((2.0, 2.0), (-8.0, 0.5), (-8.0, 2.0))
def power_of_floats(x, p):
    try:
        return x**p
    except ValueError:
        return 5.0


@pytest.mark.parametrize("f, cases", programs)
def test_same(f, cases):
    same_for(f, cases)


def test_floats_beyond_64_bits_pass_the_handlers():
    with pytest.raises(OverflowError, match="a float beyond 64 bits"):
        ingot.jit(whole)(1e30)


def test_derivatives_and_batches():
    inverse = ingot.grad(lambda a: inverse_or_reciprocal(a).sum())(A)
    np.testing.assert_allclose(inverse, ingot.grad(lambda a: np.linalg.inv(a).sum())(A))
    stack = np.stack([A, SINGULAR])
    expected = [inverse_or_reciprocal(a) for a in stack]
    np.testing.assert_allclose(ingot.vmap(inverse_or_reciprocal)(stack), expected)
