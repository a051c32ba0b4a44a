"""Symbolic sizes: integer polynomials in named dimensions, such as `n`, `2*n`, `n*m + 1`."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

#: The sizes of named dimensions.
Sizes = Mapping[str, int]
#: The inclusive bounds of a dimension; None means no upper bound.
Bounds = tuple[int, int | None]

#: The longest text of a size, the most terms of one, and more than any factor or bound.
LONGEST, MOST_TERMS, LARGEST = 1 << 12, 1 << 10, 1 << 63

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


@dataclass(frozen=True)
class Size:
    """A polynomial.

    Attributes:
        terms: the sorted pairs of a product, which is a sorted tuple of names with repetitions, and
            its coefficient, which is not 0.
    """

    terms: tuple[tuple[tuple[str, ...], int], ...]

    @staticmethod
    def of(value: Size | int | str) -> Size:
        """Make a Size from an integer, or parse an expression of names, integers, `+`, `-`, `*`.

        Raises:
            ValueError: the text is not such an expression.
        """
        if isinstance(value, Size):
            return value
        if isinstance(value, int):
            return _collected([((), value)])
        try:
            if len(value) > LONGEST:
                raise ValueError
            return _parsed(ast.parse(value.strip(), mode="eval").body)
        except (SyntaxError, RecursionError, MemoryError, ValueError):
            raise ValueError(
                f"{value.strip()!r:.80} is not a size; write names, integers, +, - and *"
            ) from None

    def __add__(self, other: Size) -> Size:
        return _collected([*self.terms, *other.terms])

    def __sub__(self, other: Size) -> Size:
        return self + other * Size.of(-1)

    def __mul__(self, other: Size) -> Size:
        products = [
            (tuple(sorted((*names, *others))), factor * times)
            for names, factor in self.terms
            for others, times in other.terms
        ]
        return _collected(products)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for names, _ in self.terms for name in names)

    @property
    def constant(self) -> int | None:
        """The value of a constant size, or None."""
        return None if self.names else sum(factor for _, factor in self.terms)

    @property
    def name(self) -> str | None:
        """The name if the size is a single named dimension, or None."""
        is_name = len(self.terms) == 1 and self.terms[0][1] == 1 and len(self.terms[0][0]) == 1
        return self.terms[0][0][0] if is_name else None

    def at(self, sizes: Mapping[str, int]) -> int:
        return sum(factor * math.prod(sizes[n] for n in names) for names, factor in self.terms)

    def bounds(self, ranges: Mapping[str, Bounds]) -> tuple[int | None, int | None]:
        """Inclusive bounds of the size, for non-negative ranges of its dimensions."""
        low: int | None = 0
        high: int | None = 0
        for names, factor in self.terms:
            least = factor * math.prod(ranges[n][0] for n in names)
            tops = [ranges[n][1] for n in names]
            most = None if None in tops else factor * math.prod(t for t in tops if t is not None)
            down, up = (least, most) if factor > 0 else (most, least)
            low = None if low is None or down is None else low + down
            high = None if high is None or up is None else high + up
        return low, high

    def __repr__(self) -> str:
        return f"Size({str(self)!r})"

    def __str__(self) -> str:
        text = ""
        for names, factor in sorted(self.terms, key=lambda term: (-len(term[0]), term[0])):
            sign = (" - " if factor < 0 else " + ") if text else ("-" if factor < 0 else "")
            parts = [str(abs(factor))] if abs(factor) != 1 or not names else []
            text += sign + "*".join([*parts, *names])
        return text or "0"


def _collected(terms: Iterable[tuple[tuple[str, ...], int]]) -> Size:
    sums: dict[tuple[str, ...], int] = {}
    for names, factor in terms:
        sums[names] = sums.get(names, 0) + factor
    return Size(tuple(sorted((names, factor) for names, factor in sums.items() if factor)))


def _parsed(node: ast.expr) -> Size:
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value < LARGEST:
        return Size.of(node.value)
    if isinstance(node, ast.Name):
        return Size((((node.id,), 1),))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _parsed(node.left), _parsed(node.right)
        if len(left.terms) * len(right.terms) > MOST_TERMS:
            raise ValueError
        made = _OPERATORS[type(node.op)](left, right)
        if any(abs(factor) >= LARGEST for _, factor in made.terms):
            raise ValueError
        return made
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return Size.of(0) - _parsed(node.operand)
    raise ValueError


def solve(dimensions: Iterable[tuple[str, Size, int]], known: Mapping[str, int]) -> dict[str, int]:
    """Solve for the named dimensions from the sizes of arrays.

    Args:
        dimensions: for each axis its name in errors, its symbolic size and its actual size.
        known: dimensions whose sizes are known.

    Raises:
        ValueError: the actual size of an axis is wrong, or does not determine its dimensions.
    """
    sizes = dict(known)
    waiting = list(dimensions)
    while waiting:
        later = []
        for axis, size, actual in waiting:
            if not size.names <= sizes.keys() and not _solve_one(axis, size, actual, sizes):
                later.append((axis, size, actual))
            elif size.names <= sizes.keys() and size.at(sizes) != actual:
                values = ", ".join(f"{n} = {sizes[n]}" for n in sorted(size.names))
                wanted = f"{size} = {size.at(sizes)} (with {values})" if values else str(size)
                raise ValueError(f"{axis} is {actual}, but must be {wanted}")
        if len(later) == len(waiting):
            raise ValueError(f"{later[0][0]}: {later[0][1]} does not determine its dimensions")
        waiting = later
    return sizes


def _solve_one(axis: str, size: Size, actual: int, sizes: dict[str, int]) -> bool:
    """Solve for the only unknown dimension of a size; False if there are several, or powers."""
    unknown = size.names - sizes.keys()
    if len(unknown) != 1:
        return False
    (name,) = unknown
    if any(names.count(name) > 1 for names, _ in size.terms):
        return False
    zero = size.at({**sizes, name: 0})
    factor = size.at({**sizes, name: 1}) - zero
    value, rest = divmod(actual - zero, factor) if factor else (0, 1)
    if rest or value < 0:
        raise ValueError(f"{axis} is {actual}, which {size} can't be")
    sizes[name] = value
    return True
