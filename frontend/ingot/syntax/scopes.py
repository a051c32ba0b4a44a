"""Frames of evaluated functions, and the names that their syntax reads and assigns."""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ingot.syntax.source import FunctionNode
from ingot.syntax.values import NOTHING


@dataclass(frozen=True, eq=False)
class Hidden:
    """A variable of a frame that does not appear in the source.

    Attributes:
        what: its purpose, for debugging.
        before: its value before it is assigned.
    """

    what: str
    before: Any = field(default=NOTHING, repr=False, compare=False)


#: A variable of a frame.
Name = str | Hidden

#: Whether control has left the function, and the returned value; whether it has left the loop, or
#: the iteration.
RETURN, VALUE = Hidden("return", before=False), Hidden("value")
BREAK, CONTINUE = Hidden("break", before=False), Hidden("continue", before=False)
JUMPS = (RETURN, BREAK, CONTINUE)
#: By which of the exceptions in `Memo.left_by` a loop was left, counted from 1; 0 if by none.
LEFT = Hidden("left", before=0)
#: Whether a `finally` follows, which reads names also after a `return`.
FINALLY = Hidden("finally", before=False)
#: The arrays that an expression may have evaluated before it calls a function: in `y + f()`, `f`
#: may change y, and bind the name to another array.
EVALUATED = Hidden("operands", before=())
#: The object whose attributes are the variables that inner functions assign.
BOX = Hidden("box")
FUNCTIONS = (ast.FunctionDef, ast.Lambda)


#: Functions and modules whose functions bind no variables of the caller's.
_PLAIN = frozenset([
    "abs", "bool", "enumerate", "float", "int", "len", "math", "max", "min", "np", "numpy", "range",
    "sum", "zip",
])  # fmt: skip


def may_rebind(function: FunctionNode) -> bool:
    """Whether a call of a function may bind variables, attributes or items of its caller's."""
    return any(map(_rebinds, ast.walk(function)))


def _rebinds(node: ast.AST) -> bool:
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return not isinstance(node.ctx, ast.Load)
    if not isinstance(node, ast.Call):
        return isinstance(node, (ast.Nonlocal, ast.Global))
    called = node.func
    while isinstance(called, ast.Attribute):
        called = called.value
    return not (isinstance(called, ast.Name) and called.id in _PLAIN)


def before_assignment(name: Name) -> Any:
    """The value of a name before it is assigned."""
    return name.before if isinstance(name, Hidden) else NOTHING


@dataclass(eq=False)
class Frame:
    """One call of one function.

    Attributes:
        path: identifies the chain of calls that leads here, the same in each evaluation.
        internal: the function is Ingot's own, so errors point at its caller.
        depth: the number of regions open at the call.
        box: holds the variables that inner functions assign, as attributes.
        outside: the numbers, functions and modules that names outside of the function are.
        outer: the names that this function declares `nonlocal`.
        boxed: the variables of this function that inner functions assign.
        is_closed: whether `names` holds all variables that this function assigns.
    """

    function: types.FunctionType | None
    node: FunctionNode
    filename: str
    parent: Frame | None
    path: tuple[Any, ...]
    internal: bool
    names: dict[Name, Any] = field(default_factory=dict)
    depth: int = 0
    locals: frozenset[str] = frozenset()
    box: Any = None
    is_comprehension: bool = False
    outside: dict[str, Any] = field(default_factory=dict)
    outer: frozenset[str] = field(init=False)
    boxed: frozenset[str] = field(init=False)
    is_closed: bool = field(init=False)

    def __post_init__(self) -> None:
        self.outer = self.boxed = frozenset()
        if self.function is None or self.function.__code__.co_freevars:
            self.outer = _declared(self.node, ast.Nonlocal)
        if self._has_inner:
            self.boxed = _assigned_from_inside(self.node) & self.locals
        self.is_closed = not self.outer and not self.boxed

    @functools.cached_property
    def parameters(self) -> frozenset[str]:
        a = self.node.args
        return frozenset(each.arg for each in (*a.args, *a.posonlyargs, *a.kwonlyargs))

    @functools.cached_property
    def loads(self) -> dict[str, list[int]]:
        """The lines that read each name."""
        return loads_of(self.node)

    @property
    def _has_inner(self) -> bool:
        """Whether inner functions may use variables of this function."""
        return self.function is None or bool(self.function.__code__.co_cellvars)

    @functools.cached_property
    def shared(self) -> frozenset[str]:
        """The names that inner functions read or assign."""
        if not self._has_inner:
            return frozenset()
        inner = [each for each in _own_nodes(self.node) if isinstance(each, FUNCTIONS)]
        names = (each for node in inner for each in ast.walk(node))
        return frozenset(each.id for each in names if isinstance(each, ast.Name))

    def stores_in(self, node: ast.AST) -> frozenset[str]:
        """The names that a statement of this function may assign."""
        stores: set[str] = set()
        for each in _own_nodes(node):
            if isinstance(each, ast.Name) and type(each.ctx) is not ast.Load:
                stores.add(each.id)
            elif isinstance(each, ast.FunctionDef):
                stores.add(each.name)
        return frozenset(stores)


