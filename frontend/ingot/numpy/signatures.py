"""Signatures of functions, and arguments that are bound to their parameters."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: What of a function its signature depends on, besides its defaults.
_READ = ("__wrapped__", "__signature__")


def signature(ev: Evaluator, function: Any) -> inspect.Signature:
    return inspect.signature(_guarded(ev, function, "inspect.signature"))


def full_spec(ev: Evaluator, function: Any) -> Any:
    spec = inspect.getfullargspec(_guarded(ev, function, "inspect.getfullargspec"))
    return inspect.FullArgSpec(*(ev.own(ev.lift(each)) for each in spec))


def _guarded(ev: Evaluator, function: Any, name: str) -> types.FunctionType:
    """A function, when a guard is on what its signature depends on."""
    inner = function
    while isinstance(inner, types.FunctionType):
        ev.defaults_of(inner)
        found = [ev.reads.item(inner.__dict__, each) for each in _READ]
        if not found[0]:
            return function
        inner = found[0]
    ev.fail(f"{name} is supported for functions that are defined outside", "name the parameters")


def _bind(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(ev: Evaluator, own: inspect.Signature, *args: Any, **kwargs: Any) -> Any:
        try:
            # This only moves the arguments.
            bound = method(own, *args, **kwargs)
        except TypeError as error:
            ev.raise_now(TypeError, str(error))
        made = ev.new_instance(inspect.BoundArguments)
        arguments = ev.new_dict({name: ev.own(each) for name, each in bound.arguments.items()})
        ev.write(made.cell, {"arguments": arguments, "_signature": own})
        return made

    return call


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        inspect.signature: signature, inspect.getfullargspec: full_spec,
        inspect.Signature.bind: _bind(inspect.Signature.bind),
        inspect.Signature.bind_partial: _bind(inspect.Signature.bind_partial),
    }  # fmt: skip
