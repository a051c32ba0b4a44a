"""Symbolic sizes of named dimensions, used while a function is lowered.

A `Dimension` is an int that also knows which symbolic size it stands for. Its integer value is that
of the witness, an example of the sizes for which the function is lowered (see `entry`). Sums and
products of dimensions are dimensions. A comparison has an answer if it is the same for all sizes in
range. Otherwise it raises `Undecided`, and the evaluator treats the dimension as a dynamic number.
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

#: The sizes of up to eight dimensions at each witness. They are primes that are far apart, so that
#: sums and products of a few of them differ from each other and from numbers in programs. The last
#: row lies above the next power of two: the number of steps of some algorithms depends on it.
WITNESSES = (
    (1_000_003, 1_238_023, 1_532_681, 1_897_459, 2_349_071, 2_908_151, 3_600_301, 4_457_197),
    (1_114_471, 1_379_753, 1_708_159, 2_114_711, 2_618_023, 3_241_123, 4_012_537, 4_967_537),
    (5_062_609, 6_267_517, 7_759_187, 9_605_923, 11_892_143, 14_722_481, 18_226_433, 22_564_331),
)
#: Ints below this are not sizes of named dimensions.
LEAST = 100_000
#: The largest difference for which a number is taken for a known size plus a constant.
LARGEST_OFFSET = 1 << 16
#: The most known sizes whose sum is recognised, as from np.concatenate.
MOST_PARTS = 3

_current = threading.local()


class Undecided(UnsupportedError):
    """A question about a dimension does not have the same answer for all sizes in range."""


class Dimensions:
    """The named dimensions of one lowering; within its context, shapes contain `Dimension`s.

    Args:
        ranges: the inclusive bounds of each dimension.
        number: the index of the witness.

    Attributes:
        witness: the example size of each dimension.
        known: the symbolic sizes seen so far, by their values at the witness.
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
        """The symbolic size with this value at the witness, if any.

        It is a known size, a known size plus a small constant, or a sum of up to `parts` of them.
        """
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
        """The size of a dimension at the witness, and the other known extents that depend on it."""
        witness = self.witness[name]
        found = [value for value, size in self.known.items() if name in size.names]
        # Sums with the largest integers are known, too, but no array has so many elements.
        return witness, [value for value in found if value != witness and value < 1 << 63]

    def spelled(self, message: str) -> str:
        """A message in which symbolic sizes replace their values at the witness."""

        def name(found: re.Match[str]) -> str:
            size = self.find(int(found[0]))
            return found[0] if size is None else str(size)

        return re.sub(r"\d{6,}", name, message)

    def learn(self, size: Size) -> int:
        """Record a size, and return it as a Dimension, or as an int if it is constant."""
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


def are_open() -> bool:
    """Whether sizes are symbolic: what is compiled is for all of them."""
    return bool(getattr(_current, "dimensions", None))


def spelled(message: str) -> str:
    """A message in which symbolic sizes replace their values at the witness."""
    dimensions = getattr(_current, "dimensions", None)
    return dimensions.spelled(message) if dimensions else message


def dimension_of(extent: int) -> int:
    """The Dimension of an extent, or the extent itself if it is static."""
    dimensions = getattr(_current, "dimensions", None)
    if dimensions is None:
        return extent
    size = dimensions.find(extent)
    return extent if size is None else dimensions.learn(size)


def undecided(self: Dimension, *_: Any) -> NoReturn:
    """Refuse what is not the same for all sizes in range."""
    name = min(self.size.names, default="n")
    raise Undecided(
        f"this depends on the size {self.size}, which is left open",
        hint="give the dimension a number or narrower bounds, as "
        f"sizes={{{name!r}: (low, high)}} or --size {name}=low:high",
    )


def _closed(how: Callable[[Size, Size], Size]) -> Any:
    def operation(self: Dimension, other: Any) -> Any:
        if type(other) not in (int, Dimension):
            return undecided(self)
        return _current.dimensions.learn(how(self.size, _size(other)))

    return operation


def _size(value: Any) -> Size:
    return value.size if isinstance(value, Dimension) else Size.of(value)


