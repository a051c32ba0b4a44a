"""Programs under vmap: against a loop over the items, and np.stack of its results.

The cases of a program are the items. Arrays and numbers of NumPy's are stacked, unless they are the
same in all cases; all else is shared by the items.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np

import ingot
from generator import arguments
from generator.judge import Comparison, Difference, Outcome, loaded, outcome, verdict
from generator.trees import is_plain, leaves, mapped
from generator.writer import Writer


def scalar(rng: Any) -> arguments.Spec:
    name, dtype = rng.choice([("float64", "f8"), ("float64", "f8"), ("int64", "i8")])
    return lambda r: f"np.{name}({arguments.number(r, dtype)})"


def same(make: Any) -> Any:
    """An argument that all items share."""

    def shared(rng: Any) -> arguments.Spec:
        text = make(rng)(rng)
        return lambda r: text

    return shared


def arrays_by_name(rng: Any) -> arguments.Spec:
    items = [(k, rng.choice([arguments.array, scalar])(rng)) for k in rng.sample("wbkx", 2)]
    return lambda r: "{" + ", ".join(f"{k!r}: {i(r)}" for k, i in items) + "}"


ARGUMENTS = [
    (5, arguments.array), (3, scalar), (1, arrays_by_name), (1, arguments.several(arguments.array, "({})")),
    (2, same(arguments.array)), (1, same(arguments.real)), (1, arguments.several(scalar, "[{}]")),
]  # fmt: skip


class ItemWriter(Writer):
    """Writes programs of one item, whose results can be stacked."""

    cases = 4
    first = (arguments.array, same(arguments.integer))
    table = ARGUMENTS
    instances = False
    prints = False

    def may_result(self, value: Any) -> bool:
        return is_plain(value) and bool(leaves(value))


def stacked(items: list[Any]) -> Any:
    return mapped(lambda *leaves: np.stack(leaves), *items)


def batch(items: list[tuple[Any, ...]]) -> tuple[list[Any], list[int | None]]:
    """The arguments of all items, and their axes."""
    axes: list[int | None] = []
    for values in zip(*items, strict=True):
        # One item shares nothing.
        shared = len(items) > 1 and all(repr(v) == repr(values[0]) for v in values)
        given = list(leaves(values[0]))
        axes.append(0 if given and not shared and all(map(_is_of_numpy, given)) else None)
    columns = zip(axes, zip(*items, strict=True), strict=True)
    return [v[0] if axis is None else stacked(list(v)) for axis, v in columns], axes


def _is_of_numpy(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc"


def looped(namespace: dict[str, Any]) -> Any:
    """What a loop over the items gives; storing to arguments stays inside of an item."""
    results = []
    for i in range(len(namespace["CASES"])):
        # Made anew, not copied: a copy may lie in memory in another way.
        pairs = zip(*batch([case() for case in namespace["CASES"]]), strict=True)
        item = [v if a is None else mapped(lambda x: x[i], v) for v, a in pairs]
        results.append(namespace["f"](*item))
    if not all(is_plain(r) for r in results):
        raise TypeError("a result can't be stacked")
    return stacked(results)


def is_valid(text: str) -> bool:
    """Whether the loop gives something, and items differ."""
    namespace = loaded(text)
    axes = outcome(lambda: batch([case() for case in namespace["CASES"]])[1])
    if axes[0] != "value" or all(axis is None for axis in axes[1]):
        return False
    return outcome(lambda: looped(namespace))[0] == "value"


class Stacked(Comparison):
    """Compares the results of batches, where numbers are arrays of the items' numbers."""

    def numbers(self, actual: Any, expected: Any, path: str) -> None:
        if np.ndim(expected) == 1 and is_joined(actual.dtype.kind, expected.dtype.kind):
            # Where paths meet, the numbers of a batch have one type (docs/differences.md).
            expected = expected.astype(actual.dtype)
        super().numbers(actual, expected, path)


def is_joined(actual: str, expected: str) -> bool:
    """Whether numbers of the expected kind of dtype may have the actual one in a batch."""
    order = "biufc"
    return expected in order[: order.index(actual) + 1]


def judge(text: str) -> Outcome:
    namespace = loaded(text)
    given, axes = batch([case() for case in namespace["CASES"]])
    before = copy.deepcopy(given)
    actual = outcome(lambda: ingot.vmap(namespace["f"], tuple(axes))(*given))
    expected = outcome(lambda: looped(namespace))
    found = verdict(actual, expected, comparison=Stacked(identity=False))
    if found.verdict == "agreed":
        try:
            Comparison(identity=False).compare(given, before, "arguments")
        except Difference as difference:
            found = Outcome("wrong", f"changed {difference}")
    return replace(found, text=text)
