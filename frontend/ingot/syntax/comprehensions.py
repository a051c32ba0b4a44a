"""Comprehensions, and any() and all() of generators.

A comprehension is unrolled if its items are static. Otherwise it is evaluated as a function with
loops, which is how Python defines it.
"""

from __future__ import annotations

import ast
import math
import types
from collections.abc import Callable
from typing import Any

from ingot.syntax import generators
from ingot.syntax.calls import Calls
from ingot.syntax.functions import LocalFunction
from ingot.syntax.scopes import Frame
from ingot.syntax.state import StaticRequired
from ingot.syntax.supplies import END, Generated
from ingot.syntax.values import Supply
from ingot_runtime.errors import CompileError

#: Functions that exhaust a generator at once, so that a list serves as well.
USES_UP = (sum, max, min, list, sorted, math.prod, math.fsum)


class Comprehensions(Calls):
    def visit_ListComp(self, node: ast.ListComp) -> Any:
        return self.or_loops(
            lambda: self.new_list(self._all(node, lambda: self.or_none(node.elt))),
            lambda: self.collected(node),
            node,
        )

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        iterated = self.expr(node.generators[0].iter)
        if generators.is_generator(self, iterated):
            return self._loops_of(node, _yielding, iterated)
        element = lambda: self.or_none(node.elt)  # noqa: E731
        return self.new_iterator(self._generated(node, element, iterated), types.GeneratorType)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        return self.new_set(dict.fromkeys(self._all(node, lambda: self._key(node.elt))))

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        pairs = self._all(node, lambda: (self._key(node.key), self.or_none(node.value)))
        return self.new_dict(dict(pairs))

    def _key(self, node: ast.expr) -> Any:
        key = self.expr(node)
        self.check_key(key)
        return key

    def _all(self, node: Any, element: Callable[[], Any]) -> list[Any]:
        return self.drain(self._generated(node, element, self.expr(node.generators[0].iter)))

    def _generated(self, node: Any, element: Callable[[], Any], iterated: Any) -> Generated:
        """The items of a comprehension, whose loops have a frame of their own as in Python."""
        outer = self.frame
        self.at(node.generators[0].iter)
        first = self.supply(iterated)
        local = frozenset(
            each.id
            for generator in node.generators
            for each in ast.walk(generator.target)
            if isinstance(each, ast.Name)
        )
        frame = Frame(
            outer.function, node, outer.filename, outer, (*outer.path, id(node)), outer.internal,
            locals=local, is_comprehension=True,
        )  # fmt: skip
        return Generated(LocalFunction(node, frame, (), {}, "<genexpr>"), {}, (first,), element)

    def collected(self, node: Any) -> Any:
        """The items of a comprehension, as a list that loops append to."""
        return self._loops_of(node, _collected, self.expr(node.generators[0].iter))

    def or_loops(self, unrolled: Callable[[], Any], looped: Callable[[], Any], node: Any) -> Any:
        """Evaluate a comprehension unrolled, or by loops if its items are not static.

        Args:
            unrolled, looped: the two ways to evaluate it.
            node: the comprehension.
        """
        saved = self._save()
        try:
            return unrolled()
        except StaticRequired:
            names = any(isinstance(each, ast.NamedExpr) for each in ast.walk(node))
            if names or not self.lists.open():
                raise
            self._restore(saved)
        self.at(node)
        try:
            return looped()
        except CompileError as error:
            # More may be static if an outer loop is unrolled.
            raise StaticRequired(error) from None

    def first_of(self, node: ast.GeneratorExp, default: Any) -> Any:
        """The first item of a generator, found by loops."""
        return self._loops_of(node, _first, self.expr(node.generators[0].iter), default)

    def _loops_of(self, node: Any, body_of: Callable[[Any], list[ast.stmt]], *args: Any) -> Any:
        """Call the function that a comprehension is equivalent to.

        Args:
            node: the comprehension.
            body_of: makes the body of the function from the comprehension.
            args: its arguments: the first iterable, and those that the body needs.
        """
        function = _function_of(node, body_of, len(args))
        return self.call(LocalFunction(function, self.frame, (), {}, function.name), args, {}, node)

    def quantified(self, node: ast.GeneratorExp, is_all: bool) -> Any:
        """any() or all() of a generator, which stops at the first item that decides it."""
        how = _all_hold if is_all else _any_holds
        return self.or_loops(
            lambda: self._quantified(node, is_all),
            lambda: self._loops_of(node, how, self.expr(node.generators[0].iter)),
            node,
        )

    def _quantified(self, node: ast.GeneratorExp, is_all: bool) -> Any:
        iterated = self.expr(node.generators[0].iter)
        test = lambda: self.condition(node.elt)  # noqa: E731
        return self.quantified_over(self._generated(node, test, iterated), is_all)

    def quantified_over(
        self, supply: Supply, is_all: bool, holds: Callable[[Any], Any] | None = None
    ) -> Any:
        """any() or all(): pulls items up to the first one that decides it.

        Args:
            supply: the items.
            is_all: whether it is all().
            holds: the condition on an item; None if the items are conditions.
        """
        item, after = supply.pull(self)
        if item is END:
            return is_all
        test = item if holds is None else holds(item)
        rest = lambda: self.quantified_over(after, is_all, holds)  # noqa: E731
        if isinstance(test, bool):
            return rest() if test == is_all else test
        ends = (rest, lambda: False) if is_all else (lambda: True, rest)
        return self.choose(test, *ends)