#: Fields that hold no nodes, or only such as say of what kind their node is.
_PLAIN_FIELDS = frozenset(["ctx", "op", "ops", "id", "attr", "kind", "type_comment"])


@functools.cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """The fields of nodes of a kind that may hold nodes."""
    plain = kind._fields if kind is ast.Constant else _PLAIN_FIELDS
    return tuple(name for name in kind._fields if name not in plain)


def nodes_below(root: ast.AST, *, closed: frozenset[type] = frozenset()) -> list[ast.AST]:
    """The nodes below a node, each before those below it. `ast.walk` takes five times as long.

    Args:
        root: the node.
        closed: types of nodes below which it does not look, except the root.
    """
    found: list[Any] = [root]
    # The loop goes on over the nodes that it appends.
    for node in found:
        if type(node) in closed and node is not root:
            continue
        for name in _fields_of(node.__class__):
            value = getattr(node, name, None)
            if type(value) is list:
                found += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return found[1:]


def _own_nodes(root: ast.AST) -> list[ast.AST]:
    """The nodes below a node, without those of nested functions."""
    return nodes_below(root, closed=_NESTED)


_NESTED = frozenset([ast.FunctionDef, ast.Lambda, ast.ClassDef])


#: The fields of nodes that hold blocks of statements, or handlers and cases, which hold blocks.
_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")


def _blocks(node: ast.AST) -> Iterator[Any]:
    """The statements, exception handlers and cases that are children of a node."""
    for name in _BLOCKS:
        block = getattr(node, name, None)
        # The body of a lambda is an expression.
        if isinstance(block, list):
            yield from block


def _own_statements(root: ast.AST) -> Iterator[ast.AST]:
    """All statements below a node, without those of nested functions."""
    stack = list(_blocks(root))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            stack.extend(_blocks(node))


def locals_of(node: FunctionNode, function: types.FunctionType | None) -> frozenset[str]:
    """The names that are local to a function."""
    if function is not None:
        return frozenset((*function.__code__.co_varnames, *function.__code__.co_cellvars))
    return _assigned_in(node)


@functools.lru_cache(maxsize=1024)
def _assigned_in(node: FunctionNode) -> frozenset[str]:
    a = node.args
    arguments = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    local = {each.arg for each in arguments if each}
    for each in _own_nodes(node):
        if isinstance(each, ast.FunctionDef):
            local.add(each.name)
        elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            local.add(each.id)
        elif isinstance(each, (ast.MatchAs, ast.MatchStar)) and each.name:
            local.add(each.name)
    return frozenset(local) - _declared(node, (ast.Nonlocal, ast.Global))


@functools.lru_cache(maxsize=1024)
def yield_of(node: FunctionNode) -> ast.expr | None:
    """The first `yield` of a function, which makes it a generator; None if it has none."""
    found = (each for each in _own_nodes(node) if isinstance(each, (ast.Yield, ast.YieldFrom)))
    return next(found, None)


@functools.lru_cache(maxsize=1024)
def _assigned_from_inside(node: FunctionNode) -> frozenset[str]:
    """The names that inner functions declare `nonlocal`."""
    inner = [each for each in _own_statements(node) if isinstance(each, ast.FunctionDef)]
    found = (each for function in inner for each in ast.walk(function))
    return frozenset(n for each in found if isinstance(each, ast.Nonlocal) for n in each.names)


@functools.lru_cache(maxsize=1024)
def _declared(node: Any, kind: Any) -> frozenset[str]:
    return frozenset(
        name for each in _own_statements(node) if isinstance(each, kind) for name in each.names
    )


def loads_of(node: FunctionNode) -> dict[str, list[int]]:
    """The lines that read each name."""
    loads: dict[str, list[int]] = {}
    for each in _own_nodes(node):
        if isinstance(each, ast.Name):
            if type(each.ctx) is ast.Load:
                loads.setdefault(each.id, []).append(each.lineno)
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            loads.setdefault(each.target.id, []).append(each.lineno)
    return loads


def has_jump(statements: list[ast.stmt], kinds: tuple[type, ...], *, into_loops: bool) -> bool:
    """Whether a `return`, `break` or `continue` is among the statements."""
    stack: list[ast.AST] = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, kinds):
            return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        if isinstance(node, (ast.For, ast.While)) and not into_loops:
            # In its body only `return` leaves the enclosing loop. Its `else` belongs to that loop.
            if ast.Return in kinds and has_jump(node.body, (ast.Return,), into_loops=True):
                return True
            stack.extend(node.orelse)
            continue
        stack.extend(_blocks(node))
    return False


def always_jumps(statements: list[ast.stmt]) -> bool:
    """Whether the syntax shows that control never reaches the end of the statements."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, (ast.Return, ast.Break, ast.Continue, ast.Raise)):
        return True
    if isinstance(last, ast.If):
        return always_jumps(last.body) and always_jumps(last.orelse)
    return False
