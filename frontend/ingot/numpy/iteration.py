"""Functions that make, change or iterate over sequences: zip, sorted, itertools, functools, heapq."""

from __future__ import annotations

import ast
import bisect
import builtins
import collections
import functools
import heapq
import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.numpy import integers
from ingot.numpy.library import bisection, heaps, public_functions
from ingot.syntax import grown, rows, spans
from ingot.syntax.cells import Cell
from ingot.syntax.container_methods import pairs_of
from ingot.syntax.functions import Partial
from ingot.syntax.leaves import reference_to
from ingot.syntax.supplies import (
    END,
    Accumulated,
    Chained,
    Cycled,
    DroppedWhile,
    Enumerated,
    Filtered,
    Mapped,
    MappedRows,
    OfItems,
    OfList,
    OfListReversed,
    Paired,
    Shared,
    SlicedItems,
    TakenWhile,
    Zipped,
    ZippedLongest,
    refuse_lengths,
)
from ingot.syntax.values import (
    Dict,
    Iterator,
    Lazy,
    List,
    Range,
    Scalar,
    Set,
    Supply,
    class_name,
    is_without_items,
)

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

_NOT_GIVEN = object()


def takes_references(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a handler that takes lists, dicts and instances by reference."""

    @functools.wraps(handler)
    def call(*args: Any, **kwargs: Any) -> Any:
        return handler(*args, **kwargs)

    call.takes_references = True  # type: ignore[attr-defined]
    return call


def _combined(
    ev: Evaluator, values: tuple, make_supply: Callable[..., Supply], make_item: Any
) -> Any:
    """An iterable over several sequences at once.

    Args:
        make_supply: makes the supply of the combined items from the sequences' supplies.
        make_item: makes a combined item from its index and one item of each sequence.
    """
    if any(grown.is_open_sequence(ev, value) for value in values):
        values = tuple(grown.by_index(ev, value) for value in values)
    sequences = [ev.iterable(value) for value in values]
    if not sequences or any(isinstance(each, Supply) for each in sequences):
        return ev.new_iterator(make_supply(*map(ev.supply_of, sequences)))
    parts = [_indexed(ev, each) for each in sequences]
    lengths = [length for length, _ in parts if length is not math.inf]
    shortest = functools.reduce(functools.partial(_shorter, ev), lengths) if lengths else math.inf

    def finish() -> None:
        for each in sequences:
            if isinstance(each, Lazy):
                each.finish()

    return Lazy(
        shortest,
        lambda i: make_item(i, *[item(i) for _, item in parts]),
        ev.new_list([]),
        finish,
        values,
    )


def _shorter(ev: Evaluator, a: Any, b: Any) -> Any:
    """The smaller of two lengths, which may be dynamic."""
    is_open = isinstance(a, Scalar) or isinstance(b, Scalar)
    return spans.least(ev, a, b) if is_open else builtins.min(a, b)


def _indexed(ev: Evaluator, sequence: Range | Lazy) -> Any:
    """The length of a sequence, and a function from an index to the item."""
    if isinstance(sequence, Lazy):
        return sequence.length, sequence.item
    r = ev.static_items(sequence)
    return len(r), lambda i: ev.binary(ast.Add, r.start, ev.binary(ast.Mult, i, r.step))


def enumerate_(ev: Evaluator, iterable: Any, start: Any = 0) -> Any:
    start = integers.index(ev, start)
    return _combined(
        ev,
        (iterable,),
        lambda part: Enumerated(part, start),
        lambda i, item: (ev.binary(ast.Add, i, start), item),
    )


def zip_(ev: Evaluator, *iterables: Any, strict: Any = False) -> Any:
    is_strict = ev.static(strict, "strict")
    made = _combined(
        ev, iterables, lambda *parts: Zipped(parts, is_strict), lambda i, *items: items
    )
    if is_strict and isinstance(made, Lazy):
        lengths = [ev.length(each) for each in iterables]
        for i, length in enumerate(lengths[1:], 1):
            if isinstance(length, Scalar) or isinstance(lengths[0], Scalar):
                message = f"zip() argument {i + 1} is not as long as argument 1"
                ev.check(
                    spans.compare(ev, "eq", length, lengths[0]),
                    "ValueError",
                    message,
                )
            elif length != lengths[0]:
                refuse_lengths(ev, i, "shorter" if length < lengths[0] else "longer")
    return made


def reversed_(ev: Evaluator, sequence: Any) -> Any:
    if isinstance(sequence, (Iterator, Lazy, Set)):
        message = f"'{class_name(sequence)}' object is not reversible"
        ev.fail_as(TypeError, message, "make a list: list(...)")
    if is_without_items(sequence):
        ev.raise_now(TypeError, f"'{class_name(sequence)}' object is not reversible")
    found = ev.special(sequence, "__reversed__")
    if found is not None:
        return ev.call(found, (), {})
    over = ev.iterable(sequence)
    if isinstance(over, OfList):
        return ev.new_iterator(OfListReversed(sequence, ev.length_of(sequence) - 1))
    if isinstance(over, Supply):
        return ev.new_iterator(OfItems(ev.drain(over)[::-1]))
    length, item = _indexed(ev, over)
    last = spans.difference(ev, length, 1) if isinstance(length, Scalar) else length - 1
    return Lazy(
        length, lambda i: item(ev.binary(ast.Sub, last, i)), ev.new_list([]), over=(sequence,)
    )


def map_(ev: Evaluator, function: Any, *iterables: Any) -> Any:
    if any(grown.is_open_sequence(ev, each) for each in iterables):
        return _combined(
            ev, iterables, lambda *parts: Mapped(function, parts),
            lambda i, *items: ev.call(function, items, {}),
        )  # fmt: skip
    return ev.new_iterator(Mapped(function, tuple(map(ev.supply, iterables))))


def filter_(ev: Evaluator, function: Any, iterable: Any) -> Any:
    may_be_open = grown.is_open_sequence(ev, iterable) and ev.lists.open()
    if function is None or not (may_be_open or ev.lists.are_open):
        return ev.new_iterator(Filtered(ev.supply(iterable), function))
    # Filter at once by a loop: the number of items that pass is dynamic.
    return ev.or_loops(
        lambda: ev.new_iterator(OfItems(ev.drain(Filtered(ev.supply(iterable), function)))),
        lambda: _combined(
            ev,
            (grown.library_call(ev, "kept", function, iterable),),
            lambda part: part,
            lambda i, item: item,
        ),
        ev.node,
    )


def sorted_(ev: Evaluator, iterable: Any, *, key: Any = None, reverse: Any = False) -> Any:
    if key is None and grown.is_open_sequence(ev, iterable):
        held = ev.contents(grown.listed(ev, iterable))
        if rows.is_open(held):
            return ev.list_of(grown.ordered(ev, held, bool(ev.static(reverse, "reverse"))))
    return ev.new_list(ev.sorted_items(list(ev.static_items(iterable)), key, reverse))


def iter_(ev: Evaluator, iterable: Any) -> Any:
    return iterable if isinstance(iterable, Iterator) else ev.new_iterator(ev.supply(iterable))


def next_(ev: Evaluator, iterator: Any, default: Any = _NOT_GIVEN) -> Any:
    if not isinstance(iterator, Iterator):
        ev.fail("next() needs an iterator", "make one with iter()")
    item, _ = Shared(iterator).pull(ev)
    if item is not END:
        return item
    if default is _NOT_GIVEN:
        ev.raise_now(StopIteration, "")
    return default


def reduce_(ev: Evaluator, function: Any, iterable: Any, initial: Any = _NOT_GIVEN) -> Any:
    items = list(ev.static_items(iterable))
    if initial is not _NOT_GIVEN:
        items.insert(0, initial)
    if not items:
        ev.raise_now(TypeError, "reduce() of empty iterable with no initial value")
    total = items[0]
    for item in items[1:]:
        total = ev.call(function, (total, item), {})
    return total


def partial_(ev: Evaluator, function: Any, *args: Any, **kwargs: Any) -> Partial:
    return Partial(function, args, kwargs)


# itertools.


def _product(ev: Evaluator, *iterables: Any, repeat: Any = 1) -> Any:
    columns = [list(ev.static_items(each)) for each in iterables]
    rows = list(itertools.product(*columns, repeat=ev.static(repeat, "repeat")))
    return ev.new_iterator(OfItems(rows))


def _chain(ev: Evaluator, *iterables: Any) -> Any:
    return ev.new_iterator(Chained(OfItems(iterables)))


def _chain_of(ev: Evaluator, iterables: Any) -> Any:
    return ev.new_iterator(Chained(ev.supply(iterables)))


def _repeat(ev: Evaluator, item: Any, times: Any = None) -> Any:
    if times is None:
        return Lazy(math.inf, lambda _: item, ev.new_list([]), over=(item,))
    return ev.new_iterator(OfItems([item] * ev.static(times, "the number of repetitions")))


def _accumulate(ev: Evaluator, iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    supply = ev.supply(iterable)
    if initial is not None:
        supply = Chained(OfItems(((initial,), ev.new_iterator(supply))))
    return ev.new_iterator(Accumulated(supply, func))


def _of_items(function: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a function of itertools that only rearranges the items themselves."""

    def call(ev: Evaluator, iterable: Any, *args: Any, **kwargs: Any) -> Any:
        items = list(ev.static_items(iterable))
        given = [ev.static(each, "an argument of itertools") for each in args]
        named = {name: ev.static(value, name) for name, value in kwargs.items()}
        return ev.new_iterator(OfItems(list(function(items, *given, **named))))

    return call


def _count(ev: Evaluator, start: Any = 0, step: Any = 1) -> Lazy:
    def item(index: Any) -> Any:
        return ev.binary(ast.Add, start, ev.binary(ast.Mult, index, step))

    return Lazy(math.inf, item, ev.new_list([]))


def _islice(ev: Evaluator, iterable: Any, *bounds: Any) -> Any:
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, None, None)[:3]
    start, stop, step = ev.static((start or 0, stop, step or 1), "an argument of itertools.islice")
    supply = ev.supply(iterable)
    if stop is None and supply.most(ev) == math.inf:
        ev.fail("this slice of an iterator has no end", "give the end")
    return ev.new_iterator(SlicedItems(supply, start, math.inf if stop is None else stop, step))