# Comprehensions as functions.

#: The attribute of a comprehension's node that caches its functions.
_FUNCTIONS = "_ingot_functions"
#: The parameters of these functions: the first iterable, and the value if there is no item.
_PARAMETERS = ("<over>", "<default>")
#: The variable for the list that they make.
_MADE = "<made>"


def _function_of(node: Any, body_of: Callable[[Any], list[ast.stmt]], count: int) -> Any:
    """The AST of the function that a comprehension is equivalent to, made once for each node."""
    made = node.__dict__.setdefault(_FUNCTIONS, {})
    if body_of not in made:
        text = ast.parse("def comprehension(first):\n    pass")
        function: Any = text.body[0]
        function.args.args = [ast.arg(name) for name in _PARAMETERS[:count]]
        function.body = body_of(node)
        for each in ast.walk(function):
            if not hasattr(each, "lineno") or each in (function, *function.args.args):
                ast.copy_location(each, node)
        made[body_of] = function
    return made[body_of]


def _collected(node: Any) -> list[ast.stmt]:
    append = ast.Attribute(ast.Name(_MADE, ast.Load()), "append", ast.Load())
    each = ast.Expr(ast.Call(append, [node.elt], []))
    start = ast.Assign([ast.Name(_MADE, ast.Store())], ast.List([], ast.Load()))
    return [start, _nested(node, each), ast.Return(ast.Name(_MADE, ast.Load()))]


def _yielding(node: Any) -> list[ast.stmt]:
    return [_nested(node, ast.Expr(ast.Yield(node.elt)))]


def _any_holds(node: Any) -> list[ast.stmt]:
    found = ast.If(node.elt, [ast.Return(ast.Constant(True))], [])
    return [_nested(node, found), ast.Return(ast.Constant(False))]


def _all_hold(node: Any) -> list[ast.stmt]:
    fails = ast.UnaryOp(ast.Not(), node.elt)
    found = ast.If(fails, [ast.Return(ast.Constant(False))], [])
    return [_nested(node, found), ast.Return(ast.Constant(True))]


def _first(node: Any) -> list[ast.stmt]:
    default = ast.Return(ast.Name(_PARAMETERS[1], ast.Load()))
    return [_nested(node, ast.Return(node.elt)), default]


def _nested(node: Any, inner: ast.stmt) -> ast.stmt:
    """The loops and conditions of a comprehension around the statement for each item."""
    for loop in reversed(node.generators):
        for test in reversed(loop.ifs):
            inner = ast.If(test, [inner], [])
        over = ast.Name(_PARAMETERS[0], ast.Load()) if loop is node.generators[0] else loop.iter
        inner = ast.For(loop.target, over, [inner], [])
    return inner
