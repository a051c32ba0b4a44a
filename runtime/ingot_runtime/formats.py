"""Formats of texts with run-time values: literal text, and replacement fields for numbers.

They come from the source, or from a file. So unlike `str.format` they reach neither attributes nor
items of the values, and have no fields within fields.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import Any

#: The largest width or precision that the format of an artifact may have.
WIDEST = 10_000
#: A format specification of a number; see "Format Specification Mini-Language" in Python's docs.
_SPEC = re.compile(
    r"(?:[^{}]?[<>=^])?[-+ ]?z?#?0?(?P<width>\d*)[,_]?(?:\.(?P<precision>\d*)[,_]?)?[A-Za-z%]?",
    re.DOTALL,
)
_CONVERSIONS: dict[str | None, Any] = {None: None, "s": str, "r": repr, "a": ascii}


class Format:
    """A format, whose fields take the values in their order.

    Attributes:
        specs: the format specifications of its fields.

    Raises:
        ValueError: it is malformed, or has other fields.
    """

    def __init__(self, text: str) -> None:
        #: The literal text before each field, and its conversion; the last one has no field.
        self._parts: list[tuple[str, Any]] = []
        self.specs: list[str] = []
        literal = ""
        for before, name, spec, conversion in string.Formatter().parse(text):
            literal += before
            if name is None:
                continue
            if name or spec is None or "{" in spec or "}" in spec or conversion not in _CONVERSIONS:
                raise ValueError(f"the format {text!r} has a field that is not of a number")
            self._parts.append((literal, _CONVERSIONS[conversion]))
            self.specs.append(spec)
            literal = ""
        self._end = literal

    def filled(self, values: Sequence[Any]) -> str:
        """The text with these values."""
        made: list[str] = []
        for (literal, convert), spec, value in zip(self._parts, self.specs, values, strict=True):
            made += literal, format(value if convert is None else convert(value), spec)
        return "".join([*made, self._end])

    @property
    def is_bounded(self) -> bool:
        """Whether each field has a specification for numbers, of at most `WIDEST` characters."""
        return all(map(_is_bounded, self.specs))


def _is_bounded(spec: str) -> bool:
    found = _SPEC.fullmatch(spec)
    numbers = found.groupdict("0").values() if found else ()
    # Longer numbers need not be converted.
    return found is not None and all(
        len(each) < 8 and int(each or "0") <= WIDEST for each in numbers
    )
