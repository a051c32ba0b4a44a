"""Expressions: one `visit_X` for each node of the language."""

from __future__ import annotations

import ast
import functools
import operator
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from ingot import _core
from ingot._core import apply
from ingot.dimensions import Undecided
from ingot.dtypes import BOOL
from ingot.numpy import python_scalars
from ingot.numpy.order import elementwise
from ingot.numpy.python_scalars import is_complex_with_float, is_numpy, is_of_numpy, is_python
from ingot.numpy.ufuncs import PLANS, SIMPLE, call_operator, call_ufunc, is_int, number_of
from ingot.syntax import examples, generators, parts
from ingot.syntax.callees import Handled, callee_of, needs_values
from ingot.syntax.cells import Storage
from ingot.syntax.comparisons import Comparisons
from ingot.syntax.comprehensions import USES_UP, Comprehensions
from ingot.syntax.conditions import Conditions
from ingot.syntax.container_methods import mapping
from ingot.syntax.containers import CONTAINERS
from ingot.syntax.functions import LocalFunction, Super
from ingot.syntax.objects import BINARY_METHODS, UNARY_METHODS
from ingot.syntax.ops import known
from ingot.syntax.parts import PARTS
from ingot.syntax.state import OPERANDS
from ingot.syntax.strings import Strings, holds_values
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    Joined,
    List,
    Maybe,
    OneOf,
    Opaque,
    OrNone,
    Raisable,
    Scalar,
    Set,
    Symbolic,
    Text,
    Unbound,
    class_name,
    is_array_like,
    is_number,
    is_runtime,
)
from ingot_runtime.errors import DTypeError, UnsupportedError

BINARY: dict[type, tuple[Callable[..., Any], np.ufunc]] = {
    ast.Add: (operator.add, np.add),
    ast.Sub: (operator.sub, np.subtract),
    ast.Mult: (operator.mul, np.multiply),
    ast.Div: (operator.truediv, np.true_divide),
    ast.FloorDiv: (operator.floordiv, np.floor_divide),
    ast.Mod: (operator.mod, np.remainder),
    ast.Pow: (operator.pow, np.power),
    ast.MatMult: (operator.matmul, np.matmul),
    ast.BitAnd: (operator.and_, np.bitwise_and),
    ast.BitOr: (operator.or_, np.bitwise_or),
    ast.BitXor: (operator.xor, np.bitwise_xor),
    ast.LShift: (operator.lshift, np.left_shift),
    ast.RShift: (operator.rshift, np.right_shift),
}
SYMBOLS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip

