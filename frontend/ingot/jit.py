"""`ingot.jit`: the cache of compiled signatures in front of the compiler."""

from __future__ import annotations

import contextlib
import functools
import gc
import inspect
import logging
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ingot import pipeline
from ingot.diagnostics import error_at, place_of
from ingot.lowering import Abstract, Compiled, Lowered, is_traced, trace
from ingot.syntax.calls import contents_of, same_contents
from ingot.syntax.source import source_of
from ingot.syntax.values import NeedsStatic
from ingot_runtime import pjrt
from ingot_runtime.errors import CompileError, UnsupportedError
from ingot_runtime.trees import flatten, parameters_of

logger = logging.getLogger("ingot")


def jit(
    f: Callable[..., Any] | None = None,
    *,
    static: tuple[str, ...] = (),
    checks: bool = True,
) -> Any:
    """Compile a function of NumPy code; a decorator, with or without parentheses.

    The function behaves as it does undecorated: values, dtypes, shapes and the mutation of its
    arguments. It is compiled on the first call with each signature (dtypes and shapes of
    arrays, types of numbers).

    Args:
        f: a Python function with source.
        static: names of parameters whose values are known at compile time; each value is
            compiled for itself.
        checks: raise what the source would raise for indices out of range, division of Python
            numbers by zero and failed assertions.

    Raises:
        CompileError: on a call, with the position of what can't be compiled.
    """
    if f is None:
        return functools.partial(jit, static=static, checks=checks)
    if isinstance(f, Function) and not static and checks:
        return f
    return Function(f, static=static, checks=checks)


class Function:
    """A function with its compiled signatures; made by `jit`."""

    def __init__(self, f: Callable[..., Any], *, static: tuple[str, ...], checks: bool) -> None:
        #: What is evaluated: a function of Python's, or what says itself what it emits.
        self._traced: Any = f if hasattr(f, "__ingot_emit__") else None
        f = getattr(f, "__ingot_function__", f)
        if not isinstance(f, types.FunctionType):
            raise UnsupportedError(
                f"{getattr(f, '__name__', f)!r} is not a Python function with source",
                hint="wrap it in a def",
                page="no-source",
            )
        functools.update_wrapper(self, f)
        self.__ingot_function__: Any = f
        self._traced = self._traced or f
        self._checks = checks
        #: What, but for the function's source, its programs depend on.
        self._options = str(checks)
        self._static = frozenset([static] if isinstance(static, str) else static)
        if self._static:
            self._signature = inspect.signature(f)
            unknown = self._static - set(self._signature.parameters)
            if unknown:
                raise TypeError(f"static names no parameter: {', '.join(sorted(unknown))}")
        #: Compiled signatures, and which leaves each abstract signature specialises on.
        self._compiled: dict[Any, Compiled] = {}
        self._specialised: dict[Any, frozenset[int]] = {}

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves: list[Any] = []
        structure = _structure(args, kwargs, leaves)
        device = _device_of(leaves)
        abstract, static = self._key(structure, leaves, args, kwargs)
        key = (abstract, _values(leaves, static), device, pipeline.additions())
        compiled = self._compiled.get(key)
        if compiled is None or _is_stale(compiled):
            compiled = self._compile(structure, leaves, abstract, static, device)
        return compiled.call_leaves(leaves, device is not None)

    def _compile(
        self, structure: Any, leaves: list[Any], abstract: Any, static: frozenset[int], device: Any
    ) -> Compiled:
        """Compile for a signature, or find on disk what another process compiled."""
        from ingot import disk_cache

        def key_for(values: Any) -> str | None:
            function = self.__ingot_function__
            options = f"{self._options} {pipeline.additions()}"
            return disk_cache.key_for(function, abstract, values, options, device)

        general = key_for(None)
        if general and abstract not in self._specialised:
            self._specialised[abstract] = disk_cache.find_static(general)
            static |= self._specialised[abstract]
        key = key_for(_values(leaves, static))
        kept = [_as_abstract(leaf) for leaf in leaves]

        def precise() -> Compiled:
            return self._lower(structure, kept, abstract, static)[0].precise().compile(device)

        compiled = disk_cache.find(key, device, precise) if key else None
        if compiled is None:
            lowered, static = self._lower(structure, leaves, abstract, static)
            compiled = lowered.compile(device)
            key = key_for(_values(leaves, static))
            if key and general:
                disk_cache.store(key, lowered, compiled)
                disk_cache.store_static(general, static)
        values = _values(leaves, static)
        self._compiled[abstract, values, device, pipeline.additions()] = compiled
        return compiled

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Lower for the signature of these arguments, without compiling."""
        return self.lower_tree(args, kwargs)[0]

    def lower_tree(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Lowered, frozenset[int]]:
        """The same, and which leaves of the arguments it is specialised on."""
        leaves: list[Any] = []
        structure = _structure(args, kwargs, leaves)
        abstract, static = self._key(structure, leaves, args, kwargs)
        return self._lower(structure, leaves, abstract, static)

    def _key(
        self, structure: Any, leaves: list[Any], args: tuple, kwargs: dict[str, Any]
    ) -> tuple[Any, frozenset[int]]:
        """The abstract signature, and the leaves whose values belong to it, too."""
        abstract = (structure, tuple(map(_abstract, leaves)))
        try:
            specialised = self._specialised.get(abstract, frozenset())
        except TypeError:
            raise self._unhashable(structure, leaves) from None
        if not self._static:
            return abstract, specialised
        return abstract, specialised | self._declared(args, kwargs)

    def _unhashable(self, structure: Any, leaves: list[Any]) -> CompileError:
        names = parameters_of(self.__ingot_function__, structure)
        held = [(n, x) for n, x in zip(names, leaves, strict=True) if not _is_hashable(x)]
        name, value = held[0] if held else ("argument", None)
        source = source_of(self.__ingot_function__)
        return error_at(
            UnsupportedError,
            f"a static argument is not hashable: `{name}`, a {type(value).__name__}",
            place_of(source.filename, source.node),
            "pass arrays, numbers or strings, or give its class __hash__ and __eq__",
        )

    def _declared(self, args: tuple, kwargs: dict[str, Any]) -> frozenset[int]:
        """The leaves of the parameters that were declared static."""
        bound = self._signature.bind(*args, **kwargs).arguments
        names = {id(bound[name]) for name in self._static if name in bound}
        found, position = set(), 0
        positional = list(self._signature.parameters)[: len(args)]
        for name, value in [*zip(positional, args, strict=False), *kwargs.items()]:
            count: list[Any] = []
            flatten(value, count)
            if name in self._static and id(value) in names:
                found |= set(range(position, position + len(count)))
            position += len(count)
        return frozenset(found)

    def _lower(
        self, structure: Any, leaves: list[Any], abstract: Any, static: frozenset[int]
    ) -> tuple[Lowered, frozenset[int]]:
        while True:
            try:
                with _without_gc():
                    made = trace(self._traced, structure, leaves, static, self._checks)
                if self._should_count(made, leaves, static):
                    static |= {i for i, leaf in enumerate(leaves) if type(leaf) is int}
                    self._specialise(abstract, static)
                    continue
                return made, static
            except CompileError as error:
                # The user's code is at fault: Ingot's frames would only hide where.
                raise error.with_traceback(None) from None
            except NeedsStatic as need:
                static = static | {need.parameter}
                self._specialise(abstract, static)
                logger.info(
                    "%s: argument %d is needed at compile time; it is compiled for each value",
                    self.__ingot_function__.__qualname__,
                    need.parameter,
                )

    def _specialise(self, abstract: Any, static: frozenset[int]) -> None:
        """Remember the leaves whose values belong to the signature."""
        self._specialised[abstract] = self._specialised.get(abstract, frozenset()) | static

    def _should_count(self, made: Lowered, leaves: list[Any], static: frozenset[int]) -> bool:
        """Whether integers that may count iterations should be known: derivatives backwards
        keep all iterations of a loop only if there is a limit to them."""
        has_counts = any(type(x) is int and i not in static for i, x in enumerate(leaves))
        return made.has_transformations and has_counts and not made.has_known_counts()


@contextlib.contextmanager
def _without_gc() -> Iterator[None]:
    """Evaluation allocates many objects that all stay; collecting meanwhile finds nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _structure(args: tuple, kwargs: dict[str, Any], leaves: list[Any]) -> Any:
    try:
        return flatten((args, kwargs), leaves)
    except RecursionError:
        raise UnsupportedError(
            "an argument holds itself", hint="pass the parts that the function needs"
        ) from None


