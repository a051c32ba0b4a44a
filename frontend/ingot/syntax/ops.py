"""Emits operations: a thin layer over the builder of `ingot._core`."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from ingot._core import Elementwise, FunctionBuilder, Value
from ingot.checks import Assumption, Failure, Kind
from ingot.dimensions import Dimension, as_int, decided, depends
from ingot.dtypes import BOOL, CODES, DTYPES, FLOAT, INT, OF_PYTHON
from ingot.syntax.cells import Storage
from ingot.syntax.values import Affine, Array, Joined, Scalar, of_all_kinds
from ingot_runtime.errors import DTypeError, UnsupportedError
from ingot_runtime.thrown import Thrown

Shape = Sequence[int]
#: The inclusive bounds of an integer; None where there is no known bound.
Bounds: TypeAlias = tuple[int | None, int | None]

#: The elementwise operations that are emitted by `create`.
ELEMENTWISE = frozenset(["select", "is_finite", "real", "imag", "abs", "complex", "conj", "sign"])
#: Operations whose results contain only elements of the operand.
REARRANGING = frozenset(
    ["reshape", "broadcast_to", "transpose", "flip", "slice", "dynamic_slice", "gather"]
)


@functools.cache
def elementwise_operation(
    name: str, dtypes: tuple[np.dtype, ...], comparison: str = ""
) -> Elementwise:
    """An elementwise operation on operands converted to `dtypes`."""
    attribute = comparison and f"#ingot<comparison {comparison}>"
    return Elementwise("ingot." + name, [CODES[dtype] for dtype in dtypes], attribute)


class Ops:
    """Emits into the function being built; all methods take and return SSA values."""

    def __init__(self, name: str) -> None:
        self.builder = FunctionBuilder(name)
        #: The numbers of effects and of region operations emitted so far.
        self.checks = self.regions = 0
        #: Whether only elementwise operations may be emitted.
        self.is_elementwise = False
        #: Emits a check.
        self.on_check: Callable[[Value, Failure], None] = self.emit_assert
        #: The exceptions of checks that are more than a class and a text, by their numbers less 1.
        self.raised: list[Thrown] = []
        #: What the checks so far take for granted.
        self.assumed: set[Assumption] = set()
        #: The elements of constant integer and boolean arrays, by the identity of the SSA value.
        self._constants: dict[int, tuple[Value, np.ndarray]] = {}
        #: The bounds of all elements of integer arrays, by the identity of the SSA value.
        self._bounds: dict[int, tuple[Value, Bounds]] = {}

    @contextlib.contextmanager
    def only_elementwise(self) -> Iterator[None]:
        """Refuse operations that are not elementwise."""
        saved, self.is_elementwise = self.is_elementwise, True
        try:
            yield
        finally:
            self.is_elementwise = saved

    def create(self, name: str, operands: list[Value], **attributes: Any) -> Value:
        if self.is_elementwise and name not in ELEMENTWISE:
            raise DTypeError(
                "this function must treat each element by itself",
                hint="compute what depends on other elements before",
            )
        made = self.builder.create("ingot." + name, operands, attributes)[0]
        return self._with_bounds(name, operands, made) if self._bounds else made

    def typed(self, name: str, operands: list[Value], shape: Shape, dtype: np.dtype) -> Value:
        """An operation whose result type does not follow from its operands."""
        type_ = (list(shape), CODES[dtype])
        made = self.builder.create("ingot." + name, operands, {}, [type_])[0]
        return self._with_bounds(name, operands, made) if self._bounds else made

    def _with_bounds(self, name: str, operands: list[Value], made: Value) -> Value:
        is_known = name in REARRANGING
        return self.note_bounds(made, self.noted_bounds(operands[0])) if is_known else made

    def elementwise(self, name: str, operands: list[Value], dtypes: Sequence[np.dtype]) -> Value:
        operation = elementwise_operation(name, tuple(dtypes))
        return self.builder.elementwise(operation, operands)

    def compare(self, how: str, lhs: Value, rhs: Value, dtype: np.dtype) -> Value:
        operation = elementwise_operation("compare", (dtype, dtype), how)
        return self.builder.elementwise(operation, [lhs, rhs])

    def select(self, condition: Value, on_true: Value, on_false: Value) -> Value:
        return self.create("select", [condition, on_true, on_false])

    def convert(self, value: Value, dtype: np.dtype) -> Value:
        return value if value.dtype == CODES[dtype] else self.builder.convert(value, CODES[dtype])

    def cast(self, value: Value, dtype: np.dtype) -> Value:
        """Convert as NumPy's `astype` does, also where `convert` leaves the result undefined.

        A float that is NaN or out of range becomes what it becomes on x86-64: the least int32 or
        int64. Narrower integers take the low bits of it.
        """
        source = DTYPES[value.dtype]
        if source.kind == "c" and dtype.kind in "iu":
            return self.cast(self.create("real", [value]), dtype)
        if source.kind != "f" or dtype.kind not in "iu":
            return self.convert(value, dtype)
        if dtype.itemsize < 4 or dtype == np.int32:
            return self.convert(self._truncated(value, np.dtype("int32")), dtype)
        if dtype != np.uint64:
            return self.convert(self._truncated(value, INT), dtype)
        value = self.convert(value, FLOAT)
        half = self.constant(2.0**63, FLOAT)
        is_high = self.compare("ge", value, half, FLOAT)
        lowered = self.elementwise("sub", [value, half], (FLOAT, FLOAT))
        whole = self._truncated(self.select(is_high, lowered, value), INT)
        sign = self.constant(-(2**63), INT)
        high = self.elementwise("xor", [whole, sign], (INT, INT))
        return self.convert(self.select(is_high, high, whole), dtype)

    def _truncated(self, value: Value, dtype: np.dtype) -> Value:
        """Floats as signed integers; those out of range become the least integer."""
        value = self.convert(value, FLOAT)
        info = np.iinfo(dtype)
        whole = self.elementwise("trunc", [value], (FLOAT,))
        tests = [
            self.compare("ge", whole, self.constant(float(info.min), FLOAT), FLOAT),
            self.compare("lt", whole, self.constant(-float(info.min), FLOAT), FLOAT),
        ]
        fits = self.elementwise("and", tests, (BOOL, BOOL))
        return self.select(fits, self.convert(value, dtype), self.constant(info.min, dtype))

    def constant(self, array: Any, dtype: np.dtype) -> Value:
        """An array or scalar constant, in range for its dtype."""
        if type(array) is float and dtype is FLOAT:
            return self.builder.number(array)
        if isinstance(array, Dimension):
            type_: Any = ([], CODES[INT])
            size = self.builder.create("ingot.size", [], {"value": array}, [type_])[0]
            return self.convert(size, dtype)
        try:
            data = np.asarray(array, dtype=dtype)
        except OverflowError as error:
            if dtype != INT:
                raise DTypeError(str(error)) from None
            raise UnsupportedError(
                "an int beyond 64 bits meets run-time ints, which have 64 bits",
                hint="use a smaller int, or a float: math.inf, or float(2**64)",
            ) from None
        value = self.builder.constant(data.tobytes(), list(data.shape), CODES[dtype])
        if dtype.kind in "biu":
            self._constants[id(value)] = value, data
        return value

    def known_elements(self, value: Value) -> np.ndarray | None:
        """The elements of a constant array of integers or booleans; None of other values."""
        found = self._constants.get(id(value))
        return None if found is None else found[1]

    def note_bounds(self, value: Value, bounds: Bounds) -> Value:
        """Note bounds of all elements of an integer array, and return the array."""
        if bounds != (None, None):
            self._bounds[id(value)] = value, bounds
        return value

    def noted_bounds(self, value: Value) -> Bounds:
        found = self._bounds.get(id(value))
        return (None, None) if found is None else found[1]

    def full(self, shape: Shape, value: Value, dtype: np.dtype) -> Value:
        return self.broadcast(self.convert(value, dtype), shape)

    def zeros(self, shape: Shape, dtype: np.dtype) -> Value:
        return self.broadcast(self.constant(0, dtype), shape)

    def broadcast(self, value: Value, shape: Shape) -> Value:
        if value.shape == tuple(shape):
            return value
        return self.typed("broadcast_to", [value], shape, DTYPES[value.dtype])

    def reshape(self, value: Value, shape: Shape) -> Value:
        if value.shape == tuple(shape):
            return value
        made = self.typed("reshape", [value], shape, DTYPES[value.dtype])
        known = self.known_elements(value)
        if known is not None and not depends(tuple(shape)):
            self._constants[id(made)] = made, known.reshape(shape)
        return made

    def transpose(self, value: Value, axes: Sequence[int]) -> Value:
        return self.create("transpose", [value], axes=list(axes))

    def iota(self, shape: Shape, axis: int, dtype: np.dtype = INT) -> Value:
        type_ = (list(shape), CODES[dtype])
        made = self.builder.create("ingot.iota", [], {"axis": axis}, [type_])[0]
        return self.note_bounds(made, (0, max(shape[axis] - 1, 0)))

    def reduce(self, kind: str, value: Value, axes: Sequence[int]) -> Value:
        return self.create("reduce", [value], kind=f"#ingot<reduce_kind {kind}>", axes=sorted(axes))

    def check(self, condition: Value, exception: str, message: str) -> None:
        """Raise at run time what Python or NumPy raises, exactly where it does."""
        self.require(condition, Failure(exception, message))

    def limit(self, condition: Value, message: str, exception: str = "NotImplementedError") -> None:
        """Raise at run time where the program can't do what Python does."""
        self.require(condition, Failure(exception, message, Kind.LIMIT))

    def require(self, condition: Value, failure: Failure) -> None:
        self.checks += 1
        if isinstance(failure.reason, Assumption):
            self.assumed.add(failure.reason)
        self.on_check(condition, failure)

    def emit_assert(self, condition: Value, failure: Failure, number: int = 0) -> None:
        """Emit the operation of a check.

        Args:
            number: what `keep` gave for its exception, or 0.
        """
        attributes: dict[str, Any] = {
            "exception": text_bytes(failure.exception), "message": text_bytes(failure.message)
        }  # fmt: skip
        if isinstance(failure.reason, Assumption):
            attributes["ingot.assumption"] = failure.reason.name
        if number:
            attributes["ingot.check"] = number
        self.builder.create("ingot.assert", [condition], attributes)

    def keep(self, raised: Thrown) -> int:
        """A number for the exception of a check."""
        self.raised.append(raised)
        return len(self.raised)

    # Index arithmetic: ints stay ints, all others are 0-d i64.

    def index(self, value: int | Value) -> Value:
        return self.constant(value, INT) if isinstance(value, int) else value

    def index_op(self, name: str, a: int | Value, b: int | Value) -> int | Value:
        if isinstance(a, int) and isinstance(b, int):
            return a + b if name == "add" else a * b
        neutral = 0 if name == "add" else 1
        if isinstance(b, int) and b == neutral:
            return a
        if isinstance(a, int) and a == neutral:
            return b
        return self.elementwise(name, [self.index(a), self.index(b)], (INT, INT))

    # Values of the frontend.

    def scalar(self, number: Any) -> Value:
        """A static number as a constant; its dtype is that of Python or NumPy."""
        kind = static_kind(number)
        return self.constant(number, kind if isinstance(kind, np.dtype) else OF_PYTHON[kind])


