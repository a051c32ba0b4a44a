"""Expressions: one `visit_X` for each node of the language."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ingot.dimensions import Dimension, Undecided, depends
from ingot.dtypes import BOOL
from ingot.numpy import python_scalars
from ingot.numpy.table import FUNCTIONS
from ingot.numpy.ufuncs import call_ufunc
from ingot.syntax import masked
from ingot.syntax.calls import Calls
from ingot.syntax.masked import Masked
from ingot.syntax.ops import predicate
from ingot.syntax.state import Region
from ingot.syntax.types import join, type_of
from ingot.syntax.values import (
    STATIC_NUMBERS,
    Array,
    LocalFunction,
    Maybe,
    Scalar,
    Text,
    Unbound,
    is_array_like,
    is_runtime,
)
from ingot_runtime.errors import CompileError, DTypeError, ShapeError

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
COMPARE: dict[type, tuple[Callable[..., Any], np.ufunc]] = {
    ast.Eq: (operator.eq, np.equal),
    ast.NotEq: (operator.ne, np.not_equal),
    ast.Lt: (operator.lt, np.less),
    ast.LtE: (operator.le, np.less_equal),
    ast.Gt: (operator.gt, np.greater),
    ast.GtE: (operator.ge, np.greater_equal),
}
RESULT = "<result>"

#: The visitors met so far, by node type; not bound, so that evaluators are freed at once.
_visitors: dict[type, Callable[[Any, Any], Any]] = {}


class Expressions(Calls):
    def expr(self, node: Any) -> Any:
        kind = type(node)
        # The leaves first: half of all nodes are names and constants.
        if kind is ast.Name:
            return self.visit_Name(node)
        if kind is ast.Constant:
            return node.value
        visit = _visitors.get(kind)
        return visit(self, node) if visit is not None else self._find_visitor(node)

    def _find_visitor(self, node: ast.expr) -> Any:
        visit = getattr(Expressions, "visit_" + type(node).__name__, None)
        if visit is None:
            self.at(node)
            page = PAGES.get(type(node).__name__, "")
            hint = "write it with plain expressions"
            self.fail(f"{_spell(node)} is not supported", hint, page=page)
        _visitors[type(node)] = visit
        return visit(self, node)

    # Leaves.

    def visit_Name(self, node: ast.Name) -> Any:
        value = self.frame.names.get(node.id, self)
        if value is self:
            self.at(node)
            return self.lookup(node.id)
        if type(value) is Maybe:
            self.at(node)
            message = (
                f"cannot access local variable '{node.id}': the loop that assigns it did not run"
            )
            self.check(value.assigned, "UnboundLocalError", message)
            value = self.frame.names[node.id] = value.value
        if isinstance(value, Unbound):
            self.at(node)
            self.fail(
                f"`{node.id}` {value.reason}",
                "assign it before the branch or loop, with the same type on every path",
                page="types-on-paths",
            )
        return value

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self._items(node.elts))

    def visit_List(self, node: ast.List) -> Any:
        return self.new_list(self._items(node.elts))

    def _items(self, nodes: list[ast.expr]) -> list[Any]:
        items: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                items += self.static_items(self.expr(node.value))
            else:
                items.append(self.expr(node))
        return items

    def visit_Dict(self, node: ast.Dict) -> Any:
        made = self.new_dict({})
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                made.update(self.expr(value))
            else:
                made[self.static(self.expr(key), "a dict's key")] = self.expr(value)
        return made

    def visit_Slice(self, node: ast.Slice) -> Any:
        parts = (node.lower, node.upper, node.step)
        return slice(*(None if part is None else self.expr(part) for part in parts))

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self.local_function(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> str | Text:
        return joined([self.expr(part) for part in node.values], "")

    def visit_FormattedValue(self, node: ast.FormattedValue) -> str | Text:
        value = self.at_run_time(self.expr(node.value))
        spec = self.static(self.expr(node.format_spec), "a format") if node.format_spec else ""
        if is_runtime(value):
            # Python's numbers have one spelling.
            is_plain = isinstance(value, Scalar) and value.weak
            how = "" if node.conversion == -1 or is_plain else "!" + chr(node.conversion)
            return Text("{" + how + (":" + spec if spec else "") + "}", (value,))
        value = self.static(value, "a formatted value")
        convert: Any = {-1: lambda v: v, 115: str, 114: repr, 97: ascii}[node.conversion]
        return format(convert(value), spec)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        value = self.expr(node.value)
        self.frame.names[node.target.id] = value
        return value

    def emit_print(self, args: tuple, separator: str, end: str) -> None:
        args = tuple(map(self.at_run_time, args))
        parts = [a if isinstance(a, Text) or is_runtime(a) else str(a) for a in args]
        text = joined([joined(parts, separator), end], "")
        if isinstance(text, str):
            text = Text(_escaped(text), ())
        values = [self.read(value) for value in text.values]
        self.ops.checks += 1
        self.prints = True
        self.ops.builder.create("ingot.print", values, {"format": text.format}, [])

    # Operators.

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.expr(node.left), self.expr(node.right)
        self.at(node)
        op = type(node.op)
        # The common case first: these lines run once for every operation.
        if (type(left) is Array or type(right) is Array) and op is not ast.MatMult:
            return call_ufunc(self, BINARY[op][1], (left, right))
        return self.binary(op, left, right)

    def binary(self, op: type, left: Any, right: Any) -> Any:
        python, ufunc = BINARY[op]
        if type(left) is Masked or type(right) is Masked:
            return masked.elementwise(self, ufunc, (left, right))
        if not (is_runtime(left) or is_runtime(right)):
            try:
                return self.compute(python, left, right)
            except Undecided:
                return self.binary(op, self.at_run_time(left), self.at_run_time(right))
        if not (is_array_like(left) and is_array_like(right)):
            self.fail(f"{_symbol(op)} of {_kind(left)} and {_kind(right)}", kind=DTypeError)
        if _is_python(left) and _is_python(right):
            return python_scalars.arithmetic(self, op, left, right)
        if op is ast.MatMult:
            return self.call(np.matmul, (left, right), {})
        return call_ufunc(self, ufunc, (left, right))

    def compute(self, function: Callable[..., Any], *args: Any) -> Any:
        """An operation on static values, with the error that Python gives."""
        if Masked in map(type, args):
            masked.refuse(self)
        try:
            value = function(*args)
        except CompileError:
            raise
        except Exception as error:
            self.fail(f"{type(error).__name__}: {error}", kind=CompileError)
        if isinstance(value, str) and depends(args):
            raise Undecided("a string of a size that is left open", hint="use an f-string")
        if isinstance(value, list):
            return self.new_list(value)
        return self.lift(value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        operand = self.expr(node.operand)
        self.at(node)
        if isinstance(node.op, ast.Not):
            test = self.truth(operand)
            return self.negate(test)
        unary: dict[type, tuple[Callable[..., Any], np.ufunc]] = {
            ast.USub: (operator.neg, np.negative),
            ast.UAdd: (operator.pos, np.positive),
            ast.Invert: (operator.invert, np.invert),
        }
        python, ufunc = unary[type(node.op)]
        if type(operand) is Masked:
            return masked.elementwise(self, ufunc, (operand,))
        if not is_runtime(operand):
            try:
                return self.compute(python, operand)
            except Undecided:
                operand = self.at_run_time(operand)
        if _is_python(operand):
            return python_scalars.unary(self, type(node.op), operand)
        return call_ufunc(self, ufunc, (operand,))

    def negate(self, test: Any) -> Any:
        if isinstance(test, bool):
            return not test
        return predicate(self.ops.elementwise("not", [test.value], [BOOL]))

    def visit_Compare(self, node: ast.Compare) -> Any:
        left = self.expr(node.left)
        result: Any = True
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.expr(right_node)
            self.at(node)
            one = self.compare(op, left, right)
            if len(node.ops) == 1:
                return one
            result = self.both(result, self.truth(one))
            if result is False:
                return False
            left = right
        return result

    def compare(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        if isinstance(op, (ast.Is, ast.IsNot)):
            is_same = left is right or (
                isinstance(left, (bool, type(None))) and isinstance(right, bool) and left == right
            )
            return is_same == isinstance(op, ast.Is)
        if isinstance(op, (ast.In, ast.NotIn)):
            left = self.static(left, "the left side of `in`")
            right = self.static(right, "the right side of `in`")
            if depends(left) or depends(right):
                return self._contains(right, left, isinstance(op, ast.In))
            return self.compute(lambda a, b: a in b, left, right) == isinstance(op, ast.In)
        if depends(left) or depends(right):
            return self._compare_sizes(op, left, right)
        python, ufunc = COMPARE[type(op)]
        if type(left) is Masked or type(right) is Masked:
            return masked.elementwise(self, ufunc, (left, right))
        if not (is_runtime(left) or is_runtime(right)):
            return self._compare_static(python, left, right)
        if not (is_array_like(left) and is_array_like(right)):
            if isinstance(op, (ast.Eq, ast.NotEq)):
                return isinstance(op, ast.NotEq)
            self.fail(f"comparison of {_kind(left)} and {_kind(right)}", kind=DTypeError)
        if _is_python(left) and _is_python(right):
            return python_scalars.compare(self, ufunc, left, right)
        return call_ufunc(self, ufunc, (left, right))

    def _compare_static(self, python: Callable[..., Any], left: Any, right: Any) -> Any:
        for side in (left, right):
            if isinstance(side, (tuple, list)):
                self.static(side, "a compared tuple")
        return self.compute(python, left, right)

    def _compare_sizes(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        """A comparison with dimensions, or tuples of them: decided here or at run time."""
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

    def _contains(self, items: Any, item: Any, wanted: bool) -> Any:
        found: Any = False
        for each in self.static_items(items):
            found = self.either(found, self.truth(self.compare(ast.Eq(), item, each)))
        return found if wanted else self.negate(found)

    # Conditions.

    def truth(self, value: Any) -> Any:
        """`bool(value)`: a bool, or a predicate known at run time."""
        if isinstance(value, Array):
            if value.size != 1:
                self.fail(
                    "the truth value of an array with more than one element is ambiguous",
                    "use a.any() or a.all()",
                    ShapeError,
                )
            value = Scalar(self.ops.reshape(self.read(value), ()), value.dtype)
        if isinstance(value, Scalar):
            if value.dtype == BOOL:
                return value if value.weak else predicate(value.value)
            zero = self.ops.constant(0, value.dtype)
            return predicate(self.ops.compare("ne", value.value, zero, value.dtype))
        try:
            return self.compute(bool, value)
        except Undecided:
            return self.truth(self.at_run_time(value))

    def both(self, a: Any, b: Any) -> Any:
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        return predicate(self.ops.elementwise("and", [a.value, b.value], [BOOL, BOOL]))

    def either(self, a: Any, b: Any) -> Any:
        if isinstance(a, bool):
            return True if a else b
        if isinstance(b, bool):
            return True if b else a
        return predicate(self.ops.elementwise("or", [a.value, b.value], [BOOL, BOOL]))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        is_and = isinstance(node.op, ast.And)
        value = self.expr(node.values[0])
        for following in node.values[1:]:
            test = self.truth(value)
            if isinstance(test, bool):
                if test != is_and:
                    return value
                value = self.expr(following)
                continue
            self.at(node)
            value = self._short_circuit(test, value, following, is_and)
        return value

    def _short_circuit(self, test: Scalar, value: Any, node: ast.expr, is_and: bool) -> Any:
        def further() -> Any:
            return self.expr(node)

        def same() -> Any:
            return value

        then, orelse = (further, same) if is_and else (same, further)
        return self.choose(test, then, orelse)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self.truth(self.expr(node.test))
        if isinstance(test, bool):
            return self.expr(node.body if test else node.orelse)
        self.at(node)
        return self.choose(test, lambda: self.expr(node.body), lambda: self.expr(node.orelse))

    def choose(self, test: Scalar, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """The value of one of two expressions; both are computed if they are harmless."""
        values = [self._speculate(each) for each in (then, orelse)]
        if all(isinstance(each, (Scalar, *STATIC_NUMBERS)) for each in values):
            type_: Any = join(*(type_of(each, runtime=True) for each in values))
            sides = [self.ops.convert(self.read(each), type_.dtype) for each in values]
            return Scalar(self.ops.select(test.value, *sides), type_.dtype, type_.weak)
        self.branch(
            test.value,
            lambda: self.frame.names.update({RESULT: then()}),
            lambda: self.frame.names.update({RESULT: orelse()}),
        )
        return self.frame.names.pop(RESULT)

    def _speculate(self, run: Callable[[], Any]) -> Any:
        """The value of an expression that only computes a number, else None."""
        names, checks = self.frame.names, self.ops.checks
        self.frame.names = dict(names)
        mark = self.ops.builder.mark()
        region = Region()
        self.regions.append(region)
        self.ops.builder.begin_region([])
        value = run()
        is_harmless = (
            isinstance(value, (Scalar, *STATIC_NUMBERS))
            and not region.written
            and self.ops.checks == checks
            and self.frame.names == names
        )
        self.regions.pop()
        self.frame.names = names
        if is_harmless:
            self.ops.builder.inline_region()
            return value
        region.undo()
        self.ops.builder.rollback(mark)
        return None

    # Comprehensions over static sequences.

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        return self.new_list(self._comprehend(node.elt, node.generators))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return tuple(self._comprehend(node.elt, node.generators))

    def _comprehend(self, element: ast.expr, generators: list[ast.comprehension]) -> list[Any]:
        if not generators:
            return [self.expr(element)]
        first, *rest = generators
        saved = dict(self.frame.names)
        found = []
        for item in self.static_items(self.expr(first.iter)):
            self.assign(first.target, item)
            if all(self.static(self.truth(self.expr(c)), "a filter") for c in first.ifs):
                found += self._comprehend(element, rest)
        self.frame.names = saved
        return found

    # Attributes and subscripts.

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        value = self.expr(node.value)
        self.at(node)
        return self.attribute(value, node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        value, index = self.expr(node.value), self.expr(node.slice)
        self.at(node)
        return self.subscript(value, index)

    def visit_Call(self, node: ast.Call) -> Any:
        function = self.expr(node.func)
        args = self._items(node.args)
        is_plain = type(function) is np.ufunc and function in FUNCTIONS and not node.keywords
        if is_plain and Masked not in map(type, args):
            self.at(node)
            return FUNCTIONS[function](self, *args)
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self.expr(keyword.value)
            kwargs.update(value if keyword.arg is None else {keyword.arg: value})
        self.at(node)
        return self.call(function, tuple(args), kwargs, node)

    def local_function(self, node: Any) -> LocalFunction:
        defaults = tuple(self.expr(each) for each in node.args.defaults)
        named = {
            arg.arg: self.expr(default)
            for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if default is not None
        }
        return LocalFunction(node, self.frame, defaults, named)


def joined(parts: list[Any], separator: str) -> str | Text:
    """Strings, values and run-time strings as one."""
    if all(isinstance(part, str) for part in parts):
        return separator.join(parts)
    formats: list[str] = []
    values: list[Any] = []
    for part in parts:
        if isinstance(part, Text):
            formats.append(part.format)
            values += part.values
        elif is_runtime(part):
            formats.append("{}")
            values.append(part)
        else:
            formats.append(_escaped(str(part)))
    return Text(_escaped(separator).join(formats), tuple(values))


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _is_python(value: Any) -> bool:
    """A number of Python's own types, static or not."""
    if isinstance(value, Scalar):
        return value.weak is not None
    return type(value) in (bool, int, float, complex, Dimension)


def _symbol(op: type) -> str:
    return f"`{op.__name__}`"


def _kind(value: Any) -> str:
    return type(value).__name__


#: The pages about refused expressions.
PAGES = {"Await": "async", "Yield": "yield", "YieldFrom": "yield"}


def _spell(node: ast.AST) -> str:
    names = {
        "Await": "await",
        "Yield": "yield",
        "YieldFrom": "yield from",
        "DictComp": "a dict comprehension",
        "SetComp": "a set comprehension",
        "Set": "a set",
    }
    return names.get(type(node).__name__, type(node).__name__)