def _zip_longest(ev: Evaluator, *iterables: Any, fillvalue: Any = None) -> Any:
    return ev.new_iterator(ZippedLongest(tuple(map(ev.supply, iterables)), fillvalue))


def _starmap(ev: Evaluator, function: Any, iterable: Any) -> Any:
    return ev.new_iterator(MappedRows(ev.supply(iterable), function))


def _pairwise(ev: Evaluator, iterable: Any) -> Any:
    return ev.new_iterator(Paired(ev.supply(iterable)))


def _while(supply: type[TakenWhile | DroppedWhile]) -> Callable[..., Any]:
    """The handler of itertools.takewhile or dropwhile."""
    return lambda ev, predicate, iterable: ev.new_iterator(supply(ev.supply(iterable), predicate))


def _cycle(ev: Evaluator, iterable: Any) -> Any:
    return ev.new_iterator(Cycled(ev.supply(iterable)))


# NumPy's iterators.


def _ndindex(ev: Evaluator, *shape: Any) -> Lazy:
    """np.ndindex: the indices of an array of a shape; the last index varies fastest."""
    sizes = ev.static(
        shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape, "a shape"
    )

    def item(index: Any) -> tuple:
        found: tuple = ()
        for size in reversed(sizes):
            found = (ev.binary(ast.Mod, index, size), *found)
            index = ev.binary(ast.FloorDiv, index, size)
        return found

    return Lazy(math.prod(sizes), item, ev.new_list([]))


