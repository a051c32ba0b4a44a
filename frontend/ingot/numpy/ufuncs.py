"""Ufuncs: promotion, broadcasting, `out=` and `where=`, and the operations that they emit."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ingot._core import Elementwise, Value
from ingot.dimensions import Dimension, are_equal, broadcast_shapes
from ingot.dtypes import (
    BOOL,
    FLOAT,
    INT,
    IS_NUMPY_2_5,
    STATIC_NUMBERS,
    joined_kind,
)
from ingot.numpy import integers, numbers_that_met
from ingot.numpy.composed import COMPOSED, ON_COMPLEX
from ingot.numpy.order import elementwise, keeps_c_order
from ingot.numpy.promotion import dtype_for, kind_of, operator_kind, possible_dtypes, resolve
from ingot.syntax import intervals
from ingot.syntax.cells import Storage
from ingot.syntax.dynamic import Part
from ingot.syntax.kinds import computed
from ingot.syntax.ops import elementwise_operation, fresh, result_of
from ingot.syntax.storing import check_fits
from ingot.syntax.values import Array, Joined, Scalar, Undetermined, kinds_of, parameter_of
from ingot_runtime.errors import ShapeError

UINT = np.dtype("uint64")

#: Ufuncs that are one operation of the dialect.
OPERATIONS: dict[np.ufunc, str] = {
    np.add: "add", np.subtract: "sub", np.multiply: "mul", np.true_divide: "div",
    np.floor_divide: "floor_div", np.remainder: "mod", np.fmod: "fmod", np.power: "pow",
    np.maximum: "maximum", np.minimum: "minimum", np.arctan2: "atan2",
    np.bitwise_and: "and", np.bitwise_or: "or", np.bitwise_xor: "xor",
    np.left_shift: "shift_left", np.right_shift: "shift_right",
    np.negative: "neg", np.invert: "not", np.absolute: "abs",
    np.exp: "exp", np.expm1: "expm1", np.log: "log", np.log1p: "log1p", np.sqrt: "sqrt",
    np.cbrt: "cbrt", np.sin: "sin", np.cos: "cos", np.tan: "tan", np.arcsin: "asin",
    np.arccos: "acos", np.arctan: "atan", np.sinh: "sinh", np.cosh: "cosh", np.tanh: "tanh",
    np.arcsinh: "asinh", np.arccosh: "acosh", np.arctanh: "atanh", np.floor: "floor",
    np.ceil: "ceil", np.trunc: "trunc", np.rint: "rint", np.fabs: "abs",
}  # fmt: skip
COMPARISONS: dict[np.ufunc, str] = {
    np.equal: "eq", np.not_equal: "ne", np.less: "lt", np.less_equal: "le",
    np.greater: "gt", np.greater_equal: "ge",
}  # fmt: skip
LOGICAL: dict[np.ufunc, str] = {
    np.logical_and: "and", np.logical_or: "or", np.logical_xor: "xor", np.logical_not: "not",
}  # fmt: skip
#: The operations that arithmetic on booleans emits; None for the identity.
ON_BOOL = {"add": "or", "mul": "and", "abs": None}
#: Rounding functions that return integers unchanged.
ROUNDING = (np.floor, np.ceil, np.trunc)

#: The types of operands that need no conversion by `ev.as_array`.
PLAIN = (Array, float)
#: The types of operands of an array that neither operators nor ufuncs treat in a way of their own.
SIMPLE = frozenset([Array, Scalar, int, float])


def number_of(value: Value, dtype: np.dtype, operands: tuple) -> Scalar:
    """The result of a ufunc that has no axes."""
    made = Scalar(value, dtype)
    made.parameter = parameter_of(operands)
    return made


def call_ufunc(
    ev: Any,
    ufunc: np.ufunc,
    args: tuple,
    out: Any = None,
    where: Any = True,
    dtype: Any = None,
    order: Any = "K",
    casting: Any = "same_kind",
) -> Any:
    """Call a ufunc as NumPy does: promotion, broadcasting, and its keyword arguments."""
    is_plain = out is None and where is True and dtype is None
    if is_plain and order == "K" and casting == "same_kind" and len(args) == ufunc.nin:
        if all(map(_is_known, args)):
            return ev.compute(_quietly, ufunc, *args)
        folded = _folded(ev, ufunc, args)
        if folded is not None:
            return folded
        operands = [a if type(a) in PLAIN else ev.as_array(a) for a in args]
        if any(isinstance(each, Part) for each in operands):
            # A list of a length that only run time knows.
            return ev.call(ufunc, tuple(operands), {})
        if ufunc in COMPARISONS and any(_may_be_int(a) for a in operands):
            return _of(operands, elementwise(_compare_int(ev, ufunc, operands), operands))
        key = (
            ufunc,
            *[
                float
                if type(a) is float
                else a.storage.dtype
                if type(a) is Array and not a.views
                else kind_of(a)
                for a in operands
            ],
        )
        plan = PLANS.get(key)
        if plan is None:
            plan = PLANS[key] = _plan(ev, ufunc, *key[1:])
        is_root = ufunc is np.power and _is_root(operands, plan.result)
        if plan.operation is not None and not is_root:
            return _follow(ev, plan, operands)
    if len(args) > ufunc.nin:
        out = args[ufunc.nin] if out is None else out
        args = args[: ufunc.nin]
    if len(args) < ufunc.nin:
        ev.fail_as(TypeError, f"{ufunc.__name__}() takes {ufunc.nin} positional arguments")
    if isinstance(out, tuple):
        (out,) = out
    operands = [ev.as_array(arg) for arg in args]
    if any(isinstance(each, Part) for each in operands):
        given = {"out": out, "where": where, "dtype": dtype, "order": order, "casting": casting}
        return ev.call(ufunc, tuple(operands), given)
    wanted = None if dtype is None else np.dtype(ev.static(dtype, "a dtype"))
    casting = ev.static(casting, "a casting rule")
    if casting in ("no", "equiv"):
        # NumPy's resolve_dtypes reads memory that is not its own where these refuse an int.
        ev.fail(f"casting={casting!r} of a ufunc is not supported", "write casting='safe'")
    kinds = tuple(map(kind_of, operands))
    is_joined = frozenset in map(type, kinds)
    is_number = out is None and not any(type(each) is Array for each in operands)
    try:
        outcomes = possible_dtypes(ufunc, kinds, wanted, casting) if is_joined and is_number else ()
        if outcomes:
            kinds = tuple(joined_kind(k) if isinstance(k, frozenset) else k for k in kinds)
        dtypes = resolve(ufunc, kinds, wanted, casting)
    except (TypeError, ValueError) as error:
        ev.fail_as(TypeError if isinstance(error, TypeError) else ValueError, str(error))
    if outcomes:
        dtypes = numbers_that_met.widened(dtypes, outcomes)
        numbers_that_met.require_same_meaning(ufunc, operands, outcomes, dtypes[-1])
        numbers_that_met.check_wide(ev, operands, dtypes[-1], outcomes)
    values = [operand(ev, each, to) for each, to in zip(operands, dtypes, strict=False)]
    if ufunc is np.power and dtypes[0].kind in "iu":
        result = _integer_power(ev, operands[1], values, dtypes)
    elif ufunc is np.power and _is_root(operands, dtypes[0]):
        result = ev.ops.elementwise("sqrt", values[:1], dtypes[:1])
    else:
        result = _emit(ev, ufunc, values, dtypes)
    if outcomes:

        def outcome(*kinds: Any) -> np.dtype:
            return resolve(ufunc, kinds, wanted, casting)[-1]

        number = computed(ev.ops, result, (dtypes[-1], None), outcome, operands)
        number = numbers_that_met.narrowed(ev, number, outcomes, operands)
        rule = intervals.RULES.get(OPERATIONS.get(ufunc, ""))
        if rule is not None and number.held.kind in "iu":
            intervals.note(number, intervals.in_dtype(ev.ops, rule, operands, number.held))
        return number
    if out is None:
        if where is not True:
            ev.fail("where= needs out=", "use np.where(condition, value, other)")
        made = result_of(result, ev.location)
        return _of(operands, elementwise(made, operands, ev.static(order, "an order")))
    return store_out(ev, out, result, dtypes[-1], where, casting)


def _of(operands: list[Any], made: Any) -> Any:
    """A result, with the parameter that its operands are computed from if it is a number."""
    if isinstance(made, Scalar):
        made.parameter = parameter_of(operands)
    return made


def _is_known(operand: Any) -> bool:
    return isinstance(operand, STATIC_NUMBERS) and not isinstance(operand, Dimension)


#: Constant arrays with as many elements are computed with at compile time: they may be shapes.
_FEW = 32


def _folded(ev: Any, ufunc: np.ufunc, args: tuple) -> Any:
    """The result for small constant arrays of integers, and numbers; else None."""
    values = [_constant(ev, each) for each in args]
    if any(value is None or np.ndim(value) > 1 or np.size(value) > _FEW for value in values):
        return None
    try:
        made = _quietly(ufunc, *values)
    except (TypeError, ValueError, OverflowError):
        return None
    if isinstance(made, np.generic):
        return made
    is_whole = made.dtype.kind in "biu"
    return fresh(ev.ops.constant(made, made.dtype), ev.location) if is_whole else None


def _constant(ev: Any, operand: Any) -> Any:
    """A number, the elements of a constant array of integers, a sequence of numbers, or None."""
    if type(operand) is Array:
        return ev.known_array(operand)
    if isinstance(operand, (list, tuple)):
        return operand if all(map(_is_known, operand)) else None
    return operand if _is_known(operand) else None


def _quietly(ufunc: np.ufunc, *operands: Any) -> Any:
    """What NumPy gives for numbers, without its warnings."""
    with np.errstate(all="ignore"):
        return ufunc(*operands)


def call_operator(ev: Any, python: Callable[..., Any], ufunc: np.ufunc, operands: tuple) -> Any:
    """An operator on arrays and numbers. Where all operands are Python's on some paths, so is the
    result on these."""
    found = next((each.kinds for each in operands if type(each) is Joined), None)
    if found is None:
        return call_ufunc(ev, ufunc, operands)
    outcome = functools.partial(operator_kind, python, ufunc)
    try:
        made = call_ufunc(ev, ufunc, operands)
        if not isinstance(made, Scalar):
            return made
        number = computed(ev.ops, made.value, (made.held, None), outcome, operands)
    except TypeError:
        # One of the kinds has no such operator.
        raise Undetermined(found) from None
    if {BOOL, int} <= kinds_of(number):
        # Python's bools are integers to `+` and `~`, so the value depends on the kinds.
        raise Undetermined(found)
    return intervals.note(number, (made.low, made.high))


class Plan(NamedTuple):
    """How to emit a ufunc for operands of given kinds.

    Attributes:
        operation: the one operation to emit on the converted operands; None if it takes more.
        dtypes: the operands' dtypes.
        result: the result's dtype.
        rule: computes the bounds of an integer result from the operands' bounds.
        is_short: whether `ingot._core.apply` can emit it.
    """

    operation: Elementwise | None
    dtypes: tuple[np.dtype, ...] = ()
    result: np.dtype = BOOL
    rule: Any = None
    is_short: bool = False


#: By ufunc and the kinds of the operands.
PLANS: dict[tuple, Plan] = {}


def _plan(ev: Any, ufunc: np.ufunc, *kinds: Any) -> Plan:
    if frozenset in map(type, kinds):
        return Plan(None)
    try:
        dtypes = resolve(ufunc, kinds)
    except TypeError:
        return Plan(None)
    inputs = dtypes[: ufunc.nin]
    if inputs[0].kind == "c" and ufunc in ON_COMPLEX:
        return Plan(None)
    if ufunc in COMPARISONS and len(set(inputs)) == 1:
        operation = elementwise_operation("compare", inputs, COMPARISONS[ufunc])
    elif ufunc in OPERATIONS and inputs[0] != BOOL and len(set(dtypes)) == 1:
        if ufunc in (np.power, *ROUNDING) and inputs[0].kind in "iu":
            return Plan(None)
        operation = elementwise_operation(OPERATIONS[ufunc], inputs)
    else:
        return Plan(None)
    rule = intervals.RULES.get(OPERATIONS.get(ufunc, "")) if dtypes[-1].kind in "iu" else None
    # Other numbers than floats, and powers of 0.5, need a look at their values.
    is_short = rule is None and (ufunc is not np.power or kinds[1] is int)
    is_short &= all(d is FLOAT or k not in (int, float) for k, d in zip(kinds, inputs, strict=True))
    return Plan(operation, inputs, dtypes[-1], rule, is_short)


def _follow(ev: Any, plan: Plan, operands: list[Any]) -> Any:
    operation, dtypes, result, rule, _ = plan
    builder = ev.ops.builder
    values: list[Any] = []
    is_plain = True
    for each, dtype in zip(operands, dtypes, strict=True):
        if type(each) is Array and not each.views:
            values.append(each.storage.value)
            is_plain &= each.storage.strides is None
        elif type(each) is float and dtype is FLOAT:
            values.append(each)
        else:
            is_plain &= type(each) is not Array or keeps_c_order(each)
            values.append(operand(ev, each, dtype))
    value = builder.elementwise(operation, values)
    shape = value.shape
    if not shape:
        made = Scalar(value, result)
        made.parameter = parameter_of(operands)
        if rule is not None:
            intervals.note(made, intervals.in_dtype(ev.ops, rule, operands, result))
        return made
    if rule is not None:
        ev.ops.note_bounds(value, intervals.in_dtype(ev.ops, rule, operands, result))
    array = Array(Storage(value, shape, result, (ev.filename, ev.node)), shape)
    return array if is_plain else elementwise(array, operands)


def require_cast(ev: Any, dtype: np.dtype, to: np.dtype, casting: Any = "same_kind") -> None:
    """Refuse to write a result of one dtype into an array of another, as NumPy does."""
    if not np.can_cast(dtype, to, casting):
        ev.fail_as(
            TypeError,
            f"can't cast the result from {dtype} to {to} with casting rule {casting!r}",
            "compute into a new array, or convert with .astype first",
        )


def store_out(
    ev: Any, out: Any, result: Value, dtype: np.dtype, where: Any = True, casting: Any = "same_kind"
) -> Any:
    """Write a result into the array given as `out=` or on the left of `+=`."""
    if not isinstance(out, Array):
        ev.fail_as(TypeError, "return arrays must be of ArrayType")
    require_cast(ev, dtype, out.dtype, casting)
    try:
        fits = broadcast_shapes(result.shape, out.shape) == out.shape
    except ValueError:
        fits = False
    if not fits:
        ev.fail(
            f"non-broadcastable output operand with shape {out.shape} doesn't match the "
            f"broadcast shape {result.shape}",
            kind=ShapeError,
        )
    value = ev.ops.broadcast(ev.ops.cast(result, out.dtype), out.shape)
    if where is not True:
        mask = ev.ops.convert(ev.read(ev.as_array(where)), BOOL)
        value = ev.ops.select(mask, value, ev.read(out))
    ev.store(out, value, "output array")
    return out


def reduced(ev: Any, value: Value, kept: tuple[int, ...], keepdims: Any, out: Any) -> Any:
    """A reduction's result, with `keepdims` and `out` applied.

    Args:
        value: the result without the reduced axes.
        kept: the shape with the reduced axes as 1, for `keepdims`.
        out: an array of the result's shape and any dtype, or None.

    Returns:
        `out` if it is given, else an array, or a scalar if there are no axes.
    """
    if ev.static(keepdims, "keepdims"):
        value = ev.ops.reshape(value, kept)
    made = result_of(value, ev.location)
    if out is None:
        is_number = type(made) is Scalar
        return intervals.note(made, ev.ops.noted_bounds(value)) if is_number else made
    if isinstance(out, Array) and not are_equal(out.shape, value.shape):
        message = f"out= of shape {out.shape} for a reduction of shape {tuple(value.shape)}"
        ev.raise_now(ValueError, message)
    return store_out(ev, out, value, made.dtype, casting="unsafe")


def _is_root(operands: list[Any], dtype: np.dtype) -> bool:
    """Whether NumPy computes a power by sqrt, which differs at -0.0 and minus infinity."""
    base, exponent = operands
    is_half = isinstance(exponent, (float, np.floating)) and exponent == 0.5
    return is_half and type(base) is Array and dtype.char in "fd"


def is_int(value: Any) -> bool:
    """Whether a value is a Python integer, static or dynamic."""
    return type(value) is int or (isinstance(value, Scalar) and value.weak is int)


def _may_be_int(value: Any) -> bool:
    """Whether a value is a Python integer on some path at least."""
    is_joined = type(value) is Joined and int in value.kinds and value.held.kind in "iu"
    return is_joined or is_int(value)


def _compare_int(ev: Any, ufunc: np.ufunc, operands: list[Any]) -> Any:
    """A comparison with a Python integer, which need not fit the other operand's dtype."""
    position = 0 if _may_be_int(operands[0]) else 1
    number, other = operands[position], operands[1 - position]
    # The result is a bool whatever the kind, so the kinds may be joined.
    kind = joined_kind(other.kinds) if type(other) is Joined else kind_of(other)
    kinds = tuple(int if _may_be_int(each) else kind for each in operands)
    values: list[Any] = [None, None]
    is_narrow = isinstance(kind, np.dtype) and kind.kind in "iu" and kind != UINT
    dtype = INT if is_narrow or _may_be_int(other) else resolve(ufunc, kinds)[0]
    values[1 - position] = ev.ops.convert(ev.read(other), dtype)
    if kind != UINT or (type(number) is int and number >= 0):
        fits = type(number) is not int or dtype != INT or -(2**63) <= number < 2**63
        if not fits:
            ev.fail_as(OverflowError, f"Python integer {number} out of bounds for int64")
        values[position] = (
            ev.ops.convert(ev.read(number), dtype)
            if type(number) is not int
            else (ev.ops.constant(number, dtype))
        )
        return result_of(_emit(ev, ufunc, values, (dtype, dtype)), ev.location)
    signed = ev.ops.index(ev.index_value(number))
    values[position] = ev.ops.convert(signed, dtype)
    return result_of(_compare_signed(ev, ufunc, values, position, signed), ev.location)


