"""The primitives of JAX that stand for calls of Ingot's programs, and their rules.

`call_p` computes a program. `linear_p` computes one that is linear in its last arguments, together
with its transpose: what a derivative in forward mode makes, and reverse mode transposes. Both are
lowered to a call of the program's StableHLO. Only the rule for linearisation uses private names of
JAX.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.interpreters import ad as linearizing
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func, stablehlo

from ingot.flat import Program, Types, is_floating
from ingot.lowering import Lowered
from ingot_runtime import linking
from ingot_runtime.errors import UnsupportedError
from ingot_runtime.prints import replace_prints
from ingot_runtime.program import Captured, failure_of
from ingot_runtime.spmd import divide_batches
from ingot_runtime.thrown import throw

call_p = Primitive("ingot_call")
linear_p = Primitive("ingot_linear_call")


@dataclass(frozen=True)
class Linear:
    """A program that is linear in its last arguments, and its transpose.

    Attributes:
        forward: takes `count` arguments, and then those in which it is linear.
        backward: takes the same `count` arguments and the results' cotangents, and gives the
            cotangents of the linear arguments.
        results: the number of results of `forward`.
    """

    forward: Program
    backward: Program
    count: int
    results: int


def types_of(avals: Any) -> Types:
    return tuple((tuple(x.shape), np.dtype(x.dtype)) for x in avals)


def _avals(types: Types) -> list[Any]:
    return [jax.core.ShapedArray(shape, dtype) for shape, dtype in types]


def _run(program: Program, args: tuple) -> list[Any]:
    """Run a program outside of JAX's transformations, with the exceptions of the source."""
    arrays = [_as_array(x) for x in args]
    if any(len(x.devices()) > 1 for x in arrays):
        # XLA partitions it.
        return jax.jit(lambda *given: call_p.bind(*given, program=program))(*arrays)
    return [_as_array(x) for x in program.function(*arrays)]


def _as_array(x: Any) -> Any:
    # `asarray` takes longer than all else for small arrays.
    return x if isinstance(x, jax.Array) else jnp.asarray(x)


# Calls.


def _call_types(*avals: Any, program: Program) -> list[Any]:
    return _avals(program.results(types_of(avals)))


def _nonzero(tangents: Any) -> tuple[int, ...]:
    return tuple(
        i
        for i, each in enumerate(tangents)
        if type(each) is not ad.Zero and jax.typeof(each).dtype != jax.dtypes.float0
    )


def _linearised(program: Program, active: tuple[int, ...], primals: Any) -> Linear:
    """The derivative of a program by its active arguments, as a program linear in the tangents."""
    results = program.results(types_of(map(jax.typeof, primals)))
    floating = tuple(is_floating(dtype) for _, dtype in results)
    backward = program.cotangents(active, floating)
    return Linear(program.tangents(active), backward, len(primals), sum(floating))


def _tangents(program: Program, results: list[Any], primals: Any, tangents: Any) -> list[Any]:
    active = _nonzero(tangents)
    if not active or not any(is_floating(np.dtype(x.dtype)) for x in results):
        return [ad.Zero(jax.typeof(x).to_tangent_aval()) for x in results]
    linear = _linearised(program, active, primals)
    found = iter(linear_p.bind(*primals, *(tangents[i] for i in active), linear=linear))
    return [
        next(found) if is_floating(np.dtype(x.dtype)) else ad.Zero(jax.typeof(x).to_tangent_aval())
        for x in results
    ]


def _call_jvp(primals: Any, tangents: Any, *, program: Program) -> tuple[list, list]:
    results = call_p.bind(*primals, program=program)
    return results, _tangents(program, results, primals, tangents)


def _call_batch(args: Any, axes: Any, *, program: Program) -> tuple[list, list[int]]:
    results = call_p.bind(*args, program=program.mapped(tuple(axes)))
    return results, [0] * len(results)


#: Whether rules of linearization give residuals in two parts, as they do since jax 0.11.1.
_RESIDUALS_IN_PARTS = jax.__version_info__ >= (0, 11, 1)


def _call_linearize(is_reverse: bool, nonzero: Any, *primals: Any, program: Program) -> tuple:
    """For reverse mode, one program computes the value and the gradient of one real number.

    Elsewhere, JAX uses `_call_jvp`: the pullback then computes the value again.
    """
    types = types_of(map(jax.typeof, primals))
    active = tuple(i for i, (_, dtype) in enumerate(types) if nonzero[i] and dtype.kind == "f")
    results = program.results(types)
    is_one_number = len(results) == 1 and results[0][0] == () and results[0][1].kind == "f"
    has_others = any(nonzero[i] and dtype.kind == "c" for i, (_, dtype) in enumerate(types))
    if not (is_reverse and is_one_number and active) or has_others:
        return linearizing.fallback_linearize_rule(
            call_p, is_reverse, nonzero, *primals, program=program
        )
    value, *gradient = call_p.bind(*primals, program=program.with_gradient(active))

    def linear(gradient: Any, *tangents: Any) -> list[Any]:
        terms = [
            jnp.sum(slope * tangents[i]).astype(value.dtype)
            for i, slope in zip(active, gradient, strict=True)
        ]
        return [functools.reduce(jnp.add, terms)]

    if _RESIDUALS_IN_PARTS:
        return [value], [True], gradient, None, lambda found, _, *tangents: linear(found, *tangents)
    return [value], [True], gradient, linear


# Linear calls.


