"""Statements: one `visit_X` for each kind of statement node."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from ingot.checks import Failure, Kind, Reason
from ingot.syntax.assignments import Assignments
from ingot.syntax.branches import Raised
from ingot.syntax.contexts import Contexts
from ingot.syntax.imports import Imports
from ingot.syntax.loops import Loops
from ingot.syntax.ops import predicate
from ingot.syntax.patterns import Patterns
from ingot.syntax.scopes import BREAK, CONTINUE, JUMPS, RETURN, VALUE, always_jumps
from ingot.syntax.strings import holds_values
from ingot.syntax.values import (
    OneOf,
    OrNone,
    Raisable,
    Scalar,
    Text,
)
from ingot_runtime.errors import CompileError, DTypeError, ShapeError, UnsupportedError

#: For refused statements: their name, a hint what to write instead, and the page about them.
ADVICE = {
    "TryStar": ("try/except*", "write `except` instead, with the class of each exception", "try"),
    "AsyncWith": ("async with", "enter the context outside of the compiled function", "async"),
    "AsyncFunctionDef": ("async def", "make the function synchronous", "async"),
    "AsyncFor": ("async for", "loop over an array or a range", "async"),
    "ClassDef": (
        "a class definition", "define the class outside of the compiled function", "class"
    ),
    "Global": ("global", "pass the value as an argument and return the new one", "global"),
}  # fmt: skip


#: The errors at the user's call for exceptions that Ingot's own NumPy code raises.
REFUSALS = {NotImplementedError: UnsupportedError, TypeError: DTypeError, OverflowError: DTypeError}

#: The visitors used so far, by node type.
_visitors: dict[type, Callable[[Any, Any], None]] = {}


class Statements(Contexts, Loops, Patterns, Imports, Assignments):
    def block(self, statements: list[ast.stmt]) -> None:
        """Run statements until one leaves the block; after one that may leave, guard the rest."""
        for i, statement in enumerate(statements):
            if self.structures.are_open and self.splits(statements[i:]):
                return
            if isinstance(statement, ast.If):
                if self._if(statement, statements[i + 1 :]):
                    return
            else:
                self.statement(statement)
            names = self.frame.names
            jumped = self.jumped() if RETURN in names or BREAK in names else False
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

        self.branch(jumped, left, goes_on)

    def _if(self, node: ast.If, rest: list[ast.stmt]) -> bool:
        """Run an `if`; True if the statements after it were run, too."""
        test = self.decided(node.test)
        if isinstance(test, bool):
            self.block(node.body if test else node.orelse)
            return False
        body, orelse = node.body, node.orelse
        if len(body) == 1 and isinstance(body[0], ast.Raise) and not orelse:
            # `if test: raise ...` becomes a check, which needs no branch.
            self._check_raise(body[0], self.negate(test))
            self.narrow(node.test, False)
            return False
        takes_rest = bool(rest) and (always_jumps(body) or always_jumps(orelse))
        if takes_rest and always_jumps(body):
            orelse = [*orelse, *rest]
        elif takes_rest:
            body = [*body, *rest]
        self.at(node.test)
        then = self.knowing([node.test], True, self.block, body)
        self.branch(test, then, self.knowing([node.test], False, self.block, orelse))
        return takes_rest

    def visit_Return(self, node: ast.Return) -> None:
        self.whole_value = node.value
        value = self.any_value(node.value) if node.value else None
        self.at(node)
        if len(self.frames) == 1:
            self.returned_at = self.location
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
        self.whole_value = node.value
        self.any_value(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        decorators = [self.expr(each) for each in node.decorator_list]
        self.at(node)
        made: Any = self.local_function(node)
        for each in reversed(decorators):
            made = self.call(each, (made,), {}, node)
        self.bind(node.name, made)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        pass

    def visit_Global(self, node: ast.Global) -> None:
        if not self.frame.stores_in(self.frame.node).isdisjoint(node.names):
            self._refuse(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._delete(target)

    def _delete(self, target: Any) -> None:
        if isinstance(target, ast.Name):
            self.at(target)
            self.unbind(target.id)
        elif isinstance(target, ast.Subscript):
            base, index = self.expr(target.value), self.expr(target.slice)
            self.at(target)
            self.delete_item(base, index)
        elif isinstance(target, ast.Attribute):
            owner = self.expr(target.value)
            self.at(target)
            self.delete_attribute(owner, target.attr)
        else:
            for each in target.elts:
                self._delete(each)

    def visit_Match(self, node: ast.Match) -> None:
        subject = self.any_value(node.subject)
        if type(subject) is OneOf:
            run = functools.partial(self._match_cases, node.cases)
            self.of_each(subject, [functools.partial(run, each) for each in subject.values])
            return
        if type(subject) is OrNone:
            self.at(node.subject)
            self.fail("a match of a value that may be None", "test `is None` before it")
        if isinstance(subject, Text):
            self.at(node.subject)
            self.suggest_text(subject)
            self.fail(
                "a run-time string can't be matched", "match the numbers that it shows",
                page="run-time-string",
            )  # fmt: skip
        self._match_cases(node.cases, subject)

    def _match_cases(self, cases: list[ast.match_case], subject: Any) -> None:
        """Run the first case that matches; its test may be a run-time predicate."""
        for i, case in enumerate(cases):
            self.at(case.pattern)
            bound: dict[str, Any] = {}
            test = self.matches(case.pattern, subject, bound)
            if test is False:
                continue

            def enter(case: ast.match_case = case, bound: dict[str, Any] = bound) -> Any:
                for name, value in bound.items():
                    self.bind(name, value)
                return self.condition(case.guard) if case.guard else True

            def run(case: ast.match_case = case, bound: dict[str, Any] = bound) -> None:
                for name, value in () if case.guard else bound.items():
                    self.bind(name, value)
                self.block(case.body)

            if test is True:
                test = enter()
            elif case.guard:
                test = self.choose(test, enter, lambda: False)
            if test is False:
                continue
            if test is True:
                self.block(case.body)
                return
            following = functools.partial(self._match_cases, cases[i + 1 :], subject)
            self.branch(test, run, following)
            return

    def visit_Assert(self, node: ast.Assert) -> None:
        test = self.condition(node.test)
        if test is True:
            return
        self._raise_unless(test, AssertionError, [node.msg] if node.msg else [], node)
        self.narrow(node.test, True)

    def visit_Raise(self, node: ast.Raise) -> None:
        if node.exc is None and self.handled:
            self.at(node)
            self._throw(self.handled[-1])
        self._raise(*self._raised(node), node)

    def _raise(self, raised: Any, arguments: list[Any], node: ast.stmt) -> NoReturn:
        """Raise an exception, or one of a class with these arguments, values or expressions."""
        error = self._made(raised, arguments, node)
        self.at(node)
        self._throw(error)

    def _made(self, raised: Any, arguments: list[Any], node: ast.stmt) -> Raisable:
        """The exception that a statement raises, with its cause and context."""
        error = raised
        if isinstance(raised, type):
            args = self._values(arguments)
            # Texts of the library are not NumPy's.
            known = None if self.frame.internal else tuple(args)
            error = Raisable(raised, known, self._message(args))
        error = self._in_context(error)
        given = node.cause if isinstance(node, ast.Raise) else None
        return error if given is None else replace(error, cause=self._cause(given), suppresses=True)

    def _in_context(self, error: Raisable) -> Raisable:
        """An exception that is raised now: what is being handled becomes its context."""
        if not self.handled or error is self.handled[-1]:
            return error
        return replace(error, context=self.handled[-1])

    def _cause(self, node: ast.expr) -> Raisable | None:
        found = self.expr(node)
        if isinstance(found, type) and issubclass(found, Exception):
            return Raisable(found, ())
        if found is not None and not isinstance(found, Raisable):
            self.at(node)
            self.raise_now(TypeError, "exception causes must derive from BaseException")
        return found

    def raise_now(self, kind: type[Exception], message: Any = "", args: Any = None) -> NoReturn:
        """Raise an exception when control reaches this point; no code after it is evaluated.

        Args:
            kind: its class.
            message: its text.
            args: the arguments of the class, if these are Python's.
        """
        self._throw(self._in_context(Raisable(kind, args, message)))

    def _throw(self, error: Raisable) -> NoReturn:
        self.catch(error)
        kind, message = error.kind, error.message
        if self.frame.internal:
            refusal = REFUSALS.get(kind, ShapeError)
            if refusal is UnsupportedError:
                self.fail(str(message))
            self.fail_as(kind, str(message), kind=refusal)
        if not self.checks:
            self.fail(f"this always raises {kind.__name__}: {message}", kind=CompileError)
        failure = Failure(self.exception_name(kind), message, raised=error)
        self.require(predicate(self.ops.scalar(False)), failure)
        raise Raised

    def _check_raise(self, node: ast.Raise, holds: Any) -> None:
        """`if not holds: raise ...`."""
        self._raise_unless(holds, *self._raised(node), node)

    def _raise_unless(self, holds: Any, raised: Any, arguments: list[Any], node: ast.stmt) -> None:
        """Raise unless a condition holds; only then are the arguments evaluated."""
        kind = raised if isinstance(raised, type) else raised.kind
        if self.tries and isinstance(holds, Scalar) and not self.frame.internal:
            known = self.forked(holds, kind)
            holds = holds if known is None else known
        if holds is True:
            return
        if holds is False:
            self._raise(raised, arguments, node)
        if self.frame.internal or _is_constant(arguments, node):
            error = self._made(raised, arguments, node)
            self.at(node)
            name, reason = self.exception_name(kind), self._reason_of(kind)
            self.require(holds, Failure(name, error.message, reason, error))
            return

        self.branch(self.negate(holds), lambda: self._raise(raised, arguments, node), lambda: None)

    def _reason_of(self, kind: type[Exception]) -> Reason:
        """Why a statement raises an exception of this class."""
        if not self.frame.internal:
            return Kind.PYTHON
        return Kind.LIMIT if kind is NotImplementedError else Kind.NEAR

    def _values(self, arguments: list[Any]) -> list[Any]:
        """The arguments of an exception, of which some are expressions."""
        return [self.or_none(each) if isinstance(each, ast.expr) else each for each in arguments]

    def _message(self, values: list[Any]) -> str | Text:
        """The text of an exception with these arguments, as far as it is known."""
        if len(values) == 1 and isinstance(values[0], (str, Text)):
            return values[0]
        shown = values[0] if len(values) == 1 else tuple(values)
        return "" if not values or holds_values(shown) else str(self.plain(shown))

    def _raised(self, node: ast.Raise) -> tuple[Any, list[Any]]:
        """A raised exception, or its class and its arguments: values, or expressions."""
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        kind = self.expr(raised) if raised else None
        arguments: list[Any] = node.exc.args if isinstance(node.exc, ast.Call) else []
        is_made = isinstance(node.exc, ast.Call) and not isinstance(kind, type)
        made = self.expr(node.exc) if is_made else kind
        self.at(node)
        if isinstance(made, Raisable):
            return made, []
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            self.fail("raise needs an exception class", "raise ValueError('...')")
        if isinstance(node.exc, ast.Call) and node.exc.keywords:
            self.refuse_keywords(kind)
        return kind, arguments

    def refuse_args(self, kind: type[Exception]) -> NoReturn:
        self.fail(
            f"compiled code knows the class of this {kind.__name__} only, not its arguments",
            "raise it again by `raise` alone, or use a text of your own",
            page="try",
        )

    def refuse_keywords(self, kind: type[Exception]) -> NoReturn:
        self.fail(
            f"keyword arguments of {kind.__name__} are not supported", "give them by position"
        )

    def exception_name(self, kind: type[Exception]) -> str:
        """The name of an exception class in checks; user-defined classes are remembered."""
        if kind in (
            getattr(builtins, kind.__name__, None),
            getattr(np.linalg, kind.__name__, None),
        ):
            return kind.__name__
        name = f"{kind.__module__}:{kind.__qualname__}"
        while self.exceptions.setdefault(name, kind) is not kind:
            name += "'"
        return name

    def check(self, test: Any, exception: str, message: str | Text) -> None:
        """Raise at run time what Python or NumPy raises, exactly where it does."""
        self.require(test, Failure(exception, message))

    def check_args(self, test: Any, kind: type[Exception], args: tuple) -> None:
        """Raise `kind(*args)` at run time unless `test` holds; the arguments may be of run time."""
        error = self._in_context(Raisable(kind, args, self._message(list(args))))
        name, reason = self.exception_name(kind), self._reason_of(kind)
        self.require(test, Failure(name, error.message, reason, error))

    def check_nearly(self, test: Any, exception: str, message: str) -> None:
        """The same where Python or NumPy may raise it in other cases, too, or not in all."""
        self.require(test, Failure(exception, message, Kind.NEAR))

    def limit(self, test: Any, message: str, exception: str = "NotImplementedError") -> None:
        """Raise at run time where the program can't do what Python does."""
        self.require(test, Failure(exception, message, Kind.LIMIT))

    def require(self, test: Any, failure: Failure) -> None:
        """Raise at run time unless `test` holds."""
        if not self.checks or not isinstance(test, Scalar):
            return
        if self.tries:
            self.suggest(test.parameter)
        self.ops.require(test.value, failure)


def _is_constant(arguments: list[Any], node: ast.stmt) -> bool:
    """Whether the arguments and the cause of an exception can be evaluated where none is raised."""
    cause = node.cause if isinstance(node, ast.Raise) else None
    is_known = cause is None or isinstance(cause, (ast.Constant, ast.Name))
    return is_known and all(isinstance(each, ast.Constant) for each in arguments)