def text_bytes(text: str) -> bytes:
    """Text of the user's as the builder takes it: a string that begins with `#` is an attribute."""
    return text.encode(errors="replace")


def static_kind(number: Any) -> np.dtype | type:
    """The kind of a static number in NumPy's promotion: a dtype, or a Python type."""
    if isinstance(number, Dimension):
        return int
    if isinstance(number, np.generic):
        return number.dtype
    kind = type(number)
    # Members of IntEnum compute as ints do.
    return kind if kind in OF_PYTHON else next(each for each in kind.__mro__ if each in OF_PYTHON)


def number_dtype(number: Any) -> np.dtype:
    """The dtype of `np.asarray(number)`."""
    return INT if isinstance(number, Dimension) else np.asarray(number).dtype


def value_dtype(value: Any) -> np.dtype:
    """NumPy's dtype of a number or an array.

    Raises:
        Undetermined: the dtype depends on the path taken (see `Joined`).
    """
    if isinstance(value, Joined):
        return of_all_kinds(value, np.dtype)
    return value.dtype if isinstance(value, (Scalar, Array)) else number_dtype(value)


def held_dtype(value: Any) -> np.dtype:
    """The dtype of the SSA value of a number or array; also of a `Joined` number."""
    return value.held if isinstance(value, (Scalar, Array)) else number_dtype(value)


