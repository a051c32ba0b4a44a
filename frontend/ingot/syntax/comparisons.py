"""Comparisons: operators, open sizes, and identity."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ingot.dimensions import Dimension, Undecided, depends
from ingot.numpy import python_scalars
from ingot.numpy.python_scalars import is_complex_with_float, is_of_numpy, is_python
from ingot.numpy.ufuncs import call_operator, call_ufunc
from ingot.syntax import orders, parts
from ingot.syntax.calls import Calls
from ingot.syntax.containers import CONTAINERS, NO_NUMBERS
from ingot.syntax.dynamic import Part
from ingot.syntax.functions import Method
from ingot.syntax.identity import classes_of
from ingot.syntax.ops import predicate
from ingot.syntax.parts import PARTS
from ingot.syntax.state import OPERANDS
from ingot.syntax.values import (
    Array,
    Instance,
    Joined,
    OneOf,
    Opaque,
    OrNone,
    Range,
    Reference,
    Scalar,
    Symbolic,
    Text,
    Undetermined,
    class_name,
    is_array_like,
    is_runtime,
    is_view,
    kinds_of,
    same_object,
)

COMPARE: dict[type, tuple[Callable[..., Any], np.ufunc]] = {
    ast.Eq: (operator.eq, np.equal),
    ast.NotEq: (operator.ne, np.not_equal),
    ast.Lt: (operator.lt, np.less),
    ast.LtE: (operator.le, np.less_equal),
    ast.Gt: (operator.gt, np.greater),
    ast.GtE: (operator.ge, np.greater_equal),
}
#: Comparisons that take None on both sides, and those that take it on their left one.
EQUALITIES = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)
MEMBERSHIPS = (ast.In, ast.NotIn)


def _is_bool(value: Any) -> bool:
    """Whether it is Python's True or False, of which there is one each."""
    is_dynamic = type(value) is Scalar and value.weak is bool
    return is_dynamic or type(value) is bool


def _unequal(op: ast.cmpop, left: Any, right: Any) -> bool | np.bool:
    """What `==` or `!=` gives for two values that can't be equal."""
    found = isinstance(op, ast.NotEq)
    number, other = (left, right) if isinstance(left, Scalar) else (right, left)
    if not (isinstance(number, Scalar) and isinstance(other, (str, bytes))):
        return found
    # NumPy's numbers compare with texts by a ufunc.
    by_numpy = {isinstance(kind, np.dtype) for kind in kinds_of(number)}
    if len(by_numpy) > 1:
        raise Undetermined(kinds_of(number))
    return np.bool(found) if True in by_numpy else found


