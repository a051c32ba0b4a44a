"""Operations on all items of a list that is held as rows of arrays (`Grown`).

The length of such a list may be dynamic. An operation that rearranges the items rearranges the rows
of each array in the same way.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import OF_PYTHON
from ingot.numpy.library import items
from ingot.syntax import intervals, parts, spans
from ingot.syntax.cells import Cell
from ingot.syntax.dynamic import (
    Grown,
    Part,
    Sliced,
    Span,
)
from ingot.syntax.joins import row_type
from ingot.syntax.leaves import flatten_contents
from ingot.syntax.lengths import counted, unchecked
from ingot.syntax.ops import at_least, bounds_of, fresh
from ingot.syntax.parts import PARTS
from ingot.syntax.rows import as_item, check_bound, is_open, joined_item, kept, row
from ingot.syntax.sliced import shape_of
from ingot.syntax.spans import Number
from ingot.syntax.types import ArrayType, GrownType, ScalarType, TupleType, type_of
from ingot.syntax.values import (
    Array,
    Lazy,
    List,
    Range,
    Scalar,
    Undetermined,
    last_resort,
    parameter_of,
)
from ingot.syntax.values import ordered as kinds_in_order

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator


def is_open_sequence(ev: Any, value: Any) -> bool:
    """Whether an iterable has a dynamic length."""
    if isinstance(value, List):
        return is_open(ev.contents(value))
    if isinstance(value, Range):
        return any(isinstance(each, Scalar) for each in (value.start, value.stop, value.step))
    return type(value) in PARTS or (isinstance(value, Lazy) and isinstance(value.length, Scalar))


def listed(ev: Any, value: Any) -> List:
    """A new list of the items of an iterable of dynamic length."""
    if isinstance(value, List):
        return ev.list_of(ev.contents(value))
    return (
        library_call(ev, "listed", value)
        if ev.lists.open()
        else ev.new_list(ev.static_items(value))
    )


def by_index(ev: Evaluator, value: Any) -> Any:
    """A list of static length as rows, which allow dynamic indices; other values unchanged."""
    if not isinstance(value, List) or isinstance(ev.contents(value), Grown):
        return value
    contents = ev.contents(value)
    if not contents:
        return Lazy(0, lambda index: index)
    item = row_type(type_of(contents[0]))
    return value if item is None else ev.list_of(of_items(ev, item, contents))


def library_call(ev: Any, name: str, *args: Any) -> Any:
    """Call a function of `numpy.library.items`."""
    return ev.inline(getattr(items, name), args, {}, ev.node, name)


def stacked(ev: Any, grown: Grown) -> Any:
    """The items of a list, stacked to one array; None unless they are numbers or arrays of one
    type, or tuples of numbers."""
    item = grown.item
    if isinstance(item, ScalarType):
        return _columns_of_numbers(ev, grown, (item,))[0]
    if isinstance(item, TupleType) and all(isinstance(each, ScalarType) for each in item.items):
        columns = _columns_of_numbers(ev, grown, item.items)
        if is_open(grown):
            ev.limit(ev.compare(ast.Gt(), grown.length, 0), _EMPTY)
        return ev.call(np.stack, (columns,), {"axis": 1})
    is_array = isinstance(item, ArrayType) and not is_open(grown)
    return _columns(ev, grown)[0] if is_array else None


def require_dtype(ev: Any, grown: Grown, rows: Any) -> None:
    """Refuse, at run time, an empty list of numbers whose array would not be one of floats."""
    if isinstance(grown.item, ScalarType) and is_open(grown) and rows.dtype != np.float64:
        ev.limit(ev.compare(ast.Gt(), grown.length, 0), _NO_NUMBERS)


#: Of a list of numbers.
_NO_NUMBERS = "this list is empty, so that NumPy's array of it is one of floats; give the dtype"
#: The dtypes of Python's numbers, whose types meet in a list.
_OF_PYTHON = frozenset(OF_PYTHON.values())
#: Of a list that has none of the numbers which give an array of it its dtype.
_NARROWER = (
    "no number in this list is {}, so that NumPy's array of it has another dtype; convert all "
    "numbers of it"
)
#: Of a list of tuples.
_EMPTY = "this list is empty, so that NumPy's array of it has one axis only"


def _columns_of_numbers(ev: Any, grown: Grown, types: tuple[Any, ...]) -> list[Array | Sliced]:
    """One array for each number in an item, which together have one dtype.

    Raises:
        Undetermined: the dtype depends on which of the paths were taken.
    """
    columns = iter(_columns(ev, grown))
    pairs = [(next(columns), next(columns) if each.kinds else None) for each in types]
    if len(_dtypes_of_lists(types)) > 1:
        _require_widest(ev, grown, types, [which for _, which in pairs])
    return [values for values, _ in pairs]


def _dtypes_of_lists(types: tuple[Any, ...]) -> set[np.dtype]:
    """The dtypes of arrays of such items, each of which has numbers of some of their kinds."""
    found: set[frozenset[np.dtype]] = {frozenset()}
    for type_ in types:
        dtypes = {np.dtype(kind) for kind in type_.all_kinds}
        some = [c for n in range(len(dtypes)) for c in itertools.combinations(dtypes, n + 1)]
        found = {one.union(each) for one in found for each in some}
    return {np.result_type(*each) for each in found}


def _require_widest(ev: Any, grown: Grown, types: tuple[Any, ...], which: list[Any]) -> None:
    """Refuse, at run time, that no number in a list has the widest of the dtypes that it may have.

    Raises:
        Undetermined: some are not of Python, and wider ones need not be among the numbers.
    """
    dtypes = {np.dtype(kind) for type_ in types for kind in type_.all_kinds}
    if not dtypes <= _OF_PYTHON:
        raise Undetermined(next(type_.kinds for type_ in types if type_.kinds))
    widest = np.result_type(*dtypes)
    # An empty list gives an array of floats.
    found: Any = bool(widest == np.float64) and ev.compare(ast.Eq(), grown.length, 0)
    for type_, column in zip(types, which, strict=True):
        for number, kind in enumerate(kinds_in_order(type_.all_kinds)):
            if column is not None and np.dtype(kind) == widest:
                has_one = ev.call(np.any, (ev.compare(ast.Eq(), column, number),), {})
                found = ev.either(found, has_one)
    name = next(kind.__name__ for kind, dtype in OF_PYTHON.items() if dtype == widest)
    ev.limit(found, _NARROWER.format(f"a {name}"))


def rows_of(ev: Any, owner: List, *indices: Any) -> Grown | None:
    """The rows of a list, if its length or one of the indices is dynamic; else None."""
    contents = ev.contents(owner)
    if is_open(contents) or not any(isinstance(each, Scalar) for each in indices):
        return contents if is_open(contents) else None
    if not ev.lists.open():
        return None
    made = by_index(ev, owner)
    found = ev.contents(made) if isinstance(made, List) else None
    return found if isinstance(found, Grown) else None


#: From this many numbers of one type on, a list is held as rows once one is stored at a run-time
#: index.
MANY_NUMBERS = 16


def for_store(ev: Any, owner: List, index: Any, value: Any) -> Grown | None:
    """The rows of a list to which `owner[index] = value` stores a row; None to store an item."""
    contents = ev.contents(owner)
    if isinstance(contents, Grown):
        # A number of another type would meet those of all rows.
        is_alike = isinstance(contents.item, ScalarType) and (
            type_of(value, runtime=True) == contents.item
        )
        return contents if is_open(contents) or is_alike else None
    item = _many_numbers((*contents, value)) if isinstance(index, Scalar) else None
    return None if item is None else of_items(ev, item, contents)


def number_at(ev: Any, items: tuple, position: Any) -> Any:
    """One of many numbers of one type at a run-time index in range, or None if they are not."""
    item = _many_numbers(items)
    if item is None or (Scalar not in map(type, items) and len({*items}) == 1):
        return None
    made = row(ev, None, of_items(ev, item, items), position)
    made.parameter = last_resort(parameter_of([position, *items]))
    if item.dtype.kind in "iu":
        intervals.note(made, functools.reduce(intervals.union, map(bounds_of, items)))
    return made


def _many_numbers(values: tuple) -> ScalarType | None:
    """The type of many numbers of one type, which a list may hold as rows; else None."""
    if len(values) < MANY_NUMBERS or not all(map(_is_number, values)):
        return None
    first, *rest = {type_of(each, runtime=True) for each in values}
    is_one = isinstance(first, ScalarType) and first.kinds is None and not rest
    return first if is_one else None  # type: ignore[return-value]


def _is_number(value: Any) -> bool:
    """Whether a value is a number that has no more to it than its value and its type."""
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return type(value) in (Scalar, *OF_PYTHON) or isinstance(value, (np.number, np.bool_))


def pop(ev: Evaluator, owner: List, grown: Grown, index: Any) -> Any:
    """`owner.pop(index)` with a dynamic length or index."""
    if is_open(grown):
        some = spans.compare(ev, "gt", grown.length, 0)
        ev.check(some, "IndexError", "pop from empty list")
    if isinstance(index, int) and index == -1:
        last = spans.difference(ev, grown.length, 1)
        item = row(ev, owner.cell, grown, spans.greatest(ev, last, 0))
        ev.change(owner, replace(grown, length=_one_less(ev, grown), first=()))
        return item
    position = ev._in_bounds(index, grown.length, "pop")
    item = row(ev, owner.cell, grown, position)
    ev.change(owner, _without(ev, grown, position))
    return item


def delete(ev: Any, owner: List, grown: Grown, index: Any) -> None:
    """`del owner[index]` with a dynamic length or index."""
    position = ev._in_bounds(index, grown.length, "list assignment")
    ev.change(owner, _without(ev, grown, position))


def insert(ev: Evaluator, owner: List, grown: Grown, index: Any, item: Any) -> None:
    """`owner.insert(index, item)` with a dynamic length or index."""
    appended, one = kept(ev, owner, grown, [item]), of_items(ev, grown.item, (item,))
    before, after = (sliced(ev, grown, each) for each in (slice(index), slice(index, None)))
    made = joined(ev, [before, one, after])
    if isinstance(grown.length, int):
        made = replace(made, length=grown.length + 1)
    change(ev, owner, replace(made, appended=appended))


def replaces(ev: Any, owner: List, index: slice, value: Any) -> bool:
    """`owner[i:j] = value` with a dynamic length or bound; False, and no store, without one."""
    if index.step not in (None, 1):
        return False
    grown = rows_of(ev, owner, index.start, index.stop)
    if grown is None and not (is_open_sequence(ev, value) and ev.lists.open()):
        return False
    added = ev.new_list(())
    ev.extend(added, value)
    if grown is None:
        grown = as_grown(ev, owner, ev.contents(added))
    grown = replace(grown, appended=kept_of(ev, owner, grown, added))
    _replace(ev, owner, grown, index, as_grown(ev, added, grown))
    return True


def _replace(ev: Evaluator, owner: List, grown: Grown, index: slice, new: Grown) -> None:
    span = spans.span_of(ev, index, grown.length)
    if spans.same(span.count, new.length):
        ev.change(owner, _stored(ev, grown, index, new))
        return
    end = spans.total(ev, span.start, span.count)
    before, after = (sliced(ev, grown, each) for each in (slice(span.start), slice(end, None)))
    made = joined(ev, [before, new, after])
    change(ev, owner, replace(made, appended=grown.appended))


def _stored(ev: Evaluator, grown: Grown, index: slice, new: Grown) -> Grown:
    """Store to a slice as many rows as it has."""
    item = joined_item(ev, grown.item, new.item)
    columns = _columns(ev, as_item(ev, grown, item))
    for column, rows in zip(columns, _columns(ev, as_item(ev, new, item)), strict=True):
        ev.store_item(column, index, rows)
    return replace(_of_columns(ev, item, columns), appended=grown.appended)


def kept_of(ev: Any, owner: List, grown: Grown, added: List) -> frozenset[Cell]:
    """What `appended` is once a list has the items of another one, too."""
    contents = ev.contents(added)
    return kept(ev, owner, grown, () if isinstance(contents, Grown) else contents)


def _without(ev: Evaluator, grown: Grown, position: Any) -> Grown:
    """All rows but one: those behind it move up."""
    here = fresh(ev.ops.iota((grown.capacity,), 0))
    is_behind = ev.compare(ast.GtE(), here, position)
    source = ev.call(np.minimum, (ev.binary(ast.Add, here, is_behind), grown.capacity - 1), {})
    with unchecked(ev):
        moved = [ev.subscript(fresh(each), source) for each in grown.data]
    data = tuple(map(ev.read, moved))
    return replace(grown, data=data, length=_one_less(ev, grown), first=())


def _one_less(ev: Evaluator, grown: Grown) -> Number:
    return _within(spans.difference(ev, grown.length, 1), 0, grown.most - 1)


def _within(length: Number, low: int, high: int) -> Number:
    if isinstance(length, Scalar):
        length = Scalar(length.value, length.held, length.weak, length.affine, low, max(high, 0))
    return length


def of_items(ev: Any, item: Any, contents: tuple) -> Grown:
    """The items of a list of static length as rows."""
    for each in contents:
        item = joined_item(ev, item, type_of(each))
    count = len(contents)
    leaves = flatten_contents(ev, contents, GrownType(item, count, count, count))
    return Grown(item, tuple(leaves), count)


def as_grown(ev: Any, value: List, like: Grown) -> Grown:
    """The items of a list as rows, with the item type of another list."""
    contents = ev.contents(value)
    return contents if isinstance(contents, Grown) else of_items(ev, like.item, contents)


def _columns(ev: Evaluator, grown: Grown) -> list[Array | Sliced]:
    """For each number or array in an item, one array that stacks it for all items."""
    found: list[Array | Sliced] = []
    for data in grown.data:
        if isinstance(grown.length, int):
            rest = list(data.shape[1:])
            if grown.length != data.shape[0]:
                data = ev.ops.create(
                    "slice", [data], starts=[0] * len(data.shape), sizes=[grown.length, *rest],
                    strides=[1] * len(data.shape),
                )  # fmt: skip
            found.append(fresh(data, ev.location))
            continue
        whole = (None,) * (len(data.shape) - 1)
        found.append(counted(ev, data, (Span(0, grown.length), *whole)))
    return found


def _of_columns(ev: Evaluator, item: Any, columns: list[Any]) -> Grown:
    """The rows made from such stacked arrays."""
    data: list[Value] = []
    length: Any = 0
    for each in columns:
        if not isinstance(each, Part):
            length = each.shape[0]
            data.append(ev.read(each))
            continue
        packed = parts.packed(ev, each)
        length = shape_of(packed)[0]
        data.append(ev.read(packed.dense))
    if isinstance(length, Scalar):
        low, high = bounds_of(length)
        most = data[0].shape[0]
        low = low if low is not None and at_least(low, 0) else 0
        length = _within(length, low, most if high is None else min(high, most))
    return Grown(item, tuple(data), length)


def rearranged(ev: Any, grown: Grown, function: Callable[[Any], Any]) -> Grown:
    """The rows after a function has rearranged each of their arrays."""
    return _of_columns(ev, grown.item, [function(each) for each in _columns(ev, grown)])


def sliced(ev: Any, grown: Grown, index: slice) -> Grown:
    # Slices of lists are clipped, also where the bounds differ by a static number.
    saved, ev.opens_windows = ev.opens_windows, True
    try:
        return rearranged(ev, grown, lambda column: ev.subscript(column, index))
    finally:
        ev.opens_windows = saved


def joined(ev: Any, lists: list[Grown]) -> Grown:
    """The concatenation of lists."""
    lists = [each for each in lists if is_open(each) or each.length] or lists[:1]
    item = lists[0].item
    for each in lists[1:]:
        item = joined_item(ev, item, each.item)
    rows = [_columns(ev, as_item(ev, each, item)) for each in lists]
    columns = [ev.call(np.concatenate, (list(each),), {}) for each in zip(*rows, strict=True)]
    return _of_columns(ev, item, columns)


def ordered(ev: Evaluator, grown: Grown, reverse: bool) -> Grown:
    """`sorted` of numbers; stable, also where it is reversed, as in Python."""
    item = grown.item
    if not isinstance(item, ScalarType) or item.dtype.kind == "c":
        ev.fail(
            "the order of these items is known at run time only",
            "sort an array with np.sort or np.argsort",
        )
    flip = slice(None, None, -1 if reverse else None)
    columns = [ev.subscript(each, flip) for each in _columns(ev, grown)]
    order = ev.call(np.argsort, (columns[0],), {"kind": "stable"})
    return _of_columns(
        ev, item, [ev.subscript(ev.subscript(each, order), flip) for each in columns]
    )


def change(ev: Any, owner: List, grown: Grown) -> None:
    """Replace the contents of a list, with a check of the bound declared for its length."""
    most = check_bound(ev, owner, grown.length, grown.most)
    if most != grown.most:
        grown = replace(grown, length=_within(grown.length, 0, most))
    ev.change(owner, grown)
