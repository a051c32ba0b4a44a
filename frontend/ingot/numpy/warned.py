"""`warnings.warn` in compiled code: programs call Python to give the warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ingot.syntax.values import Text, class_name
from ingot_runtime.effects import CALLBACKS

#: The actions of filters that leave compiled code as it is: it gives none of NumPy's warnings.
_HARMLESS = ("ignore", "default", "always", "module", "once")


@dataclass(frozen=True)
class _Issue:
    """Gives a warning of a text, or of the text that a format and run-time values make."""

    text: str
    is_format: bool
    category: type[Warning]
    filename: str
    line: int
    names: dict[str, Any]

    def __call__(self, *values: Any) -> tuple[()]:
        registry = self.names.setdefault("__warningregistry__", {})
        warnings.warn_explicit(
            self.text.format(*values) if self.is_format else self.text,
            self.category,
            self.filename,
            self.line,
            self.names.get("__name__"),
            registry,
        )
        return ()


def _warn(
    ev: Any, message: Any, category: Any = None, stacklevel: Any = 1, source: Any = None, **_: Any
) -> None:
    if not isinstance(message, (str, Text)):
        ev.fail("the message of warnings.warn must be a string", "warnings.warn(text, category)")
    kind = UserWarning if category is None else category
    if not (isinstance(kind, type) and issubclass(kind, Warning)):
        name = class_name(category)
        ev.raise_now(TypeError, f"category must be a Warning subclass, not '{name}'")
    if _is_ignored(ev, kind):
        return
    text, values = message, []
    if isinstance(message, Text):
        text, values = message.format, [ev.read(each) for each in message.values]
    is_format = isinstance(message, Text)
    CALLBACKS.append(_Issue(text, is_format, kind, ev.filename, ev.node.lineno, _names(ev)))
    attributes = {"format": "warnings.warn", "callback": len(CALLBACKS) - 1}
    # Like a print, a warning can't be undone: checks before it must be evaluated first.
    ev.ops.checks += 1
    ev.prints = ev.calls_back = True
    ev.ops.builder.create("ingot.print", values, attributes, [])


def _names(ev: Any) -> dict[str, Any]:
    """The globals of the innermost function that is defined outside of the compiled code."""
    functions = (frame.function for frame in reversed(ev.frames) if not frame.internal)
    return next(f.__globals__ for f in functions if f is not None)


def _is_ignored(ev: Any, kind: type[Warning]) -> bool:
    """Whether a filter of a block that compiled code has entered ignores warnings of a class."""
    for action, category, is_plain in reversed([each for block in ev.filters for each in block]):
        if not issubclass(kind, category):
            continue
        if not is_plain or action != "ignore":
            ev.fail(
                'compiled code has no filters of its own but "ignore" for warnings of a class',
                "filter the warnings where the compiled function is called",
                page="with",
            )
        return True
    return False


def _simplefilter(
    ev: Any, action: Any, category: Any = Warning, lineno: Any = 0, append: Any = False
) -> None:
    _filter(ev, action, category, not lineno and not append)


def _filterwarnings(
    ev: Any, action: Any, message: Any = "", category: Any = Warning, module: Any = "",
    lineno: Any = 0, append: Any = False,
) -> None:  # fmt: skip
    _filter(ev, action, category, not (message or module or lineno or append))


def _filter(ev: Any, action: Any, category: Any, is_plain: bool) -> None:
    if not ev.filters or len(ev.regions) != ev.filters[-1].depth:
        ev.fail(
            "compiled code changes filters of warnings in `with warnings.catch_warnings():` only",
            "change them outside of the compiled function",
            page="with",
        )
    if ev.static(action, "an action") not in _HARMLESS:
        ev.fail(
            f"the action {action!r} of warnings is not supported: compiled code gives no warnings "
            "of NumPy's",
            "check the values, or use ingot.debug.trap_nans",
            page="with",
        )
    ev.filters[-1].append((action, category, is_plain))


def handlers() -> dict[Any, Callable[..., Any]]:
    return {
        warnings.warn: _warn,
        warnings.simplefilter: _simplefilter,
        warnings.filterwarnings: _filterwarnings,
    }
