"""The text of code that no file has: from `python -c`, standard input, a prompt, `exec` and `eval`.

Several such texts have one filename, so a text is taken only if compiling it gives the very code.
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

#: The lines of a prompt's history that are looked at, the newest.
_LONGEST_HISTORY = 2000
#: What the features of `from __future__` set in the flags of code.
_FUTURES = 0x1FE0000
#: How a line goes on with the statement before it, or what is not the start of one.
_GOES_ON = re.compile(r"\s|(else|elif|except|finally)\b|[)\]}#]|$")


def text_without_file(code: types.CodeType) -> str | None:
    """The text that code was compiled from, with the lines where the code says, or None."""
    for text in _candidates(code):
        if _makes(text, code.co_flags & _FUTURES, code):
            return text
    return None


def _candidates(code: types.CodeType) -> Iterator[str]:
    """Texts that may be the code's, the likely ones first."""
    # Where what generates code leaves its text, if it does.
    yield "".join(linecache.getlines(code.co_filename))
    for source, filename in reversed(_core.recent_sources()):
        if filename == code.co_filename:
            yield source.decode(errors="replace")
    if code.co_filename == "<string>":
        yield from _command_lines()
    if code.co_filename.startswith("<stdin>"):
        yield from _standard_input(code)


def _command_lines() -> Iterator[str]:
    """What may be the argument of `-c`."""
    for each in sys.orig_argv[1:]:
        yield each
        # The option may be written together with its argument, after others.
        _, option, rest = each.partition("c")
        if option and each.startswith("-"):
            yield rest


def _standard_input(code: types.CodeType) -> Iterator[str]:
    """What may have been a script on standard input, or typed at the prompt."""
    script = _redirected()
    if script is not None:
        yield script
    yield from _pieces(_history(), code)
    block = _core.stdin_buffer().partition(b"\0")[0].decode(errors="replace")
    yield block
    # The block's end may be older than its start, and come before it in the script.
    yield from _pieces(io.StringIO(block + block).readlines(), code)


def _redirected() -> str | None:
    """The file that standard input is, if it is one."""
    try:
        if not stat.S_ISREG(os.fstat(0).st_mode):
            return None
        with open(os.dup(0), "rb") as file:
            # The position is that of the one who reads it.
            return os.pread(file.fileno(), os.fstat(0).st_size, 0).decode(errors="replace")
    except OSError:
        return None


def _history() -> list[str]:
    """What was typed at the prompt, if Python keeps a history of it."""
    readline = sys.modules.get("readline")
    if readline is None:
        return []
    count = readline.get_current_history_length()
    numbers = range(max(count - _LONGEST_HISTORY, 0) + 1, count + 1)
    return [f"{readline.get_history_item(i) or ''}\n" for i in numbers]


def _pieces(lines: list[str], code: types.CodeType) -> Iterator[str]:
    """The statements among the lines, the last ones first, with the code where it says it is.

    A prompt counts the lines of each statement from 1, a script those before it, too.
    """
    starts = [i for i, line in enumerate(lines) if not _GOES_ON.match(line)]
    for start, end in reversed([*itertools.pairwise([*starts, len(lines)])]):
        # A decorator is a start of its own here.
        while start and lines[start - 1].startswith("@"):
            start -= 1
        for i in range(start, end):
            above = code.co_firstlineno - 1 - (i - start)
            if above >= 0 and _may_start(lines[i], code.co_name):
                yield "\n" * above + _statement(lines[start:end])


def _statement(lines: list[str]) -> str:
    """A statement, without what follows it: a block of input ends in bytes from earlier uses."""
    for end in range(len(lines), 0, -1):
        text = "".join(lines[:end])
        if _compiled(text, 0):
            return text
    return ""


def _may_start(line: str, name: str) -> bool:
    """Whether the code of a function of this name may start in a line."""
    if name == "<lambda>":
        return "lambda" in line
    return line.lstrip().startswith(("@", f"def {name}"))


@functools.lru_cache(maxsize=64)
def _makes(text: str, flags: int, code: types.CodeType) -> bool:
    """Whether compiling a text gives the code."""
    module = _compiled(text, flags)
    return module is not None and any(_same(each, code) for each in _codes_in(module))


def _compiled(text: str, flags: int) -> types.CodeType | None:
    """The code of a text, or None if it is no program."""
    # The name says to `recent_sources` that this is no text of the user's.
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
    # Before Python 3.12 equal code may be at other columns.
    return a == b and [*a.co_positions()] == [*b.co_positions()]
