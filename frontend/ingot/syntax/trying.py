"""`try`: what is known to raise an exception at compile time is caught then.

That is known where control comes to it whatever the values are: a key that a dict does not have, or
a `raise` under conditions that are known.

What only run time knows becomes a branch, if a handler would catch it. The evaluation of the body
is given up at such a check, and begins anew in both arms: in one the check holds, and the body goes
on to the next one; in the other it fails, and the exception is caught at compile time. So both find
everything as it was at the check. This needs a check that all executions of the body come to, and
that fails exactly where Python raises. For a check in an arm of an `if`, or of a `try` in this one,
the conditions of `if`s and the checks of that `try` are branched on in the same way first. In a
loop, an iteration is run like the body of a `try` with the handlers around the loop: what they
would catch leaves the loop, as `break` does, and is raised again behind it. Others are refused,
unless all that the handler does is to raise another exception: then that is what the check raises.

What the body has printed before a check stays before the branch, and is not printed again in its
arms. That is refused if a loop has printed it.
"""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from ingot._core import Diagnostic, Value
from ingot.checks import Failure, Kind
from ingot.syntax import raising
from ingot.syntax.branches import Branches, Raised
from ingot.syntax.generators import raised_through
from ingot.syntax.memos import Memo
from ingot.syntax.ops import predicate
from ingot.syntax.scopes import BREAK, FINALLY, JUMPS, LEFT, Frame, Name, has_jump
from ingot.syntax.values import NOTHING, Raisable, Scalar, Text
from ingot_runtime.errors import CompileError

#: A handler of all exceptions.
ANY = ast.ExceptHandler(None, None, [])
NOT_CAUGHT = "catching classes that do not inherit from BaseException is not allowed"
#: How many checks of one `try` are branched on at most, and how many conditions of `if`s: after
#: each of these the rest of the body is evaluated twice.
MOST_FORKS, MOST_SPLITS = 16, 4
#: How often the body of a `try` is begun without outcomes at most; each time loops are evaluated in
#: another way.
MOST_BEGINNINGS = 8


@dataclass(frozen=True, eq=False)
class Handler:
    """A handler that an exception comes to.

    Attributes:
        node: the handler.
        raised: the exception that finding the handler's class raises, if it does.
    """

    node: ast.ExceptHandler
    raised: Raisable | None

    def raises_constant(self) -> bool:
        """Whether all that the handler does is to raise an exception with a constant message."""
        if self.raised is not None:
            return True
        node = self._only_raise()
        if node is None or node.exc is None:
            return False
        exc, cause = node.exc, node.cause
        if not (cause is None or isinstance(cause, (ast.Constant, ast.Name))):
            return False
        return not isinstance(exc, ast.Call) or all(isinstance(e, ast.Constant) for e in exc.args)

    def raises_again(self) -> bool:
        node = self._only_raise()
        if self.raised is not None or node is None or node.cause is not None:
            return False
        return node.exc is None or (
            isinstance(node.exc, ast.Name) and node.exc.id == self.node.name
        )

    def _only_raise(self) -> ast.Raise | None:
        first, *others = self.node.body
        return first if isinstance(first, ast.Raise) and not others else None


#: What tells a check or a condition from others: its place in the source, and what it would raise.
Place = tuple[Any, ...]


@dataclass(eq=False)
class Attempt:
    """A `try` whose body is being evaluated.

    Attributes:
        handlers: its handlers.
        frame: the call that it is in.
        depth, loops: the numbers of regions and of run-time loops around it.
        outcomes: the first checks that a handler would catch, and conditions of `if`s, with whether
            they hold in this arm; these are branched on.
        splits_from: of how many of them on the conditions of `if`s are branched on, too.
        leaves: whether exceptions in loops leave these first.
        of: the `try`s around a loop, if this is an iteration of the loop.
        begun: how often the evaluation of the body has begun without outcomes.
        first: how much was printed before it.
        repeated: what was printed before the branch in an arm of which it is evaluated.
        unseen: how often something had been printed before it where no `try` was seen.
        prints_within: whether regions in it print.
        seen: how many of these the evaluation has come to.
        split: how many of those seen are conditions of `if`s.
    """

    handlers: list[ast.ExceptHandler]
    frame: Frame
    depth: int
    loops: int
    outcomes: tuple[tuple[Place, bool], ...] = ()
    splits_from: float = math.inf
    leaves: bool = False
    of: frozenset[Attempt] = frozenset()
    begun: int = 1
    first: int = 0
    repeated: tuple[Any, ...] = ()
    unseen: int = 0
    prints_within: bool = False
    seen: int = 0
    split: int = 0

    def next_outcome(self, condition: Scalar, place: Place) -> bool:
        """Whether a check or a condition that is branched on holds in this arm."""
        self.seen += 1
        if self.seen > len(self.outcomes):
            raise Forked(self, condition, place)
        expected, holds = self.outcomes[self.seen - 1]
        if place != expected:
            raise Mistaken(self)
        return holds


