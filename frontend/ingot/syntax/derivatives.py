"""Derivatives in compiled code: what calls of `ingot.grad(f)` and its kin emit."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import CODES, OF_PYTHON, STATIC_NUMBERS
from ingot.numpy.layout import shares_elements, strides_of
from ingot.syntax.branches import Raised
from ingot.syntax.naming import name_of
from ingot.syntax.ops import fresh, numpy_scalar, static_kind
from ingot.syntax.pieces import (
    all_begun,
    check_lengths,
    describe_shape,
    lengths,
    placed,
    whole,
    with_lengths,
    with_whole,
)
from ingot.syntax.spans import Number
from ingot.syntax.state import Region
from ingot.syntax.trees import flatten, rebuild, unflatten
from ingot.syntax.values import (
    Array,
    Joined,
    Part,
    Scalar,
    Sliced,
    Spans,
    Symbolic,
    cell_numbers,
    describe,
    is_runtime,
)
from ingot_runtime.errors import DTypeError


@dataclass(frozen=True, eq=False)
class Derivative(Symbolic):
    """A function's derivative, which compiled code calls like a function.

    Attributes:
        kind: the name of the function that `EMIT` has for it.
        argnums: the positional arguments to differentiate by.
        primals: of a pullback, what it is taken at.
    """

    kind: str
    function: Any
    argnums: int | tuple[int, ...] = 0
    has_aux: bool = False
    primals: tuple | None = None

    @property
    def places(self) -> tuple[int, ...]:
        return (self.argnums,) if isinstance(self.argnums, int) else self.argnums

    @property
    def takes_arguments(self) -> bool:
        return self.kind not in ("jvp", "pullback")

    @property
    def parts(self) -> tuple:
        return self.kind, self.function, self.argnums, self.has_aux

    @property
    def described(self) -> str:
        return f"{self.kind} {self.argnums} {self.has_aux}"

    @property
    def name(self) -> str:
        return "vjp" if self.kind == "pullback" else self.kind

    @property
    def options(self) -> tuple[str, ...]:
        argnums = () if self.argnums == 0 else (f"argnums={self.argnums}",)
        return (*argnums, "has_aux=True") if self.has_aux else argnums

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return EMIT[self.kind](ev, self, args, kwargs, node)


class Slots(Symbolic):
    """A function of some leaves alone, of which `run` makes the result's leaves."""

    def __init__(self, run: Callable[[list[Any]], Any]) -> None:
        self.run = run

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return self.run(list(args))


# Functions with regions of their own.


def has_values(leaf: Any) -> bool:
    """Whether a leaf is known at run time only."""
    return is_runtime(whole(leaf))


def _is_number(leaf: Any) -> bool:
    return has_values(leaf) or isinstance(leaf, STATIC_NUMBERS)


def _dtype(leaf: Any) -> np.dtype:
    if has_values(leaf):
        return whole(leaf).held
    kind = static_kind(leaf)
    return kind if isinstance(kind, np.dtype) else OF_PYTHON[kind]


def is_differentiable(leaf: Any) -> bool:
    return _is_number(leaf) and _dtype(leaf).kind in "fc"


def _value(ev: Any, leaf: Any) -> Value:
    return ev.read(whole(leaf)) if has_values(leaf) else ev.ops.constant(leaf, _dtype(leaf))


def like(ev: Any, leaf: Any, value: Value) -> Any:
    """The value as a number, an array or a part of one, as the leaf is."""
    if isinstance(leaf, Part):
        return with_whole(leaf, fresh(value, ev.location))
    if isinstance(leaf, Array):
        return fresh(value, ev.location)
    weak = leaf.weak if isinstance(leaf, Scalar) else type(leaf)
    return Scalar(value, _dtype(leaf), weak if weak in OF_PYTHON else None)


