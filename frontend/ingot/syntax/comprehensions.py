"""Comprehensions, and any() and all() of generators, over sequences of known length."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ingot.syntax.calls import Calls
from ingot.syntax.scopes import Frame
from ingot.syntax.supplies import END, Generated
from ingot.syntax.values import LocalFunction, Supply


class Comprehensions(Calls):
    def visit_ListComp(self, node: ast.ListComp) -> Any:
        return self.new_list(self._all(node, lambda: self.expr(node.elt)))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return self.new_iterator(self._generated(node, lambda: self.expr(node.elt)))

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        return self.new_set(dict.fromkeys(self._all(node, lambda: self._key(node.elt))))

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        pairs = self._all(node, lambda: (self._key(node.key), self.expr(node.value)))
        return self.new_dict(dict(pairs))

    def _key(self, node: ast.expr) -> Any:
        key = self.expr(node)
        self.check_key(key)
        return key

    def _all(self, node: Any, element: Callable[[], Any]) -> list[Any]:
        return self.drain(self._generated(node, element))

    def _generated(self, node: Any, element: Callable[[], Any]) -> Generated:
        """The loops of a comprehension, in a frame of their own, as Python has them."""
        outer = self.frame
        first = self.supply(self.expr(node.generators[0].iter))
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
        return Generated(LocalFunction(node, frame, (), {}), {}, (first,), element)

    def _quantified(self, node: Any, is_all: bool) -> Any:
        """any() and all() of a generator, which stop at the first item that decides."""

        def of(supply: Supply) -> Any:
            test, after = supply.pull(self)
            if test is END:
                return is_all
            if isinstance(test, bool):
                return of(after) if test == is_all else test
            ends = (lambda: of(after), lambda: is_all is False)
            return self.choose(test, *(ends if is_all else (lambda: True, lambda: of(after))))

        return of(self._generated(node, lambda: self.truth(self.expr(node.elt))))
