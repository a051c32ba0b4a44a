"""Where sources can be changed, and how all changes of a file are compiled in at once (mutant schemata).

A site is an interval of the text with what stands before and after it in the instrumented text. Lines stay
where they are, so that compilers' errors and tracebacks name lines of the source.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

#: In the instrumented text, a call of this name says whether the mutant of a number is the active one.
CALL = "ingot_mutant"
#: Stands for the call in the text of a site.
ACTIVE = "\0"


@dataclasses.dataclass(frozen=True)
class Site:
    """One change of one file.

    `before` and `after` hold ACTIVE where it matters whether the mutant is the active one.
    """

    file: str
    line: int
    last_line: int
    start: int
    end: int
    before: str
    after: str
    #: What is changed, in one line: it finds the site again when lines have moved.
    change: str

    @property
    def lines(self) -> range:
        return range(self.line, self.last_line + 1)

    @property
    def key(self) -> tuple[str, str]:
        return self.file, self.change


def one_line(text: str, most: int = 160) -> str:
    """Source text without its line breaks, cut where it is long."""
    joined = " ".join(text.split())
    return joined if len(joined) <= most else joined[:most] + "…"


def instrumented(text: str, sites: Iterable[tuple[int, Site]]) -> str:
    """The text with all numbered sites compiled in. Their intervals are nested or apart."""
    edits: list[tuple[tuple, str]] = []
    for number, site in sites:
        call = f"{CALL}({number})"
        # At one offset, what closes comes before what opens, and inner ones close first and open last.
        edits.append(((site.start, 1, -site.end, number), site.before.replace(ACTIVE, call)))
        edits.append(((site.end, 0, -site.start, -number), site.after.replace(ACTIVE, call)))
    parts, at = [], 0
    for (offset, *_), added in sorted(edits):
        parts += [text[at:offset], added]
        at = offset
    return "".join([*parts, text[at:]])