def laid_like(ev: Any, leaf: Any, value: Value) -> Any:
    """The same, of an array one that lies in memory as the leaf does."""
    if isinstance(leaf, Part):
        return with_whole(leaf, laid_like(ev, leaf.dense, value))
    made = like(ev, leaf, value)
    if isinstance(made, Array):
        made.storage.strides = strides_of(leaf)
        made.writable = not shares_elements(leaf.shape, made.storage.strides)
    return made


@dataclass
class Body:
    """What a function gave, evaluated in a region."""

    structure: Any
    leaves: list[Any]

    def places(self) -> list[int]:
        return [i for i, leaf in enumerate(self.leaves) if has_values(leaf)]

    def pieces(self) -> list[tuple[int, Any]]:
        """What the region yields: of each leaf, by its number, all of it and its lengths."""
        return [
            (i, piece)
            for i in self.places()
            for piece in (whole(self.leaves[i]), *lengths(self.leaves[i]))
        ]

    def types(self) -> list[Type]:
        return [code_of(piece) for _, piece in self.pieces()]

    def outside(self, ev: Any, values: Iterator[Value]) -> list[Any]:
        """The leaves, of what the operation gives for the pieces."""
        found = []
        for leaf in self.leaves:
            made = laid_like(ev, leaf, next(values)) if has_values(leaf) else leaf
            found.append(with_lengths(made, values) if isinstance(made, Sliced) else made)
        return found

    def result(self, ev: Any, values: Iterator[Value]) -> Any:
        return rebuild(ev, self.structure, self.outside(ev, values))


def evaluate(ev: Any, primals: list[Any], run: Callable[[list[Any]], Any]) -> Body:
    """Begin a region whose arguments are the primals, and run a function of these in it."""

    def on_values(values: Iterable[Value]) -> Any:
        pairs = zip(primals, values, strict=True)
        return run([laid_like(ev, leaf, value) for leaf, value in pairs])

    types = [code_of(leaf) for leaf in primals]
    return in_region(ev, types, on_values, "differentiated", lambda: run(primals))


Type = tuple[list[int], int]


def in_region(
    ev: Any, types: list[Type], run: Callable[[Iterable[Value]], Any], what: str,
    outside: Callable[[], Any],
) -> Body:  # fmt: skip
    """Begin a region with arguments of those types, and run a function of them in it.

    Args:
        outside: runs the function where it is called: what raises in any case is raised there.
    """
    first = next(cell_numbers)
    mark, caller = ev.ops.builder.mark(), ev.mark_calls()
    arguments = ev.ops.builder.begin_region(types)
    region = Region()
    ev.regions.append(region)
    leaves: list[Any] = []
    try:
        structure = flatten(ev, run(arguments), leaves)
        leaves = all_begun(ev, leaves)
    except Raised:
        ev.return_to(caller)
        ev.regions.pop().undo()
        ev.ops.builder.rollback(mark)
        outside()
        raise
    body = Body(structure, leaves)
    ev.ops.builder.end_region("ingot.yield", [ev.read(piece) for _, piece in body.pieces()])
    ev.regions.pop()
    if ev.node is not None:
        ev.at(ev.node)
    # What is captured in the region is an input of the whole program.
    changed = next((cell for cell in region.written if cell.number < first), None)
    if changed is not None:
        noun = "an array" if changed.kind is np.ndarray else f"a {changed.kind.__name__}"
        verb = "stores to" if changed.kind is np.ndarray else "changes"
        ev.fail(
            f"a function that is {what} {verb} {noun} from outside",
            f"pass the {noun.split()[1]} as an argument, or return what changes",
        )
    region.undo()
    return body