def affine_of(value: int | Scalar) -> Affine:
    if isinstance(value, Scalar):
        return value.affine or Affine(((value.value, 1),), 0)
    return Affine((), as_int(value))


def known(value: Any) -> Any:
    """A run-time integer as an int if its affine form is constant, as that of `n - n + 1`."""
    form = value.affine if isinstance(value, Scalar) else None
    return value if form is None or form.terms else form.constant


def bounds_of(value: int | Scalar) -> Bounds:
    if isinstance(value, Scalar):
        return value.low, value.high
    return as_int(value), as_int(value)


def at_least(low: int | None, limit: int) -> bool:
    """Whether a lower bound is known to be at least a limit."""
    return low is not None and decided(lambda: low >= limit)


def at_most(high: int | None, limit: int) -> bool:
    """Whether an upper bound is known to be at most a limit."""
    return high is not None and decided(lambda: high <= limit)


def fresh(value: Value, origin: Any = None) -> Array:
    """A new array of its own storage."""
    shape = value.shape
    return Array(Storage(value, shape, DTYPES[value.dtype], origin), shape)


def numpy_scalar(value: Value) -> Scalar:
    return Scalar(value, DTYPES[value.dtype])


def result_of(value: Value, origin: Any = None) -> Array | Scalar:
    """The result of a ufunc: an array, or a NumPy scalar if it has no axes."""
    return fresh(value, origin) if value.shape else numpy_scalar(value)


def predicate(value: Value, parameter: Any = None) -> Scalar:
    return Scalar(value, BOOL, bool, parameter=parameter)