def _linear_types(*avals: Any, linear: Linear) -> list[Any]:
    return _avals(linear.forward.results(types_of(avals)))


def _linear_jvp(primals: Any, tangents: Any, *, linear: Linear) -> tuple[list, list]:
    results = linear_p.bind(*primals, linear=linear)
    if any(i < linear.count for i in _nonzero(tangents)):
        return results, _tangents(linear.forward, results, primals, tangents)
    given = map(ad.instantiate_zeros, tangents[linear.count :])
    return results, linear_p.bind(*primals[: linear.count], *given, linear=linear)


def _linear_transpose(cotangents: Any, *args: Any, linear: Linear) -> list[Any]:
    count = linear.count
    given = map(ad.instantiate_zeros, cotangents)
    transposed = Linear(linear.backward, linear.forward, count, len(args) - count)
    found = linear_p.bind(*args[:count], *given, linear=transposed)
    wanted = map(ad.is_undefined_primal, args[count:])
    return [None] * count + [
        x if is_wanted else None for x, is_wanted in zip(found, wanted, strict=True)
    ]


def _linear_batch(args: Any, axes: Any, *, linear: Linear) -> tuple[list, list[int]]:
    """All linear arguments get lanes, so that all of their cotangents have lanes, too."""
    count, pairs = linear.count, list(zip(args, axes, strict=True))
    size = next(jax.typeof(x).shape[axis] for x, axis in pairs if axis is not None)
    given = [batching.bdim_at_front(x, axis, size) for x, axis in pairs[count:]]
    kept = tuple(axes[:count])
    forward = linear.forward.mapped(kept + (0,) * len(given))
    backward = linear.backward.mapped(kept + (0,) * linear.results)
    mapped = Linear(forward, backward, count, linear.results)
    found = linear_p.bind(*args[:count], *given, linear=mapped)
    return found, [0] * len(found)


# Lowering.


def _lowered(ctx: Any, operands: Any, program: Program) -> Any:
    """The results of a call of the program's StableHLO, which is merged into JAX's module."""
    lowered = program.lowered(types_of(ctx.avals_in))
    # The status of the precise form is that of the check that fails first in the source.
    lowered = lowered.precise() if lowered.checks else lowered
    within = ctx.module_context
    text = lowered.stablehlo_for(within.platforms)
    if linking.calls(text, linking.LAPACK) and tuple(within.platforms) != ("cpu",):
        raise UnsupportedError(
            f"{program.name} calls LAPACK, which runs on the CPU only",
            hint="run it there: with jax.default_device(jax.devices('cpu')[0])",
        )
    linking.link(text)
    module = ir.Module.parse(text)
    divide_batches(module)
    replace_prints(module, within.platforms[0], lambda effect: _add_callback(within, effect))
    name = mlir.merge_mlir_modules(
        within.module, f"ingot_{program.name}", module, dst_symtab=within.symbol_table
    )
    inputs = [
        operands[source] if isinstance(source, int) else mlir.ir_constant(_array(source))
        for source in lowered.signature.inputs
    ]
    types = ir.FunctionType(within.symbol_table[name].attributes["function_type"].value).results
    call = func.CallOp(types, ir.FlatSymbolRefAttr.get(name), inputs)
    results = list(call.results)
    if lowered.checks:
        _raise_if_failed(ctx, results[-1], lowered)
    return results[: len(ctx.avals_out)]


def _array(source: Captured) -> np.ndarray:
    return np.asarray(source.current())


def _add_callback(within: Any, effect: Any) -> int:
    within.add_host_callback(effect)
    return len(within.host_callbacks) - 1


def _raise_if_failed(ctx: Any, status: Any, lowered: Lowered) -> None:
    """Call Python, which raises the exception of the source, where the status is not 0."""
    checks, exceptions = lowered.checks, lowered.signature.exceptions

    def fail(value: Any) -> tuple:
        throw(failure_of(checks, int(value), exceptions))

    zero = mlir.ir_constant(np.int32(0))
    direction = stablehlo.ComparisonDirectionAttr.get("NE")
    has_failed = stablehlo.compare(status, zero, direction)
    branch = stablehlo.IfOp([], has_failed)
    with ir.InsertionPoint(branch.true_branch.blocks.append()):
        aval = jax.core.ShapedArray((), np.dtype(np.int32))
        within = ctx.replace(avals_in=[aval], avals_out=[])
        mlir.emit_python_callback(within, fail, None, [status], [aval], [], has_side_effect=True)
        stablehlo.return_([])
    with ir.InsertionPoint(branch.false_branch.blocks.append()):
        stablehlo.return_([])


def _register(primitive: Primitive, types: Any, jvp: Any, batch: Any, program_of: Any) -> None:
    primitive.multiple_results = True
    primitive.def_abstract_eval(types)
    primitive.def_impl(lambda *args, **params: _run(program_of(**params), args))
    ad.primitive_jvps[primitive] = jvp
    batching.primitive_batchers[primitive] = batch
    mlir.register_lowering(
        primitive,
        lambda ctx, *operands, **params: _lowered(ctx, operands, program_of(**params)),
        inline=False,
    )


_register(call_p, _call_types, _call_jvp, _call_batch, lambda program: program)
_register(linear_p, _linear_types, _linear_jvp, _linear_batch, lambda linear: linear.forward)
ad.primitive_transposes[linear_p] = _linear_transpose
linearizing.primitive_linearizations[call_p] = _call_linearize
