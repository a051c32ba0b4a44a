"""Methods of lists, dicts, sets, tuples and ranges."""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ingot.syntax import grown, rows
from ingot.syntax.cells import Cell
from ingot.syntax.container_items import MISSING
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    Items,
    Iterator,
    List,
    OrNone,
    Range,
    Reference,
    Scalar,
    Set,
    Text,
    describe,
    is_number,
)

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

# Each method is a function of the evaluator, the owner and the arguments.


def _extend(ev: Evaluator, owner: List, items: Any) -> None:
    ev.extend(owner, items)


def _insert(ev: Evaluator, owner: List, index: Any, item: Any) -> None:
    index = ev.call(operator.index, (index,), {})
    held = grown.rows_of(ev, owner, index)
    if held is not None:
        grown.insert(ev, owner, held, index, item)
        return
    items = ev.items(owner)
    items.insert(ev.static(index, "the index of an inserted item"), item)
    ev.change(owner, tuple(items))


def _pop_item(ev: Evaluator, owner: List, index: Any = -1) -> Any:
    index = ev.call(operator.index, (index,), {})
    held = grown.rows_of(ev, owner, index)
    if held is not None:
        return grown.pop(ev, owner, held, index)
    items = ev.items(owner)
    if not items:
        ev.raise_now(IndexError, "pop from empty list")
    index = ev.static(index, "the index of a popped item")
    if not -len(items) <= index < len(items):
        ev.raise_now(IndexError, "pop index out of range")
    found = items.pop(index)
    ev.change(owner, tuple(items))
    return found


def _remove(ev: Evaluator, owner: List, item: Any) -> None:
    held = grown.rows_of(ev, owner, item)
    if held is not None:
        message = "list.remove(x): x not in list"
        grown.delete(ev, owner, held, grown.library_call(ev, "index_of", owner, item, message))
        return
    items = ev.items(owner)
    for i, each in enumerate(items):
        same = ev.equal(each, item)
        if not isinstance(same, bool):
            ev.static(same, "which item is removed")
        if same:
            ev.change(owner, (*items[:i], *items[i + 1 :]))
            return
    ev.raise_now(ValueError, "list.remove(x): x not in list")


#: The place of an item in a message.
_ITEM = "\0"


class _Item:
    """An item of which a message shows the place."""

    def __repr__(self) -> str:
        return _ITEM


def _not_found(ev: Evaluator, owner: Any, item: Any) -> str | Text:
    """What `index` raises, in the words that Python's version chooses."""
    empty: Any = [] if isinstance(owner, List) else ()
    try:
        empty.index(_Item())
    except ValueError as error:
        before, found, behind = str(error).partition(_ITEM)
    if not found:
        return before
    is_shown = is_number(item) or type(item) in (str, type(None), type)
    return ev.joined([before, ev.text(item, repr) if is_shown else describe(item), behind], "")


def _index(ev: Evaluator, owner: Any, item: Any, start: Any = 0, stop: Any = None) -> Any:
    if grown.is_open_sequence(ev, owner) and start == 0 and stop is None:
        return grown.library_call(ev, "index_of", owner, item, _not_found(ev, owner, item))
    items = list(ev.static_items(owner))
    positions = range(len(items))[ev.static(start, "a bound") : ev.static(stop, "a bound")]
    message = _not_found(ev, owner, item)
    if any(isinstance(each, Instance) for each in (item, *items)):
        return _first_position(ev, items, item, positions, message)
    tests, found = [], False
    for position in positions:
        test = ev.equal(items[position], item)
        if test is not False:
            tests.append((test, position))
            found = ev.either(found, test)
        if test is True:
            break
    if found is False:
        ev.raise_now(ValueError, message)
    ev.check(found, "ValueError", message)
    return ev._chosen([test for test, _ in tests[:-1]], [p for _, p in tests[:-1]], tests[-1][1])


def _first_position(
    ev: Evaluator, items: list[Any], item: Any, positions: Sequence[int], message: str | Text
) -> Any:
    """The first of `positions` at which an equal item is; behind it no comparison is called."""
    if not positions:
        ev.raise_now(ValueError, message)
    same = ev.equal(items[positions[0]], item)
    rest = functools.partial(_first_position, ev, items, item, positions[1:], message)
    if isinstance(same, bool):
        return positions[0] if same else rest()
    return ev.choose(same, lambda: positions[0], rest)


def _index_in_range(ev: Evaluator, owner: Range, item: Any) -> Any:
    inside = ev.contains(owner, item)
    shown = ev.text(item, repr) if is_number(item) else describe(item)
    message = ev.joined([shown, " is not in range"], "")
    if inside is False:
        ev.raise_now(ValueError, message)
    ev.check(inside, "ValueError", message)
    position = ev.binary(ast.FloorDiv, ev.binary(ast.Sub, item, owner.start), owner.step)
    return ev.call(int, (position,), {})


