"""Calls of checkpointed functions, and of functions with user-defined derivative rules."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ingot.syntax.bodies import Body, evaluate, has_values, is_differentiable, like, own
from ingot.syntax.branches import Raised
from ingot.syntax.derivatives import seed_of
from ingot.syntax.dynamic import Part
from ingot.syntax.pieces import all_left_aligned, check_lengths, whole
from ingot.syntax.trees import flatten, rebuild, unflatten
from ingot_runtime.errors import UnsupportedError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def checkpoint(ev: Evaluator, function: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
    """A call for which reverse mode keeps no residuals, but recomputes the function."""
    args = own(ev, args)
    kwargs = own(ev, kwargs)
    body = evaluate(ev, [], lambda _: ev.call(function, args, kwargs, node))
    types = body.types()
    values = ev.ops.builder.create("ingot.checkpoint", [], {}, types, 1) if types else ()
    return body.result(ev, iter(values))


def numpy_function(ev: Evaluator, name: str, function: Any, arrays: tuple, node: Any) -> Any:
    """A call of a function that computes what a generalised ufunc of NumPy does.

    The ufunc raises nothing, so what the function would raise comes to no handler.
    """
    with _past_handlers(ev):
        body = evaluate(ev, list(arrays), lambda given: ev.call(function, tuple(given), {}, node))
    operands = [ev.read(each) for each in arrays]
    values = ev.ops.builder.create(
        "ingot.numpy_function", operands, {"name": name}, body.types(), 1
    )
    return body.result(ev, iter(values))


@contextlib.contextmanager
def _past_handlers(ev: Evaluator) -> Iterator[None]:
    """What is raised inside comes to no handler of the `try` statements around."""
    tries, ev.tries = ev.tries, []
    try:
        yield
    finally:
        ev.tries = tries


class Call:
    """The arguments of a call of a function with a rule, as a tree.

    Attributes:
        leaves: all leaves.
        indices: the leaf indices of run-time numbers and arrays, which are the operands.
        operands: these leaves.
        floating: the leaf indices of the differentiable ones.
    """

    def __init__(self, ev: Evaluator, args: tuple) -> None:
        self.leaves: list[Any] = []
        self.structure = flatten(ev, args, self.leaves)
        self.leaves = all_left_aligned(ev, self.leaves)
        self.indices = [i for i, leaf in enumerate(self.leaves) if has_values(leaf)]
        self.operands = [self.leaves[i] for i in self.indices]
        self.floating = [i for i in self.indices if is_differentiable(self.leaves[i])]

    def args(self, ev: Evaluator, given: list[Any]) -> tuple:
        """The arguments with other operands."""
        values = dict(zip(self.indices, given, strict=True))
        leaves = [values.get(i, leaf) for i, leaf in enumerate(self.leaves)]
        return own(ev, rebuild(ev, self.structure, leaves))


def _filled(ev: Evaluator, structure: Any, leaves: list[Any], values: dict[int, Any]) -> Any:
    """A tree of tangents or cotangents: those in `values`, by leaf index, and zeros."""
    return rebuild(ev, structure, [values.get(i, 0.0) for i in range(len(leaves))])


def _given(
    ev: Evaluator, tree: Any, structure: Any, leaves: list[Any], wanted: list[int], what: str
):
    """The tangents or cotangents that a rule returned for the wanted leaves; None means zeros."""
    found: list[Any] = []
    if flatten(ev, tree, found) != structure:
        ev.fail(f"the rule's {what} are not structured as these", "give one for each; None is zero")
    result = []
    for i in wanted:
        leaf = leaves[i]
        value = found[i]
        if value is None or (not has_values(value) and value == 0):
            result.append(_zero(ev, leaf))
            continue
        seed, counts = seed_of(ev, leaf, value)
        check_lengths(ev, leaf, counts)
        result.append(like(ev, whole(leaf), seed))
    return tuple(result)


def _zero(ev: Evaluator, leaf: Any) -> Any:
    held = whole(leaf)
    return like(ev, held, ev.ops.zeros(held.shape, held.dtype))


#: Evaluates a rule: takes the call, its result, the leaf indices of the differentiable results, the
#: operands and the seeds (tangents of the operands or cotangents of the results).
Derive = Callable[[Call, Body, list[int], list[Any], list[Any]], Any]


def _custom(ev: Evaluator, mode: str, function: Any, args: tuple, node: Any, derive: Derive) -> Any:
    """Emit a call of a function with a rule; within the rule, calls of it are ordinary ones."""
    call = Call(ev, args)
    if not call.operands or any(each is function for each in ev.ruled):
        return ev.call(function, args, {}, node)
    body = evaluate(ev, call.operands, lambda x: ev.call(function, call.args(ev, x), {}, node))
    wanted = [i for i in body.yielded() if is_differentiable(body.leaves[i])]
    if any(isinstance(body.leaves[i], Part) for i in wanted):
        # The region of the rule has no operand for the lengths of the (co)tangents.
        ev.fail(
            "a function with a rule for its derivative gives an array of a length known only at "
            "run time",
            "give all of the array, and select afterwards",
        )
    # The primals of what the rule takes, and of what it returns.
    seeded = [call.leaves[i] for i in call.floating]
    derived = [body.leaves[i] for i in wanted]
    if mode == "vjp":
        seeded, derived = derived, seeded
    count = len(call.operands)

    def rule(given: list[Any]) -> Any:
        caller = ev.mark_calls()
        try:
            return derive(call, body, wanted, given[:count], given[count:])
        except Raised:
            # The rule always raises. The check is in its region, so only derivatives raise.
            ev.return_to(caller)
            return tuple(_zero(ev, leaf) for leaf in derived)

    ev.ruled.append(function)
    try:
        evaluate(ev, [*call.operands, *seeded], rule)
    finally:
        ev.ruled.pop()
    values = ev.ops.builder.create(
        "ingot.custom_derivative", [ev.read(whole(leaf)) for leaf in call.operands],
        {"mode": f"#ingot<derivative_mode {mode}>"}, body.types(), 2,
    )  # fmt: skip
    return body.result(ev, iter(values))


def custom_jvp(ev: Evaluator, function: Any, rule: Any, args: tuple, node: Any) -> Any:
    if rule is None:
        raise UnsupportedError("a function of custom_jvp has no rule", hint="call f.defjvp(rule)")

    def tangents(call: Call, body: Body, wanted: list[int], given: list, seeds: list) -> Any:
        by_leaf = dict(zip(call.floating, seeds, strict=True))
        directions = _filled(ev, call.structure, call.leaves, by_leaf)
        with _past_handlers(ev):
            pair = ev.call(rule, (call.args(ev, given), directions), {}, node)
        if not isinstance(pair, tuple) or len(pair) != 2:
            ev.fail("a rule of custom_jvp gives a pair", "return the result and its tangent")
        return _given(ev, pair[1], body.structure, body.leaves, wanted, "tangents")

    return _custom(ev, "jvp", function, args, node, tangents)


def custom_vjp(ev: Evaluator, function: Any, rule: Any, args: tuple, node: Any) -> Any:
    if rule is None:
        raise UnsupportedError(
            "a function of custom_vjp has no rule", hint="call f.defvjp(forward, backward)"
        )
    forward, backward = rule

    def cotangents(call: Call, body: Body, wanted: list[int], given: list, seeds: list) -> Any:
        with _past_handlers(ev):
            pair = ev.call(forward, call.args(ev, given), {}, node)
        if not isinstance(pair, tuple) or len(pair) != 2:
            ev.fail("the first rule of custom_vjp gives a pair", "return result, residuals")
        by_leaf = dict(zip(wanted, seeds, strict=True))
        seeds = _filled(ev, body.structure, body.leaves, by_leaf)
        with _past_handlers(ev):
            found = ev.call(backward, (pair[1], seeds), {}, node)
        given_back = _spread(ev, call, tuple(ev.static_items(found)))
        return _given(ev, given_back, call.structure, call.leaves, call.floating, "cotangents")

    return _custom(ev, "vjp", function, args, node, cotangents)


def _spread(ev: Evaluator, call: Call, cotangents: tuple) -> tuple:
    """The cotangents, with None for an argument replaced by None for each of its leaves."""
    children = call.structure[2]
    if len(cotangents) != len(children):
        return cotangents
    return tuple(
        unflatten(ev, child, lambda: None) if cotangent is None else cotangent
        for child, cotangent in zip(children, cotangents, strict=True)
    )
