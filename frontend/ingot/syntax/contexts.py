"""`with`: the contexts of which compiled code knows what they do."""

from __future__ import annotations

import ast
import contextlib
import warnings
from typing import Any, NoReturn

import numpy as np

from ingot.syntax.state import Filters
from ingot.syntax.trying import Trying


class Contexts(Trying):
    def visit_With(self, node: ast.With) -> None:
        """`np.errstate`, `warnings.catch_warnings` and `contextlib.suppress`."""
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
            self._refuse_context()
        self._check_catching(item, call)
        self.filters.append(Filters(len(self.regions)))
        entered = len(self.filters)
        try:
            self._with(node, first + 1)
        finally:
            del self.filters[entered - 1 :]

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
            "with is not supported, but for np.errstate, warnings.catch_warnings and "
            "contextlib.suppress",
            "enter the context outside of the compiled function",
            page="with",
        )


def _trying(node: ast.With, number: int) -> ast.Try:
    """The `try` statement that `with contextlib.suppress(...)` stands for; one for each item."""
    made = vars(node).setdefault("ingot_tries", {})
    if number in made:
        return made[number]
    item = node.items[number]
    call: Any = item.context_expr
    rest = node.items[number + 1 :]
    body: list[ast.stmt] = [ast.With(rest, node.body)] if rest else node.body
    kinds = ast.Tuple(call.args, ast.Load())
    handler = ast.ExceptHandler(kinds, None, [ast.Pass()])
    made[number] = ast.copy_location(ast.Try(body, [handler], [], []), node)
    ast.fix_missing_locations(made[number])
    return made[number]
