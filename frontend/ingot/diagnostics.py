"""Errors that show a position in the user's source."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any

from ingot_runtime.errors import CompileError


@dataclass(frozen=True)
class Position:
    """A range of source; lines and columns count from 1, the end column is exclusive."""

    filename: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}:{self.column}"

    def underlined(self) -> str:
        """The source line with the range underlined; "" if the source is not available."""
        text = linecache.getline(self.filename, self.line).rstrip("\n")
        if not text:
            return ""
        end = self.end_column if self.end_line == self.line else len(text) + 1
        width = max(end - self.column, 1)
        number = f"{self.line:>5} | "
        # Columns count UTF-8 bytes, as in the ast module.
        before = len(text.encode()[: self.column - 1].decode(errors="replace"))
        marks = " " * len(number) + " " * before + "^" * width
        return f"\n{number}{text}\n{marks}"


def position_in(filename: str, node: Any) -> Position:
    """The source range of an AST node."""
    return Position(
        filename, node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1
    )


def error_at(
    kind: type[CompileError],
    message: str,
    position: Position | None,
    hint: str = "",
    page: str = "",
) -> CompileError:
    """An exception of class `kind` whose text shows the position, the source line and the hint."""
    advice = f"\nhint: {hint}" if hint else ""
    if position is None:
        return kind(message, hint=hint, rendered=message + advice, page=page)
    return kind(
        message,
        hint=hint,
        filename=position.filename,
        lineno=position.line,
        col=position.column,
        page=page,
        rendered=f"{position}: {message}{position.underlined()}{advice}",
    )
