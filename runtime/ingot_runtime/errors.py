"""The exceptions that Ingot raises."""

from __future__ import annotations

import numpy as np


class IngotError(Exception):
    """The base class of all exceptions of Ingot."""


class CompileError(IngotError):
    """A function can't be compiled; the message shows the position and what to write instead.

    Attributes:
        message: the first line of the message.
        filename: the source file, or "".
        lineno: the line, counted from 1, or 0.
        col: the column, counted from 1, or 0.
        hint: what to write instead, or "".
        page: the name of the page under docs/errors that explains the error, or "".
        raises: the class of what Python or NumPy raises there for sure, or None.
        text: the text of that exception.

    Example:
        >>> @ingot.jit
        ... def f(x):
        ...     return x.reshape(3)
        >>> try:
        ...     f(np.ones(2))
        ... except ingot.CompileError as error:
        ...     print(type(error).__name__, error.lineno)
        ShapeError 3
    """

    raises: type[Exception] | None = None

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        filename: str = "",
        lineno: int = 0,
        col: int = 0,
        rendered: str = "",
        page: str = "",
    ) -> None:
        link = f"\nsee docs/errors/{page}.md" if page else ""
        advice = f"\nhint: {hint}" if hint else ""
        super().__init__((rendered or message + advice) + link)
        self.message = self.text = message
        self.hint = hint
        self.filename = filename
        self.lineno = lineno
        self.col = col
        self.page = page


class UnsupportedError(CompileError):
    """The code uses a construct or function that Ingot does not compile."""


class ShapeError(CompileError, ValueError):
    """Shapes do not fit together; NumPy raises a ValueError for them."""

    raises: type[Exception] | None = ValueError


class AxisError(ShapeError, IndexError):
    """An axis is out of range for an array."""

    raises = np.exceptions.AxisError


class DTypeError(CompileError, TypeError):
    """A type or dtype is wrong, for NumPy as well, or Ingot does not support it."""


class ArtifactError(IngotError):
    """An artifact can't be loaded: it is damaged, or made for another version or platform."""
