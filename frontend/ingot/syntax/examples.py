"""The exceptions of Python and NumPy for wrong types and shapes, from calls with example values.

Where a call fails for sure, Python's own function is called with values of the same classes, dtypes
and shapes, so that the class and the text of the exception are those of the Python that runs.
"""

from __future__ import annotations

import copy
import math
import operator
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy._core._exceptions import UFuncTypeError

from ingot.dimensions import Dimension
from ingot.numpy import layout
from ingot.syntax.values import (
    Array,
    Dict,
    Joined,
    List,
    Range,
    Scalar,
    Set,
    Symbolic,
    class_name,
)
from ingot_runtime.errors import CompileError, UnsupportedError

#: The most elements of an example: a call that succeeds after all takes little time.
MOST = 1 << 14
_CONSTANTS = (
    bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type, np.dtype, np.generic,
)  # fmt: skip
_CONTAINERS: dict[type, Any] = {List: [], Dict: {}, Set: set(), Range: range(1)}
#: NumPy's modules whose functions change what is not among their arguments.
_WITH_EFFECTS = ("numpy.random", "numpy.ctypeslib", "numpy.f2py", "numpy.testing")
_BUILTINS = frozenset([
    abs, all, any, bin, bool, chr, complex, dict, divmod, enumerate, float, frozenset, hex, int,
    len, list, max, min, oct, ord, pow, range, reversed, round, set, sorted, str, sum, tuple, zip,
])  # fmt: skip
_OWNERS = frozenset([dict, list, range, set, str, tuple])
#: The modules of the classes of exceptions that are made from a text.
_MODULES = ("builtins", "numpy.exceptions", "numpy.linalg")


class _Unknown(Exception):
    """A value has no example."""


@dataclass
class _Bare:
    """A value of which only the name of its class matters."""

    name: str


def error_of(
    function: Callable[..., Any], args: tuple, kwargs: dict[str, Any] | None = None
) -> Exception | None:
    """What a function without effects raises for values of these classes and shapes.

    None where it takes them, and where a value has no example.
    """
    try:
        return _outcome(function, args, kwargs or {})
    except _Unknown:
        return None


def _outcome(function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """What a function raises for examples of arguments, None if it raises nothing."""
    examples = tuple(map(_example, args))
    named = {name: _example(each) for name, each in kwargs.items()}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*examples, **named)
    except _Unknown:
        raise
    except Exception as error:
        return error
    return None


def operator_error(name: str, left: Any, right: Any, *, in_place: bool = False) -> str | None:
    """The text of the TypeError that an operator raises for operands of these classes.

    Args:
        name: of its special method, without the underscores.
    """
    prefix = "i" if in_place else ""
    function = divmod if name == "divmod" else getattr(operator, f"__{prefix}{name}__")
    error = error_of(function, (_bare(left), _bare(right)))
    return str(error) if isinstance(error, TypeError) else None


def explain(
    error: CompileError, function: Any, args: tuple, kwargs: dict[str, Any]
) -> CompileError:
    """The error of a call, with what Python's or NumPy's function raises for arguments like these;
    a refusal if it takes them.

    Args:
        function: a function, or "ndarray." and the name of a method.
    """
    known = _without_effects(function)
    try:
        found = error if known is None else _outcome(known, args, kwargs)
    except _Unknown:
        return error
    if found is None and not all(map(_is_like_its_example, (*args, *kwargs.values()))):
        return error
    if found is None:
        # The text names the page already.
        refusal = UnsupportedError(
            error.message, hint=error.hint, filename=error.filename, lineno=error.lineno,
            col=error.col, rendered=str(error),
        )  # fmt: skip
        refusal.page = error.page
        return refusal
    if found is not error and (isinstance(found, TypeError) or not isinstance(error, TypeError)):
        error.raises = next(each for each in type(found).__mro__ if _is_made_of_text(each))
        error.text = str(found)
    return error


def _is_made_of_text(kind: type) -> bool:
    """Whether exceptions of a class are made from a text."""
    return kind is UFuncTypeError or kind.__module__ in _MODULES


def class_of(container: Any) -> type:
    """Python's class of a container of the program."""
    return type(_CONTAINERS.get(type(container), container))


def _without_effects(function: Any) -> Callable[..., Any] | None:
    """The function that may be called with examples, if there is one."""
    if isinstance(function, str):
        return getattr(np.ndarray, function.removeprefix("ndarray."), None)
    module = getattr(function, "__module__", None) or ""
    if isinstance(function, np.ufunc) or module.partition(".")[0] == "numpy":
        return None if module.startswith(_WITH_EFFECTS) else function
    owner = getattr(function, "__objclass__", None)
    return function if module == "math" or function in _BUILTINS or owner in _OWNERS else None


def _bare(value: Any) -> Any:
    """An object whose operators all give NotImplemented; other values as they are."""
    has_example = isinstance(value, (Array, Scalar, *_CONTAINERS))
    is_object = isinstance(value, Symbolic) or callable(value)
    return _Bare(class_name(value)) if is_object and not has_example else value


def _example(value: Any) -> Any:
    if isinstance(value, Array):
        return _array(value)
    if isinstance(value, Scalar) and not isinstance(value, Joined):
        return value.weak(1) if value.weak else value.dtype.type(1)
    if type(value) in _CONTAINERS:
        return copy.copy(_CONTAINERS[type(value)])
    if isinstance(value, _Bare):
        return type(value.name, (), {})()
    if type(value) in (list, tuple):
        return type(value)(map(_example, value))
    if type(value) is dict:
        return {key: _example(each) for key, each in value.items()}
    if isinstance(value, types.FunctionType):
        return _uncalled
    if isinstance(value, _CONSTANTS):
        return value
    raise _Unknown


def _array(value: Array) -> np.ndarray:
    is_open = any(isinstance(each, Dimension) for each in value.shape)
    if is_open or math.prod(value.shape) > MOST:
        raise _Unknown
    made = np.ones(value.shape, value.dtype)
    made.setflags(write=value.writable)
    return made


def _is_like_its_example(value: Any) -> bool:
    """Whether a value is no array, or one in C order, as the examples are."""
    return not isinstance(value, Array) or layout.strides_of(value) is None


def _uncalled(*_: Any, **__: Any) -> None:
    """An example of a function: what it does is not known."""
    raise _Unknown
