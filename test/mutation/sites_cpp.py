"""Sites of C++: conditions that are negated, boundaries that move, operands and statements that are dropped.

A tokenizer is enough for formatted code: what turns out to be no expression does not compile, and is left
out of the sample.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from sites import ACTIVE, Site, one_line

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
    |(?P<string>R"\((?:.|\n)*?\)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>\.?\d[\w.']*)
    |(?P<operator>->\*?|::|<<=|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|<<|\.\.\.|.)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_COMPARISONS = {*_BOUNDARIES, "==", "!="}
_OPENING = {"(": ")", "[": "]", "{": "}"}
#: What a statement that is no expression begins with.
_DECLARES = set(
    """auto bool break case char class const constexpr continue default delete do double else enum explicit
    extern float for friend goto if inline int long namespace operator private protected public return short
    signed sizeof static static_assert struct switch template throw try typedef typename union unsigned using
    virtual void volatile while""".split()
)
_ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="}


@dataclasses.dataclass(frozen=True)
class _Token:
    text: str
    kind: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class _File:
    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        self.tokens = [
            _Token(found.group(), str(found.lastgroup), found.start())
            for found in _TOKEN.finditer(text)
            if found.lastgroup != "space"
        ]
        #: Of each bracket, its partner.
        self.partner: dict[int, int] = {}
        #: Of each token, the innermost bracket around it.
        self._around: list[str] = []
        open_: list[int] = []
        for i, token in enumerate(self.tokens):
            self._around.append(self.tokens[open_[-1]].text if open_ else "")
            if token.text in _OPENING:
                open_.append(i)
            elif token.text in _OPENING.values() and open_:
                start = open_.pop()
                self.partner[start], self.partner[i] = i, start

    def sites(self) -> Iterator[Site]:
        bodies = set()
        for i, token in enumerate(self.tokens[:-1]):
            after = self.tokens[i + 1].text
            if token.text in ("if", "while", "for") and after == "(" and i + 1 in self.partner:
                close = self.partner[i + 1]
                bodies.add(close)
                yield from self._head(token.text, i + 2, close)
            if token.text == "?" and token.kind == "operator":
                yield from self._condition(self._start_of_operand(i), i)
            if token.text == "return":
                yield from self._returned(i + 1)
        for i, token in enumerate(self.tokens[1:], 1):
            previous = self.tokens[i - 1].text
            begins = previous in (";", "{", "}", "else", "do") or i - 1 in bodies
            if self._around[i] == "{" and (begins or self._is_label(i - 1)):
                yield from self._statement(i)

    def _is_label(self, colon: int) -> bool:
        """Whether a token ends `case X:` or `default:`."""
        if self.tokens[colon].text != ":":
            return False
        before = range(colon - 1, -1, -1)
        start = next((i for i in before if self.tokens[i].text in (";", "{", "}", ":")), -1)
        return self.tokens[start + 1].text in ("case", "default")

    def _site(self, first: int, end: int, before: str, after: str, change: str) -> Site:
        """A site of the tokens from `first` up to the one before `end`."""
        start, stop = self.tokens[first].start, self.tokens[end - 1].end
        line, last = (self._text.count("\n", 0, at) + 1 for at in (start, stop))
        return Site(self._name, line, last, start, stop, before, after, change)

    def _plain(self, first: int, end: int) -> str:
        """The text of tokens without comments, in one line."""
        parts = []
        for i in range(first, end):
            near = i > first and self.tokens[i - 1].end == self.tokens[i].start
            parts.append(self.tokens[i].text if near or i == first else f" {self.tokens[i].text}")
        return "".join(parts)

    def _outermost(self, first: int, end: int) -> Iterator[int]:
        """The tokens of a range that are in no brackets of it, up to where a bracket around them closes."""
        i = first
        while i < end and self.partner.get(i, i) >= i:
            yield i
            i = self.partner[i] + 1 if self.tokens[i].text in _OPENING else i + 1

    def _find(self, first: int, end: int, texts: set[str]) -> list[int]:
        return [i for i in self._outermost(first, end) if self.tokens[i].text in texts]

    def _is_spaced(self, i: int) -> bool:
        """Whether spaces stand around an operator, which they never do in template arguments."""
        before, token, after = self.tokens[i - 1 : i + 2]
        return before.end < token.start and token.end < after.start

    def _head(self, keyword: str, first: int, end: int) -> Iterator[Site]:
        breaks = self._find(first, end, {";"})
        if keyword == "for":
            if len(breaks) == 2 and breaks[0] + 1 < breaks[1]:
                yield from self._condition(breaks[0] + 1, breaks[1])
            return
        first = breaks[-1] + 1 if breaks else first
        # What declares a name has no place for an operator around it.
        if first < end and not self._find(first, end, {"="}):
            yield from self._condition(first, end)

    def _start_of_operand(self, question: int) -> int:
        """The first token of what is before a `?`."""
        i = question - 1
        while i > 0:
            token = self.tokens[i]
            if token.text in _OPENING.values() and i in self.partner:
                i = self.partner[i] - 1
                continue
            if token.text in {"return", ",", ";", "?", ":", "<<", "(", "[", "{", "}"} | _ASSIGNS:
                break
            i -= 1
        return i + 1

    def _returned(self, first: int) -> Iterator[Site]:
        end = next(iter(self._find(first, len(self.tokens), {";", "}"})), first)
        if end == first or self._find(first, end, {"?", ",", "="}):
            return
        logical = self._find(first, end, _COMPARISONS | {"&&", "||"})
        if self.tokens[first].text == "!" or any(self._is_spaced(i) for i in logical):
            yield from self._condition(first, end)

    def _condition(self, first: int, end: int) -> Iterator[Site]:
        if first >= end:
            return
        shown = one_line(self._plain(first, end))
        negated = f"({ACTIVE} != static_cast<bool>("
        yield self._site(first, end, negated, "))", f"negate `{shown}`")
        for operator, drop in (("||", f"(!{ACTIVE} && ("), ("&&", f"({ACTIVE} || (")):
            at = self._find(first, end, {operator})
            if not at:
                continue
            operands = list(zip([first, *(i + 1 for i in at)], [*at, end], strict=True))
            for start, stop in operands:
                operand = one_line(self._plain(start, stop))
                yield self._site(start, stop, drop, "))", f"drop `{operand}` of `{shown}`")
                if not self._find(start, stop, {"&&", "||"}):
                    yield from self._boundary(start, stop)
            return
        yield from self._boundary(first, end)

    def _boundary(self, first: int, end: int) -> Iterator[Site]:
        found = [i for i in self._find(first, end, set(_BOUNDARIES)) if self._is_spaced(i)]
        if len(found) != 1:
            return
        at = found[0]
        operator = self.tokens[at].text
        other = _BOUNDARIES[operator]
        moved = f"({self._plain(first, at)}) {other} ({self._plain(at + 1, end)})"
        shown = one_line(self._plain(first, end))
        change = f"`{operator}` to `{other}` in `{shown}`"
        yield self._site(first, end, f"({ACTIVE} ? {moved} : (", "))", change)

    def _statement(self, first: int) -> Iterator[Site]:
        token = self.tokens[first]
        if token.text in ("break", "continue") and self.tokens[first + 1].text == ";":
            dropped = f"drop `{token.text};` of line `{self._line(first)}`"
            yield self._site(first, first + 2, f"{{ if (!{ACTIVE}) ", " }", dropped)
            return
        if token.text in _DECLARES or not (token.kind == "name" or token.text in ("++", "--", "*")):
            return
        end = next((i for i in self._outermost(first, len(self.tokens)) if self._ends(i)), None)
        if end is None or self.tokens[end].text != ";" or not self._is_expression(first, end):
            return
        shown = one_line(self._plain(first, end))
        yield self._site(first, end, f"({ACTIVE} ? void() : void(", "))", f"drop `{shown};`")

    def _line(self, i: int) -> str:
        """The line of a token and the one before it, which often is its condition."""
        start = self.tokens[i].start
        return one_line("\n".join(self._text[:start].splitlines()[-2:]), 80)

    def _ends(self, i: int) -> bool:
        return self.tokens[i].text in (";", "}")

    def _is_expression(self, first: int, end: int) -> bool:
        """Whether tokens are a call or an assignment, and declare nothing."""
        acts = False
        outer = list(self._outermost(first, end))
        for before, i in zip([None, *outer], outer, strict=False):
            token = self.tokens[i]
            if token.text in _ASSIGNS:
                return before is not None
            acts |= token.text in ("(", "++", "--")
            if before is None or token.kind != "name":
                continue
            previous = self.tokens[before]
            if previous.kind == "name" or previous.text in ("&", ">", "*") and before != first:
                return False
        return acts


def sites(name: str, text: str) -> list[Site]:
    """All sites of a C++ source."""
    return list(_File(name, text).sites())
