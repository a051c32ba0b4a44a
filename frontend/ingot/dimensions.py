"""Named dimensions while a function is lowered: sizes that stand for all sizes in a range.

A `Dimension` is an int, its value at the witness that the function is lowered for, that knows which
size it is. Sums and products of dimensions are dimensions. What else is asked of one is answered if
the answer is the same for all sizes in range; if not, it is `Undecided`, and the evaluator computes
with the dimension as with any number known at run time.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ingot import _core
from ingot_runtime.errors import UnsupportedError
from ingot_runtime.sizes import Bounds, Size

#: Sizes at the witnesses: primes far apart, so that sums and products of few of them are told
#: apart from each other and from what programs contain; the last ones are more than a power of
#: two larger, as the number of steps of some algorithms depends on the next one.
WITNESSES = (
    (1_000_003, 1_238_023, 1_532_681, 1_897_459, 2_349_071, 2_908_151, 3_600_301, 4_457_197),
    (1_114_471, 1_379_753, 1_708_159, 2_114_711, 2_618_023, 3_241_123, 4_012_537, 4_967_537),
    (5_062_609, 6_267_517, 7_759_187, 9_605_923, 11_892_143, 14_722_481, 18_226_433, 22_564_331),
)
#: Smaller ints are no sizes of named dimensions.
LEAST = 100_000
#: A size that is found by its distance from another one is no farther than this from it.
LARGEST_OFFSET = 1 << 16
#: What joins more arrays of open sizes at once is not followed.
MOST_PARTS = 3

_current = threading.local()


class Undecided(UnsupportedError):
    """What is asked of a dimension has another answer for other sizes."""


class Dimensions:
    """The named dimensions of one lowering; a context in which shapes hold `Dimension`s.

    Args:
        ranges: the bounds of each dimension.
        number: of the witness.

    Attributes:
        witness: the size of each dimension that the function is lowered for.
        known: the sizes met, by their values at the witness.
    """

    def __init__(self, ranges: dict[str, Bounds], number: int) -> None:
        if len(ranges) > len(WITNESSES[0]):
            raise ValueError(f"at most {len(WITNESSES[0])} named dimensions")
        self.ranges = ranges
        self.witness = dict(zip(ranges, WITNESSES[number], strict=False))
        self.known: dict[int, Size] = {}

    def __enter__(self) -> None:
        _current.dimensions = self if self.ranges else None
        _core.set_extents(dimension_of, LEAST)

    def __exit__(self, *_: Any) -> None:
        _current.dimensions = None

    def find(self, value: int, parts: int = MOST_PARTS) -> Size | None:
        """The size that has this value: one that was met, one near it, or the sum of a few."""
        if value in self.known:
            return self.known[value]
        for other, size in self.known.items():
            if abs(value - other) <= LARGEST_OFFSET:
                return size + Size.of(value - other)
        for other, size in self.known.items() if parts > 1 else ():
            rest = self.find(value - other, parts - 1) if value > other else None
            if rest is not None:
                return size + rest
        return None

    def extents_of(self, name: str) -> tuple[int, list[int]]:
        """The witness of a dimension, and the other sizes met that depend on it."""
        witness = self.witness[name]
        found = [value for value, size in self.known.items() if name in size.names]
        return witness, [value for value in found if value != witness]

    def spelled(self, message: str) -> str:
        """A message with the sizes in it as the user knows them."""

        def name(found: re.Match[str]) -> str:
            size = self.find(int(found[0]))
            return found[0] if size is None else str(size)

        return re.sub(r"\d{6,}", name, message)

    def learn(self, size: Size) -> int:
        """A size as a Dimension, or as an int if it is a number."""
        if size.constant is not None:
            return size.constant
        value = size.at(self.witness)
        if self.known.setdefault(value, size) != size:
            raise UnsupportedError(
                f"the sizes {size} and {self.known[value]} can't be told apart",
                hint="give one of their dimensions a number",
            )
        made = Dimension(value)
        made.size, made.ranges = size, self.ranges
        return made


def spelled(message: str) -> str:
    """A message of the dialect, with the sizes in it as the user knows them."""
    dimensions = getattr(_current, "dimensions", None)
    return dimensions.spelled(message) if dimensions else message


def dimension_of(extent: int) -> int:
    """An extent of a shape as the Dimension that it is, or as it is."""
    dimensions = getattr(_current, "dimensions", None)
    if dimensions is None:
        return extent
    size = dimensions.find(extent)
    return extent if size is None else dimensions.learn(size)


def _undecided(self: Dimension, *_: Any) -> NoReturn:
    name = min(self.size.names, default="n")
    raise Undecided(
        f"this depends on the size {self.size}, which is left open",
        hint="give the dimension a number or narrower bounds, as "
        f"sizes={{{name!r}: (low, high)}} or --size {name}=low:high",
    )


def _closed(how: Callable[[Size, Size], Size]) -> Any:
    def operation(self: Dimension, other: Any) -> Any:
        if type(other) not in (int, Dimension):
            return _undecided(self)
        return _current.dimensions.learn(how(self.size, _size(other)))

    return operation


def _size(value: Any) -> Size:
    return value.size if isinstance(value, Dimension) else Size.of(value)


def _ordered(is_true: Callable[[int | None, int | None], bool | None]) -> Any:
    """A comparison by the bounds of the difference; None if they don't decide it."""

    def operation(self: Dimension, other: Any) -> bool:
        if not isinstance(other, int):
            return _undecided(self)
        answer = is_true(*(self.size - _size(other)).bounds(self.ranges))
        return _undecided(self) if answer is None else answer

    return operation


