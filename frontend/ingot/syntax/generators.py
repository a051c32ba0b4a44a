"""Generator functions: a loop over what one yields runs its body, which calls the loop's body.

The body of the loop is a function of the yielded item, and each `yield` of the generator is a call
of it. So both run in the order of Python, and neither needs items of static number. Where the loop
ends early, the function says so, and the generator returns.
"""

from __future__ import annotations

import ast
import copy
import functools
import itertools
import math
import types
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot.numpy.library import generated, items
from ingot.syntax.branches import Raised
from ingot.syntax.cells import Cell
from ingot.syntax.functions import LocalFunction
from ingot.syntax.scopes import BOX, Frame, loads_of, nodes_below
from ingot.syntax.supplies import MANY, NOTHING_MORE, Step
from ingot.syntax.values import (
    Array,
    Instance,
    Iterator,
    List,
    Raisable,
    Range,
    Supply,
    Symbolic,
    Unbound,
)

#: The parameter of a generator for the function that is called with each item.
_CONSUME = "<consume>"
#: The variable of `yield from`, and the parameter of the body of a loop.
_EACH = "<each>"
#: How a loop was left: not, by `break`, or by `return`.
_NOT, _BREAK, _RETURN = 0, 1, 2

_SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
#: The types of what may go over a generator.
MAY_YIELD = frozenset([Iterator, Instance])
#: The types of sequences.
_SEQUENCES = (Array, Range, tuple, str, List)
#: What uses a generator up at once, so that a list serves as well.
_USE_UP = frozenset(
    [list, tuple, set, frozenset, dict, sum, max, min, sorted, math.prod, math.fsum, np.fromiter]
)
#: Functions of iterators, as functions with loops over a generator.
_LOOPS = {
    any: items.any_of, all: items.all_of, enumerate: generated.enumerate_,
    map: generated.map_, filter: generated.filter_, itertools.islice: generated.islice,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Yielded(Supply):
    """What a generator function yields.

    Attributes:
        node: the function.
        frame: its call.
        bound: its arguments by parameter name.
    """

    node: ast.FunctionDef
    frame: Frame
    bound: dict[str, Any]

    def pull(self, ev: Any) -> Step:
        return ev.fail_static(  # type: ignore[no-any-return]
            "taking single items of a generator is not supported",
            "loop over the generator with `for`, or make a list of it first: list(...)",
            page="yield",
        )

    def most(self, ev: Any) -> float:
        return MANY

    def held(self) -> tuple[Any, ...]:
        return tuple(self.bound.values())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Left(Supply):
    """What is left of a generator in a loop over it, and after a loop that may have ended early."""

    def pull(self, ev: Any) -> Step:
        return ev.fail(  # type: ignore[no-any-return]
            "a generator that a loop has begun can't go on elsewhere",
            "make a list of it before the loop: list(...)",
            page="yield",
        )

    def most(self, ev: Any) -> float:
        return MANY


def is_generator(ev: Any, value: Any) -> bool:
    """Whether a value is what a call of a generator function gives."""
    return isinstance(value, Iterator) and isinstance(ev.contents(value), (Yielded, Left))


def made_by(ev: Any, frame: Frame, bound: dict[str, Any]) -> Iterator:
    """What a call of a generator function gives.

    Args:
        ev: the evaluator.
        frame: the call.
        bound: its arguments by parameter name.
    """
    node: Any = frame.node
    _, refused = _pushing(node, ends=False)
    if refused is not None:
        at, message, hint = refused
        ev.at(at)
        ev.fail(message, hint, page="yield")
    frame.locals |= {_CONSUME, _EACH}
    made: Iterator = ev.new_iterator(Yielded(node, frame, bound), types.GeneratorType)
    return made


def raised_through(frames: list[Frame], error: Raisable, until: Frame | None) -> Raisable:
    """What a StopIteration is that has left the innermost of the calls up to the call `until`.

    Those of generators make it a RuntimeError (PEP 479). The body of a loop is called by the
    generator that it goes over, but what it raises does not pass that.
    """
    if not issubclass(error.kind, StopIteration):
        return error
    at = len(frames) - 1
    while at >= 0 and frames[at] is not until:
        frame = frames[at]
        if getattr(frame.node, "is_loop_body", False) and frame.parent in frames:
            at = frames.index(frame.parent)
            continue
        if _CONSUME in frame.locals or isinstance(frame.node, ast.GeneratorExp):
            text = "generator raised StopIteration"
            return Raisable(RuntimeError, (text,), text, error, error, True)
        at -= 1
    return error


def listed(ev: Any, generator: Iterator) -> Any:
    """All that a generator yields, as a list."""
    return ev.inline(items.listed, (generator,), {}, ev.node)


def first_items(ev: Any, generator: Iterator, count: int) -> Any:
    """The first items that a generator yields, as a list; it ends after them."""
    return listed(ev, ev.inline(generated.islice, (generator, count), {}, ev.node))


def replaced(ev: Any, function: Any, args: tuple) -> tuple[Any, tuple]:
    """A function and its arguments, as they can be called if the function goes over a generator."""
    if isinstance(function, Symbolic) or not isinstance(function, Hashable):
        return function, args
    if function is zip and len(args) == 2:
        return _zipped(ev, *args)
    if function is next:
        function, at_most = (items.first, 1) if len(args) == 1 else (items.first_or, 2)
        is_given = 1 <= len(args) <= at_most and is_generator(ev, args[0])
        return (function, args) if is_given else (next, args)
    uses_up, loop = function in _USE_UP, _LOOPS.get(function)
    at = int(function is map or function is filter)
    most = 1 if function in (max, min) else 2
    if not (uses_up or loop) or not at < len(args) <= most:
        return function, args
    before, (over, *after) = args[:at], args[at:]
    if type(over) is Instance and function is not dict:
        over = ev.iterated(over)
    if not is_generator(ev, over):
        return function, (*before, over, *after)
    return (function, (listed(ev, over), *after)) if uses_up else (loop, (*before, over, *after))


def _zipped(ev: Any, one: Any, other: Any) -> tuple[Any, tuple]:
    """zip() of two, one of which may be a generator and the other one a sequence."""
    one, other = (ev.iterated(x) if type(x) is Instance else x for x in (one, other))
    if is_generator(ev, one) and isinstance(other, _SEQUENCES):
        return generated.zip_before, (one, other)
    if is_generator(ev, other) and isinstance(one, _SEQUENCES):
        return generated.zip_behind, (one, other)
    return zip, (one, other)


# The loop.


def run_loop(ev: Any, node: ast.For, generator: Iterator) -> None:
    """Run a `for` loop over a generator."""
    supply = ev.contents(generator)
    if isinstance(supply, Left):
        supply.pull(ev)
    frame = ev.frame
    body = _body_of(node, frame.node, frame.locals | frame.outer, frame.shared | frame.outer)
    ev.change(generator, Left())
    if body.ends:
        ev.bind(body.left, _NOT)
    boxed = _Boxed(ev, body.assigned)
    supply.frame.node, _ = _pushing(supply.node, body.ends)
    try:
        consume = LocalFunction(body.function, frame, (), {}, body.function.name)
        ev.run_frame(supply.frame, {**supply.bound, _CONSUME: consume})
    except Raised:
        boxed.end(ev)
        raise
    except BaseException:
        boxed.forget()
        raise
    boxed.end(ev)
    if not body.ends:
        ev.change(generator, NOTHING_MORE)
    ev.block(body.after)


class _Boxed:
    """Variables of a frame that live in its box while a loop runs whose body is a function."""

    def __init__(self, ev: Any, names: Iterable[str]) -> None:
        frame = self.frame = ev.frame
        self.before = frame.box, frame.boxed, frame.is_closed
        self.names = sorted(set(names) - frame.boxed - frame.outer)
        held = {name: frame.names.pop(name, Unbound()) for name in self.names}
        if frame.box is None:
            frame.box = Instance(Cell(types.SimpleNamespace, held, ev.location))
            frame.names[BOX] = frame.box
        else:
            ev.write(frame.box.cell, {**ev.variables(frame), **held})
        frame.boxed |= held.keys()
        frame.is_closed = False

    def end(self, ev: Any) -> None:
        """Make them variables of the frame again."""
        frame, contents = self.frame, dict(ev.variables(self.frame))
        for name in self.names:
            value = contents.pop(name)
            if not isinstance(value, Unbound) or value.reason:
                frame.names[name] = value
        if self.before[0] is None:
            del frame.names[BOX]
        else:
            ev.write(frame.box.cell, contents)
        self.forget()

    def forget(self) -> None:
        self.frame.box, self.frame.boxed, self.frame.is_closed = self.before


@dataclass(frozen=True)
class _Body:
    """The body of a loop as a function.

    Attributes:
        function: takes an item, and returns whether the loop ends.
        assigned: the variables that it assigns of the function around the loop.
        left: the variable that tells how the loop was left.
        ends: whether the loop may end early.
        after: what follows the loop: its `else`, and the `return` of its body.
    """

    function: ast.FunctionDef
    assigned: frozenset[str]
    left: str
    ends: bool
    after: list[ast.stmt]


@functools.lru_cache(maxsize=1024)
def _body_of(
    node: ast.For, around: Any, variables: frozenset[str], shared: frozenset[str]
) -> _Body:
    """The body of a loop.

    Args:
        node: the loop.
        around: the function around it.
        variables: the names that this assigns.
        shared: those that other functions use, too.
    """
    at = f"{node.lineno}:{node.col_offset}"
    jumps = _Jumps(f"<left {at}>", f"<value {at}>")
    given = ast.Assign([copy.deepcopy(node.target)], _load(_EACH))
    body = [given, *jumps.block(copy.deepcopy(node.body)), ast.Return(ast.Constant(False))]
    stored = _stored_by([node.target, *node.body]) & variables
    assigned = stored - (_own_names(node, around) - shared) | jumps.assigned
    if assigned:
        body.insert(0, ast.Nonlocal(sorted(assigned)))
    function: Any = ast.copy_location(ast.parse("def body(): pass").body[0], node)
    function.args.args, function.body = [ast.arg(_EACH)], body
    function.is_loop_body = True
    after = list(node.orelse)
    if after and jumps.assigned:
        after = [ast.If(_is(jumps.left, _NOT), after, [])]
    if jumps.value in jumps.assigned:
        after.append(ast.If(_is(jumps.left, _RETURN), [ast.Return(_load(jumps.value))], []))
    for root in (function, *after):
        _locate(root, node)
    return _Body(function, frozenset(assigned), jumps.left, bool(jumps.assigned), after)


def _own_names(node: ast.For, around: Any) -> set[str]:
    """The variables that each iteration of a loop assigns before it reads them, and that nothing
    outside of its body reads."""
    read = set(loads_of(_of([node.target])))
    own = _stored_by([node.target]) - read
    for statement in node.body:
        is_plain = isinstance(statement, ast.Assign) and not loads_of(_of(statement.targets))
        read |= loads_of(_of([statement])).keys() - own
        if is_plain:
            own |= _stored_by(statement.targets) - read  # type: ignore[attr-defined]
    inside, everywhere = loads_of(_of([node.target, *node.body])), loads_of(around)
    return {name for name in own if len(inside.get(name, ())) == len(everywhere.get(name, ()))}


def _stored_by(roots: list[Any]) -> set[str]:
    """The variables that statements may assign."""
    found: set[str] = set()
    for each in nodes_below(_of(roots), closed=frozenset([*_SCOPES, *_COMPREHENSIONS])):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, _COMPREHENSIONS):
            named = (inner for inner in ast.walk(each) if isinstance(inner, ast.NamedExpr))
            found |= {inner.target.id for inner in named}
        elif isinstance(each, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in each.names}
        elif isinstance(getattr(each, "name", None), str):
            found.add(each.name)  # type: ignore[attr-defined]
        elif isinstance(each, ast.MatchMapping) and each.rest:
            found.add(each.rest)
    return found


