"""Functions that make or run over sequences: zip, map, sorted, itertools and functools."""

from __future__ import annotations

import ast
import builtins
import collections
import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

from ingot.syntax.container_methods import pairs_of
from ingot.syntax.types import reference_to
from ingot.syntax.values import Cell, Dict, Iterator, Lazy, List, Partial, Range, Set
from ingot_runtime.errors import DTypeError

_NOT_GIVEN = object()


def takes_references(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a handler that gets lists, dicts and instances as the references that they are."""

    @functools.wraps(handler)
    def call(*args: Any, **kwargs: Any) -> Any:
        return handler(*args, **kwargs)

    call.takes_references = True  # type: ignore[attr-defined]
    return call


def _lazy(ev: Any, value: Any) -> Any:
    """A sequence as (length, item function)."""
    sequence = ev.iterable(value)
    if isinstance(sequence, list) and isinstance(value, List):
        # What the list holds when the item is asked for.
        return len(sequence), lambda i: ev.subscript(value, i)
    if isinstance(sequence, (list, tuple)):
        return len(sequence), lambda i: ev.subscript(tuple(sequence), i)
    if isinstance(sequence, Range):
        r = ev.static_items(sequence)
        return len(r), lambda i: ev.binary(ast.Add, r.start, ev.binary(ast.Mult, i, r.step))
    return sequence.length, sequence.item


def _combined(ev: Any, values: tuple, make: Callable[..., Any], parts: list) -> Any:
    """An iterator of known items where every part has them, else what a loop can run over."""
    lengths = [length for length, _ in parts if length is not math.inf]
    if not lengths and parts:
        return Lazy(math.inf, make, ev.new_list([]))
    shortest = builtins.min(ev.static(each, "a length") for each in lengths) if lengths else 0
    kinds = [type(ev.iterable(value)) for value in values if not isinstance(value, Iterator)]
    if any(kind in (list, tuple) for kind in kinds) or len(kinds) < len(values):
        return ev.new_iterator([make(i) for i in range(shortest)], values, make)
    return Lazy(shortest, make, ev.new_list([]))


def enumerate_(ev: Any, iterable: Any, start: Any = 0) -> Any:
    part = _lazy(ev, iterable)
    return _combined(ev, (iterable,), lambda i: (ev.binary(ast.Add, i, start), part[1](i)), [part])


def zip_(ev: Any, *iterables: Any, strict: Any = False) -> Any:
    is_strict = ev.static(strict, "strict")
    if any(isinstance(each, Iterator) for each in iterables):
        return ev.new_iterator(_pulled(ev, iterables, is_strict), iterables)
    parts = [_lazy(ev, each) for each in iterables]
    if is_strict:
        lengths = [ev.static(length, "a length") for length, _ in parts]
        for i, length in enumerate(lengths[1:], 1):
            if length != lengths[0]:
                _refuse_lengths(ev, i, "shorter" if length < lengths[0] else "longer")
    return _combined(ev, iterables, lambda i: tuple(item(i) for _, item in parts), parts)


def _pulled(ev: Any, iterables: tuple, is_strict: bool) -> list[tuple]:
    """The rows of a zip() of which iterators are part: each is used up as far as zip() comes."""
    parts = [each if isinstance(each, Iterator) else _lazy(ev, each) for each in iterables]
    rows: list[tuple] = []

    def has_more(part: Any) -> bool:
        if isinstance(part, Iterator):
            return bool(ev.contents(part))
        return len(rows) < ev.static(part[0], "a length")

    while True:
        row: list[Any] = []
        for part in parts:
            if not has_more(part):
                break
            row.append(next_(ev, part) if isinstance(part, Iterator) else part[1](len(rows)))
        if len(row) < len(parts):
            if is_strict and row:
                _refuse_lengths(ev, len(row), "shorter")
            longer = [i for i, part in enumerate(parts) if has_more(part)]
            if is_strict and longer:
                _refuse_lengths(ev, longer[0], "longer")
            return rows
        rows.append(tuple(row))


def _refuse_lengths(ev: Any, number: int, how: str) -> None:
    others = "argument 1" if number == 1 else f"arguments 1-{number}"
    ev.raise_now(ValueError, f"zip() argument {number + 1} is {how} than {others}")


def reversed_(ev: Any, sequence: Any) -> Any:
    if isinstance(sequence, (Iterator, Lazy, Set)):
        ev.fail("reversed() needs a sequence", "make a list: list(...)", DTypeError)
    found = ev.special(sequence, "__reversed__")
    if found is not None:
        return ev.call(found, (), {})
    length, item = _lazy(ev, sequence)
    return _combined(
        ev, (sequence,), lambda i: item(ev.binary(ast.Sub, length - 1, i)), [(length, item)]
    )


def map_(ev: Any, function: Any, *iterables: Any) -> Any:
    columns = [list(ev.static_items(each)) for each in iterables]
    rows = zip(*columns, strict=False)
    return ev.new_iterator([ev.call(function, row, {}) for row in rows])


def filter_(ev: Any, function: Any, iterable: Any) -> Any:
    found = []
    for item in ev.static_items(iterable):
        test = ev.truth(item if function is None else ev.call(function, (item,), {}))
        if ev.static(test, "a filter"):
            found.append(item)
    return ev.new_iterator(found)


def sorted_(ev: Any, iterable: Any, *, key: Any = None, reverse: Any = False) -> Any:
    return ev.new_list(ev.sorted_items(list(ev.static_items(iterable)), key, reverse))


def iter_(ev: Any, iterable: Any) -> Any:
    if isinstance(iterable, Iterator):
        return iterable
    return ev.new_iterator(ev.static_items(iterable), (iterable,))


def next_(ev: Any, iterator: Any, default: Any = _NOT_GIVEN) -> Any:
    if not isinstance(iterator, Iterator):
        ev.fail("next() needs an iterator", "make one with iter()")
    ev.check_sources(iterator)
    items = ev.contents(iterator)
    if not items:
        if default is _NOT_GIVEN:
            ev.raise_now(StopIteration, "")
        return default
    ev.change(iterator, items[1:])
    return items[0]


def reduce_(ev: Any, function: Any, iterable: Any, initial: Any = _NOT_GIVEN) -> Any:
    items = list(ev.static_items(iterable))
    if initial is not _NOT_GIVEN:
        items.insert(0, initial)
    if not items:
        ev.raise_now(TypeError, "reduce() of empty iterable with no initial value")
    total = items[0]
    for item in items[1:]:
        total = ev.call(function, (total, item), {})
    return total


def partial_(ev: Any, function: Any, *args: Any, **kwargs: Any) -> Partial:
    return Partial(function, args, kwargs)


# itertools.


def _product(ev: Any, *iterables: Any, repeat: Any = 1) -> Any:
    columns = [list(ev.static_items(each)) for each in iterables]
    return ev.new_iterator(itertools.product(*columns, repeat=ev.static(repeat, "repeat")))


def _chain(ev: Any, *iterables: Any) -> Any:
    return ev.new_iterator([item for each in iterables for item in ev.static_items(each)])


def _chain_of(ev: Any, iterables: Any) -> Any:
    return _chain(ev, *ev.static_items(iterables))


def _repeat(ev: Any, item: Any, times: Any = None) -> Any:
    if times is None:
        ev.fail("itertools.repeat without a number of times has no end", "give the number")
    return ev.new_iterator([item] * ev.static(times, "the number of repetitions"))


def _accumulate(ev: Any, iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    items = list(ev.static_items(iterable))
    if initial is not None:
        items.insert(0, initial)
    found: list[Any] = items[:1]
    for item in items[1:]:
        pair = (found[-1], item)
        found.append(ev.binary(ast.Add, *pair) if func is None else ev.call(func, pair, {}))
    return ev.new_iterator(found)


def _of_items(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of itertools that only rearranges items, by the objects that they are."""

    def call(ev: Any, iterable: Any, *args: Any, **kwargs: Any) -> Any:
        items = list(ev.static_items(iterable))
        given = [ev.static(each, "an argument of itertools") for each in args]
        named = {name: ev.static(value, name) for name, value in kwargs.items()}
        return ev.new_iterator(function(items, *given, **named))

    return call


def _count(ev: Any, start: Any = 0, step: Any = 1) -> Lazy:
    def item(index: Any) -> Any:
        return ev.binary(ast.Add, start, ev.binary(ast.Mult, index, step))

    return Lazy(math.inf, item, ev.new_list([]))


def _islice(ev: Any, iterable: Any, *bounds: Any) -> Any:
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, None, None)[:3]
    start, stop, step = ev.static((start or 0, stop, step or 1), "an argument of itertools.islice")
    if isinstance(iterable, Iterator):
        # It is used up as far as the slice goes.
        items = list(ev.contents(iterable))
        ev.change(iterable, () if stop is None else tuple(items[stop:]))
        return ev.new_iterator(items[start:stop:step])
    length, item = _lazy(ev, iterable)
    length = length if length is math.inf else ev.static(length, "a length")
    if stop is None and length is math.inf:
        ev.fail("this slice of an iterator has no end", "give the end")
    last = length if stop is None else builtins.min(stop, length)
    return ev.new_iterator([item(i) for i in range(start, last, step)])