def _below(low: int | None, high: int | None, limit: int) -> bool | None:
    """Whether what has these bounds is below a limit."""
    if high is not None and high < limit:
        return True
    return False if low is not None and low >= limit else None


def _negated(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


class Dimension(int):
    """A size of a named dimension."""

    size: Size
    ranges: dict[str, Bounds]

    __add__ = __radd__ = _closed(lambda a, b: a + b)
    __sub__ = _closed(lambda a, b: a - b)
    __rsub__ = _closed(lambda a, b: b - a)
    __mul__ = __rmul__ = _closed(lambda a, b: a * b)
    __lt__ = _ordered(lambda low, high: _below(low, high, 0))
    __le__ = _ordered(lambda low, high: _below(low, high, 1))
    __gt__ = _ordered(lambda low, high: _negated(_below(low, high, 1)))
    __ge__ = _ordered(lambda low, high: _negated(_below(low, high, 0)))
    __hash__ = int.__hash__
    __truediv__ = __rtruediv__ = __rfloordiv__ = __rmod__ = _undecided
    __divmod__ = __rdivmod__ = __rpow__ = __int__ = __float__ = __complex__ = __round__ = _undecided
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _undecided
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _undecided
    as_integer_ratio = bit_length = bit_count = _undecided

    def __eq__(self, other: object) -> bool:
        """Whether it is this size for all sizes in range.

        NumPy's shapes fit if they are equal or 1, so open sizes that are not always equal don't
        fit, and one that may be 1 gives as that the result that it gives as any.
        """
        if type(other) is int and other == 0:
            # Whether there are items at all has no such rule.
            return self.is_equal(0)
        return isinstance(other, int) and self.size == _size(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def is_equal(self, other: Any) -> bool:
        """`==` as the user means it.

        Raises:
            Undecided: some sizes in range are equal and some are not.
        """
        if not isinstance(other, int):
            return _undecided(self)
        if self.size == _size(other):
            return True
        low, high = (self.size - _size(other)).bounds(self.ranges)
        if (low is not None and low > 0) or (high is not None and high < 0):
            return False
        return _undecided(self)

    def __bool__(self) -> bool:
        return not self.is_equal(0)

    def __neg__(self) -> int:
        return 0 - self

    def __pos__(self) -> int:
        return self

    def __abs__(self) -> int:
        return self if self >= 0 else -self

    def __pow__(self, exponent: Any, modulo: Any = None) -> Any:
        if type(exponent) is not int or not 1 <= exponent <= 4 or modulo is not None:
            return _undecided(self)
        result: Any = self
        for _ in range(exponent - 1):
            result = result * self
        return result

    def __floordiv__(self, other: Any) -> Any:
        """Exact quotients; rounded ones have no form."""
        quotient = self._divided(other)
        return _undecided(self) if quotient is None else quotient

    def __mod__(self, other: Any) -> Any:
        return _undecided(self) if self._divided(other) is None else 0

    def _divided(self, other: Any) -> Any:
        if isinstance(other, Dimension):
            return 1 if self.size == other.size else None
        if type(other) is not int or other <= 0:
            return None
        if any(factor % other for _, factor in self.size.terms):
            return None
        terms = tuple((names, factor // other) for names, factor in self.size.terms)
        return _current.dimensions.learn(Size(terms))

    def __str__(self) -> str:
        return str(self.size)

    __repr__ = __str__

    def __format__(self, how: str) -> str:
        return format(str(self), how)


def as_int(value: Any) -> int:
    """`int(value)`, of a Dimension itself."""
    return value if isinstance(value, Dimension) else int(value)


def is_one(size: int) -> bool:
    """Whether a size is 1.

    Raises:
        Undecided: for some sizes in range.
    """
    return size.is_equal(1) if isinstance(size, Dimension) else size == 1


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """`np.broadcast_shapes`, whose ints are no dimensions any more."""
    return tuple(map(dimension_of, np.broadcast_shapes(*shapes)))


def decided(test: Callable[[], bool]) -> bool:
    """Whether a test holds for all sizes in range."""
    try:
        return test()
    except Undecided:
        return False


def depends(value: Any) -> bool:
    """Whether a number, or what a tuple or list holds, is a Dimension."""
    if isinstance(value, (tuple, list)):
        return any(map(depends, value))
    return isinstance(value, Dimension)
