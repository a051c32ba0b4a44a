"""The source text of code that is in no file: `python -c`, standard input, prompts, `exec`, `eval`.

Several such texts share a filename, so a text is used only if it compiles to the same code object.
"""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import linecache
import os
import re
import stat
import sys
import types
from collections.abc import Iterator

from ingot import _core

#: How many of the newest lines of the prompt's history are searched.
_LONGEST_HISTORY = 2000
#: The flags of code objects that `from __future__ import` sets.
_FUTURES = 0x1FE0000
#: Matches lines that do not start a statement.
_GOES_ON = re.compile(r"\s|(else|elif|except|finally)\b|[)\]}#]|$")


def text_without_file(code: types.CodeType) -> str | None:
    """The text that code was compiled from, with the line numbers of the code; None if unknown."""
    for text in _candidates(code):
        if makes(text, code):
            return text
    return None


def _candidates(code: types.CodeType) -> Iterator[str]:
    """Texts that the code may be compiled from, the likely ones first."""
    # Code generators may leave their text in linecache.
    yield "".join(linecache.getlines(code.co_filename))
    for source, filename in reversed(_core.recent_sources()):
        if filename == code.co_filename:
            yield source.decode(errors="replace")
    if code.co_filename == "<string>":
        yield from _command_lines()
    if code.co_filename.startswith("<stdin>"):
        yield from _standard_input(code)


def _command_lines() -> Iterator[str]:
    """Texts that may be the argument of `-c`."""
    for each in sys.orig_argv[1:]:
        yield each
        # The argument may follow in the same word, as in `-Ic"..."`.
        _, option, rest = each.partition("c")
        if option and each.startswith("-"):
            yield rest


def _standard_input(code: types.CodeType) -> Iterator[str]:
    """Texts that may be a script on standard input, or statements typed at the prompt."""
    script = _redirected()
    if script is not None:
        yield script
    yield from _pieces(_history(), code)
    block = _core.stdin_buffer().partition(b"\0")[0].decode(errors="replace")
    yield block
    # The buffer is reused: its end may hold an earlier part of the script than its start.
    yield from _pieces(io.StringIO(block + block).readlines(), code)


def _redirected() -> str | None:
    """The text of standard input if that is a file."""
    try:
        if not stat.S_ISREG(os.fstat(0).st_mode):
            return None
        with open(os.dup(0), "rb") as file:
            # `pread` leaves the file position alone, which Python's own reader shares.
            return os.pread(file.fileno(), os.fstat(0).st_size, 0).decode(errors="replace")
    except OSError:
        return None


def _history() -> list[str]:
    """The newest lines typed at the prompt, if Python keeps a history."""
    readline = sys.modules.get("readline")
    if readline is None:
        return []
    count = readline.get_current_history_length()
    numbers = range(max(count - _LONGEST_HISTORY, 0) + 1, count + 1)
    return [f"{readline.get_history_item(i) or ''}\n" for i in numbers]


def _pieces(lines: list[str], code: types.CodeType) -> Iterator[str]:
    """The statements among the lines, last first, each at the line number that the code says.

    A prompt numbers the lines of each statement from 1. A script numbers them from its start.
    """
    starts = [i for i, line in enumerate(lines) if not _GOES_ON.match(line)]
    for start, end in reversed([*itertools.pairwise([*starts, len(lines)])]):
        # A decorator counts as a start of a statement, so include those before this one.
        while start and lines[start - 1].startswith("@"):
            start -= 1
        for i in range(start, end):
            above = code.co_firstlineno - 1 - (i - start)
            if above >= 0 and _may_start(lines[i], code.co_name):
                yield "\n" * above + _statement(lines[start:end])


def _statement(lines: list[str]) -> str:
    """The longest prefix of the lines that compiles.

    A buffer of input may end in bytes from earlier uses.
    """
    for end in range(len(lines), 0, -1):
        text = "".join(lines[:end])
        if _compiled(text, 0):
            return text
    return ""


def _may_start(line: str, name: str) -> bool:
    """Whether a function of this name may start in a line."""
    if name == "<lambda>":
        return "lambda" in line
    return line.lstrip().startswith(("@", f"def {name}"))


@functools.lru_cache(maxsize=64)
def makes(text: str, code: types.CodeType) -> bool:
    """Whether a text compiles to the code."""
    module = _compiled(text, code.co_flags & _FUTURES)
    return module is not None and any(_same(each, code) for each in _codes_in(module))


def _compiled(text: str, flags: int) -> types.CodeType | None:
    """The code of a text, or None if it does not compile."""
    # `recent_sources` leaves out texts of this filename.
    for mode in ("exec", "single"):
        with contextlib.suppress(SyntaxError, ValueError, MemoryError, RecursionError):
            return compile(text, "<unknown>", mode, flags=flags, dont_inherit=True)
    return None


def _codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _codes_in(each)


def _same(a: types.CodeType, b: types.CodeType) -> bool:
    # Before Python 3.12 equality does not compare columns.
    return a == b and [*a.co_positions()] == [*b.co_positions()]
