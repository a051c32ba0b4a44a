"""Differentiate NPBench's unmodified NumPy sources, and JAX's ports with `jax.value_and_grad`.

Bring a checkout of NPBench: `python bench/npbench_gradients.py --npbench DIR [KERNEL ...]`. For
each kernel that has a floating input, in a process of its own that may take `--limit` seconds: the
gradient of the sum of its floating outputs by the first floating input, real and imaginary parts
alike, against central differences of the NumPy source in random directions; the time of value and
gradient as a multiple of the compiled kernel's own; and JAX's time of the port's over ours, where
value and gradient agree. Exits with 1 if a gradient is wrong.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import math
import sys
import time
from collections.abc import Callable
from typing import Any

import isolated
import numpy as np
from npbench_kernels import Kernel, is_near, leaves, listed, load, medians, stored, timed
from npbench_peers import jax_port, numbers, suffixes

import ingot


def total(values):
    """The sum of the floating arrays and numbers of a tree."""
    if isinstance(values, (tuple, list)):
        result = 0.0
        for value in values:
            result = result + total(value)
        return result
    if values is None:
        return 0.0
    if np.asarray(values).dtype.kind == "c":
        return np.sum(np.real(values)) + np.sum(np.imag(values))
    if np.asarray(values).dtype.kind == "f":
        return np.sum(values)
    return 0.0


def loss_of(kernel: Callable[..., Any], outputs: list[int]) -> Callable[..., Any]:
    """The kernel as a function to differentiate; `outputs` are the arguments that it changes."""

    def loss(*args):
        result = total(kernel(*args))
        for i in outputs:
            result = result + total(args[i])
        return result

    return loss


WIDE = {np.dtype(np.float32): np.float64, np.dtype(np.complex64): np.complex128}


def widened(arg: Any) -> Any:
    """Differences of single precision would say nothing."""
    dtype = getattr(arg, "dtype", None)
    return arg.astype(WIDE[dtype]) if dtype in WIDE else arg


def directional_derivative(
    loss: Callable[..., Any], args: list[Any], by: int, direction: Any
) -> tuple[float, float]:
    """The derivative in a direction by central differences, and its uncertainty.

    It is computed with several step sizes, since a loss may be smooth only at tiny steps. The
    result is from the two neighbouring steps with the smallest relative difference, and of these
    from the one with less rounding.
    """
    args = [widened(arg) for arg in args]
    x = args[by]
    scale = max(1.0, float(np.max(np.abs(x), initial=0.0)))

    def difference(step: float) -> tuple[float, float]:
        """The central difference, and its rounding error."""
        ends = []
        for distance in (step, -step):
            moved = copy.deepcopy(args)
            moved[by] = x + distance * direction
            try:
                ends.append(float(loss(*moved)))
            except np.linalg.LinAlgError:
                # The moved matrix has no result.
                return math.inf, math.inf
        return (ends[0] - ends[1]) / (2 * step), np.finfo(float).eps * abs(ends[0]) / step

    found = [difference(scale * 10.0**-power) for power in range(1, 12)]
    gaps = [
        abs(a - b) + rounding if a < math.inf else math.inf
        for (a, _), (b, rounding) in itertools.pairwise(found)
    ]
    sizes = [max(abs(a), abs(b)) for (a, _), (b, _) in itertools.pairwise(found)]
    parts = [
        gap / size if 0 < size < math.inf else gap for gap, size in zip(gaps, sizes, strict=True)
    ]
    best = parts.index(min(parts))
    return found[best + 1][0], gaps[best]


def directions(x: Any, count: int) -> list[Any]:
    rng = np.random.default_rng(0)
    found = []
    for _ in range(count):
        direction = rng.standard_normal(x.shape)
        if x.dtype.kind == "c":
            direction = direction + 1j * rng.standard_normal(x.shape)
        found.append(direction / np.linalg.norm(direction))
    return found


def error_of(
    loss: Callable[..., Any], args: list[Any], by: int, value: Any, found_gradient: Any
) -> float:
    """The largest relative error of the gradient, compared with central differences."""
    errors = []
    for direction in directions(args[by], 3):
        expected, noise = directional_derivative(loss, args, by, direction)
        found = float(np.sum(np.real(found_gradient * direction)))
        # A loss that does not change has no derivative to compare with.
        rounding = 100 * np.finfo(args[by].dtype).eps * abs(float(value))
        least = 1e-3 * float(np.linalg.norm(found_gradient.ravel())) + 10 * noise + rounding
        size = max(abs(expected), abs(found), least)
        # Ignore differences within the uncertainty, unless that is large.
        certain = noise if noise < 0.01 * size else 0.0
        errors.append(max(abs(expected - found) - certain, 0.0) / size)
    return max(errors)


def jax_gradient(kernel: Kernel, by: int) -> Callable[..., Any]:
    """Value and gradient of the sum of the port's outputs that are NumPy's, compiled.

    All numbers are constants, also where the port takes them as arrays: JAX does not differentiate
    loops whose trip counts are not known.
    """
    port = jax_port(kernel)
    import jax
    import jax.numpy as jnp

    _, result, changed = timed(kernel.function, kernel.args)
    expected = [*leaves(result), *(changed[i] for i in stored(kernel))]
    outputs = jax.tree.leaves(port(*copy.deepcopy(kernel.args)))
    chosen = [
        i
        for i, each in enumerate(map(np.asarray, outputs))
        if each.dtype.kind in "fc"
        and any(is_near(other, each, kernel.norm_error) for other in expected)
    ]
    port = getattr(port, "__wrapped__", port)

    def loss(*args):
        outputs = jax.tree.leaves(port(*args))
        floating = [jnp.asarray(outputs[i]) for i in chosen]
        return sum(jnp.sum(jnp.real(each)) + jnp.sum(jnp.imag(each)) for each in floating)

    found = jax.jit(jax.value_and_grad(loss, by), static_argnums=numbers(kernel))
    return lambda *args: jax.tree.map(np.asarray, found(*args))


def beside_jax(
    kernel: Kernel, by: int, value: Any, found_gradient: Any
) -> tuple[dict[str, str], Callable[..., Any] | None]:
    """What becomes of JAX's gradient, and the function to time if it agrees."""
    if not suffixes(kernel, "jax", "_jax"):
        return {"status": "no port"}, None
    isolated.announce("jax")
    try:
        theirs = jax_gradient(kernel, by)
        expected, other = theirs(*copy.deepcopy(kernel.args))
    except Exception as error:
        detail = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        return {"status": "failed", "detail": detail}, None
    tolerance = 1e-3 if kernel.args[by].dtype in WIDE else 1e-6
    gap = np.linalg.norm((found_gradient - other).ravel())
    # Where the loss does not depend on the argument, both gradients are rounding.
    scale = abs(float(value)) / max(np.linalg.norm(kernel.args[by].ravel()), 1.0)
    is_near = gap <= tolerance * (np.linalg.norm(found_gradient.ravel()) + scale)
    if not is_near or not np.isclose(value, expected, rtol=tolerance):
        return {"status": "differs"}, None
    return {"status": "agrees"}, theirs


