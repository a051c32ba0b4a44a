"""`with`: the contexts of which compiled code knows what they do."""

from __future__ import annotations

import ast
import contextlib
import types
import warnings
from typing import Any, NoReturn

import numpy as np

from ingot.syntax.functions import LocalFunction
from ingot.syntax.state import Filters
from ingot.syntax.trying import Trying
from ingot.syntax.values import Instance, class_name


class Contexts(Trying):
    def visit_With(self, node: ast.With) -> None:
        """`np.errstate`, `catch_warnings`, `contextlib.suppress`, and classes in Python."""
        self._with(node, 0)

    def _with(self, node: ast.With, first: int) -> None:
        """Enter the contexts from the number `first` on, and run the body."""
        if first == len(node.items):
            self.block(node.body)
            return
        item = node.items[first]
        call: Any = item.context_expr
        manager = self.expr(call.func) if isinstance(call, ast.Call) else None
        self.at(call)
        if manager is contextlib.suppress and item.optional_vars is None:
            self.visit_Try(_trying(node, first))
            return
        if manager is np.errstate and item.optional_vars is None:
            self._check_errstate(call)
            self._with(node, first + 1)
            return
        if manager is not warnings.catch_warnings:
            self._run_within(self._context_of(call, manager), node, first)
            return
        self._check_catching(item, call)
        self.filters.append(Filters(len(self.regions)))
        entered = len(self.filters)
        try:
            self._with(node, first + 1)
        finally:
            del self.filters[entered - 1 :]

    def _context_of(self, node: ast.expr, callee: Any) -> Instance:
        """The instance of a class in Python that an expression gives."""
        is_class = isinstance(callee, type) and isinstance(
            self.reads.of_type(callee, "__enter__"), types.FunctionType
        )
        is_function = isinstance(callee, (LocalFunction, types.FunctionType))
        is_generator = hasattr(callee, "__wrapped__")
        if isinstance(node, ast.Call) and (is_generator or not (is_class or is_function)):
            self._refuse_context()
        found = self.expr(node)
        self.at(node)
        if not isinstance(found, Instance):
            self._refuse_context()
        return found

    def _run_within(self, manager: Instance, node: ast.With, number: int) -> None:
        """Enter a context, run the body, and leave it; an exception goes through `__exit__`."""
        enter, leave = (self.special(manager, each) for each in ("__enter__", "__exit__"))
        if enter is None or leave is None:
            self._refuse_context()
        if not _ignores_exceptions(self.source_of(leave.function).node):
            self.fail(
                f"the __exit__ of {class_name(manager)} looks at the exception, or may suppress it",
                "catch the exception in the body",
                page="with",
            )
        name = f"with statement {len(self.frame.names)}"
        self.frame.names[name] = manager
        value = self.call(enter, (), {})
        target = node.items[number].optional_vars
        if target is not None:
            self.assign(target, value)
        self.visit_Try(_leaving(node, number, name))
        self.frame.names.pop(name, None)

    def _check_errstate(self, call: ast.Call) -> None:
        """Compiled code gives no warnings, so that `np.errstate` changes nothing."""
        how = [self.static(self.expr(each.value), "an option") for each in call.keywords]
        if "raise" in how or "call" in how:
            self.fail(
                "np.errstate that raises or calls is not supported",
                "check the values, or use ingot.debug.trap_nans",
                page="with",
            )

    def _check_catching(self, item: ast.withitem, call: ast.Call) -> None:
        options = {each.arg: self.expr(each.value) for each in call.keywords}
        if item.optional_vars is not None or call.args or options.pop("record", False) or options:
            self.fail(
                "warnings.catch_warnings that records or filters is not supported",
                "with warnings.catch_warnings(): warnings.simplefilter(...)",
                page="with",
            )

    def _refuse_context(self) -> NoReturn:
        self.fail(
            "with is not supported, but for np.errstate, warnings.catch_warnings, "
            "contextlib.suppress and classes with __enter__ and __exit__ in Python",
            "enter the context outside of the compiled function",
            page="with",
        )


def _ignores_exceptions(node: Any) -> bool:
    """Whether an `__exit__` is the same with and without an exception, and passes it on."""
    spec = node.args
    given = [*spec.posonlyargs, *spec.args][1:]
    names = {each.arg for each in (*given, spec.vararg, *spec.kwonlyargs, spec.kwarg) if each}
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id in names:
            return False
        is_none = isinstance(each, ast.Return) and (each.value is None or _is_false(each.value))
        if isinstance(each, ast.Return) and not is_none:
            return False
    return True


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _leaving(node: ast.With, number: int, name: str) -> ast.Try:
    """The `try` statement that leaves the context of an item, which has a name, in a `finally`."""
    method = ast.Attribute(ast.Name(name, ast.Load()), "__exit__", ast.Load())
    nothing: list[ast.expr] = [ast.Constant(None) for _ in range(3)]
    last = ast.Expr(ast.Call(method, nothing, []))
    ast.copy_location(last, node.items[number].context_expr)
    return _try_within(node, number, name, [], [last])


def _trying(node: ast.With, number: int) -> ast.Try:
    """The `try` statement that `with contextlib.suppress(...)` stands for."""
    call: Any = node.items[number].context_expr
    kinds = ast.Tuple(call.args, ast.Load())
    handler = ast.ExceptHandler(kinds, None, [ast.Pass()])
    return _try_within(node, number, "suppress", [handler], [])


def _try_within(
    node: ast.With, number: int, name: str, handlers: list[ast.ExceptHandler], last: list[ast.stmt]
) -> ast.Try:
    """A `try` statement of what a `with` runs within an item; one for each item and name."""
    made = vars(node).setdefault("ingot_tries", {})
    if (number, name) not in made:
        rest = node.items[number + 1 :]
        body: list[ast.stmt] = [ast.With(rest, node.body)] if rest else node.body
        attempt = ast.copy_location(ast.Try(body, handlers, [], last), node)
        made[number, name] = ast.fix_missing_locations(attempt)
    return made[number, name]
