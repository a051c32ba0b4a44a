"""Comprehensions, and any() and all() of generators, over sequences of known length."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any

from ingot.syntax.calls import Calls
from ingot.syntax.scopes import Frame


class Comprehensions(Calls):
    def visit_ListComp(self, node: ast.ListComp) -> Any:
        found: list[Any] = []
        self._comprehend(node, lambda: found.append(self.expr(node.elt)))
        return self.new_list(found)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        found: list[Any] = []
        self._comprehend(node, lambda: found.append(self.expr(node.elt)))
        return self.new_iterator(found)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        found: dict[Any, None] = {}

        def add() -> None:
            item = self.expr(node.elt)
            self.check_key(item)
            found.setdefault(item)

        self._comprehend(node, add)
        return self.new_set(found)

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        found: dict[Any, Any] = {}

        def add() -> None:
            key = self.expr(node.key)
            self.check_key(key)
            found[key] = self.expr(node.value)

        self._comprehend(node, add)
        return self.new_dict(found)

    def _comprehend(self, node: Any, element: Callable[[], None]) -> None:
        """Run a comprehension's loops in a frame of their own, as Python does."""
        outer = self.frame
        first = self.expr(node.generators[0].iter)
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
        self.frame = frame
        self.frames.append(frame)
        self._generate(node.generators, 0, first, element)
        self.frames.pop()
        self.frame = outer

    def _generate(self, generators: list, i: int, over: Any, element: Callable[[], None]) -> None:
        generator = generators[i]
        for item in self.static_items(over):
            self.assign(generator.target, item)
            if not all(
                self.static(self.truth(self.expr(each)), "a filter") for each in generator.ifs
            ):
                continue
            if i + 1 == len(generators):
                element()
            else:
                self._generate(generators, i + 1, self.expr(generators[i + 1].iter), element)

    def _quantified(self, node: Any, is_all: bool) -> Any:
        """any() and all() of a generator, which stop at the first item that decides."""
        items: list[Any] = []
        if len(node.generators) > 1 or node.generators[0].ifs:
            self._comprehend(node, lambda: items.append(self.truth(self.expr(node.elt))))
            combine = self.both if is_all else self.either
            return functools.reduce(combine, items, is_all)
        target = node.generators[0].target
        over = list(self.static_items(self.expr(node.generators[0].iter)))
        outer = self.frame
        local = frozenset(each.id for each in ast.walk(target) if isinstance(each, ast.Name))

        def at(i: int) -> Any:
            if i == len(over):
                return is_all
            frame = Frame(
                outer.function, node, outer.filename, outer, (*outer.path, id(node), i),
                outer.internal, locals=local, is_comprehension=True,
            )  # fmt: skip
            self.frame = frame
            self.frames.append(frame)
            self.assign(target, over[i])
            test = self.truth(self.expr(node.elt))
            self.frames.pop()
            self.frame = outer
            if isinstance(test, bool):
                return at(i + 1) if test == is_all else test
            ends = (lambda: at(i + 1), lambda: is_all is False)
            return self.choose(test, *(ends if is_all else (lambda: True, lambda: at(i + 1))))

        return at(0)
