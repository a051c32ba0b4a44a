"""`grad`, `value_and_grad` and `jvp`: functions whose programs are derivatives."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from ingot._core import Module
from ingot.diagnostics import Position, error_at
from ingot.dtypes import DTYPES
from ingot.jit import Function, jit
from ingot.lowering import Lowered
from ingot_runtime.errors import CompileError, DTypeError, UnsupportedError
from ingot_runtime.program import Signature

Argnums = int | Sequence[int]


def _of_python(f: Any) -> Any:
    """Mark a function that compiled code can't call, nor take for one to compile."""
    f.__ingot_derivative__ = True
    return f


@_of_python
def grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """The gradient of a function of NumPy code, in reverse mode.

    The arguments are not changed by calls of the gradient, even where `f` stores to them. For
    complex arguments it is JAX's: the conjugate of the direction of steepest ascent.

    Args:
        f: a Python function, what `jit` made of one, or a derivative; it gives one real number.
        argnums: the positional arguments to differentiate by, floating or complex.
        has_aux: `f` gives a pair, of which only the first is differentiated.

    Returns:
        a function of f's arguments that gives the gradient, structured as the argument is, or a
        tuple of gradients if `argnums` is one; with `has_aux` a pair of it and the second result.

    Raises:
        CompileError: on a call, with the position of what has no derivative.
    """
    return _gradient(f, _argnums(argnums), has_aux, False)


@_of_python
def value_and_grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """The same as `grad`, but the function gives the pair of f's result and the gradient."""
    return _gradient(f, _argnums(argnums), has_aux, True)


@_of_python
def jvp(f: Callable[..., Any], primals: tuple, tangents: tuple) -> tuple[Any, Any]:
    """A function's result and its derivative in a direction, in forward mode.

    Args:
        f: a Python function, what `jit` made of one, or a derivative.
        primals: its arguments.
        tangents: the direction, structured as the arguments; integers have the tangent 0.

    Returns:
        the pair of f's result and of its tangent, structured alike; what is not floating or
        complex in the result has the tangent 0.
    """
    return _directional(f)(tuple(primals), tuple(tangents))


class _Derivative(Function):
    """A function whose programs are made of those of another one."""

    #: Compiled code that calls it must not take it for the function itself.
    __ingot_derivative__ = True

    def __init__(self, f: Callable[..., Any], what: str) -> None:
        self._inner: Function = f if isinstance(f, Function) else jit(f)
        super().__init__(self._inner.__ingot_function__, static=(), checks=self._inner._checks)
        self._options = f"{what} of {self._inner._options}"

    def _fail(
        self, message: str, hint: str, kind: type[CompileError] = UnsupportedError
    ) -> NoReturn:
        code = self.__ingot_function__.__code__
        line = code.co_firstlineno
        position = Position(code.co_filename, line, 1, line, 2)
        raise error_at(kind, message, position, hint) from None

    def _specialise(self, abstract: Any, static: frozenset[int]) -> None:
        """Remember the leaves whose values belong to the signature."""
        if static:
            self._specialised[abstract] = self._specialised.get(abstract, frozenset()) | static

    def _name(self, place: int) -> str:
        """A positional argument as errors name it."""
        names = self.__ingot_function__.__code__.co_varnames
        return f"`{names[place]}`" if place < len(names) else f"argument {place}"

    def _inputs_of(self, signature: Signature, leaves: dict[int, str]) -> list[int]:
        """The program's inputs that some leaves of the arguments are."""
        found = []
        for leaf, name in leaves.items():
            if leaf not in signature.inputs:
                self._fail(
                    f"{name} is needed at compile time, so there is no derivative by it",
                    "pass an array or a number that decides no shape",
                )
            found.append(signature.inputs.index(leaf))
        return found


