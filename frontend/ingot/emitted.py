"""Functions that objects emit into the IR, in place of Python source, and their programs."""

from __future__ import annotations

from typing import Any

from ingot.compiled import Compiled
from ingot.function import Function
from ingot.pipeline import Options


class Emitted(Function):
    """The compiled function of an object with `__ingot_emit__`.

    Its programs stay in this process: no fingerprint says what the object emits.
    """

    __slots__ = ()

    def __init__(self, emitter: Any, options: Options) -> None:
        super().__init__(emitter, static=(), options=options)

    def _recipe(self) -> None:
        """None: it has no name by which another process finds the object."""

    def _load_or_make(self, *args: Any) -> tuple[Compiled, frozenset[int], bool]:
        _, compiled, static = self._make(*args)
        return compiled, static, False
