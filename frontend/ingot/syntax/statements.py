"""Statements: one `visit_X` for each node of the language."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ingot.numpy.ufuncs import call_ufunc
from ingot.syntax import masked
from ingot.syntax.expressions import BINARY, Expressions
from ingot.syntax.loops import Loops
from ingot.syntax.masked import Masked
from ingot.syntax.ops import fresh
from ingot.syntax.scopes import BREAK, CONTINUE, JUMPS, RETURN, VALUE, always_jumps
from ingot.syntax.values import Array, Scalar, describe
from ingot_runtime.errors import CompileError, DTypeError, ShapeError, UnsupportedError
from ingot_runtime.trees import is_record

#: What refused statements are called, what to write instead, and the page about it.
ADVICE = {
    "Try": ("try/except", "check the condition with `if` before it can fail", "try"),
    "TryStar": ("try/except*", "check the condition with `if` before it can fail", "try"),
    "With": ("with", "enter the context outside of the compiled function", "with"),
    "AsyncWith": ("async with", "enter the context outside of the compiled function", "async"),
    "AsyncFunctionDef": ("async def", "make the function synchronous", "async"),
    "AsyncFor": ("async for", "loop over an array or a range", "async"),
    "ClassDef": (
        "a class definition", "define the class outside of the compiled function", "class"
    ),
    "Global": ("global", "pass the value as an argument and return the new one", "global"),
    "Nonlocal": ("nonlocal", "return the new value instead", "global"),
    "Delete": ("del", "leave the name unused", "del"),
    "Import": ("import", "import at the top of the module", "import"),
    "ImportFrom": ("import", "import at the top of the module", "import"),
    "Match": ("match", "use if/elif/else", "match"),
}  # fmt: skip


#: What an exception that Ingot's own NumPy code raises is at the user's call.
REFUSALS = {NotImplementedError: UnsupportedError, TypeError: DTypeError}

#: The visitors met so far, by node type.
_visitors: dict[type, Callable[[Any, Any], None]] = {}


class Statements(Loops, Expressions):
    def block(self, statements: list[ast.stmt]) -> None:
        """Run statements until one leaves; what may have left guards the rest."""
        for i, statement in enumerate(statements):
            if isinstance(statement, ast.If):
                if self._if(statement, statements[i + 1 :]):
                    return
            else:
                self.statement(statement)
            jumped = self.jumped()
            if jumped is False:
                continue
            rest = statements[i + 1 :]
            if isinstance(jumped, Scalar) and rest:
                self._guard(jumped, rest)
            return

    def statement(self, node: ast.stmt) -> None:
        visit = _visitors.get(type(node))
        if visit is None:
            visit = getattr(Statements, "visit_" + type(node).__name__, None)
            if visit is None:
                self._refuse(node)
            _visitors[type(node)] = visit
        visit(self, node)

    def _refuse(self, node: ast.stmt) -> NoReturn:
        self.at(node)
        name, hint, page = ADVICE.get(type(node).__name__, (type(node).__name__, "", ""))
        self.fail(f"{name} is not supported", hint, page=page)

    # Jumps.

    def jumped(self) -> Any:
        """Whether control has left the block: False, True or a predicate."""
        names = self.frame.names
        if RETURN not in names and BREAK not in names:
            return False
        result: Any = False
        for flag in JUMPS:
            value = names.get(flag, False)
            if value is not False:
                result = self.either(result, value)
        return result

    def _guard(self, jumped: Scalar, rest: list[ast.stmt]) -> None:
        """Run the rest unless control has left."""
        possible = [f for f in JUMPS if self.frame.names.get(f, False) is not False]

        def left() -> None:
            if len(possible) == 1:
                self.frame.names[possible[0]] = True

        def goes_on() -> None:
            self.frame.names.update(dict.fromkeys(possible, False))
            self.block(rest)

        self.branch(jumped.value, left, goes_on)

    def _if(self, node: ast.If, rest: list[ast.stmt]) -> bool:
        """Run an `if`; True if the statements after it were run, too."""
        test = self.truth(self.expr(node.test))
        if isinstance(test, bool):
            self.block(node.body if test else node.orelse)
            return False
        body, orelse = node.body, node.orelse
        if len(body) == 1 and isinstance(body[0], ast.Raise) and not orelse:
            # A check needs no branch.
            self._check_raise(body[0], self.negate(test))
            return False
        takes_rest = bool(rest) and (always_jumps(body) or always_jumps(orelse))
        if takes_rest and always_jumps(body):
            orelse = [*orelse, *rest]
        elif takes_rest:
            body = [*body, *rest]
        self.at(node.test)
        self.branch(test.value, lambda: self.block(body), lambda: self.block(orelse))
        return takes_rest

    def visit_Return(self, node: ast.Return) -> None:
        value = self.expr(node.value) if node.value else None
        self.at(node)
        if type(value) is Masked and len(self.frames) == 1:
            masked.refuse(self)
        self.frame.names[VALUE] = value
        self.frame.names[RETURN] = True

    def visit_Break(self, node: ast.Break) -> None:
        self.frame.names[BREAK] = True

    def visit_Continue(self, node: ast.Continue) -> None:
        self.frame.names[CONTINUE] = True

    def visit_Pass(self, node: ast.Pass) -> None:
        pass

    # Values.

    def visit_Expr(self, node: ast.Expr) -> None:
        self.expr(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.at(node)
        if node.decorator_list:
            self.fail(
                "a decorator inside a compiled function is not supported",
                "define the decorated function at module level",
            )
        self.frame.names[node.name] = self.local_function(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        test = self.truth(self.expr(node.test))
        self.at(node)
        message = str(self.static(self.expr(node.msg), "a message")) if node.msg else ""
        if test is True:
            return
        if test is False:
            self.fail(f"this assertion never holds: {message}", kind=CompileError)
        self.check(test, "AssertionError", message)

    def visit_Raise(self, node: ast.Raise) -> None:
        kind, message = self._raised(node)
        if len(self.regions) == 1:
            self.fail(f"this always raises {kind.__name__}: {message}", kind=CompileError)
        if self.checks:
            self.ops.check(self.ops.scalar(False), kind.__name__, message)
        self.frame.names[RETURN] = True

    def _check_raise(self, node: ast.Raise, holds: Any) -> None:
        """`if not holds: raise ...`."""
        kind, message = self._raised(node)
        self.check(holds, kind.__name__, message)

    def _raised(self, node: ast.Raise) -> tuple[type[Exception], str]:
        """The exception and its message."""
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        kind = self.expr(raised) if raised else None
        arguments = node.exc.args if isinstance(node.exc, ast.Call) else []
        message = ", ".join(str(self.static(self.expr(a), "a message")) for a in arguments)
        self.at(node)
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            self.fail("raise needs an exception class", "raise ValueError('...')")
        if self.frame.internal:
            self.fail(message, kind=REFUSALS.get(kind, ShapeError))
        return kind, message

    def check(self, test: Any, exception: str, message: str) -> None:
        """Raise the exception at run time unless `test` holds."""
        if self.checks and isinstance(test, Scalar):
            self.ops.check(test.value, exception, message)

    # Assignment.

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.expr(node.value)
        for target in node.targets:
            self.assign(target, value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.expr(node.value))

    def assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.frame.names[target.id] = self.lift(value, target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Subscript):
            base, index = self.expr(target.value), self.expr(target.slice)
            self.at(target)
            self.store_item(base, index, value)
        elif isinstance(target, ast.Attribute):
            self._assign_attribute(target, value)
        else:
            starred: Any = target
            self.assign(starred.value, value)

    def _assign_attribute(self, target: ast.Attribute, value: Any) -> None:
        owner = self.expr(target.value)
        self.at(target)
        if isinstance(owner, Array) and target.attr == "shape":
            self._reshape_in_place(target, owner, value)
        elif isinstance(owner, Array) and target.attr in ("real", "imag", "T", "flat"):
            self._assign_part(owner, target.attr, value)
        elif isinstance(owner, Array) or not is_record(owner):
            self.fail(
                f"assignment to `{target.attr}` of {describe(owner)} is not supported",
                "assign to a name or to elements",
            )
        else:
            self.set_attribute(owner, target.attr, value)

    def _reshape_in_place(self, target: ast.Attribute, owner: Array, shape: Any) -> None:
        """`a.shape = ...`: every name of this array sees the new shape."""
        made = self.call(np.reshape, (owner, shape), {})
        if made.storage is not owner.storage:
            self.fail("Incompatible shape for in-place modification", "use a.reshape", ShapeError)
        if len(self.regions) > 1 or (owner.storage.argument is not None and not owner.views):
            self.fail(
                "the shape of an argument, or under a run-time condition, can't be assigned",
                "bind a new name: b = a.reshape(...)",
            )
        for frame in self.frames:
            for name, each in frame.names.items():
                if each is owner:
                    frame.names[name] = made

    def _assign_part(self, owner: Array, part: str, value: Any) -> None:
        """`a.real = ...`, `a.imag = ...`, `a.T = ...` as NumPy does them."""
        if part in ("T", "flat"):
            self.fail(f"assignment to `{part}` is not supported", f"write a.{part}[...] = value")
        if owner.dtype.kind != "c":
            if part == "imag":
                self.fail("array does not have imaginary part to set", kind=DTypeError)
            self.store_item(owner, Ellipsis, value)
            return
        parts = {name: self.attribute(owner, name) for name in ("real", "imag")}
        parts[part] = self.call(np.broadcast_to, (value, owner.shape), {})
        real, imag = (
            self.ops.convert(self.read(each), parts["real"].dtype)
            if name == part
            else self.read(each)
            for name, each in parts.items()
        )
        self.store_item(owner, Ellipsis, fresh(self.ops.create("complex", [real, imag])))

    def _unpack(self, target: Any, value: Any) -> None:
        names, items = target.elts, value
        if not (type(value) is tuple and len(value) == len(names)):
            self.at(target)
            items = list(self.static_items(value))
        starred = [i for i, each in enumerate(names) if isinstance(each, ast.Starred)]
        if starred:
            first, after = starred[0], len(names) - starred[0] - 1
            if len(items) < len(names) - 1:
                self.fail("not enough values to unpack", kind=ShapeError)
            end = len(items) - after
            middle = self.new_list(items[first:end])
            items = [*items[:first], middle, *items[end:]]
            names = [e.value if isinstance(e, ast.Starred) else e for e in names]
        if len(items) != len(names):
            self.fail(f"{len(items)} values to unpack into {len(names)} names", kind=ShapeError)
        for each, item in zip(names, items, strict=True):
            self.assign(each, item)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        target, op = node.target, type(node.op)
        if isinstance(target, ast.Name):
            old = self.expr(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            value = self.expr(node.value)
            self.at(node)
            self.frame.names[target.id] = self._augment(op, old, value)
            return
        if isinstance(target, ast.Attribute):
            owner = self.expr(target.value)
            old, value = self.attribute(owner, target.attr), self.expr(node.value)
            self.at(node)
            new = self._augment(op, old, value)
            if not (isinstance(old, Array) and new is old and is_record(owner)):
                self._assign_attribute(target, new)
            return
        base, index = self.expr(target.value), self.expr(target.slice)
        value = self.expr(node.value)
        self.at(node)
        if isinstance(base, Array) and self.is_mask(base, index):
            self.store_masked(base, index, lambda old: self._under_mask(op, index, old, value))
            return
        old = self.subscript(base, index)
        new = self._augment(op, old, value)
        if not (isinstance(old, Array) and old.storage is getattr(base, "storage", None)):
            self.store_item(base, index, new)

    def _under_mask(self, op: type, mask: Array, old: Array, value: Any) -> Any:
        if type(value) is not Masked:
            return self.binary(op, old, value)
        return self.binary(op, Masked(old, self.read(mask)), value)

    def _augment(self, op: type, old: Any, value: Any) -> Any:
        """`old op= value`: in place for arrays and lists."""
        if isinstance(old, Array):
            if op.__name__ == "MatMult":
                self.store_item(old, Ellipsis, self.binary(op, old, value))
                return old
            return call_ufunc(self, BINARY[op][1], (old, value), out=old)
        if isinstance(old, list) and op.__name__ == "Add":
            self.changeable(old).extend(self.static_items(value))
            return old
        return self.binary(op, old, value)
