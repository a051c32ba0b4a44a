"""`np.errstate` around a call: programs do nothing with floating-point errors.

Where NumPy would ignore or report them that is right, or a difference that is documented; where it
would raise an exception or call a function, the call is refused.
"""

from __future__ import annotations

import contextvars

import numpy as np
from numpy._core.umath import _extobj_contextvar  # type: ignore[attr-defined]

from ingot_runtime.errors import UnsupportedError

try:
    from ingot_runtime import _native
except ImportError:
    # A runtime that is Python alone.
    _native = None  # type: ignore[assignment]


def check() -> None:
    """Refuse a state that raises or calls.

    Raises:
        UnsupportedError: it does.
    """
    modes = np.geterr()
    strict = [f"{name}={mode!r}" for name, mode in modes.items() if mode in ("raise", "call")]
    if strict:
        raise UnsupportedError(
            f"a compiled function is called under np.errstate({', '.join(strict)}), and raises and "
            "calls nothing for floating-point errors",
            hint="call it with np.errstate(all='warn') and test its results with np.isfinite, or "
            "use ingot.debug.trap_nans",
            page="with",
        )


if _native is None:
    check_errors = check
else:
    # In an empty context the variable has its default. The native function is fast for that, and
    # for the state that was checked last.
    _native.watch_errors(
        _extobj_contextvar, contextvars.Context().run(_extobj_contextvar.get), check
    )
    check_errors = _native.check_errors
