"""`ingot.jit`: compile a Python function."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any, overload

from ingot import kernels
from ingot.function import Function, P, R
from ingot.pipeline import Options
from ingot.placement import placement, refuse_beside_mesh
from ingot.references import ByReference, shown
from ingot_runtime.meshes import Mesh
from ingot_runtime.trees import LIBRARIES

#: Parameters, by names or numbers.
Static = str | int | Sequence[str | int]


@overload
def jit(
    f: Callable[P, R],
    *,
    static: Static = (),
    checks: bool = True,
    strict_fp: bool = False,
    device: Any = None,
    donate: Static = (),
    native: bool | None = None,
    mesh: Mesh | None = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> Function[P, R]: ...


@overload
def jit(
    f: None = None,
    *,
    static: Static = (),
    checks: bool = True,
    strict_fp: bool = False,
    device: Any = None,
    donate: Static = (),
    native: bool | None = None,
    mesh: Mesh | None = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...


def jit(
    f: Callable[..., Any] | None = None,
    *,
    static: Static = (),
    checks: bool = True,
    strict_fp: bool = False,
    device: Any = None,
    donate: Static = (),
    native: bool | None = None,
    mesh: Mesh | None = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> Any:
    """Compile a function of NumPy code; a decorator, with or without parentheses.

    The compiled function behaves as the original: it has the same values, dtypes and shapes, and
    stores to its arguments. It is compiled on the first call with each signature (the dtypes and
    shapes of arrays, the types of numbers), and again when a value that it reads besides its
    arguments has changed.

    Args:
        f: a Python function with source, a NumPy function such as `np.sin`, a method of arrays, a
            bound method, a `functools.partial`, or an instance with `__call__`.
        static: the parameters whose values are compile-time constants, by name or number. The
            function is compiled for each of their values. Arrays can't be static.
        checks: whether to raise the exceptions of the source for indices out of range, division of
            Python numbers by zero and failed assertions.
        strict_fp: whether to round each operation as IEEE 754 prescribes. Otherwise the compiler
            may apply rules that hold for real numbers. Only for the CPU.
        device: the device that runs the program: one of `ingot.devices()`, or a name such as "cpu"
            or "cuda:1". The default is the accelerator if there is one.
        donate: the parameters whose arrays the caller does not use after a call, by name or number.
            Results may reuse the memory of those that are results of compiled functions or
            jax.Arrays, in programs whose checks can't fail. Their values are undefined afterwards.
        native: whether loops, elementwise code and reductions become native kernels on the CPU,
            instead of programs for XLA. None for what the environment variable `INGOT_NATIVE`
            says: 0 for no kernels, else kernels.
        mesh: the mesh of devices that runs the program, by `ingot.mesh`; see docs/meshes.md. None
            for that of the first argument that is a sharded array, or for one device.
        in_shardings: where NumPy arguments lie: an `ingot.P` for each positional argument, or one
            for all of them; for a tree, one or a tree of them that is a prefix of it. None for
            copies on all devices. Sharded arrays stay where they lie.
        out_shardings: where results lie, in the same form: these are sharded arrays. None for NumPy
            arrays, or, if an argument is a sharded array, for sharded arrays that lie where they
            were computed. Numbers are numbers.

    Returns:
        A function with the parameters of `f`, and with `lower(*args)` for its IR.

    Raises:
        TypeError: `static` or `donate` names unknown parameters, or `device` is not a device; or
            shardings are given without a mesh.
        ValueError: a sharding names an axis that the mesh does not have.
        CompileError: when called, at the position of code that can't be compiled.

    Example:
        >>> @ingot.jit
        ... def clamp(x, limit):
        ...     for i in range(len(x)):
        ...         if x[i] > limit:
        ...             x[i] = limit
        ...     return x
        >>> clamp(np.array([1.0, 5.0, 2.0]), 3.0)
        array([1., 3., 2.])
    """
    if f is None:
        return functools.partial(
            jit, static=static, checks=checks, strict_fp=strict_fp, device=device, donate=donate,
            native=native, mesh=mesh, in_shardings=in_shardings, out_shardings=out_shardings,
        )  # fmt: skip
    static, donate = _names_of(f, static, "static"), _names_of(f, donate, "donate")
    has_kernels = kernels.enabled() if native is None else native and kernels.compiler() is not None
    placed = placement(mesh, in_shardings, out_shardings)
    if placed is not None:
        refuse_beside_mesh(device=device, donate=donate, strict_fp=strict_fp)
    # XLA partitions its own operations only.
    has_kernels = has_kernels and placed is None
    options = Options(checks, strict_fp, _name_of(device), donate, has_kernels, placed)
    if isinstance(f, Function) and not static and options == Options():
        return f
    if is_users(f):
        return Function(f, static=static, options=options)
    from ingot.callables import Bound, calling

    is_own = isinstance(f, ByReference)
    if not is_own:
        f = calling(f) or f
    if isinstance(f, types.FunctionType) or is_own:
        return Function(f, static=static, options=options)
    return Bound(f, static=static, options=options)


def is_users(f: Any) -> bool:
    """Whether it is a Python function of the user, which needs no slow imports to recognise."""
    package = (getattr(f, "__module__", None) or "").partition(".")[0]
    is_library = package in LIBRARIES or package in sys.stdlib_module_names
    return isinstance(f, types.FunctionType) and not is_library


def _name_of(device: Any) -> str:
    """The name of a device in the form that `clients.device_named` accepts."""
    if device is None:
        return ""
    if isinstance(device, str):
        return device if ":" in device else f"{device}:0"
    if not hasattr(device, "platform") or not hasattr(device, "id"):
        raise TypeError(f"device is one of ingot.devices() or its name, not {device!r}")
    return f"{device.platform}:{device.id}"


def _names_of(f: Callable[..., Any], given: Any, option: str) -> tuple[str, ...]:
    """The names of the parameters that an option lists by name or number."""
    listed = (given,) if isinstance(given, (str, int)) else given
    if not isinstance(listed, (tuple, list, set, frozenset)) or not all(
        type(each) in (str, int) for each in listed
    ):
        raise TypeError(f"{option} is names or numbers of parameters, not {given!r}")
    if all(isinstance(each, str) for each in listed):
        return tuple(listed)
    parameters = list(inspect.signature(f).parameters)
    for each in listed:
        if isinstance(each, int) and not 0 <= each < len(parameters):
            count = f"{len(parameters)} parameter{'s' * (len(parameters) != 1)}"
            raise TypeError(f"{option} is {each}, but {shown(f)} has {count}, counted from 0")
    return tuple(parameters[each] if isinstance(each, int) else each for each in listed)