class _Jumps:
    """Makes returns of the jumps out of the body of a loop.

    Attributes:
        left, value: the variables for how the loop was left, and for what is returned.
        assigned: those of them that are assigned.
    """

    def __init__(self, left: str, value: str) -> None:
        self.left, self.value = left, value
        self.assigned: set[str] = set()

    def block(self, statements: list[ast.stmt], in_loop: bool = False) -> list[ast.stmt]:
        return [made for each in statements for made in self._made(each, in_loop)]

    def _made(self, node: Any, in_loop: bool) -> list[ast.stmt]:
        if isinstance(node, ast.Return):
            return self._end(node, _RETURN, node.value or ast.Constant(None))
        if isinstance(node, ast.Break) and not in_loop:
            return self._end(node, _BREAK)
        if isinstance(node, ast.Continue) and not in_loop:
            return [_locate(ast.Return(ast.Constant(False)), node)]
        if not isinstance(node, _SCOPES):
            is_loop = isinstance(node, (ast.For, ast.While))
            self._replace(node, "body", in_loop or is_loop)
            for name in ("orelse", "finalbody"):
                self._replace(node, name, in_loop)
            for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                self._replace(each, "body", in_loop)
        return [node]

    def _replace(self, node: Any, name: str, in_loop: bool) -> None:
        if hasattr(node, name):
            setattr(node, name, self.block(getattr(node, name), in_loop))

    def _end(self, node: ast.stmt, how: int, value: ast.expr | None = None) -> list[ast.stmt]:
        made = {self.left: ast.Constant(how)} | ({self.value: value} if value else {})
        self.assigned |= made.keys()
        assigns = [ast.Assign([ast.Name(name, ast.Store())], each) for name, each in made.items()]
        # The value first: it may raise.
        return [_locate(x, node) for x in (*assigns[::-1], ast.Return(ast.Constant(True)))]


