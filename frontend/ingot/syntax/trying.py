"""`try`: what is known to raise an exception at compile time is caught then.

That is known where control comes to it whatever the values are: a key that a dict does not have, or
a `raise` under conditions that are known. At run time nothing is caught. So what may fail only
there, in the body, must not raise what a handler would catch, unless all that the handler does is
to raise another exception: then that is what it raises.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from ingot.syntax.branches import Branches, Raised
from ingot.syntax.scopes import Frame
from ingot.syntax.values import NOTHING, Scalar, Text, Unbound


@dataclass(frozen=True, eq=False)
class Handler:
    kinds: tuple[type, ...]
    node: ast.ExceptHandler


@dataclass(frozen=True, eq=False)
class Attempt:
    """A `try` whose body is being evaluated.

    Attributes:
        handlers: its handlers.
        frame: the call that it is in.
        depth: the number of regions around it.
    """

    handlers: list[Handler]
    frame: Frame
    depth: int

    def handler_of(self, kind: type) -> Handler | None:
        return next((each for each in self.handlers if issubclass(kind, each.kinds)), None)


class Caught(Raised):
    """An exception that a handler catches at compile time."""

    def __init__(
        self, attempt: Attempt, handler: Handler, kind: type[Exception], message: str | Text
    ) -> None:
        super().__init__()
        self.attempt, self.handler, self.raised = attempt, handler, (kind, message)


class Trying(Branches):
    def visit_Try(self, node: ast.Try) -> None:
        self.at(node)
        if node.finalbody:
            self.fail(
                "finally is not supported", "write its statements after the others", page="try"
            )
        handlers = [self._handler(each) for each in node.handlers]
        attempt = Attempt(handlers, self.frame, len(self.regions))
        mark, outer = self.mark_calls(), len(self.tries)
        self.tries.append(attempt)
        try:
            self.block(node.body)
        except Caught as caught:
            if caught.attempt is not attempt:
                raise
            del self.tries[outer:]
            self.return_to(mark)
            self._handle(caught)
            return
        finally:
            del self.tries[outer:]
        self._unless_jumped(node.orelse)

    def _handler(self, node: ast.ExceptHandler) -> Handler:
        found = self.expr(node.type) if node.type else BaseException
        kinds = found if isinstance(found, tuple) else (found,)
        if not all(isinstance(each, type) for each in kinds):
            self.at(node)
            self.fail("except needs classes of exceptions", "except ValueError:", page="try")
        return Handler(kinds, node)

    def _unless_jumped(self, statements: list[ast.stmt]) -> None:
        jumped = self.jumped()
        if isinstance(jumped, Scalar):
            self._guard(jumped, statements)
        elif not jumped:
            self.block(statements)

    def _handle(self, caught: Caught) -> None:
        node = caught.handler.node
        self.handled.append(caught.raised)
        if node.name:
            reason = "is an exception, of which compiled code knows the class only"
            self.frame.names[node.name] = Unbound(reason)
        try:
            self.block(node.body)
        finally:
            self.handled.pop()
        if node.name:
            self.frame.names[node.name] = NOTHING

    def catch(self, kind: type[Exception], message: str | Text) -> None:
        """Go on in the handler of an exception, if there is one and control is known to be here."""
        if kind is NotImplementedError and self.frame.internal:
            # Not of the program, but a limit of the compiler.
            return
        for attempt in reversed(self.tries):
            handler = attempt.handler_of(kind)
            if handler is None:
                continue
            if len(self.regions) == attempt.depth:
                raise Caught(attempt, handler, kind, message)
            return

    def checked(self, exception: str, message: str) -> tuple[str, str]:
        """The name and the message of what a check raises, once handlers have seen it."""
        kind = self._class_of(exception)
        if kind is NotImplementedError:
            # Python raises none where the compiler meets its limits.
            return exception, message
        for attempt in reversed(self.tries):
            handler = attempt.handler_of(kind)
            if handler is None or _raises_again(handler):
                continue
            exception, message = self._replacement(attempt, handler, kind)
            kind = self._class_of(exception)
        return exception, message

    def _class_of(self, exception: str) -> type[Exception]:
        home = np.linalg if hasattr(np.linalg, exception) else builtins
        return self.exceptions.get(exception) or getattr(home, exception)

    def _replacement(self, attempt: Attempt, handler: Handler, kind: type) -> tuple[str, str]:
        """The name and the message of what a handler raises in place of an exception."""
        body = handler.node.body
        raised = body[0] if len(body) == 1 and isinstance(body[0], ast.Raise) else None
        exc = raised and raised.exc
        arguments = exc.args if isinstance(exc, ast.Call) else []
        if raised is None or not all(isinstance(each, ast.Constant) for each in arguments):
            self._refuse_catching(kind)
        place, frame = self.node, self.frame
        self.frame = attempt.frame
        found, arguments = self._raised(raised)
        made = self._exception_name(found), str(self._message(found, arguments))
        self.frame = frame
        self.at(place)
        return made

    def _refuse_catching(self, kind: type) -> NoReturn:
        self.fail(
            f"only run time knows whether this raises {kind.__name__}, and then nothing catches it",
            "check the condition with `if` before it can fail",
            page="try",
        )


def _raises_again(handler: Handler) -> bool:
    body = handler.node.body
    return len(body) == 1 and isinstance(body[0], ast.Raise) and body[0].exc is None
