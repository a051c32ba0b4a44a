"""`to_jax`: NumPy source as a function that JAX traces and transforms."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ingot.arguments import Unsuitable, abstract_of, refuse
from ingot.callables import Bound, resolved
from ingot.flat import ARRAY, Leaves, Needed, Static, Types
from ingot.function import Function
from ingot.jax_primitives import call_p
from ingot.jit import jit
from ingot_runtime.errors import UnsupportedError
from ingot_runtime.trees import flatten, rebuild

#: Python's numbers, which are weakly typed.
_NUMBERS: tuple[type, ...] = (bool, int, float, complex)


def to_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of NumPy code a function that JAX traces and transforms.

    It can be called anywhere in code for JAX: in `jax.jit`, `grad`, `jvp`, `vmap`, `hessian`,
    `lax.scan`, `checkpoint`, `export` and their compositions. In JAX's programs it is a call of the
    StableHLO that Ingot compiles the source to; derivatives and batches are Ingot's. Outside of
    transformations, it runs as the compiled function itself.

    The dtypes of the results are NumPy's. While `jax_enable_x64` is off, JAX has no arrays of 64
    bits: results are computed as NumPy does, then rounded to 32 bits, with a warning.

    Args:
        f: a Python function, a compiled function or a transformed one.

    Returns:
        A function with the parameters of `f`. Its arguments are trees of arrays and numbers; other
        leaves, such as strings, are known at compile time. Its results are trees of jax.Arrays.

    Raises:
        UnsupportedError: `f` is compiled with options that belong to a program of its own:
            `device`, `donate`, `mesh` or `strict_fp`. When called, at the position of the source:
            the function stores to its arguments, needs the value of an array, or returns an array
            of a length known only at run time.
        CompileError: when called, at the position of code that can't be compiled.

    Example:
        >>> import jax
        >>> def energy(x):
        ...     return np.sum((x[1:] - x[:-1]) ** 2)
        >>> jax.grad(ingot.to_jax(energy))(jax.numpy.arange(3.0)).tolist()
        [-2.0, 0.0, 2.0]
    """
    function = f if isinstance(f, Function) else jit(f)
    options = function._options
    given = {
        "device": options.device, "donate": options.donate, "mesh": options.placement,
        "strict_fp": options.strict_fp,
    }  # fmt: skip
    for name, value in given.items():
        if value:
            raise UnsupportedError(
                f"{function!r} has the option {name}, which holds for programs of its own",
                hint="leave it out: JAX decides how its programs run",
            )
    calls = _Calls(function)

    @functools.wraps(f, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        return calls(args, kwargs)

    return call


class _Calls:
    """The programs of one function, by what is known of its arguments at compile time."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._programs: dict[Any, Leaves] = {}
        self._warned: set[np.dtype] = set()
        #: The leaves whose values must be known, by program and types.
        self._fixed: dict[Any, set[int]] = {}

    def __call__(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        # What it traces has the rules of custom_vjp and the like.
        function = self._function._traced
        if isinstance(self._function, Bound):
            function, args, kwargs = resolved(self._function, args, kwargs)
        leaves: list[Any] = []
        structure = flatten((args, kwargs), leaves, alone=True)
        declared = self._function._declared(args, kwargs) if self._function._static else frozenset()
        program, arrays, types = self._found(function, structure, leaves, declared)
        results = iter(call_p.bind(*arrays, program=program))
        made, kept, converted = program.made[types]
        if not converted <= self._warned:
            self._warn(program, converted)
        return rebuild(made, [next(results) if x is ARRAY else x for x in kept])

    def _found(
        self, function: Any, structure: Any, leaves: list[Any], declared: frozenset[int]
    ) -> tuple[Leaves, list[Any], Types]:
        """The program of a call, its arrays and their types."""
        found = [self._leaf(structure, leaves, i, i in declared) for i in range(len(leaves))]
        program = self._program(function, structure, found)
        key = program, _types(found)
        while True:
            for i in self._fixed.get(key, ()):
                if type(leaves[i]) not in _NUMBERS:
                    raise program.refused(
                        i, "must be known when the function is compiled",
                        "pass a Python number, in jax.jit by static_argnums",
                        "known-at-compile-time",
                    )  # fmt: skip
                found[i] = _static(leaves[i]), None
            made, types = self._program(function, structure, found), _types(found)
            try:
                made.lowered(types)
            except Needed as need:
                self._fixed[key] = {*self._fixed.get(key, ()), need.leaf}
                continue
            return made, [array for _, array in found if array is not None], types

    def _program(self, function: Any, structure: Any, found: list[tuple[Any, Any]]) -> Leaves:
        key = function, structure, tuple(kind for kind, _ in found), _has_64_bits()
        if key not in self._programs:
            self._programs[key] = Leaves(function, self._function._options, *key[1:])
        return self._programs[key]

    def _leaf(
        self, structure: Any, leaves: list[Any], index: int, is_static: bool
    ) -> tuple[Any, Any]:
        """The kind of a leaf, as for `Leaves`, and its jax.Array or None."""
        leaf = leaves[index]
        if is_static:
            return _static(leaf), None
        if isinstance(leaf, _NUMBERS) and type(leaf) in _NUMBERS:
            return type(leaf), jax.numpy.asarray(leaf)
        if not isinstance(leaf, (jax.Array, np.ndarray, np.generic)):
            try:
                abstract = abstract_of(leaf)
                hash(abstract)
            except (TypeError, Unsuitable):
                refuse(self._function.__ingot_function__, structure, leaves)
            return _static(leaf), None
        if not isinstance(leaf, jax.Array):
            return None, jax.numpy.asarray(leaf)
        if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return None, jax.random.key_data(leaf)
        is_number = leaf.weak_type and not leaf.shape
        return (type(np.zeros((), leaf.dtype).item()) if is_number else None), leaf

    def _warn(self, program: Leaves, converted: set[np.dtype]) -> None:
        self._warned |= converted
        names = " and ".join(sorted(map(str, converted)))
        warnings.warn(
            f"{program.name} gives {names} as NumPy does, which JAX holds in 32 bits while "
            "jax_enable_x64 is off: set it, or convert the result",
            stacklevel=4,
        )


def _static(leaf: Any) -> Any:
    return Static(type(leaf), leaf)


def _types(found: list[tuple[Any, Any]]) -> Types:
    return tuple((tuple(x.shape), np.dtype(x.dtype)) for _, x in found if x is not None)


def _has_64_bits() -> bool:
    return jax.dtypes.canonicalize_dtype(np.float64) == np.float64