def _zip_longest(ev: Any, *iterables: Any, fillvalue: Any = None) -> Any:
    columns = [list(ev.static_items(each)) for each in iterables]
    return ev.new_iterator(itertools.zip_longest(*columns, fillvalue=fillvalue))


def _starmap(ev: Any, function: Any, iterable: Any) -> Any:
    rows = [tuple(ev.static_items(each)) for each in ev.static_items(iterable)]
    return ev.new_iterator([ev.call(function, row, {}) for row in rows])


# Containers.


def tuple_(ev: Any, items: Any = ()) -> tuple:
    return tuple(ev.static_items(items))


def list_(ev: Any, items: Any = ()) -> List:
    return ev.new_list(ev.static_items(items))


def set_(ev: Any, items: Any = ()) -> Any:
    found = list(ev.static_items(items))
    for each in found:
        ev.check_key(each)
    return ev.new_set(found)


def frozenset_(ev: Any, items: Any = ()) -> frozenset:
    return frozenset(set_(ev, items).cell.value)


def dict_(ev: Any, items: Any = (), /, **named: Any) -> Dict:
    return ev.new_dict({**pairs_of(ev, items), **named})


def from_keys(ev: Any, keys: Any, value: Any = None) -> Dict:
    found = list(ev.static_items(keys))
    for each in found:
        ev.check_key(each)
    return ev.new_dict(dict.fromkeys(found, value))


