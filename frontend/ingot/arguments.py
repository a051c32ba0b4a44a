"""Arguments of calls: the part of each that belongs to the signature, and which are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from ingot.diagnostics import Position, error_at, position_in
from ingot.dtypes import is_supported
from ingot.specs import Abstract, Spec, is_traced
from ingot_runtime import buffers
from ingot_runtime.errors import CompileError, DTypeError, UnsupportedError
from ingot_runtime.meshes import ShardedArray
from ingot_runtime.trees import is_class_unlike_its_base, is_unlike_its_base, parameters_of

#: Number types: the signature contains the type, and the value is an input of the program.
_NUMBERS = frozenset(
    [bool, float, complex]
    + [kind for kind in np.sctypeDict.values() if issubclass(kind, (np.number, np.bool_))]
)
#: The modules of classes whose equal instances may differ: times in two time zones, 1.0 and 1.00.
#: So may ranges.
_EQUAL_BUT_DIFFERENT = ("datetime", "_pydatetime", "decimal", "_pydecimal", "zoneinfo")
#: Subclasses of arrays that behave as arrays.
_ARRAYS = (np.memmap,)
_INT_MIN, _INT_MAX = -(2**63), 2**63 - 1
#: The hint for objects that hold an array.
_AS_ARRAY = "pass the array that it holds: np.asarray({name})"


class Unsuitable(Exception):
    """An argument leaf that is refused."""


#: What `hash` raises: ValueError for a view of memory that can be written.
UNHASHABLE = (TypeError, ValueError)


def abstract_of(leaf: Any) -> Any:
    """The part of an argument leaf that belongs to the signature.

    Raises:
        Unsuitable: compiled functions don't accept such a value; `refuse` says why.
    """
    kind = type(leaf)
    if kind is np.ndarray or kind in _ARRAYS:
        if leaf.flags.carray:
            return leaf.dtype, leaf.shape
        # Views and copies depend on its memory order, and stores on whether it is writable.
        return leaf.dtype, leaf.shape, leaf.strides, leaf.flags.writeable
    if kind in _NUMBERS:
        return kind
    if kind is ShardedArray:
        return leaf.dtype, leaf.shape, leaf.sharding
    if kind is int:
        if not _INT_MIN <= leaf <= _INT_MAX:
            raise Unsuitable
        return kind
    if leaf is None or kind is str:
        return leaf
    if why_not(leaf) is not None:
        raise Unsuitable
    if is_traced(leaf):
        return np.dtype(leaf.dtype), tuple(leaf.shape)
    if kind is frozenset:
        # The types and texts are needed because 1, 1.0 and True are equal, also within tuples.
        # Equal sets may have their elements in other orders.
        return kind, tuple(zip(map(type, leaf), leaf, map(repr, leaf), strict=True))
    if kind is slice:
        # Slices are not hashable before Python 3.12.
        parts = leaf.start, leaf.stop, leaf.step
        return kind, tuple(zip(map(type, parts), parts, map(repr, parts), strict=True))
    if kind is range or any(each.__module__ in _EQUAL_BUT_DIFFERENT for each in kind.__mro__):
        return kind, leaf, repr(leaf)
    # The type tells a class that is an argument from a number of that class.
    return kind, leaf


def why_not(leaf: Any) -> tuple[str, str, str] | None:
    """Why an argument is refused: the problem, a hint and an error page; None if it is not."""
    kind = type(leaf)
    if kind is Spec:
        return (
            "is a spec, which stands for an array in lower and export",
            f"pass an array: np.zeros({_shape_shown(leaf)}, {str(leaf.dtype)!r})", "",
        )  # fmt: skip
    if isinstance(leaf, np.ndarray):
        if kind is np.ndarray or kind in _ARRAYS:
            return None
        return (
            f"is a {kind.__name__}, which behaves unlike an array of NumPy's", _AS_ARRAY,
            "array-subclass",
        )  # fmt: skip
    if isinstance(leaf, int) and kind is int and not _INT_MIN <= leaf <= _INT_MAX:
        return (
            "is an int beyond 64 bits",
            "pass a float: float({name}); or make it in the function",
            "",
        )
    if is_unlike_its_base(leaf):
        return _why_not_class(kind)
    if buffers.is_device_array(leaf) or is_traced(leaf):
        return None
    if hasattr(kind, "__next__"):
        return (
            f"is a {kind.__name__}, which each call would use up", "pass a list: list({name})", ""
        )  # fmt: skip
    if _is_of_jax(kind):
        return _why_not_of_jax(leaf)
    if isinstance(leaf, np.generic):
        return None
    is_array = any(hasattr(kind, f"__{name}__") for name in ("array", "array_interface", "dlpack"))
    if is_array and not isinstance(leaf, (type, np.dtype)):
        where = kind.__module__.partition(".")[0]
        of = "" if where in ("__main__", "builtins") else f" of {where}"
        return f"is a {kind.__name__}{of}, which is no array of NumPy's", _AS_ARRAY, ""
    return None


#: The number of the CPU among the device types of DLPack.
_CPU = 1
#: The generator of jax.random that is also that of ingot.random.
_THREEFRY = "threefry2x32"


def adopt(leaves: list[Any]) -> bool:
    """Replace the arrays of other libraries by arrays that share their memory.

    These are arrays on the CPU with `__dlpack__`, and keys of jax.random.

    Returns:
        Whether there were any.
    """
    found = [(i, adopted) for i, x in enumerate(leaves) if (adopted := _adopted(x)) is not None]
    for i, adopted in found:
        leaves[i] = adopted
    return bool(found)


def _adopted(leaf: Any) -> Any:
    """An array for a leaf of another library, or None if there is none."""
    kind = type(leaf)
    if isinstance(leaf, (np.ndarray, np.generic, type)) or buffers.is_device_array(leaf):
        return None
    if _is_of_jax(kind) and "PRNGKey" in kind.__name__:
        import jax

        return jax.random.key_data(leaf) if str(jax.random.key_impl(leaf)) == _THREEFRY else None
    if _is_of_jax(kind) or not hasattr(kind, "__dlpack__"):
        return None
    try:
        if leaf.__dlpack_device__()[0] != _CPU:
            return None
        return np.from_dlpack(leaf)
    except (BufferError, RuntimeError, TypeError, ValueError):
        # Such as a tensor of torch that requires a gradient, or that has no memory.
        return None


def _shape_shown(spec: Spec) -> str:
    return f"({', '.join(map(str, spec.shape))}{',' if len(spec.shape) == 1 else ''})"


def values_of(leaves: list[Any], static: frozenset[int]) -> tuple:
    """The pairs of leaf index and value, as text, of the static leaves; part of the key."""
    return tuple((i, repr(leaves[i])) for i in sorted(static)) if static else ()


def without_specs(function: Any, structure: Any, leaves: list[Any]) -> list[Any]:
    """The argument leaves, with each `Spec` replaced by an `Abstract`.

    Raises:
        UnsupportedError: a spec has a named dimension.
    """
    if not any(isinstance(leaf, Spec) for leaf in leaves):
        return leaves
    found = list(leaves)
    for index, leaf in enumerate(leaves):
        if not isinstance(leaf, Spec):
            continue
        sizes = [size.constant for size in leaf.shape]
        if None in sizes:
            name = parameters_of(function, structure)[index]
            raise refusal(
                UnsupportedError, function, name, f"is {leaf}, whose sizes are not all numbers",
                "give numbers; sizes that calls decide are for ingot.export", "",
            )  # fmt: skip
        found[index] = Abstract(tuple(size for size in sizes if size is not None), leaf.dtype)
    return found


def _why_not_class(kind: type) -> tuple[str, str, str]:
    base = next(each for each in kind.__mro__ if each.__module__ == "builtins").__name__
    return (
        f"is a {kind.__name__}, a subclass of {base} that may behave unlike it",
        f"pass a {base}: {base}({{name}})",
        "container-subclass",
    )


def _is_of_jax(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ("jax", "jaxlib", "jax_cuda")


def _why_not_of_jax(leaf: Any) -> tuple[str, str, str] | None:
    kind = type(leaf)
    if "Tracer" in kind.__name__:
        return (
            "is a tracer: JAX transforms the function that calls this one",
            "wrap the function: ingot.to_jax(f)",
            "",
        )
    if "PRNGKey" in kind.__name__:
        return (
            "is a random key of JAX, whose generator Ingot does not have",
            "make it with jax.random.key(seed), or with ingot.random.key(seed)", "random",
        )  # fmt: skip
    return None


def refuse(function: Any, structure: Any, leaves: list[Any]) -> NoReturn:
    """Raise the error for the first argument leaf that is refused or not hashable.

    Raises:
        CompileError: at the position of the parameter.
    """
    for index, leaf in enumerate(leaves):
        found = why_not(leaf)
        if found is None and not _is_hashable(leaf):
            found = (
                f"is a {type(leaf).__name__}, which has no hash",
                "pass arrays, numbers, strings or containers of them",
                "",
            )
        if found is not None:
            what, hint, page = found
            name = parameters_of(function, structure)[index]
            raise refusal(UnsupportedError, function, name, what, hint, page)
    raise error_at(
        UnsupportedError, "an argument has no hash", _position(function, ""),
        "pass arrays, numbers, strings or containers of them",
    )  # fmt: skip


def check(function: Any, structure: Any, leaves: list[Any], static: frozenset[int]) -> None:
    """Refuse arguments for which no program can be compiled.

    Raises:
        DTypeError: compiled code does not support a dtype.
        UnsupportedError: an argument is a tuple subclass that overrides operators, or a static
            argument is a spec or an array.
    """
    first = 0
    for kind, count in _tuples_of(structure):
        if is_class_unlike_its_base(kind):
            what, hint, page = _why_not_class(kind)
            parameter = parameters_of(function, structure)[first].partition(".")[0]
            what = f"is or holds {what[3:]}"
            raise refusal(UnsupportedError, function, parameter, what, hint, page)
        first += count
    for index, leaf in enumerate(leaves):
        if index in static and isinstance(leaf, Abstract):
            name = parameters_of(function, structure)[index]
            raise refusal(
                UnsupportedError, function, name, "is static, so its value must be known",
                "give a value in place of the spec", "",
            )  # fmt: skip
        if index in static and (isinstance(leaf, np.ndarray) or buffers.is_device_array(leaf)):
            name = parameters_of(function, structure)[index]
            raise refusal(
                UnsupportedError, function, name, "is static, and arrays are not",
                "leave it out of static, or pass the numbers: {name}.tolist()", "",
            )  # fmt: skip
        dtype = getattr(leaf, "dtype", None)
        if index in static or dtype is None or not is_traced(leaf):
            continue
        if not is_supported(np.dtype(dtype)):
            name = parameters_of(function, structure)[index]
            if "." in name:
                # What holds it may be used for other things.
                continue
            what = f"can't be computed with: dtype {dtype} is not supported"
            hint = "convert it with {name}.astype(...)"
            raise refusal(DTypeError, function, name, what, hint, "")


def _tuples_of(structure: Any) -> Iterator[tuple[type, int]]:
    """The tuple classes in a structure, each with the number of leaves up to the next one."""
    kind: Any = tuple
    count = 0
    stack = [structure]
    while stack:
        each = stack.pop()
        if each is None:
            count += 1
            continue
        if isinstance(each[0], type) and issubclass(each[0], tuple):
            yield kind, count
            kind, count = each[0], 0
        stack.extend(reversed(each[2]))
    yield kind, count


def refusal(
    kind: type[CompileError], function: Any, name: str, what: str, hint: str, page: str
) -> CompileError:
    """The error for an argument, at the position of its parameter."""
    parameter, *rest = name.split(".")
    position = _position(function, parameter)
    hint = hint.format(name=parameter if not rest else "a")
    return error_at(kind, f"the argument `{name}` {what}", position, hint, page)


def _position(function: Any, parameter: str) -> Position | None:
    """The position of a parameter, or of the function; None if the user has no source of it."""
    from ingot.syntax.calls import is_internal
    from ingot.syntax.source import source_of

    if is_internal(function):
        return None
    try:
        source = source_of(function)
    except UnsupportedError:
        return None
    spec: Any = source.node.args  # type: ignore[union-attr]
    for each in (*spec.posonlyargs, *spec.args, spec.vararg, *spec.kwonlyargs, spec.kwarg):
        if each is not None and each.arg == parameter:
            return position_in(source.filename, each)
    return position_in(source.filename, source.node)


def _is_hashable(value: Any) -> bool:
    try:
        hash(abstract_of(value))
    except UNHASHABLE:
        return False
    return True
