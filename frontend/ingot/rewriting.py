"""`rewrite`: algebraic rewrite rules, written as functions that return two NumPy expressions."""

from __future__ import annotations

import ast
import functools
import itertools
import re
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ingot import pipeline
from ingot._core import Diagnostic, parse
from ingot.diagnostics import error_at, position_in
from ingot.dtypes import CODES
from ingot.syntax.evaluator import Evaluator
from ingot.syntax.ops import fresh
from ingot.syntax.source import source_of
from ingot.syntax.state import Exhausted
from ingot_runtime.errors import CompileError, IngotError, UnsupportedError

#: The ranks of the arguments for which a rule is traced, each with two extents: a rule must not
#: depend on extents.
RANKS, EXTENTS = (0, 1, 2), (3, 5)
#: How far both expressions may differ on random input of a dtype.
TOLERANCES: dict[Any, float] = {np.float64: 1e-8, np.float32: 1e-3}
#: The dtypes and standard deviations of the random input. The first trials of each have equal
#: extents.
SCALES = ((np.float64, 2.0), (np.float32, 2.0), (np.float64, 200.0), (np.float64, 1e6))
TRIALS = 16
RELATIONS = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
ELEMENTS = {"float16": "f16", "float32": "f32", "float64": "f64"}


class Rewrite:
    """A rewrite rule; made by `rewrite`.

    Attributes:
        name: the name of its Python function.
        ir: the rule as functions in the ingot dialect, for `ingot-opt --apply-rewrites=rules=FILE`.
    """

    def __init__(self, f: types.FunctionType, when: Callable[..., bool] | None) -> None:
        functools.update_wrapper(self, f)
        self.name = f.__name__.strip("<>")
        self._function, self._when = f, when
        code = f.__code__
        if code.co_flags & 0x0C or code.co_kwonlyargcount or not code.co_argcount:
            self._refuse("a rule has positional arguments", "name each array that it is about")
        self._parameters = code.co_varnames[: code.co_argcount]
        conditions = _Conditions(when, self._parameters).found if when else []
        instances = self._instances()
        self._check(instances)
        self.ir = "\n".join(
            _with_conditions(self._named("rewrite", i, text), conditions)
            for i, text in enumerate(instances.values())
        )
        self._verify(instances)

    def __call__(self, *args: Any) -> Any:
        return self._function(*args)

    def __repr__(self) -> str:
        return f"ingot.rewrite({self.name})"

    def remove(self) -> None:
        """Remove the rule: later compilations don't apply it."""
        if _rules.pop(self.name, None) is self:
            _use()

    def _refuse(self, message: str, hint: str) -> None:
        node = source_of(self._function).node
        position = position_in(self._function.__code__.co_filename, node)
        raise error_at(UnsupportedError, f"rule {self.name}: {message}", position, hint)

    def _named(self, kind: str, number: int, text: str) -> str:
        """The text of an instance under a name that no Python function can have."""
        return text.replace(f"@{self.name}(", f"@{kind}.{self.name}.{number}(", 1)

    def _instances(self) -> dict[tuple[int, ...], str]:
        """The rule's IR by the ranks of the arguments; a single one if it is equal for all."""
        found: dict[tuple[int, ...], str] = {}
        self._differ = False
        failure: CompileError | None = None
        for ranks in itertools.product(RANKS, repeat=len(self._parameters)):
            try:
                first, second = (self._trace(ranks, extent) for extent in EXTENTS)
            except CompileError as error:
                failure = failure or error
                continue
            if _untyped(first) != _untyped(second):
                self._refuse(
                    "the expressions depend on the extents of the arrays",
                    "a rule is made of what is the same for arrays of any size",
                )
            if self._differ:
                self._refuse(
                    "the expressions differ in shape or dtype", "both give arrays of the same type"
                )
            found[ranks] = first
        if not found and failure:
            raise failure from None
        is_all = len(found) == len(RANKS) ** len(self._parameters)
        self._is_general = is_all and len({_untyped(text) for text in found.values()}) == 1
        if self._is_general:
            ranks = (1,) * len(self._parameters)
            return {ranks: found[ranks]}
        return found

    def _trace(self, ranks: tuple[int, ...], extent: int) -> str:
        """The two expressions, as the text of a function that returns both."""
        evaluator = Evaluator(self.name, checks=False)
        shapes = [[extent] * rank for rank in ranks]
        code = CODES[np.dtype(float)]
        values = [evaluator.ops.builder.add_argument((shape, code)) for shape in shapes]
        try:
            result = evaluator.run(self._function, tuple(map(fresh, values)), {})
        except Exhausted as exhausted:
            raise exhausted.error from None
        if not isinstance(result, tuple) or len(result) != 2:
            self._refuse("it gives no pair", "return two expressions: what to replace, and by what")
        outputs = [evaluator.read(evaluator.as_array(each)) for each in result]
        first, second = ((value.shape, value.dtype) for value in outputs)
        self._differ |= first != second
        module = evaluator.ops.builder.finish(outputs)
        module.run("canonicalize{region-simplify=disabled},share-equal")
        body = module.text().strip().removeprefix("module {").removesuffix("}")
        return body.strip("\n").rstrip()

    def _verify(self, instances: dict[tuple[int, ...], str]) -> None:
        """Run the pass on the rule alone, so that errors arise here and not in each compilation;
        then with all other rules on its own expressions, which finds rules that never terminate.
        """
        others = [rule.ir for rule in _rules.values() if rule.name != self.name]
        probes = [self._named("probe", i, text) for i, text in enumerate(instances.values())]
        self._apply(
            [self.ir],
            "write two expressions of operations whose shapes follow from their operands, without "
            "reshape",
        )
        self._apply(
            [*others, self.ir, *probes],
            "write the second expression so that no rule leads from it back to the first",
        )

    def _apply(self, texts: list[str], hint: str) -> None:
        module = parse("module {}")
        module.add("\n".join(texts))
        try:
            module.run("apply-rewrites")
            return
        except Diagnostic as error:
            message = error.args[0].replace("'ingot.", "'")
        self._refuse(message, hint)

    def _check(self, instances: dict[tuple[int, ...], str]) -> None:
        """Compare both expressions on random arrays, of equal extents and of different ones."""
        random = np.random.default_rng(0)
        is_tried = False
        tried = list(instances)
        if self._is_general:
            tried = [(rank,) * len(self._parameters) for rank in RANKS]
        for ranks, (dtype, scale), trial in itertools.product(tried, SCALES, range(TRIALS)):
            extents = EXTENTS[trial : trial + 1] or (1, *EXTENTS[trial % 3 :])
            shapes = [random.choice(extents, rank) for rank in ranks]
            args = [np.asarray(random.normal(size=shape) * scale, dtype) for shape in shapes]
            if trial % 2:
                # Rounding makes zeros and equal elements likely.
                args = [np.round(each) for each in args]
            if not self._holds_for(args):
                continue
            is_tried = True
            if self._agree(args, random, TOLERANCES[dtype]):
                continue
            problem = "the second expression is another value than the first"
            if len({each.shape for each in args}) == 1:
                self._refuse(
                    f"{problem} on random input",
                    "check the formula; it must hold wherever the first is finite",
                )
            shown = " and ".join(str(each.shape) for each in args)
            self._refuse(
                f"{problem} for the shapes {shown}",
                "say when it holds, such as when=lambda x, y: x.shape[0] == y.shape[0]",
            )
        if not is_tried:
            self._refuse(
                "its condition holds for none of the arrays that it was tried with",
                f"these have up to {RANKS[-1]} axes of {EXTENTS[0]} or {EXTENTS[1]} items",
            )

    def _holds_for(self, args: list[Any]) -> bool:
        try:
            return self._when is None or bool(self._when(*args))
        except IndexError:
            # As the pass does: a condition on an axis that does not exist is false.
            return False

    def _agree(self, args: list[Any], random: Any, loose: float) -> bool:
        """Whether both expressions are close where the first is finite.

        The tolerance includes the error that small perturbations of the arguments cause. Shapes
        that do not broadcast, for which NumPy raises, count as agreement.
        """
        factors = [1 + loose / 10 * random.normal(size=each.shape) for each in args]
        nearby = [(x * factor).astype(x.dtype) for x, factor in zip(args, factors, strict=True)]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                first, second = map(np.asarray, self._function(*args))
                moved = np.asarray(self._function(*nearby)[0])
            except (ValueError, IndexError, NotImplementedError):
                return True
            if first.shape != second.shape:
                return True
            fine = np.isfinite(first) & np.isfinite(moved)
            off, moved = np.abs(first - second)[fine], np.abs(first - moved)[fine]
            return bool(np.all(off <= loose * (1 + np.abs(first[fine])) + moved))