def _count(ev: Evaluator, owner: Any, item: Any) -> Any:
    if grown.is_open_sequence(ev, owner):
        return grown.library_call(ev, "count", owner, item)
    total: Any = 0
    for each in ev.static_items(owner):
        same = ev.equal(each, item)
        one = int(same) if isinstance(same, bool) else ev.call(int, (same,), {})
        total = ev.binary(ast.Add, total, one)
    return total


def _sort(ev: Evaluator, owner: List, *, key: Any = None, reverse: Any = False) -> None:
    contents = ev.contents(owner)
    if rows.is_open(contents) and key is None:
        is_backward = bool(ev.static(reverse, "reverse"))
        ev.change(owner, grown.ordered(ev, contents, is_backward))
        return
    items = ev.sorted_items(ev.items(owner), key, reverse)
    if ev.contents(owner) is not contents:
        ev.fail("the key changes the list that it sorts", "use sorted, which sorts a copy")
    ev.change(owner, tuple(items))


def _reverse(ev: Evaluator, owner: List) -> None:
    contents = ev.contents(owner)
    if rows.is_open(contents):
        ev.change(owner, grown.sliced(ev, contents, slice(None, None, -1)))
        return
    ev.change(owner, tuple(reversed(ev.items(owner))))


def _copy(ev: Evaluator, owner: Any) -> Any:
    if isinstance(owner, Set):
        return ev.set_of(set.copy, ev.contents(owner))
    if isinstance(owner, List):
        contents = ev.contents(owner)
        return ev.list_of(contents) if rows.is_open(contents) else ev.new_list(ev.items(owner))
    made = Dict(Cell(owner.cell.kind, dict(ev.entries(owner)), ev.location))
    made.cell.extra = owner.cell.extra
    return made


def _clear(ev: Evaluator, owner: Any) -> None:
    ev.change(owner, {List: (), Dict: {}, Set: ev.sets.made(set)}[type(owner)])


def _get(ev: Evaluator, owner: Dict, key: Any, default: Any = None) -> Any:
    entries = ev.entries(owner)
    if isinstance(key, Scalar):
        return ev._entry_at(entries, key, default)
    ev.check_key(key)
    return entries.get(key, default)


def _pop_entry(ev: Evaluator, owner: Dict, key: Any, default: Any = MISSING) -> Any:
    ev.check_key(key)
    entries = dict(ev.entries(owner))
    if key not in entries:
        if default is MISSING:
            ev.raise_now(KeyError, repr(key), (key,))
        return default
    found = entries.pop(key)
    ev.change(owner, entries)
    return found


def _popitem(ev: Evaluator, owner: Dict) -> tuple:
    entries = dict(ev.entries(owner))
    if not entries:
        ev.raise_now(KeyError, "'popitem(): dictionary is empty'")
    found = entries.popitem()
    ev.change(owner, entries)
    return found


def _setdefault(ev: Evaluator, owner: Dict, key: Any, default: Any = None) -> Any:
    ev.check_key(key)
    entries = ev.entries(owner)
    if key in entries:
        return entries[key]
    ev.set_entry(owner, key, default)
    return default


def _update(ev: Evaluator, owner: Dict, other: Any = (), **named: Any) -> None:
    if isinstance(other, Iterator):
        # What makes a pair sees those before it, and they stay if it raises an exception.
        for i, pair in enumerate(ev.pulled(ev.supply(other))):
            key, value = _pair_of(ev, i, pair)
            ev.change(owner, {**ev.entries(owner), key: value})
        other = ()
    ev.change(owner, {**ev.entries(owner), **pairs_of(ev, other), **named})


def pairs_of(ev: Any, value: Any) -> dict[Any, Any]:
    """The items of `dict(value)`."""
    found = mapped(ev, value)
    if found is not None:
        return found
    return dict(_pair_of(ev, i, pair) for i, pair in enumerate(ev.static_items(value)))


def _pair_of(ev: Any, i: int, pair: Any) -> tuple[Any, Any]:
    """The key and the value of the item `i` of `dict(items)`."""
    element = f"dictionary update sequence element #{i}"
    if is_number(pair) or pair is None:
        ev.raise_now(TypeError, f"cannot convert {element} to a sequence")
    items = list(ev.static_items(pair))
    if len(items) != 2:
        ev.raise_now(ValueError, f"{element} has length {len(items)}; 2 is required")
    ev.check_key(items[0])
    return items[0], items[1]