def _abstract(leaf: Any) -> Any:
    """What of an argument leaf belongs to the signature."""
    if isinstance(leaf, np.ndarray):
        return leaf.dtype, leaf.shape
    if isinstance(leaf, (bool, int, float, complex, np.generic)):
        return type(leaf)
    if is_traced(leaf):
        return np.dtype(leaf.dtype), tuple(leaf.shape)
    return leaf


def _is_hashable(value: Any) -> bool:
    try:
        hash(_abstract(value))
    except TypeError:
        return False
    return True


def _values(leaves: list[Any], static: frozenset[int]) -> tuple:
    return tuple((i, repr(leaves[i])) for i in sorted(static)) if static else ()


def _device_of(leaves: list[Any]) -> Any:
    """The device of the first jax.Array, or None if there is none."""
    for leaf in leaves:
        if pjrt.is_device_array(leaf):
            return pjrt.device_of(leaf)
    return None


def _is_stale(compiled: Compiled) -> bool:
    """Whether a global that the function read has changed since."""
    return any(not _is_current(each) for each in compiled.globals_read)


def _as_abstract(leaf: Any) -> Any:
    """An argument leaf without the data of an array."""
    if isinstance(leaf, np.ndarray) or pjrt.is_device_array(leaf):
        return Abstract(tuple(leaf.shape), np.dtype(leaf.dtype))
    return leaf


def _is_current(read: Any) -> bool:
    if isinstance(read.namespace, dict):
        now = read.namespace.get(read.name, read)
    else:
        now = getattr(read.namespace, read.name, read)
    return now is read.value and (
        read.contents is None or same_contents(read.contents, contents_of(now))
    )
