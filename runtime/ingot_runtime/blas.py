"""The number of BLAS threads while a program runs.

OpenBLAS threads spin while they wait for work. NumPy and SciPy, which provides LAPACK for XLA, have
separate copies of OpenBLAS, so a program that alternates between them has two sets of spinning
threads. With a single thread, 32 small solves and products take 25 ms instead of 800 (on two idle
cores; on busy cores the difference is larger).
"""

from __future__ import annotations

import functools
import math
import re
import threading
from collections.abc import Callable

#: The most elements of a matrix for which one thread is used; larger ones are worth more threads.
LARGEST = 1 << 16
#: A library call in the text of a program, and a shape within a call.
_CALL = re.compile(
    r'^.* custom-call\(.*custom_call_target="(lapack_|ingot\.numpy\.gufunc).*$', re.M
)
_SHAPE = re.compile(r"\b[a-z]+\d+\[([\d,]+)\]")


def is_for_one_thread(text: str) -> bool:
    """Whether an HLO program calls LAPACK, and all of its library calls have small matrices."""
    calls = list(_CALL.finditer(text))
    if not any(call[1] == "lapack_" for call in calls):
        return False
    return all(_largest(call[0]) <= LARGEST for call in calls)


def _largest(call: str) -> int:
    """The number of elements of the largest matrix in a call."""
    shapes = (list(map(int, found.split(","))) for found in _SHAPE.findall(call))
    return max((math.prod(shape[-2:]) for shape in shapes), default=0)


class OneThread:
    """A context in which OpenBLAS uses one thread in the whole process; contexts may overlap."""

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
    """The number of threads of each copy of OpenBLAS."""
    return [get() for get, _ in _copies()]


def set_counts(numbers: list[int]) -> None:
    for (_, set_count), number in zip(_copies(), numbers, strict=True):
        set_count(number)


@functools.cache
def _copies() -> list[tuple[Callable[[], int], Callable[[int], None]]]:
    """The functions that get and set the number of threads of each loaded copy of OpenBLAS.

    threadpoolctl only finds them: the limits that it sets hold for a single Python thread, but
    programs run in several.
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
