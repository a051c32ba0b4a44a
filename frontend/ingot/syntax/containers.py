"""Lists, dicts, sets, tuples and ranges: their items, operators and methods."""

from __future__ import annotations

import ast
import functools
import math
import operator
import types
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ingot.dimensions import Dimension, Undecided, depends
from ingot.dtypes import STATIC_NUMBERS
from ingot.numpy.python_scalars import is_of_numpy, is_python
from ingot.syntax import generators, grown, identity, modules, orders, parts, rows, sliced
from ingot.syntax.cells import Cell
from ingot.syntax.container_items import ContainerItems
from ingot.syntax.contents import leaves_of
from ingot.syntax.dynamic import Grown
from ingot.syntax.flat import Flat
from ingot.syntax.foreign import compares_by_code, may_change
from ingot.syntax.modules import Modules
from ingot.syntax.ops import fresh, held_dtype
from ingot.syntax.supplies import END, OfIndex, OfItems, OfList, Shared
from ingot.syntax.types import type_of
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    Items,
    Iterator,
    Joined,
    Lazy,
    List,
    Opaque,
    Range,
    Scalar,
    Set,
    Supply,
    Symbolic,
    Text,
    Undetermined,
    class_name,
    is_number,
    is_without_items,
    same_object,
    tuple_of,
)

#: The types of containers that operators take.
CONTAINERS = (List, Dict, Set, Iterator, Items, tuple, frozenset)
#: The types of what no number is equal to.
NO_NUMBERS = (
    str, bytes, type(None), type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType,
    np.ufunc,
)  # fmt: skip
#: The most items of a list whose items are separate values of the evaluator.
MOST_ITEMS = 100_000
_Iterator = type(iter(()))


UNHASHABLE = (List, Dict, Set, Array)


