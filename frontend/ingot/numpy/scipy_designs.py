"""Windows and filters of scipy.signal, which SciPy makes of numbers that are known at compile time."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.syntax.ops import fresh

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: The functions by SciPy's module; those that only some versions have may be missing.
DESIGNS = {
    "scipy.signal": (
        "bessel", "butter", "buttord", "cheby1", "cheb1ord", "cheby2", "cheb2ord", "ellip", "ellipord",
        "firwin", "firwin2", "get_window", "iircomb", "iirfilter", "iirnotch", "iirpeak", "kaiserord",
        "savgol_coeffs",
    ),
    "scipy.signal.windows": (
        "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "chebwin", "cosine",
        "exponential", "flattop", "gaussian", "general_cosine", "general_gaussian", "general_hamming",
        "hamming", "hann", "kaiser", "kaiser_bessel_derived", "lanczos", "nuttall", "parzen", "taylor",
        "triang", "tukey",
    ),
}  # fmt: skip


@functools.cache
def handlers() -> dict[int, Callable[..., Any]]:
    """The handlers by the identity of SciPy's function."""
    return {
        id(function): functools.partial(_designed, function=function, called=f"{home}.{name}")
        for home, names in DESIGNS.items()
        for name in names
        if (function := getattr(sys.modules[home], name, None)) is not None
    }


def _designed(ev: Evaluator, *args: Any, function: Any, called: str, **kwargs: Any) -> Any:
    what = f"an argument of {called}"
    given = [ev.static(each, what) for each in (*args, *kwargs.values())]

    def design(*values: Any) -> Any:
        return function(*values[: len(args)], **dict(zip(kwargs, values[len(args) :], strict=True)))

    return _lifted(ev, ev.compute(design, *given, raw=True))


def _lifted(ev: Evaluator, made: Any) -> Any:
    if isinstance(made, tuple):
        return tuple(_lifted(ev, each) for each in made)
    if isinstance(made, np.ndarray):
        return fresh(ev.ops.constant(made, made.dtype), ev.location)
    return made
