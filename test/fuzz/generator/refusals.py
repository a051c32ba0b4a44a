"""What may be refused: kinds of refusals, each with its share of all that was tried.

`test/fuzz/refusals.json` has the kinds by what counted them. The list may only shrink: what is not in
it, or comes more often than it says, fails. Kinds of programs that have no list yet get theirs by
`--shrink-list`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LISTED = Path(__file__).parents[1] / "refusals.json"
#: By how many standard deviations a share may lie above the listed one.
DEVIATIONS = 3.5


@dataclass(frozen=True)
class List:
    """The share of each kind, and of how many programs or calls the list was made."""

    tried: int
    shares: Mapping[str, float]

    def most(self, kind: str, tried: int) -> int:
        """How often a kind may come in so many.

        A run as long as that which made the list has no other kinds; a longer one may come to some.
        """
        if kind not in self.shares:
            return (tried - 1) // self.tried
        expected = self.shares[kind] * tried
        return math.floor(expected + DEVIATIONS * math.sqrt(expected) + 1)


def listed(name: str) -> List:
    return List(**json.loads(LISTED.read_text()).get(name, {"tried": 0, "shares": {}}))


def beyond(name: str, counts: Mapping[str, int], tried: int) -> list[str]:
    """What is refused and not listed, or more often than listed."""
    found = listed(name)
    if not found.tried:
        return []
    return [
        f"{kind}: {n} of {tried} refused, the list has {found.shares.get(kind, 0.0):.3%}"
        for kind, n in counts.items()
        if n > found.most(kind, tried)
    ]


def shrink(name: str, counts: Mapping[str, int], tried: int) -> None:
    """Take what came less often than listed into the list; a name without a list gets one.

    Raises:
        ValueError: the list was made of more.
    """
    lists = json.loads(LISTED.read_text()) if LISTED.exists() else {}
    before = lists.get(name)
    if before and tried < before["tried"]:
        raise ValueError(f"the list of {name} was made of {before['tried']}")
    shares = {kind: n / tried for kind, n in counts.items()}
    if before:
        shares = {kind: min(shares.get(kind, 0.0), s) for kind, s in before["shares"].items()}
    kept = {kind: round(s, 6) for kind, s in sorted(shares.items()) if s}
    lists[name] = {"tried": tried, "shares": kept}
    LISTED.write_text(json.dumps(lists, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
