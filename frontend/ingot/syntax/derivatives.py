"""Derivatives in compiled code: what calls of `ingot.grad(f)`, `ingot.jvp` and so on emit."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import STATIC_NUMBERS
from ingot.references import unwrapped
from ingot.syntax import batching
from ingot.syntax.bodies import (
    Body,
    Copy,
    code_of,
    dtype_of,
    evaluate,
    has_values,
    is_differentiable,
    is_number,
    like,
    own,
    value_of,
)
from ingot.syntax.dynamic import Sliced, Spans
from ingot.syntax.naming import name_of
from ingot.syntax.ops import fresh, numpy_scalar
from ingot.syntax.pieces import (
    all_left_aligned,
    check_lengths,
    describe_shape,
    padded_like,
    whole,
)
from ingot.syntax.spans import Number
from ingot.syntax.trees import flatten, rebuild, unflatten
from ingot.syntax.values import (
    Array,
    Joined,
    Symbolic,
    describe,
    is_runtime,
)
from ingot_runtime.errors import DTypeError


@dataclass(frozen=True, eq=False)
class Derivative(Symbolic):
    """A function's derivative, which compiled code calls like a function.

    Attributes:
        kind: its key in `EMIT`.
        function: the function to differentiate.
        argnums: the numbers of the positional arguments to differentiate by.
        has_aux: whether the function returns a pair, of which only the first is differentiated.
        primals: the arguments at which a pullback is evaluated; None for other kinds.
    """

    kind: str
    function: Any
    argnums: int | tuple[int, ...] = 0
    has_aux: bool = False
    primals: tuple | None = None

    @property
    def argnum_tuple(self) -> tuple[int, ...]:
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


class LeafFunction(Symbolic):
    """A function that takes and returns leaves, computed by `run`."""

    def __init__(self, run: Callable[[list[Any]], Any]) -> None:
        self.run = run

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return self.run(list(args))


def _emit(
    ev: Any, mode: str, name: str, primals: list[Any], body: Body, of: list[int], seeds: list[Value]
) -> tuple[list[Any], list[Value]]:
    """Emit `ingot.jvp` or `ingot.vjp`, whose region holds the body.

    Args:
        ev: the evaluator.
        mode: "jvp" or "vjp".
        name: the name of the differentiated function.
        primals: the leaves to differentiate by.
        body: the result of the function.
        of: the indices of the result's leaves to differentiate.
        seeds: the tangents of the primals, or the cotangents of those leaves.

    Returns:
        The leaves of the function's result, and the tangents or cotangents.
    """
    pieces = body.pieces()
    by = [n for n, (i, piece) in enumerate(pieces) if i in of and piece is whole(body.leaves[i])]
    differentials = [body.leaves[i] for i in of] if mode == "jvp" else primals
    types = body.types() + [code_of(leaf) for leaf in differentials]
    attributes = {"name": name, "of": by}
    operands = [value_of(ev, leaf) for leaf in primals] + seeds
    values = ev.ops.builder.create(f"ingot.{mode}", operands, attributes, types, 1)
    ev.has_transformations = True
    return body.outside(ev, iter(values[: len(pieces)])), values[len(pieces) :]


class Arguments:
    """The arguments of a call that is differentiated.

    Attributes:
        argnums: the numbers of the arguments to differentiate by.
        all: the leaves of these arguments.
        leaves: the floating and complex ones of them, which are the primals.
    """

    def __init__(self, ev: Any, derivative: Derivative, args: tuple, kwargs: dict) -> None:
        self.derivative, self.args, self.kwargs = derivative, args, kwargs
        self.argnums = [self._argnum(ev, argnum) for argnum in derivative.argnum_tuple]
        if len(set(self.argnums)) != len(self.argnums):
            ev.fail("argnums has an argument twice", "list each once")
        self.structures: list[Any] = []
        self.all: list[Any] = []
        for argnum in self.argnums:
            found: list[Any] = []
            self.structures.append(flatten(ev, args[argnum], found))
            found = all_left_aligned(ev, found)
            self.all += found
            if not any(map(is_differentiable, found)):
                self._refuse(ev, argnum, found[0] if found else args[argnum])
        self.leaves = [leaf for leaf in self.all if is_differentiable(leaf)]

    def _argnum(self, ev: Any, argnum: int) -> int:
        """An argument number counted from the first argument."""
        if not -len(self.args) <= argnum < len(self.args):
            ev.fail(f"there is no positional argument {argnum}", "change argnums")
        return argnum % len(self.args)

    def _refuse(self, ev: Any, argnum: int, leaf: Any) -> None:
        kind = dtype_of(leaf) if is_number(leaf) else type(leaf).__name__
        ev.fail(
            f"no gradient with respect to {_parameter(self.derivative.function, argnum)}, which "
            f"holds {kind} values",
            "pass floating numbers, x.astype(float), or choose other argnums",
            DTypeError,
        )

    def call(self, ev: Any, leaves: list[Any], node: Any) -> Any:
        """Call the function with other primals."""
        trees = dict(zip(self.argnums, self._trees(ev, leaves, lambda x: own(ev, x)), strict=True))
        args = [trees[i] if i in trees else own(ev, arg) for i, arg in enumerate(self.args)]
        kwargs = {name: own(ev, value) for name, value in self.kwargs.items()}
        return ev.call(self.derivative.function, tuple(args), kwargs, node)

    def trees(self, ev: Any, leaves: list[Any]) -> Any:
        """A tree structured as the arguments, from one leaf for each primal; None for others."""
        found = self._trees(ev, leaves, lambda _: None)
        return found[0] if isinstance(self.derivative.argnums, int) else found

    def _trees(self, ev: Any, leaves: list[Any], other: Callable[[Any], Any]) -> tuple[Any, ...]:
        chosen = iter(leaves)
        given = (next(chosen) if is_differentiable(leaf) else other(leaf) for leaf in self.all)
        return tuple(unflatten(ev, each, given.__next__) for each in self.structures)


def _parameter(function: Any, argnum: int) -> str:
    """A positional argument, as errors name it."""
    function = unwrapped(function)
    code = getattr(function, "__code__", None)
    if code is not None and argnum < code.co_argcount:
        return f"`{code.co_varnames[argnum]}`"
    return f"argument {argnum}"


# Gradients.


def _gradient(ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any) -> tuple:
    """The function's result and the gradient, structured as the arguments."""
    arguments = Arguments(ev, derivative, args, kwargs)
    body = evaluate(ev, arguments.leaves, lambda leaves: arguments.call(ev, leaves, node))
    loss = _loss(ev, derivative, body)
    # A static loss depends on no argument.
    of = [0] if is_runtime(loss) else []
    seeds = [ev.ops.constant(1, loss.held) for _ in of]
    leaves, values = _emit(
        ev, "vjp", name_of(derivative.function), arguments.leaves, body, of, seeds
    )
    result = rebuild(ev, body.structure, leaves)
    cotangents = [like(ev, x, value) for x, value in zip(arguments.leaves, values, strict=True)]
    return result, arguments.trees(ev, cotangents)