class _Gradient(_Derivative):
    def __init__(
        self, f: Callable[..., Any], argnums: int | tuple[int, ...], has_aux: bool, has_value: bool
    ) -> None:
        super().__init__(f, f"gradient {argnums} {has_aux} {has_value}")
        self._argnums = (argnums,) if isinstance(argnums, int) else argnums
        self._is_one, self._has_aux, self._has_value = isinstance(argnums, int), has_aux, has_value

    def _lower(
        self, structure: Any, leaves: list[Any], abstract: Any, static: frozenset[int]
    ) -> tuple[Lowered, frozenset[int]]:
        lowered, static = self._inner._lower(structure, leaves, abstract, static)
        made = self._gradient(lowered, structure, leaves)
        counts = {i for i, leaf in enumerate(leaves) if type(leaf) is int} - static
        if counts and not made.has_known_counts():
            # Integers count iterations, all of which a loop keeps if there is a limit to them.
            static |= counts
            lowered, static = self._inner._lower(structure, leaves, abstract, static)
            made = self._gradient(lowered, structure, leaves)
        self._specialise(abstract, static)
        return made, static

    def _gradient(self, lowered: Lowered, structure: Any, leaves: list[Any]) -> Lowered:
        signature = lowered.signature
        trees = structure[2][0][2]
        wanted: list[int] = []
        for number in self._argnums:
            if not -len(trees) <= number < len(trees):
                self._fail(f"there is no positional argument {number}", "change argnums")
            wanted.append(number % len(trees))
        places = {place: self._leaves_of(trees, place, leaves) for place in wanted}
        wrt = self._inputs_of(signature, {i: self._name(p) for p in places for i in places[p]})
        loss, kept = self._results(signature)
        outputs = kept if self._has_value else kept[1:]
        of = [loss[1]]
        # A function's mutated arguments are results of its program; these are dropped.
        keep = [leaf[1] for leaf in outputs if leaf[0] == "out"]
        module = lowered.module.clone()
        module.differentiate("vjp", wrt, of, keep)

        made = replace(signature, mutated=[])
        given = _renumbered(outputs)
        ordered = [leaves[i] for place in wanted for i in places[place]]
        gradients = [("out", len(keep) + i, *_form(x)) for i, x in enumerate(ordered)]
        made.outputs = _outputs(module)
        self._arrange(made, signature.result, given, gradients, [trees[p] for p in wanted])
        return Lowered(
            module, made, lowered.globals_read, lowered.functions,
            expansions=(*lowered.expansions, "expand-vjp"),
        )  # fmt: skip

    def _arrange(
        self, made: Signature, result: Any, given: list, gradients: list, trees: list[Any]
    ) -> None:
        """Give the signature its result: value, gradient and the rest, as they are asked for."""
        gradient = trees[0] if self._is_one else (tuple, None, tuple(trees))
        aux = result[2][1] if self._has_aux else None
        if not self._has_value:
            made.result = (tuple, None, (gradient, aux)) if self._has_aux else gradient
            made.leaves = [*gradients, *given]
            return
        made.result = (tuple, None, (result, gradient))
        made.leaves = [*given, *gradients]

    def _leaves_of(self, trees: Sequence[Any], place: int, leaves: list[Any]) -> list[int]:
        """The leaves of a positional argument, all of which can be differentiated by."""
        start = sum(_count(tree) for tree in trees[:place])
        found = list(range(start, start + _count(trees[place])))
        for i in found:
            if _dtype(leaves[i]) is None or np.dtype(_dtype(leaves[i])).kind not in "fc":
                kind = type(leaves[i]).__name__ if _dtype(leaves[i]) is None else _dtype(leaves[i])
                self._fail(
                    f"no gradient by {self._name(place)}, which holds {kind} values",
                    "pass floating numbers, x.astype(float), or choose other argnums",
                    DTypeError,
                )
        return found

    def _results(self, signature: Signature) -> tuple[tuple, list[tuple]]:
        """The leaf that is differentiated, and all leaves, as outputs of the program."""
        leaves = _as_outputs(signature)
        is_pair = signature.result is not None and signature.result[0] is tuple
        if self._has_aux and not (is_pair and len(signature.result[2]) == 2):
            self._fail("with has_aux=True the function gives a pair", "return loss, others")
        loss = signature.result[2][0] if self._has_aux else signature.result
        first = leaves[0] if leaves else ("static", None)
        if loss is not None or first[0] != "out":
            self._fail(
                "grad needs one number that depends on the arguments, not "
                + _described(loss, first),
                "return a number, such as np.sum(...); with more results, use has_aux=True",
            )
        shape, dtype = signature.outputs[first[1]]
        if shape != () or dtype.kind != "f":
            self._fail(
                f"grad needs one real number, but the function gives {dtype}{list(shape)}",
                "reduce it, with np.sum(...) or abs(...); or differentiate in a direction with jvp",
            )
        return first, leaves


#: One for each function: a loop may ask for it each time, and it keeps what it compiled.
_gradient = functools.lru_cache(maxsize=256)(_Gradient)