class Containers(ContainerItems):
    # Sequences.

    def new_iterator(self, supply: Supply, kind: type = _Iterator) -> Iterator:
        """An iterator of a type over the items of a supply."""
        return Iterator(Cell(kind, supply, self.location))

    def supply(self, value: Any) -> Supply:
        """The items of an iterable of static length."""
        return self.supply_of(self.iterable(value))

    def supply_of(self, sequence: Range | Lazy | Supply) -> Supply:
        """The items of a result of `iterable`."""
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
        if isinstance(supply, OfList) and not isinstance(self.contents(supply.owner), Grown):
            # No code runs in between that could change the list.
            return [self.lift(each) for each in self.items(supply.owner)[supply.done :]]
        return list(self.pulled(supply))

    def pulled(self, supply: Supply) -> Generator[Any]:
        """The items of a supply, one by one."""
        while True:
            item, supply = supply.pull(self)
            if item is END:
                return
            yield item

    def _length_given(self, length: Any) -> Any:
        """What `__len__` of an instance returns, as a length."""
        is_whole = is_number(length) and held_dtype(length).kind in "iu"
        if not (is_whole or class_name(length) == "bool"):
            message = f"'{class_name(length)}' object cannot be interpreted as an integer"
            self.raise_now(TypeError, message)
        length, message = self.call(int, (length,), {}), "__len__() should return >= 0"
        is_length = self.compare(ast.GtE(), length, 0)
        if is_length is False:
            self.raise_now(ValueError, message)
        self.check(is_length, "ValueError", message)
        return length

    def length(self, value: Any) -> Any:
        """`len(value)`."""
        if isinstance(value, Array):
            if not value.shape:
                self.raise_now(TypeError, "len() of unsized object")
            return value.shape[0]
        if isinstance(value, (List, Dict, Set)):
            return self.length_of(value)
        if isinstance(value, Items):
            return self.length_of(value.owner)
        if isinstance(value, Range):
            return self.range_length(value)
        if isinstance(value, Flat):
            return value.line.size
        if type(value) in parts.PARTS:
            return sliced.shape_of(self.packed(value))[0]
        if isinstance(value, Instance):
            found = self.special(value, "__len__")
            if found is not None:
                return self._length_given(self.call(found, (), {}))
        if isinstance(value, Text):
            self.suggest_text(value)
            self.fail("a run-time string has no known length", page="run-time-string")
        if is_without_items(value):
            self.raise_now(TypeError, f"object of type '{class_name(value)}' has no len()")
        if type(value) is Opaque:
            self.refuse_opaque(value)
        if isinstance(value, Modules):
            modules.refuse(self)
        if isinstance(value, Symbolic):
            self.fail_as(TypeError, f"object of type '{class_name(value)}' has no len()")
        return len(value) if isinstance(value, tuple) else self.compute(len, value)

    def range_length(self, value: Range) -> Any:
        if not any(isinstance(each, Scalar) for each in (value.start, value.stop, value.step)):
            return len(self.static_items(value))
        if value.step != 1:
            self.fail("len() of a range with run-time bounds needs step 1", "compute the length")
        gap = self.binary(ast.Sub, value.stop, value.start)
        return self.call(max, (gap, 0), {})

    def static_items(self, value: Any) -> Any:
        """The items of an iterable of static length, all of which are used."""
        if type(value) is Instance:
            value = self.iterated(value)
        if generators.is_generator(self, value):
            value = generators.listed(self, value)
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
        """The items that iterating over a set, a dict or a view of a dict gives."""
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
        """`a is b or a == b` as a condition, as containers compare their items."""
        return identity.equal(self, a, b)

    def compare_containers(self, op: type, a: Any, b: Any) -> Any:
        """A comparison of tuples, lists, dicts and sets."""
        if any(_is_view_of(each, "items") for each in (a, b)):
            self.fail("a comparison of d.items() is not supported", "compare the dicts")
        kinds = [_kind_of(each) for each in (a, b)]
        is_equality = op in (ast.Eq, ast.NotEq)
        if kinds[0] is not kinds[1] or kinds[0] is None:
            if not is_equality:
                orders.refuse(self, op, a, b)
            return op is ast.NotEq
        if a is b or (isinstance(a, (List, Dict)) and same_object(a, b)):
            if kinds[0] is dict and not is_equality:
                orders.refuse(self, op, a, b)
            return op in (ast.Eq, ast.LtE, ast.GtE)
        if kinds[0] is set:
            return _OPERATORS[op](self._elements(a), self._elements(b))
        if kinds[0] is dict:
            if not is_equality:
                orders.refuse(self, op, a, b)
            same = self._equal_dicts(a, b)
        else:
            one, other = ([*self.static_items(each)] for each in (a, b))
            if not is_equality:
                return self._ordered(op, one, other)
            same = self._equal_items(one, other) if len(one) == len(other) else False
        return same if op is ast.Eq else self.negate(same)

    def _equal_items(self, one: list[Any], other: list[Any]) -> Any:
        pairs = list(zip(one, other, strict=True))
        if any(isinstance(each, Instance) for each in [*one, *other]):
            return self._in_turn(pairs, lambda pair: self.equal(*pair), stop=False)
        result: Any = True
        for a, b in pairs:
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
        """The lexicographic comparison of two sequences, such as `one < other`."""
        if not one or not other:
            return _OPERATORS[op](len(one), len(other))
        same = self.equal(one[0], other[0])
        if same is True:
            return self._ordered(op, one[1:], other[1:])
        strict = ast.Lt if op in (ast.Lt, ast.LtE) else ast.Gt
        first = self.compare(strict(), one[0], other[0])
        if same is False:
            return first
        rest = self._ordered(op, one[1:], other[1:])
        if not (is_of_numpy(first) or is_of_numpy(rest)):
            return self.either(self.truth(first), self.both(same, self.truth(rest)))
        # The result is that of the items which decide: a bool of Python's or of NumPy's.
        return self.selected(same, [rest, first])

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""
        if isinstance(container, Range):
            return self._in_range(container, item)
        if isinstance(container, Modules):
            return modules.contains(self, item)
        if isinstance(container, Array):
            if isinstance(item, NO_NUMBERS):
                return False
            return self.truth(self.call(np.any, (self.compare(ast.Eq(), container, item),), {}))
        if is_without_items(container):
            name = class_name(container)
            self.raise_now(TypeError, f"argument of type '{name}' is not iterable")
        found = self.special(container, "__contains__")
        if found is not None:
            return self.truth(self.call(found, (item,), {}))
        if isinstance(container, Instance) and all(
            self.special(container, name) is None for name in ("__iter__", "__getitem__")
        ):
            self.fail_as(TypeError, f"argument of type '{class_name(container)}' is not iterable")
        item = self.at_run_time(item) if isinstance(container, (Dict, Set)) else item
        # A set takes another set for a frozenset.
        unhashable = (List, Dict, Array) if isinstance(container, Set) else UNHASHABLE
        if isinstance(container, (Dict, Set)) and isinstance(item, unhashable):
            self.check_key(item)
        if isinstance(container, (Dict, Set)) and not isinstance(item, Symbolic):
            self.check_key(item)
            return item in (
                self.contents(container) if isinstance(container, Set) else self.entries(container)
            )
        if isinstance(container, str) or not isinstance(container, (tuple, Symbolic, dict, list)):
            return self.truth(self.compute(operator.contains, container, item))
        if grown.is_open_sequence(self, container):
            return self.truth(grown.library_call(self, "contains", container, item))
        if isinstance(container, Iterator):
            # What comes behind the first equal item stays in the iterator.
            return self.quantified_over(
                Shared(container), False, lambda each: self.equal(each, item)
            )
        return self._among(self.static_items(container), item)

    def _among(self, items: Iterable[Any], item: Any) -> Any:
        """Whether an item equals one of `items`, compared in turn, each of them on the left."""
        items = list(items)
        if any(isinstance(each, Instance) for each in (item, *items)):
            return self._in_turn(items, lambda each: self.equal(each, item), stop=True)
        result: Any = False
        for each in items:
            result = self.either(result, self.equal(each, item))
            if result is True:
                return True
        return result

    def _in_turn(self, items: list[Any], test: Callable[[Any], Any], stop: bool) -> Any:
        """Whether a test that may run code of the program gives `stop` for one of the items; what
        follows that item is not tested."""
        if not items:
            return not stop
        found = test(items[0])
        rest = functools.partial(self._in_turn, items[1:], test, stop)
        if isinstance(found, bool):
            return stop if found is stop else rest()
        return self.choose(found, *((lambda: stop, rest) if stop else (rest, lambda: stop)))

    def _in_range(self, over: Range, item: Any) -> Any:
        is_complex = isinstance(item, Scalar) and item.dtype.kind == "c"
        if is_complex or isinstance(item, (Array, Instance, complex, np.complexfloating)):
            # Python compares an item that is not an integer with each number of the range.
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

    def _elements(self, value: Any) -> Any:
        if _is_view_of(value, "keys"):
            return set(self.entries(value.owner))
        elements = self.contents(value) if isinstance(value, Set) else value
        for each in elements:
            self.check_key(each)
        return elements

    def check_hashable(self, value: Any) -> None:
        """Raise what Python raises of a value that has no hash."""
        if isinstance(value, UNHASHABLE):
            self.raise_now(TypeError, f"unhashable type: '{class_name(value)}'")

    def check_key(self, key: Any) -> None:
        """Refuse a value that can't be a key, or is known at run time only."""
        if isinstance(key, tuple):
            for each in key:
                self.check_key(each)
            return
        self.check_hashable(key)
        if isinstance(key, Text):
            self.suggest_text(key)
            self.fail_static(
                "a run-time string can't be a key", "use numbers", page="run-time-string"
            )
        if isinstance(key, Instance) or compares_by_code(key):
            self.fail("an instance can't be a key", "use a number or a string")
        if depends(key):
            raise Undecided(
                f"a key that depends on the size {key}, which is left open",
                hint="give the dimension a number, or compare with each key",
            )
        try:
            hash(self.static(key, "a key"))
        except TypeError as error:
            # A slice, which has a hash from Python 3.12 on.
            self.raise_now(TypeError, str(error))

    # Operators.

    def operate_containers(self, op: type, left: Any, right: Any) -> Any:
        """`+`, `*`, `|` and so on of tuples, lists, dicts and sets.

        Returns:
            The result, or None if the containers have no such operator.
        """
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
        if op in _SET_OPERATORS and any(map(_is_like_set, (left, right))):
            # Views of dicts take any iterable, and make a set.
            left, right = (self.call(set, (each,), {}) for each in (left, right))
        are_sets = isinstance(left, (Set, frozenset)) and isinstance(right, (Set, frozenset))
        if are_sets and op in _SET_OPERATORS:
            given = self._elements(left), self._elements(right)
            is_set = isinstance(left, Set)
            return self.set_of(_SET_OPERATORS[op], *given) if is_set else _SET_OPERATORS[op](*given)
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
            given = self._elements(old), self._elements(value)
            self.change(old, self.sets.changed(given[0], _IN_PLACE[op], given[1])[0])
        else:
            return False
        return True

    def list_of(self, contents: Grown) -> List:
        """A new list that holds these rows."""
        return List(Cell(list, contents, self.location))

    def _rows_of(self, lists: list[List]) -> list[Grown] | None:
        """All lists as rows, if one has a dynamic length, else None."""
        held = [self.contents(each) for each in lists]
        like = next((each for each in held if rows.is_open(each)), None)
        return None if like is None else [grown.as_grown(self, each, like) for each in lists]

    def extend(self, value: List, items: Any) -> None:
        if isinstance(items, Iterator):
            # What makes an item sees those before it, and they stay if it raises an exception.
            for each in self.pulled(self.supply(items)):
                self.append(value, each)
            return
        if grown.is_open_sequence(self, items):
            items = grown.listed(self, items)
        held = self._rows_of([value, items]) if isinstance(items, List) else None
        if held is not None:
            made, appended = grown.joined(self, held), grown.kept_of(self, value, held[0], items)
            grown.change(self, value, replace(made, appended=appended))
            return
        if isinstance(self.contents(value), Grown):
            for each in self.static_items(items):
                self.append(value, each)
            return
        added = self.static_items(items)
        self._check_length(len(added))
        length = self.length_of(value) + len(added)
        rows.check_bound(self, value, length, length)
        self.change(value, (*self.items(value), *added))

    def _times(self, items: list[Any], number: Any) -> list[Any]:
        """`items * number`."""
        count = int(self.static(number, "the length of a list"))
        self._check_length(len(items) * count)
        return list(items) * count

    def _check_length(self, length: int) -> None:
        """Refuse a list that is too long, which a branch that never runs may ask for."""
        if length > MOST_ITEMS:
            self.fail(f"a list of more than {MOST_ITEMS} items", "use an array")

    # Sorting.

    def sorted_items(self, items: list[Any], key: Any, reverse: Any) -> list[Any]:
        """`sorted(items, key=, reverse=)`."""
        reverse = bool(self.static(reverse, "reverse"))
        keys = items if key is None else [self.call(key, (each,), {}) for each in items]
        if not any(isinstance(each, Symbolic) for each in leaves_of(keys)):
            if any(map(may_change, leaves_of(keys))):
                self.fail("the order of these objects may change unseen", "sort them by numbers")
            try:
                order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
            except TypeError as error:
                self.raise_now(TypeError, str(error))
            return [items[i] for i in order]
        if len(items) < 2:
            return list(items)
        firsts = _distinct_firsts(keys)
        if firsts is not None:
            order = sorted(range(len(items)), key=firsts.__getitem__, reverse=reverse)
            return [items[i] for i in order]
        by, columns = _columns(keys), _columns(items)
        if by is None or columns is None:
            self.fail(
                "the order of these items is known at run time only",
                "sort an array with np.sort or np.argsort",
            )
        made = self._sorted_at_run_time(columns, by, reverse)
        if not isinstance(items[0], tuple):
            return made[0]
        kind = type(items[0])
        return [tuple_of(kind, row) for row in zip(*made, strict=True)]

    def _sorted_at_run_time(
        self, columns: list[list[Any]], by: list[list[Any]], reverse: bool
    ) -> list[list[Any]]:
        """Columns of numbers in the order of the rows of `by`."""
        # Python's sort is stable also where it is reversed.
        flip = slice(None, None, -1 if reverse else None)
        keys = [fresh(self._held(column[flip]).data[0]) for column in by]
        for key, column in zip(keys, by, strict=True):
            if key.dtype.kind == "c":
                self._require_order(column)
        if len(keys) == 1:
            order = self.call(np.argsort, (keys[0],), {"kind": "stable"})
        else:
            order = self.call(np.lexsort, (tuple(keys[::-1]),), {})
        return [self._in_order(column[flip], order)[flip] for column in columns]

    def _require_order(self, numbers: list[Any]) -> None:
        """Raise for Python's complex numbers, which have no order, as NumPy's do."""
        for each in numbers:
            if type(each) is Joined:
                raise Undetermined(each.kinds)
        if all(is_python(each) for each in numbers):
            self.raise_now(
                TypeError, "'<' not supported between instances of 'complex' and 'complex'"
            )
        if any(map(is_python, numbers)):
            self.fail("NumPy's complex numbers are sorted with Python's", "convert them")

    def _in_order(self, numbers: list[Any], order: Any) -> list[Any]:
        made = grown.rearranged(self, self._held(numbers), lambda each: self.subscript(each, order))
        return [rows.row(self, None, made, i) for i in range(len(numbers))]

    def _held(self, numbers: list[Any]) -> Grown:
        """Numbers as rows."""
        return grown.of_items(self, type_of(numbers[0], runtime=True), tuple(numbers))


