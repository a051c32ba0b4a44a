"""Functions whose arguments and results are flat lists of arrays, and what derives from them.

JAX's primitives take and give such lists. A `Program` is a function of this form; its derivatives
and batches are programs, too, made by Ingot's own transformations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot.arguments import refusal
from ingot.dtypes import CODES, OF_PYTHON
from ingot.emitted import Emitted
from ingot.lowering import Lowered
from ingot.pipeline import Options
from ingot.references import ByReference, unwrapped
from ingot.specs import Abstract
from ingot.syntax import trees
from ingot.syntax.batching import Vmap
from ingot.syntax.bodies import dtype_of, is_number, value_of
from ingot.syntax.boundary import is_same
from ingot.syntax.cells import Cell
from ingot.syntax.derivatives import Derivative, LeafFunction
from ingot.syntax.dynamic import Part
from ingot.syntax.guards import Guards
from ingot.syntax.ops import fresh
from ingot.syntax.values import GIVEN, Array, NeedsStatic, Scalar, describe
from ingot_runtime.errors import CompileError, UnsupportedError
from ingot_runtime.trees import flatten, parameters_of

#: The shape and dtype of each array.
Types = tuple[tuple[tuple[int, ...], np.dtype], ...]
#: The numbers of arguments by which a program is differentiated.
Active = tuple[int, ...]


class Needed(Exception):
    """The value of an argument leaf must be known at compile time."""

    def __init__(self, leaf: int) -> None:
        super().__init__(leaf)
        self.leaf = leaf


class Program(ByReference):
    """A function of arrays that returns a tuple of arrays.

    Attributes:
        name: the name of the function in its source.
        function: the compiled function.
    """

    # A slot, since `unwrapped` asks the class.
    __slots__ = ("__ingot_function__",)

    def __init__(self, name: str, source: Any, options: Options) -> None:
        self.name = self.__name__ = self.__qualname__ = name
        #: Where errors point to that belong to no line of it.
        self.__ingot_function__ = source
        self.options = options
        self.function = Emitted(self, options)
        self._lowered: dict[Types, tuple[Lowered, Guards]] = {}
        self._derived: dict[Any, Program] = {}

    def emit(self, ev: Any, arrays: list[Any], node: Any) -> list[Any]:
        """Emit a call, and return the arrays of the result."""
        raise NotImplementedError

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> tuple:
        return tuple(self.emit(ev, list(args), node))

    def lowered(self, types: Types) -> Lowered:
        """The program for arguments of these types, for as long as what it reads stays the same.

        Raises:
            CompileError: at the position of code that can't be compiled.
            Needed: the value of an argument must be known.
        """
        found = self._lowered.get(types)
        if found is not None and found[1].failed() < 0:
            return found[0]
        given = tuple(Abstract(shape, dtype) for shape, dtype in types)
        made = self.function.lower_tree(given, {}, alone=True)[0]
        self._lowered[types] = made, made.reads.guards()
        return made

    def results(self, types: Types) -> Types:
        """The types of the results for arguments of these types."""
        outputs = self.lowered(types).signature.outputs
        return tuple((tuple(shape), dtype) for shape, dtype in outputs)

    def tangents(self, active: Active) -> Program:
        """The tangents of the floating results, from the arguments and tangents of some."""
        return self._derive(_Tangents, active)

    def cotangents(self, active: Active, floating: tuple[bool, ...]) -> Program:
        """The active arguments' cotangents, from the arguments and those of floating results.

        Args:
            floating: for each result, whether it has a cotangent.
        """
        return self._derive(_Cotangents, active, floating)

    def with_gradient(self, active: Active) -> Program:
        """The result, which is one real number, and its gradient by the active arguments."""
        return self._derive(_WithGradient, active)

    def mapped(self, axes: tuple[int | None, ...]) -> Program:
        """The same for each lane: along `axes` of the arguments, and the first axis of results."""
        return self._derive(_Mapped, axes)

    def _derive(self, kind: type[_Derived], *how: Any) -> Program:
        if (kind, how) not in self._derived:
            self._derived[kind, how] = kind(self, *how)
        return self._derived[kind, how]


def is_floating(dtype: np.dtype) -> bool:
    return dtype.kind in "fc"


class _Derived(Program):
    suffix = ""

    def __init__(self, of: Program) -> None:
        super().__init__(f"{of.name}_{self.suffix}", of.__ingot_function__, of.options)
        self._of = of

    def _by(self, active: Active, ev: Any, arrays: list[Any], node: Any) -> LeafFunction:
        """The function of the active arguments alone; the others are constants."""

        def run(given: list[Any]) -> tuple:
            values = dict(zip(active, given, strict=True))
            taken = [values.get(i, array) for i, array in enumerate(arrays)]
            return tuple(self._of.emit(ev, taken, node))

        return LeafFunction(run)


class _Tangents(_Derived):
    suffix = "jvp"

    def __init__(self, of: Program, active: Active) -> None:
        super().__init__(of)
        self._active = active

    def emit(self, ev: Any, arrays: list[Any], node: Any) -> list[Any]:
        first = len(arrays) - len(self._active)
        function = self._by(self._active, ev, arrays[:first], node)
        primals = tuple(arrays[i] for i in self._active)
        pair = primals, tuple(arrays[first:])
        results, found = Derivative("jvp", function).__ingot_emit__(ev, pair, {}, node)
        return [t for x, t in zip(results, found, strict=True) if is_floating(x.dtype)]


class _Cotangents(_Derived):
    suffix = "vjp"

    def __init__(self, of: Program, active: Active, floating: tuple[bool, ...]) -> None:
        super().__init__(of)
        self._active, self._floating = active, floating

    def emit(self, ev: Any, arrays: list[Any], node: Any) -> list[Any]:
        first = len(arrays) - sum(self._floating)
        function = self._by(self._active, ev, arrays[:first], node)
        given = iter(arrays[first:])
        seeds = tuple(next(given) if has_one else 0.0 for has_one in self._floating)
        pair = tuple(arrays[i] for i in self._active), seeds
        return list(Derivative("pullback", function).__ingot_emit__(ev, pair, {}, node))


class _WithGradient(_Derived):
    suffix = "grad"

    def __init__(self, of: Program, active: Active) -> None:
        super().__init__(of)
        self._active = active

    def emit(self, ev: Any, arrays: list[Any], node: Any) -> list[Any]:
        whole = self._by(self._active, ev, arrays, node)
        function = LeafFunction(lambda given: whole.run(given)[0])
        argnums = tuple(range(len(self._active)))
        primals = tuple(arrays[i] for i in self._active)
        derivative = Derivative("value_and_grad", function, argnums)
        value, gradient = derivative.__ingot_emit__(ev, primals, {}, node)
        return [_as_array(ev, value), *gradient]


class _Mapped(_Derived):
    suffix = "vmap"

    def __init__(self, of: Program, axes: tuple[int | None, ...]) -> None:
        super().__init__(of)
        self._axes = axes

    def emit(self, ev: Any, arrays: list[Any], node: Any) -> list[Any]:
        function = LeafFunction(lambda given: tuple(self._of.emit(ev, given, node)))
        leaves: list[Any] = []
        in_axes = flatten(self._axes, leaves), tuple(leaves)
        return list(
            Vmap(function, in_axes, (None, (0,))).__ingot_emit__(ev, tuple(arrays), {}, node)
        )


def _as_array(ev: Any, leaf: Any, dtype: np.dtype | None = None) -> Array:
    """A number or an array as a new array in C order."""
    value = value_of(ev, leaf)
    if dtype is not None and CODES[dtype] != value.dtype:
        value = ev.ops.cast(value, dtype)
    return fresh(value, ev.location)


#: Marks the leaves of a result that are arrays, among those that are known at compile time.
ARRAY = object()
#: The dtypes that JAX has in place of those of 64 bits, while `jax_enable_x64` is off.
NARROWED = {
    np.dtype(wide): np.dtype(narrow)
    for wide, narrow in [
        ("int64", "int32"), ("uint64", "uint32"), ("float64", "float32"),
        ("complex128", "complex64"),
    ]
}  # fmt: skip


@dataclass(frozen=True)
class Static:
    """An argument leaf whose value is known at compile time."""

    #: The type tells 1 from True.
    kind: type
    value: Any


@dataclass(frozen=True)
class _Leaf:
    """Stands for an argument leaf where a number says of which argument it is computed."""

    index: int


class Leaves(Program):
    """A function of trees, as a function of those leaves of its arguments that are arrays.

    Args:
        function: the function, which is not bound to arguments.
        options: how it is compiled.
        structure: the structure of its arguments (args, kwargs).
        kinds: for each leaf a `Static`, the Python type of a number, or None for an array.
        is_wide: whether results have 64 bits; if not, they are converted to 32 bits.
    """

    def __init__(
        self, function: Any, options: Options, structure: Any, kinds: tuple, is_wide: bool
    ) -> None:
        plain = unwrapped(function)
        super().__init__(plain.__name__.strip("<>"), plain, options)
        self._function, self._structure, self._kinds = function, structure, kinds
        self._is_wide = is_wide
        #: By the types of the arrays: the structure of the result, its leaves that are known at
        #: compile time, with `ARRAY` for the others, and the dtypes that were converted.
        self.made: dict[Types, tuple[Any, list[Any], set[np.dtype]]] = {}

    def parameter(self, leaf: int) -> str:
        """The name of the parameter of an argument leaf."""
        return parameters_of(self.__ingot_function__, self._structure)[leaf]

    def refused(self, leaf: int, what: str, hint: str, page: str = "") -> CompileError:
        name = self.parameter(leaf)
        return refusal(UnsupportedError, self.__ingot_function__, name, what, hint, page)

    def emit(self, ev: Any, arrays: list[Any], node: Any) -> list[Any]:
        given = iter(arrays)
        leaves = [self._leaf(ev, i, kind, given) for i, kind in enumerate(self._kinds)]
        before = {i: x.storage.value for i, x in enumerate(leaves) if isinstance(x, Array)}
        cells: list[tuple[Cell, Any]] = []

        def enter(cell: Cell, number: int) -> None:
            cells.append((cell, cell.value))

        taken = iter(leaves)
        args, kwargs = trees.unflatten(ev, self._structure, taken.__next__, on_made=enter)
        try:
            result = ev.call(self._function, args, ev.entries(kwargs), node)
        except NeedsStatic as need:
            if isinstance(need.parameter, _Leaf):
                raise Needed(need.parameter.index) from None
            raise
        except CompileError:
            wanted = [NeedsStatic(each).parameter for each in ev.suggested]
            leaves_wanted = [each.index for each in wanted if isinstance(each, _Leaf)]
            if not leaves_wanted:
                raise
            raise Needed(leaves_wanted[0]) from None
        for i, value in before.items():
            if leaves[i].storage.value != value:
                raise self.refused(
                    i, "is stored to, and arrays of JAX can't change",
                    "copy it first, {name} = {name}.copy(), and return the copy", "jax-array",
                )  # fmt: skip
        if not all(is_same(cell.value, contents) for cell, contents in cells):
            ev.fail(
                f"`{self.name}` changes a list, a dict or an object of its arguments, which "
                "functions in JAX can't do",
                "copy it first, and return the copy",
                page="jax-array",
            )
        return self._flattened(ev, result, tuple((tuple(x.shape), x.dtype) for x in arrays))

    def _leaf(self, ev: Any, index: int, kind: Any, given: Iterator[Any]) -> Any:
        if isinstance(kind, Static):
            return kind.value
        array = next(given)
        if array.shape != ():
            return array
        # JAX has no scalars: an array without axes is a number of NumPy or Python. Python's have 64
        # bits, whatever JAX holds them in.
        dtype = array.dtype if kind is None else OF_PYTHON[kind]
        value = ev.ops.convert(ev.read(array), dtype)
        return Scalar(value, dtype, kind, parameter=_Leaf(index), origin=GIVEN)

    def _flattened(self, ev: Any, result: Any, types: Types) -> list[Any]:
        """The arrays of the result; the rest of it is kept in `made`."""
        found: list[Any] = []
        structure = trees.flatten(ev, result, found)
        kept, arrays, converted = [], [], set()
        for leaf in found:
            if isinstance(leaf, Part):
                ev.fail(
                    f"{describe(leaf)} can't be returned to JAX, whose shapes are static",
                    "return an array of one shape, and how many of its elements are used",
                )
            if not is_number(leaf):
                if leaf is not None and not isinstance(leaf, str):
                    ev.fail(f"{describe(leaf)} can't be returned to JAX", "return arrays")
                kept.append(leaf)
                continue
            dtype = dtype_of(leaf)
            if not self._is_wide and dtype in NARROWED:
                converted.add(dtype)
                dtype = NARROWED[dtype]
            kept.append(ARRAY)
            arrays.append(_as_array(ev, leaf, dtype))
        self.made[types] = structure, kept, converted
        return arrays