# The generator.


@functools.lru_cache(maxsize=1024)
def _pushing(node: Any, ends: bool) -> tuple[Any, tuple[ast.AST, str, str] | None]:
    """A generator function that calls a function with each item.

    Args:
        node: the function.
        ends: whether it returns where that function returns true.

    Returns:
        The function, and a `yield` that is not supported, with the reason and a hint.
    """
    made, rewrite = copy.deepcopy(node), _Pushing(ends)
    if isinstance(node, ast.Lambda):
        return node, (node.body, "a lambda that yields is not supported", "write a `def`")
    made.body = [found for each in made.body for found in rewrite.statements(each)]
    return made, rewrite.refused


class _Pushing(ast.NodeTransformer):
    """Makes calls of what yields.

    Attributes:
        refused: a `yield` that is not supported, why, and what to write instead.
    """

    def __init__(self, ends: bool) -> None:
        self.ends = ends
        self.refused: tuple[ast.AST, str, str] | None = None
        self._guarded = 0

    def statements(self, node: ast.stmt) -> list[Any]:
        made = self.visit(node)
        return made if isinstance(made, list) else [made]

    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if not isinstance(value, (ast.Yield, ast.YieldFrom)):
            return self.generic_visit(node)
        if self._guarded:
            hint = "append to a list there, and yield its items behind it: `yield from items`"
            message = "a `yield` inside `try` or `with` is not supported"
            return self._refuse(value, message, hint)
        if isinstance(value, ast.Yield):
            return _locate(self._pushed(value.value or ast.Constant(None)), node)
        each = ast.Name(_EACH, ast.Store())
        return _locate(ast.For(each, value.value, [self._pushed(_load(_EACH))], []), node)

    def visit_Yield(self, node: Any) -> Any:
        message = "what is sent to a generator is not supported"
        return self._refuse(node, message, "yield in a statement of its own: `yield x`")

    def visit_YieldFrom(self, node: Any) -> Any:
        return self.visit_Yield(node)

    def _pushed(self, value: ast.expr) -> ast.stmt:
        """The call with an item, after which the generator may end."""
        call = ast.Call(_load(_CONSUME), [value], [])
        return ast.If(call, [ast.Return(None)], []) if self.ends else ast.Expr(call)

    def _refuse(self, node: Any, message: str, hint: str) -> Any:
        self.refused = self.refused or (node, message, hint)
        return node

    def _guard(self, node: Any) -> Any:
        self._guarded += 1
        made = self.generic_visit(node)
        self._guarded -= 1
        return made

    def visit_Try(self, node: ast.Try) -> Any:
        return self._guard(node)

    def visit_TryStar(self, node: Any) -> Any:
        return self._guard(node)

    def visit_With(self, node: ast.With) -> Any:
        return self._guard(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node


# Nodes.


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _is(name: str, value: int) -> ast.expr:
    return ast.Compare(_load(name), [ast.Eq()], [ast.Constant(value)])


def _of(nodes: list[Any]) -> Any:
    """A node with these below it."""
    return ast.Module(nodes, [])


def _locate(root: Any, node: Any) -> Any:
    """Give what is new below a node the location of another."""
    for each in ast.walk(root):
        if "lineno" in each._attributes and not hasattr(each, "lineno"):
            ast.copy_location(each, node)
    return root
