"""Run-time checks: why they fail, and what is known of the exceptions that they raise."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ingot.syntax.values import Raisable


class Kind(enum.Enum):
    """Why a check fails. Handlers of the source catch what Python raises, and nothing else."""

    #: Python or NumPy raises the exception exactly then.
    PYTHON = enum.auto()
    #: Python or NumPy raises it, but perhaps not in exactly these cases.
    NEAR = enum.auto()
    #: The compiler meets its limits, where Python goes on.
    LIMIT = enum.auto()


class Assumption(NamedTuple):
    """What a program may take for granted until a call shows otherwise.

    A check fails where it does not hold, and Python goes on. `jit` then makes a program that takes
    less for granted, and makes the call again; see `Function._does_without`.

    Attributes:
        name: its name, in `Options.dropped` and in checks.
        failure: why a program is made without it, for reports of compilations.
    """

    name: str
    failure: str


#: Slices of one length, `a[i : i + 3]`, lie inside of their axes.
SLICES_INSIDE = Assumption(
    "slices-inside",
    "a slice of one length reaches outside of its axis",
)
#: Powers of Python's integers are integers, and those of its floats are floats.
POWERS_OF_ONE_TYPE = Assumption(
    "powers-of-one-type",
    "the type of a power depends on the numbers",
)
ASSUMPTIONS = {each.name: each for each in (SLICES_INSIDE, POWERS_OF_ONE_TYPE)}

Reason: TypeAlias = "Kind | Assumption"


class Failure(NamedTuple):
    """What a check raises.

    Attributes:
        exception: the name of the class.
        message: the text, perhaps with run-time values.
        reason: why.
        raised: the exception, if more is known of it.
    """

    exception: str
    message: Any
    reason: Reason = Kind.PYTHON
    raised: Raisable | None = None
