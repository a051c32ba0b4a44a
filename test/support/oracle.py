"""What it means to agree with NumPy."""

import contextlib
import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ingot_runtime.trees import flatten


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without NumPy's warnings, which compiled code does not give."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def outcome(f: Callable[..., Any], *args: Any) -> Any:
    """What a call gives, or the exception in its place."""
    try:
        with quiet():
            return f(*args)
    except Exception as error:
        return error


def leaves_of(value: Any) -> list[Any]:
    """The leaves of a tree, in order."""
    found: list[Any] = []
    flatten(value, found, alone=True)
    return found


def moved(args: Sequence[Any], tangents: Sequence[Any], step: float) -> list[Any]:
    """Arguments a step along their tangents; those that are no floats are copied."""
    return [
        a + step * t if np.asarray(a).dtype.kind in "fc" else copy.copy(a)
        for a, t in zip(args, tangents, strict=True)
    ]


def directions(args: Sequence[Any], seed: int = 1) -> tuple[Any, ...]:
    """Random tangents: of arrays and floats, and 0 for what has none."""
    random = np.random.default_rng(seed)
    return tuple(
        random.normal(size=np.shape(a)) if isinstance(a, np.ndarray)
        else float(random.normal()) if isinstance(a, float) else 0
        for a in args
    )  # fmt: skip


def central(f: Callable[..., Any], args: Sequence[Any], tangents: Any, step: float = 1e-6) -> Any:
    """The directional derivative by central differences of NumPy's values."""
    ahead, behind = (f(*moved(args, tangents, each)) for each in (step, -step))
    return (ahead - behind) / (2 * step)


def assert_same(actual: Any, expected: Any, rtol: float = 1e-12) -> None:
    """Same types, dtypes, shapes and values."""
    if isinstance(expected, (tuple, list)):
        assert type(actual) is type(expected)
        assert len(actual) == len(expected)
        for a, e in zip(actual, expected, strict=True):
            assert_same(a, e, rtol)
        return
    if isinstance(expected, dict):
        assert list(actual) == list(expected)
        for key in expected:
            assert_same(actual[key], expected[key], rtol)
        return
    assert type(actual) is type(expected), (type(actual), type(expected))
    if not isinstance(expected, (np.ndarray, np.generic, int, float, complex)):
        assert actual == expected
        return
    a, e = np.asarray(actual), np.asarray(expected)
    assert a.dtype == e.dtype, (a.dtype, e.dtype)
    assert a.shape == e.shape, (a.shape, e.shape)
    if e.dtype.kind in "biu":
        np.testing.assert_array_equal(a, e)
        return
    loose = {2: 2e-3, 4: 2e-6}.get(np.real(e).dtype.itemsize, rtol)
    scale = np.max(np.abs(e[np.isfinite(e)]), initial=0.0)
    np.testing.assert_allclose(a, e, rtol=loose, atol=loose * float(scale))
