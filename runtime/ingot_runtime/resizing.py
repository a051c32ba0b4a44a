"""Substitution of the sizes of named dimensions in StableHLO modules."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ingot_runtime import stablehlo
from ingot_runtime.sizes import Size, Sizes

#: An integer that may stand for a size, outside of names and fractions; or a whole string, so that
#: integers in it don't match. MLIR escapes quotation marks in strings.
_TOKEN = re.compile(r'"[^"]*"|(?<![\d.%#])(\d{6,})(?!\d)')


def numbers(text: str) -> list[str]:
    """The integers in a module's text that may stand for sizes, in order."""
    return [found[1] for found in _TOKEN.finditer(text) if found[1]]


def module_for(module: bytes, literals: Mapping[str, Size], sizes: Sizes) -> str | bytes:
    """The module for given sizes of its named dimensions.

    The module was lowered for a witness (see `ingot.entry`); `literals` says which of its integers
    stand for sizes.
    """
    if not literals:
        return module
    return with_sizes(str(stablehlo.parse(module)), literals, sizes)


def with_sizes(text: str, literals: Mapping[str, Size], sizes: Sizes) -> str:
    """A module's text in which these sizes replace those of the witness."""
    values = {number: str(size.at(sizes)) for number, size in literals.items()}
    return _TOKEN.sub(lambda found: values.get(found[1], found[0]), text)
