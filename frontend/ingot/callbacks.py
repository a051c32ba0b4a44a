"""`callback`: Python functions that compiled code calls for their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ingot.dtypes import CODES
from ingot.specs import Spec
from ingot.syntax import trees
from ingot.syntax.bodies import Body, dtype_of, has_values, is_number
from ingot.syntax.dynamic import Part, Sliced
from ingot.syntax.ops import result_of
from ingot.syntax.pieces import all_left_aligned, whole
from ingot.syntax.trees import rebuild
from ingot.syntax.values import Scalar, Symbolic
from ingot.transformed import in_compiled_code
from ingot_runtime.effects import CALLBACKS
from ingot_runtime.trees import flatten
from ingot_runtime.trees import rebuild as rebuild_outside

#: The shape and dtype of a result.
Type = tuple[tuple[int, ...], np.dtype]


def emit_call(
    ev: Any, f: Any, args: tuple, types: list[Type], taken: Callable[[Any], list[np.ndarray]]
) -> list[Any]:
    """Emit a call of a Python function that is not compiled; gives the values of its results.

    Args:
        types: the types of the results.
        taken: makes arrays of these types of what the function returns.
    """
    f = getattr(f, "__wrapped__", f)
    if isinstance(f, Symbolic) or not callable(f):
        ev.fail(
            "the function of a callback is defined in compiled code",
            "define it outside: it runs in Python, on NumPy arrays",
        )
    leaves: list[Any] = []
    structure = trees.flatten(ev, args, leaves)
    body = Body(structure, all_left_aligned(ev, leaves))

    def call(*values: Any) -> list[np.ndarray]:
        given = iter(values)
        return taken(f(*rebuild_outside(structure, [_seen(leaf, given) for leaf in body.leaves])))

    CALLBACKS.append(call)
    values = [ev.read(piece) for _, piece in body.pieces()]
    attributes = {"format": getattr(f, "__name__", "callback"), "callback": len(CALLBACKS) - 1}
    # Like a print, a callback can't be undone: checks before it must be evaluated first.
    ev.ops.checks += 1
    ev.prints = ev.calls_back = True
    made = [(list(shape), CODES[dtype]) for shape, dtype in types]
    return list(ev.ops.builder.create("ingot.print", values, attributes, made))


def _seen(leaf: Any, values: Iterator[Any]) -> Any:
    """The NumPy value of a leaf that a callback receives, built from the next run-time values."""
    if not has_values(leaf):
        return leaf
    array = next(values)
    if not isinstance(leaf, Sliced):
        return array
    counts = (None if span is None else span.count for span in leaf.spans)
    stops = [int(next(values)) if isinstance(count, Scalar) else count for count in counts]
    return array[tuple(map(slice, stops))]


def _emit(ev: Any, f: Any, results: Any, *args: Any) -> Any:
    found: list[Any] = []
    structure = trees.flatten(ev, results, found)
    types = [_type_in_code(ev, each) for each in found]

    def taken(made: Any) -> list[np.ndarray]:
        return _checked(f, made, structure, types)

    values = emit_call(ev, f, args, types, taken)
    return rebuild(ev, structure, [result_of(value, ev.location) for value in values])


def _type_in_code(ev: Any, leaf: Any) -> Type:
    if is_number(leaf) and not isinstance(leaf, Part):
        return tuple(whole(leaf).shape) if has_values(leaf) else (), dtype_of(leaf)
    found = _type_of(leaf)
    if found is not None:
        return found
    ev.fail(
        "the results of a callback are given by arrays, numbers or ingot.spec with sizes",
        'give ingot.spec("3,4", "float64"), or an array of the same shape and dtype',
    )
    raise AssertionError


def _type_of(leaf: Any) -> Type | None:
    if isinstance(leaf, Spec):
        sizes = tuple(size.constant for size in leaf.shape if size.constant is not None)
        return (sizes, leaf.dtype) if len(sizes) == len(leaf.shape) else None
    if isinstance(leaf, (bool, int, float, complex, np.generic, np.ndarray)):
        return np.shape(leaf), np.asarray(leaf).dtype
    return None


def _checked(f: Any, made: Any, structure: Any, types: list[Type]) -> list[np.ndarray]:
    """The leaves of a function's result, which must be of the types that were declared.

    Raises:
        TypeError: they are not.
    """
    leaves: list[Any] = []
    name = getattr(f, "__name__", "callback")
    if flatten(made, leaves, alone=True) != structure:
        raise TypeError(f"{name} gives a tree of another structure than its callback declares")
    found = [np.asarray(leaf) for leaf in leaves]
    for array, (shape, dtype) in zip(found, types, strict=True):
        if array.shape != shape or not np.can_cast(array.dtype, dtype, "safe"):
            raise TypeError(
                f"{name} gives {array.dtype}{list(array.shape)} where its callback declares "
                f"{dtype}{list(shape)}"
            )
    # XLA copies the memory of arrays in C order.
    return [np.ascontiguousarray(x, t).reshape(s) for x, (s, t) in zip(found, types, strict=True)]


@in_compiled_code(_emit)
def callback(f: Callable[..., Any], results: Any, *args: Any) -> Any:
    """Call a Python function from compiled code, for its results.

    Calls run in program order, also among prints and `ingot.debug.callback`. Under `vmap` the
    function is called once for each lane. It has no derivative: a function with `custom_vjp` or
    `custom_jvp` that calls it may have one.

    Args:
        f: a Python function that is defined outside of the compiled code; it is not compiled.
        results: the shapes and dtypes of what `f` returns, as a tree of `ingot.spec` with sizes, or
            of arrays and numbers that have these shapes and dtypes.
        args: trees of arrays and numbers, which `f` receives as NumPy arrays and scalars; other
            leaves are passed on unchanged.

    Returns:
        What `f` returns: a tree structured as `results`, whose leaves are converted to the dtypes
        there if that keeps their values.

    Raises:
        TypeError: when the program runs, if `f` returns a tree of another structure, or leaves of
            other shapes or dtypes. An exception that `f` raises is raised by the call.
        CompileError: `f` is defined in compiled code, or is differentiated.

    Example:
        >>> def lookup(x):
        ...     return np.interp(x, [0.0, 1.0], [10.0, 20.0])
        >>> @ingot.jit
        ... def f(x):
        ...     return ingot.callback(lookup, x, x) + 1
        >>> f(np.array([0.5, 1.0]))
        array([16., 21.])
    """
    found: list[Any] = []
    structure = flatten(results, found, alone=True)
    types = [_type_of(each) for each in found]
    if None in types:
        raise TypeError("results of a callback are given by arrays, numbers or specs with sizes")
    known = [each for each in types if each is not None]
    made = _checked(f, f(*args), structure, known)
    return rebuild_outside(structure, [x if x.ndim else x[()] for x in made])
