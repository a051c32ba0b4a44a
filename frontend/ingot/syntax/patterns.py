"""`match`: patterns of static structure; the values they compare may be run-time values."""

from __future__ import annotations

import ast
import functools
from typing import Any

from ingot.syntax.attributes import attribute_or
from ingot.syntax.calls import Calls
from ingot.syntax.guards import MISSING
from ingot.syntax.values import Dict, List, Range
from ingot_runtime.trees import HEAP_TYPE

#: The flag of classes, such as int, whose one positional pattern matches the whole value.
_MATCHES_ITSELF = 1 << 22


class Patterns(Calls):
    def matches(self, pattern: Any, subject: Any, bound: dict[str, Any]) -> Any:
        """Whether a subject matches a pattern: a bool or a predicate.

        Args:
            bound: receives the names that the pattern binds.
        """
        visit = getattr(self, "_match_" + type(pattern).__name__[len("Match") :].lower())
        return visit(pattern, subject, bound)

    def _match_value(self, pattern: ast.MatchValue, subject: Any, bound: dict[str, Any]) -> Any:
        return self.equal(subject, self.expr(pattern.value))

    def _match_singleton(self, pattern: ast.MatchSingleton, subject: Any, bound: dict) -> Any:
        return self.is_same(subject, pattern.value)

    def _match_as(self, pattern: ast.MatchAs, subject: Any, bound: dict[str, Any]) -> Any:
        test = True if pattern.pattern is None else self.matches(pattern.pattern, subject, bound)
        if pattern.name is not None:
            bound[pattern.name] = subject
        return test

    def _match_or(self, pattern: ast.MatchOr, subject: Any, bound: dict[str, Any]) -> Any:
        result: Any = False
        found: dict[str, Any] = {}
        for each in pattern.patterns:
            own: dict[str, Any] = {}
            test = self.matches(each, subject, own)
            if test is False:
                continue
            found = own if result is False else self._of_first(result, found, own)
            result = self.either(result, test)
            if result is True:
                break
        bound.update(found)
        return result

    def _of_first(self, test: Any, one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
        """What two alternatives bind: the first where its test holds."""
        chosen = functools.partial(self.choose, test)
        return {
            name: chosen(functools.partial(one.get, name), functools.partial(other.get, name))
            for name in other
        }

    def _match_sequence(self, pattern: ast.MatchSequence, subject: Any, bound: dict) -> Any:
        if not isinstance(subject, (tuple, List, Range)):
            return False
        items = list(self.static_items(subject))
        stars = [i for i, each in enumerate(pattern.patterns) if isinstance(each, ast.MatchStar)]
        rest = len(items) - len(pattern.patterns) + 1
        if (not stars and rest != 1) or rest < 0:
            return False
        if stars:
            first = stars[0]
            items[first : first + rest] = [self.new_list(items[first : first + rest])]
        return self._all_match(pattern.patterns, items, bound)

    def _all_match(self, patterns: list, items: list[Any], bound: dict[str, Any]) -> Any:
        result: Any = True
        for each, item in zip(patterns, items, strict=True):
            result = self.both(result, self.matches(each, item, bound))
            if result is False:
                return False
        return result

    def _match_star(self, pattern: ast.MatchStar, subject: Any, bound: dict[str, Any]) -> Any:
        if pattern.name is not None:
            bound[pattern.name] = subject
        return True

    def _match_mapping(self, pattern: ast.MatchMapping, subject: Any, bound: dict) -> Any:
        if not isinstance(subject, Dict):
            return False
        entries = dict(self.entries(subject))
        keys = [self.static(self.expr(key), "a key of a pattern") for key in pattern.keys]
        if not all(key in entries for key in keys):
            return False
        test = self._all_match(pattern.patterns, [entries.pop(key) for key in keys], bound)
        if pattern.rest is not None:
            bound[pattern.rest] = self.new_dict(entries)
        return test

    def _match_class(self, pattern: ast.MatchClass, subject: Any, bound: dict[str, Any]) -> Any:
        kind = self.expr(pattern.cls)
        if self.call(isinstance, (subject, kind), {}) is not True:
            return False
        known = self._positional_of(kind)
        is_whole = known is MISSING and bool(kind.__flags__ & _MATCHES_ITSELF)
        known = () if known is MISSING else known
        count = len(pattern.patterns)
        if count > (1 if is_whole else len(known)):
            most = 1 if is_whole else len(known)
            self.raise_now(
                TypeError,
                f"{kind.__name__}() accepts {most} positional sub-pattern{'s' * (most != 1)} "
                f"({count} given)",
            )
        names = [*([] if is_whole else known[:count]), *pattern.kwd_attrs]
        values = []
        for name in names:
            values.append(attribute_or(self, subject, name, MISSING))
            if values[-1] is MISSING:
                return False
        if is_whole and count:
            values.insert(0, subject)
        return self._all_match([*pattern.patterns, *pattern.kwd_patterns], values, bound)

    def _positional_of(self, kind: type) -> Any:
        """The attributes that the positional patterns of a class match, in order, or MISSING."""
        is_own = kind.__flags__ & HEAP_TYPE
        return self.reads.of_type(kind, "__match_args__") if is_own else MISSING