class Copy:
    """A body that is kept, and copied to where its results are needed."""

    def __init__(self, ev: Any, body: Body) -> None:
        self.ev, self.body = ev, body
        self.number = ev.ops.builder.keep_region()
        whole_leaves = {id(whole(leaf)) for leaf in body.leaves}
        self.is_array = [id(piece) in whole_leaves for _, piece in body.pieces()]

    def arrays(self, primals: list[Any]) -> tuple[Any, ...]:
        """The leaves for other primals, computed here, all of each."""
        values = self._copied(primals, are_arrays=True)
        return tuple(
            laid_like(self.ev, whole(leaf), value)
            for leaf, value in zip(self.body.leaves, values, strict=True)
        )

    def effects(self, primals: list[Any]) -> list[Any]:
        """Checks and prints for other primals; gives leaves with zeros, of the lengths there."""
        counts = iter(self._copied(primals, are_arrays=False))
        found = []
        for leaf in self.body.leaves:
            held = whole(leaf)
            made = laid_like(self.ev, leaf, self.ev.ops.zeros(held.shape, held.dtype))
            found.append(with_lengths(made, counts) if isinstance(made, Sliced) else made)
        return found

    def _copied(self, primals: list[Any], are_arrays: bool) -> list[Value]:
        wanted = [n for n, is_array in enumerate(self.is_array) if is_array == are_arrays]
        given = [_value(self.ev, leaf) for leaf in primals]
        return self.ev.ops.builder.copy_kept(self.number, given, wanted)


def _emit(
    ev: Any, mode: str, name: str, primals: list[Any], body: Body, of: list[int], seeds: list[Value]
) -> tuple[list[Any], list[Value]]:
    """The leaves of the body's result, and the values of the derivative."""
    pieces = body.pieces()
    by = [n for n, (i, piece) in enumerate(pieces) if i in of and piece is whole(body.leaves[i])]
    slopes = [body.leaves[i] for i in of] if mode == "jvp" else primals
    types = body.types() + [code_of(leaf) for leaf in slopes]
    attributes = {"name": name, "of": by}
    operands = [_value(ev, leaf) for leaf in primals] + seeds
    values = ev.ops.builder.create(f"ingot.{mode}", operands, attributes, types, 1)
    ev.has_transformations = True
    return body.outside(ev, iter(values[: len(pieces)])), values[len(pieces) :]


def code_of(leaf: Any) -> Type:
    return list(whole(leaf).shape) if has_values(leaf) else [], CODES[_dtype(leaf)]


def own(ev: Any, value: Any) -> Any:
    """A tree whose arrays are copies: a derivative does not change its arguments."""
    leaves: list[Any] = []
    structure = flatten(ev, value, leaves)
    return rebuild(
        ev,
        structure,
        [laid_like(ev, x, _value(ev, x)) if isinstance(x, (Array, Part)) else x for x in leaves],
    )


class Arguments:
    """The arguments of a call, some of whose leaves are differentiated by: the floating ones of
    those that are chosen."""

    def __init__(self, ev: Any, derivative: Derivative, args: tuple, kwargs: dict) -> None:
        self.derivative, self.args, self.kwargs = derivative, args, kwargs
        self.places = [self._place(ev, number) for number in derivative.places]
        if len(set(self.places)) != len(self.places):
            ev.fail("argnums has an argument twice", "list each once")
        self.structures: list[Any] = []
        self.all: list[Any] = []
        for place in self.places:
            found: list[Any] = []
            self.structures.append(flatten(ev, args[place], found))
            found = all_begun(ev, found)
            self.all += found
            if not any(map(is_differentiable, found)):
                self._refuse(ev, place, found[0] if found else args[place])
        self.leaves = [leaf for leaf in self.all if is_differentiable(leaf)]

    def _place(self, ev: Any, number: int) -> int:
        if not -len(self.args) <= number < len(self.args):
            ev.fail(f"there is no positional argument {number}", "change argnums")
        return number % len(self.args)

    def _refuse(self, ev: Any, place: int, leaf: Any) -> None:
        kind = _dtype(leaf) if _is_number(leaf) else type(leaf).__name__
        ev.fail(
            f"no gradient by {_parameter(self.derivative.function, place)}, which holds {kind} "
            "values",
            "pass floating numbers, x.astype(float), or choose other argnums",
            DTypeError,
        )

    def call(self, ev: Any, leaves: list[Any], node: Any) -> Any:
        """Call the function with other leaves in the place of those."""
        trees = dict(zip(self.places, self._trees(ev, leaves, lambda x: own(ev, x)), strict=True))
        args = [trees[i] if i in trees else own(ev, arg) for i, arg in enumerate(self.args)]
        kwargs = {name: own(ev, value) for name, value in self.kwargs.items()}
        return ev.call(self.derivative.function, tuple(args), kwargs, node)

    def trees(self, ev: Any, leaves: list[Any]) -> Any:
        """Leaves, one for each of those, structured as the arguments: None for other leaves."""
        found = self._trees(ev, leaves, lambda _: None)
        return found[0] if isinstance(self.derivative.argnums, int) else found

    def _trees(self, ev: Any, leaves: list[Any], other: Callable[[Any], Any]) -> tuple[Any, ...]:
        chosen = iter(leaves)
        given = (next(chosen) if is_differentiable(leaf) else other(leaf) for leaf in self.all)
        return tuple(unflatten(ev, each, given.__next__) for each in self.structures)


