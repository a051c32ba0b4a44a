"""The boundary of a compiled function: its arguments, and the writes to arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ingot import specs
from ingot._core import Value
from ingot.dtypes import BOOL, CODES, DTYPES, OF_PYTHON, STATIC_NUMBERS, is_supported
from ingot.syntax.cells import Argument, Cell, Storage
from ingot.syntax.evaluator import Evaluator
from ingot.syntax.guards import Varying
from ingot.syntax.leaves import reference_to
from ingot.syntax.ops import fresh
from ingot.syntax.results import Writer
from ingot.syntax.state import position_of
from ingot.syntax.trees import unflatten
from ingot.syntax.values import GIVEN, Array, Opaque, Scalar
from ingot_runtime.errors import DTypeError
from ingot_runtime.program import Captured, Signature


class Boundary:
    """The inputs and outputs of one evaluation.

    Args:
        leaves: the leaves of the arguments.
        is_static: tells by its index whether a leaf is known at compile time.
        strides_of: gives the strides of an array that is not in C order, else None.
        is_packed: whether results are in C order, not in the memory order of NumPy's.
        one_form: whether results have one form on every path (see `Options`).
    """

    def __init__(
        self,
        evaluator: Evaluator,
        leaves: list[Any],
        is_static: Callable[[int], bool],
        strides_of: Callable[[Any], tuple[int, ...] | None],
        *,
        is_packed: bool = False,
        one_form: bool = False,
    ) -> None:
        self._ev, self._leaves, self._is_static = evaluator, leaves, is_static
        self._strides_of = strides_of
        self._forms = is_packed, one_form
        self.signature = Signature()
        self._inputs: list[Storage] = []
        #: The cells of the argument containers, and their contents at entry.
        self._objects: list[tuple[Cell, Any]] = []
        self._outputs: list[Value] = []
        self._initial: dict[int, Value] = {}

    # Inputs.

    def arguments(self, structure: Any) -> tuple[tuple, dict[str, Any]]:
        """The arguments as values of the evaluator; the cells of containers know their source."""
        counter = iter(range(len(self._leaves)))
        made: list[Any] = []
        taken: list[Any] = []

        def take() -> Any:
            return self._leaf(next(counter))

        def build(part: Any) -> Any:
            return unflatten(self._ev, part, take, made, self._enter, taken)

        _, _, (args, (_, names, values)) = structure
        given = build(args)
        # The caller has no dict of the keyword arguments, but the numbering counts it.
        made.append(None)
        named = {name: build(value) for name, value in zip(names, values, strict=True)}
        self._initial = {each.number: each.value for each in self._inputs}
        return given, named

    def _enter(self, cell: Cell, number: int) -> None:
        cell.source = Argument(number)
        self._objects.append((cell, cell.value))
        self._ev.given.append(reference_to(cell))

    def _leaf(self, index: int) -> Any:
        value = self._leaves[index]
        is_number = isinstance(value, STATIC_NUMBERS)
        if self._is_static(index) or not (is_number or hasattr(value, "dtype")):
            return value
        if is_number:
            return self._number(value, index, index)
        if not is_supported(value.dtype):
            return Opaque(value.dtype)
        made = self.add_input(tuple(value.shape), np.dtype(value.dtype), index)
        made.storage.strides = self._strides_of(value)
        made.writable = getattr(value, "writable", True)
        if isinstance(value, np.ndarray):
            made.writable = value.flags.writeable
        return made

    def add_input(self, shape: tuple[int, ...], dtype: np.dtype, source: Any) -> Array:
        native = dtype if dtype.isnative else dtype.newbyteorder("=")
        if not is_supported(dtype):
            raise DTypeError(f"dtype {dtype} is not supported", hint="convert with .astype")
        builder = self._ev.ops.builder
        array = fresh(builder.add_argument((list(shape), CODES[native])))
        array.storage.swapped = not dtype.isnative
        array.storage.argument = len(self.signature.inputs)
        array.storage.source = Argument(array.storage.argument)
        self.signature.inputs.append(source)
        self._inputs.append(array.storage)
        return array

    def _number(self, value: Any, source: Any, parameter: Any) -> Scalar:
        dtype = OF_PYTHON.get(type(value)) or np.asarray(value).dtype
        weak = type(value) if type(value) in OF_PYTHON else None
        scalar = Scalar(self.add_input((), dtype, source).storage.value, dtype, weak)
        scalar.parameter, scalar.origin = parameter, GIVEN
        if dtype == BOOL:
            self._ev.flags.add(parameter)
        return scalar

    def capture(self, found: np.ndarray | Varying, name: str) -> Any:
        """An array or number from outside, made an input.

        Args:
            found: the array, or a number that may vary between calls.
            name: what the code calls it.
        """
        value, place = found, None
        if isinstance(found, Varying):
            value, place = found.value, found.place
        source = Captured(value, name, place)
        if not isinstance(value, np.ndarray):
            return self._number(value, source, place)
        if not is_supported(value.dtype):
            return Opaque(value.dtype)
        array = self.add_input(value.shape, value.dtype, source)
        array.storage.strides = specs.strides_of(value)
        array.writable = value.flags.writeable
        # It is older than everything that the code makes: its number comes first.
        array.storage.number = -array.storage.number
        return array

    # Outputs.

    def finish(self, result: Any) -> list[Value]:
        """Fill in the signature for a result, and return the outputs of the executable."""
        if self._ev.returned_at is not None:
            self._ev.filename, self._ev.node = self._ev.returned_at
        writer = Writer(self._ev, self._outputs, *self._forms)
        signature = self.signature
        signature.result = writer.structure_of(result)
        contents = []
        for cell, before in self._changed():
            which = cell.source.number if isinstance(cell.source, Argument) else cell.source
            structure, deleted = writer.contents_of(cell, before)
            contents.append(structure)
            signature.changes.append((which, deleted))
        writer.check_identities()
        if contents:
            signature.result = (tuple, None, (signature.result, *contents))
        signature.leaves = writer.leaves
        for i, storage in enumerate(self._inputs):
            before = self._initial.get(storage.number)
            if before is None and storage not in self._ev.regions[0].written:
                continue
            if before is None or storage.value != before:
                signature.mutated.append((i, len(self._outputs)))
                self._outputs.append(storage.value)
        signature.outputs = [(value.shape, DTYPES[value.dtype]) for value in self._outputs]
        signature.prints = self._ev.prints
        signature.exceptions = self._ev.exceptions
        if signature.changes or self._ev.compares_identity:
            found = [*self._ev.outside.values(), *self._ev.captured.values()]
            signature.apart = tuple(value for value, _ in found if not isinstance(value, Varying))
        signature.origins = [_origin(storage.origin) for storage in self._inputs]
        return self._outputs

    def lengths(self) -> list[tuple[int, int]]:
        """The outputs that are as long, along the first axis, as other outputs say: both numbers.

        The program's results have nothing of what is behind.
        """
        found = []
        for kind, number, *form in self.signature.leaves:
            if kind == "column":
                found.append((number, form[0]))
            elif kind == "part":
                found += [(number, count) for axis, count in form[0] if axis == 0]
        return found

    def _changed(self) -> list[tuple[Cell, Any]]:
        """The caller's containers whose contents have changed, with their contents before."""
        written = self._ev.regions[0].written
        found = [(cell, before) for cell, before in self._objects if cell in written]
        for _, reference in self._ev.outside.values():
            if reference.cell in written:
                found.append((reference.cell, written[reference.cell]))
        return [(cell, before) for cell, before in found if not is_same(cell.value, before)]


def is_same(now: Any, before: Any) -> bool:
    """Whether a container holds the same objects in the same order."""
    if now is before:
        return True
    if type(now) is not type(before):
        return False
    if isinstance(now, dict):
        pairs = zip(now.items(), before.items(), strict=False)
        return len(now) == len(before) and all(a[0] == b[0] and a[1] is b[1] for a, b in pairs)
    if isinstance(now, tuple):
        return len(now) == len(before) and all(a is b for a, b in zip(now, before, strict=True))
    return isinstance(now, set) and now == before


def _origin(location: Any) -> str:
    """The parameter that an input came with, as errors name it."""
    return f"`{location[1].arg}` ({position_of(location)})" if location else ""