def _compare_signed(
    ev: Any, ufunc: np.ufunc, values: list[Value], position: int, signed: Value
) -> Value:
    """A comparison of uint64 values, of which one was converted from int64.

    Where the int64 is negative, it is less than every uint64.

    Args:
        position: the index of the converted operand.
        signed: this operand before its conversion.
    """
    is_negative = ev.ops.compare("lt", signed, ev.ops.constant(0, INT), INT)
    result = ev.ops.compare(COMPARISONS[ufunc], *values, UINT)
    sides = (-1, 1) if position == 0 else (1, -1)
    outcome = ev.ops.constant(bool(ufunc(*sides)), BOOL)
    return ev.ops.select(is_negative, outcome, result)


def operand(ev: Any, value: Any, dtype: np.dtype) -> Value:
    if isinstance(value, Scalar) and dtype.kind in "iu" and _may_be_int(value):
        check_fits(ev, value, dtype)
    if not isinstance(value, STATIC_NUMBERS):
        return ev.read(value)
    if type(value) is int and dtype.kind in "iu":
        info = np.iinfo(dtype)
        if not info.min <= value <= info.max:
            ev.fail_as(OverflowError, f"Python integer {value} out of bounds for {dtype}")
    return ev.ops.constant(value, dtype)


def _emit(ev: Any, ufunc: np.ufunc, values: list[Value], dtypes: tuple[np.dtype, ...]) -> Value:
    ops = ev.ops
    first = dtypes[0]
    if first.kind == "c" and ufunc in ON_COMPLEX:
        return ON_COMPLEX[ufunc](ev, *(ops.convert(v, first) for v in values))
    if ufunc in COMPARISONS:
        if dtypes[0] != dtypes[1]:
            position = 0 if first == INT else 1
            sides = [ops.convert(v, d) for v, d in zip(values, dtypes, strict=False)]
            unsigned = [ops.convert(each, UINT) for each in sides]
            return _compare_signed(ev, ufunc, unsigned, position, sides[position])
        return ops.compare(COMPARISONS[ufunc], *values, first)
    if ufunc in LOGICAL:
        return ops.elementwise(LOGICAL[ufunc], values, [BOOL] * len(values))
    if ufunc in ROUNDING and first.kind in "biu":
        return ops.convert(values[0], dtypes[-1])
    if ufunc not in OPERATIONS:
        converted = [ops.convert(v, d) for v, d in zip(values, dtypes, strict=False)]
        return COMPOSED[ufunc](ev, *converted)
    name = OPERATIONS[ufunc]
    if first == BOOL:
        if ON_BOOL.get(name, name) is None:
            return ops.convert(values[0], first)
        name = ON_BOOL.get(name) or name
    value = ops.elementwise(name, values, dtypes[: len(values)])
    return ops.convert(value, dtypes[-1])