class _Directional(_Derivative):
    """Takes the pair of arguments and tangents."""

    def __init__(self, f: Callable[..., Any]) -> None:
        super().__init__(f, "jvp")

    def _lower(
        self, structure: Any, leaves: list[Any], abstract: Any, static: frozenset[int]
    ) -> tuple[Lowered, frozenset[int]]:
        primals, tangents = structure[2][0][2]
        count = _count(primals)
        if primals != tangents:
            self._fail("primals and tangents are structured differently", "give one for each")
        inner = (tuple, None, (primals, (dict, (), ())))
        mine = frozenset(i for i in static if i < count)
        lowered, mine = self._inner._lower(inner, leaves[:count], (abstract, count), mine)
        self._specialise(abstract, static | mine)
        return self._directional(lowered, leaves, count), static | mine

    def _directional(self, lowered: Lowered, leaves: list[Any], count: int) -> Lowered:
        signature = lowered.signature
        active = [i for i in range(count) if self._has_tangent(leaves[i], leaves[count + i])]
        wrt = self._inputs_of(signature, {i: self._name(i) for i in active})
        results = _as_outputs(signature)
        of = [
            leaf[1] for leaf in results
            if leaf[0] == "out" and signature.outputs[leaf[1]][1].kind in "fc"
        ]  # fmt: skip
        keep = [leaf[1] for leaf in results if leaf[0] == "out"]
        module = lowered.module.clone()
        module.differentiate("jvp", wrt, of, keep)
        made = replace(signature, mutated=[], inputs=[*signature.inputs])
        made.inputs += [count + signature.inputs[i] for i in wrt]
        made.origins = [*signature.origins, *("" for _ in wrt)]
        made.outputs = _outputs(module)
        slopes = iter(range(len(keep), len(keep) + len(of)))
        given = {place: len(signature.inputs) + i for i, place in enumerate(wrt)}

        def slope(kind: str, place: Any, *form: Any) -> tuple:
            if kind == "out" and place in of:
                return ("out", next(slopes), *form)
            # An argument that is a result as it is has its own tangent.
            return ("arg", given[place]) if kind == "arg" and place in given else ("static", 0.0)

        made.leaves = [*_renumbered(results), *(slope(*leaf) for leaf in results)]
        made.result = (tuple, None, (signature.result, signature.result))
        return Lowered(
            module, made, lowered.globals_read, lowered.functions,
            expansions=(*lowered.expansions, "expand-jvp"),
        )  # fmt: skip

    def _has_tangent(self, primal: Any, tangent: Any) -> bool:
        """Whether a leaf has a tangent, which must then have its dtype and shape."""
        dtype = _dtype(primal)
        if dtype is None or np.dtype(dtype).kind not in "fc":
            return False
        if _shape(tangent) != _shape(primal) or _dtype(tangent) != dtype:
            self._fail(
                f"a tangent is {_dtype(tangent)}{list(_shape(tangent))}, but its primal "
                f"{dtype}{list(_shape(primal))}",
                "give tangents the dtypes and shapes of the primals",
                DTypeError,
            )
        return True


_directional = functools.lru_cache(maxsize=256)(_Directional)


def _argnums(given: Argnums) -> int | tuple[int, ...]:
    return given if isinstance(given, int) else tuple(given)


def _outputs(module: Module) -> list[tuple[tuple[int, ...], np.dtype]]:
    """The shape and dtype of each result; sizes that are open are Dimensions."""
    return [(shape, DTYPES[code]) for shape, code in module.results]


def _as_outputs(signature: Signature) -> list[tuple]:
    """The leaves of the result; an argument that the function stores to is its new value."""
    stored = dict(signature.mutated)
    return [
        ("out", stored[leaf[1]], None, True) if leaf[0] == "arg" and leaf[1] in stored else leaf
        for leaf in signature.leaves
    ]


def _renumbered(leaves: list[tuple]) -> list[tuple]:
    """The leaves of a program that gives, first, what they are of another one's outputs."""
    count = itertools.count()
    return [("out", next(count), *leaf[2:]) if leaf[0] == "out" else leaf for leaf in leaves]


def _count(structure: Any) -> int:
    return 1 if structure is None else sum(map(_count, structure[2]))


def _dtype(leaf: Any) -> Any:
    """NumPy's dtype of an argument leaf, or None if it is no number or array."""
    if isinstance(leaf, (bool, int, float, complex)):
        return np.result_type(type(leaf))
    return getattr(leaf, "dtype", None)


def _shape(leaf: Any) -> tuple[int, ...]:
    """The shape of an argument leaf, of which only that may be known."""
    return tuple(getattr(leaf, "shape", ()))


def _form(leaf: Any) -> tuple[type | None, bool]:
    """Whether a gradient by a leaf is a Python number, and whether it is an array."""
    if isinstance(leaf, np.generic):
        return None, False
    if isinstance(leaf, (float, complex)):
        return type(leaf), False
    return None, True


def _described(structure: Any, leaf: tuple) -> str:
    if structure is not None:
        return f"a {structure[0].__name__}"
    return repr(leaf[1]) if leaf[0] == "static" else "an argument as it is"
