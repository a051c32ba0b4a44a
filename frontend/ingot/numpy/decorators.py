"""Decorators of functools for functions that compiled code defines."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ingot.syntax.functions import LocalFunction, Memoised, Partial
from ingot.syntax.scopes import locals_of

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def update_wrapper(ev: Evaluator, wrapper: Any, wrapped: Any, *parts: Any, **named: Any) -> Any:
    """`functools.update_wrapper`; of what it copies compiled code reads the name."""
    if not isinstance(wrapper, LocalFunction):
        ev.fail("functools.wraps of what is no function is not supported", "leave it out")
    wrapped = wrapped.function if isinstance(wrapped, Memoised) else wrapped
    is_local = isinstance(wrapped, LocalFunction)
    found = wrapped.name if is_local else ev.call(getattr, (wrapped, "__name__", wrapper.name), {})
    return replace(wrapper, name=found)


def cache(ev: Evaluator, user_function: Any, /) -> Any:
    if not isinstance(user_function, LocalFunction) or _has_effects(user_function.node):
        ev.fail(
            "a cache of a function that changes something is not supported", "leave the cache out"
        )
    return Memoised(user_function, {})


def lru_cache(ev: Evaluator, maxsize: Any = 128, typed: Any = False) -> Any:
    if isinstance(maxsize, LocalFunction):
        return cache(ev, maxsize)
    return Partial(functools.cache, (), {})


def _has_effects(node: Any) -> bool:
    """Whether a function may change what is outside of it, so that a call that is left out shows."""
    own = locals_of(node, None)
    for each in ast.walk(node):
        if isinstance(each, (ast.Nonlocal, ast.Global)):
            return True
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            return True
        if not isinstance(each, (ast.Subscript, ast.Attribute)) or isinstance(each.ctx, ast.Load):
            continue
        if _root(each) not in own:
            return True
    return False


def _root(node: ast.expr) -> str:
    """The name of the object that a target is a part of."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        functools.update_wrapper: update_wrapper, functools.cache: cache,
        functools.lru_cache: lru_cache,
    }  # fmt: skip