def _integer_power(ev: Any, given: Any, values: list[Value], dtypes: tuple[np.dtype, ...]) -> Value:
    known = isinstance(given, STATIC_NUMBERS)
    is_empty = 0 in values[0].shape or 0 in values[1].shape
    if known and given < 0 and not is_empty:
        ev.raise_now(ValueError, _NEGATIVE_POWER)
    if not known and not is_empty:
        _check_exponent(ev, values[1], dtypes[1])
    base, exponent = (ev.ops.convert(each, dtypes[0]) for each in values)
    return integers.power(ev, given, base, exponent, dtypes[0])


_NEGATIVE_POWER = "Integers to negative integer powers are not allowed."


def _check_exponent(ev: Any, exponent: Value, dtype: np.dtype) -> None:
    if dtype.kind == "u" or not ev.checks:
        return
    zero = ev.ops.constant(0, dtype)
    fine = ev.ops.compare("ge", ev.ops.convert(exponent, dtype), zero, dtype)
    fine = ev.ops.reduce("and", fine, range(len(fine.shape))) if fine.shape else fine
    ev.ops.check(fine, "ValueError", _NEGATIVE_POWER)


#: All ufuncs that `call_ufunc` handles.
ELEMENTWISE = frozenset([*OPERATIONS, *COMPARISONS, *LOGICAL, *COMPOSED])