def _ndenumerate(ev: Evaluator, arr: Any) -> Lazy:
    """np.ndenumerate: each index of an array with its element."""
    array = ev.as_array(arr)
    indices = _ndindex(ev, *ev.read(array).shape)

    def item(index: Any) -> tuple:
        position = indices.item(index)
        return position, ev.subscript(array, position)

    return Lazy(indices.length, item, ev.new_list([]), over=(array,))


# Containers.


def tuple_(ev: Evaluator, items: Any = ()) -> tuple:
    return tuple(ev.static_items(items))


def list_(ev: Evaluator, items: Any = ()) -> List:
    if grown.is_open_sequence(ev, items):
        return grown.listed(ev, items)
    return ev.new_list(ev.static_items(items))


def set_(ev: Evaluator, items: Any = ()) -> Any:
    return ev.set_of(set, _elements(ev, items))


def _elements(ev: Evaluator, items: Any) -> Any:
    """The elements of a set that is made from an iterable, in Python's order: sets and dicts are
    taken by their tables."""
    is_set = isinstance(items, Set)
    found = ev.contents(items) if is_set else items if isinstance(items, frozenset) else None
    found = list(ev.static_items(items)) if found is None else found
    for each in found:
        ev.check_key(each)
    return dict.fromkeys(found) if isinstance(items, Dict) else found


