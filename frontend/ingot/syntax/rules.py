"""What calls of checkpoints, and of functions with rules of the user's, emit."""

from __future__ import annotations

from typing import Any

from ingot.syntax.derivatives import (
    Body,
    code_of,
    evaluate,
    is_differentiable,
    like,
    own,
    tangent_of,
)
from ingot.syntax.values import is_runtime
from ingot_runtime.errors import UnsupportedError
from ingot_runtime.trees import flatten, unflatten


def checkpoint(ev: Any, function: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
    """A call of which reverse mode keeps nothing."""
    args = own(ev, args)
    kwargs = own(ev, kwargs)
    body = evaluate(ev, [], lambda _: ev.call(function, args, kwargs, node))
    types = [code_of(body.leaves[i]) for i in body.places()]
    values = ev.ops.builder.create("ingot.checkpoint", [], {}, types, 1) if types else ()
    return body.result(ev, iter(values))


class Call:
    """A call of a function with a rule: its numbers are the operands."""

    def __init__(self, ev: Any, args: tuple) -> None:
        self.leaves: list[Any] = []
        self.structure = flatten(args, self.leaves)
        self.places = [i for i, leaf in enumerate(self.leaves) if is_runtime(leaf)]
        self.operands = [self.leaves[i] for i in self.places]
        self.floating = [i for i in self.places if is_differentiable(self.leaves[i])]

    def args(self, ev: Any, given: list[Any]) -> tuple:
        """The arguments with other operands."""
        values = dict(zip(self.places, given, strict=False))
        leaves = iter([values.get(i, leaf) for i, leaf in enumerate(self.leaves)])
        return own(ev, unflatten(self.structure, lambda: next(leaves)))

    def emit(self, ev: Any, mode: str, body: Body) -> Any:
        """The operation of the two regions that were evaluated last."""
        types = [code_of(body.leaves[i]) for i in body.places()]
        values = ev.ops.builder.create(
            "ingot.custom_derivative", [ev.read(leaf) for leaf in self.operands],
            {"mode": f"#ingot<derivative_mode {mode}>"}, types, 2,
        )  # fmt: skip
        return body.result(ev, iter(values))


def _filled(structure: Any, leaves: list[Any], values: dict[int, Any]) -> Any:
    """A tree of (co)tangents: zero where there is none."""
    found = iter([values.get(i, 0.0) for i in range(len(leaves))])
    return unflatten(structure, lambda: next(found))


def _given(ev: Any, tree: Any, structure: Any, leaves: list[Any], wanted: list[int], what: str):
    """The (co)tangents of some leaves that a rule gave; None stands for zeros."""
    found: list[Any] = []
    if flatten(tree, found) != structure:
        ev.fail(f"the rule's {what} are not structured as these", "give one for each; None is zero")
    result = []
    for i in wanted:
        leaf = leaves[i]
        value = found[i]
        if value is None or (not is_runtime(value) and value == 0):
            result.append(like(ev, leaf, ev.ops.zeros(leaf.shape, leaf.dtype)))
        else:
            result.append(like(ev, leaf, tangent_of(ev, leaf, value)))
    return tuple(result)


def custom_jvp(ev: Any, function: Any, rule: Any, args: tuple, node: Any) -> Any:
    if rule is None:
        raise UnsupportedError("a function of custom_jvp has no rule", hint="call f.defjvp(rule)")
    call = Call(ev, args)
    if not call.operands or function in ev.ruled:
        return ev.call(function, args, {}, node)
    body = evaluate(ev, call.operands, lambda x: ev.call(function, call.args(ev, x), {}, node))
    wanted = [i for i in body.places() if is_differentiable(body.leaves[i])]

    def tangents(given: list[Any]) -> Any:
        count = len(call.operands)
        slopes = dict(zip(call.floating, given[count:], strict=True))
        directions = _filled(call.structure, call.leaves, slopes)
        pair = ev.call(rule, (call.args(ev, given[:count]), directions), {}, node)
        if not isinstance(pair, tuple) or len(pair) != 2:
            ev.fail("a rule of custom_jvp gives a pair", "return the result and its tangent")
        return _given(ev, pair[1], body.structure, body.leaves, wanted, "tangents")

    ev.ruled.append(function)
    evaluate(ev, [*call.operands, *(call.leaves[i] for i in call.floating)], tangents)
    ev.ruled.pop()
    return call.emit(ev, "jvp", body)


def custom_vjp(ev: Any, function: Any, rule: Any, args: tuple, node: Any) -> Any:
    if rule is None:
        raise UnsupportedError(
            "a function of custom_vjp has no rule", hint="call f.defvjp(forward, backward)"
        )
    forward, backward = rule
    call = Call(ev, args)
    if not call.operands or function in ev.ruled:
        return ev.call(function, args, {}, node)
    body = evaluate(ev, call.operands, lambda x: ev.call(function, call.args(ev, x), {}, node))
    wanted = [i for i in body.places() if is_differentiable(body.leaves[i])]

    def cotangents(given: list[Any]) -> Any:
        count = len(call.operands)
        pair = ev.call(forward, call.args(ev, given[:count]), {}, node)
        if not isinstance(pair, tuple) or len(pair) != 2:
            ev.fail("the first rule of custom_vjp gives a pair", "return result, residuals")
        seeds = dict(zip(wanted, given[count:], strict=True))
        slopes = ev.call(backward, (pair[1], _filled(body.structure, body.leaves, seeds)), {}, node)
        slopes = slopes if isinstance(slopes, tuple) else tuple(slopes)
        return _given(ev, _spread(call, slopes), call.structure, call.leaves, call.floating,
                      "cotangents")  # fmt: skip

    ev.ruled.append(function)
    evaluate(ev, [*call.operands, *(body.leaves[i] for i in wanted)], cotangents)
    ev.ruled.pop()
    return call.emit(ev, "vjp", body)


def _spread(call: Call, slopes: tuple) -> tuple:
    """None for an argument as None for each of its leaves."""
    children = call.structure[2]
    if len(slopes) != len(children):
        return slopes
    return tuple(
        unflatten(child, lambda: None) if slope is None else slope
        for child, slope in zip(children, slopes, strict=True)
    )