UNARY_SYMBOLS: dict[type, str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
#: The types of values whose operators are known to be Python's.
WITHOUT_METHODS = (
    Scalar, int, float, complex, str, bytes, type(None), List, Dict, Set, tuple, frozenset
)  # fmt: skip

UNARY: dict[type, tuple[Callable[..., Any], np.ufunc]] = {
    ast.USub: (operator.neg, np.negative),
    ast.UAdd: (operator.pos, np.positive),
    ast.Invert: (operator.invert, np.invert),
}
#: The ufuncs of the operators without special cases.
_ELEMENTWISE = {op: ufunc for op, (_, ufunc) in BINARY.items() if op not in (ast.MatMult, ast.Pow)}
#: What an array beside them leaves the operator to.
_WITH_OWN_OPERATORS = frozenset([*PARTS, Instance, str, Text])

#: The visitors used so far, by node type. They are not bound, to keep no evaluator alive.
_visitors: dict[type, Callable[[Any, Any], Any]] = {}


class Expressions(Comprehensions, Comparisons, Conditions, Strings):
    #: Evaluates a node: names, constants and operators on arrays by itself, others by `visit_X`.
    expr = _core.expr

    def _find_visitor(self, node: ast.expr) -> Any:
        visit = getattr(Expressions, "visit_" + type(node).__name__, None)
        if visit is None:
            self.at(node)
            name = type(node).__name__
            spelled, page = REFUSED.get(name, (name, ""))
            self.fail(f"{spelled} is not supported", "write it with plain expressions", page=page)
        if isinstance(node, MAY_BE_NONE):
            visit = _given(visit)
        _visitors[type(node)] = visit
        return visit(self, node)

    # Leaves.

    def any_value(self, node: ast.expr) -> Any:
        """The value of an expression, which may be None at run time (`OrNone`), or of several
        structures (`OneOf`)."""
        if not isinstance(node, MAY_BE_NONE):
            return self.expr(node)
        return self.name(node) if isinstance(node, ast.Name) else _raw(node)(self, node)

    def or_none(self, node: ast.expr) -> Any:
        """The value of an expression, which may be None at run time."""
        value = self.any_value(node)
        if type(value) is OneOf:
            self.at(node)
            self.refuse_alternatives("what this expression gives")
        return value

    def not_none(
        self,
        value: Any,
        exception: str = "TypeError",
        message: str = "a value is None that is used as another one",
    ) -> Any:
        """A value that is used, with a check at run time that it is not None."""
        if type(value) is not OrNone:
            return value
        self.check_nearly(value.assigned, exception, message)
        names = self.frame.names
        names |= {name: value.value for name, held in names.items() if held is value}
        return value.value

    def visit_Name(self, node: ast.Name) -> Any:
        return self.used(node, self.name(node))

    def used(self, node: ast.expr, value: Any) -> Any:
        """The value of an expression that is used, as by `not_none`."""
        if type(value) is Opaque:
            self.at(node)
            self.refuse_opaque(value)
        if type(value) is not OrNone:
            return value
        self.at(node)
        return self.not_none(value)

    def name(self, node: ast.Name) -> Any:
        frame = self.frame
        value = frame.names.get(node.id, self)
        if value is self:
            value = frame.outside.get(node.id, self)
            if value is self:
                self.at(node)
                return self.lookup(node.id)
            return value
        if type(value) is Maybe or isinstance(value, Unbound):
            self.at(node)
            return self.bound_value(self.frame, node.id, value)
        return value

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return self.over_all(self._items(node.elts), tuple)

    def visit_List(self, node: ast.List) -> Any:
        if not self.lists.are_open or not any(isinstance(x, ast.Starred) for x in node.elts):
            return self.over_all(self._items(node.elts), self.new_list)
        made = self.new_list(())
        for each in node.elts:
            if isinstance(each, ast.Starred):
                self.extend(made, self.expr(each.value))
            else:
                self.append(made, self.expr(each))
        return made

    def _items(self, nodes: list[ast.expr], starred: str = "Value") -> list[Any]:
        """The values of expressions; `starred` is what an exception says of what has a star."""
        items: list[Any] = []
        for node in nodes:
            if type(node) is ast.Starred:
                value = self.expr(node.value)
                self.at(node)
                if is_number(value) or value is None:
                    found = f"must be an iterable, not {class_name(value)}"
                    self.raise_now(TypeError, f"{starred} after * {found}")
                items += self.static_items(value)
            else:
                items.append(self.any_value(node))
        return items

    def visit_Dict(self, node: ast.Dict) -> Any:
        made: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.at(value)
                given = self.expr(value)
                self.at(value)
                refusal = f"'{class_name(given)}' object is not a mapping"
                made.update(mapping(self, given, refusal))
                continue
            found = self.expr(key)
            self.at(key)
            self.check_key(found)
            made[found] = self.or_none(value)
        return self.new_dict(made)

    def visit_Set(self, node: ast.Set) -> Any:
        items = self._items(node.elts)
        self.at(node)
        return self.over_all(items, self._set_of)

    def _set_of(self, items: list[Any]) -> Any:
        for item in items:
            self.check_key(item)
        return self.new_set(items)

    def visit_Slice(self, node: ast.Slice) -> Any:
        lower, upper, step = (
            None if part is None else known(self.or_none(part))
            for part in (node.lower, node.upper, node.step)
        )
        if OrNone not in map(type, (lower, upper, step)):
            return slice(lower, upper, step)
        self.at(node)
        step = self._value_or(step, 1)
        if step is not None and not (is_int(step) and type(step) is not Scalar and step > 0):
            return slice(self.not_none(lower), self.not_none(upper), step)
        return slice(self._value_or(lower, 0), self._value_or(upper, sys.maxsize), step)

    def _value_or(self, value: Any, default: int) -> Any:
        """The value where it is not None, else the default."""
        if type(value) is not OrNone:
            return value
        return self.choose(value.assigned, lambda: value.value, lambda: default)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self.local_function(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        value = self.any_value(node.value)
        frame: Any = self.frame
        # A comprehension assigns to a variable of the enclosing function.
        while frame.is_comprehension:
            frame = frame.parent
        inner, self.frame = self.frame, frame
        self.bind(node.target.id, value)
        self.frame = inner
        return value

    # Operators.

    def binary_operator(self, op: type, left: Any, right: Any) -> Any:
        """A binary operator that `expr` does not evaluate by itself."""
        if type(right) is OrNone and op is not ast.Mod:
            right = self.not_none(right)
        kinds = type(left), type(right)
        if OneOf in kinds:
            return self.over_all([left, right], lambda pair: self.binary_operator(op, *pair))
        if Joined in kinds and OPERANDS.issuperset(kinds):
            return self.of_each_kind([left, right], lambda pair: self.binary(op, *pair))
        if Array in kinds and _WITH_OWN_OPERATORS.isdisjoint(kinds):
            ufunc = _ELEMENTWISE.get(op)
            if ufunc is not None:
                return self._elementwise(op, ufunc, left, right)
        return self.binary(op, left, right)

    def _elementwise(self, op: type, ufunc: np.ufunc, left: Any, right: Any) -> Any:
        """An operator of which one operand is an array."""
        try:
            return apply(self, ufunc, (left, right))
        except (DTypeError, UnsupportedError) as error:
            text = examples.operator_error(BINARY_METHODS[op], left, right)
            if text is not None:
                error.raises, error.text = TypeError, text
            raise

    def binary(self, op: type, left: Any, right: Any) -> Any:
        if type(left) is Array and type(right) in SIMPLE:
            return self._arithmetic(op, left, right)
        python, ufunc = BINARY[op]
        if type(left) in PARTS or type(right) in PARTS:
            if op is ast.MatMult:
                return parts.matmul(self, left, right)
            return parts.elementwise(self, ufunc, (left, right))
        if isinstance(left, Instance) or isinstance(right, Instance):
            return self.operate(op, left, right)
        if isinstance(left, CONTAINERS) or isinstance(right, CONTAINERS):
            made = self.operate_containers(op, left, right)
            if made is not None:
                return made
        is_formatting = op is ast.Mod and isinstance(left, str) and holds_values(right)
        if isinstance(left, Text) or isinstance(right, Text) or is_formatting:
            return self.operate_text(op, left, right)
        if not (isinstance(left, Symbolic) or isinstance(right, Symbolic)):
            try:
                return self.compute(python, left, right)
            except Undecided:
                return self.binary(op, self.at_run_time(left), self.at_run_time(right))
        left, right = self.beside_ranges(left, right)
        if not (is_array_like(left) and is_array_like(right)):
            self.unsupported(op, left, right)
        if isinstance(left, CONTAINERS) or isinstance(right, CONTAINERS):
            # Arithmetic with a NumPy number makes an array of a list, except that `*` repeats it.
            is_array = [isinstance(each, Array) for each in (left, right)]
            is_number = is_of_numpy(left) or is_of_numpy(right)
            if not (any(is_array) or (is_number and op not in (ast.Mult, ast.MatMult))):
                self.unsupported(op, left, right)
        if is_python(left) and (is_python(right) or is_complex_with_float(left, right)):
            return python_scalars.arithmetic(self, op, left, self.as_python(right))
        if not (is_runtime(left) or is_runtime(right) or is_numpy(left) or is_numpy(right)):
            self.unsupported(op, left, right)
        python_scalars.check_open(self, op, left, right)
        return self._arithmetic(op, self.plain(left), self.plain(right))

    def _arithmetic(self, op: type, left: Any, right: Any) -> Any:
        """An operator on numbers and arrays, of which one is NumPy's."""
        if op is ast.MatMult:
            if not any(isinstance(each, (Array, *CONTAINERS)) for each in (left, right)):
                self.unsupported(op, left, right)
            return self.call(np.matmul, (left, right), {})
        if type(left) is Joined or type(right) is Joined:
            return call_operator(self, *BINARY[op], (left, right))
        ufunc = self.ufunc_of(op, left, right) if type(left) is Array else BINARY[op][1]
        return apply(self, ufunc, (left, right)[: ufunc.nin])

    def ufunc_of(self, op: type, left: Array, right: Any) -> np.ufunc:
        """The ufunc of an operator. `**` has special cases, as in NumPy: 0.5 calls `np.sqrt`, which
        differs for -0.0 and minus infinity, and 2 calls `np.square`, whose dtype for bools differs.
        """
        if op is not ast.Pow:
            return BINARY[op][1]
        if type(right) is float and right == 0.5 and left.dtype.kind in "fc":
            return np.sqrt
        if left.dtype != BOOL or not is_int(right):
            return np.power
        return np.square if self.static(right, "a power of booleans") == 2 else np.power

    def unsupported(self, op: type, left: Any, right: Any, hint: str = "") -> NoReturn:
        """Fail as Python does where no operand has the operator."""
        for one, times in ((left, right), (right, left)):
            if op is ast.Mult and isinstance(one, (str, bytes)) and isinstance(times, Scalar):
                self.need(times.parameter)
        name, is_augmented = BINARY_METHODS[op], isinstance(self.node, ast.AugAssign)
        message = examples.operator_error(name, left, right, in_place=is_augmented)
        if message is None:
            names = f"'{class_name(left)}' and '{class_name(right)}'"
            message = f"unsupported operand type(s) for {SYMBOLS[op]}: {names}"
        # A sequence times an integer that only run time knows is no error of Python's.
        is_repeated = op is ast.Mult and any(map(_may_be_whole, (left, right)))
        if not is_repeated and all(isinstance(each, WITHOUT_METHODS) for each in (left, right)):
            self.fail_as(TypeError, message, hint)
        self.fail(message, hint)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return self.condition(node)
        operand = self.expr(node.operand)
        if type(operand) is int and type(node.op) is ast.USub:
            return -operand
        self.at(node)
        op = type(node.op)
        return self.over_all(
            [operand],
            lambda given: self.of_each_kind(given, lambda one: self.unary(op, *one)),
        )

    def unary(self, op: type, operand: Any) -> Any:
        python, ufunc = UNARY[op]
        if type(operand) is Array:
            return apply(self, ufunc, (operand,))
        if type(operand) in PARTS:
            return parts.elementwise(self, ufunc, (operand,))
        if isinstance(operand, Instance):
            found = self.special(operand, UNARY_METHODS[op])
            if found is not None:
                return self.call(found, (), {})
        if not isinstance(operand, Symbolic):
            try:
                return self.compute(python, operand)
            except Undecided:
                operand = self.at_run_time(operand)
        if is_python(operand):
            return python_scalars.unary(self, op, operand)
        if not is_runtime(operand):
            symbol = UNARY_SYMBOLS[op]
            self.fail_as(TypeError, f"bad operand type for unary {symbol}: '{class_name(operand)}'")
        return call_operator(self, python, ufunc, (operand,))

    # Attributes and subscripts.

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        return self._attribute_of(node, self.any_value(node.value))

    def _attribute_of(self, node: ast.Attribute, value: Any) -> Any:
        if type(value) is OrNone:
            self.at(node)
            message = f"'NoneType' object has no attribute '{node.attr}'"
            value = self.not_none(value, "AttributeError", message)
        if type(value) is OneOf:
            self.at(node)
            return self.over(value, lambda given: self.attribute(given, node.attr))
        if type(value) is not types.ModuleType:
            self.at(node)
            return self.attribute(value, node.attr)
        # Most calls are of `np.something`. What changes in the program is read again each time.
        key = value, node.attr
        found = self.static_attributes.get(key)
        if found is None:
            self.at(node)
            found = self.attribute(value, node.attr)
            # What the `__getattr__` of a module gives may differ from read to read.
            if not isinstance(found, Symbolic) and node.attr in value.__dict__:
                self.static_attributes[key] = found
        return found

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        value, index = self.expr(node.value), self.expr(node.slice)
        self.at(node)
        if OneOf in (type(value), type(index)):
            return self.over_all([value, index], lambda pair: self.subscript(*pair))
        held = _parts_of(index)
        if Joined in map(type, held) and type(value) in OPERANDS:
            return self.of_each_kind(
                [value, *held],
                lambda given: self.subscript(given[0], _index_of(index, iter(given[1:]))),
            )
        return self.subscript(value, index)

    def visit_Call(self, node: ast.Call) -> Any:
        called = node.func
        if type(called) is not ast.Attribute:
            function = self.expr(called)
        else:
            owner = self.any_value(called.value)
            if type(owner) is OneOf:
                self.at(node)
                return self.over(
                    owner, lambda given: self._call_of(node, self._attribute_of(called, given))
                )
            function = self._attribute_of(called, owner)
        if type(function) is OneOf:
            self.at(node)
            return self.over(function, functools.partial(self._call_of, node))
        return self._call_of(node, function)

    def _call_of(self, node: ast.Call, function: Any) -> Any:
        if node.args and isinstance(node.args[0], ast.GeneratorExp):
            is_alone = len(node.args) == 1 and not node.keywords
            if is_alone and (function is any or function is all):
                return self.quantified(node.args[0], function is all)
            if function is next and len(node.args) == 2 and not node.keywords:
                return self._next_of(node, node.args[0])
            if any(function is each for each in USES_UP):
                return self.with_list(function, node, node.args[0])
        is_alone = len(node.args) == 1
        args: Any = self._items(node.args, f"{_called(function)} argument" if is_alone else "Value")
        kwargs = self._keywords(node, function) if node.keywords else {}
        self.at(node)
        if function is super and not args:
            return self._super()
        if type(function) is type and issubclass(function, Exception):
            return self.over_all(args, lambda given: self._exception(function, given, kwargs))
        if not generators.MAY_YIELD.isdisjoint(map(type, args)):
            function, args = generators.replaced(self, function, tuple(args))
        callee = callee_of(function)
        kinds = {*map(type, args), *map(type, kwargs.values())}
        if OneOf not in kinds and not (OrNone in kinds and needs_values(callee)):
            if Joined in kinds and isinstance(callee, Handled) and kinds <= OPERANDS:
                return self.of_each_kind(
                    args, lambda given: callee.__ingot_emit__(self, tuple(given), kwargs, node)
                )
            return callee.__ingot_emit__(self, tuple(args), kwargs, node)

        def run(given: list[Any]) -> Any:
            named = dict(zip(kwargs, given[len(args) :], strict=True))
            return self.call(function, tuple(given[: len(args)]), named, node)

        run_known = functools.partial(self._over_none, run) if needs_values(callee) else run
        return self.over_all([*args, *kwargs.values()], run_known)

    def _exception(self, kind: type[Exception], args: list[Any], kwargs: dict[str, Any]) -> Any:
        if kwargs:
            self.refuse_keywords(kind)
        return Raisable(kind, tuple(args))

    def _over_none(self, run: Callable[[list[Any]], Any], operands: list[Any]) -> Any:
        """A call of which arguments may be None at run time: as Python calls it where they are, if
        the function takes None."""
        i = next((i for i, each in enumerate(operands) if type(each) is OrNone), None)
        if i is None:
            return run(operands)
        before, value, after = operands[:i], operands[i], operands[i + 1 :]

        def given(inner: Any) -> Any:
            return self._over_none(run, [*before, inner, *after])

        if not self.can_evaluate(lambda: given(None)):
            return given(self.not_none(value))
        return self.choose(value.assigned, lambda: given(value.value), lambda: given(None))

    def _keywords(self, node: ast.Call, function: Any) -> dict[str, Any]:
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self.any_value(keyword.value)
            name = keyword.arg
            found = self._mapping(keyword, value, function) if name is None else {name: value}
            twice = next((name for name in found if name in kwargs), None)
            if twice is not None:
                self.at(node)
                self.fail_as(TypeError, f"got multiple values for keyword argument '{twice}'")
            kwargs |= found
        return kwargs

    def _mapping(self, node: ast.keyword, value: Any, function: Any) -> dict[Any, Any]:
        """The keywords that a call is given with two stars."""
        self.at(node.value)
        expected = f"must be a mapping, not {class_name(value)}"
        found = mapping(self, value, f"{_called(function)} argument after ** {expected}")
        if not all(isinstance(each, str) for each in found):
            self.raise_now(TypeError, "keywords must be strings")
        return found

    def _next_of(self, node: ast.Call, generator: ast.GeneratorExp) -> Any:
        """`next(... for ..., default)`."""

        def pulled() -> Any:
            args = self.expr(generator), self.expr(node.args[1])
            self.at(node)
            return self.call(next, args, {}, node)

        looped = lambda: self.first_of(generator, self.expr(node.args[1]))  # noqa: E731
        return self.or_loops(pulled, looped, generator)

    def with_list(self, function: Any, node: ast.Call, generator: ast.GeneratorExp) -> Any:
        """A call of one of `USES_UP` on a generator; on a list, if that needs loops."""

        def run(items: Any) -> Any:
            args, kwargs = (items, *self._items(node.args[1:])), self._keywords(node, function)
            self.at(node)
            return self.call(function, args, kwargs, node)

        return self.or_loops(
            lambda: run(self.expr(generator)), lambda: run(self.collected(generator)), generator
        )

    def _super(self) -> Any:
        """super() without arguments: of the method's class, for the method's first argument."""
        frame = self.frame
        while frame.function is None or frame.is_comprehension:
            if frame.parent is None:
                break
            frame = frame.parent
        code = getattr(frame.function, "__code__", None)
        if code is None or "__class__" not in code.co_freevars:
            self.fail("super() outside of a method", "call it in a method of a class")
        closure: Any = getattr(frame.function, "__closure__", None)
        cell = closure[code.co_freevars.index("__class__")]
        owner = frame.names.get(code.co_varnames[0])
        return Super(self.reads.cell(cell, "__class__"), owner)

    def local_function(self, node: Any) -> LocalFunction:
        defaults = tuple(self.or_none(each) for each in node.args.defaults)
        named = {
            arg.arg: self.or_none(default)
            for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if default is not None
        }
        return LocalFunction(node, self.frame, defaults, named, getattr(node, "name", "<lambda>"))


def _raw(node: ast.expr) -> Callable[[Any, Any], Any]:
    return getattr(Expressions, "visit_" + type(node).__name__)  # type: ignore[no-any-return]


def _given(visit: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A visitor whose value is used, so that it is checked if it may be None."""

    def visit_given(self: Any, node: ast.expr) -> Any:
        return self.used(node, visit(self, node))

    return visit_given


#: The expressions whose values may be None at run time.
MAY_BE_NONE = (
    ast.Name, ast.Call, ast.Subscript, ast.Attribute, ast.IfExp, ast.BoolOp, ast.NamedExpr,
)  # fmt: skip

#: Refused expressions: their spelling, and the pages about them.
REFUSED = {
    "Await": ("await", "async"), "Yield": ("yield", "yield"), "YieldFrom": ("yield from", "yield"),
}  # fmt: skip


_core.set_evaluator(
    {
        "Name": ast.Name, "Constant": ast.Constant, "BinOp": ast.BinOp,
        "Array": Array, "Scalar": Scalar, "Storage": Storage,
        "visitors": _visitors, "operators": _ELEMENTWISE, "plans": PLANS,
        "call_ufunc": call_ufunc, "scalar_of": number_of, "order_as": elementwise,
    }
)  # fmt: skip


def _called(function: Any) -> str:
    """A called function as Python's exceptions name it."""
    name = getattr(function, "__qualname__", None) or getattr(function, "name", "function")
    module = getattr(function, "__module__", None)
    is_known = (
        isinstance(module, str) and module != "builtins" and not isinstance(function, Symbolic)
    )
    return f"{module}.{name}()" if is_known else f"{name}()"


def _may_be_whole(value: Any) -> bool:
    """Whether a value is a number of run time that may be an integer."""
    return type(value) is Joined or (type(value) is Scalar and value.held.kind in "iub")


def _parts_of(index: Any) -> list[Any]:
    """The numbers and arrays of an index."""
    if type(index) is tuple:
        return [part for each in index for part in _parts_of(each)]
    return [index.start, index.stop, index.step] if type(index) is slice else [index]


def _index_of(index: Any, parts: Iterator[Any]) -> Any:
    """An index with other parts."""
    if type(index) is tuple:
        return tuple(_index_of(each, parts) for each in index)
    if type(index) is slice:
        return slice(next(parts), next(parts), next(parts))
    return next(parts)
