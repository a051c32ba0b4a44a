"""Calls that native code makes directly, and those that Python makes."""

from typing import Any

import numpy as np

import ingot
from oracle import assert_same


class Calls:
    """A compiled function; tells which calls of it were direct."""

    def __init__(self, f: Any, **options: Any) -> None:
        self.plain, self.compiled = f, ingot.jit(f, **options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        before = self.compiled._direct_calls
        result = self.compiled(*args, **kwargs)
        self.was_direct = self.compiled._direct_calls == before + 1
        return result

    def same(self, *args: Any, **kwargs: Any) -> bool:
        """Call both; whether the compiled one was called directly."""
        assert_same(self(*args, **kwargs), self.plain(*args, **kwargs))
        return self.was_direct


def plus(x: Any, y: Any) -> Any:
    return x + y


def added() -> Calls:
    """A sum of two arrays of 8 floats, which is called directly from now on."""
    calls = Calls(plus)
    assert not calls.same(np.arange(8.0), np.ones(8))
    assert calls.same(np.ones(8), np.arange(8.0))
    return calls
