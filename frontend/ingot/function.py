"""`Function`: the cache of compiled signatures in front of the compiler."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gc
import inspect
import operator
import time
import types
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import numpy as np

from ingot import direct_calls, kernels, pipeline
from ingot.arguments import (
    UNHASHABLE,
    Unsuitable,
    abstract_of,
    adopt,
    refuse,
    values_of,
    without_specs,
)
from ingot.arguments import check as check_arguments
from ingot.calls import Call
from ingot.checks import Assumption
from ingot.compiled import Compiled
from ingot.made_once import made_once
from ingot.pipeline import Additions, Options
from ingot.placement import Placement, following
from ingot.programs import Programs
from ingot.references import ByReference, description, evaluated, shown, unwrapped
from ingot.reports import Reports, progress
from ingot.specs import Abstract, is_writable, strides_of
from ingot.syntax.places import Place, describe
from ingot.writers import changing
from ingot_runtime import _native, buffers, clients
from ingot_runtime.errors import CompileError, UnsupportedError
from ingot_runtime.meshes import ShardedArray
from ingot_runtime.program import Signature
from ingot_runtime.trees import flatten, parameters_of

if TYPE_CHECKING:
    from ingot.lowering import Lowered

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")

_NONE: frozenset[int] = frozenset()


def _unpickled(f: Callable[..., Any], static: frozenset[str], options: Options) -> Any:
    """The compiled function that a pickle stands for; made once, so that all pickles share it."""

    def make() -> Any:
        return Function(f, static=tuple(static), options=options)

    return made_once(f, ("jit", static, options), make)


class Function(_native.Caller, ByReference, Generic[P, R]):
    """A function and its compiled programs; made by `jit`.

    The base class, in C++, handles calls for which `direct_calls` has prepared a program. `_call`
    handles all others, and decides which to prepare.
    """

    # A slot, since functools.wraps copies the instance dict.
    __slots__ = ("__ingot_function__",)
    #: Whether `__ingot_function__` and `_described` say what is evaluated; else it has no keys.
    _is_described = True

    def __init__(
        self, f: Callable[P, R], *, static: str | tuple[str, ...], options: Options
    ) -> None:
        plain: Any = unwrapped(f)
        functools.update_wrapper(self, plain)
        self.__ingot_function__ = plain
        #: What is evaluated: a Python function, or an object with `__ingot_emit__`.
        self._traced: Any = evaluated(f)
        #: The options of all its programs; each program adds those of the process.
        self._options = options
        #: A text that tells its programs from those of the plain function, for cache keys.
        found = description(self._traced)
        self._described = found or ""
        self._is_described = found is not None
        self._static = frozenset([static] if isinstance(static, str) else static)
        if self._static or options.donate:
            self._signature = inspect.signature(plain)
            self._check_names("static", self._static)
            self._check_names("donate", options.donate)
        self._compiled = Programs()
        #: The leaf indices that each abstract signature is specialised on.
        self._specialised: dict[Any, frozenset[int]] = {}
        self._reports = Reports(plain)

    def _check_names(self, option: str, names: Iterable[str]) -> None:
        unknown = sorted(set(names) - set(self._signature.parameters))
        if unknown:
            known = ", ".join(self._signature.parameters)
            raise TypeError(
                f"{option} names no parameter `{unknown[0]}` of "
                f"{shown(self.__ingot_function__)}; there are {known}"
            )

    def _recipe(self) -> tuple[Callable[..., Any], tuple] | None:
        return _unpickled, (self._traced, self._static, self._options)

    def __repr__(self) -> str:
        named = {"static": sorted(self._static), "donate": self._options.donate}
        options = [
            f"{option}={names[0] if len(names) == 1 else tuple(names)!r}"
            for option, names in named.items()
            if names
        ]
        options += [] if self._options.checks else ["checks=False"]
        options += ["strict_fp=True"] if self._options.strict_fp else []
        options += [f"device={self._options.device!r}"] if self._options.device else []
        is_usual = self._options.native == kernels.enabled()
        placed = self._options.placement
        options += [] if is_usual or placed else [f"native={self._options.native}"]
        options += [f"mesh={placed.mesh}"] if placed else []
        return f"ingot.jit({', '.join([self._inner(), *options])})"

    def _inner(self) -> str:
        """The function that it was made from, for its repr."""
        return shown(self.__ingot_function__ if self._traced is self else self._traced)

    def called(self) -> str:
        """How messages name it."""
        return str(self.__ingot_function__.__name__)

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Function[P, R]: ...

    @overload
    def __get__(
        self: Function[Concatenate[Any, Q], R], instance: object, owner: Any = None
    ) -> Callable[Q, R]: ...

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    def _call(self, args: tuple, kwargs: dict[str, Any], *, is_alone: bool = False) -> Any:
        epoch = _native.epoch()
        leaves: list[Any] = []
        structure = _structure(args, kwargs, leaves)
        passed = [*leaves]
        abstract, static = self._key(structure, leaves, args, kwargs)
        given = buffers.device_among(leaves)
        placed = self._options.placement or following(leaves)
        device: Any
        if placed is not None:
            given, device = None, placed
        else:
            device = self._device_for(given) if self._options.device else given
        key = (abstract, values_of(leaves, static), device, pipeline.additions())
        try:
            compiled = self._compiled.find(key)
        except UNHASHABLE:
            # The key contains a value that is not hashable.
            refuse(self.__ingot_function__, structure, leaves)
        if compiled is None:
            compiled = self._compile(structure, leaves, key, static)
        if compiled.is_writer:
            with changing(compiled.written(leaves, (args, kwargs))):
                if not is_alone and self._is_outdated(compiled, structure, passed, args, kwargs):
                    return self._call(args, kwargs, is_alone=True)
                return self._run(
                    compiled, structure, leaves, key, static, given, args, kwargs, epoch
                )
        return self._run(compiled, structure, leaves, key, static, given, args, kwargs, epoch)

    def _run(
        self, compiled: Compiled, structure: Any, leaves: list[Any], key: Any,
        static: frozenset[int], given: Any, args: tuple, kwargs: dict[str, Any], epoch: int,
    ) -> Any:  # fmt: skip
        """Call a program, and prepare it for direct calls; if what it takes for granted fails, make
        another one and call again.

        Args:
            given: the device of the arguments, if they are on one.
        """
        try:
            result = compiled.call_leaves(leaves, given is not None, (args, kwargs))
        except NotImplementedError as error:
            failed = compiled.failed_assumption(error)
            if failed is None or not self._does_without(
                failed, compiled, structure, leaves, key, static
            ):
                raise
            return self._call(args, kwargs)
        abstract, _, device, _ = key
        if given is None and not isinstance(device, Placement):
            call = direct_calls.of(compiled, abstract, leaves, epoch)
            if call is not None:
                self._offer(call)
        return result

    def _is_outdated(
        self, compiled: Compiled, structure: Any, passed: list[Any], args: tuple,
        kwargs: dict[str, Any],
    ) -> bool:  # fmt: skip
        """Whether another thread has changed what a program was chosen for: the arguments, of which
        `passed` were the leaves, or what has guards."""
        leaves: list[Any] = []
        is_same = _structure(args, kwargs, leaves) == structure
        is_same = is_same and all(map(operator.is_, leaves, passed))
        return not is_same or compiled.guards.failed() >= 0

    def _device_for(self, given: Any) -> Any:
        """The device that runs a call whose arguments are on device `given`, or on the host (None).

        Raises:
            TypeError: `given` is not the device of this function.
        """
        device = clients.device_named(self._options.device)
        if given is None:
            return device
        if (given.platform, given.id) != (device.platform, device.id):
            raise TypeError(f"{self} is called with an array on {given.platform}:{given.id}")
        return given

    def _does_without(
        self, failed: Assumption, compiled: Compiled, structure: Any, leaves: list[Any], key: Any,
        static: frozenset[int],
    ) -> bool:  # fmt: skip
        """Make a program without an assumption of `compiled` that has failed, unless that is
        refused."""
        dropped = compiled.dropped | {failed}
        try:
            self._compile(structure, leaves, key, static, dropped, reason=failed.failure)
        except CompileError:
            compiled.needed |= {failed}
            return False
        return True

    def _compile(
        self, structure: Any, leaves: list[Any], key: Any, static: frozenset[int],
        dropped: frozenset[Assumption] = frozenset(), reason: str = "",
    ) -> Compiled:  # fmt: skip
        """Make a program for a key that has none whose guards hold, or none that does without
        assumptions which have failed."""
        abstract, _, device, additions = key
        started = time.perf_counter()
        changed = [program.guards.reason() for program in self._compiled.of(key)[:1]]
        reason = reason or self._reports.reason_of(key, "".join(changed))
        varying = self._compiled.varying(key)
        names = tuple(sorted(each.name for each in dropped))
        options = dataclasses.replace(self._with(additions, device), dropped=names)
        with progress(self._reports.name):
            compiled, static, is_stored = self._load_or_make(
                structure, leaves, abstract, static, device, varying, options
            )
        key = (abstract, values_of(leaves, static), device, additions)
        compiled.static, compiled.dropped = static, dropped
        self._compiled.add(key, compiled)
        self._forget_signatures()
        seconds = time.perf_counter() - started
        self._reports.compiled(key, reason, seconds, is_stored=is_stored)
        return compiled

    def _load_or_make(
        self,
        structure: Any,
        leaves: list[Any],
        abstract: Any,
        static: frozenset[int],
        device: Any,
        varying: tuple[frozenset[Place], frozenset[Place]],
        options: Options,
    ) -> tuple[Compiled, frozenset[int], bool]:
        """Load a program from the disk cache, or compile it.

        Returns:
            The program, the leaf indices that it is specialised on, and whether it was on disk.
        """
        from ingot import disk_cache

        function = self.__ingot_function__
        made_with = f"{self._described} {options}"

        def key_for(values: Any) -> str | None:
            if not self._is_described:
                return None
            return disk_cache.key_for(function, abstract, values, made_with, device)

        general = key_for(None)
        if general and abstract not in self._specialised:
            stored = disk_cache.find_static(general, len(leaves))
            if stored:
                self._specialised[abstract] = stored
            static |= stored
        key = key_for(values_of(leaves, static))
        kept = [_as_abstract(leaf) for leaf in leaves]

        def precise(varying: frozenset[Place]) -> Compiled:
            lowered = self._lower(structure, kept, abstract, static, options, varying)[0]
            return lowered.precise().compile(device)

        found = disk_cache.find(key, function, len(leaves), device, precise) if key else None
        if found is not None:
            return found, static, True
        lowered, compiled, static = self._make(
            structure, leaves, abstract, static, device, varying, options
        )
        key = key_for(values_of(leaves, static))
        if key and general:
            disk_cache.store(key, function, lowered, compiled)
            disk_cache.store_static(general, static)
        return compiled, static, False

    def _make(
        self,
        structure: Any,
        leaves: list[Any],
        abstract: Any,
        static: frozenset[int],
        device: Any,
        varying: tuple[frozenset[Place], frozenset[Place]],
        options: Options,
    ) -> tuple[Lowered, Compiled, frozenset[int]]:
        """Lower and compile, if possible with the numbers in `varying` as inputs."""
        wanted, fixed = varying
        try:
            lowered, static, found = self._lower(
                structure, leaves, abstract, static, options, wanted
            )
            compiled = lowered.compile(device)
        except CompileError:
            if not wanted:
                raise
            # The function may compile with their present values as constants.
            found = wanted
            lowered, static, _ = self._lower(structure, leaves, abstract, static, options)
            compiled = lowered.compile(device)
        compiled.guards.fixed = fixed | found
        return lowered, compiled, static

    def _forget_signatures(self) -> None:
        """Drop the entries of signatures that have no program any more."""
        for abstract in [*self._specialised]:
            if len(self._specialised) > 2 * len(self._compiled) and not (
                self._compiled.has_signature(abstract)
            ):
                del self._specialised[abstract]

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Lower for the signature of these arguments, without compiling.

        Args:
            args, kwargs: the arguments of a call. An `ingot.spec` with static sizes may stand for
                an array.

        Returns:
            A `Lowered`.

        Raises:
            CompileError: at the position of code that can't be lowered.
        """
        return self.lower_tree(args, kwargs)[0]

    def lower_tree(
        self, args: tuple, kwargs: dict[str, Any], *, alone: bool = False
    ) -> tuple[Lowered, frozenset[int]]:
        """The same, and the leaf indices that it is specialised on.

        Args:
            alone: whether to ignore that two arguments are the same object.
        """
        abstract, leaves, static = self.signature_of(args, kwargs, alone=alone, takes_specs=True)
        options = self._with(pipeline.additions(), following(leaves))
        lowered, static, _ = self._lower(abstract[0], leaves, abstract, static, options)
        lowered.call = Call(self, abstract, static, values_of(leaves, static))
        return lowered, static

    def signature_of(
        self, args: tuple, kwargs: dict[str, Any], *, alone: bool = False, takes_specs: bool = False
    ) -> tuple[Any, list[Any], frozenset[int]]:
        """The abstract signature of a call, its argument leaves, and the static leaf indices."""
        leaves: list[Any] = []
        structure = _structure(args, kwargs, leaves, alone=alone)
        if takes_specs:
            leaves = without_specs(self.__ingot_function__, structure, leaves)
        abstract, static = self._key(structure, leaves, args, kwargs)
        try:
            hash(abstract)
        except UNHASHABLE:
            refuse(self.__ingot_function__, structure, leaves)
        return abstract, leaves, static

    def _with(self, additions: Additions, device: Any) -> Options:
        """The options of a program.

        Args:
            device: the device, or the placement of the arguments; None for no particular one.
        """
        options = dataclasses.replace(self._options, additions=additions)
        if options.placement is None and isinstance(device, Placement):
            if options.strict_fp:
                raise UnsupportedError(
                    f"{self} is called with an array on {device.mesh}",
                    hint="a strict program runs on one device: pass np.asarray(x)",
                )
            options = dataclasses.replace(options, placement=device, native=False)
        return options

    def _key(
        self, structure: Any, leaves: list[Any], args: tuple, kwargs: dict[str, Any]
    ) -> tuple[Any, frozenset[int]]:
        """The abstract signature, and the leaf indices whose values are part of the key."""
        try:
            abstract = (structure, tuple([abstract_of(leaf) for leaf in leaves]))
            # Hashing is slow, and most functions specialise on nothing.
            specialised = self._specialised.get(abstract, _NONE) if self._specialised else _NONE
        except (*UNHASHABLE, Unsuitable):
            if adopt(leaves):
                return self._key(structure, leaves, args, kwargs)
            refuse(self.__ingot_function__, structure, leaves)
        if not self._static:
            return abstract, specialised
        return abstract, specialised | self._declared(args, kwargs)

    def _declared(self, args: tuple, kwargs: dict[str, Any]) -> frozenset[int]:
        """The leaf indices of the parameters that are declared static."""
        try:
            bound = self._signature.bind(*args, **kwargs).arguments
        except TypeError:
            # Evaluation reports the wrong call with a better message.
            return frozenset()
        names = {id(bound[name]) for name in self._static if name in bound}
        found, position = set(), 0
        seen: Any = ({}, {})
        positional = list(self._signature.parameters)[: len(args)]
        for name, value in [*zip(positional, args, strict=False), *kwargs.items()]:
            count: list[Any] = []
            flatten(value, count, seen)
            if name in self._static and id(value) in names:
                found |= set(range(position, position + len(count)))
            position += len(count)
        return frozenset(found)

    def _lower(
        self,
        structure: Any,
        leaves: list[Any],
        abstract: Any,
        static: frozenset[int],
        options: Options,
        varying: frozenset[Place] = frozenset(),
    ) -> tuple[Lowered, frozenset[int], frozenset[Place]]:
        """Evaluate, with `varying` as inputs except for those whose values turn out to be needed.

        Returns:
            The program, the leaf indices that it is specialised on, and those of `varying` whose
            values it needs.
        """
        # Imported late: programs from the disk cache don't need the frontend.
        from ingot.lowering import trace
        from ingot.syntax.values import NeedsStatic

        check_arguments(self.__ingot_function__, structure, leaves, static)
        needed: frozenset[Place] = frozenset()
        while True:
            try:
                with _without_gc():
                    made = trace(self._traced, structure, leaves, static, options, varying - needed)
                written = _arrays_at(varying - needed) if made.signature.mutated else frozenset()
                if written:
                    # The same array may be in `varying` twice, and must be one input if the
                    # function stores to it.
                    needed |= written
                    continue
                if not self._should_count(made, leaves, static, varying - needed):
                    made.donated = self._donated(structure, made.signature)
                    return made, static, needed
                needed = varying
                static |= {i for i, leaf in enumerate(leaves) if type(leaf) is int}
                self._specialise(abstract, static)
            except CompileError as error:
                # Drop the frames of Ingot, since the error is in the user's code.
                raise error.with_traceback(None) from None
            except NeedsStatic as need:
                if isinstance(need.parameter, Place):
                    needed |= {need.parameter}
                    self._reports.needs_value(describe(need.parameter, {}))
                    continue
                static = static | {need.parameter}
                self._specialise(abstract, static)
                name = parameters_of(self.__ingot_function__, structure)[need.parameter]
                self._reports.needs_value(f"argument `{name}`")

    def _donated(self, structure: Any, signature: Signature) -> tuple[int, ...]:
        """The indices of the inputs that belong to donated parameters."""
        if not self._options.donate:
            return ()
        names = parameters_of(self.__ingot_function__, structure)
        return tuple(
            i
            for i, source in enumerate(signature.inputs)
            if type(source) is int and names[source].partition(".")[0] in self._options.donate
        )

    def _specialise(self, abstract: Any, static: frozenset[int]) -> None:
        """Record the leaf indices whose values are part of the key for this signature."""
        self._specialised[abstract] = self._specialised.get(abstract, frozenset()) | static

    def _should_count(
        self,
        made: Lowered,
        leaves: list[Any],
        static: frozenset[int],
        varying: frozenset[Place],
    ) -> bool:
        """Whether to specialise on integers that may be trip counts: reverse mode can only store
        the residuals of a loop whose trip count has a bound."""
        has_counts = varying or any(
            type(x) is int and i not in static for i, x in enumerate(leaves)
        )
        return made.has_transformations and bool(has_counts) and not made.has_known_counts()


@contextlib.contextmanager
def _without_gc() -> Iterator[None]:
    """Disable garbage collection: evaluation allocates many objects, and all of them stay."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _structure(
    args: tuple, kwargs: dict[str, Any], leaves: list[Any], *, alone: bool = False
) -> Any:
    try:
        return flatten((args, kwargs), leaves, alone=alone)
    except RecursionError:
        raise UnsupportedError(
            "an argument holds itself", hint="pass the parts that the function needs"
        ) from None


def _arrays_at(places: frozenset[Place]) -> frozenset[Place]:
    return frozenset(place for place in places if isinstance(place.find(), np.ndarray))


def _as_abstract(leaf: Any) -> Any:
    """An argument leaf; an array becomes an `Abstract`, which does not keep its data alive."""
    if isinstance(leaf, np.ndarray) or buffers.is_device_array(leaf):
        return Abstract(
            tuple(leaf.shape), np.dtype(leaf.dtype), strides_of(leaf), is_writable(leaf)
        )
    if isinstance(leaf, ShardedArray):
        return Abstract(leaf.shape, leaf.dtype, sharding=leaf.sharding)
    return leaf
