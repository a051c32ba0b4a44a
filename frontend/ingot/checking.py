"""`check_grads`: derivatives against differences."""

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
    """Compare a function's derivatives with differences of what Python computes.

    In a random direction, forward mode must give the central difference, and reverse mode the
    transpose of forward mode. For a higher order the same is asked of the reverse derivative.

    Args:
        f: a Python function, what `jit` made of one, or a derivative.
        args: its arguments; those that are not floating or complex stay.
        order: of the derivatives; 2 checks second ones, too.
        rtol, atol: how far both may be apart.
        step: of the differences, in units of the arguments.
        forward: whether there is a forward mode, which `custom_vjp` has not.

    Raises:
        AssertionError: with the values that are apart.
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
        slopes = _leaves(jvp(f, rebuild(structure, given), tangents)[1], values)
        for slope, difference in zip(slopes, numeric, strict=True):
            np.testing.assert_allclose(slope, difference, rtol, atol, err_msg="forward mode")
        expected = _product([t for t in seeds if t is not None], slopes)
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
    """A random tangent of a leaf, or None if it has none."""
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
    """The floating leaves of a tree, those that are so in another one."""
    found: list[Any] = []
    flatten(tree, found)
    like = found if like is None else like
    return [
        np.asarray(x) for x, y in zip(found, like, strict=True) if np.asarray(y).dtype.kind in "fc"
    ]


def _product(a: list[Any], b: list[Any]) -> float:
    return float(sum(np.sum(np.real(x * y)) for x, y in zip(a, b, strict=True)))