def _parameter(function: Any, place: int) -> str:
    """A positional argument as errors name it."""
    function = getattr(function, "__ingot_function__", function)
    code = getattr(function, "__code__", None)
    if code is not None and place < code.co_argcount:
        return f"`{code.co_varnames[place]}`"
    return f"argument {place}"


# Gradients.


def _gradient(ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any) -> tuple:
    """The function's result and the gradient, structured as the arguments."""
    arguments = Arguments(ev, derivative, args, kwargs)
    body = evaluate(ev, arguments.leaves, lambda leaves: arguments.call(ev, leaves, node))
    loss = _loss(ev, derivative, body)
    # What is known already depends on nothing.
    of = [0] if is_runtime(loss) else []
    seeds = [ev.ops.constant(1, loss.held) for _ in of]
    leaves, values = _emit(
        ev, "vjp", name_of(derivative.function), arguments.leaves, body, of, seeds
    )
    result = rebuild(ev, body.structure, leaves)
    slopes = [like(ev, x, value) for x, value in zip(arguments.leaves, values, strict=True)]
    return result, arguments.trees(ev, slopes)


def _loss(ev: Any, derivative: Derivative, body: Body) -> Any:
    """The leaf that is differentiated: one real number, and the first."""
    structure = body.structure
    if derivative.has_aux:
        if structure is None or structure[0] is not tuple or len(structure[2]) != 2:
            ev.fail("with has_aux=True the function gives a pair", "return loss, others")
        structure = structure[2][0]
    first: Any = body.leaves[0] if body.leaves else None
    if structure is None and isinstance(first, STATIC_NUMBERS) and _dtype(first).kind in "if":
        return first
    if structure is not None or not is_runtime(first):
        what = describe(first) if structure is None else f"a {structure[0].__name__}"
        ev.fail(
            f"grad needs one number, not {what}",
            "return a number, such as np.sum(...); with more results, use has_aux=True",
        )
    if first.shape != () or first.held.kind != "f":
        ev.fail(
            f"grad needs one real number, but the function gives {first.held}{list(first.shape)}",
            "reduce it, with np.sum(...) or abs(...); or differentiate in a direction with jvp",
        )
    return first


def _grad(ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any) -> Any:
    result, gradient = _gradient(ev, derivative, args, kwargs, node)
    return (gradient, result[1]) if derivative.has_aux else gradient


# Directions and pullbacks.


class Point:
    """The arguments of a function, all of whose floating leaves are differentiated by."""

    def __init__(self, ev: Any, function: Any, primals: tuple, node: Any) -> None:
        self.leaves: list[Any] = []
        self.structure = flatten(ev, primals, self.leaves)
        self.leaves = all_begun(ev, self.leaves)
        self.active = [i for i, leaf in enumerate(self.leaves) if is_differentiable(leaf)]
        self.chosen = [self.leaves[i] for i in self.active]

        def run(given: list[Any]) -> Any:
            values = dict(zip(self.active, given, strict=True))
            inner = [values.get(i, leaf) for i, leaf in enumerate(self.leaves)]
            return ev.call(function, own(ev, rebuild(ev, self.structure, inner)), {}, node)

        self.body = evaluate(ev, self.chosen, run)
        #: The leaves of the result that have tangents.
        self.of = [i for i in self.body.places() if is_differentiable(self.body.leaves[i])]


