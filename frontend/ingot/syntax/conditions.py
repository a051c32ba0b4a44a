"""Conditions: truth values, and expressions that are evaluated conditionally."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from ingot.dimensions import Undecided, decided
from ingot.dtypes import BOOL
from ingot.numpy.library import single
from ingot.syntax import narrowing
from ingot.syntax.alternatives import Alternatives
from ingot.syntax.calls import Calls
from ingot.syntax.dynamic import Part
from ingot.syntax.functions import LocalFunction, Method, Partial
from ingot.syntax.ops import predicate
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    Items,
    List,
    OneOf,
    OrNone,
    Raisable,
    Range,
    Scalar,
    Set,
    Symbolic,
    class_name,
    describe,
    parameter_of,
)
from ingot_runtime.errors import ShapeError

_AMBIGUOUS = (
    "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
)


class Conditions(Calls, Alternatives):
    def negate(self, test: Any) -> Any:
        if isinstance(test, bool):
            return not test
        return predicate(self.ops.elementwise("not", [test.value], [BOOL]), test.parameter)

    def truth(self, value: Any) -> Any:
        """`bool(value)`: a bool, or a predicate known at run time."""
        if isinstance(value, Array):
            if value.size != 1:
                if not self.has_windows:
                    self.catch(Raisable(ValueError, None, _AMBIGUOUS))
                self.fail(_AMBIGUOUS, "use a.any() or a.all()", ShapeError)
            value = Scalar(self.ops.reshape(self.read(value), ()), value.dtype)
        if type(value) is bool:
            return value
        if type(value) is OneOf:
            return self.over(value, self.truth)
        if type(value) is OrNone:
            return self.choose(value.assigned, lambda: self.truth(value.value), lambda: False)
        if isinstance(value, Scalar):
            dtype = value.held
            if dtype == BOOL:
                return value if value.weak else predicate(value.value, value.parameter)
            low = value.low
            if low is not None and decided(lambda: low > 0):
                return True
            zero = self.ops.constant(0, dtype)
            is_true = self.ops.compare("ne", value.value, zero, dtype)
            return predicate(is_true, value.parameter)
        if isinstance(value, (List, Dict, Set, Items)):
            return self.truth(self.length(value))
        if isinstance(value, tuple):
            return len(value) > 0
        if isinstance(value, Instance):
            return self._truth_of_instance(value)
        if isinstance(value, Range):
            return self.truth(self.length(value))
        if isinstance(value, (LocalFunction, Method, Partial)):
            return True
        if isinstance(value, Raisable):
            return self._truth_of_exception(value)
        if isinstance(value, Part):
            return self.inline(single.truth, (value,), {}, self.node)
        if isinstance(value, Symbolic):
            self.fail(f"the truth value of {describe(value)} is not supported")
        try:
            return self.compute(bool, value)
        except Undecided:
            return self.truth(self.at_run_time(value))

    def _truth_of_instance(self, value: Instance) -> Any:
        found = self.special(value, "__bool__")
        if found is not None:
            result = self.call(found, (), {})
            if class_name(result) != "bool":
                message = f"__bool__ should return bool, returned {class_name(result)}"
                self.raise_now(TypeError, message)
            return self.truth(result)
        if self.special(value, "__len__") is not None:
            return self.truth(self.length(value))
        return True

    def _truth_of_exception(self, value: Raisable) -> bool:
        if any(hasattr(value.kind, name) for name in ("__bool__", "__len__")):
            self.fail(f"the truth value of a {value.kind.__name__} is not supported")
        return True

    def both(self, a: Any, b: Any) -> Any:
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        value = self.ops.elementwise("and", [a.value, b.value], [BOOL, BOOL])
        return predicate(value, parameter_of([a, b]))

    def either(self, a: Any, b: Any) -> Any:
        if isinstance(a, bool):
            return True if a else b
        if isinstance(b, bool):
            return True if b else a
        value = self.ops.elementwise("or", [a.value, b.value], [BOOL, BOOL])
        return predicate(value, parameter_of([a, b]))

    def condition(self, node: ast.expr) -> Any:
        """The truth value of an expression, where nothing else of its value is used."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.negate(self.condition(node.operand))
        if not isinstance(node, ast.BoolOp):
            value = self.any_value(node)
            self.at(node)
            return self.truth(value)
        is_and = isinstance(node.op, ast.And)
        test = self.condition(node.values[0])
        for i, following in enumerate(node.values[1:], 1):
            test = self.settled(test, node.values[i - 1])
            if isinstance(test, bool):
                if test != is_and:
                    return test
                test = self.condition(following)
                continue
            further = self.knowing(node.values[:i], is_and, self.condition, following)
            self.at(node)
            if is_and:
                test = self.choose(test, further, lambda: False)
            else:
                test = self.choose(test, lambda: True, further)
        return test

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        is_and = isinstance(node.op, ast.And)
        value = self.any_value(node.values[0])
        for i, following in enumerate(node.values[1:], 1):
            self.at(node.values[i - 1])
            test = self.settled(self.truth(value), node.values[i - 1])
            if isinstance(test, bool):
                if test != is_and:
                    return value
                value = self.any_value(following)
                continue
            further = self.knowing(node.values[:i], is_and, self.any_value, following)
            self.at(node)
            value = self._short_circuit(test, value, further, is_and)
        return value

    def _short_circuit(
        self, test: Scalar, value: Any, further: Callable[[], Any], is_and: bool
    ) -> Any:
        def same() -> Any:
            return value if is_and or type(value) is not OrNone else value.value

        then, orelse = (further, same) if is_and else (same, further)
        return self.choose(test, then, orelse)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self.decided(node.test)
        if isinstance(test, bool):
            return self.any_value(node.body if test else node.orelse)
        self.at(node)
        then = self.knowing([node.test], True, self.any_value, node.body)
        orelse = self.knowing([node.test], False, self.any_value, node.orelse)
        return self.choose(test, then, orelse)

    def knowing(
        self, tests: list[ast.expr], outcome: bool, run: Callable[[Any], Any], code: Any
    ) -> Callable[[], Any]:
        """What evaluates code by `run` where conditions have had this outcome."""

        def known() -> Any:
            for test in tests:
                self.narrow(test, outcome)
            with narrowing.narrowed(self, tests, outcome):
                return run(code)

        return known

    def narrow(self, test: ast.expr, outcome: bool) -> None:
        """Bind names that may be None to what a condition with this outcome says that they are."""
        names = self.frame.names
        for name, is_none in _tested_for_none(test, outcome):
            value = names.get(name)
            if type(value) is OrNone and not _binds(test, name):
                names[name] = None if is_none else value.value


def _binds(test: ast.expr, name: str) -> bool:
    """Whether a condition assigns a name, which it may do after it has tested it."""
    found = (each for each in ast.walk(test) if isinstance(each, ast.NamedExpr))
    return any(each.target.id == name for each in found)


def _tested_for_none(test: ast.expr, outcome: bool) -> Iterator[tuple[str, bool]]:
    """The names that a condition with this outcome says to be None, or not to be."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _tested_for_none(test.operand, not outcome)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is outcome:
        for each in test.values:
            yield from _tested_for_none(each, outcome)
    elif isinstance(test, ast.Name) and outcome:
        yield test.id, False
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        right = test.comparators[0]
        is_none = isinstance(right, ast.Constant) and right.value is None
        if is_none and isinstance(test.left, ast.Name):
            if isinstance(test.ops[0], (ast.Is, ast.Eq)):
                yield test.left.id, outcome
            elif isinstance(test.ops[0], (ast.IsNot, ast.NotEq)):
                yield test.left.id, not outcome