def handlers() -> dict[Any, Callable[..., Any]]:
    """One handler for each supported ufunc with one result."""

    def handler(ufunc: np.ufunc) -> Callable[..., Any]:
        def call(ev: Any, *args: Any, **kwargs: Any) -> Any:
            return call_ufunc(ev, ufunc, args, **kwargs)

        return call

    table: dict[Any, Callable[..., Any]] = {ufunc: handler(ufunc) for ufunc in ELEMENTWISE}
    table[np.divmod] = divmod_
    table[np.where] = where
    return table


def divmod_(ev: Any, a: Any, b: Any) -> Any:
    return call_ufunc(ev, np.floor_divide, (a, b)), call_ufunc(ev, np.remainder, (a, b))


def outer(ev: Any, a: Any, b: Any, *, ufunc: np.ufunc) -> Any:
    """`ufunc.outer`: the ufunc of every element of a with every element of b."""
    a, b = ev.as_array(a), ev.as_array(b)
    shape = (*ev.read(a).shape, *(1,) * len(ev.read(b).shape))
    wide = ev.call(np.reshape, (a, shape), {})
    return ev.call(ufunc, (wide, b), {})


def _cast_side(ev: Any, value: Any, dtype: np.dtype) -> Value:
    """A side of np.where. NumPy before 2.5 casts Python integers, too, whether or not they fit."""
    if IS_NUMPY_2_5 and dtype.kind in "iu" and _may_be_int(value):
        return ev.ops.cast(operand(ev, value, dtype), dtype)
    if type(value) is int and -(2**63) <= value < 2**63:
        return ev.ops.constant(np.int64(value).astype(dtype), dtype)
    number = value if isinstance(value, STATIC_NUMBERS) else ev.read(value)
    return ev.ops.constant(number, dtype) if number is value else ev.ops.cast(number, dtype)


def where(ev: Any, condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None and y is None:
        return ev.call(np.nonzero, (condition,), {})
    if x is None or y is None:
        ev.raise_now(ValueError, "either both or neither of x and y should be given")
    test = ev.truth_array(condition)
    x, y = ev.as_array(x), ev.as_array(y)
    dtype = dtype_for(x, y)
    sides = [_cast_side(ev, v, dtype) for v in (x, y)]
    value = ev.ops.select(test, *sides)
    if dtype.kind in "iu":
        either = intervals.in_dtype(ev.ops, intervals.union, (x, y), dtype)
        ev.ops.note_bounds(value, either)
    # np.where returns an array even if there are no axes.
    return fresh(value, ev.location)
