"""The threads of BLAS while a program runs.

Threads of OpenBLAS wait for work by spinning, and NumPy and SciPy, by which XLA computes what
LAPACK does, have a copy each: a program that calls both in turn has cores spin for nothing. With
one thread 32 small solves and products take 25 ms instead of 800 (on two cores that do nothing
else; on busy ones it is worse).
"""

from __future__ import annotations

import functools
import math
import re
import threading
from collections.abc import Callable

#: Matrices of more elements are worth the threads.
LARGEST = 1 << 16
#: A call of a library in the text of a program, and a shape in it.
_CALL = re.compile(
    r'^.* custom-call\(.*custom_call_target="(lapack_|ingot\.numpy\.gufunc).*$', re.M
)
_SHAPE = re.compile(r"\b[a-z]+\d+\[([\d,]+)\]")


def is_for_one_thread(text: str) -> bool:
    """Whether a program (HLO) calls LAPACK, and BLAS, for small matrices alone."""
    calls = list(_CALL.finditer(text))
    if not any(call[1] == "lapack_" for call in calls):
        return False
    return all(_largest(call[0]) <= LARGEST for call in calls)


def _largest(call: str) -> int:
    """The elements of the largest matrix of a call."""
    shapes = (list(map(int, found.split(","))) for found in _SHAPE.findall(call))
    return max((math.prod(shape[-2:]) for shape in shapes), default=0)


class OneThread:
    """A context in which OpenBLAS has one thread in all of the process; calls share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before: list[int] = []

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._before = counts()
                set_counts([1] * len(self._before))
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                set_counts(self._before)


ONE_THREAD = OneThread()


def counts() -> list[int]:
    """How many threads each copy of OpenBLAS uses."""
    return [get() for get, _ in _copies()]


def set_counts(numbers: list[int]) -> None:
    for (_, set_count), number in zip(_copies(), numbers, strict=True):
        set_count(number)


@functools.cache
def _copies() -> list[tuple[Callable[[], int], Callable[[int], None]]]:
    """What reads and sets the number of threads of each copy of OpenBLAS that is loaded.

    threadpoolctl finds them; it sets numbers for one thread of Python's only, while programs run
    in several.
    """
    from threadpoolctl import ThreadpoolController

    found = ThreadpoolController().select(internal_api="openblas").lib_controllers
    names = [
        tuple(f"{before}openblas_{each}_num_threads{after}" for each in ("get", "set"))
        for before in ("", "scipy_")
        for after in ("", "64_", "_64")
    ]
    return [
        (getattr(each.dynlib, get), getattr(each.dynlib, put))
        for each in found
        for get, put in names
        if hasattr(each.dynlib, put)
    ]
