"""Prints the IR of every example in a frontend test, in order.

A test file defines functions and decorates each with `@example(*args)` from this module.
"""

import runpy
import sys
from collections.abc import Callable
from typing import Any

import ingot


def example(*args: Any, after: str | None = None, **options: Any) -> Callable[[Any], Any]:
    """Print the IR of the decorated function for these arguments, or its error."""

    def decorate(function: Any) -> Any:
        print(f"// {function.__name__}")
        try:
            print(ingot.jit(function, **options).lower(*args).ir(after=after))
        except ingot.CompileError as error:
            print(f"{type(error).__name__}: {error}")
        return function

    return decorate


if __name__ == "__main__":
    sys.modules["frontend"] = sys.modules["__main__"]
    runpy.run_path(sys.argv[1])
