"""`a.flat`: all elements of an array in C order, for reads, stores and iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ingot.numpy.layout import is_contiguous, is_known
from ingot.syntax import views
from ingot.syntax.contents import HOLDERS
from ingot.syntax.late_reads import refuse_late_reads
from ingot.syntax.ops import fresh
from ingot.syntax.values import Array, Lazy, Scalar, Symbolic
from ingot_runtime.errors import ShapeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Flat(Symbolic):
    """The value of `a.flat`.

    Attributes:
        held: the array.
        line: the elements as an array of one axis, a view of `held`.
        iterated: the iterator over the elements, which can be used once.
    """

    held: Array
    line: Array
    iterated: Lazy
    described: ClassVar[str] = "a flat iterator"


HOLDERS.add(Flat)


def flat(ev: Evaluator, a: Array) -> Flat:
    size = (a.size,)
    line = Array(a.storage, size, (*a.views, views.Reshape(size)), a.writable, True)
    items = Lazy(a.size, lambda index: ev.subscript(line, index), ev.new_list([]), over=(line,))
    return Flat(a, line, items)


def copied(ev: Any, value: Flat) -> Array:
    """`a.flat.copy()`."""
    return fresh(ev.read(value.line), ev.location)


def as_array(ev: Any, value: Flat) -> Array:
    """`a.flat` as an argument of a function: a view if `a` is contiguous, else a read-only copy."""
    if not is_known(value.held):
        ev.fail("the order of this array depends on what happens at run time", "use a.ravel()")
    if is_contiguous(value.held):
        return value.line
    made = copied(ev, value)
    made.writable = False
    return made


def item(ev: Any, value: Flat, index: Any) -> Any:
    """`a.flat[index]`: an element, or a new array."""
    found = ev.subscript(value.line, index)
    return fresh(ev.read(found), ev.location) if isinstance(found, Array) else found


def store(ev: Any, value: Flat, index: Any, new: Any) -> None:
    """`a.flat[index] = new`, where `new` is repeated to the length that is selected."""
    new = ev.as_array(new)
    if not isinstance(new, Array) or not new.shape:
        # Where several elements are selected, NumPy converts the number to an array first.
        is_one = isinstance(index, (int, np.integer, Scalar))
        new = new if is_one else ev.call(np.array, (new, value.line.dtype), {})
        ev.store_item(value.line, index, new)
        return
    if isinstance(index, (int, np.integer, Scalar)):
        ev.raise_now(ValueError, "Error setting single item of array.")
    if ev.is_mask(value.line, index):
        ev.fail("an array can't be stored through a mask of a.flat", "use np.where")
    selected = ev.subscript(value.line, index)
    shape = selected.shape if isinstance(selected, Array) else ()
    if new.size == 0:
        if 0 in shape:
            return
        ev.fail("Cannot assign nothing to elements of a.flat", kind=ShapeError)
    if isinstance(selected, Array):
        refuse_late_reads(ev, value.line, selected, new)
    ev.store_item(value.line, index, ev.call(np.resize, (new, shape), {}))
