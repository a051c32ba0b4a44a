"""The checks of artifacts of formats up to 4, whose messages had marks.

The message of an exception with several arguments was a mark and the Python literal of their tuple.
One with run-time values was a mark and a number; a print whose format began with the same mark and
number, and the mark again, made the text.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from ingot_runtime.thrown import Constant, Text, Thrown

if TYPE_CHECKING:
    from ingot_runtime.program import Check

_ARGUMENTS, _TEXT = "\1\0", "\0"


def of(check: Check) -> Check:
    """A check of such an artifact.

    Raises:
        ValueError: its arguments can't be decoded.
    """
    message = check.message
    if message.startswith(_TEXT) and message[1:].isdecimal():
        # The values are one, the text.
        raised = Thrown(check.exception, (Text("{}", (0,)),))
        return replace(check, message="", number=int(message[1:]) + 1, raised=raised)
    if not message.startswith(_ARGUMENTS):
        return check
    try:
        found = ast.literal_eval(message[len(_ARGUMENTS) :])
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("the arguments of an exception are malformed") from error
    if not isinstance(found, tuple):
        raise ValueError("the arguments of an exception are no tuple")
    return replace(check, message="", raised=Thrown(check.exception, tuple(map(Constant, found))))


def number_of(format: str) -> tuple[int, str] | None:
    """The number of the check whose text a print makes, and the format of that; None of others."""
    if not format.startswith(_TEXT):
        return None
    number, mark, rest = format[1:].partition(_TEXT)
    return (int(number) + 1, rest) if mark and number.isdecimal() else None
