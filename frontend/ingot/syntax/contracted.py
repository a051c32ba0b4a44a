"""np.einsum of arrays of dynamic length: unused elements become zeros, which add nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.numpy.shape import array_of
from ingot.syntax import pieces, sliced, spans
from ingot.syntax.dynamic import Part, Sliced, Span
from ingot.syntax.ops import fresh
from ingot.syntax.values import Array

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def einsum(ev: Evaluator, subscripts: Any, *operands: Any, optimize: Any = False) -> Any:
    """np.einsum of several operands, by a text without an ellipsis or a diagonal."""
    terms, output = _terms(subscripts)
    values = [
        pieces.left_aligned(ev, ev.packed(each)) if isinstance(each, Part) else array_of(ev, each)
        for each in operands
    ]
    is_plain = len(terms) == len(values) > 1 and all(
        len(set(term)) == len(term) == value.ndim for term, value in zip(terms, values, strict=True)
    )
    if not is_plain:
        sliced.refuse(ev, operands)
    met = {label: _met(ev, label, terms, values) for label in "".join(terms)}
    dense = [_filled(ev, *each, met) for each in zip(terms, values, strict=True)]
    text = f"{','.join(terms)}->{output}"
    made = ev.call(np.einsum, (text, *dense), {"optimize": optimize})
    return sliced.with_spans(made, tuple(met[label][1] for label in output))


def _terms(subscripts: Any) -> tuple[list[str], str]:
    """The labels of the operands and of the result; no operands if the form is not supported."""
    if not isinstance(subscripts, str) or "." in subscripts:
        return [], ""
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    letters = left.replace(",", "")
    alone = sorted(label for label in set(letters) if letters.count(label) == 1)
    return left.split(","), output if arrow else "".join(alone)


def _met(
    ev: Evaluator, label: str, terms: list[str], values: list[Array | Sliced]
) -> tuple[int, Span | None]:
    """The extent of the axes with a label and their span, with a check that lengths are equal."""
    fixed, dynamic, extents = [], [], []
    for term, value in zip(terms, values, strict=True):
        if label not in term:
            continue
        axis = term.index(label)
        span = value.spans[axis] if isinstance(value, Sliced) else None
        extent = (value.dense if isinstance(value, Sliced) else value).shape[axis]
        if span is None and extent != 1:
            fixed.append(extent)
        elif span is not None:
            dynamic.append(span.count)
            extents.append(extent)
    counts = [*dynamic, *fixed]
    for count in counts[1:] if dynamic else ():
        spans.check_lengths(ev, counts[0], count, (counts[0], count))
    if fixed or not dynamic:
        return (fixed or [1])[0], None
    return max(extents), Span(0, dynamic[0])


def _filled(
    ev: Evaluator, term: str, value: Array | Sliced, met: dict[str, tuple[int, Span | None]]
) -> Array:
    """The dense array, with zeros for what is not used."""
    if not isinstance(value, Sliced):
        return value
    data = ev.read(value.dense)
    for axis, span in value.open_spans:
        data = spans.shifted(ev, data, axis, span, 0, met[term[axis]][0])
    live = sliced.live(ev, Sliced(fresh(data), value.spans), value.open_axes)
    return ev.call(np.where, (live, fresh(data), value.dtype.type(0)), {})  # type: ignore[no-any-return]
