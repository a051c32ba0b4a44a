"""The tables of docs/derivatives.md: the derivatives where there is none."""

import fnmatch
import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special, stats

PAGE = Path(__file__).parents[2] / "docs" / "derivatives.md"
NAMES = {"np": np, "special": special, "stats": stats, "inf": np.inf}
CODE = re.compile(r"`([^`]*)`")
#: Of a derivative that is infinite or NaN, and of one that is that of either side.
NONE, ONE_SIDE = "none", "one side"


@dataclass(frozen=True)
class Row:
    """A line of a table.

    Attributes:
        functions: what it holds for.
        where: an expression that says for which arguments.
        first: an expression for each argument, or one for all.
        second: that for the second derivatives by the first argument, by the first and second one and so on.
    """

    functions: tuple[str, ...]
    where: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    def is_of(self, function: str) -> bool:
        return any(fnmatch.fnmatchcase(function, each) for each in self.functions)

    def holds(self, point: dict[str, Any]) -> bool:
        return bool(_value(self.where, point))

    def gradient(self, point: dict[str, Any], count: int) -> np.ndarray:
        found = [np.nan if text == NONE else _value(text, point) for text in self.first]
        given = np.ravel(found[0]) if len(found) == 1 else np.array(found, float)
        return np.broadcast_to(given, (count,)).astype(float)

    def hessian(self, point: dict[str, Any], count: int) -> np.ndarray:
        upper = [np.nan if text == NONE else _value(text, point) for text in self.second]
        size = count * (count + 1) // 2
        found = np.zeros((count, count))
        found[np.triu_indices(count)] = upper * size if len(upper) == 1 else upper
        return np.triu(found) + np.triu(found, 1).T


def _items(cell: str) -> tuple[str, ...]:
    """The expressions of a cell, of which some may be `NONE`, and all `ONE_SIDE`."""
    for word in (NONE, ONE_SIDE):
        cell = cell.replace(word, f"`{word}`")
    return tuple(CODE.findall(cell))


def _value(text: str, point: dict[str, Any]) -> Any:
    with np.errstate(all="ignore"):
        return eval(text, {**NAMES, **point})


@functools.cache
def table(heading: str) -> tuple[Row, ...]:
    """The rows of the table below a heading of the page."""
    section = PAGE.read_text().split(f"### {heading}\n")[1].split("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    cells = [line.strip("|").split(" | ") for line in lines]
    assert cells and all(len(each) == 4 for each in cells)
    return tuple(
        Row(
            tuple(CODE.findall(functions)),
            *CODE.findall(where),
            _items(first),
            _items(second),
        )
        for functions, where, first, second in cells
    )