def mapping(ev: Any, value: Any, refusal: str) -> dict[Any, Any]:
    """The items of what stands behind two stars; `refusal` is what Python says of no mapping."""
    value = ev.not_none(value) if type(value) is OrNone else value
    found = mapped(ev, value)
    if found is not None:
        return found
    if is_number(value) or isinstance(value, _NO_MAPPINGS):
        ev.raise_now(TypeError, refusal)
    return ev.fail(f"{describe(value)} can't be given with two stars", "make a dict of it")


#: The types of values that are no mappings.
_NO_MAPPINGS = (type(None), str, bytes, tuple, Array, Range, List, Set)


def mapped(ev: Any, value: Any) -> dict[Any, Any] | None:
    """The items of a dict, or of an instance with a method `keys`; None of other values."""
    if isinstance(value, Dict):
        return ev.entries(value)
    keys = ev.special(value, "keys")
    if keys is None:
        return None
    found = {}
    for key in ev.static_items(ev.call(keys, (), {})):
        ev.check_key(key)
        found[key] = ev.subscript(value, key)
    return found


def _elements_of(ev: Evaluator, items: Any) -> Any:
    """What a method of a set takes, in Python's order: sets and dicts it takes by their tables."""
    found = ev.contents(items) if isinstance(items, Set) else list(ev.static_items(items))
    for each in found:
        ev.check_key(each)
    return dict.fromkeys(found) if isinstance(items, Dict) else found


def _set_change(name: str) -> Callable[..., Any]:
    method = getattr(set, name)

    def call(ev: Evaluator, owner: Set, *others: Any) -> None:
        given = [_elements_of(ev, each) for each in others]
        ev.change(owner, ev.sets.changed(ev.contents(owner), method, *given)[0])

    return call


def _set_value(name: str) -> Callable[..., Any]:
    method = getattr(set, name)

    def call(ev: Evaluator, owner: Set, *others: Any) -> Any:
        given = ev.contents(owner), *(_elements_of(ev, each) for each in others)
        made = method(*given)
        return ev.set_of(method, *given) if isinstance(made, set) else made

    return call


def _element_change(name: str) -> Callable[..., Any]:
    method = getattr(set, name)

    def call(ev: Evaluator, owner: Set, *element: Any) -> Any:
        for each in element:
            ev.check_key(each)
        try:
            made, found = ev.sets.changed(ev.contents(owner), method, *element)
        except KeyError as error:
            ev.raise_now(KeyError, str(error), error.args)
        ev.change(owner, made)
        return found

    return call


def _items_of(what: str) -> Callable[..., Any]:
    return lambda ev, owner: Items(owner, what)


CONTAINER_METHODS: dict[type[Reference], dict[str, Callable[..., Any]]] = {
    List: {
        "append": lambda ev, owner, item: ev.append(owner, item), "extend": _extend,
        "insert": _insert, "pop": _pop_item, "remove": _remove, "index": _index, "count": _count,
        "sort": _sort, "reverse": _reverse, "copy": _copy, "clear": _clear,
    },
    Dict: {
        "get": _get, "pop": _pop_entry, "popitem": _popitem, "setdefault": _setdefault,
        "update": _update, "copy": _copy, "clear": _clear, "keys": _items_of("keys"),
        "values": _items_of("values"), "items": _items_of("items"),
    },
    Set: {
        "add": _element_change("add"), "discard": _element_change("discard"),
        "remove": _element_change("remove"), "pop": _element_change("pop"),
        "copy": _copy, "clear": _clear,
        **{name: _set_change(name) for name in (
            "update", "difference_update", "intersection_update", "symmetric_difference_update",
        )},
        **{name: _set_value(name) for name in (
            "union", "difference", "intersection", "symmetric_difference", "issubset",
            "issuperset", "isdisjoint",
        )},
    },
    Iterator: {},
}  # fmt: skip
_SPECIAL: dict[str, Callable[..., Any]] = {
    "__getitem__": lambda ev, owner, key: ev.container_item(owner, key),
    "__setitem__": lambda ev, owner, key, value: ev.store_container(owner, key, value),
    "__delitem__": lambda ev, owner, key: ev.delete_item(owner, key),
    "__contains__": lambda ev, owner, item: ev.contains(owner, item),
    "__len__": lambda ev, owner: ev.length(owner),
}
for _kind in (List, Dict):
    CONTAINER_METHODS[_kind] |= _SPECIAL

RANGE_METHODS: dict[str, Callable[..., Any]] = {"index": _index_in_range, "count": _count}
TUPLE_METHODS: dict[str, Callable[..., Any]] = {"index": _index, "count": _count}
