"""`for` and `while` loops: unrolled if the body needs it, else `ingot.for` and `ingot.while`.

See `unrolling` for loops that are unrolled.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ingot._core import Value
from ingot.dimensions import depends
from ingot.dtypes import BOOL, CODES, INT
from ingot.syntax import (
    counters,
    generators,
    grown,
    intervals,
    modules,
    narrowing,
    rows,
    sliced,
    spans,
)
from ingot.syntax.branches import Raised
from ingot.syntax.carried import Carried, FirstDiffers, Restart
from ingot.syntax.cells import cell_numbers
from ingot.syntax.dynamic import Grown
from ingot.syntax.flat import Flat
from ingot.syntax.guesses import predict, target_name, targets_of
from ingot.syntax.memos import Memo
from ingot.syntax.modules import Modules
from ingot.syntax.ops import bounds_of
from ingot.syntax.parts import PARTS
from ingot.syntax.ranges import max_trip_count, trip_count
from ingot.syntax.scopes import BREAK, CONTINUE, LEFT, RETURN, Hidden, has_jump
from ingot.syntax.state import Region, StaticRequired
from ingot.syntax.supplies import OfIndex, OfItems, OfList, OfView, Shared
from ingot.syntax.types import ScalarType
from ingot.syntax.unrolling import INDEX, LONGEST_UNROLLED, TEST, Unrolling, is_small
from ingot.syntax.values import (
    Affine,
    Array,
    Broken,
    Dict,
    Instance,
    Items,
    Iterator,
    Lazy,
    List,
    OneOf,
    Opaque,
    Range,
    Reference,
    Scalar,
    Set,
    Supply,
    Symbolic,
    Text,
    Unbound,
    class_name,
    describe,
    is_without_items,
    parameter_of,
)
from ingot_runtime.errors import CompileError

INDEX_TYPE: tuple[list[int], int] = ([], CODES[INT])


@dataclass(frozen=True)
class Iterated(Hidden):
    """The hidden name of the value that the loop at a line and column iterates over."""

    lineno: int = 0
    column: int = 0


def _name_of_condition(call: ast.expr) -> str:
    """The name of the function of `filter`; names of the source have no spaces."""
    return f"function of filter, {call.lineno}:{call.col_offset}"


def _with_condition(node: ast.For, call: ast.Call, is_plain: bool) -> ast.For:
    """The loop over all items, whose body runs if the function of `filter` holds for an item, or,
    if `is_plain`, if the item does."""
    test: ast.expr = ast.Name(node.target.id, ast.Load())  # type: ignore[attr-defined]
    if not is_plain:
        test = ast.Call(ast.Name(_name_of_condition(call), ast.Load()), [test], [])
    body = ast.If(test, node.body, [])
    for each in (*ast.walk(test), body):
        ast.copy_location(each, call)
    return ast.copy_location(ast.For(node.target, call, [body], node.orelse), node)


#: Each attempt at a loop learns something about its values, of which programs have fewer.
MOST_ATTEMPTS = 1000


class Loops(Unrolling):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.memos: dict[Any, Memo] = {}
        #: Loops over all items that `filter` takes, by those over what it keeps.
        self._unfiltered: dict[ast.For, ast.For] = {}

    # Statements.

    def visit_For(self, node: ast.For) -> None:
        node, value = self._filtered(node) or (node, self.expr(node.iter))
        self.at(node.iter)
        if type(value) is OneOf:
            runs = [functools.partial(self._loop_over, node, each) for each in value.values]
            self.of_each(value, runs)
            return
        self._loop_over(node, value)

    def _loop_over(self, node: ast.For, value: Any) -> None:
        if type(value) is Instance:
            value = self.iterated(value)
        if generators.is_generator(self, value):
            generators.run_loop(self, node, value)
            return
        # The loop must find the value by a name, and it may have no other.
        name = Iterated("iterated", lineno=node.lineno, column=node.col_offset)
        self.frame.names[name] = value
        self._run_over(node, value)
        self.frame.names.pop(name, None)
        self.frame.names.pop(_name_of_condition(node.iter), None)

    def _filtered(self, node: ast.For) -> tuple[ast.For, Any] | None:
        """A loop over `filter(function, items)`, and its iterable.

        If only run time knows how many items there are, or which the function keeps, it is a loop
        over all of them, whose condition calls the function when the loop comes to an item, as
        Python does.
        """
        call = node.iter
        if not isinstance(call, ast.Call) or call.keywords or len(call.args) != 2:
            return None
        if not isinstance(call.func, ast.Name) or not isinstance(node.target, ast.Name):
            return None
        if any(isinstance(each, ast.Starred) for each in call.args):
            return None
        if self.expr(call.func) is not filter:
            return None
        function, items = self.expr(call.args[0]), self.expr(call.args[1])
        self.at(call)
        if not (grown.is_open_sequence(self, items) or self.lists.are_open):
            return node, self.call(filter, (function, items), {})
        self.frame.names[_name_of_condition(call)] = function
        made = self._unfiltered.get(node)
        if made is None:
            made = self._unfiltered[node] = _with_condition(node, call, function is None)
        return made, items

    def _run_over(self, node: ast.For, value: Any) -> None:
        sequence = self.iterable(value)
        if isinstance(sequence, Supply):
            self._unroll(node, sequence)
        elif isinstance(sequence, Lazy):
            if sequence.length is math.inf:
                self.fail(
                    "a loop over an iterator without end is not supported", "use `while True`"
                )
            self._for_range(node, Range(0, sequence.length, 1), sequence.item)
            sequence.finish()
        else:
            self._for_range(node, sequence, lambda index: index)

    def visit_While(self, node: ast.While) -> None:
        memo = self._memo(node)
        if self._is_never(node.test):
            self.expr(node.test)
            self.block(node.orelse)
            return
        self._static_lists_first(memo, lambda: self._run_while(node, memo))
        # A loop without a condition and without `break` is left by `return` or an exception only.
        is_endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        is_endless = is_endless and not has_jump(node.body, (ast.Break,), into_loops=False)
        returns = has_jump(node.body, (ast.Return,), into_loops=True)
        self.raise_left(memo, is_only_way=is_endless and not returns)
        if is_endless:
            self.frame.names[RETURN] = True

    def _run_while(self, node: ast.While, memo: Memo) -> None:
        saved = self._enter_loop()
        mark = self._save()
        try:
            self._fixed_point(node, memo, lambda loop: self._attempt_while(node, loop), None)
        except StaticRequired as required:
            self._restore(mark)
            self._unroll_while(node, required)
        self._exit_loop(node, saved)

    def _static_lists_first(self, memo: Memo, run: Callable[[], None]) -> None:
        """Run a loop with lists of static length, unrolled if need be; if that fails, with lists of
        dynamic length."""
        if not self.lists.are_open or memo.opens_lists:
            run()
            return
        mark, known = self._save(), set(self.memos)
        self.lists.are_open = False
        try:
            run()
            if not self._has_lost_lists():
                return
        except (StaticRequired, CompileError):
            pass
        finally:
            self.lists.are_open = True
        self._restore(mark)
        for inner in self.memos.keys() - known:
            del self.memos[inner]
        vars(memo).update(vars(Memo()), opens_lists=True)
        run()

    def _has_lost_lists(self) -> bool:
        """Whether a join has left a list, or a name that may be of a list, that can't be read."""
        cells, names = self.regions[-1].written, self.frame.names.values()
        return any(cell.kind is list and isinstance(cell.value, Broken) for cell in cells) or any(
            isinstance(value, Unbound) and value.reason for value in names
        )

    def _is_never(self, test: ast.expr) -> bool:
        """Whether a condition is statically false. It is evaluated without any effect."""
        evaluate = functools.partial(self.without_effect, lambda: self.condition(test))
        found = self.without_handlers(evaluate)
        if found is None:
            # Raise the exception here, not in a region of the loop.
            self.condition(test)
        return found is False

    def without_effect(self, run: Callable[[], Any]) -> Any:
        """What code gives, or None if it raises for sure; nothing that it emits remains."""
        saved = self._save()
        self.regions.append(Region())
        self.ops.builder.begin_region([])
        try:
            return run()
        except Raised:
            return None
        finally:
            self._restore(saved)

    def can_evaluate(self, run: Callable[[], Any]) -> bool:
        """Whether code compiles."""
        try:
            self.without_effect(run)
        except CompileError:
            return False
        return True

    def iterable(self, value: Any) -> Any:
        """The items of an iterable, as a `Range`, a `Lazy` or a `Supply`."""
        if isinstance(value, Flat):
            value = value.iterated
        if isinstance(value, Lazy):
            self._use_up(value)
        if isinstance(value, (Range, Lazy)):
            return value
        if isinstance(value, (tuple, list)):
            return OfItems(value)
        if is_without_items(value):
            self.raise_now(TypeError, f"'{class_name(value)}' object is not iterable")
        if isinstance(value, Array):
            if not value.shape:
                self.raise_now(TypeError, "iteration over a 0-d array")
            return Lazy(value.shape[0], lambda index: self.subscript(value, index), over=(value,))
        if isinstance(value, List):
            return self._iterable_list(value)
        if isinstance(value, (Set, Dict, Items)):
            return OfView(value, self.length(value))
        if isinstance(value, Iterator):
            return Shared(value)
        if isinstance(value, Reference):
            return self.iterable(self.iterated(value))
        if type(value) in PARTS:
            whole = self.packed(value)
            length = sliced.shape_of(whole)[0]
            return Lazy(length, lambda index: self.subscript(whole, index), over=(whole,))
        if type(value) is Opaque:
            self.refuse_opaque(value)
        if isinstance(value, Modules):
            modules.refuse(self)
        if isinstance(value, Text):
            self.suggest_text(value)
            self.fail(
                "a loop over the characters of a run-time string is not supported",
                "compute with the number: n % 10, n // 10",
                page="run-time-string",
            )
        if hasattr(type(value), "__next__"):
            self.fail(
                "a loop would exhaust this iterator for the caller", "make a list of it outside"
            )
        if not isinstance(value, Symbolic) and isinstance(value, Iterable):
            items = self.compute(list, value, raw=True)
            if isinstance(value, frozenset):
                self.note_order(items)
            return OfItems(items)
        self.fail(f"can't loop over {describe(value)}", "loop over a range, an array or a tuple")

    def _use_up(self, value: Lazy) -> None:
        """Note that an iterator is used, and refuse to use it twice."""
        if value.spent is None:
            return
        if self.items(value.spent):
            self.fail(
                "this iterator has been used before, perhaps not to its end",
                "make a list of it first: list(...)",
            )
        self.append(value.spent, None)

    def _iterable_list(self, value: List) -> Any:
        """The items of a list: a loop over a list held as rows need not be unrolled."""
        contents = self.contents(value)
        if not isinstance(contents, Grown):
            return OfList(value)

        def item(index: Any) -> Any:
            now = self.contents(value)
            self._require_length(value, contents.length)
            if isinstance(now, Grown):
                return rows.row(self, value.cell, now, index)
            return self.subscript(value, index)

        return Lazy(
            contents.length,
            item,
            finish=lambda: self._require_length(value, contents.length),
            over=(value,),
        )

    def _require_length(self: Any, value: List, length: Any) -> None:
        """Refuse that a loop changes the length of the list that it runs over: at run time, which
        knows whether it does."""
        now = self.length_of(value)
        if spans.same(now, length):
            return
        message = "a loop changes the length of the list that it runs over"
        if not self.checks or not (isinstance(now, Scalar) or isinstance(length, Scalar)):
            self.fail(message, "loop over a copy of it: list(...)")
        self.limit(spans.compare(self, "eq", now, length), message)

    # Run-time loops.

    def _memo(self, node: Any) -> Memo:
        return self.memos.setdefault((self.frame.path, id(node)), Memo())

    def _save(self) -> Any:
        marks = self.ops.builder.mark(), len(self.regions), next(cell_numbers)
        attempts = len(self.printed), [(each, each.seen, each.split) for each in self.tries]
        return *marks, self.frame, dict(self.frame.names), self.regions[-1].mark(), attempts

    def _restore(self, saved: Any) -> None:
        mark, regions, first, frame, names, memory, (printed, attempts) = saved
        self.ops.builder.rollback(mark)
        del self.printed[printed:]
        # What is evaluated anew comes to the same checks.
        for attempt, seen, split in attempts:
            attempt.seen, attempt.split = seen, split
        while len(self.regions) > regions:
            self.regions.pop().undo()
        self.regions[-1].undo_since(memory)
        while self.frames[-1] is not frame:
            self.frames.pop()
        self.frame = frame
        frame.names = names
        if frame.filename and not frame.internal:
            self.ops.builder.set_file(frame.filename)
        for memo in self.memos.values():
            memo.forget(first)

    def _fixed_point(
        self,
        node: Any,
        memo: Memo,
        attempt: Callable[[Carried], bool],
        length: int | None,
        most: int | None = None,
    ) -> None:
        """Attempt a loop until the carried types are a fixed point.

        Args:
            node: the loop.
            memo: what earlier attempts have found out.
            attempt: makes one attempt; returns whether the guess was right.
            length: the static trip count, or None.
            most: an upper bound of the trip count, or None.
        """
        predict(memo, self, targets_of(node))
        memo.extensions = 0
        # At another entry of the loop there may be values that tell.
        memo.links.unknown.clear()
        if self.leaves_loops():
            self.frame.names[LEFT] = 0
        for _ in range(MOST_ATTEMPTS):
            saved = self._save()
            loop = Carried(self, memo, node, length, most)
            self.loops.append(loop)
            try:
                is_done = attempt(loop)
            except Restart as restart:
                if restart.loop is not loop:
                    raise
                is_done = False
            finally:
                self.loops.pop()
            if is_done:
                return
            self._restore(saved)
        self.fail(
            "the types of what this loop changes do not settle",
            "give each name and container in it one type",
        )

    def _for_range(self, node: ast.For, over: Range, item: Callable[[Any], Any]) -> None:
        memo = self._memo(node)
        length = trip_count(over)
        if length == 0:
            self.block(node.orelse)
            return
        if length is not None and not depends(length) and (memo.unroll or is_small(node, length)):
            self._unroll(node, OfIndex(length, lambda i: item(over.start + i * over.step)))
            return
        bounds = (over.start, over.stop, over.step)
        memo.parameter = parameter_of(bounds)
        self._static_lists_first(memo, lambda: self._run_for(node, memo, over, item, length))
        self.raise_left(memo)

    def _run_for(
        self, node: ast.For, memo: Memo, over: Range, item: Callable[[Any], Any], length: int | None
    ) -> None:
        saved = self._enter_loop()
        mark = self._save()
        target = target_name(node.target)
        is_rebound = target in targets_of(node).rebound
        if length is not None and is_rebound:
            # The first iteration does so, too; this tells what the name is at the start of each.
            self.assign(node.target, item(over.start))
        try:
            self._peel(
                node, over, item, memo.peeled,
                lambda rest: self._emit_for(node, memo, rest, item, trip_count(rest)),
            )  # fmt: skip
        except FirstDiffers:
            self._restore(mark)
            self._leave_loop(saved)
            kept = {"opens_lists": memo.opens_lists, "peeled": memo.peeled + 1}
            vars(memo).update(vars(Memo()), **kept)
            self._for_range(node, over, item)
            return
        except StaticRequired as required:
            self._restore(mark)
            self._leave_loop(saved)
            if length is None:
                # The index of an outer loop may decide the length.
                raise
            if depends(length) or length > LONGEST_UNROLLED:
                raise required.error from None
            memo.unroll = True
            self._for_range(node, over, item)
            return
        last = self.frame.names.get(target)
        ends_late = not (
            is_rebound or has_jump(node.body, (ast.Break,), into_loops=False) or self.leaves_loops()
        )
        if length is not None and isinstance(last, Unbound) and ends_late:
            self.assign(node.target, item(over.start + (length - 1) * over.step))
        self._exit_loop(node, saved)

    def _peel(
        self, node: ast.For, over: Range, item: Callable[[Any], Any], count: int,
        rest: Callable[[Range], None],
    ) -> None:  # fmt: skip
        """Evaluate the first iterations, and then the rest of the loop unless they leave it."""
        if not count:
            if trip_count(over) != 0:
                rest(over)
            return
        self.frame.names[CONTINUE] = False
        self.assign(node.target, item(over.start))
        self.block(node.body)
        following = Range(over.start + over.step, over.stop, over.step)
        go_on = functools.partial(self._peel, node, following, item, count - 1, rest)
        jumped = self._left_loop()
        if isinstance(jumped, Scalar):
            self.branch(jumped, lambda: None, go_on)
        elif not jumped:
            go_on()

    def _emit_for(
        self, node: ast.For, memo: Memo, over: Range, item: Any, length: int | None
    ) -> None:
        most = max_trip_count(over)
        jumps = has_jump(node.body, (ast.Break, ast.Return), into_loops=False)
        if not (jumps or self.leaves_loops()):
            self._fixed_point(
                node, memo, lambda c: self._attempt_for(node, c, over, item), length, most
            )
            return
        if isinstance(over.step, Scalar):
            self.fail(
                "break and return need a step that is known at compile time",
                "give range a literal step",
            )
        self.frame.names[INDEX] = self._index(over, self.ops.index(self.index_value(over.start)))
        self._fixed_point(
            node, memo, lambda c: self._attempt_for_while(node, c, over, item), length, most
        )

    def _index(self, over: Range, value: Value) -> Scalar:
        """The induction variable, with the bounds that follow from the range."""
        index = Scalar(value, INT, int, Affine(((value, 1),), 0))
        if isinstance(over.step, Scalar):
            return index
        first, last = (over.start, over.stop) if over.step > 0 else (over.stop, over.start)
        low, high = bounds_of(first)[0], bounds_of(last)[1]
        downward = int(over.step < 0)
        index.low = None if low is None else low + downward
        index.high = None if high is None else high - 1 + downward
        index.reach = intervals.reach_of_loop(over.start, over.step)
        return index

    def _iteration(
        self, node: Any, loop: Carried, item: Any = None, after: Callable[[], None] = lambda: None
    ) -> None:
        """Evaluate a loop's body once, then `after`; a body that always raises leaves the loop."""

        def run() -> None:
            if isinstance(node, ast.For):
                self.assign(node.target, item)
            else:
                changes = loop.memo.rotate
                loop.limit_trips(
                    lambda: counters.most_trips(self, node, loop.entry, changes=changes)
                )
                self.narrow(node.test, True)
            tests = [] if isinstance(node, ast.For) else [node.test]
            with narrowing.narrowed(self, tests, True):
                self.block(node.body)
            after()

        if self.ends_by_raising(lambda: self.run_iteration(loop.memo, run)):
            loop.forget()
            if BREAK in loop.slots or isinstance(node, ast.While):
                self.frame.names[BREAK] = True

    def _attempt_for(self, node: ast.For, loop: Carried, over: Range, item: Any) -> bool:
        ops = self.ops
        bounds = [ops.index(self.index_value(b)) for b in (over.start, over.stop, over.step)]
        (counter,) = loop.open([INDEX_TYPE])
        self._iteration(node, loop, item(self._index(over, counter)))
        self.frame.names[CONTINUE] = False
        if not loop.end_body():
            return False
        self.at(node)
        self.ops.regions += 1
        loop.adopt(ops.builder.create("ingot.for", bounds + loop.inits, {}, loop.types(), 1))
        return True

    def _attempt_for_while(self, node: ast.For, loop: Carried, over: Range, item: Any) -> bool:
        stop = self.ops.index(self.index_value(over.stop))

        def condition() -> Value:
            how = "lt" if over.step > 0 else "gt"
            return self.ops.compare(how, self.frame.names[INDEX].value, stop, INT)

        def body() -> None:
            counter = self.frame.names[INDEX].value
            following = self.ops.index_op("add", counter, over.step)
            self.frame.names[INDEX] = Scalar(following, INT, int)
            self._iteration(node, loop, item(self._index(over, counter)))

        return self._attempt(node, loop, condition, body)

    def _attempt_while(self, node: ast.While, loop: Carried) -> bool:
        if loop.memo.rotate:
            return self._attempt_rotated(node, loop)
        checks = self.ops.checks

        def condition() -> Value:
            mark = self.mark_calls()
            try:
                test = self.without_handlers(lambda: self.condition(node.test))
            except Raised:
                # The emitted check is an effect, so the next attempt rotates the loop.
                self.return_to(mark)
                test = False
            return test.value if isinstance(test, Scalar) else self.ops.scalar(test)

        def is_pure() -> bool:
            loop.memo.rotate = self.ops.checks != checks
            return not loop.memo.rotate

        return self._attempt(node, loop, condition, lambda: self._iteration(node, loop), is_pure)

    def _attempt_rotated(self, node: ast.While, loop: Carried) -> bool:
        """Attempt a rotated loop: its condition, which has effects, is evaluated before the loop
        and at the end of the body."""
        if TEST not in self.frame.names:
            self._evaluate_test(node)
            loop.memo.types[TEST] = ScalarType(BOOL, bool)
            loop = Carried(self, loop.memo, node, None)

        def test_again() -> None:
            jumped = self.settled(self._left_loop(), ast.Constant(None))
            if isinstance(jumped, Scalar):
                self.branch(
                    jumped,
                    lambda: self.frame.names.update({TEST: False}),
                    lambda: self._evaluate_test(node),
                )
            elif not jumped:
                self._evaluate_test(node)

        def body() -> None:
            self._iteration(node, loop, after=test_again)

        return self._attempt(node, loop, lambda: self.frame.names[TEST].value, body)

    def _evaluate_test(self, node: ast.While) -> None:
        self.frame.names[TEST] = self.condition(node.test)

    def _attempt(
        self,
        node: Any,
        loop: Carried,
        condition: Callable[[], Value],
        body: Callable[[], None],
        is_pure: Callable[[], bool] = lambda: True,
    ) -> bool:
        loop.open([], is_body=False)
        jumped = self._left_loop()
        if jumped is True:
            test = self.ops.scalar(False)
        else:
            test = condition()
            if isinstance(jumped, Scalar):
                goes_on = self.ops.elementwise("not", [jumped.value], [BOOL])
                test = self.ops.elementwise("and", [goes_on, test], [BOOL, BOOL])
        was_pure = loop.end_condition(test)
        if not (is_pure() and was_pure):
            loop.memo.rotate = True
            return False
        loop.open([])
        body()
        self.frame.names[CONTINUE] = False
        if not loop.end_body():
            return False
        self.at(node)
        self.ops.regions += 1
        loop.adopt(self.ops.builder.create("ingot.while", loop.inits, {}, loop.types(), 2))
        return True