class Caught(Raised):
    """An exception that a handler catches at compile time."""

    def __init__(self, attempt: Attempt, error: Raisable) -> None:
        super().__init__()
        self.attempt, self.raised = attempt, error


class Anew(Exception):
    """The evaluation of the body of a `try` begins anew."""

    def __init__(self, attempt: Attempt) -> None:
        super().__init__()
        self.attempt = attempt


class Forked(Anew):
    """A check that a handler would catch, or a condition, which is the next to be branched on."""

    def __init__(self, attempt: Attempt, condition: Scalar, place: Place) -> None:
        super().__init__(attempt)
        self.condition, self.place = condition, place


class Split(Anew):
    """A check in an arm: from here on, the conditions of `if`s are to be branched on, too."""


class Mistaken(Anew):
    """Another check than the last time: what that time has found out about a loop, which was
    unrolled then, say. The outcomes are of no use; all that is in the arm begins anew."""


class Leaving(Anew):
    """A check in a loop: from here on, exceptions leave loops before handlers catch them."""


@dataclass(frozen=True, eq=False)
class Tried:
    """What is run with handlers: the body of a `try`, or an iteration of a loop in one.

    Attributes:
        handlers, frame: those of the `try`.
        body: runs it.
        handle: goes on with what a handler catches.
        orelse: goes on where there is no exception.
        of: of an iteration of a loop, the `try`s around the loop.
    """

    handlers: list[ast.ExceptHandler]
    frame: Frame
    body: Callable[[], None]
    handle: Callable[[Caught], None]
    orelse: Callable[[], None]
    of: frozenset[Attempt] = frozenset()


