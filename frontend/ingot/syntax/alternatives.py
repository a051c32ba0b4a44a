"""Uses of values that have different structures on different paths (`OneOf`).

Each use is compiled for each structure: before a statement that names such a value, control
branches on which structure it has, and the rest of the block is evaluated in each branch.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

from ingot.dtypes import INT
from ingot.syntax import kinds
from ingot.syntax.branches import Branches
from ingot.syntax.cells import Cell
from ingot.syntax.contents import held_by
from ingot.syntax.functions import LocalFunction
from ingot.syntax.ops import predicate
from ingot.syntax.scopes import nodes_below
from ingot.syntax.values import (
    NOTHING,
    Joined,
    Maybe,
    OneOf,
    OrNone,
    Reference,
    Scalar,
    Undetermined,
)

#: The most combinations of structures of several values for which a block's rest is compiled.
MOST_COMBINATIONS = 16
#: The most operations that are emitted from the first version on, those of discarded attempts at
#: loops too.
MOST_EMITTED = 30_000
#: Marks in the path of a frame that the rest of a block is evaluated for one structure.
_SPLIT = "split"
#: A value of several structures; with the container whose contents it is, if it is no name's.
Found: TypeAlias = tuple[Cell | None, OneOf | Maybe]


class Alternatives(Branches):
    #: The combinations of structures for which the statement that is being evaluated is compiled.
    _combinations = 1
    #: The operations that were emitted before the first version of code.
    _emitted_before: int | None = None

    def splits(self, statements: list[ast.stmt]) -> bool:
        """Run statements for each structure of a value that the first of them uses; False, and
        nothing, if it uses none of several structures."""
        found = self._used_by(statements[0])
        if found is None:
            return False
        self.at(statements[0])
        value = found[1]
        if isinstance(value, Maybe):
            absent = None if type(value) is OrNone else NOTHING
            runs = self._runs(found, (value.value, absent), statements)
            apart = [functools.partial(self._apart, run, i) for i, run in enumerate(runs)]
            self.branch(value.assigned, *apart)
            return True
        around = self._combinations
        self._combinations *= len(value.values)
        try:
            if self._combinations > MOST_COMBINATIONS:
                self._refuse_versions()
            self.of_each(value, self._runs(found, value.values, statements))
        finally:
            self._combinations = around
        return True

    def of_each(self, value: OneOf, runs: Sequence[Callable[[], Any]], first: int = 0) -> None:
        """Branch on which alternative a value is; there is one callable for each."""
        run = functools.partial(self._apart, runs[first], first)
        if first == len(runs) - 1:
            run()
            return
        self.branch(self._is(value, first), run, lambda: self.of_each(value, runs, first + 1))

    def _apart(self, run: Callable[[], Any], number: int) -> Any:
        """Evaluate code of which there are several versions."""
        emitted = self.ops.builder.emitted()
        if self._emitted_before is None:
            self._emitted_before = emitted
        if emitted - self._emitted_before > MOST_EMITTED:
            self._refuse_versions()
        frame = self.frame
        path = frame.path
        # Loops are known by their frame and node, and have other types in each version.
        frame.path = (*path, _SPLIT, number)
        try:
            return run()
        finally:
            frame.path = path

    def _refuse_versions(self) -> NoReturn:
        self.fail(
            "this depends on too many values of different structures",
            "give each one structure on every path",
            page="types-on-paths",
        )

    def over(self, value: OneOf, run: Callable[[Any], Any], first: int = 0) -> Any:
        """The value of an expression of which one operand has several structures."""
        given = functools.partial(self._apart, functools.partial(run, value.values[first]), first)
        if first == len(value.values) - 1:
            return given()
        rest = functools.partial(self.over, value, run, first + 1)
        return self.choose(self._is(value, first), given, rest)

    def run_over_all(self, operands: list[Any], run: Callable[[list[Any]], None]) -> None:
        """Run code with these operands for each structure that they may have."""
        i = next((i for i, each in enumerate(operands) if type(each) is OneOf), None)
        if i is None:
            run(operands)
            return
        before, after = operands[:i], operands[i + 1 :]
        runs = [
            functools.partial(self.run_over_all, [*before, each, *after], run)
            for each in operands[i].values
        ]
        self.of_each(operands[i], runs)

    def over_all(self, operands: list[Any], run: Callable[[list[Any]], Any]) -> Any:
        """The value of an expression with these operands."""
        if OneOf not in map(type, operands):
            return run(operands)
        i = next(i for i, each in enumerate(operands) if type(each) is OneOf)
        before, value, after = operands[:i], operands[i], operands[i + 1 :]
        return self.over(value, lambda x: self.over_all([*before, x, *after], run))

    def of_each_kind(self, operands: list[Any], run: Callable[[list[Any]], Any]) -> Any:
        """The value of an expression; where it depends on the kind that a number among the operands
        has, it is computed for each kind.

        Raises:
            Undetermined: it depends on it, and values have one structure in this evaluation.
        """
        i = next((i for i, each in enumerate(operands) if type(each) is Joined), None)
        if i is None:
            return run(operands)
        saved = self._save()
        try:
            return run(operands)
        except Undetermined:
            if not self.structures.open():
                raise
            self._restore(saved)
        test, *numbers = kinds.split(self.ops, operands[i])
        before, after = operands[:i], operands[i + 1 :]
        first, others = (
            functools.partial(self.of_each_kind, [*before, each, *after], run) for each in numbers
        )
        test = self.settled(test, ast.Constant(None))
        if isinstance(test, bool):
            return first() if test else others()
        return self.choose(test, first, others)

    def _is(self, value: OneOf, number: int) -> Scalar:
        which = self.ops.index(self.index_value(value.which))
        return predicate(self.ops.compare("eq", which, self.ops.constant(number, INT), INT))

    def _used_by(self, statement: ast.stmt) -> Found | None:
        """A value of several structures that a statement names, or that is in a container that it
        names."""
        held = self.frame.names
        stack = []
        for name in _names_in(statement):
            value: Any = held.get(name)
            inner = value.value if isinstance(value, Maybe) else value
            if isinstance(inner, OneOf):
                return None, value
            stack.append(value)
        seen: set[Cell] = set()
        has_all = False
        while stack:
            value = stack.pop()
            if isinstance(value, Reference):
                if value.cell in seen:
                    continue
                seen.add(value.cell)
                if isinstance(value.cell.value, OneOf):
                    return value.cell, value.cell.value
            if isinstance(value, LocalFunction) and value.frame is self.frame and not has_all:
                has_all = True
                for each in held.values():
                    if isinstance(each, OneOf):
                        return None, each
                    stack.append(each)
            stack += held_by(value)
        return None

    def _runs(
        self, found: Found, given: tuple[Any, ...], statements: list[ast.stmt]
    ) -> list[Callable[[], None]]:
        """For each alternative, what runs statements where it is known to be that one."""
        return [functools.partial(self._run_given, *found, each, statements) for each in given]

    def _run_given(
        self, cell: Cell | None, value: OneOf | Maybe, given: Any, statements: list[ast.stmt]
    ) -> None:
        if cell is not None:
            self.write(cell, given)
        else:
            names = self.frame.names
            names |= {name: given for name in names if names[name] is value}
        self.block(statements)


@functools.lru_cache(maxsize=4096)
def _names_in(statement: ast.stmt) -> tuple[str, ...]:
    """The names that a statement reads, at any depth."""
    found: dict[str, None] = {}
    for each in (statement, *nodes_below(statement)):
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            found[each.target.id] = None
        elif isinstance(each, ast.Name) and type(each.ctx) is ast.Load:
            found[each.id] = None
    return tuple(found)