def _of_kind(kind: type, ev: Any, factory: Any, entries: dict) -> Any:
    cell = Cell(kind, entries, ev.place)
    cell.extra = factory
    return reference_to(cell)


def default_dict(ev: Any, default_factory: Any = None, items: Any = (), /, **named: Any) -> Any:
    entries = {**pairs_of(ev, items), **named}
    return _of_kind(collections.defaultdict, ev, default_factory, entries)


def ordered_dict(ev: Any, items: Any = (), /, **named: Any) -> Any:
    return _of_kind(collections.OrderedDict, ev, None, {**pairs_of(ev, items), **named})


def handlers() -> dict[Any, Callable[..., Any]]:
    found: dict[Any, Callable[..., Any]] = {
        builtins.sorted: sorted_, builtins.iter: iter_, builtins.next: next_,
        functools.reduce: reduce_, itertools.chain.from_iterable: _chain_of,
        dict.fromkeys: from_keys,
    }  # fmt: skip
    return {function: takes_references(handler) for function, handler in found.items()}


def types() -> dict[Any, Callable[..., Any]]:
    found: dict[Any, Callable[..., Any]] = {
        builtins.enumerate: enumerate_, builtins.zip: zip_, builtins.reversed: reversed_,
        builtins.map: map_, builtins.filter: filter_, builtins.tuple: tuple_,
        builtins.list: list_, builtins.dict: dict_, builtins.set: set_,
        builtins.frozenset: frozenset_, functools.partial: partial_,
        collections.defaultdict: default_dict, collections.OrderedDict: ordered_dict,
        itertools.product: _product, itertools.chain: _chain, itertools.repeat: _repeat,
        itertools.accumulate: _accumulate, itertools.zip_longest: _zip_longest,
        itertools.starmap: _starmap, itertools.combinations: _of_items(itertools.combinations),
        itertools.permutations: _of_items(itertools.permutations),
        itertools.islice: _islice, itertools.count: _count,
        itertools.combinations_with_replacement: _of_items(
            itertools.combinations_with_replacement
        ),
    }  # fmt: skip
    if hasattr(itertools, "pairwise"):
        found[itertools.pairwise] = _of_items(itertools.pairwise)
    return {kind: takes_references(handler) for kind, handler in found.items()}
