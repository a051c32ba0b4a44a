"""Loops that are unrolled: the body is evaluated for each item, at compile time.

What all loops have in common is here, too: how `break`, `continue` and `return` leave them.
"""

from __future__ import annotations

import ast
import functools
from typing import Any, NoReturn

from ingot.syntax.branches import Branches
from ingot.syntax.contents import leaves_of
from ingot.syntax.scopes import BREAK, CONTINUE, RETURN, Hidden, Name
from ingot.syntax.state import MOST_EMITTED, StaticRequired
from ingot.syntax.supplies import END, Supply
from ingot.syntax.values import Scalar, Symbolic

#: The induction variable of the next iteration, and whether there is one.
INDEX, TEST = Hidden("index"), Hidden("test")
#: The names that each loop has for itself.
PER_LOOP = (BREAK, CONTINUE, INDEX, TEST)

#: The largest trip count of a loop that is unrolled because it is small, and its most AST nodes.
UNROLLED_LENGTH, UNROLLED_NODES = 8, 400
#: The largest trip count of a loop that must be unrolled.
LONGEST_UNROLLED = 4096
#: The most iterations, some seconds, that are unrolled in a program, of all loops.
MOST_UNROLLED = 1 << 18
#: The most items that a loop may append to the list that it iterates over, if the items or the end
#: of the loop are dynamic: otherwise the compiler might unroll it without end.
MOST_APPENDED = 16


class Unrolling(Branches):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        #: The number of iterations so far.
        self.unrolled = 0

    # Jumps out of loops.

    def _enter_loop(self) -> dict[Name, Any]:
        names = self.frame.names
        # An outer loop has its own values of these names.
        saved: dict[Name, Any] = {name: names.pop(name) for name in PER_LOOP if name in names}
        names[BREAK] = names[CONTINUE] = False
        self.open_loops.append((self.frame, PER_LOOP, saved))
        return saved

    def _leave_loop(self, saved: dict[Name, Any]) -> None:
        """Give the names of a loop back to the one around it."""
        self.leave_loops(next(i for i, each in enumerate(self.open_loops) if each[2] is saved))

    def _exit_loop(self, node: Any, saved: dict[Name, Any]) -> None:
        left = self._left_loop()
        only_returns = self.frame.names[BREAK] is False
        self._leave_loop(saved)
        if not node.orelse or left is True:
            return
        if left is False:
            self.block(node.orelse)
            return

        def has_left() -> None:
            if only_returns:
                self.frame.names[RETURN] = True

        def is_done() -> None:
            if only_returns:
                self.frame.names[RETURN] = False
            self.block(node.orelse)

        self.branch(left, has_left, is_done)

    def _left_loop(self) -> Any:
        """Whether `break` or `return` was met: a bool, or a predicate."""
        names = self.frame.names
        return self.either(names.get(BREAK, False), names.get(RETURN, False))

    # Unrolled loops.

    def _unroll(self, node: ast.For, supply: Supply) -> None:
        """Evaluate the body for each item."""
        saved = self._enter_loop()
        self._unroll_rest(node, supply, 0, supply.most(self) + MOST_APPENDED, False)
        self._exit_loop(node, saved)

    def _unroll_rest(
        self, node: ast.For, supply: Supply, i: int, longest: float, is_open: bool
    ) -> None:
        """Evaluate the body for the remaining items.

        Args:
            node: the loop.
            supply: the remaining items.
            i: the number of items so far.
            longest: the number of items above which `_check_end` looks for an endless loop.
            is_open: whether the end of the loop depends on a run-time condition.
        """
        while True:
            item, supply = supply.pull(self)
            if item is END:
                return
            if i > longest:
                self._check_end(node, i, item, is_open)
            self._count_unrolled(node.iter)
            self.frame.names[CONTINUE] = False
            self.assign(node.target, item)
            self.block(node.body)
            i += 1
            jumped = self._left_loop()
            if jumped is True:
                return
            if isinstance(jumped, Scalar):
                following = functools.partial(self._unroll_rest, node, supply, i, longest, True)
                self.branch(jumped, lambda: None, following)
                return

    def _unroll_while(self, node: ast.While, required: StaticRequired) -> None:
        for _ in range(LONGEST_UNROLLED):
            self.frame.names[CONTINUE] = False
            test = self.condition(node.test)
            if isinstance(test, Scalar):
                raise required
            if not test:
                return
            self._count_unrolled(node.test)
            self.block(node.body)
            jumped = self._left_loop()
            if isinstance(jumped, Scalar):
                raise required
            if jumped:
                return
        raise required

    def _check_end(self, node: ast.For, i: int, item: Any, is_open: bool) -> None:
        """Refuse a loop that may be endless, since it appends to the list that it iterates over."""
        self.at(node.iter)
        # Under a run-time condition it may never run, and then need not end in Python.
        is_open |= len(self.regions) > 1
        if is_open or any(isinstance(each, Symbolic) for each in leaves_of(item)):
            self.fail(
                f"this loop appends more than {MOST_APPENDED} values to the list that it iterates "
                "over",
                "loop over a copy: list(...)",
                page="types-on-paths",
            )
        if i > LONGEST_UNROLLED:
            self.fail("this loop does not end at compile time", "loop over an array")

    def _count_unrolled(self, node: ast.expr) -> None:
        """Refuse a program of which no end is in sight: loops in loops, or over growing lists."""
        self.unrolled += 1
        if self.unrolled > MOST_UNROLLED:
            message = f"more than {MOST_UNROLLED:,} iterations of loops would be unrolled"
            self._refuse_loop(node, message)
        if self.ops.builder.emitted() > MOST_EMITTED:
            self._refuse_loop(node, f"unrolled loops emit more than {MOST_EMITTED:,} operations")

    def _refuse_loop(self, node: ast.expr, message: str) -> NoReturn:
        self.at(node)
        self.fail(message, "loop over an array or over range(n), whose bodies are compiled once")


def is_small(node: ast.For, length: int) -> bool:
    if length <= 1:
        return True
    if length > UNROLLED_LENGTH:
        return False
    nodes = [each for statement in node.body for each in ast.walk(statement)]
    has_loop = any(isinstance(each, (ast.For, ast.While)) for each in nodes)
    return length * len(nodes) <= UNROLLED_NODES and not has_loop
