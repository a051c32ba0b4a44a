"""`from_jax`: functions of JAX in compiled NumPy code, with JAX's derivatives and batches."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ingot import _core
from ingot.callables import caller_of
from ingot.dtypes import CODES
from ingot.flat import ARRAY, Static, is_floating
from ingot.jit import jit
from ingot.references import ByReference
from ingot.syntax.bodies import has_values
from ingot.syntax.dynamic import Part
from ingot.syntax.ops import result_of
from ingot.syntax.pieces import all_left_aligned
from ingot.syntax.trees import flatten, rebuild
from ingot.syntax.values import Scalar, Symbolic, describe
from ingot_runtime import trees
from ingot_runtime.prints import with_callbacks


def from_jax(g: Callable[..., Any]) -> JaxFunction:
    """Make a function of JAX one that compiled NumPy code calls, as well as other code.

    Derivatives and batches of it are those of `jax.jvp`, `jax.vjp` and `jax.vmap`, to any order;
    JAX traces what a program needs of them when the program is compiled.

    JAX traces `g` with `jax_enable_x64`, since NumPy has 64 bits: what it makes without a dtype,
    such as `jnp.zeros(3)`, is float64. Python's numbers are weakly typed in it. What `g` reads
    besides its arguments has the values of the first call with each signature, as in `jax.jit`.

    Args:
        g: a function that `jax.jit` accepts: its arguments and results are trees of arrays and
            numbers. Strings, functions and other objects are passed as they are.

    Returns:
        A function of the same arguments, which are NumPy arrays and numbers. Its results are NumPy
        arrays, and numbers of NumPy for those without axes. Tuples, lists, dicts, named tuples and
        instances of users' classes are trees.

    Raises:
        CompileError: when called, at the position of the call: `g` raises an exception when JAX
            traces it, gives what is no array, or is differentiated and has no derivative.

    Example:
        >>> import jax
        >>> softplus = ingot.from_jax(jax.nn.softplus)
        >>> def loss(x):
        ...     return np.sum(softplus(x) ** 2)
        >>> ingot.grad(loss)(np.zeros(2))
        array([0.69314718, 0.69314718])
    """
    return JaxFunction(g)


def first_line(error: Exception) -> str:
    """What an exception of JAX says; further lines are about where JAX traces."""
    return str(error).partition("\n")[0]


class JaxFunction(ByReference):
    """A function of JAX that compiled code calls; made by `from_jax`."""

    #: Nothing says what `g` computes, so programs that call it are not kept on disk.
    is_storable = False

    # A slot, since `unwrapped` asks the class.
    __slots__ = ("__ingot_function__",)

    def __init__(self, g: Callable[..., Any]) -> None:
        functools.update_wrapper(self, g, updated=())
        self._g = g
        self._called = getattr(g, "__name__", type(g).__name__).strip("<>")
        self._sources: dict[Any, int] = {}
        self.__ingot_function__ = caller_of(self, self._called)

    def __repr__(self) -> str:
        return f"ingot.from_jax({self._called})"

    @functools.cached_property
    def _compiled(self) -> Any:
        return jit(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._compiled(*args, **kwargs)

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        leaves: list[Any] = []
        structure = flatten(ev, (args, ev.new_dict(kwargs)), leaves)
        leaves = all_left_aligned(ev, [ev.at_run_time(leaf) for leaf in leaves])
        kinds = tuple(_kind(ev, self._called, leaf) for leaf in leaves)
        key = structure, kinds
        try:
            number = self._sources.get(key)
        except TypeError:
            ev.fail(
                f"an argument of {self._called} has no hash", "pass arrays, numbers and strings"
            )
        try:
            if number is None:
                number = self._sources[key] = _registered(_Root(self._g, structure, kinds))
            source: Any = SOURCES[number]
            types = [(list(x.shape), CODES[np.dtype(x.dtype)]) for x in source.results]
        except Exception as error:
            ev.fail(
                f"JAX can't trace {self._called}: {first_line(error)}", "see JAX's documentation"
            )
        values = [ev.read(leaf) for leaf in leaves if has_values(leaf)]
        attributes = {"name": self._called, "source": number}
        made = ev.ops.builder.create("ingot.call_stablehlo", values, attributes, types)
        arrays = (result_of(value, ev.location) for value in made)
        found = [next(arrays) if x is ARRAY else x for x in source.kept]
        return rebuild(ev, source.structure, found)


def _kind(ev: Any, name: str, leaf: Any) -> Any:
    """What is known of an argument leaf: a type for JAX, or a `Static`."""
    if isinstance(leaf, Part):
        ev.fail(
            f"{describe(leaf)} can't be passed to {name} of JAX, whose shapes are static",
            "pass all of the array, and a mask",
        )
    if has_values(leaf):
        is_weak = isinstance(leaf, Scalar) and leaf.weak is not None
        return tuple(leaf.shape), leaf.held, is_weak
    if isinstance(leaf, Symbolic):
        ev.fail(f"{describe(leaf)} can't be passed to {name} of JAX", "pass arrays and numbers")
    return Static(type(leaf), leaf)


class _Source:
    """A function of JAX with flat arguments and results, and what derives from it.

    Attributes:
        given: the types of its arguments.
    """

    def __init__(self, given: list[Any]) -> None:
        self.given = given
        self._derived: dict[Any, int] = {}

    def call(self, *args: Any) -> list[Any]:
        raise NotImplementedError

    @functools.cached_property
    def results(self) -> list[Any]:
        """The types of its results."""
        with jax.enable_x64(True):
            return list(jax.eval_shape(self.call, *self.given))

    @functools.cached_property
    def text(self) -> str:
        """A StableHLO module whose `main` computes it."""
        with jax.enable_x64(True):
            lowered = jax.jit(self.call, keep_unused=True).lower(*self.given)
        functions = lowered._lowering.compile_args.get("host_callbacks")
        if not functions:
            return lowered.as_text()
        return with_callbacks(lowered.as_text(), [_in_64_bits(each) for each in functions])

    def derive(self, kind: str, which: tuple[int, ...]) -> int:
        if (kind, which) not in self._derived:
            self._derived[kind, which] = _registered(_KINDS[kind](self, which))
        return self._derived[kind, which]


def _in_64_bits(function: Callable[..., Any]) -> Callable[..., Any]:
    """A callback of JAX, which runs on a thread that does not have the settings of its caller."""

    def call(*values: Any) -> Any:
        with jax.enable_x64(True):
            return function(*map(np.asarray, values))

    return call


#: The functions that programs call, by their numbers.
SOURCES: list[_Source] = []


def _registered(source: _Source) -> int:
    SOURCES.append(source)
    return len(SOURCES) - 1


def _derive(number: int, kind: str, which: tuple[int, ...]) -> int:
    return SOURCES[number].derive(kind, which)


_core.set_call_sources(_derive)


class _Root(_Source):
    """A function of trees; the leaves that are known at compile time are no arguments."""

    def __init__(self, g: Callable[..., Any], structure: Any, kinds: tuple) -> None:
        with jax.enable_x64(True):
            super().__init__([
                jax.ShapeDtypeStruct(kind[0], kind[1], weak_type=kind[2])
                for kind in kinds if not isinstance(kind, Static)
            ])  # fmt: skip
        self._g, self._tree, self._kinds = g, structure, kinds
        #: The structure of the result, and its leaves, with `ARRAY` for arrays and numbers.
        self.structure: Any = None
        self.kept: list[Any] = []

    def call(self, *args: Any) -> list[Any]:
        given = iter(args)
        leaves = [x.value if isinstance(x, Static) else next(given) for x in self._kinds]
        positional, named = trees.rebuild(self._tree, leaves)
        found: list[Any] = []
        self.structure = trees.flatten(self._g(*positional, **named), found, alone=True)
        self.kept = [x if x is None or isinstance(x, str) else ARRAY for x in found]
        return [_array(x) for x, kept in zip(found, self.kept, strict=True) if kept is ARRAY]


def _array(leaf: Any) -> Any:
    array = jax.numpy.asarray(leaf)
    is_key = jax.dtypes.issubdtype(array.dtype, jax.dtypes.prng_key)
    return jax.random.key_data(array) if is_key else array


def _has_tangent(aval: Any) -> bool:
    return is_floating(np.dtype(aval.dtype))


class _Jvp(_Source):
    """The tangents of the results, from the arguments and the tangents of those at `which`."""

    def __init__(self, of: _Source, which: tuple[int, ...]) -> None:
        super().__init__([*of.given, *(_strong(of.given[i]) for i in which)])
        self._of, self._which = of, which

    def call(self, *args: Any) -> list[Any]:
        first = len(self._of.given)
        function = _by(self._of, args[:first], self._which)
        primals = [args[i] for i in self._which]
        results, tangents = jax.jvp(function, primals, list(args[first:]))
        return [t for x, t in zip(results, tangents, strict=True) if _has_tangent(x)]


class _Vjp(_Source):
    """The cotangents of the arguments, from these and the cotangents of the results at `which`."""

    def __init__(self, of: _Source, which: tuple[int, ...]) -> None:
        super().__init__([*of.given, *(_strong(of.results[i]) for i in which)])
        self._of, self._which = of, which

    def call(self, *args: Any) -> list[Any]:
        first = len(self._of.given)
        by = tuple(i for i, aval in enumerate(self._of.given) if _has_tangent(aval))
        results, pull = jax.vjp(_by(self._of, args[:first], by), *(args[i] for i in by))
        given = dict(zip(self._which, args[first:], strict=True))
        return list(pull([_cotangent(given.get(i), x) for i, x in enumerate(results)]))


class _Vmap(_Source):
    """The function of a batch: `which` is its size and the arguments that have it as first axis."""

    def __init__(self, of: _Source, which: tuple[int, ...]) -> None:
        size, *mapped = which
        super().__init__([
            jax.ShapeDtypeStruct((size, *x.shape), x.dtype) if i in mapped else x
            for i, x in enumerate(of.given)
        ])  # fmt: skip
        self._of, self._axes = of, tuple(0 if i in mapped else None for i in range(len(of.given)))

    def call(self, *args: Any) -> list[Any]:
        return list(jax.vmap(self._of.call, self._axes)(*args))


def _strong(aval: Any) -> Any:
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype)


def _by(source: _Source, args: Any, which: tuple[int, ...]) -> Callable[..., list[Any]]:
    """The function of its arguments at `which` alone."""

    def function(*given: Any) -> list[Any]:
        values = dict(zip(which, given, strict=True))
        return source.call(*(values.get(i, arg) for i, arg in enumerate(args)))

    return function


def _cotangent(given: Any, result: Any) -> Any:
    if given is not None:
        return given
    if _has_tangent(result):
        return jax.numpy.zeros_like(result)
    return np.zeros(result.shape, jax.dtypes.float0)


_KINDS: dict[str, Callable[..., _Source]] = {"jvp": _Jvp, "vjp": _Vjp, "vmap": _Vmap}
