"""Loads programs, and runs them in bounds."""

from __future__ import annotations

import inspect
import io
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from generator.samples import is_small

LINES = 6000
#: How often numbers are looked at, in lines: what doubles each time stays small until then.
EVERY = 8
#: The file name of code that is watched.
PATH = "<program>"


class Excess(Exception):
    """A program runs for too long, or its numbers grow too large."""


def load(text: str, path: str = PATH) -> dict[str, Any]:
    """The namespace of a program."""
    namespace: dict[str, Any] = {"__name__": "program", "__file__": path}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # A kernel that does not compile is a failure.
        warnings.filterwarnings("error", message="a native kernel")
        exec(compile(text, path, "exec", dont_inherit=True), namespace)
    return namespace


def watched(run: Callable[[], Any]) -> Any:
    """Runs code of a program, in a bounded number of lines and with small numbers."""
    left = LINES

    def trace(frame: Any, event: str, value: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename != PATH:
            return None
        left -= 1
        if frame.f_code.co_flags & inspect.CO_GENERATOR:
            # Where a generator is closed, what it raises is lost, and nobody watches afterwards.
            return trace
        if left < 0:
            raise Excess
        if event == "return" or left % EVERY == 0:
            local = {} if frame.f_code.co_name == "<module>" else frame.f_locals
            if not all(map(is_small, list(local.values()))):
                raise Excess
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        quiet = redirect_stdout(io.StringIO())
        with np.errstate(divide="raise", over="raise", invalid="raise"), quiet:
            return run()
    finally:
        sys.settrace(before)
