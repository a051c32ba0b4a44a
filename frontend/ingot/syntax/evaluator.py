"""The evaluator of one function: all node visitors in one class, and its entry."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

from ingot._core import Diagnostic
from ingot.diagnostics import error_at
from ingot.dimensions import spelled
from ingot.references import unwrapped
from ingot.syntax.calls import is_internal
from ingot.syntax.scopes import Frame, locals_of
from ingot.syntax.state import StaticRequired, arrays_in, held_weakly
from ingot.syntax.statements import Statements
from ingot.syntax.values import Leak, Undetermined, describe, spelled_kinds
from ingot_runtime.errors import CompileError, ShapeError, UnsupportedError

#: The hint for a number whose kind depends on the path.
OF_TWO_KINDS = "convert it on each path, with float(...) say"
#: The recursion limit of Python that the deepest chain of compiled calls needs.
DEEPEST_EVALUATION = 20_000


class Evaluator(Statements):
    """Evaluates one function once, and emits the operations that it does at run time.

    Args:
        name: the name of the function in the IR.
        checks: whether to emit run-time checks.
    """

    def __init__(self, name: str, *, checks: bool = True) -> None:
        super().__init__(name)
        self.checks = checks
        self.ops.on_check = held_weakly(self.checked)

    def run(self, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Evaluate the function for these arguments, and return its result.

        Args:
            function: a Python function, or a transformed one.
            args, kwargs: the arguments, as values of the evaluator.

        Raises:
            CompileError: the code can't be compiled; the error has the position.
            NeedsStatic: the value of an argument is needed at compile time.
        """
        emit = function.__ingot_emit__ if hasattr(type(function), "__ingot_emit__") else None
        function = unwrapped(function)
        source = self.source_of(function)
        self.functions.add(self.reads.attribute(function, "__code__"))
        node: Any = source.node
        if emit is not None:
            # It calls the function itself; without this, that looks like a recursion.
            node, function = copy.copy(node), None
        local = locals_of(node, function)
        frame = Frame(function, node, source.filename, None, (), False, locals=local)
        self.frame = frame
        self.frames.append(frame)
        self.at(node)
        if emit is not None:
            return self.guarded(lambda: emit(self, args, kwargs, node))
        if is_internal(function):
            # There is no line of the user's code that errors could point to.
            try:
                return self.guarded(lambda: self.inline(function, args, kwargs, node))
            except CompileError as error:
                raise type(error)(error.message, hint=error.hint, page=error.page) from None
        bound = self._bind(node, args, kwargs, *self.defaults_of(function), function.__qualname__)
        self.frames.pop()
        spec = node.args
        for each in (*spec.posonlyargs, *spec.args, spec.vararg, *spec.kwonlyargs, spec.kwarg):
            for array in arrays_in(bound.get(each.arg)) if each else ():
                array.storage.origin = (source.filename, each)
        return self.guarded(lambda: self.or_raise(lambda: self.run_frame(frame, bound)))

    def guarded(self, evaluate: Callable[[], Any]) -> Any:
        """Evaluate with a higher recursion limit; errors get a position."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, DEEPEST_EVALUATION))
        try:
            return evaluate()
        except StaticRequired as required:
            raise required.error from None
        except Undetermined as undetermined:
            self.suggested += self.deciders
            kinds = spelled_kinds(undetermined.kinds)
            message = f"this number is {kinds}, depending on the path taken, and the result with it"
            page = "types-on-paths"
            raise error_at(UnsupportedError, message, self.position, OF_TWO_KINDS, page) from None
        except Leak as leak:
            message = f"{describe(leak.value)} can't be used here"
            raise error_at(UnsupportedError, message, self.position) from None
        except Diagnostic as error:
            raise error_at(ShapeError, spelled(error.args[0]), self.position) from None
        except CompileError as error:
            if error.filename:
                raise
            raise error_at(type(error), error.message, self.position, error.hint) from None
        except RecursionError:
            raise error_at(
                UnsupportedError, "the function is nested too deeply", self.position
            ) from None
        finally:
            sys.setrecursionlimit(limit)
