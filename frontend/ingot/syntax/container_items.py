"""Items of lists, tuples, dicts and ranges: reads, stores and deletions."""

from __future__ import annotations

import ast
import collections
import functools
import operator
from typing import Any

import numpy as np

from ingot._core import Value
from ingot.dtypes import BOOL, STATIC_NUMBERS
from ingot.syntax import grown, modules, rows
from ingot.syntax.cells import Cell, Storage
from ingot.syntax.dynamic import Grown
from ingot.syntax.indexing import Indexing
from ingot.syntax.leaves import stacked
from ingot.syntax.modules import Modules
from ingot.syntax.ops import at_least, at_most, bounds_of, fresh
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    Iterator,
    List,
    Range,
    Scalar,
    bounds_of_slice,
    class_name,
    describe,
    is_index,
    of_all_kinds,
)

#: From this many arrays of one type on, a list item at a run-time index is a row of their stack.
MANY_ARRAYS = 4
#: The default of arguments that were not given, where None is a value.
MISSING = object()


class ContainerItems(Indexing):
    def container_item(self, value: Any, index: Any) -> Any:
        """`value[index]` of a list, tuple, dict or range."""
        if isinstance(value, Dict):
            return self._dict_item(value, index)
        if isinstance(value, Range):
            return self._range_item(value, index)
        if isinstance(index, slice):
            bounds = bounds_of_slice(index)
            held = grown.rows_of(self, value, *bounds) if isinstance(value, List) else None
            if held is not None:
                return self.list_of(grown.sliced(self, held, index))
            index = self._static_slice(index, "list")
            items = [*self.static_items(value)][index]
            return self.new_list(items) if isinstance(value, List) else tuple(items)
        contents = self.contents(value) if isinstance(value, List) else value
        index = self._as_index(index, class_name(value))
        if isinstance(contents, Grown):
            return self._grown_item(value, contents, index)
        if isinstance(index, Scalar):
            return self._item_at(contents, index, class_name(value))
        if not -len(contents) <= index < len(contents):
            self.raise_now(IndexError, f"{class_name(value)} index out of range")
        return self.lift(contents[index])

    def _static_slice(self, index: slice, what: str) -> slice:
        return slice(*self.static(bounds_of_slice(index), f"a slice of a {what}"))

    def _as_index(self, index: Any, what: str = "list") -> Any:
        index = self.as_index(index)
        if isinstance(index, Array) and not index.shape and index.dtype.kind in "iu":
            index = Scalar(self.read(index), index.dtype)
        if isinstance(index, Scalar):
            found = of_all_kinds(index, is_index)
        else:
            found = isinstance(index, (int, np.integer))
        if not found:
            message = f"{what} indices must be integers or slices, not {class_name(index)}"
            if isinstance(index, Array):
                message = "only integer scalar arrays can be converted to a scalar index"
            self.raise_now(TypeError, message)
        # Positions are computed in Python's integers: narrow ones of NumPy would wrap around.
        return self.call(operator.index, (index,), {})

    def _in_bounds(self, index: Any, length: Any, what: str) -> Any:
        """An index as a position counted from the start, with Python's check of its range."""
        if isinstance(index, Scalar) and isinstance(length, int):
            low, high = bounds_of(index)
            if at_least(low, 0) and at_most(high, length - 1):
                return index
        below = self.truth(self.compare(ast.Lt(), index, 0))
        from_end = self.binary(ast.Add, index, length)
        if isinstance(below, bool):
            position = from_end if below else index
        else:
            position = self.selected(below, [from_end, index])
        for op, limit in ((ast.GtE, 0), (ast.Lt, length)):
            inside = self.truth(self.compare(op(), position, limit))
            if inside is False:
                self.raise_now(IndexError, f"{what} index out of range")
            self.check(inside, "IndexError", f"{what} index out of range")
        return position

    def _grown_item(self, value: List, contents: Grown, index: Any) -> Any:
        length = contents.length
        is_known = isinstance(index, int) and isinstance(length, int)
        if is_known and len(self.regions) == 1 and -length <= index < length:
            return self.items(value)[index]
        if is_known:
            if not -length <= index < length:
                self.raise_now(IndexError, "list index out of range")
            position: Any = index % length
        else:
            position = self._in_bounds(index, length, "list")
        return rows.row(self, value.cell, contents, position)

    def _item_at(self, items: tuple, index: Scalar, what: str) -> Any:
        """The item at a run-time index."""
        if not items:
            self.raise_now(IndexError, f"{what} index out of range")
        position = self._in_bounds(index, len(items), what)
        items = tuple(map(self.lift, items))
        row = self._row_of_arrays(items, position)
        row = grown.number_at(self, items, position) if row is None else row
        if row is not None:
            return row
        tests = [self.truth(self.compare(ast.Eq(), position, i)) for i in range(1, len(items))]
        return self._chosen(tests, items[1:], items[0])

    def _row_of_arrays(self, items: tuple, position: Any) -> Any:
        """One of many arrays of one type as a row of their stack, or None if they are not.

        The row is a new array, which may be an alias of each of them.
        """
        is_array = all(isinstance(each, Array) for each in items)
        if not is_array or len({(each.shape, each.dtype) for each in items}) != 1:
            return None
        if len(items) < MANY_ARRAYS:
            return None
        array = fresh(stacked(self.ops, [self.read(each) for each in items]), self.location)
        made = fresh(self.read(self._view(array, [position])), self.location)
        self._relate_row(made.storage, items, position)
        return made

    def _relate_row(self, row: Storage, items: tuple[Array, ...], position: Any) -> None:
        """Note that a row may be each of the arrays it is one of, and what these may be."""
        storages = tuple(each.storage for each in items)
        whole = {*storages}
        is_distinct = len(whole) == len(storages)
        is_distinct = is_distinct and all(whole.isdisjoint(each.maybe) for each in whole)
        # Rows of the same arrays are one array where their positions are equal.
        alike = [
            other
            for other in storages[0].maybe
            if is_distinct and other in self.rows and self.rows[other][0] == storages
        ]
        ways: dict[Cell, list[Value | None]] = {}
        for i, each in enumerate(items):
            link = self._link_of(position, i) if each.is_whole else None
            ways.setdefault(each.storage, []).append(link)
            for other, inner in each.storage.maybe.items():
                if other not in alike:
                    ways.setdefault(other, []).append(self._both(link, inner))
        for other, links in ways.items():
            self.relate(row, other, functools.reduce(self._either, links))
        for other in alike:
            self.relate(row, other, self._link_of(position, self.rows[other][1]))
        self.rows[row] = storages, position

    def _link_of(self, position: Any, other: Any) -> Value | None:
        same = self.truth(self.compare(ast.Eq(), position, other))
        return None if isinstance(same, bool) else same.value

    def _both(self, a: Value | None, b: Value | None) -> Value | None:
        known = a is not None and b is not None
        return self.ops.elementwise("and", [a, b], [BOOL, BOOL]) if known else None

    def _either(self, a: Value | None, b: Value | None) -> Value | None:
        known = a is not None and b is not None
        return self.ops.elementwise("or", [a, b], [BOOL, BOOL]) if known else None

    def _chosen(self, tests: list[Any], values: Any, last: Any) -> Any:
        """The value whose test is the first to hold, or `last` if none does."""
        result = last
        for test, value in zip(reversed(tests), reversed([*values]), strict=True):
            if isinstance(test, bool):
                result = value if test else result
                continue
            now = result
            result = self.choose(test, lambda v=value: v, lambda r=now: r)  # type: ignore[misc]
        return result

    def chosen_object(self, index: Any, objects: list[Any]) -> Any:
        """The object at an index that is static, or known to be in range at run time."""
        if isinstance(index, int):
            return objects[index]
        tests = [self.truth(self.compare(ast.Eq(), index, i)) for i in range(1, len(objects))]
        return self._chosen(tests, objects[1:], objects[0])

    def _dict_item(self, value: Dict, key: Any) -> Any:
        entries, key = self.entries(value), self.at_run_time(key)
        adds = value.cell.kind is collections.defaultdict and value.cell.extra is not None
        if isinstance(key, (Scalar, Array)):
            if adds and isinstance(key, Scalar) and not self._is_covered(key, entries):
                self.need(key.parameter)
            return self._entry_at(entries, key, MISSING, adds)
        self.check_key(key)
        if key in entries:
            return entries[key]
        if adds:
            made = self.call(value.cell.extra, (), {})
            self.set_entry(value, key, made)
            return made
        self.raise_now(KeyError, repr(key), (key,))

    def _entry_at(self, entries: dict, key: Any, default: Any, adds: bool = False) -> Any:
        """The value of a run-time key: the keys are known, which one it is is not.

        Args:
            adds: a key that the dict does not have becomes a new one in Python.
        """
        if isinstance(key, Array):
            self.raise_now(TypeError, "unhashable type: 'numpy.ndarray'")
        known = [each for each in entries if isinstance(each, STATIC_NUMBERS)]
        tests = [self.truth(self.compare(ast.Eq(), key, each)) for each in known]
        values = [entries[each] for each in known]
        if default is not MISSING:
            return self._chosen(tests, values, default)
        found: Any = False
        for test in tests:
            found = self.either(found, test)
        if found is False and adds:
            self.static(key, "a new key of a dict")
        if found is False:
            self.raise_now(KeyError, "the key is not in the dict")
        added = "a defaultdict can't get a key that is known at run time only"
        if adds:
            self.limit(found, added)
        else:
            self.check_args(found, KeyError, (key,))
        return self._chosen(tests[:-1], values[:-1], values[-1])

    def _range_item(self, value: Range, index: Any) -> Any:
        if isinstance(index, slice):
            index = self._static_slice(index, "range")
            made = self.static_items(value)[index]
            return Range(made.start, made.stop, made.step)
        position = self._in_bounds(
            self._as_index(index, "range"), self.range_length(value), "range object"
        )
        return self.binary(ast.Add, value.start, self.binary(ast.Mult, position, value.step))

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
        if isinstance(base, Modules):
            modules.refuse(self)
        if not isinstance(base, List):
            self.raise_now(
                TypeError, f"'{class_name(base)}' object does not support item assignment"
            )
        if isinstance(index, slice) and isinstance(value, Iterator):
            # What makes the items may change the list.
            value = self.new_list(list(self.static_items(value)))
        held = None if isinstance(index, slice) else grown.for_store(self, base, index, value)
        if held is not None:
            rows.store(self, base, held, self._as_index(index), value)
            return
        if isinstance(index, slice) and grown.replaces(self, base, index, value):
            return
        items = self.items(base)
        if isinstance(index, slice):
            index = self._static_slice(index, "list")
            new = list(self.static_items(value))
            try:
                items[index] = new
            except ValueError as error:
                # Another number of items than a slice with a step selects.
                self.raise_now(ValueError, str(error))
            self.change(base, tuple(items))
            return
        index = self._as_index(index)
        if isinstance(index, Scalar):
            position = self._in_bounds(index, len(items), "list assignment")
            for i, old in enumerate(items):
                test = self.truth(self.compare(ast.Eq(), position, i))
                items[i] = self._chosen([test], [value], old)
        elif not -len(items) <= index < len(items):
            self.raise_now(IndexError, "list assignment index out of range")
        else:
            items[index] = value
        self.change(base, tuple(items))

    def store_entry(self, base: Dict, key: Any, value: Any, *, has_key: bool = False) -> None:
        """`base[key] = value`; `has_key` tells that the dict is known to have the key."""
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
        if found is not True and not has_key and not self._is_covered(key, entries):
            self.need(key.parameter)
            self.fail_static(
                "this key of a dict is known at run time only, and may be a new one",
                "use keys that the dict has, or an array",
                page="changed-container",
            )
        self.change(base, entries)

    def _is_covered(self, key: Scalar, entries: dict) -> bool:
        """Whether every key within the bounds of `key` is in the dict."""
        if key.low is None or key.high is None or key.high - key.low > len(entries):
            return False
        return all(each in entries for each in range(key.low, key.high + 1))

    def delete_item(self, base: Any, index: Any) -> None:
        """`del base[index]`."""
        if isinstance(base, Dict):
            self.check_key(index)
            if index not in self.entries(base):
                self.raise_now(KeyError, repr(index), (index,))
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
            index = self._static_slice(index, "list")
        else:
            index = self.static(index, "the index of what is deleted")
            if not -len(items) <= index < len(items):
                self.raise_now(IndexError, "list assignment index out of range")
        del items[index]
        self.change(base, tuple(items))
