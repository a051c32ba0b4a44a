"""Collectives in compiled code: what the lanes of a batch with a named axis exchange."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import CODES, INT, STATIC_NUMBERS
from ingot.syntax.bodies import has_values
from ingot.syntax.ops import numpy_scalar, result_of
from ingot.syntax.trees import flatten, rebuild
from ingot.syntax.values import Array, Scalar, describe
from ingot_runtime.errors import ShapeError


def _names(ev: Any, axis_name: Any) -> tuple[str, ...]:
    """The names of axes, each of which is that of a batch around the code."""
    given = ev.static(axis_name, "the name of an axis")
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
        ev.fail(f"an axis is a name or a tuple of names, not {describe(given)}", 'axis_name="i"')
    for name in names:
        if name not in ev.axes:
            ev.fail(
                f"no batch around this code has the axis {name!r}",
                f"name it: ingot.vmap(f, axis_name={name!r})",
            )
    return names


def _one(ev: Any, axis_name: Any) -> str:
    names = _names(ev, axis_name)
    if len(names) != 1:
        ev.fail("this collective takes one axis", "call it for one axis after the other")
    return names[0]


def _mapped(ev: Any, x: Any, run: Callable[[Any], Any]) -> Any:
    """A tree with the results of `run` for its leaves, which are arrays and numbers."""
    leaves: list[Any] = []
    structure = flatten(ev, x, leaves)
    for leaf in leaves:
        if not isinstance(leaf, (Array, Scalar, *STATIC_NUMBERS)):
            ev.fail(
                f"lanes exchange arrays and numbers, not {describe(leaf)}",
                "pass arrays whose shape is known when the function is compiled",
            )
    return rebuild(ev, structure, [run(leaf) for leaf in leaves])


def _value(ev: Any, leaf: Any) -> Value:
    return ev.read(leaf) if has_values(leaf) else ev.ops.scalar(leaf)


def _sum(ev: Any, leaf: Any, names: tuple[str, ...]) -> Any:
    value = _value(ev, leaf)
    held = leaf.held if has_values(leaf) else np.asarray(leaf).dtype
    # The dtype of np.sum.
    if held.kind in "bi" and held.itemsize < INT.itemsize:
        value = ev.ops.convert(value, INT)
    elif held.kind == "u":
        value = ev.ops.convert(value, np.dtype(np.uint64))
    for name in names:
        value = ev.ops.create("psum", [value], axis=name)
    return result_of(value, ev.location)


def psum(ev: Any, x: Any, axis_name: Any) -> Any:
    names = _names(ev, axis_name)
    return _mapped(ev, x, lambda leaf: _sum(ev, leaf, names))


def pmean(ev: Any, x: Any, axis_name: Any) -> Any:
    names = _names(ev, axis_name)
    count = int(np.prod([ev.axes[name] for name in names]))
    return _mapped(ev, x, lambda leaf: ev.call(np.true_divide, (_sum(ev, leaf, names), count), {}))


def _gathered(ev: Any, leaf: Any, name: str) -> Any:
    value = _value(ev, leaf)
    types = [([ev.axes[name], *value.shape], value.dtype)]
    made = ev.ops.builder.create("ingot.all_gather", [value], {"axis": name}, types)
    return result_of(made[0], ev.location)


def _extremum(function: Any) -> Callable[..., Any]:
    def extremum(ev: Any, x: Any, axis_name: Any) -> Any:
        names = _names(ev, axis_name)

        def run(leaf: Any) -> Any:
            for name in names:
                leaf = ev.call(function, (_gathered(ev, leaf, name),), {"axis": 0})
            return leaf

        return _mapped(ev, x, run)

    return extremum


pmax = _extremum(np.max)
pmin = _extremum(np.min)


def all_gather(ev: Any, x: Any, axis_name: Any) -> Any:
    name = _one(ev, axis_name)
    return _mapped(ev, x, lambda leaf: _gathered(ev, leaf, name))


def axis_index(ev: Any, axis_name: Any) -> Scalar:
    name = _one(ev, axis_name)
    made = ev.ops.builder.create("ingot.axis_index", [], {"axis": name}, [([], CODES[INT])])
    return numpy_scalar(made[0])


def ppermute(ev: Any, x: Any, axis_name: Any, perm: Any) -> Any:
    name = _one(ev, axis_name)
    sources = [-1] * ev.axes[name]
    for source, target in _pairs(ev, perm, ev.axes[name]):
        if sources[target] >= 0 or source in sources:
            ev.fail(
                f"perm has two pairs with the lane {target if sources[target] >= 0 else source}",
                "each lane sends to at most one lane, and receives from at most one",
                ShapeError,
            )
        sources[target] = source

    def run(leaf: Any) -> Any:
        made = ev.ops.create("ppermute", [_value(ev, leaf)], axis=name, sources=sources)
        return result_of(made, ev.location)

    return _mapped(ev, x, run)


def _pairs(ev: Any, perm: Any, size: int) -> Iterator[tuple[int, int]]:
    for pair in ev.static(perm, "a permutation"):
        is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2
        if not is_pair or not all(isinstance(i, int) and 0 <= i < size for i in pair):
            ev.fail(
                f"perm has pairs of a source and a target, lanes from 0 to {size - 1}, not {pair}",
                "[(i, (i + 1) % n) for i in range(n)] passes values on to the next lane",
                ShapeError,
            )
        yield tuple(pair)