class Comparisons(Calls):
    def visit_Compare(self, node: ast.Compare) -> Any:
        return self._compare_chain(node, self._operand(node, node.left, -1), 0)

    def _compare_chain(self, node: ast.Compare, left: Any, i: int) -> Any:
        """The comparisons from number `i` on; the first false one ends the chain."""
        right = self._operand(node, node.comparators[i], i)
        self.at(node)
        op, kinds = node.ops[i], {type(left), type(right)}
        if OneOf in kinds:
            one = self.over_all([left, right], lambda pair: self.compare(op, *pair))
        elif Joined in kinds and kinds <= OPERANDS:
            one = self.of_each_kind([left, right], lambda pair: self.compare(op, *pair))
        else:
            one = self.compare(op, left, right)
        if i + 1 == len(node.ops):
            return one
        test = self.truth(one)
        if isinstance(test, bool):
            return self._compare_chain(node, right, i + 1) if test else one
        return self.choose(test, lambda: self._compare_chain(node, right, i + 1), lambda: one)

    def _operand(self, node: ast.Compare, operand: ast.expr, i: int) -> Any:
        """What is right of comparison `i` and left of the next, also None if both take that."""
        as_right = i < 0 or isinstance(node.ops[i], EQUALITIES)
        as_left = all(isinstance(op, (*EQUALITIES, *MEMBERSHIPS)) for op in node.ops[i + 1 : i + 2])
        return self.any_value(operand) if as_right and as_left else self.expr(operand)

    def _equals_none(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        """`==`, `!=` or, left of `in` or `not in`, one value that may be None at run time."""
        if isinstance(op, MEMBERSHIPS):
            return self.choose(
                left.assigned,
                lambda: self.compare(op, left.value, right),
                lambda: self.compare(op, None, right),
            )
        if type(left) is not OrNone:
            left, right = right, left
        if type(right) is OrNone:
            self.fail("two values that may be None are compared", "test them with `is None`")
        if_none = isinstance(op, ast.Eq) is (right is None)
        return self.choose(
            left.assigned, lambda: self.compare(op, left.value, right), lambda: if_none
        )

    def as_python(self, number: Any) -> Any:
        """A `np.float64` as the Python float that it is by its class; other numbers unchanged."""
        if isinstance(number, np.float64):
            return float(number)
        if isinstance(number, Scalar) and number.weak is None:
            return self.call(float, (number,), {})
        return number

    def compare(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        if isinstance(op, (ast.Is, ast.IsNot)):
            same = self.is_same(left, right)
            return same if isinstance(op, ast.Is) else self.negate(same)
        if OrNone in (type(left), type(right)):
            return self._equals_none(op, left, right)
        if isinstance(op, MEMBERSHIPS):
            found = self.contains(right, left)
            return found if isinstance(op, ast.In) else self.negate(found)
        if type(left) in PARTS or type(right) in PARTS:
            return parts.elementwise(self, COMPARE[type(op)][1], (left, right))
        for each in (left, right):
            if type(each) is Opaque:
                self.refuse_opaque(each)
        if isinstance(left, Instance) or isinstance(right, Instance):
            return self.compare_objects(type(op), left, right)
        if isinstance(left, CONTAINERS) or isinstance(right, CONTAINERS):
            return self._compare_container(op, left, right)
        if depends(left) or depends(right):
            return self._compare_sizes(op, left, right)
        python, ufunc = COMPARE[type(op)]
        if not (isinstance(left, Symbolic) or isinstance(right, Symbolic)):
            return self.compute(python, left, right)
        left, right = self.beside_ranges(left, right)
        if not (is_array_like(left) and is_array_like(right)):
            return self._compare_unlike(op, left, right)
        is_equality = ufunc in (np.equal, np.not_equal)
        if is_python(left) and (
            is_python(right) or (is_equality and is_complex_with_float(left, right))
        ):
            return python_scalars.compare(self, ufunc, left, self.as_python(right))
        return call_operator(self, python, ufunc, (left, right))

    def _compare_container(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        """Compare an array with a list elementwise, and two containers as a whole."""
        sides = (left, right)
        if any(map(is_of_numpy, sides)) and all(map(is_array_like, sides)):
            return call_ufunc(self, COMPARE[type(op)][1], (self.plain(left), self.plain(right)))
        return self.compare_containers(type(op), left, right)

    def _compare_unlike(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        """A comparison with a value that is not a number: unequal where that is known."""
        if isinstance(left, Text) or isinstance(right, Text):
            self.suggest_text(left)
            self.suggest_text(right)
            self.fail(
                "a run-time string can't be compared",
                "compare the numbers that it shows",
                page="run-time-string",
            )
        if isinstance(left, Range) and isinstance(right, Range):
            one, other = (self.static_items(each) for each in (left, right))
            return self.compute(COMPARE[type(op)][0], one, other)
        known = (Array, Scalar, *NO_NUMBERS)
        is_known = isinstance(left, known) and isinstance(right, known)
        if isinstance(op, (ast.Eq, ast.NotEq)) and is_known:
            array = next((each for each in (left, right) if isinstance(each, Array)), None)
            return _unequal(op, left, right) if array is None else self._unequal_items(op, array)
        if is_known and not isinstance(left, Array) and not isinstance(right, Array):
            orders.refuse(self, type(op), left, right)
        self.fail(f"{class_name(left)} and {class_name(right)} can't be compared in compiled code")

    def _unequal_items(self, op: ast.cmpop, array: Array) -> Any:
        """What `==` or `!=` gives of an array and what no number is equal to."""
        made = self.call(np.full_like, (array, isinstance(op, ast.NotEq), bool), {})
        return made if array.shape else self.subscript(made, ())

    def is_same(self, left: Any, right: Any) -> Any:
        """`left is right`: a bool, or a predicate known at run time."""
        if same_object(left, right):
            return True
        if OrNone in (type(left), type(right)):
            return self._is_none(left, right)
        if _is_bool(left) and _is_bool(right):
            return self.truth(self.compare(ast.Eq(), left, right))
        if isinstance(left, Scalar) or isinstance(right, Scalar):
            # Numbers of different classes are different objects.
            if classes_of(left).isdisjoint(classes_of(right)):
                return False
            self.fail("`is` of run-time numbers is not supported", "compare with ==")
        are_arrays = isinstance(left, (Part, Array)) and isinstance(right, (Part, Array))
        if are_arrays and (isinstance(left, Part) or isinstance(right, Part)):
            # A loop or a branch may have made two values of one array.
            self.fail(
                "`is` of arrays of run-time lengths is not supported", "compare what they hold"
            )
        if isinstance(left, (Reference, Array)) and isinstance(right, (Reference, Array)):
            if left.cell.source is not None and right.cell.source is not None:
                self.compares_identity = True
            if left.cell is right.cell and is_view(left) != is_view(right):
                return False
            link = left.cell.maybe.get(right.cell)
            if link is not None and not (is_view(left) or is_view(right)):
                return predicate(link)
            if right.cell in left.cell.maybe or left.cell is right.cell:
                self.fail(
                    "whether these are one object depends on what happens at run time",
                    "compare what they hold",
                    page="alias",
                )
            return False
        if isinstance(left, Method) and isinstance(right, Method):
            return False
        return left is right

    def _is_none(self, left: Any, right: Any) -> Any:
        """`is` of values of which one may be None at run time."""
        if left is None or right is None:
            value = right if left is None else left
            return self.negate(value.assigned)
        self.fail(
            "`is` of a value that may be None is known for None only", "test `is None` before it"
        )

    def _compare_sizes(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        """A comparison with dimensions, or tuples of them, at compile time or at run time."""
        is_equality = isinstance(op, (ast.Eq, ast.NotEq))
        if isinstance(left, (tuple, list)) and isinstance(right, (tuple, list)) and is_equality:
            same: Any = len(left) == len(right)
            for a, b in zip(left, right, strict=False):
                same = self.both(same, self.truth(self.compare(ast.Eq(), a, b)))
            return same if isinstance(op, ast.Eq) else self.negate(same)
        python, _ = COMPARE[type(op)]
        if is_equality and isinstance(left, int) and isinstance(right, int):
            first: Any = left if isinstance(left, Dimension) else right
            second = right if isinstance(left, Dimension) else left

            def decide(*_: Any) -> bool:
                return first.is_equal(second) == isinstance(op, ast.Eq)
        else:
            decide = python
        try:
            if not (is_runtime(left) or is_runtime(right)):
                return self.compute(decide, left, right)
        except Undecided:
            pass
        return self.compare(op, self.at_run_time(left), self.at_run_time(right))
