"""Calls that native code makes directly, and those that Python makes."""

from typing import Any

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
