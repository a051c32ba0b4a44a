"""Lists, dicts, sets, tuples and ranges: their items, operators and methods."""

from __future__ import annotations

import ast
import collections
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ingot.dimensions import Dimension, Undecided, depends
from ingot.dtypes import STATIC_NUMBERS
from ingot.syntax import grown, parts, rows, sliced
from ingot.syntax.flat import Flat
from ingot.syntax.indexing import Indexing
from ingot.syntax.ops import fresh
from ingot.syntax.supplies import END, OfIndex, OfItems
from ingot.syntax.values import (
    Array,
    Cell,
    Dict,
    Grown,
    Instance,
    Items,
    Iterator,
    Lazy,
    List,
    Range,
    Scalar,
    Set,
    Supply,
    Symbolic,
    Text,
    class_name,
    describe,
    is_number,
    same_object,
)
from ingot_runtime.errors import DTypeError

#: From this many equal arrays on, one that is chosen at run time is a row of all of them.
MANY_ARRAYS = 4
#: The longest list whose items are values of the compiler.
MOST_ITEMS = 100_000
#: Of Python's numbers: `None` where an argument is not given.
MISSING = object()
_Iterator = type(iter(()))


class Containers(Indexing):
    # Sequences.

    def new_iterator(self, supply: Supply) -> Iterator:
        return Iterator(Cell(_Iterator, supply, self.place))

    def supply(self, value: Any) -> Supply:
        """The items of something, of which there is a known number."""
        return self.supply_of(self.iterable(value))

    def supply_of(self, sequence: Range | Lazy | Supply) -> Supply:
        """The same of what `iterable` gives."""
        if isinstance(sequence, Range):
            return OfItems(self.static_items(sequence))
        if not isinstance(sequence, Lazy):
            return sequence
        is_endless = sequence.length is math.inf
        length = math.inf if is_endless else self.static(sequence.length, "a length")
        return OfIndex(length, sequence.item)

    def drain(self, supply: Supply) -> list[Any]:
        """All items of a supply."""
        if supply.most(self) == math.inf:
            self.fail("this iterator has no end", "take a part with itertools.islice, or zip it")
        found: list[Any] = []
        while True:
            item, supply = supply.pull(self)
            if item is END:
                return found
            found.append(item)

    def length(self, value: Any) -> Any:
        """`len(value)`."""
        if isinstance(value, Array):
            if not value.shape:
                self.fail("len() of unsized object", kind=DTypeError)
            return value.shape[0]
        if isinstance(value, (List, Dict, Set)):
            return self.length_of(value)
        if isinstance(value, Items):
            return self.length_of(value.owner)
        if isinstance(value, Range):
            return self._range_length(value)
        if isinstance(value, Flat):
            return value.line.size
        if type(value) in parts.PARTS:
            return sliced.shape_of(self.packed(value))[0]
        if isinstance(value, Instance):
            found = self.special(value, "__len__")
            if found is not None:
                return self.call(found, (), {})
        if isinstance(value, Symbolic):
            self.fail(f"object of type '{class_name(value)}' has no len()", kind=DTypeError)
        return len(value) if isinstance(value, tuple) else self.compute(len, value)

    def _range_length(self, value: Range) -> Any:
        if not any(isinstance(each, Scalar) for each in (value.start, value.stop, value.step)):
            return len(self.static_items(value))
        if value.step != 1:
            self.fail("len() of a range with run-time bounds needs step 1", "compute the length")
        gap = self.binary(ast.Sub, value.stop, value.start)
        return self.call(max, (gap, 0), {})

    def static_items(self, value: Any) -> Any:
        """The items of something whose length is known."""
        if isinstance(value, Range):
            bounds = self.static((value.start, value.stop, value.step), "a range's bounds")
            if any(isinstance(each, Dimension) for each in bounds):
                raise Undecided(
                    f"this list has {bounds[1]} items, a size that is left open",
                    hint="use an array, or give the dimension a number",
                )
            return range(*bounds)
        return (
            [self.lift(each) for each in value]
            if type(value) in (tuple, list)
            else (self.drain(self.supply(value)))
        )

    def view_items(self, value: Dict | Set | Items) -> list[Any]:
        """What running over a set, a dict or a view of one gives."""
        if isinstance(value, Set):
            return self.items(value)
        if isinstance(value, Dict):
            return list(self.entries(value))
        entries = self.entries(value.owner)
        if value.what == "keys":
            return list(entries)
        return list(entries.values()) if value.what == "values" else list(entries.items())

    # Equality.

    def equal(self, a: Any, b: Any) -> Any:
        """`a == b` as a condition; objects are equal to themselves."""
        if same_object(a, b) and not is_number(a):
            return True
        return self.truth(self.compare(ast.Eq(), a, b))

    def compare_containers(self, op: type, a: Any, b: Any) -> Any:
        """A comparison of tuples, lists, dicts and sets."""
        kinds = [_kind_of(each) for each in (a, b)]
        is_equality = op in (ast.Eq, ast.NotEq)
        if kinds[0] is not kinds[1] or kinds[0] is None:
            if not is_equality:
                self.fail(f"{class_name(a)} and {class_name(b)} can't be compared", kind=DTypeError)
            return op is ast.NotEq
        if kinds[0] is set:
            return _OPERATORS[op](self._elements(a), self._elements(b))
        if kinds[0] is dict:
            if not is_equality:
                self.fail("dicts have no order", kind=DTypeError)
            same = self._equal_dicts(a, b)
        else:
            one, other = ([*self.static_items(each)] for each in (a, b))
            if not is_equality:
                return self._ordered(op, one, other)
            same = self._equal_items(one, other) if len(one) == len(other) else False
        return same if op is ast.Eq else self.negate(same)

    def _equal_items(self, one: list[Any], other: list[Any]) -> Any:
        result: Any = True
        for a, b in zip(one, other, strict=True):
            result = self.both(result, self.equal(a, b))
            if result is False:
                return False
        return result

    def _equal_dicts(self, a: Dict, b: Dict) -> Any:
        one, other = self.entries(a), self.entries(b)
        if one.keys() != other.keys():
            return False
        return self._equal_items([one[key] for key in one], [other[key] for key in one])

    def _ordered(self, op: type, one: list[Any], other: list[Any]) -> Any:
        """`one < other` and the like: the first items that differ decide."""
        if not one or not other:
            return _OPERATORS[op](len(one), len(other))
        same = self.equal(one[0], other[0])
        if same is True:
            return self._ordered(op, one[1:], other[1:])
        strict = ast.Lt if op in (ast.Lt, ast.LtE) else ast.Gt
        first = self.truth(self.compare(strict(), one[0], other[0]))
        if same is False:
            return first
        return self.either(first, self.both(same, self._ordered(op, one[1:], other[1:])))

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""
        if isinstance(container, Range):
            return self._in_range(container, item)
        if isinstance(container, Array):
            return self.truth(self.call(np.any, (self.compare(ast.Eq(), container, item),), {}))
        if isinstance(container, Scalar):
            name = class_name(container) if container.weak else f"numpy.{container.held.name}"
            self.raise_now(TypeError, f"argument of type '{name}' is not iterable")
        found = self.special(container, "__contains__")
        if found is not None:
            return self.truth(self.call(found, (item,), {}))
        item = self.at_run_time(item) if isinstance(container, (Dict, Set)) else item
        if isinstance(container, (Dict, Set)) and not isinstance(item, Symbolic):
            self.check_key(item)
            return item in (
                self.contents(container) if isinstance(container, Set) else self.entries(container)
            )
        if isinstance(container, str) or not isinstance(container, (tuple, Symbolic, dict, list)):
            return self.truth(self.compute(operator.contains, container, item))
        if grown.is_open_sequence(self, container):
            return self.truth(grown.over(self, "contains", container, item))
        return self._among(self.static_items(container), item)

    def _among(self, items: Iterable[Any], item: Any) -> Any:
        """Whether an item is equal to one of others; they are compared in turn."""
        result: Any = False
        for each in items:
            result = self.either(result, self.equal(item, each))
            if result is True:
                return True
        return result

    def _in_range(self, over: Range, item: Any) -> Any:
        is_complex = isinstance(item, Scalar) and item.dtype.kind == "c"
        if is_complex or isinstance(item, (Array, Instance, complex, np.complexfloating)):
            # Python compares all but integers with the numbers of the range.
            bounds = self.static((over.start, over.stop, over.step), "a range's bounds")
            return self._among(range(*bounds), item)
        if not is_number(item):
            return False
        least, most = (over.start, over.stop)
        if isinstance(over.step, Scalar) or over.step < 0:
            bounds = self.static((over.start, over.stop, over.step), "a range's bounds")
            inner = range(*bounds)
            least, most = (inner[-1], inner[0] + 1) if inner else (0, 0)
        result = self.both(
            self.truth(self.compare(ast.GtE(), item, least)),
            self.truth(self.compare(ast.Lt(), item, most)),
        )
        if result is False or over.step in (1, -1):
            whole = self.compare(ast.Eq(), self.binary(ast.Mod, item, 1), 0)
            return self.both(result, self.truth(whole))
        gap = self.binary(ast.Sub, item, least)
        rest = self.compare(ast.Eq(), self.binary(ast.Mod, gap, abs(over.step)), 0)
        return self.both(result, self.truth(rest))

    def _elements(self, value: Any) -> set:
        return set(self.contents(value)) if isinstance(value, Set) else set(value)

    def check_key(self, key: Any) -> None:
        """Refuse what can't be a key, or is known at run time only."""
        for each in key if isinstance(key, tuple) else (key,):
            if isinstance(each, (List, Dict, Set, Array)):
                self.raise_now(TypeError, f"unhashable type: '{each.cell.kind.__name__}'")
            if isinstance(each, Text):
                self.fail_static(
                    "a run-time string can't be a key", "use numbers", page="run-time-string"
                )
            if isinstance(each, Instance):
                self.fail("an instance can't be a key", "use a number or a string")
            if depends(each):
                raise Undecided(
                    f"a key that depends on the size {each}, which is left open",
                    hint="give the dimension a number, or compare with each key",
                )
            self.static(each, "a key")

    # Items.

    def container_item(self, value: Any, index: Any) -> Any:
        """`value[index]` of a list, tuple, dict or range."""
        if isinstance(value, Dict):
            return self._dict_item(value, index)
        if isinstance(value, Range):
            return self._range_item(value, index)
        if isinstance(index, slice):
            bounds = index.start, index.stop, index.step
            held = grown.rows_of(self, value, *bounds) if isinstance(value, List) else None
            if held is not None:
                return self.list_of(grown.sliced(self, held, index))
            index = slice(*self.static((index.start, index.stop, index.step), "a slice of a list"))
            items = [*self.static_items(value)][index]
            return self.new_list(items) if isinstance(value, List) else tuple(items)
        contents = self.contents(value) if isinstance(value, List) else value
        index = self._as_index(index)
        if isinstance(contents, Grown):
            return self._grown_item(value, contents, index)
        if isinstance(index, Scalar):
            return self._item_at(contents, index, class_name(value))
        if not -len(contents) <= index < len(contents):
            self.raise_now(IndexError, f"{class_name(value)} index out of range")
        return self.lift(contents[index])

    def _as_index(self, index: Any) -> Any:
        if isinstance(index, Array) and not index.shape and index.dtype.kind in "iu":
            return Scalar(self.read(index), index.dtype)
        is_index = isinstance(index, (int, np.integer)) or (
            isinstance(index, Scalar) and index.dtype.kind in "iub" and index.dtype.kind != "b"
        )
        if isinstance(index, Scalar) and index.weak is bool:
            is_index = True
        if not is_index:
            self.raise_now(
                TypeError, f"list indices must be integers or slices, not {class_name(index)}"
            )
        return index

    def _in_bounds(self, index: Any, length: Any, what: str) -> Any:
        """A run-time index counted from the start, with the check that Python makes."""
        below = self.truth(self.compare(ast.Lt(), index, 0))
        from_end = self.binary(ast.Add, index, length)
        if isinstance(below, bool):
            place = from_end if below else index
        else:
            place = self.selected(below, [from_end, index])
        for op, limit in ((ast.GtE, 0), (ast.Lt, length)):
            inside = self.truth(self.compare(op(), place, limit))
            if inside is False:
                self.raise_now(IndexError, f"{what} index out of range")
            self.check(inside, "IndexError", f"{what} index out of range")
        return place

    def _grown_item(self, value: List, contents: Grown, index: Any) -> Any:
        length = contents.length
        is_known = isinstance(index, int) and isinstance(length, int)
        if is_known and len(self.regions) == 1 and -length <= index < length:
            return self.items(value)[index]
        if is_known:
            if not -length <= index < length:
                self.raise_now(IndexError, "list index out of range")
            place: Any = index % length
        else:
            place = self._in_bounds(index, length, "list")
        return rows.row(self, value.cell, contents, place)

    def _item_at(self, items: tuple, index: Scalar, what: str) -> Any:
        """The item at a run-time index."""
        place = self._in_bounds(index, len(items), what) if items else index
        if not items:
            self.raise_now(IndexError, f"{what} index out of range")
        items = tuple(map(self.lift, items))
        row = self._row_of_arrays(items, place)
        if row is not None:
            return row
        tests = [self.truth(self.compare(ast.Eq(), place, i)) for i in range(1, len(items))]
        return self._chosen(tests, items[1:], items[0])

    def _row_of_arrays(self, items: tuple, place: Any) -> Any:
        """One of many equal arrays; it may be each of them."""
        is_array = all(isinstance(each, Array) for each in items)
        if not is_array or len({(each.shape, each.dtype) for each in items}) != 1:
            return None
        if len(items) < MANY_ARRAYS:
            return None
        rows = [self.ops.reshape(self.read(each), (1, *each.shape)) for each in items]
        stacked = fresh(self.ops.create("concatenate", rows, axis=0), self.place)
        made = fresh(self.read(self._view(stacked, [place])), self.place)
        for i, each in enumerate(items):
            test = self.truth(self.compare(ast.Eq(), place, i))
            is_whole = each.is_whole and not isinstance(test, bool)
            self.relate(made.storage, each.storage, test.value if is_whole else None)
        return made

    def _chosen(self, tests: list[Any], values: Any, last: Any) -> Any:
        """The value of the first test that holds, or the last one."""
        result = last
        for test, value in zip(reversed(tests), reversed([*values]), strict=True):
            if isinstance(test, bool):
                result = value if test else result
                continue
            now = result
            result = self.choose(test, lambda v=value: v, lambda r=now: r)  # type: ignore[misc]
        return result

    def chosen_object(self, index: Any, objects: list[Any]) -> Any:
        """The object of a known index, or of one that is known to be in range at run time."""
        if isinstance(index, int):
            return objects[index]
        tests = [self.truth(self.compare(ast.Eq(), index, i)) for i in range(1, len(objects))]
        return self._chosen(tests, objects[1:], objects[0])

    def _dict_item(self, value: Dict, key: Any) -> Any:
        entries, key = self.entries(value), self.at_run_time(key)
        if isinstance(key, (Scalar, Array)):
            return self._entry_at(entries, key, MISSING)
        self.check_key(key)
        if key in entries:
            return entries[key]
        if value.cell.kind is collections.defaultdict and value.cell.extra is not None:
            made = self.call(value.cell.extra, (), {})
            self.set_entry(value, key, made)
            return made
        self.raise_now(KeyError, repr(key))

    def _entry_at(self, entries: dict, key: Any, default: Any) -> Any:
        """The value of a run-time key: the keys are known, which one it is is not."""
        if isinstance(key, Array):
            self.raise_now(TypeError, "unhashable type: 'ndarray'")
        known = [each for each in entries if isinstance(each, STATIC_NUMBERS)]
        tests = [self.truth(self.compare(ast.Eq(), key, each)) for each in known]
        values = [entries[each] for each in known]
        if default is not MISSING:
            return self._chosen(tests, values, default)
        found: Any = False
        for test in tests:
            found = self.either(found, test)
        if found is False:
            self.raise_now(KeyError, "the key is not in the dict")
        self.check(found, "KeyError", "the key is not in the dict")
        return self._chosen(tests[:-1], values[:-1], values[-1])

    def _range_item(self, value: Range, index: Any) -> Any:
        if isinstance(index, slice):
            index = slice(*self.static((index.start, index.stop, index.step), "a slice of a range"))
            made = self.static_items(value)[index]
            return Range(made.start, made.stop, made.step)
        place = self._in_bounds(self._as_index(index), self._range_length(value), "range object")
        return self.binary(ast.Add, value.start, self.binary(ast.Mult, place, value.step))

    def store_container(self, base: Any, index: Any, value: Any) -> None:
        """`base[index] = value`."""
        if isinstance(base, Dict):
            self.store_entry(base, index, value)
            return
        if isinstance(base, Instance):
            found = self.special(base, "__setitem__")
            if found is not None:
                self.call(found, (index, value), {})
                return
        if not isinstance(base, List):
            self.raise_now(
                TypeError, f"'{class_name(base)}' object does not support item assignment"
            )
        contents = self.contents(base)
        if rows.is_open(contents) and not isinstance(index, slice):
            rows.store(self, base, contents, self._as_index(index), value)
            return
        if isinstance(index, slice) and grown.replaces(self, base, index, value):
            return
        items = self.items(base)
        if isinstance(index, slice):
            index = slice(*self.static((index.start, index.stop, index.step), "a slice of a list"))
            items[index] = list(self.static_items(value))
            self.change(base, tuple(items))
            return
        index = self._as_index(index)
        if isinstance(index, Scalar):
            place = self._in_bounds(index, len(items), "list assignment")
            for i, old in enumerate(items):
                test = self.truth(self.compare(ast.Eq(), place, i))
                items[i] = self._chosen([test], [value], old)
        elif not -len(items) <= index < len(items):
            self.raise_now(IndexError, "list assignment index out of range")
        else:
            items[index] = value
        self.change(base, tuple(items))

    def store_entry(self, base: Dict, key: Any, value: Any, *, is_there: bool = False) -> None:
        """`base[key] = value`; `is_there` says that the dict has the key."""
        if not isinstance(key, Scalar):
            self.check_key(key)
            self.set_entry(base, key, value)
            return
        entries = dict(self.entries(base))
        found: Any = False
        for each in entries:
            if not isinstance(each, STATIC_NUMBERS):
                continue
            test = self.truth(self.compare(ast.Eq(), key, each))
            found = self.either(found, test)
            entries[each] = self._chosen([test], [value], entries[each])
        if found is False:
            self.static(key, "a new key of a dict")
        if found is not True and not is_there and not self._is_covered(key, entries):
            self.fail_static(
                "this key of a dict is known at run time only, and may be a new one",
                "use keys that the dict has, or an array",
                page="changed-container",
            )
        self.change(base, entries)

    def _is_covered(self, key: Scalar, entries: dict) -> bool:
        """Whether the bounds that are known of a key leave only keys that there are."""
        if key.low is None or key.high is None or key.high - key.low > len(entries):
            return False
        return all(each in entries for each in range(key.low, key.high + 1))

    def delete_item(self, base: Any, index: Any) -> None:
        """`del base[index]`."""
        if isinstance(base, Dict):
            self.check_key(index)
            if index not in self.entries(base):
                self.raise_now(KeyError, repr(index))
            self.delete_entry(base, index)
            return
        found = self.special(base, "__delitem__")
        if found is not None:
            self.call(found, (index,), {})
            return
        if not isinstance(base, List):
            self.fail(f"del of an item of {describe(base)} is not supported", page="del")
        held = None if isinstance(index, slice) else grown.rows_of(self, base, index)
        if held is not None:
            grown.delete(self, base, held, self._as_index(index))
            return
        items = self.items(base)
        if isinstance(index, slice):
            index = slice(*self.static((index.start, index.stop, index.step), "a slice of a list"))
        else:
            index = self.static(index, "the index of what is deleted")
            if not -len(items) <= index < len(items):
                self.raise_now(IndexError, "list assignment index out of range")
        del items[index]
        self.change(base, tuple(items))

    # Operators.

    def operate_containers(self, op: type, left: Any, right: Any) -> Any:
        """`+`, `*`, `|` and so on of tuples, lists, dicts and sets; None if there is none."""
        for one, other in ((left, right), (right, left)):
            if op is ast.Mult and isinstance(one, (List, tuple)) and _is_int(other):
                items = self._times(list(self.static_items(one)), other)
                return self.new_list(items) if isinstance(one, List) else tuple(items)
        if op is ast.Add and isinstance(left, List) and isinstance(right, List):
            held = self._rows_of([left, right])
            if held is not None:
                return self.list_of(grown.joined(self, held))
            return self.new_list([*self.items(left), *self.items(right)])
        if op is ast.Add and isinstance(left, tuple) and isinstance(right, tuple):
            return (*left, *right)
        if op is ast.BitOr and isinstance(left, Dict) and isinstance(right, Dict):
            return self.new_dict({**self.entries(left), **self.entries(right)})
        are_sets = isinstance(left, (Set, frozenset)) and isinstance(right, (Set, frozenset))
        if are_sets and op in _SET_OPERATORS:
            made = _SET_OPERATORS[op](self._elements(left), self._elements(right))
            return self.new_set(made) if isinstance(left, Set) else frozenset(made)
        return None

    def augment_container(self, op: type, old: Any, value: Any) -> bool:
        """`old op= value` in place; False if there is no such operator."""
        if isinstance(old, List) and op is ast.Add:
            self.extend(old, value)
        elif isinstance(old, List) and op is ast.Mult and _is_int(value):
            self.change(old, tuple(self._times(self.items(old), value)))
        elif isinstance(old, Dict) and op is ast.BitOr:
            other = value if isinstance(value, Dict) else self.call(dict, (value,), {})
            self.change(old, {**self.entries(old), **self.entries(other)})
        elif isinstance(old, Set) and op in _SET_OPERATORS and isinstance(value, (Set, frozenset)):
            self.change(old, _SET_OPERATORS[op](self._elements(old), self._elements(value)))
        else:
            return False
        return True

    def list_of(self, contents: Grown) -> List:
        """A new list of rows."""
        return List(Cell(list, contents, self.place))

    def _rows_of(self, lists: list[List]) -> list[Grown] | None:
        """Lists as rows, if run time knows the length of one."""
        held = [self.contents(each) for each in lists]
        like = next((each for each in held if rows.is_open(each)), None)
        return None if like is None else [grown.as_grown(self, each, like) for each in lists]

    def extend(self, value: List, items: Any) -> None:
        if grown.is_open_sequence(self, items):
            items = grown.listed(self, items)
        held = self._rows_of([value, items]) if isinstance(items, List) else None
        if held is not None:
            grown.change(self, value, grown.joined(self, held))
            return
        if isinstance(self.contents(value), Grown):
            for each in self.static_items(items):
                self.append(value, each)
            return
        added = self.static_items(items)
        self._check_length(len(added))
        self._check_bound(value, self.length_of(value) + len(added))
        self.change(value, (*self.items(value), *added))

    def _times(self, items: list[Any], number: Any) -> list[Any]:
        """`items * number`."""
        count = int(self.static(number, "the length of a list"))
        self._check_length(len(items) * count)
        return list(items) * count

    def _check_length(self, length: int) -> None:
        """A branch that never runs may ask for more items than there is memory for."""
        if length > MOST_ITEMS:
            self.fail(f"a list of more than {MOST_ITEMS} items", "use an array")

    # Sorting.

    def sorted_items(self, items: list[Any], key: Any, reverse: Any) -> list[Any]:
        """`sorted(items, key=, reverse=)`."""
        reverse = bool(self.static(reverse, "reverse"))
        keys = items if key is None else [self.call(key, (each,), {}) for each in items]
        if not any(isinstance(each, Symbolic) for each in keys):
            try:
                order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
            except TypeError as error:
                self.raise_now(TypeError, str(error))
            return [items[i] for i in order]
        if len(items) < 2:
            return list(items)
        if not all(isinstance(each, (Scalar, *STATIC_NUMBERS)) for each in (*keys, *items)):
            self.fail(
                "the order of these items is known at run time only",
                "sort an array with np.sort or np.argsort",
            )
        kinds = {_number_class(each) for each in items}
        if len(kinds) != 1:
            self.fail("items of different types can't be sorted at run time", "convert them")
        return self._sorted_at_run_time(items, keys, reverse)

    def _sorted_at_run_time(self, items: list[Any], keys: list[Any], reverse: bool) -> list[Any]:
        # Python's sort keeps the order of equal items, also where it is reversed.
        flip = slice(None, None, -1 if reverse else None)
        by = self.call(np.array, (keys[flip],), {})
        order = self.call(np.argsort, (by,), {"kind": "stable"})
        values = self.subscript(self.call(np.array, (items[flip],), {}), order)
        weak = _number_class(items[0])
        found = []
        for i in range(len(items)):
            item = self.subscript(values, i)
            is_weak = weak in (bool, int, float)
            found.append(Scalar(item.value, item.dtype, weak) if is_weak else item)
        return found[flip]


_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_SET_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.BitOr: operator.or_, ast.BitAnd: operator.and_, ast.Sub: operator.sub,
    ast.BitXor: operator.xor,
}  # fmt: skip


def _number_class(value: Any) -> type:
    if isinstance(value, Scalar):
        kind = value.kind
        return kind.type if isinstance(kind, np.dtype) else kind
    return type(value)


def _is_int(value: Any) -> bool:
    if isinstance(value, Scalar):
        return value.held.kind in "iub"
    return isinstance(value, (int, np.integer))


def _kind_of(value: Any) -> type | None:
    """Which containers compare item by item with each other."""
    if isinstance(value, (Set, set, frozenset)):
        return set
    for kind, found in ((tuple, tuple), (List, list), (Dict, dict)):
        if isinstance(value, kind):
            return found
    return None