def frozenset_(ev: Evaluator, items: Any = ()) -> frozenset:
    return items if isinstance(items, frozenset) else frozenset(_elements(ev, items))


def dict_(ev: Evaluator, items: Any = (), /, **named: Any) -> Dict:
    return ev.new_dict({**pairs_of(ev, items), **named})


def from_keys(ev: Evaluator, keys: Any, value: Any = None) -> Dict:
    found = list(ev.static_items(keys))
    for each in found:
        ev.check_key(each)
    return ev.new_dict(dict.fromkeys(found, value))


def _of_kind(kind: type, ev: Evaluator, factory: Any, entries: dict) -> Any:
    cell = Cell(kind, entries, ev.location)
    cell.extra = factory
    return reference_to(cell)


def default_dict(
    ev: Evaluator, default_factory: Any = None, items: Any = (), /, **named: Any
) -> Any:
    entries = {**pairs_of(ev, items), **named}
    return _of_kind(collections.defaultdict, ev, default_factory, entries)


def ordered_dict(ev: Evaluator, items: Any = (), /, **named: Any) -> Any:
    return _of_kind(collections.OrderedDict, ev, None, {**pairs_of(ev, items), **named})


def _inlined(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    return lambda ev, *args, **kwargs: ev.inline(function, args, kwargs, ev.node, name)


def _of_sorted_lists() -> dict[Any, Callable[..., Any]]:
    """The functions of heapq and bisect."""
    return {
        getattr(home, name): _inlined(function, f"{home.__name__}.{name}")
        for home, module in ((heapq, heaps), (bisect, bisection))
        for name, function in public_functions(module).items()
    }


def handlers() -> dict[Any, Callable[..., Any]]:
    found: dict[Any, Callable[..., Any]] = {
        **_of_sorted_lists(),
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
        itertools.islice: _islice, itertools.count: _count, itertools.cycle: _cycle,
        itertools.takewhile: _while(TakenWhile), itertools.dropwhile: _while(DroppedWhile),
        np.ndindex: _ndindex, np.ndenumerate: _ndenumerate,
        itertools.combinations_with_replacement: _of_items(
            itertools.combinations_with_replacement
        ),
    }  # fmt: skip
    if hasattr(itertools, "pairwise"):
        found[itertools.pairwise] = _pairwise
    return {kind: takes_references(handler) for kind, handler in found.items()}
