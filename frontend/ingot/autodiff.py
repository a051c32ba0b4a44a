"""Derivatives of functions: `grad`, `jvp`, `vjp`, `jacfwd`, `jacrev`, `hessian` and their rules."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any, Generic

from ingot.callables import calling, resolved
from ingot.function import Function, P, R
from ingot.jit import jit
from ingot.made_once import made_once
from ingot.references import ByReference, evaluated, shown, unwrapped
from ingot.syntax import derivatives, rules
from ingot.syntax.derivatives import Derivative
from ingot.transformed import Transformed, in_compiled_code
from ingot_runtime.errors import DTypeError

Argnums = int | Sequence[int]


def _derived(
    kind: str, f: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Function:
    def make() -> Function:
        return Transformed(Derivative(kind, f, argnums, has_aux), _derived)

    # A loop may call `grad(f)` in each iteration: the programs compiled for it stay.
    return made_once(f, (kind, argnums, has_aux), make)


def _argnums(given: Argnums) -> int | tuple[int, ...]:
    found = given if isinstance(given, int) else tuple(given)
    if not all(isinstance(each, int) for each in ((found,) if isinstance(found, int) else found)):
        raise TypeError(f"argnums are numbers of positional arguments, not {given!r}")
    return found


@in_compiled_code(derivatives.in_compiled_code("grad"))
def grad(f: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False) -> Function[P, Any]:
    """The gradient of a function of NumPy code, in reverse mode.

    A call of the gradient does not change its arguments, even if `f` stores to them. For complex
    arguments the gradient follows JAX's convention: it is the conjugate of the direction of
    steepest ascent.

    Args:
        f: a Python function, a compiled function or a transformed one. It returns one real floating
            number, of shape ().
        argnums: the argument numbers to differentiate with respect to: an integer or a tuple of
            integers. These arguments are trees of floating or complex arrays and numbers.
        has_aux: whether `f` returns a pair (value, aux), of which only `value` is differentiated.

    Returns:
        A function of f's arguments. It returns the gradient, a tree with the structure, shapes and
        dtypes of the argument, or a tuple of gradients if `argnums` is a tuple; with `has_aux` the
        pair (gradient, aux).

    Raises:
        TypeError: `argnums` is not an integer or a sequence of integers.
        CompileError: when called, at the position of an operation that has no derivative.

    Example:
        >>> def loss(w, x):
        ...     return np.sum((w * x) ** 2)
        >>> ingot.grad(loss)(np.array([1.0, 2.0]), np.array([3.0, 1.0]))
        array([18.,  4.])
    """
    return _derived("grad", f, _argnums(argnums), has_aux)


@in_compiled_code(derivatives.in_compiled_code("value_and_grad"))
def value_and_grad(
    f: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False
) -> Function[P, tuple[R, Any]]:
    """A function's value and its gradient, in reverse mode; both are computed in one call.

    Args:
        f: as for `grad`.
        argnums: as for `grad`.
        has_aux: as for `grad`.

    Returns:
        A function of f's arguments that returns the pair (value, gradient); with `has_aux` the
        pair ((value, aux), gradient).

    Raises:
        TypeError: `argnums` is not an integer or a sequence of integers.
        CompileError: when called, at the position of an operation that has no derivative.

    Example:
        >>> def loss(x):
        ...     return np.sum(x**2)
        >>> value, gradient = ingot.value_and_grad(loss)(np.array([1.0, 2.0]))
        >>> float(value), gradient
        (5.0, array([2., 4.]))
    """
    return _derived("value_and_grad", f, _argnums(argnums), has_aux)


def _jvp(ev: Any, f: Any, primals: tuple, tangents: tuple) -> tuple:
    return ev.call(Derivative("jvp", f), (primals, tangents), {}, ev.node)


@in_compiled_code(_jvp)
def jvp(f: Callable[..., Any], primals: tuple, tangents: tuple) -> tuple[Any, Any]:
    """The Jacobian-vector product: a function's result and its directional derivative.

    Args:
        f: a Python function, a compiled function or a transformed one.
        primals: the tuple of its arguments.
        tangents: the direction: a tuple of trees with the structure, shapes and dtypes of the
            primals. The tangent of an integer or a bool is 0.

    Returns:
        The pair (result, tangent). The tangent has the structure, shapes and dtypes of the result;
        the tangent of a leaf that is not floating or complex is 0.

    Raises:
        CompileError: primals and tangents do not match, or an operation has no derivative.

    Example:
        >>> def f(x):
        ...     return x**2
        >>> ingot.jvp(f, (np.array([1.0, 2.0]),), (np.array([1.0, 0.0]),))
        (array([1., 4.]), array([2., 0.]))
    """
    return _derived("jvp", f)(tuple(primals), tuple(tangents))


@in_compiled_code(derivatives.vjp)
def vjp(f: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[[Any], tuple]]:
    """The vector-Jacobian product: a function's result, and its pullback.

    Args:
        f: a Python function, a compiled function or a transformed one.
        primals: its arguments.

    Returns:
        The pair (result, pullback). The pullback takes one cotangent, a tree with the structure,
        shapes and dtypes of the result, and returns the tuple of the arguments' cotangents; the
        cotangent of an integer is 0. It runs `f` again; in compiled code, operations that both
        need run once. It raises ValueError if a cotangent differs in length from a result whose
        length is known only at run time.

    Raises:
        CompileError: at the position of an operation that has no derivative.

    Example:
        >>> def f(x):
        ...     return np.sin(x)
        >>> result, pullback = ingot.vjp(f, np.zeros(2))
        >>> pullback(np.array([1.0, 3.0]))
        (array([1., 3.]),)
    """
    pullback = _derived("pullback", f)
    function = f if isinstance(f, Function) else jit(f)
    # The pullback needs the values of now: the caller may store to the arguments before it calls
    # the pullback, and f may store to them, too.
    kept = copy.deepcopy(primals)
    return function(*copy.deepcopy(primals)), lambda cotangents: pullback(kept, cotangents)


@in_compiled_code(derivatives.in_compiled_code("jacfwd"))
def jacfwd(f: Callable[P, Any], argnums: Argnums = 0) -> Function[P, Any]:
    """The Jacobian in forward mode, all columns at once; best where inputs are fewer than outputs.

    Args:
        f: a Python function, a compiled function or a transformed one, with real floating results.
        argnums: the argument numbers to differentiate with respect to: an integer or a tuple of
            integers. These arguments are trees of real floating arrays and numbers.

    Returns:
        A function of f's arguments. For each leaf of the result, of shape (*r), it returns a tree
        structured as the argument (a tuple of trees if `argnums` is a tuple), with an array of
        shape (*r, *a) for each of its leaves of shape (*a).

    Raises:
        TypeError: `argnums` is not an integer or a sequence of integers.
        CompileError: when called, at the position of an operation that has no derivative.

    Example:
        >>> def f(x):
        ...     return x**2
        >>> ingot.jacfwd(f)(np.array([1.0, 2.0]))
        array([[2., 0.],
               [0., 4.]])
    """
    return _derived("jacfwd", f, _argnums(argnums))


@in_compiled_code(derivatives.in_compiled_code("jacrev"))
def jacrev(f: Callable[P, Any], argnums: Argnums = 0) -> Function[P, Any]:
    """The Jacobian in reverse mode, all rows at once; best where outputs are fewer than inputs.

    Args:
        f: as for `jacfwd`.
        argnums: as for `jacfwd`.

    Returns:
        The same as `jacfwd`.

    Raises:
        TypeError: `argnums` is not an integer or a sequence of integers.
        CompileError: when called, at the position of an operation that has no derivative.

    Example:
        >>> def f(x):
        ...     return np.array([np.sum(x), x[0] * x[1]])
        >>> ingot.jacrev(f)(np.array([2.0, 3.0]))
        array([[1., 1.],
               [3., 2.]])
    """
    return _derived("jacrev", f, _argnums(argnums))


def _hessian(ev: Any, f: Any, argnums: Any = 0) -> Derivative:
    inner = derivatives.in_compiled_code("jacrev")(ev, f, argnums)
    return derivatives.in_compiled_code("jacfwd")(ev, inner, argnums)


@in_compiled_code(_hessian)
def hessian(f: Callable[P, Any], argnums: Argnums = 0) -> Function[P, Any]:
    """The second derivatives, `jacfwd(jacrev(f))`.

    Args:
        f: as for `jacfwd`.
        argnums: as for `jacfwd`.

    Returns:
        A function of f's arguments. For each leaf of the result, of shape (*r), and each pair of
        argument leaves, of shapes (*a) and (*b), it returns an array of shape (*r, *a, *b).

    Raises:
        TypeError: `argnums` is not an integer or a sequence of integers.
        CompileError: when called, at the position of an operation that has no derivative.

    Example:
        >>> def f(x):
        ...     return x[0] ** 2 * x[1]
        >>> ingot.hessian(f)(np.array([3.0, 5.0]))
        array([[10.,  6.],
               [ 6.,  0.]])
    """
    return jacfwd(jacrev(f, argnums), argnums)


@in_compiled_code(derivatives.stop_gradient)
def stop_gradient(x: Any) -> Any:
    """Return the argument unchanged; derivatives treat it as a constant.

    Args:
        x: a tree of arrays and numbers.

    Returns:
        x, with the same values, shapes and dtypes.

    Example:
        >>> def f(x):
        ...     return x * ingot.stop_gradient(x)
        >>> float(ingot.grad(f)(3.0))
        3.0
    """
    return x


def _plain(f: Any) -> Any:
    """What is evaluated for `f`."""
    return evaluated(calling(f) or f)


def _source(f: Any) -> Any:
    """The Python function that a call of `f` comes to, after rules and transformations."""
    return unwrapped(resolved(f, (), {})[0])


class Checkpointed(ByReference, Generic[P, R]):
    """A function whose intermediate values reverse mode recomputes; made by `checkpoint`."""

    __slots__ = ("__ingot_function__",)

    def __init__(self, f: Callable[P, R]) -> None:
        self._function = _plain(f)
        self.__ingot_function__ = _source(self._function)
        functools.update_wrapper(self, self.__ingot_function__)
        # inspect.signature follows it.
        self.__wrapped__ = f

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
    """Trade time for memory in reverse mode: recompute a function instead of storing residuals.

    Args:
        f: a Python function.

    Returns:
        A function that returns what `f` returns. Reverse mode stores its arguments only, and
        recomputes the residuals when it needs them.

    Example:
        >>> @ingot.checkpoint
        ... def layer(x):
        ...     return np.tanh(np.sin(x))
        >>> def loss(x):
        ...     return layer(layer(x))
        >>> float(ingot.grad(loss)(0.0))
        1.0
    """
    return Checkpointed(f)


class _Ruled(ByReference):
    """A function with a derivative that the user defines."""

    __slots__ = ("__ingot_function__",)

    def __init__(self, f: Callable[..., Any]) -> None:
        self._function = _plain(f)
        self.__ingot_function__ = _source(self._function)
        functools.update_wrapper(self, self.__ingot_function__)
        # inspect.signature follows it.
        self.__wrapped__ = f
        self._rule: Any = None

    def __repr__(self) -> str:
        return f"ingot.{type(self).__name__}({shown(self._function)})"

    def __call__(self, *args: Any) -> Any:
        return self._function(*args)

    def _check_positional(self, ev: Any, kwargs: dict[str, Any]) -> None:
        if kwargs:
            ev.fail(f"{self!r} takes positional arguments", "leave the names out", DTypeError)


class custom_jvp(_Ruled):
    """A function whose derivative the user defines in forward mode; a decorator.

    Reverse mode transposes the rule, so the rule must be linear in the tangents. Neither the
    function nor the rule may close over values that are differentiated. Within the rule itself the
    function has no rule: second derivatives differentiate what the rule computes.

    Args:
        f: a Python function of positional arguments.

    Raises:
        DTypeError: when compiled code calls it with arguments by keyword.

    Example:
        >>> @ingot.custom_jvp
        ... def f(x):
        ...     return np.log1p(np.exp(x))
        >>> @f.defjvp
        ... def rule(primals, tangents):
        ...     (x,), (t,) = primals, tangents
        ...     return f(x), t / (1 + np.exp(-x))
        >>> float(ingot.grad(f)(0.0))
        0.5
    """

    def defjvp(self, rule: Callable[..., tuple[Any, Any]]) -> Callable[..., tuple[Any, Any]]:
        """Set the rule; a decorator.

        Args:
            rule: a function of two tuples, the primals and the tangents, that returns the pair
                (result, tangent of the result), with the same structure, shapes and dtypes.

        Returns:
            The rule.
        """
        self._rule = rule
        return rule

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        self._check_positional(ev, kwargs)
        return rules.custom_jvp(ev, self._function, self._rule, args, node)


class custom_vjp(_Ruled):
    """A function whose derivative the user defines in reverse mode; a decorator.

    It has no forward mode. Neither the function nor the rules may close over values that are
    differentiated. Within its own rules the function has no rule.

    Args:
        f: a Python function of positional arguments.

    Raises:
        DTypeError: when compiled code calls it with arguments by keyword.

    Example:
        >>> @ingot.custom_vjp
        ... def clipped(x):
        ...     return x
        >>> clipped.defvjp(lambda x: (x, None), lambda residuals, c: (np.clip(c, -1, 1),))
        >>> float(ingot.grad(lambda x: 5.0 * clipped(x))(2.0))
        1.0
    """

    def defvjp(self, forward: Callable[..., tuple], backward: Callable[..., tuple]) -> None:
        """Set the rules; reverse mode calls one after the other.

        Args:
            forward: a function of the arguments that returns the pair (result, residuals).
            backward: a function of the residuals and the result's cotangent that returns the tuple
                of the arguments' cotangents, with their structure, shapes and dtypes. None stands
                for a cotangent of zeros.
        """
        self._rule = forward, backward

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        self._check_positional(ev, kwargs)
        return rules.custom_vjp(ev, self._function, self._rule, args, node)
