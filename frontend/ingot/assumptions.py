"""What programs take for granted until a call shows otherwise.

A check fails where it does not hold. `jit` then makes a program that takes less for granted, and
makes the call again; see `Function._does_without`.
"""

from __future__ import annotations

from typing import NamedTuple


class Assumption(NamedTuple):
    """What a program may take for granted.

    Attributes:
        name: its name, in `Options.dropped`.
        endings: how the messages of its checks end.
        failure: why a program is made without it, for reports of compilations.
    """

    name: str
    endings: tuple[str, ...]
    failure: str


#: Slices of one length, `a[i : i + 3]`, lie inside of their axes.
SLICES_INSIDE = Assumption(
    "slices-inside",
    ("; a run-time slice must lie inside",),
    "a slice of one length reaches outside of its axis",
)
#: Powers of Python's integers are integers, and those of its floats are floats.
POWERS_OF_ONE_TYPE = Assumption(
    "powers-of-one-type",
    ("; write float(base)", "; write complex(base)"),
    "the type of a power depends on the numbers",
)
_ALL = (SLICES_INSIDE, POWERS_OF_ONE_TYPE)


def of_check(message: str) -> Assumption | None:
    """The assumption that a check with this message guards, or None."""
    found = (each for each in _ALL if message.endswith(each.endings))
    return next(found, None)