def _untyped(text: str) -> str:
    return re.sub(r"tensor<[^>]*>", "", text)


def _with_conditions(text: str, conditions: list[str]) -> str:
    shown = ", ".join(f'"{each}"' for each in conditions)
    head, brace, rest = text.partition(" {\n")
    return f"{head} attributes {{ingot.rewrite = [{shown}]}}{brace}{rest}"


class _Conditions:
    """The comparisons of a `when=` function, in the text form that `apply-rewrites` parses."""

    def __init__(self, when: Any, parameters: tuple[str, ...]) -> None:
        self._when = when
        node: Any = source_of(when).node
        self._names = [each.arg for each in node.args.args]
        if len(self._names) != len(parameters):
            self._refuse(node, f"the condition has {len(self._names)} parameters")
        body: Any = node.body if isinstance(node, ast.Lambda) else _returned(node)
        parts = body.values if _is_all(body) else [body]
        self.found = [text for part in parts for text in self._comparisons(part)]

    def _refuse(self, node: Any, what: str) -> Any:
        position = position_in(self._when.__code__.co_filename, node)
        raise error_at(
            UnsupportedError, f"{what} is no condition of a rule", position,
            "compare x.ndim, x.size, x.shape[0] and x.dtype with each other, with numbers and with "
            "dtypes, joined by `and`; the parameters are those of the rule",
        )  # fmt: skip

    def _comparisons(self, node: Any) -> list[str]:
        if not isinstance(node, ast.Compare) or any(type(op) not in RELATIONS for op in node.ops):
            self._refuse(node, "this")
        sides = [self._term(each) for each in (node.left, *node.comparators)]
        relations = [RELATIONS[type(op)] for op in node.ops]
        return [f"{a}, {how}, {b}" for a, how, b in zip(sides, relations, sides[1:], strict=False)]

    def _term(self, node: Any) -> str:
        if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Constant, ast.UnaryOp)):
            return f"{self._term(node.value)} {ast.literal_eval(node.slice)}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            is_known = node.attr in ("ndim", "size", "shape", "dtype")
            if node.value.id in self._names and is_known:
                return f"{node.attr} {self._names.index(node.value.id)}"
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return f"int {node.value}"
        try:
            text = compile(ast.Expression(node), "<condition>", "eval")
            return f"type {ELEMENTS[np.dtype(eval(text, self._when.__globals__)).name]}"
        except Exception:
            return self._refuse(node, "this")