def _slopes(ev: Any, structure: Any, leaves: list[Any], by: list[int], values: list[Value]) -> Any:
    """A tree of (co)tangents of leaves: 0 for those that `by` does not list."""
    found = dict(zip(by, values, strict=True))
    return rebuild(
        ev,
        structure,
        [like(ev, leaf, found[i]) if i in found else 0.0 for i, leaf in enumerate(leaves)],
    )


def _jvp(ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any) -> tuple:
    """Of a function's primals and tangents, the result and its tangent."""
    primals, tangents = (tuple(ev.static_items(each)) for each in args)
    directions: list[Any] = []
    if flatten(ev, primals, []) != flatten(ev, tangents, directions):
        ev.fail("primals and tangents are structured differently", "give one for each")
    at = Point(ev, derivative.function, primals, node)
    seeds = []
    for i in at.active:
        seed, counts = seed_of(ev, at.leaves[i], directions[i])
        check_lengths(ev, at.leaves[i], counts)
        seeds.append(seed)
    leaves, values = _emit(
        ev, "jvp", name_of(derivative.function), at.chosen, at.body, at.of, seeds
    )
    result = rebuild(ev, at.body.structure, leaves)
    return result, _slopes(ev, at.body.structure, leaves, at.of, values)


def _pullback(ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any) -> tuple:
    """Of primals and cotangents of the result, the cotangents of the primals."""
    primals, given = (derivative.primals, args[0]) if derivative.primals is not None else args
    at = Point(ev, derivative.function, tuple(ev.static_items(primals)), node)
    cotangents: list[Any] = []
    if flatten(ev, given, cotangents) != at.body.structure:
        ev.fail("the cotangents are not structured as the function's result", "give one for each")
    found = [seed_of(ev, at.body.leaves[i], cotangents[i]) for i in at.of]
    seeds = [seed for seed, _ in found]
    name = name_of(derivative.function)
    leaves, values = _emit(ev, "vjp", name, at.chosen, at.body, at.of, seeds)
    for i, (_, counts) in zip(at.of, found, strict=True):
        check_lengths(ev, leaves[i], counts)
    return _slopes(ev, at.structure, at.leaves, at.active, values)


def seed_of(ev: Any, primal: Any, tangent: Any) -> tuple[Value, list[Number]]:
    """A tangent's value, and of a part's the lengths, which must be the part's."""
    return (
        placed(ev, primal, tangent)
        if isinstance(primal, Sliced)
        else (tangent_of(ev, primal, tangent), [])
    )


def tangent_of(ev: Any, primal: Any, tangent: Any) -> Value:
    """A tangent's value, which has its primal's dtype and shape."""
    shape = tuple(primal.shape) if is_runtime(primal) else ()
    if isinstance(tangent, STATIC_NUMBERS) and not isinstance(tangent, np.generic) and shape == ():
        return ev.ops.constant(tangent, _dtype(primal))
    is_same = is_runtime(tangent) and tuple(tangent.shape) == shape
    if not is_same or tangent.held != _dtype(primal):
        ev.fail(
            f"a tangent is {describe_shape(tangent)}, but its primal {_dtype(primal)}{list(shape)}",
            "give tangents the dtypes and shapes of the primals",
            DTypeError,
        )
    return ev.read(tangent)


def vjp(ev: Any, function: Any, *primals: Any) -> tuple[Any, Derivative]:
    primals = tuple(own(ev, each) for each in primals)
    result = ev.call(function, tuple(own(ev, each) for each in primals), {}, ev.node)
    return result, Derivative("pullback", function, primals=primals)


# Jacobians.