def _loss(ev: Any, derivative: Derivative, body: Body) -> Any:
    """The leaf that is differentiated: the first, which must be a real number."""
    structure = body.structure
    if derivative.has_aux:
        if structure is None or structure[0] is not tuple or len(structure[2]) != 2:
            ev.fail("with has_aux=True the function must return a pair", "return loss, others")
        structure = structure[2][0]
    first: Any = body.leaves[0] if body.leaves else None
    if structure is None and isinstance(first, STATIC_NUMBERS) and dtype_of(first).kind in "if":
        return first
    if structure is not None or not is_runtime(first):
        what = describe(first) if structure is None else f"a {structure[0].__name__}"
        ev.fail(
            f"grad needs one number, not {what}",
            "return a number, such as np.sum(...); with more results, use has_aux=True",
        )
    if first.shape != () or first.held.kind != "f":
        ev.fail(
            f"grad needs one real number, but the function returns {first.held}{list(first.shape)}",
            "reduce it, with np.sum(...) or abs(...); or differentiate in a direction with jvp",
        )
    return first


def _grad(ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any) -> Any:
    result, gradient = _gradient(ev, derivative, args, kwargs, node)
    return (gradient, result[1]) if derivative.has_aux else gradient


# Tangents and pullbacks.


class Point:
    """The point at which `jvp` or `vjp` linearises a function: all floating leaves are primals.

    Attributes:
        leaves: the leaves of the arguments.
        active: the indices of the leaves that are primals.
        chosen: these leaves.
        body: the result of the function.
        of: the indices of the result's leaves that have tangents.
    """

    def __init__(self, ev: Any, function: Any, primals: tuple, node: Any) -> None:
        self.leaves: list[Any] = []
        self.structure = flatten(ev, primals, self.leaves)
        self.leaves = all_left_aligned(ev, self.leaves)
        self.active = [i for i, leaf in enumerate(self.leaves) if is_differentiable(leaf)]
        self.chosen = [self.leaves[i] for i in self.active]

        def run(given: list[Any]) -> Any:
            values = dict(zip(self.active, given, strict=True))
            inner = [values.get(i, leaf) for i, leaf in enumerate(self.leaves)]
            return ev.call(function, own(ev, rebuild(ev, self.structure, inner)), {}, node)

        self.body = evaluate(ev, self.chosen, run)
        self.of = [i for i in self.body.yielded() if is_differentiable(self.body.leaves[i])]


