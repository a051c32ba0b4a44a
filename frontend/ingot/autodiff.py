"""`grad`, `jvp`, `vjp`, `jacfwd` and the others: functions that are derivatives."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any, Generic

from ingot.callables import calling
from ingot.jit import Function, P, R, jit
from ingot.references import ByReference, shown, unwrapped
from ingot.syntax import derivatives, rules
from ingot.syntax.derivatives import Derivative
from ingot.transformed import Transformed, in_compiled_code
from ingot_runtime.errors import DTypeError

Argnums = int | Sequence[int]


#: One for each function: a loop may ask for it each time, and it keeps what it compiled.
@functools.lru_cache(maxsize=256)
def _derived(
    kind: str, f: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Function:
    return Transformed(Derivative(kind, f, argnums, has_aux), _derived)


def _argnums(given: Argnums) -> int | tuple[int, ...]:
    found = given if isinstance(given, int) else tuple(given)
    if not all(isinstance(each, int) for each in ((found,) if isinstance(found, int) else found)):
        raise TypeError(f"argnums are numbers of positional arguments, not {given!r}")
    return found


@in_compiled_code(derivatives.in_compiled_code("grad"))
def grad(f: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False) -> Function[P, Any]:
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
    return _derived("grad", f, _argnums(argnums), has_aux)


@in_compiled_code(derivatives.in_compiled_code("value_and_grad"))
def value_and_grad(
    f: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False
) -> Function[P, tuple[R, Any]]:
    """The same as `grad`, but the function gives the pair of f's result and the gradient."""
    return _derived("value_and_grad", f, _argnums(argnums), has_aux)


def _jvp(ev: Any, f: Any, primals: tuple, tangents: tuple) -> tuple:
    return ev.call(Derivative("jvp", f), (primals, tangents), {}, ev.node)


@in_compiled_code(_jvp)
def jvp(f: Callable[..., Any], primals: tuple, tangents: tuple) -> tuple[Any, Any]:
    """A function's result and its derivative in a direction, in forward mode.

    Args:
        f: a Python function, what `jit` made of one, or a derivative.
        primals: its arguments.
        tangents: the direction, structured as the arguments; integers have the tangent 0.

    Returns:
        the pair of f's result and of its tangent, structured alike, of the same shapes also where
        run time knows these; what is not floating or complex in the result has the tangent 0.
    """
    return _derived("jvp", f)(tuple(primals), tuple(tangents))


@in_compiled_code(derivatives.vjp)
def vjp(f: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[[Any], tuple]]:
    """A function's result, and the function that takes cotangents back.

    Args:
        f: a Python function, what `jit` made of one, or a derivative.
        primals: its arguments.

    Returns:
        f's result, and a function of the cotangents, structured as the result, that gives the
        tuple of the arguments' cotangents; integers have 0. It runs f again; in compiled code what
        both compute is computed once. It raises ValueError if a cotangent is not as long as a
        result whose length run time knows.
    """
    pullback = _derived("pullback", f)
    function = f if isinstance(f, Function) else jit(f)
    # The caller may change them before the cotangents come, and f must not.
    kept = copy.deepcopy(primals)
    return function(*copy.deepcopy(primals)), lambda cotangents: pullback(kept, cotangents)


@in_compiled_code(derivatives.in_compiled_code("jacfwd"))
def jacfwd(f: Callable[P, Any], argnums: Argnums = 0) -> Function[P, Any]:
    """The Jacobian, all columns at once, in forward mode: for few inputs.

    Args:
        f: a Python function, what `jit` made of one, or a derivative; it gives real floats.
        argnums: the positional arguments to differentiate by, real and floating.

    Returns:
        a function of f's arguments. For each array of the result it gives, structured as the
        arguments, arrays of the shape of the result followed by that of the argument, also where
        run time knows these.
    """
    return _derived("jacfwd", f, _argnums(argnums))


@in_compiled_code(derivatives.in_compiled_code("jacrev"))
def jacrev(f: Callable[P, Any], argnums: Argnums = 0) -> Function[P, Any]:
    """The same as `jacfwd`, all rows at once, in reverse mode: for few results."""
    return _derived("jacrev", f, _argnums(argnums))


