"""Transformed functions are named after their source."""

from __future__ import annotations

from typing import Any


def name_of(function: Any) -> str:
    """The name in the source of what is transformed."""
    inner = getattr(function, "__ingot_transformation__", function)
    if hasattr(inner, "takes_arguments"):
        return name_of(inner.function)
    return getattr(inner, "__name__", "f").strip("<>")
