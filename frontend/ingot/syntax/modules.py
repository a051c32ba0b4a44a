"""`sys.modules`: which modules are loaded. Each question has a guard of its own, since every import
changes the whole."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, ClassVar

from ingot.syntax.values import Symbolic


class Modules(Symbolic):
    """The dict `sys.modules`."""

    described: ClassVar[str] = "sys.modules"
    class_name: ClassVar[str] = "dict"


MODULES = Modules()


def contains(ev: Any, name: Any) -> bool:
    """`name in sys.modules`."""
    ev.check_key(name)
    return ev.reads.is_loaded(ev.static(name, "the name of a module"))


def item(ev: Any, name: Any) -> Any:
    """`sys.modules[name]`."""
    if not contains(ev, name):
        ev.raise_now(KeyError, repr(name), (name,))
    return ev.lift(ev.reads.item(sys.modules, name), name)


def _get(ev: Any, owner: Modules, name: Any, default: Any = None) -> Any:
    return item(ev, name) if contains(ev, name) else default


def refuse(ev: Any) -> None:
    ev.fail(
        "this use of sys.modules, which changes with each import, is not supported",
        "ask for one module: name in sys.modules, sys.modules[name] or sys.modules.get(name)",
    )


METHODS: dict[str, Callable[..., Any]] = {
    "get": _get,
    "__contains__": lambda ev, owner, name: contains(ev, name),
    "__getitem__": lambda ev, owner, name: item(ev, name),
}