def _hessian(ev: Any, f: Any, argnums: Any = 0) -> Derivative:
    inner = derivatives.in_compiled_code("jacrev")(ev, f, argnums)
    return derivatives.in_compiled_code("jacfwd")(ev, inner, argnums)


@in_compiled_code(_hessian)
def hessian(f: Callable[P, Any], argnums: Argnums = 0) -> Function[P, Any]:
    """The second derivatives: `jacfwd(jacrev(f))`.

    Returns:
        a function of f's arguments that gives, for each array of the result and each pair of
        arguments, an array of the result's shape followed by those of the two.
    """
    return jacfwd(jacrev(f, argnums), argnums)


@in_compiled_code(derivatives.stop_gradient)
def stop_gradient(x: Any) -> Any:
    """The argument, as it is; in derivatives it is constant."""
    return x


def _plain(f: Any) -> Any:
    """A function as it is evaluated."""
    return unwrapped(calling(f) or f)


class Checkpointed(ByReference, Generic[P, R]):
    """A function of whose calls reverse mode keeps nothing; made by `checkpoint`."""

    __slots__ = ("__ingot_function__",)

    def __init__(self, f: Callable[P, R]) -> None:
        functools.update_wrapper(self, f)
        self._function = self.__ingot_function__ = _plain(f)

    def _recipe(self) -> tuple[Callable[..., Any], tuple]:
        return Checkpointed, (self._function,)

    def __repr__(self) -> str:
        return f"ingot.checkpoint({shown(self._function)})"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = self._function(*args, **kwargs)
        return result

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        return rules.checkpoint(ev, self._function, args, kwargs, node)


@in_compiled_code(lambda ev, f: Checkpointed(f))
def checkpoint(f: Callable[P, R]) -> Checkpointed[P, R]:
    """A function that behaves as f; the way back computes it again instead of keeping values.

    Args:
        f: a Python function. Reverse mode keeps its arguments, and nothing that it computes.
    """
    return Checkpointed(f)


class _Ruled(ByReference):
    """A function with a derivative of the user's."""

    __slots__ = ("__ingot_function__",)

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f)
        self._function = self.__ingot_function__ = _plain(f)
        self._rule: Any = None

    def __repr__(self) -> str:
        return f"ingot.{type(self).__name__}({shown(self._function)})"

    def __call__(self, *args: Any) -> Any:
        return self._function(*args)

    def _check_positional(self, ev: Any, kwargs: dict[str, Any]) -> None:
        if kwargs:
            ev.fail(f"{self!r} takes positional arguments", "leave the names out", DTypeError)


class custom_jvp(_Ruled):
    """A function whose derivative the user writes, in forward mode; a decorator.

    Reverse mode transposes the rule, so tangents may only take part in linear operations. The
    function and the rule may not use values from outside that are differentiated. In its own
    rule the function has none: second derivatives are of what the rule computes.

    Args:
        f: a Python function of positional arguments.
    """

    def defjvp(self, rule: Callable[..., tuple[Any, Any]]) -> Callable[..., tuple[Any, Any]]:
        """Set the rule: of the tuples of primals and tangents, the result and its tangent."""
        self._rule = rule
        return rule

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        self._check_positional(ev, kwargs)
        return rules.custom_jvp(ev, self._function, self._rule, args, node)


class custom_vjp(_Ruled):
    """A function whose derivative the user writes, in reverse mode; a decorator.

    It has no forward mode. The function and the rules may not use values from outside that are
    differentiated. In its own rules the function has none.

    Args:
        f: a Python function of positional arguments.
    """

    def defvjp(self, forward: Callable[..., tuple], backward: Callable[..., tuple]) -> None:
        """Set the rules.

        Args:
            forward: of the arguments, the pair of the result and of what `backward` needs.
            backward: of that and the result's cotangents, the tuple of the arguments'
                cotangents; None is zero. Reverse mode calls both, one after the other.
        """
        self._rule = forward, backward

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        self._check_positional(ev, kwargs)
        return rules.custom_vjp(ev, self._function, self._rule, args, node)
