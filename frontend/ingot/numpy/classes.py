"""Which classes are derived from which, also by what `register` says."""

from __future__ import annotations

import abc
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ingot_runtime.trees import HEAP_TYPE, LIBRARIES

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: The checks by which a metaclass decides which instances and classes are of its classes.
_CHECKS = ("__instancecheck__", "__subclasscheck__")


class _Any:
    """Its instances are asked for the text with which `isinstance` refuses its second argument."""


def is_subclass(ev: Evaluator, kind: Any, kinds: Any) -> bool:
    """`issubclass(kind, kinds)`."""
    return _asked(ev, kind, kinds, issubclass, kind)


def is_instance_of(ev: Evaluator, kind: type, kinds: Any) -> bool:
    """`isinstance(value, kinds)` of a value whose class is `kind`."""
    return _asked(ev, kind, kinds, isinstance, _Any())


def _asked(ev: Evaluator, kind: Any, kinds: Any, refusing: Callable[..., Any], of: Any) -> bool:
    if isinstance(kind, type) and kind.__flags__ & HEAP_TYPE and not _is_known(kind):
        ev.reads.mro(kind)
    for base in _listed(kinds) if isinstance(kind, type) else ():
        if type(base) is not type and base not in kind.__mro__:
            _guard(ev, kind, base)
    try:
        return issubclass(kind, kinds)
    except TypeError:
        ev.raise_now(TypeError, _refusal(refusing, of, kinds))


def _refusal(refusing: Callable[..., Any], of: Any, kinds: Any) -> str:
    try:
        refusing(of, kinds)
    except TypeError as error:
        return str(error)
    return ""


def _listed(kinds: Any) -> Iterator[type]:
    if isinstance(kinds, (tuple, types.UnionType)):
        for each in kinds if isinstance(kinds, tuple) else kinds.__args__:
            yield from _listed(each)
    elif isinstance(kinds, type):
        yield kinds


def _guard(ev: Evaluator, kind: type, base: type) -> None:
    """Note what the answer of a class with a metaclass depends on."""
    if any(isinstance(_found(type(base), name), types.FunctionType) for name in _CHECKS):
        ev.fail(
            f"{type(base).__name__}, the metaclass of {base.__name__}, decides what is an instance of it",
            "compare type(...), or call a function that decides",
        )
    if getattr(base, "_is_protocol", False) and kind.__flags__ & HEAP_TYPE:
        ev.fail(f"{base.__name__} is a protocol", "use hasattr for what it asks for")
    if isinstance(base, abc.ABCMeta) and not (_is_known(kind) and _is_known(base)):
        ev.reads.descent(kind, base)


def _found(meta: type, name: str) -> Any:
    """A method of a metaclass that is the user's own."""
    for each in meta.__mro__:
        if name in vars(each) and each.__module__ not in ("abc", "typing", "enum"):
            return vars(each)[name]
    return None


def _is_known(kind: type) -> bool:
    """Whether a class is one of Python's or NumPy's, whose relations importing has settled."""
    return kind.__module__.partition(".")[0] in (*LIBRARIES, "builtins", "collections", "numbers")
