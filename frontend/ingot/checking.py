"""`check_grads`: derivatives compared with finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ingot.autodiff import _derived, jvp, vjp
from ingot_runtime.trees import flatten, rebuild


def check_grads(
    f: Callable[..., Any],
    args: tuple,
    order: int = 2,
    *,
    rtol: float = 1e-5,
    atol: float = 1e-6,
    step: float = 1e-6,
    forward: bool = True,
) -> None:
    """Compare a function's derivatives with finite differences.

    In a random direction, forward mode must agree with the central difference, and reverse mode
    must be the transpose of forward mode. A higher order checks the pullback in the same way.

    Args:
        f: a Python function, a compiled function or a transformed one.
        args: the tuple of its arguments; leaves that are not floating or complex are constant.
        order: the highest order of derivatives to check; 2 checks first and second derivatives.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        step: half the distance between the two points of a central difference, in units of the
            arguments.
        forward: whether to check forward mode; False for functions with a `custom_vjp`.

    Raises:
        AssertionError: the derivatives differ; the message shows the values.

    Example:
        >>> def f(x):
        ...     return np.sum(np.sin(x) * x)
        >>> ingot.check_grads(f, (np.array([0.5, 2.0]),))
    """
    rng = np.random.default_rng(0)
    given: list[Any] = []
    structure = flatten(tuple(args), given)
    directions = [_direction(rng, leaf) for leaf in given]

    def moved(by: float) -> tuple:
        pairs = zip(given, directions, strict=True)
        return rebuild(structure, [x if t is None else _copy(x + by * t, x) for x, t in pairs])

    ends = [_leaves(f(*moved(by))) for by in (step, -step)]
    numeric = [(a - b) / (2 * step) for a, b in zip(*ends, strict=True)]
    tangents = rebuild(structure, [0.0 if t is None else t for t in directions])
    result, pull = vjp(f, *rebuild(structure, given))
    values: list[Any] = []
    shape = flatten(result, values)
    seeds = [_direction(rng, leaf) for leaf in values]
    cotangents = rebuild(shape, [0.0 if t is None else t for t in seeds])
    expected = _product([t for t in seeds if t is not None], numeric)
    if forward:
        forwards = _leaves(jvp(f, rebuild(structure, given), tangents)[1], values)
        for tangent, difference in zip(forwards, numeric, strict=True):
            np.testing.assert_allclose(tangent, difference, rtol, atol, err_msg="forward mode")
        expected = _product([t for t in seeds if t is not None], forwards)
    back: list[Any] = []
    flatten(pull(cotangents), back)
    found = _product(
        [t for t in directions if t is not None],
        [b for b, t in zip(back, directions, strict=True) if t is not None],
    )
    np.testing.assert_allclose(found, expected, rtol, atol, err_msg="reverse mode")
    if order > 1:
        both = (rebuild(structure, given), cotangents)
        check_grads(_derived("pullback", f), both, order - 1, rtol=rtol, atol=atol, step=step,
                    forward=forward)  # fmt: skip


def _direction(rng: np.random.Generator, leaf: Any) -> Any:
    """A random tangent of a leaf, or None for a leaf that is not floating or complex."""
    if isinstance(leaf, bool) or not isinstance(leaf, (float, complex, np.ndarray, np.generic)):
        return None
    dtype = np.asarray(leaf).dtype
    if dtype.kind not in "fc":
        return None
    made = rng.normal(size=np.shape(leaf))
    if dtype.kind == "c":
        made = made + 1j * rng.normal(size=np.shape(leaf))
    return _copy(made, leaf)


def _copy(value: Any, like: Any) -> Any:
    if isinstance(like, np.ndarray):
        return np.asarray(value, like.dtype)
    return type(like)(value)


def _leaves(tree: Any, like: list[Any] | None = None) -> list[Any]:
    """The leaves of a tree that are floating or complex; with `like`, those whose partner is."""
    found: list[Any] = []
    flatten(tree, found)
    like = found if like is None else like
    return [
        np.asarray(x) for x, y in zip(found, like, strict=True) if np.asarray(y).dtype.kind in "fc"
    ]


def _product(a: list[Any], b: list[Any]) -> float:
    return float(sum(np.sum(np.real(x * y)) for x, y in zip(a, b, strict=True)))
