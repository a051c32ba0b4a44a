"""What Ingot raises."""

from __future__ import annotations


class IngotError(Exception):
    """The base of all of Ingot's exceptions."""


class CompileError(IngotError):
    """A function can't be compiled; the message shows where and what to write instead.

    Attributes:
        filename, lineno, col: the position in the source; lines and columns count from 1.
        hint: what to write instead, or "".
        page: the page under docs/errors that explains it, or "".
    """

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
        self.message = message
        self.hint = hint
        self.filename = filename
        self.lineno = lineno
        self.col = col
        self.page = page


class UnsupportedError(CompileError):
    """A construct or function that Ingot does not compile."""


class ShapeError(CompileError, ValueError):
    """Shapes that NumPy refuses, too."""


class AxisError(ShapeError, IndexError):
    """An axis that an array does not have."""


class DTypeError(CompileError, TypeError):
    """Element types that NumPy refuses, too, or that Ingot does not have."""


class ArtifactError(IngotError):
    """An artifact that can't be read."""
