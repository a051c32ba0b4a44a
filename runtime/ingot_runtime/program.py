"""`Program`: an executable, and how Python values become its inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ingot_runtime import buffers, pjrt
from ingot_runtime.effects import take_values
from ingot_runtime.error_state import check_errors
from ingot_runtime.errors import ArtifactError, UnsupportedError
from ingot_runtime.layout import Layout
from ingot_runtime.meshes import ShardedArray
from ingot_runtime.thrown import NONE, Classes, Constant, Thrown, throw
from ingot_runtime.trees import containers_of, rebuild

if TYPE_CHECKING:
    from ingot_runtime.kernels import KernelExecutable
    from ingot_runtime.spmd import MeshExecutable


@dataclass(frozen=True)
class Captured:
    """An input that is not an argument: an array or number that the function reads elsewhere.

    Attributes:
        array: a NumPy array or a number.
        name: its name in the source.
        place: an object whose `find()` returns the value for a call; None if it is always `array`.
    """

    array: Any
    name: str = ""
    place: Any = None

    def current(self) -> Any:
        """The value for a call."""
        return self.array if self.place is None else self.place.find()


@dataclass(frozen=True)
class Check:
    """A run-time check: the exception that it raises, and its position.

    Attributes:
        exception: the name of an exception class of Python, NumPy or the user.
        message: the message of the exception.
        filename: the source file.
        line: the line, counted from 1.
        column: the column, counted from 1.
        excerpt: the source line with the position underlined, on lines of their own, or "".
        assumption: what the program takes for granted that does not hold then, or "".
        number: that of the run-time values which its exception needs, or 0.
        raised: the exception; None if the class and the message say all about it.
    """

    exception: str
    message: str
    filename: str
    line: int
    column: int
    excerpt: str
    assumption: str = ""
    number: int = 0
    raised: Thrown | None = None

    @property
    def note(self) -> str:
        """The position, as exceptions have it in their notes."""
        return f"  at {self.filename}:{self.line}:{self.column}{self.excerpt}"

    def needed(self) -> int:
        """How many run-time values its exception needs."""
        return 0 if self.raised is None else self.raised.needed()

    def failure(self, values: Sequence[Any] = (), exceptions: Classes = NONE) -> Exception:
        """The exception that the source would raise.

        Its attribute `check` is this check, and its last note the position.

        Args:
            values: the run-time values that it needs.
            exceptions: the user's exception classes by name.
        """
        raised = self.raised
        if raised is None:
            args = (Constant(self.message),) if self.message else ()
            raised = Thrown(self.exception, args)
        made: Any = raised.made(values, exceptions)
        made.add_note(self.note)
        made.check = self
        return made


@dataclass
class Signature:
    """How the inputs and outputs of an executable correspond to Python values.

    Attributes:
        inputs: for each input of the executable, an argument leaf index or a `Captured`.
        result: the structure of the result; its leaves are made by `leaves`. With `changes`, the
            structure of a tuple of the result and the new contents of each changed container.
        leaves: how each result leaf is made. One of
            ("out", output, weak type, is array[, layout]): an output; the `Layout` is present if
            the array is not in C order;
            ("part", output, counts, order): the valid part of an output whose length is known only
            at run time. `counts` has pairs of an axis and the output that is its length; `order`
            is the memory order of the axes, or None for a view of the whole array;
            ("column", output, count, weak type): a list of the rows of an output, whose length is
            the output `count`;
            ("arg", input): the object of an input;
            ("static", value): a constant;
            ("object", container): a container, given by its index in `trees.containers_of` the
            arguments, or an `Outside`;
            ("leaf", index): the object of an earlier leaf.
        mutated: pairs (input, output) of the arrays that the function stores to.
        changes: the containers that the function changes, and the attributes that it deletes.
        outputs: the shape and dtype of each output of the executable except for the status.
        origins: the parameter of each input, for error messages, or "".
        prints: whether the function prints.
        apart: objects besides the arguments that must not occur in the arguments.
        exceptions: the user's exception classes that its checks raise, by name.
    """

    inputs: list[Any] = field(default_factory=list)
    result: Any = None
    leaves: list[tuple] = field(default_factory=list)
    mutated: list[tuple[int, int]] = field(default_factory=list)
    changes: list[tuple[Any, tuple[str, ...]]] = field(default_factory=list)
    outputs: list[tuple[tuple[int, ...], np.dtype]] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    prints: bool = False
    apart: tuple[Any, ...] = ()
    exceptions: dict[str, type[Exception]] = field(default_factory=dict)


#: Both have `run`, `raised`, `device`, `memory`, `cost` and `calls_back`.
Executable: TypeAlias = "pjrt.Executable | KernelExecutable | MeshExecutable"


class Program:
    """An executable for one signature.

    The fast form of a program evaluates its checks in any order, so a failure may be a false alarm.
    The precise form evaluates them in the order of the source, and raises the right exception.

    Args:
        signature: the correspondence to Python values.
        executable: the compiled code.
        checks: status i of the executable means that check i - 1 has failed. If this is empty, the
            executable has no status output.
        precise: makes the precise form of the program; None if this is the precise form.
    """

    def __init__(
        self,
        signature: Signature,
        executable: Executable,
        checks: list[Check],
        precise: Callable[[], Program] | None = None,
    ) -> None:
        self.signature = signature
        # A tuple, which is replaced in a single step for the sake of other threads.
        self._variant = executable, checks, precise
        self._precise: Program | None = None
        self._written = [i for i, _ in signature.mutated]

    @property
    def variant(self) -> tuple[Executable, list[Check], Callable[[], Program] | None]:
        """The executable that calls run, its checks, and a function that makes the precise form."""
        return self._variant

    def written(self, leaves: list[Any], arguments: Any) -> list[Any]:
        """The objects that a call with these argument leaves changes besides its results: arrays,
        containers and instances."""
        signature = self.signature
        sources = [signature.inputs[i] for i in self._written]
        arrays = [s.current() if isinstance(s, Captured) else leaves[s] for s in sources]
        if not signature.changes:
            return arrays
        objects = containers_of(arguments)
        which = [each for each, _ in signature.changes]
        return arrays + [objects[i] if isinstance(i, int) else i.value for i in which]

    def call_leaves(
        self, leaves: list[Any], as_device_arrays: bool = False, arguments: Any = ()
    ) -> Any:
        """Run on the argument leaves and return the result tree.

        Args:
            leaves: the argument leaves.
            as_device_arrays: whether to return jax.Arrays.
            arguments: the tree of the leaves, whose containers are changed after all checks pass.

        Raises:
            Exception: the exception that the source raises, if a run-time check fails.
        """
        if self.signature.apart:
            self._check_apart(leaves, arguments)
        results = self.results(leaves, as_device_arrays, arguments)
        if self.signature.result is None:
            return results[0]
        made = rebuild(self.signature.result, results)
        if not self.signature.changes:
            return made
        made, *contents = made
        objects = containers_of(arguments)
        for (which, deleted), held in zip(self.signature.changes, contents, strict=True):
            _put(objects[which] if isinstance(which, int) else which.value, held, deleted)
        return made

    def results(
        self, leaves: list[Any], as_device_arrays: bool = False, arguments: Any = ()
    ) -> list[Any]:
        """The same, but returns the leaves of the result tree."""
        check_errors()
        try:
            return self._results(leaves, as_device_arrays, arguments)
        except Exception:
            cause = self._variant[0].raised()
            if cause is None:
                raise
        raise cause

    def _results(self, leaves: list[Any], as_device_arrays: bool, arguments: Any) -> list[Any]:
        signature = self.signature
        inputs = [
            leaves[source] if type(source) is int else source.current()
            for source in signature.inputs
        ]
        if self._written:
            self._check_written(inputs)
        outputs = self._run(inputs, as_device_arrays)
        for i, output in signature.mutated:
            buffers.copy_to(inputs[i], outputs[output], *signature.outputs[output])
        found: list[Any] = []
        objects: list[Any] | None = None
        for kind, value, *form in signature.leaves:
            if kind == "out" and isinstance(outputs[value], ShardedArray):
                found.append(outputs[value])
            elif kind == "out" and as_device_arrays:
                found.append(_seen(buffers.to_jax(outputs[value]), *form))
            elif kind == "out":
                array = buffers.to_numpy(outputs[value], *signature.outputs[value])
                found.append(_in_form(array, *form))
            elif kind == "part":
                counts, order = form
                found.append(self._part(outputs, value, counts, order, as_device_arrays))
            elif kind == "column":
                count, weak = form
                rows = self._part(outputs, value, ((0, count),), None, as_device_arrays)
                found.append(_items(rows, weak))
            elif kind == "object" and isinstance(value, int):
                objects = containers_of(arguments) if objects is None else objects
                found.append(objects[value])
            elif kind == "object":
                found.append(value.value)
            elif kind == "leaf":
                found.append(found[value])
            else:
                found.append(inputs[value] if kind == "arg" else value)
        return found

    def _part(
        self,
        outputs: list[Any],
        number: int,
        counts: tuple[tuple[int, int], ...],
        order: tuple[int, ...] | None,
        as_device_array: bool,
    ) -> Any:
        """The valid part of an output, which starts at the beginning of each axis."""
        shape, dtype = self.signature.outputs[number]
        stops: list[int | None] = [None] * len(shape)
        for axis, count in counts:
            stops[axis] = int(buffers.to_numpy(outputs[count], *self.signature.outputs[count]))
        part = tuple(map(slice, stops))
        if as_device_array:
            return buffers.to_jax(outputs[number])[part]
        array = buffers.to_numpy(outputs[number], shape, dtype)
        found = array[part]
        if order is None:
            return found
        if list(order) == sorted(order):
            return array if found.shape == array.shape else found.copy()
        laid = found.transpose(order).copy()
        return laid.transpose(sorted(range(len(order)), key=order.__getitem__))

    def rehearse(self, leaves: list[Any]) -> None:
        """Run once and ignore the results, since the first run takes longer."""
        inputs = [
            s.current() if isinstance(s, Captured) else leaves[s] for s in self.signature.inputs
        ]
        self._variant[0].run(inputs)

    def _run(self, inputs: list[Any], for_jax: bool) -> list[Any]:
        """The outputs, if all checks pass; otherwise raises the exception of the source.

        A check that fails in the fast form may not be the first one in the source, or may not be
        reached there at all: the precise form decides.
        """
        executable, checks, make_precise = self._variant
        outputs = executable.run(inputs, for_jax)
        status = int(buffers.to_numpy(outputs[-1], (), np.dtype(np.int32))) if checks else 0
        if status == 0:
            return outputs
        if make_precise:
            if self._precise is None:
                self._precise = make_precise()
            outputs = self._precise._run(inputs, for_jax)
            # It was a false alarm. It is likely to repeat, so later calls run the precise form.
            self._variant = self._precise._variant
            return outputs
        throw(failure_of(checks, status, self.signature.exceptions))

    def _check_apart(self, leaves: list[Any], arguments: Any) -> None:
        """Refuse arguments that are objects which the function also reads elsewhere."""
        given = {id(each) for each in (*containers_of(arguments), *leaves)}
        for each in self.signature.apart:
            if id(each) in given:
                raise UnsupportedError(
                    f"a {type(each).__name__} is an argument, and the function reads the same "
                    "object by a name",
                    hint="pass it, or read it by the name, not both",
                    page="overlap",
                )

    def _check_written(self, inputs: list[Any]) -> None:
        """Refuse stores to arrays that are immutable, read-only or overlap with others."""
        for i in self._written:
            array = inputs[i]
            if not isinstance(array, np.ndarray):
                kind = "sharded array" if isinstance(array, ShardedArray) else "jax.Array"
                raise UnsupportedError(
                    f"the function stores to an argument that is a {kind}, which can't change",
                    hint="pass a NumPy array, or copy the argument first: a = a.copy()",
                    page="jax-array",
                )
            if not array.flags.writeable:
                raise ValueError("assignment destination is read-only")
            if _overlaps_itself(array):
                raise UnsupportedError(
                    f"the function stores to {self._origin(i)}, in which some elements share "
                    "memory",
                    hint="pass a copy: a.copy()",
                    page="overlap",
                )
            for j, other in enumerate(inputs):
                is_other = j != i and isinstance(other, np.ndarray)
                if is_other and np.may_share_memory(array, other):
                    raise UnsupportedError(
                        f"the function stores to {self._origin(i)}, which shares memory with "
                        f"{self._origin(j)}",
                        hint="pass a copy of one of them",
                        page="overlap",
                    )

    def _origin(self, number: int) -> str:
        """An input in an error message: its parameter and the position of that."""
        return self.signature.origins[number] or "an array from outside of its arguments"


def failure_of(checks: list[Check], status: int, exceptions: Classes) -> Exception:
    """The exception of the check that failed, for a status of a program in precise form."""
    if 0 < status <= len(checks):
        return checks[status - 1].failure((), exceptions)
    by_number = {check.number: check for check in reversed(checks) if check.number}
    try:
        number, values = take_values(status, by_number)
    except LookupError:
        raise ArtifactError(
            "the program fails with a check that its artifact does not list"
        ) from None
    if by_number[number].needed() > len(values):
        raise ArtifactError("the program fails with fewer values than its artifact lists")
    return by_number[number].failure(values, exceptions)


def _in_form(
    array: np.ndarray, weak: type | None = None, is_array: bool = True, layout: Layout | None = None
) -> Any:
    """A result in the form that its leaf requires: an array, a Python number or a NumPy scalar."""
    if layout is not None:
        return layout.laid(array)
    if is_array:
        return array
    return array.item() if weak else array[()]


def _items(rows: Any, weak: type | None) -> list[Any]:
    """The rows of an array, each one a new array or a number."""
    if not isinstance(rows, np.ndarray):
        return list(rows)
    if weak:
        return rows.tolist()
    return [each.copy() for each in rows] if rows.ndim > 1 else list(rows)


def _seen(
    array: Any, weak: type | None = None, is_array: bool = True, layout: Layout | None = None
) -> Any:
    """A jax.Array with the axes that its leaf requires; its memory layout can't be chosen."""
    return array if layout is None else layout.seen(array)


def _overlaps_itself(array: np.ndarray) -> bool:
    """Whether two elements of an array share memory, as in a broadcast array."""
    if array.flags.c_contiguous or array.flags.f_contiguous or array.size < 2:
        return False
    steps = [(abs(s), n) for s, n in zip(array.strides, array.shape, strict=True) if n > 1]
    extent = array.itemsize
    for stride, count in sorted(steps):
        if stride < extent:
            break
        extent += stride * (count - 1)
    else:
        return False
    offsets = np.zeros((), np.int64)
    for stride, count in steps:
        offsets = np.add.outer(offsets, np.arange(count) * stride)
    gaps = np.diff(np.sort(offsets, axis=None))
    return bool(np.any(gaps < array.itemsize))


def _put(container: Any, held: Any, deleted: tuple[str, ...]) -> None:
    """Replace the contents of a container of the caller."""
    if isinstance(container, list):
        container[:] = held
    elif isinstance(container, (dict, set)):
        container.clear()
        container.update(held)
    else:
        for name in deleted:
            object.__delattr__(container, name)
        fields = getattr(container, "__dict__", {})
        for name, value in held.items():
            if name in fields:
                fields[name] = value
            else:
                object.__setattr__(container, name, value)