def _tangent_tree(
    ev: Any, structure: Any, leaves: list[Any], indices: list[int], values: list[Value]
) -> Any:
    """A tree of tangents or cotangents: `values` for the leaves at `indices`, 0 for the others."""
    found = dict(zip(indices, values, strict=True))
    return rebuild(
        ev,
        structure,
        [like(ev, leaf, found[i]) if i in found else 0.0 for i, leaf in enumerate(leaves)],
    )


def _jvp(ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any) -> tuple:
    """The result of a function and its tangent, from the primals and their tangents."""
    primals, tangents = (tuple(ev.static_items(each)) for each in args)
    directions: list[Any] = []
    if flatten(ev, primals, []) != flatten(ev, tangents, directions):
        ev.fail(
            "primals and tangents are structured differently", "give one tangent for each primal"
        )
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
    return result, _tangent_tree(ev, at.body.structure, leaves, at.of, values)


def _pullback(ev: Any, derivative: Derivative, args: tuple, kwargs: dict, node: Any) -> tuple:
    """The cotangents of the primals, from the cotangents of the result."""
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
    return _tangent_tree(ev, at.structure, at.leaves, at.active, values)


def seed_of(ev: Any, primal: Any, tangent: Any) -> tuple[Value, list[Number]]:
    """The SSA value of a tangent, and its dynamic lengths, which must be those of its primal."""
    return (
        padded_like(ev, primal, tangent)
        if isinstance(primal, Sliced)
        else (tangent_of(ev, primal, tangent), [])
    )


