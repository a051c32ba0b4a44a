"""Modules for other sizes than those that they were made for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ingot_runtime import stablehlo
from ingot_runtime.sizes import Size, Sizes

#: A number that may stand for a size, which is none within a name or a fraction; or a string, so
#: that the numbers in it are none. MLIR writes quotation marks in strings by their codes.
_TOKEN = re.compile(r'"[^"]*"|(?<![\d.%#])(\d{6,})(?!\d)')


def numbers(text: str) -> list[str]:
    """The numbers in a module's text that may stand for sizes, in order."""
    return [found[1] for found in _TOKEN.finditer(text) if found[1]]


def module_for(module: bytes, literals: Mapping[str, Size], sizes: Sizes) -> str | bytes:
    """The module for sizes of its named dimensions.

    It was made for other sizes, by which each number that depends on them can be told.
    """
    if not literals:
        return module
    return with_sizes(str(stablehlo.parse(module)), literals, sizes)


def with_sizes(text: str, literals: Mapping[str, Size], sizes: Sizes) -> str:
    """A module's text with other sizes put in."""
    values = {number: str(size.at(sizes)) for number, size in literals.items()}
    return _TOKEN.sub(lambda found: values.get(found[1], found[0]), text)