class Trying(Branches):
    def visit_Try(self, node: ast.Try) -> None:
        self.at(node)
        if not node.finalbody:
            self._try(self._tried(node))
            return
        mark, checks, outer = self.mark_calls(), self.ops.checks, self.frame.names.get(FINALLY)
        self.frame.names[FINALLY] = True
        try:
            self.or_raise(lambda: self._try(self._tried(node)))
        except Anew:
            # At a `try` around this one.
            raise
        except Raised as raised:
            self.return_to(mark)
            checks, is_raised = self.ops.checks, not isinstance(raised, Caught)
            self._finally_after(node, outer, is_raised)
            if is_raised and self.ops.checks > checks:
                self._refuse_replacing(node)
            raise
        if self.ops.checks > checks:
            self._finally_after(node, outer, True)
        else:
            self._finally(node.finalbody, outer, may_raise=False)

    def _finally_after(self, node: ast.Try, outer: Any, is_raised: bool) -> None:
        """Run the statements of a `finally` after a `try` that may have raised an exception."""
        try:
            self._finally(node.finalbody, outer, may_raise=True)
        except Raised:
            if is_raised:
                self._refuse_replacing(node)
            raise

    def _refuse_replacing(self, node: ast.Try) -> NoReturn:
        """Refuse a `finally` that raises another exception than the one that the program raises."""
        self.at(node.finalbody[0])
        self.fail(
            "this finally may raise another exception in place of one that leaves its try",
            "raise none in it",
            page="try",
        )

    def _finally(self, statements: list[ast.stmt], outer: Any, *, may_raise: bool) -> None:
        """Run what follows a `try` on all paths, also those on which control leaves the block.

        Args:
            statements: the statements.
            outer: whether there is a `finally` around this one.
            may_raise: whether there are paths on which the program ends before the statements.
        """
        leaves = has_jump(statements, (ast.Return,), into_loops=True)
        if leaves or has_jump(statements, (ast.Break, ast.Continue), into_loops=False):
            self.at(statements[0])
            self.fail("a finally that leaves is not supported", "leave after it", page="try")
        names = self.frame.names
        names[FINALLY] = bool(outer)
        jumps: dict[Name, Any] = {flag: names[flag] for flag in JUMPS if flag in names}
        names.update(dict.fromkeys(jumps, False))
        effects, self.prints, self.calls_back = (self.prints, self.calls_back), False, False
        self.block(statements)
        if may_raise and (self.prints or self.calls_back):
            self.at(statements[0])
            self.fail(
                "this finally prints, and only run time knows whether an exception comes before it",
                "print after the try statement",
                page="try",
            )
        self.prints, self.calls_back = self.prints or effects[0], self.calls_back or effects[1]
        self.frame.names.update(jumps)

    def _try(
        self,
        tried: Tried,
        outcomes: tuple[tuple[Place, bool], ...] = (),
        *,
        splits_from: float = math.inf,
        leaves: bool = False,
        begun: int = 1,
        first: int | None = None,
        repeated: tuple[Any, ...] = (),
    ) -> None:
        first = len(self.printed) if first is None else first
        del self.printed[first:]
        attempt = Attempt(
            tried.handlers,
            tried.frame,
            len(self.regions),
            len(self.loops),
            outcomes,
            splits_from,
            leaves,
            tried.of,
            begun,
            first,
            repeated,
            self.printed_unseen,
        )
        again = functools.partial(
            self._try, tried, splits_from=splits_from, leaves=leaves, begun=begun, first=first
        )
        mark, outer, before = self.mark_calls(), len(self.tries), self._snapshot()
        saved = self._save()
        effects, self.prints, self.calls_back = (self.prints, self.calls_back), False, False
        self.tries.append(attempt)
        try:
            tried.body()
        except Caught as caught:
            if caught.attempt is not attempt:
                raise
            del self.tries[outer:]
            self.return_to(mark)
            tried.handle(caught)
            return
        except Anew as anew:
            if anew.attempt is not attempt:
                raise
            del self.tries[outer:]
            self.return_to(mark)
            is_late = isinstance(anew, Forked) and attempt.prints_within
            if is_late and splits_from == math.inf:
                # What an arm has printed comes before the branch if that is on its condition first.
                anew = Split(attempt)
            if not isinstance(anew, Forked):
                self._restore(saved)
                self._undo(before)
                if isinstance(anew, Mistaken):
                    if begun == MOST_BEGINNINGS:
                        self._refuse_changing()
                    again(begun=begun + 1, repeated=repeated)
                elif isinstance(anew, Split):
                    again(outcomes, splits_from=len(outcomes), repeated=repeated)
                else:
                    again(outcomes, leaves=True, repeated=repeated)
                return
            if self.calls_back or attempt.prints_within or self.printed_unseen > attempt.unseen:
                self._refuse_after_print()
            self._undo(before)
            printed = self.printed[first:]
            # What is begun anew in an arm comes to checks before what was printed before the arm.
            repeated = max(tuple(printed), repeated, key=len)
            holds, fails = (
                functools.partial(again, (*outcomes, (anew.place, each)), repeated=repeated)
                for each in (True, False)
            )
            self.branch(anew.condition, holds, fails)
            self.printed[first:] = printed
            return
        finally:
            del self.tries[outer:]
            self.prints, self.calls_back = self.prints or effects[0], self.calls_back or effects[1]
        tried.orelse()

    def _tried(self, node: ast.Try) -> Tried:
        return Tried(
            node.handlers, self.frame, lambda: self._attempted(node), self._handle,
            lambda: self._unless_jumped(node.orelse),
        )  # fmt: skip

    # Loops that exceptions leave.

    def leaves_loops(self) -> bool:
        """Whether an exception in a loop may leave it for a handler."""
        return any(attempt.leaves for attempt in self.tries)

    def run_iteration(self, memo: Memo, run: Callable[[], None]) -> None:
        """Run an iteration of a loop; what a handler around the loop catches leaves the loop."""
        if self.leaves_loops():
            # Control is here, so no iteration has left the loop.
            self.frame.names.update({flag: False for flag in JUMPS if flag in self.frame.names})
        inner = [attempt.of for attempt in self.tries]
        around = [
            attempt
            for i, attempt in enumerate(self.tries)
            if attempt.leaves and not any((attempt.of or {attempt}) & of for of in inner[i + 1 :])
        ]
        for frame, attempts in itertools.groupby(reversed(around), lambda each: each.frame):
            run = functools.partial(self._try, self._iteration_in(frame, [*attempts], memo, run))
        run()

    def _iteration_in(
        self, frame: Frame, attempts: list[Attempt], memo: Memo, run: Callable[[], None]
    ) -> Tried:
        """An iteration of a loop within the bodies of `try`s of one call, the innermost first."""
        names = self.frame

        def leave(caught: Caught) -> None:
            if not raising.is_known(caught.raised):
                self.fail(
                    f"this {caught.raised.kind.__name__} has run-time values of an iteration, "
                    "and a handler outside of the loop catches it",
                    "raise it with a constant text, or put the `try` into the loop",
                    page="try",
                )
            names.names[BREAK] = True
            names.names[LEFT] = 1 + memo.leave_by(caught.raised)

        handlers = [handler for attempt in attempts for handler in attempt.handlers]
        of = frozenset().union(*(attempt.of or {attempt} for attempt in attempts))
        return Tried(handlers, frame, run, leave, lambda: None, of)

    def raise_left(self, memo: Memo, *, is_only_way: bool = False) -> None:
        """Raise the exception by which an iteration has left a loop, behind the loop.

        Args:
            is_only_way: whether the loop can be left in no other way.
        """
        code = self.frame.names.pop(LEFT, 0)
        is_left = isinstance(code, Scalar) or code > 0
        for number, error in enumerate(memo.left_by if is_left else [], 1):
            test = self.truth(self.compare(ast.NotEq(), code, number))
            is_sure = is_only_way and number == len(memo.left_by)
            if is_sure or test is False:
                self._throw(error)
            name = self.exception_name(error.kind)
            self.require(test, Failure(name, error.message, raised=error))

    def without_handlers(self, run: Callable[[], Any]) -> Any:
        """Run code whose checks no handler sees."""
        tries, self.tries = self.tries, []
        try:
            return run()
        finally:
            self.tries = tries

    def _attempted(self, node: ast.Try) -> None:
        """Run the body of a `try`; what NumPy raises for shapes and types comes to the handlers."""
        mark, depth = self.mark_calls(), len(self.regions)
        try:
            self.block(node.body)
        except (CompileError, Diagnostic) as error:
            self.return_to(mark)
            found = self.raised_here(error) if len(self.regions) == depth else None
            if found is not None:
                kind, message = found
                context = self.handled[-1] if self.handled else None
                self.catch(Raisable(kind, None, message, context=context))
            raise

    def _snapshot(self) -> tuple[Any, Any]:
        return [(frame, dict(frame.names)) for frame in self.frames], self.regions[-1].mark()

    def _undo(self, before: tuple[Any, Any]) -> None:
        """Undo what the code has changed since a snapshot; its operations have no effect then."""
        names, memory = before
        for frame, held in names:
            frame.names = held
        self.regions[-1].undo_since(memory)

    def was_printed(self, text: str) -> bool:
        """Note that the program prints a text here; whether that comes before the branch in an arm
        of which it is evaluated again."""
        if not self.tries:
            self.printed_unseen += 1
            return False
        here, depth = (id(self.node), self.frame.path, text), len(self.regions)
        is_repeated = False
        for attempt in reversed(self.tries):
            number = len(self.printed) - attempt.first
            if number >= len(attempt.repeated):
                attempt.prints_within |= depth > attempt.depth and not is_repeated
                continue
            if attempt.repeated[number] != here or (depth > attempt.depth and not is_repeated):
                self._refuse_after_print()
            is_repeated = True
        self.printed.append(here)
        return is_repeated

    def _refuse_changing(self) -> NoReturn:
        self.fail(
            "the checks in this try do not settle", "put less into the try statement", page="try"
        )

    def _refuse_after_print(self) -> NoReturn:
        self.fail(
            "only run time knows whether this raises an exception after something was printed",
            "print after the try statement",
            page="try",
        )

    def _handler_of(self, attempt: Attempt, kind: type) -> Handler | None:
        """The handler that an exception comes to and does not pass."""
        for node in attempt.handlers:
            kinds = self._would_catch(attempt, node)
            if isinstance(kinds, Caught):
                return Handler(node, kinds.raised)
            if issubclass(kind, kinds):
                return Handler(node, None)
        return None

    def _would_catch(self, attempt: Attempt, handler: ast.ExceptHandler) -> Any:
        """The classes that a handler would catch now, or what finding them raises.

        Python looks for them only once an exception comes to the handler.
        """
        mark, tries, place = self.mark_calls(), self.tries, self.node
        self.frame, self.tries = (
            attempt.frame,
            [Attempt([ANY], attempt.frame, len(self.regions) + 1, len(self.loops))],
        )
        self.frames.append(attempt.frame)
        try:
            return self.without_effect(functools.partial(self._kinds_or_raised, handler))
        finally:
            self.tries = tries
            self.return_to(mark)
            self.at(place)

    def _kinds_or_raised(self, handler: ast.ExceptHandler) -> tuple[type, ...] | Caught:
        try:
            return self._kinds(handler)
        except Caught as caught:
            return caught

    def _kinds(self, handler: ast.ExceptHandler) -> tuple[type, ...]:
        found = self.expr(handler.type) if handler.type else BaseException
        kinds = found if isinstance(found, tuple) else (found,)
        if not all(isinstance(each, type) and issubclass(each, BaseException) for each in kinds):
            self.at(handler.type)
            self.raise_now(TypeError, NOT_CAUGHT)
        return kinds

    def _unless_jumped(self, statements: list[ast.stmt]) -> None:
        jumped = self.jumped()
        if isinstance(jumped, Scalar):
            self._guard(jumped, statements)
        elif not jumped:
            self.block(statements)

    def _handle(self, caught: Caught) -> None:
        """Go through the handlers of a `try` to the one that catches an exception, and run it."""
        kind = caught.raised.kind
        self.handled.append(caught.raised)
        try:
            node = next(e for e in caught.attempt.handlers if issubclass(kind, self._kinds(e)))
            if node.name:
                self.frame.names[node.name] = caught.raised
            self.block(node.body)
        finally:
            self.handled.pop()
        if node.name:
            self.frame.names[node.name] = NOTHING

    def catch(self, error: Raisable) -> None:
        """Go on in the handler of an exception, if there is one and control is known to be here."""
        if error.kind is NotImplementedError and self.frame.internal:
            # Not of the program, but a limit of the compiler.
            return
        for attempt in reversed(self.tries):
            seen = raised_through(self.frames, error, attempt.frame)
            if self._handler_of(attempt, seen.kind) is None:
                continue
            if len(self.regions) == attempt.depth:
                raise Caught(attempt, seen)
            return

    def checked(self, condition: Value, failure: Failure) -> None:
        """Emit a check, once handlers have seen what it raises."""
        if failure.reason not in (Kind.PYTHON, Kind.NEAR):
            # Python raises none where the compiler meets its limits, nor where an assumption fails.
            self._emit_check(condition, failure, None)
            return
        error = failure.raised
        if error is None:
            kind = self._class_of(failure.exception)
            error = Raisable(kind, None, failure.message)
            if self.handled:
                error = replace(error, context=self.handled[-1])
        frames = self.frames
        for attempt in reversed(self.tries):
            error = raised_through(frames, error, attempt.frame)
            frames = _up_to(frames, attempt.frame)
            handler = self._handler_of(attempt, error.kind)
            if handler is None or handler.raises_again():
                continue
            test = predicate(condition)
            is_exact = failure.reason is Kind.PYTHON
            place = self._place(failure.exception, failure.message)
            holds = self._forked(test, place, attempt, handler) if is_exact else None
            if holds is False:
                raise Caught(attempt, error)
            if holds:
                return
            error = self._replacement(attempt, handler, error)
        self._emit_check(condition, failure, raised_through(frames, error, None))

    def _emit_check(self, condition: Value, failure: Failure, error: Raisable | None) -> None:
        """Emit a check that raises an exception; without one, the class and text of a failure."""
        if error is None and isinstance(failure.message, Text):
            error = Raisable(self._class_of(failure.exception), (failure.message,), failure.message)
        if error is None:
            self.ops.emit_assert(condition, failure)
            return
        name, message = self.exception_name(error.kind), error.message
        text = message.format if isinstance(message, Text) else message
        failure = Failure(name, text, failure.reason, error)
        if raising.is_plain(error):
            self.ops.emit_assert(condition, failure)
        else:
            raising.emit(self, condition, failure)

    def forked(self, condition: Scalar, kind: type[Exception]) -> bool | None:
        """Branch on whether an exception is raised here, if a handler would catch it.

        Returns:
            Whether the condition holds in this arm; None if there is no branch.

        Raises:
            Forked: it is the next check to be branched on.
        """
        for attempt in reversed(self.tries):
            seen = raised_through(self.frames, Raisable(kind, None), attempt.frame)
            handler = self._handler_of(attempt, seen.kind)
            if handler is not None and not handler.raises_again():
                return self._forked(condition, self._place(kind), attempt, handler)
        return None

    def _place(self, kind: Any, message: Any = "") -> Place:
        text = message.format if isinstance(message, Text) else message
        line, column = (getattr(self.node, name, 0) for name in ("lineno", "col_offset"))
        return self.frame.filename, line, column, kind, text

    def _forked(
        self, condition: Scalar, place: Place, attempt: Attempt, handler: Handler
    ) -> bool | None:
        is_here = len(self.regions) == attempt.depth and attempt.seen < MOST_FORKS
        if not is_here or handler.raises_constant():
            return None
        # What follows a check of an inner `try` would be too late for a handler around it.
        around = self._splitting(attempt)
        return (around or attempt).next_outcome(condition, place)

    def _splitting(self, inside: Attempt | None = None) -> Attempt | None:
        """The outermost `try`, of those around one, that is branched on the next condition."""
        for attempt in itertools.takewhile(lambda each: each is not inside, self.tries):
            is_here = len(self.regions) == attempt.depth and attempt.split < MOST_SPLITS
            if is_here and attempt.seen >= attempt.splits_from:
                attempt.split += 1
                return attempt
        return None

    def decided(self, node: ast.expr) -> Any:
        """A condition: a bool or a predicate; its outcome, if a whole `try` is branched on it."""
        return self.settled(self.condition(node), node)

    def settled(self, test: Any, node: ast.expr) -> Any:
        """The truth value of an expression on which more depends, or its outcome in this arm."""
        if not isinstance(test, Scalar):
            return test
        attempt = self._splitting()
        if attempt is None:
            return test
        outcome = attempt.next_outcome(
            test, self._place(type(node), getattr(node, "col_offset", -1))
        )
        self.narrow(node, outcome)
        return outcome

    def _class_of(self, exception: str) -> type[Exception]:
        home = np.linalg if hasattr(np.linalg, exception) else builtins
        return self.exceptions.get(exception) or getattr(home, exception)

    def _replacement(self, attempt: Attempt, handler: Handler, error: Raisable) -> Raisable:
        """What a handler raises in place of an exception."""
        if not handler.raises_constant():
            self._refuse_catching(error.kind, attempt)
        place, frame, names = self.node, self.frame, attempt.frame.names
        self.frame = attempt.frame
        self.handled.append(error)
        try:
            if handler.node.name:
                self.frame.names = {**names, handler.node.name: error}
            if handler.raised is not None:
                made = replace(handler.raised, context=error)
            else:
                node: Any = handler.node.body[0]
                made = self._made(*self._raised(node), node)
        finally:
            self.handled.pop()
            self.frame.names = names
            self.frame = frame
        self.at(place)
        return made

    def _refuse_catching(self, kind: type, attempt: Attempt) -> NoReturn:
        if len(self.loops) > attempt.loops and not attempt.leaves:
            raise Leaving(attempt)
        if len(self.regions) > attempt.depth and attempt.splits_from == math.inf:
            raise Split(attempt)
        self.fail(
            f"only run time knows whether this raises {kind.__name__}, too late for the handler",
            "check the condition with `if` before it can fail",
            page="try",
        )


def _up_to(frames: list[Frame], frame: Frame) -> list[Frame]:
    """The calls up to one that is among them."""
    return frames[: frames.index(frame) + 1] if frame in frames else frames
