"""Contractions: dot, matmul, tensordot, einsum and their relatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dimensions import broadcast_shapes
from ingot.dtypes import BOOL, FLOAT, INT
from ingot.numpy.creation import dtype_of
from ingot.numpy.gufuncs import generalized
from ingot.numpy.layout import is_contiguous, is_known
from ingot.numpy.shape import array_of, axis_of, diagonal_view, moveaxis, transpose
from ingot.numpy.ufuncs import call_ufunc, store_out
from ingot.syntax import views
from ingot.syntax.ops import fresh, numpy_scalar, result_of, value_dtype
from ingot.syntax.values import Array, Range
from ingot_runtime.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def _common(ev: Evaluator, *operands: Any) -> tuple[list[Value], np.dtype]:
    arrays = [ev.as_array(each) for each in operands]
    kinds = [value_dtype(a) for a in arrays]
    dtype = kinds[0] if len(set(kinds)) == 1 else np.result_type(*kinds)
    return [ev.ops.convert(ev.read(a), dtype) for a in arrays], dtype


def _dot(
    ev: Evaluator, a: Value, b: Value, dtype: np.dtype,
    contracting: tuple[Sequence[int], Sequence[int]],
    batching: tuple[Sequence[int], Sequence[int]] = ((), ()),
) -> Value:  # fmt: skip
    if dtype == BOOL:
        a, b = ev.ops.convert(a, INT), ev.ops.convert(b, INT)
    value = ev.ops.create(
        "dot_general", [a, b],
        lhs_batching=list(batching[0]), rhs_batching=list(batching[1]),
        lhs_contracting=list(contracting[0]), rhs_contracting=list(contracting[1]),
    )  # fmt: skip
    return ev.ops.convert(value, dtype)


def dot(ev: Evaluator, a: Any, b: Any, out: Any = None) -> Any:
    (x, y), dtype = _common(ev, a, b)
    if not x.shape or not y.shape:
        return _stored(ev, ev.read(call_ufunc(ev, np.multiply, (fresh(x), fresh(y)))), out)
    along = max(len(y.shape) - 2, 0)
    if x.shape[-1] != y.shape[along]:
        ev.fail(
            f"shapes {x.shape} and {y.shape} not aligned: {x.shape[-1]} (dim {len(x.shape) - 1}) "
            f"!= {y.shape[along]} (dim {along})",
            kind=ShapeError,
        )
    return _stored(ev, _dot(ev, x, y, dtype, ([len(x.shape) - 1], [along])), out)


def _stored(ev: Evaluator, value: Value, out: Any) -> Any:
    """The result of np.dot, which broadcasts and converts none to `out`."""
    if out is None:
        return result_of(value, ev.location)
    dtype = numpy_scalar(value).dtype
    if isinstance(out, Array) and not _takes(out, dtype, value.shape):
        ev.fail(
            "output array is not acceptable (must have the right datatype and shape, in C order)",
            f"give one of {dtype} and shape {value.shape}",
            ShapeError,
        )
    made = store_out(ev, out, value, dtype)
    return made if made.shape else ev.subscript(made, ())


def _takes(out: Array, dtype: np.dtype, shape: tuple[int, ...]) -> bool:
    """Whether np.dot stores results like this to an array."""
    is_fit = out.dtype == dtype and out.shape == shape
    return is_fit and (not is_known(out) or is_contiguous(out))


def matmul(ev: Evaluator, x1: Any, x2: Any, /) -> Any:
    (a, b), dtype = _common(ev, x1, x2)
    left, right = a.shape, b.shape
    if not left or not right:
        ev.fail("matmul: an operand has no axes; it needs at least one", "use *", ShapeError)
    along = max(len(right) - 2, 0)
    if left[-1] != right[along]:
        ev.fail(
            f"matmul: Input operand 1 has a mismatch in its core dimension 0: shapes {left} and "
            f"{right} (size {right[along]} is different from {left[-1]})",
            kind=ShapeError,
        )
    a_batch, b_batch = left[:-2], right[:-2]
    if not b_batch:
        return result_of(_dot(ev, a, b, dtype, ([len(left) - 1], [along])), ev.location)
    try:
        batch = broadcast_shapes(a_batch, b_batch)
    except ValueError:
        ev.fail(f"matmul: shapes {left} and {right} do not broadcast", kind=ShapeError)
    if len(left) == 1:
        # The vector is multiplied with every matrix of the stack.
        return result_of(_dot(ev, a, b, dtype, ([0], [along])), ev.location)
    a = ev.ops.broadcast(a, (*batch, *left[-2:]))
    b = ev.ops.broadcast(b, (*batch, *right[-2:]))
    axes = range(len(batch))
    value = _dot(ev, a, b, dtype, ([len(batch) + 1], [len(batch)]), (axes, axes))
    return result_of(value, ev.location)


def inner(ev: Evaluator, a: Any, b: Any) -> Any:
    (x, y), dtype = _common(ev, a, b)
    if not x.shape or not y.shape:
        return call_ufunc(ev, np.multiply, (fresh(x), fresh(y)))
    value = _dot(ev, x, y, dtype, ([len(x.shape) - 1], [len(y.shape) - 1]))
    return result_of(value, ev.location)


def vdot(ev: Evaluator, a: Any, b: Any) -> Any:
    a = ev.call(np.ravel, (_conjugate(ev, a),), {})
    return dot(ev, a, ev.call(np.ravel, (b,), {}))


def outer(ev: Evaluator, a: Any, b: Any, out: Any = None) -> Any:
    a = ev.call(np.reshape, (array_of(ev, a), (-1, 1)), {})
    return call_ufunc(ev, np.multiply, (a, ev.call(np.ravel, (array_of(ev, b),), {})), out=out)


def tensordot(ev: Evaluator, a: Any, b: Any, axes: Any = 2) -> Any:
    (x, y), dtype = _common(ev, a, b)
    axes = ev.static(axes, "axes")
    if isinstance(axes, (int, np.integer)):
        pairs: Any = (range(len(x.shape) - axes, len(x.shape)), range(axes))
    else:
        pairs = tuple([p] if isinstance(p, (int, np.integer)) else list(p) for p in axes)
    left = [axis_of(ev, i, len(x.shape)) for i in pairs[0]]
    right = [axis_of(ev, i, len(y.shape)) for i in pairs[1]]
    # NumPy returns an array even if there are no axes.
    return fresh(_dot(ev, x, y, dtype, (left, right)), ev.location)


# einsum.


def einsum(
    ev: Evaluator, subscripts: Any, *operands: Any, out: Any = None, dtype: Any = None,
    order: Any = "K", casting: Any = "safe", optimize: Any = False,
) -> Any:  # fmt: skip
    """np.einsum; `order` is only checked here (`order.match_numpy` applies it)."""
    if not isinstance(subscripts, str):
        subscripts, operands = _from_lists(ev, (subscripts, *operands))
    ev.compute(np.zeros(()).copy, ev.static(order, "an order") or "K")
    casting = ev.static(casting, "a casting rule")
    if dtype is not None and ev.static(optimize, "optimize") is not False:
        ev.fail("einsum with dtype= and optimize= is not supported", "leave optimize= out")
    arrays = [array_of(ev, each) for each in operands]
    inputs, output = _parse(ev, subscripts.replace(" ", ""), arrays, optimize)
    sizes: dict[str, int] = {}
    for labels, array in zip(inputs, arrays, strict=True):
        for label, size in zip(labels, array.shape, strict=True):
            if sizes.setdefault(label, size) != size:
                ev.fail(
                    f"einsum: axis {label!r} has sizes {sizes[label]} and {size}", kind=ShapeError
                )
    if len(arrays) == 1 and out is None and set(inputs[0]) == set(output):
        # NumPy returns a view, whatever dtype and order are requested.
        found = _rearranged(ev, arrays[0], inputs[0], output)
        return found if output else ev.subscript(found, ())
    values, dtype = _converted(ev, arrays, dtype, casting)
    # NumPy multiplies all operands at once, float16 in float32.
    compute_dtype = np.dtype("float32") if dtype == np.float16 and len(values) > 2 else dtype
    values = [ev.ops.convert(value, compute_dtype) for value in values]
    terms = [_diagonal(ev, *term) for term in zip(inputs, values, strict=True)]
    while len(terms) > 1:
        i, j = _cheapest(terms, output, sizes)
        second, first = terms.pop(j), terms.pop(i)
        wanted = set(output).union(*(labels for labels, _ in terms))
        terms.append(_contract(ev, first, second, wanted, compute_dtype))
    labels, value = terms[0]
    gone = [i for i, label in enumerate(labels) if label not in output]
    if gone:
        value = ev.ops.reduce("or" if dtype == BOOL else "add", value, gone)
        labels = "".join(label for label in labels if label in output)
    value = ev.ops.transpose(value, [labels.index(label) for label in output])
    value = ev.ops.convert(value, dtype)
    if out is None:
        optimize = ev.static(optimize, "optimize")
        is_array = not output and optimize is not False and _ends_in_array(inputs, sizes, optimize)
        return fresh(value, ev.location) if is_array else result_of(value, ev.location)
    if isinstance(out, Array) and out.ndim != len(output):
        ev.fail(
            "out parameter does not have the correct number of dimensions, has "
            f"{out.ndim} but should have {len(output)}",
            kind=ShapeError,
        )
    return store_out(ev, out, value, dtype, casting=casting)


def _ends_in_array(inputs: list[str], sizes: dict[str, int], optimize: Any) -> bool:
    """Whether NumPy gives an array for a sum without axes: so it does if its last step is a product
    of matrices."""
    shapes = [tuple(int.__add__(sizes[label], 0) for label in labels) for labels in inputs]
    samples = [np.broadcast_to(1.0, shape) for shape in shapes]
    path: Any = np.einsum_path
    found = path(",".join(inputs) + "->", *samples, optimize=optimize, einsum_call=True)
    last = next(part for part in found[1][-1] if isinstance(part, str))
    small = [np.ones((2,) * len(term)) for term in last.split("->")[0].split(",")]
    return isinstance(np.einsum(last, *small, optimize=True), np.ndarray)


def _converted(
    ev: Evaluator, arrays: list[Array], dtype: Any, casting: str
) -> tuple[list[Value], np.dtype]:
    """The operands in the dtype that einsum computes with."""
    kinds = [each.dtype for each in arrays]
    to = np.result_type(*kinds) if dtype is None else dtype_of(ev, dtype, FLOAT)
    for i, each in enumerate(kinds):
        if not ev.compute(np.can_cast, each, to, casting):
            ev.fail_as(
                TypeError,
                f"Iterator operand {i} dtype could not be cast from {each!r} to {to!r} according "
                f"to the rule {casting!r}",
            )
    return [ev.ops.cast(ev.read(each), to) for each in arrays], to


#: The subscript letters that NumPy uses for axis numbers in lists.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _from_lists(ev: Evaluator, given: tuple) -> tuple[str, tuple]:
    """The string and the operands of a call such as `einsum(a, [0, 1], b, [1], [0])`."""

    def term(numbers: Any) -> str:
        numbers = tuple(ev.static_items(numbers)) if isinstance(numbers, Range) else numbers
        numbers = ev.static(numbers, "the subscripts of einsum")
        if not isinstance(numbers, (list, tuple)):
            ev.fail(
                "einsum takes a string, or each operand followed by a list of axes",
                "write 'ij,jk->ik'",
                DTypeError,
            )
        for each in numbers:
            if each is not Ellipsis and not 0 <= each < len(LETTERS):
                ev.fail("subscript is not within the valid range [0, 52)", kind=ShapeError)
        return "".join("..." if each is Ellipsis else LETTERS[each] for each in numbers)

    text = ",".join(term(each) for each in given[1::2])
    if len(given) % 2:
        text = f"{','.join(term(each) for each in given[1:-1:2])}->{term(given[-1])}"
    return text, given[: len(given) // 2 * 2 : 2]


def _parse(ev: Evaluator, text: str, values: list[Array], optimize: Any) -> tuple[list[str], str]:
    """The labels of each operand and of the result, one letter for each axis; an ellipsis is
    replaced by Greek letters."""
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    if len(inputs) != len(values):
        ev.fail(f"einsum: {len(inputs)} terms for {len(values)} operands", kind=ShapeError)
    spare = [chr(code) for code in range(0x3B1, 0x3B1 + 24)]
    longest = 0
    expanded = []
    for term, value in zip(inputs, values, strict=True):
        extra = len(value.shape) - len(term.replace("...", ""))
        if extra < 0 or ("..." not in term and extra):
            ev.fail(f"einsum: term {term!r} for an operand of shape {value.shape}", kind=ShapeError)
        longest = max(longest, extra if "..." in term else 0)
        expanded.append(term.replace("...", "".join(spare[24 - extra :]) if extra > 0 else ""))
    dots = "".join(spare[24 - longest :]) if longest else ""
    if arrow:
        if dots and "..." not in right and ev.static(optimize, "optimize") is False:
            ev.fail(
                "output has more dimensions than subscripts given in einstein sum, but no '...' "
                "ellipsis provided to broadcast the extra dimensions.",
                "sum the axes of the ellipsis afterwards",
                ShapeError,
            )
        return expanded, right.replace("...", dots)
    letters = left.replace(",", "").replace(".", "")
    return expanded, dots + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))


def _diagonal(ev: Evaluator, labels: str, value: Value) -> tuple[str, Value]:
    """Take the diagonal of axes of one operand that have the same label."""
    for label in set(labels):
        while labels.count(label) > 1:
            i = labels.index(label)
            j = labels.index(label, i + 1)
            rest = [axis for axis in range(len(labels)) if axis not in (i, j)]
            value = ev.ops.transpose(value, [i, j, *rest])
            value = views.Diagonal(0, value.shape[1:]).read(ev.ops, value)
            labels = label + "".join(labels[axis] for axis in rest)
    return labels, value


def _rearranged(ev: Evaluator, a: Array, labels: str, output: str) -> Any:
    """The view that einsum returns for one operand without a sum."""
    for label in set(labels):
        while labels.count(label) > 1:
            i = labels.index(label)
            j = labels.index(label, i + 1)
            a = diagonal_view(ev, moveaxis(ev, a, (i, j), (0, 1)), 0)
            labels = label + "".join(c for axis, c in enumerate(labels) if axis not in (i, j))
    return transpose(ev, a, tuple(labels.index(label) for label in output))


def _cheapest(terms: list[Any], output: str, sizes: dict[str, int]) -> tuple[int, int]:
    """The indices of the pair of terms whose contraction costs least."""
    pairs = [(i, j) for i in range(len(terms)) for j in range(i + 1, len(terms))]

    def cost(pair: tuple[int, int]) -> int:
        return math.prod(sizes[c] for c in set(terms[pair[0]][0]) | set(terms[pair[1]][0]))

    return min(pairs, key=cost)


def _contract(ev: Evaluator, first: Any, second: Any, wanted: set[str], dtype: np.dtype) -> Any:
    (a, x), (b, y) = first, second
    x, a = _sum_alone(ev, x, a, set(b) | wanted, dtype)
    y, b = _sum_alone(ev, y, b, set(a) | wanted, dtype)
    batch = [c for c in a if c in b and c in wanted]
    summed = [c for c in a if c in b and c not in wanted]

    def axes(labels: str, which: list[str]) -> list[int]:
        return [labels.index(c) for c in which]

    value = _dot(
        ev, x, y, dtype, (axes(a, summed), axes(b, summed)), (axes(a, batch), axes(b, batch))
    )
    rest = [c for c in a if c not in b] + [c for c in b if c not in a]
    return "".join([*batch, *rest]), value


def _sum_alone(ev: Evaluator, value: Value, labels: str, kept: set[str], dtype: np.dtype) -> Any:
    gone = [i for i, c in enumerate(labels) if c not in kept]
    if gone:
        value = ev.ops.reduce("or" if dtype == BOOL else "add", value, gone)
    return value, "".join(c for c in labels if c in kept)


def vecdot(ev: Evaluator, x1: Any, x2: Any, /) -> Any:
    return _product(ev, "...i,...i->...", _conjugate(ev, x1), x2)


def _conjugate(ev: Evaluator, x: Any) -> Any:
    x = array_of(ev, x)
    return ev.call(np.conjugate, (x,), {}) if x.dtype.kind == "c" else x


def matvec(ev: Evaluator, x1: Any, x2: Any, /) -> Any:
    return _product(ev, "...ij,...j->...i", x1, x2)


def vecmat(ev: Evaluator, x1: Any, x2: Any, /) -> Any:
    return _product(ev, "...i,...ij->...j", _conjugate(ev, x1), x2)


def _product(ev: Evaluator, subscripts: str, a: Any, b: Any) -> Any:
    """The einsum of a product ufunc, for which Python numbers are weakly typed."""
    (a, b), _ = _common(ev, a, b)
    for term, each in zip(subscripts.split("->")[0].split(","), (a, b), strict=True):
        if len(each.shape) < len(term.removeprefix("...")):
            ev.fail(f"an operand of shape {each.shape} has too few axes", kind=ShapeError)
    return einsum(ev, subscripts, fresh(a), fresh(b))


def handlers() -> dict[Any, Callable[..., Any]]:
    # Older versions of NumPy lack matvec and vecmat.
    products = {"matmul": matmul, "vecdot": vecdot, "matvec": matvec, "vecmat": vecmat}
    known = {getattr(np, name): each for name, each in products.items() if hasattr(np, name)}
    return {
        **{ufunc: generalized(ufunc, each) for ufunc, each in known.items()},
        np.dot: dot, np.inner: inner, np.vdot: vdot, np.outer: outer,
        np.tensordot: tensordot, np.einsum: einsum, np.linalg.matmul: matmul,
    }  # fmt: skip