def _ordered(is_true: Callable[[int | None, int | None], bool | None]) -> Any:
    """A comparison operator that `is_true` answers from the bounds of the difference.

    `is_true` returns None if the bounds don't decide it.
    """

    def operation(self: Dimension, other: Any) -> bool:
        if not isinstance(other, int):
            return undecided(self)
        answer = is_true(*(self.size - _size(other)).bounds(self.ranges))
        return undecided(self) if answer is None else answer

    return operation


def _below(low: int | None, high: int | None, limit: int) -> bool | None:
    """Whether a number between these bounds is below a limit; None if that is undecided."""
    if high is not None and high < limit:
        return True
    return False if low is not None and low >= limit else None


def _negated(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


class Dimension(int):
    """A size that depends on named dimensions."""

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
    __truediv__ = __rtruediv__ = __rfloordiv__ = __rmod__ = undecided
    __divmod__ = __rdivmod__ = __rpow__ = __int__ = __float__ = __complex__ = __round__ = undecided
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = undecided
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = undecided
    as_integer_ratio = bit_length = bit_count = to_bytes = property(undecided)  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Whether both are the same symbolic size; unlike `is_equal`, never undecided.

        Broadcasting compares sizes by this: two symbolic sizes that are not always equal don't
        broadcast, and a size that may be 1 broadcasts as any other size does.
        """
        if type(other) is int and other == 0:
            # Tests for empty arrays need the true answer.
            return self.is_equal(0)
        return isinstance(other, int) and self.size == _size(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def is_equal(self, other: Any) -> bool:
        """Whether both are equal, for `==` in the user's code.

        Raises:
            Undecided: they are equal for some sizes in range, but not for all.
        """
        if not isinstance(other, int):
            return undecided(self)
        if self.size == _size(other):
            return True
        low, high = (self.size - _size(other)).bounds(self.ranges)
        if (low is not None and low > 0) or (high is not None and high < 0):
            return False
        return undecided(self)

    def __bool__(self) -> bool:
        return not self.is_equal(0)

    def __neg__(self) -> int:
        return 0 - self

    def __pos__(self) -> int:
        return self

    __floor__ = __ceil__ = __trunc__ = conjugate = __pos__
    real = numerator = property(__pos__)  # type: ignore[assignment]

    def __abs__(self) -> int:
        return self if self >= 0 else -self

    def __pow__(self, exponent: Any, modulo: Any = None) -> Any:
        if type(exponent) is not int or not 1 <= exponent <= 4 or modulo is not None:
            return undecided(self)
        result: Any = self
        for _ in range(exponent - 1):
            result = result * self
        return result

    def __floordiv__(self, other: Any) -> Any:
        """The quotient if it is exact; rounded quotients are not polynomials."""
        quotient = self._divided(other)
        return undecided(self) if quotient is None else quotient

    def __mod__(self, other: Any) -> Any:
        return undecided(self) if self._divided(other) is None else 0

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
    """`int(value)`, which keeps a Dimension."""
    return value if isinstance(value, Dimension) else int(value)


def is_one(size: int) -> bool:
    """Whether a size is 1.

    Raises:
        Undecided: it is 1 for some sizes in range, but not for all.
    """
    return _is_equal(size, 1)


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """`np.broadcast_shapes`, which keeps Dimensions; NumPy's own returns plain ints."""
    return tuple(map(dimension_of, np.broadcast_shapes(*shapes)))


def are_equal(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two shapes are equal.

    Raises:
        Undecided: they are equal for some sizes in range, but not for all.
    """
    pairs = zip(shape, other, strict=False)
    return len(shape) == len(other) and all(_is_equal(m, n) for m, n in pairs)


def _is_equal(size: int, other: int) -> bool:
    if isinstance(other, Dimension):
        return other.is_equal(size)
    return size.is_equal(other) if isinstance(size, Dimension) else size == other


def decided(test: Callable[[], bool]) -> bool:
    """Whether a test is known to hold for all sizes in range."""
    try:
        return test()
    except Undecided:
        return False


def depends(value: Any) -> bool:
    """Whether a value is a Dimension, or a tuple or list that contains one."""
    if isinstance(value, (tuple, list)):
        return any(map(depends, value))
    return isinstance(value, Dimension)