def run(name: str, options: argparse.Namespace) -> dict[str, Any]:
    kernel = load(options.npbench, name, options.preset)
    args = kernel.args
    row: dict[str, Any] = {"benchmark": "npbench_gradients", "kernel": name}
    floating = [i for i, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind in "fc"]
    if not floating:
        return row | {"status": "none", "detail": "no floating input"}
    by = floating[0]
    loss = loss_of(kernel.function, stored(kernel))
    gradient = ingot.value_and_grad(loss, by)
    isolated.announce("ingot")
    try:
        start = time.perf_counter()
        value, found_gradient = gradient(*copy.deepcopy(args))
        first = time.perf_counter() - start
    except ingot.IngotError as error:
        return row | {"status": "refused", "detail": str(error).splitlines()[0]}
    except Exception as error:
        return row | {"status": "failed", "detail": f"{type(error).__name__}: {error}"}
    isolated.announce("differences")
    error = error_of(loss, args, by, value, found_gradient)
    # Kernels may round to single precision by themselves.
    is_right = error < (2e-2 if args[by].dtype in WIDE else 1e-4)
    found, theirs = {"status": "no port"}, None
    if "jax" in options.peers:
        found, theirs = beside_jax(kernel, by, value, found_gradient)
    isolated.announce("timing")
    compiled = ingot.jit(loss)
    compiled(*copy.deepcopy(args))
    ways = [compiled, gradient, *([theirs] if theirs else [])]
    plain, mine, *others = medians(ways, args, options.repeat)
    for other in others:
        found |= {"ms": other * 1e3, "ingot_times_faster": other / mine}
    return row | {
        "status": "right" if is_right else "wrong",
        "by": kernel.names[by],
        "error": error,
        "is_finite": bool(np.all(np.isfinite(found_gradient))),
        "first_s": first,
        "gradient_ms": mine * 1e3,
        "cost": mine / plain,
        "peers": {} if found["status"] == "no port" else {"jax": found},
    }


def text(row: dict[str, Any]) -> str:
    if "cost" not in row:
        return f"{row['kernel']:24} {row['status']}   {row['detail']}"
    jax = row["peers"].get("jax", {"status": "no port"})
    ratio = jax.get("ingot_times_faster")
    return (
        f"{row['kernel']:24} {row['status']}   by {row['by']:8} error {row['error']:8.1e}   "
        f"{row['gradient_ms']:10.3f} ms, {row['cost']:6.2f} times the kernel   "
        f"first call {row['first_s']:.2f} s   "
        + (f"{ratio:.2f} times faster than JAX" if ratio else f"JAX: {jax['status']}")
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    isolated.add_options(parser, ["jax"])
    options = parser.parse_args()
    # This file's own folder would make its name hide the checkout's package.
    sys.path[0] = str(options.npbench)
    if options.row:
        print(json.dumps(run(options.row, options)), flush=True)
        return 0
    counts: dict[str, int] = {}
    for row in isolated.rows(__file__, options, options.kernels or listed(options.npbench)):
        counts[row["status"]] = counts.get(row["status"], 0) + 1
        print(json.dumps(row) if options.json else text(row), flush=True)
    if not options.json:
        print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return int(counts.get("wrong", 0) + counts.get("failed", 0) > 0)


if __name__ == "__main__":
    sys.exit(main())