def tangent_of(ev: Any, primal: Any, tangent: Any) -> Value:
    """The SSA value of a tangent, which must have the dtype and shape of its primal."""
    shape = tuple(primal.shape) if is_runtime(primal) else ()
    if isinstance(tangent, STATIC_NUMBERS) and not isinstance(tangent, np.generic) and shape == ():
        return ev.ops.constant(tangent, dtype_of(primal))
    is_same = is_runtime(tangent) and tuple(tangent.shape) == shape
    if not is_same or tangent.held != dtype_of(primal):
        ev.fail(
            f"a tangent is {describe_shape(tangent)}, but its primal is "
            f"{dtype_of(primal)}{list(shape)}",
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
    """The Jacobian: for each leaf of the result, a tree structured as the arguments."""
    arguments = Arguments(ev, derivative, args, kwargs)
    for leaf in arguments.leaves:
        if dtype_of(leaf).kind == "c":
            ev.fail(
                "jacobians with respect to complex arguments are not supported",
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

    # The function is evaluated once; its region is copied to where derivatives are taken.
    body = evaluate(ev, arguments.leaves, evaluated)
    for leaf in body.leaves:
        if not is_runtime(whole(leaf)) or whole(leaf).held.kind != "f":
            ev.fail("a jacobian needs real floating results", "return arrays of floats", DTypeError)
    copy = Copy(ev, body)
    results = copy.effects(arguments.leaves)
    blocks = _forward if is_forward else _backward
    found = blocks(
        ev,
        LeafFunction(copy.arrays),
        tuple(whole(leaf) for leaf in arguments.leaves),
        tuple(whole(leaf) for leaf in results),
        node,
    )
    rows = [
        [_block(each, result, leaf) for each, leaf in zip(row, arguments.leaves, strict=True)]
        for row, result in zip(found, results, strict=True)
    ]
    trees = (arguments.trees(ev, row) for row in rows)
    # `None` leaves of the result have no derivatives.
    return rebuild(ev, structure, [leaf if leaf is None else next(trees) for leaf in leaves])


def _forward(ev: Any, f: Any, inputs: tuple, outputs: tuple, node: Any) -> list[list[Array]]:
    """The Jacobian of each output by each input, by one batch of jvps for each input.

    Args:
        ev: the evaluator.
        f: a function of the inputs, with a tuple as its result.
        inputs: arrays or numbers.
        outputs: the results of f for them, for their shapes.
        node: the call of the Jacobian.

    Returns:
        For each output a list of arrays of shape (*output.shape, *input.shape).
    """

    def columns(i: int) -> list[Value]:
        def of(seeds: tuple) -> Any:
            return _jvp(ev, Derivative("jvp", f), (inputs, seeds), {}, node)[1]

        return _by_unit(ev, of, inputs, i, node)

    def block(column: Value, output: Any, by: Any) -> Array:
        last = ev.ops.transpose(column, [*range(1, len(column.shape)), 0])
        return fresh(ev.ops.reshape(last, [*output.shape, *by.shape]), ev.location)

    by_input = [columns(i) for i in range(len(inputs))]
    return [
        [block(column, output, by) for column, by in zip(row, inputs, strict=True)]
        for row, output in zip(zip(*by_input, strict=True), outputs, strict=True)
    ]


def _backward(ev: Any, f: Any, inputs: tuple, outputs: tuple, node: Any) -> list[list[Array]]:
    """The same as `_forward`, by one batch of vjps for each output."""

    def of(seeds: tuple) -> Any:
        return _pullback(ev, Derivative("pullback", f, primals=inputs), (seeds,), {}, node)

    def block(row: Value, output: Any) -> Array:
        return fresh(ev.ops.reshape(row, [*output.shape, *row.shape[1:]]), ev.location)

    return [
        [block(row, output) for row in _by_unit(ev, of, outputs, m, node)]
        for m, output in enumerate(outputs)
    ]


def _by_unit(
    ev: Any, function: Callable[[tuple], Any], likes: tuple, which: int, node: Any
) -> list[Value]:
    """The results of a function of tangents or cotangents, in one batch for all units of one leaf.

    Args:
        ev: the evaluator.
        function: takes a tuple of arrays like `likes`, and returns a tuple of arrays.
        likes: arrays or numbers.
        which: the index of the one that has 1 for one element and 0 for the others. The other
            arrays are 0.
        node: the call of the Jacobian.

    Returns:
        For each result its values, stacked along the first axis.
    """
    from ingot.numpy.creation import eye

    shape, dtype = likes[which].shape, dtype_of(likes[which])
    count = math.prod(shape)
    units = ev.ops.reshape(ev.read(eye(ev, count, dtype=dtype)), (count, *shape))

    def zeros(like: Any) -> Array:
        return fresh(ev.ops.zeros(like.shape, dtype_of(like)), ev.location)

    def of_unit(leaves: list[Any]) -> Any:
        return function(
            tuple(leaves[0] if i == which else zeros(each) for i, each in enumerate(likes))
        )

    batched = batching.in_compiled_code(ev, LeafFunction(of_unit))
    found = ev.call(batched, (fresh(units, ev.location),), {}, node)
    return [ev.read(each) for each in found]


def _block(block: Any, result: Any, by: Any) -> Any:
    """One block of a Jacobian, with the dynamic lengths of both leaves."""
    found = (*_spans_of(result), *_spans_of(by))
    return Sliced(block, found) if any(found) else block


def _spans_of(leaf: Any) -> Spans:
    if isinstance(leaf, Sliced):
        return leaf.spans
    return (None,) * (leaf.ndim if isinstance(leaf, Array) else 0)


def _rows(ev: Any, leaves: list[Any]) -> list[Any]:
    """The leaves for which a Jacobian has rows; a number is an SSA value of one dtype."""
    return all_left_aligned(ev, [_row(ev, leaf) for leaf in leaves if leaf is not None])


def _row(ev: Any, leaf: Any) -> Any:
    # A number's Python or NumPy type on each path does not affect its derivatives.
    if isinstance(leaf, Joined):
        return numpy_scalar(ev.read(leaf))
    return like(ev, leaf, value_of(ev, leaf)) if isinstance(leaf, STATIC_NUMBERS) else leaf


EMIT: dict[str, Callable[..., Any]] = {
    "grad": _grad,
    "value_and_grad": _gradient,
    "jvp": _jvp,
    "pullback": _pullback,
    "jacfwd": functools.partial(_jacobian, is_forward=True),
    "jacrev": functools.partial(_jacobian, is_forward=False),
}


def in_compiled_code(kind: str) -> Callable[..., Derivative]:
    """The implementation, in compiled code, of a function that makes derivatives."""

    def make(ev: Any, f: Any, argnums: Any = 0, has_aux: bool = False) -> Derivative:
        numbers = ev.static(argnums, "argnums")
        return Derivative(
            kind, f, numbers if isinstance(numbers, int) else tuple(numbers),
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
            like(ev, leaf, ev.ops.create("stop_gradient", [value_of(ev, leaf)]))
            if has_values(leaf) and dtype_of(leaf).kind in "fc"
            else leaf
            for leaf in leaves
        ],
    )