def _distinct_firsts(keys: list[Any]) -> list[Any] | None:
    """The first items of tuples, if they are strings or integers of which no two are equal: no
    more of the tuples is compared then."""
    firsts = [each[0] if isinstance(each, tuple) and each else None for each in keys]
    kinds = {*map(type, firsts)}
    is_known = kinds in ({str}, {int})
    return firsts if is_known and len(set(firsts)) == len(firsts) else None


def _columns(items: list[Any]) -> list[list[Any]] | None:
    """Numbers as one column, tuples of numbers as one for each position; None for other items."""
    rows = [each if isinstance(each, tuple) else (each,) for each in items]
    kinds = {type(each) if isinstance(each, tuple) else None for each in items}
    if len(kinds) != 1 or len({len(row) for row in rows}) != 1 or not rows[0]:
        return None
    if not all(isinstance(each, (Scalar, *STATIC_NUMBERS)) for row in rows for each in row):
        return None
    return [list(column) for column in zip(*rows, strict=True)]


_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_SET_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.BitOr: operator.or_, ast.BitAnd: operator.and_, ast.Sub: operator.sub,
    ast.BitXor: operator.xor,
}  # fmt: skip


_IN_PLACE: dict[type, Callable[..., Any]] = {
    ast.BitOr: operator.ior, ast.BitAnd: operator.iand, ast.Sub: operator.isub,
    ast.BitXor: operator.ixor,
}  # fmt: skip


def _is_int(value: Any) -> bool:
    if isinstance(value, Scalar):
        return value.held.kind in "iub"
    return isinstance(value, (int, np.integer))


def _is_view_of(value: Any, what: str) -> bool:
    """Whether a value is a view of a dict: of its `keys`, say."""
    return isinstance(value, Items) and value.what == what


def _is_like_set(value: Any) -> bool:
    """Whether a value is a view of a dict that has the operators of sets."""
    return _is_view_of(value, "keys") or _is_view_of(value, "items")


def _kind_of(value: Any) -> type | None:
    """The kind of a container; containers of one kind are compared item by item."""
    if isinstance(value, (Set, set, frozenset)) or _is_view_of(value, "keys"):
        return set
    for kind, found in ((tuple, tuple), (List, list), (Dict, dict)):
        if isinstance(value, kind):
            return found
    return None
