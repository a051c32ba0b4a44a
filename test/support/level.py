"""How much a run tests: the environment variable INGOT_TESTS.

`quick` takes a few cases of each test that is not slow, `nightly` every case of every sweep; the
default lies between.
"""

import os
import zlib
from collections.abc import Sequence
from typing import TypeVar

LEVELS = ("quick", "default", "nightly")
LEVEL = os.environ.get("INGOT_TESTS") or "default"
if LEVEL not in LEVELS:
    raise ValueError(f"INGOT_TESTS is {LEVEL!r}, but must be one of {', '.join(LEVELS)}")

T = TypeVar("T")


def pick(quick: T, default: T, nightly: T) -> T:
    """The one of the level."""
    return (quick, default, nightly)[LEVELS.index(LEVEL)]


def sample(cases: Sequence[T], one_in: int) -> Sequence[T]:
    """Every `one_in`-th case; in the nightly run, all of them."""
    return cases if LEVEL == "nightly" else cases[::one_in]


def in_turn(cases: Sequence[T], key: str) -> Sequence[T]:
    """One of the cases, by what is tested with it; in the nightly run, all of them."""
    if LEVEL == "nightly":
        return cases
    number = zlib.crc32(key.encode()) % len(cases)
    return cases[number : number + 1]