def _jacobian(
    ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any, *, is_forward: bool
) -> Any:
    """For each leaf of the result, its derivatives by the arguments, structured as these."""
    from ingot.numpy.library import jacobians

    arguments = Arguments(ev, derivative, args, kwargs)
    for leaf in arguments.leaves:
        if _dtype(leaf).kind == "c":
            ev.fail(
                "jacobians by complex arguments are not supported",
                "take the real and the imaginary part as two arguments",
                DTypeError,
            )
    structure: Any = None
    leaves: list[Any] = []

    def evaluated(given: list[Any]) -> Any:
        nonlocal structure
        leaves.clear()
        structure = flatten(ev, arguments.call(ev, given, node), leaves)
        return tuple(_rows(ev, leaves))

    # The function is evaluated once, and copied to where its derivatives are taken.
    body = evaluate(ev, arguments.leaves, evaluated)
    for leaf in body.leaves:
        if not is_runtime(whole(leaf)) or whole(leaf).held.kind != "f":
            ev.fail("a jacobian needs real floating results", "return arrays of floats", DTypeError)
    copy = Copy(ev, body)
    results = copy.effects(arguments.leaves)
    way = jacobians.forward if is_forward else jacobians.backward
    inputs = tuple(whole(leaf) for leaf in arguments.leaves)
    outputs = tuple(whole(leaf) for leaf in results)
    blocks = ev.inline(way, (Slots(copy.arrays), inputs, outputs), {}, node)
    rows = [
        [
            _block(each, result, leaf)
            for each, leaf in zip(ev.static_items(row), arguments.leaves, strict=True)
        ]
        for row, result in zip(ev.static_items(blocks), results, strict=True)
    ]
    trees = (arguments.trees(ev, row) for row in rows)
    # A derivative of a tree has none for what is no float in that.
    return rebuild(ev, structure, [leaf if leaf is None else next(trees) for leaf in leaves])


def _block(block: Any, result: Any, by: Any) -> Any:
    """The derivatives of a leaf by another, of which as much counts as of these."""
    found = (*_spans_of(result), *_spans_of(by))
    return Sliced(block, found) if any(found) else block


def _spans_of(leaf: Any) -> Spans:
    if isinstance(leaf, Sliced):
        return leaf.spans
    return (None,) * (leaf.ndim if isinstance(leaf, Array) else 0)


def _rows(ev: Any, leaves: list[Any]) -> list[Any]:
    """The leaves that a jacobian has rows for, numbers as values of one dtype."""
    return all_begun(ev, [_row(ev, leaf) for leaf in leaves if leaf is not None])


def _row(ev: Any, leaf: Any) -> Any:
    # Of which kind a number is on each path does not change its derivatives.
    if isinstance(leaf, Joined):
        return numpy_scalar(ev.read(leaf))
    return like(ev, leaf, _value(ev, leaf)) if isinstance(leaf, STATIC_NUMBERS) else leaf


EMIT: dict[str, Callable[..., Any]] = {
    "grad": _grad,
    "value_and_grad": _gradient,
    "jvp": _jvp,
    "pullback": _pullback,
    "jacfwd": functools.partial(_jacobian, is_forward=True),
    "jacrev": functools.partial(_jacobian, is_forward=False),
}


def in_compiled_code(kind: str) -> Callable[..., Derivative]:
    """What compiled code calls for a function that makes derivatives."""

    def make(ev: Any, f: Any, argnums: Any = 0, has_aux: bool = False) -> Derivative:
        places = ev.static(argnums, "argnums")
        return Derivative(
            kind, f, places if isinstance(places, int) else tuple(places),
            bool(ev.static(has_aux, "has_aux")),
        )  # fmt: skip

    return make


def stop_gradient(ev: Any, x: Any) -> Any:
    leaves: list[Any] = []
    structure = flatten(ev, x, leaves)
    return rebuild(
        ev,
        structure,
        [
            like(ev, leaf, ev.ops.create("stop_gradient", [_value(ev, leaf)]))
            if has_values(leaf) and _dtype(leaf).kind in "fc"
            else leaf
            for leaf in leaves
        ],
    )
