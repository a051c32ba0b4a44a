"""Messages about compilations: on the logger `ingot`, and progress on a terminal."""

from __future__ import annotations

import contextlib
import enum
import logging
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from ingot_runtime.meshes import Sharding
from ingot_runtime.trees import parameters_of

logger = logging.getLogger("ingot")

#: The seconds after which a compilation is reported.
PATIENCE = 1.0
#: The number of recompilations of a function after which there is a warning.
MANY = 20
#: The most arguments that a message names.
MOST_NAMED = 6


class Reports:
    """The log messages about one function.

    Args:
        function: the Python function, for its name and its parameters.
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        #: The key of the last program.
        self._key: Any = None
        self._compiles = 0

    @property
    def name(self) -> str:
        return str(self._function.__qualname__)

    def reason_of(self, key: Any, changed: str) -> str:
        """Why there is no program for a key.

        Args:
            changed: which guard of the programs with this key fails, or "".
        """
        if self._key is None:
            return "the first call"
        if changed:
            return changed
        (structure, leaves), values, device, additions = key
        (last_structure, last_leaves), last_values, last_device, last_additions = self._key
        names = parameters_of(self._function, structure)
        if structure != last_structure:
            return "arguments of another structure"
        for name, leaf, last in zip(names, leaves, last_leaves, strict=True):
            if leaf != last:
                return f"argument `{name}` is {_described(leaf)}"
        for i, value in values:
            if (i, value) not in last_values:
                return f"argument `{names[i]}` is {_shortened(str(value))}"
        if device != last_device:
            return "another device"
        if additions is not last_additions:
            return "the passes and rules in use changed"
        return "its program was not kept"

    def needs_value(self, what: str) -> None:
        logger.info("%s: %s is needed at compile time; it is compiled for each value",
                    self.name, what)  # fmt: skip

    def compiled(self, key: Any, reason: str, seconds: float, *, is_stored: bool) -> None:
        """Log that a program is ready.

        Args:
            is_stored: whether it comes from the disk cache.
        """
        what = "loaded" if is_stored else "compiled" if self._key is None else "compiled again"
        for_what = _signature(parameters_of(self._function, key[0][0]), key[0][1])
        logger.info("%s: %s in %.3f s %s: %s", self.name, what, seconds, for_what, reason)
        self._key = key
        if is_stored:
            return
        self._compiles += 1
        if seconds > PATIENCE:
            logger.info("%s: compiling took over a second (%.1f s)", self.name, seconds)
        if self._compiles == MANY + 2:
            logger.warning(
                "%s: compiled again more than %d times; the last time: %s "
                "(see the notes on recompilation in docs/using.md)",
                self.name,
                MANY,
                reason,
            )


@contextlib.contextmanager
def progress(name: str) -> Iterator[None]:
    """Show a message on the terminal while a compilation takes long."""
    if not _is_terminal():
        yield
        return
    shown = threading.Event()

    def show() -> None:
        shown.set()
        _write(f"ingot: compiling {name} ...")

    timer = threading.Timer(PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if shown.is_set():
            timer.join()
            # Return to the start of the line and erase it.
            _write("\r\x1b[K")


def _is_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # closed
        return False


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _signature(names: list[str], leaves: tuple) -> str:
    return "for " + ", ".join(typed(names, leaves)) if names else "without arguments"


def typed(names: list[str], leaves: tuple, values: tuple = ()) -> list[str]:
    """The argument leaves of an abstract signature as text, each with its type or value.

    Args:
        values: pairs of leaf index and value, for the leaves whose values are static.
    """
    known = {i: value for i, value in values if isinstance(value, str)}
    pairs = enumerate(zip(names, leaves, strict=True))
    listed = [
        f"{name} = {_shortened(known[i])}" if i in known else f"{name}: {_described(leaf)}"
        for i, (name, leaf) in pairs
    ]
    return listed if len(listed) <= MOST_NAMED else [*listed[:MOST_NAMED], "..."]


def _described(leaf: Any) -> str:
    """An argument leaf of an abstract signature as text; see `arguments.abstract_of`."""
    if isinstance(leaf, type):
        return leaf.__name__
    if not isinstance(leaf, tuple):
        return _shortened(repr(leaf))
    kind, value, *rest = leaf
    if isinstance(kind, np.dtype):
        where = f" {rest[0].spec}" if rest and isinstance(rest[0], Sharding) else ""
        return f"{kind.name}[{', '.join(map(str, value))}]{where}"
    is_shown = isinstance(value, (bytes, range, enum.Enum))
    return _shortened(repr(value)) if is_shown else f"a {kind.__name__}"


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