def _is_all(node: Any) -> bool:
    return isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And)


def _returned(node: Any) -> Any:
    last = node.body[-1]
    return last.value if isinstance(last, ast.Return) else last


_rules: dict[str, Rewrite] = {}


def _use() -> None:
    pipeline.change(rules=tuple(rule.ir for rule in _rules.values()))


def rewrite(
    f: Callable[..., tuple[Any, Any]] | None = None, *, when: Callable[..., bool] | None = None
) -> Any:
    """Define an algebraic rewrite rule; a decorator, with or without parentheses.

    Later compilations replace the first expression by the second one, for real floating arrays. A
    rule replaces an earlier rule of the same name.

    Args:
        f: a function of arrays that returns a pair of NumPy expressions of the same type.
        when: a function of the same arguments that returns a condition on their shapes and dtypes,
            such as `lambda x, y: x.ndim == 2 and x.shape[0] == y.shape[1]`.

    Returns:
        A `Rewrite`, with `name`, `ir` and `remove()`.

    Raises:
        UnsupportedError: the expressions differ on random input for which the first is finite, or
            can't be turned into a rule.
        IngotError: `f` or `when` is not a Python function with source.

    Example:
        >>> @ingot.rewrite
        ... def log_of_exp(x):
        ...     return np.log(np.exp(x)), x
        >>> ingot.jit(lambda x: np.log(np.exp(x)))(np.array([1000.0]))
        array([1000.])
        >>> log_of_exp.remove()
    """
    if f is None:
        return functools.partial(rewrite, when=when)
    if not isinstance(f, types.FunctionType):
        raise IngotError(f"{f!r} is not a Python function with source")
    if not isinstance(when, types.FunctionType | None):
        raise IngotError(f"{when!r} is not a Python function with source")
    rule = Rewrite(f, when)
    _rules[rule.name] = rule
    _use()
    return rule


def rewrites() -> tuple[Rewrite, ...]:
    """The rules that compilations apply, in the order of their definition.

    Returns:
        A tuple of `Rewrite`.

    Example:
        >>> @ingot.rewrite
        ... def twice_negative(x):
        ...     return -(-x), x
        >>> twice_negative in ingot.rewrites()
        True
        >>> twice_negative.remove()
    """
    return tuple(_rules.values())
