"""Name lookup and binding, in the evaluated functions and outside of them."""

from __future__ import annotations

import ast
import sys
from typing import Any, NoReturn

from ingot.syntax.guards import MISSING
from ingot.syntax.objects import Objects
from ingot.syntax.scopes import Frame
from ingot.syntax.state import ATOMS
from ingot.syntax.values import Broken, Maybe, OneOf, Unbound

#: The comprehensions whose variables are those of the function around them (PEP 709).
_INLINED = (ast.ListComp, ast.SetComp, ast.DictComp) if sys.version_info >= (3, 12) else ()


class Names(Objects):
    # Names.

    def lookup(self, name: str) -> Any:
        """The value of a name that the active frame does not hold."""
        frame = self.frame
        if name in frame.locals:
            if name in frame.boxed and name in self.variables(frame):
                return self._read_box(frame, name)
            self.unbound(name, frame)
        outer = frame.parent
        while outer is not None:
            if name in outer.boxed and name in self.variables(outer):
                return self._read_box(outer, name)
            if name in outer.names:
                return self.bound_value(outer, name, outer.names[name])
            if name in outer.locals:
                self.unbound(name, outer)
            frame, outer = outer, outer.parent
        value = self.lift(self._read_outside(frame.function, name), name)
        if type(value) in ATOMS:
            self.frame.outside[name] = value
        return value

    def _read_outside(self, function: Any, name: str) -> Any:
        """A global or builtin, or a variable of an enclosing function that is not compiled."""
        free = function.__code__.co_freevars
        if name in free:
            found = self.reads.cell(function.__closure__[free.index(name)], name)
        else:
            found = self.reads.item(function.__globals__, name)
            if found is MISSING:
                found = self.reads.item(function.__builtins__, name)
        if found is MISSING:
            self.raise_now(NameError, f"name '{name}' is not defined")
        return found

    def variables(self, frame: Frame) -> dict[str, Any]:
        """The variables of a frame that live in its box."""
        contents = frame.box.cell.value
        if isinstance(contents, Broken):
            self.suggest(contents.parameter)
            self.fail_static(
                "a variable that an inner function or a loop over a generator assigns "
                f"{contents.reason}",
                "assign it values of one type on every path",
                page="types-on-paths",
            )
        return self.contents(frame.box)

    def _read_box(self, frame: Frame, name: str) -> Any:
        value = self.variables(frame)[name]
        if type(value) is Maybe or isinstance(value, Unbound):
            return self.bound_value(frame, name, value)
        return value

    def bound_value(self, frame: Frame | None, name: str, value: Any) -> Any:
        """The value of a name, with a check at run time if the name may be unbound."""
        if type(value) is Maybe:
            self._ask_loops(name, frame or self.frame)
            kind, message = self._unbound_error(name, frame)
            self.check(value.assigned, kind.__name__, message)
            if frame is self.frame and name in frame.names:
                frame.names[name] = value.value
            return value.value
        if isinstance(value, Unbound):
            if not value.reason:
                self.unbound(name, frame)
            self.suggest(value.parameter)
            self.fail_static(
                f"`{name}` {value.reason}",
                "assign it before the branch or loop, with the same type on every path",
                page="types-on-paths",
            )
        return value

    def _unbound_error(self, name: str, frame: Frame | None) -> tuple[type[NameError], str]:
        """The exception and message of Python for a name without a value."""
        inner = self.frame
        while type(inner.node) in _INLINED and inner.parent is not None:
            inner = inner.parent
        if frame is None or frame is inner or frame is self.frame:
            return UnboundLocalError, (
                f"cannot access local variable '{name}' where it is not associated with a value"
            )
        return NameError, (
            f"cannot access free variable '{name}' where it is not associated with a value in "
            "enclosing scope"
        )

    def unbound(self, name: str, frame: Frame | None = None) -> NoReturn:
        """Raise what Python raises for a read of an unassigned name."""
        self._ask_loops(name, frame or self.frame)
        self.raise_now(*self._unbound_error(name, frame))

    def _ask_loops(self, name: str, frame: Frame) -> None:
        """Restart a loop whose earlier iterations may have assigned the name."""
        for loop in reversed(self.loops):
            if loop.frame is frame and loop.may_assign(name):
                loop.want(name)

    def bind(self, name: str, value: Any) -> None:
        """`name = value`."""
        frame = self.frame
        if frame.is_closed:
            frame.names[name] = value
            return
        if name in frame.outer:
            frame = self._owner_of(frame, name)
        if name in frame.boxed:
            if type(value) is OneOf:
                self.refuse_alternatives(f"`{name}`, which an inner function assigns,")
            contents = {**self.variables(frame), name: value}
            self.write(frame.box.cell, contents)
        else:
            frame.names[name] = value

    def _owner_of(self, frame: Frame, name: str) -> Frame:
        """The frame of the enclosing function that owns a `nonlocal` name."""
        outer = frame.parent
        while outer is not None and name not in outer.boxed:
            outer = outer.parent
        if outer is None:
            self.fail(
                f"nonlocal `{name}` belongs to a function that is not compiled with this one",
                "pass the value as an argument and return the new one",
                page="global",
            )
        return outer

    def unbind(self, name: str) -> None:
        """`del name`."""
        if name in self.frame.boxed or name in self.frame.outer:
            self.fail(
                f"del of `{name}`, which inner functions assign, is not supported",
                "leave the name alone",
                page="del",
            )
        if name not in self.frame.names:
            self.unbound(name)
        del self.frame.names[name]
