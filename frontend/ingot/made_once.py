"""Compiled functions that are made of others once: `grad(f)` in a loop is one function, with its
programs, for as long as there is `f`."""

from __future__ import annotations

import collections
import functools
import gc
import types
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ingot.references import ByReference

T = TypeVar("T")

#: The attribute of a function that holds what is made of it.
_NAME = "__ingot_made__"
#: The types of functions that can hold it.
_HOLDERS = (types.FunctionType, functools._lru_cache_wrapper, ByReference)
#: How many functions are kept that are made of methods and other objects.
_MOST = 256


class _Made:
    """What is made of a function, by a key.

    The function holds it, and it holds the function: the garbage collector frees both at once. A
    copy or a pickle of the function has nothing of it.
    """

    def __init__(self, function: Any = None) -> None:
        # functools.wraps copies the attributes of a function to another one.
        self.function = None if function is None else weakref.ref(function)
        self.by_key: dict[Any, Any] = {}

    def __deepcopy__(self, memo: Any) -> _Made:
        return _Made()

    def __reduce__(self) -> tuple[type[_Made], tuple[()]]:
        return _Made, ()


#: The same of other objects, which can't hold it.
_of_others: weakref.WeakValueDictionary[Any, Any] = weakref.WeakValueDictionary()
#: What was made of these last; kept until the garbage collector looks at all objects, so that these
#: don't live longer than they would.
_kept: collections.OrderedDict[Any, Any] = collections.OrderedDict()

#: Functions of NumPy, which live as long as the process, and what is made of them.
_OF_LIBRARIES = (np.ufunc, type(np.sum))
_for_good: dict[Any, Any] = {}


def made_once(function: Any, key: tuple, make: Callable[[], T]) -> T:
    """What `make` returns for a function and a hashable key, made at the first call."""
    if not isinstance(function, _HOLDERS):
        return _made_of_other(function, key, make)
    held = vars(function).get(_NAME)
    if held is None or held.function is None or held.function() is not function:
        held = vars(function)[_NAME] = _Made(function)
    found = held.by_key.get(key)
    # Another thread may have made one meanwhile.
    return found if found is not None else held.by_key.setdefault(key, make())  # type: ignore[no-any-return]


def _made_of_other(function: Any, key: tuple, make: Callable[[], T]) -> T:
    found = _of_others.get((function, key))
    if found is None:
        found = _of_others.setdefault((function, key), make())
    if isinstance(function, _OF_LIBRARIES):
        _for_good[function, key] = found
        return found  # type: ignore[no-any-return]
    _kept[function, key] = found
    _kept.move_to_end((function, key))
    if len(_kept) > _MOST:
        _kept.popitem(last=False)
    return found  # type: ignore[no-any-return]


def _let_go(phase: str, facts: dict[str, int]) -> None:
    if phase == "start" and facts["generation"] == 2:
        _kept.clear()


gc.callbacks.append(_let_go)
