"""The supported part of SciPy: functions by module, and methods of distributions.

This module does not import SciPy; it looks the functions up once the user has imported them.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ingot.numpy import library, order, scipy_designs, scipy_stats
from ingot.numpy.library import (
    bessel,
    counting,
    fftpack,
    filters,
    frozen,
    images,
    incomplete,
    matrices,
    quantiles,
    samples,
    scipy_fft,
    signal,
    special,
    spectra,
)
from ingot.numpy.promotion import kind_of, resolve
from ingot.syntax.ops import result_of
from ingot.syntax.values import Array, Scalar, is_runtime

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: The library modules that implement a module of SciPy.
SCIPY = {
    "scipy.special": (special, counting, incomplete, quantiles, bessel),
    "scipy.linalg": (matrices, spectra),
    "scipy.signal": (signal, filters),
    "scipy.stats": (samples,),
    "scipy.ndimage": (images,),
    "scipy.fft": (scipy_fft,),
    "scipy.fftpack": (fftpack,),
}


#: The functions of scipy.special that support complex numbers.
OF_COMPLEX = ("xlogy", "xlog1py")
#: By SciPy's class of a frozen distribution, the distribution and the attributes with its
#: parameters.
_FROZEN = {
    "multivariate_normal_frozen": ("multivariate_normal", ("mean", "cov", "allow_singular")),
    "dirichlet_frozen": ("dirichlet", ("alpha",)),
}


def is_of_reals(ufunc: np.ufunc) -> bool:
    """Whether SciPy's function supports complex numbers, but ours does not."""
    takes_complex = any(set(each.partition("->")[0]) & set("FD") for each in ufunc.types)
    return takes_complex and ufunc.__name__ not in OF_COMPLEX


def functions() -> dict[str, dict[str, types.FunctionType]]:
    """The library's functions by SciPy's module and name."""
    return {
        home: {
            name: function
            for module in modules
            for name, function in library.public_functions(module).items()
        }
        for home, modules in SCIPY.items()
    }


def _ufunc_handler(function: types.FunctionType, ufunc: np.ufunc, name: str) -> Callable[..., Any]:
    """A handler whose results have the dtype and the memory order of SciPy's ufunc."""
    inline = library.inlined(function, name)

    def call(ev: Evaluator, *args: Any) -> Any:
        values = [ev.as_array(each) for each in args]
        *wanted, dtype = resolve(ufunc, tuple(map(kind_of, values)))
        if dtype.kind == "c" and is_of_reals(ufunc):
            ev.fail(f"{name} of complex numbers is not supported")
        given = [_converted(ev, *each) for each in zip(values, wanted, strict=True)]
        found = _converted(ev, inline(ev, *given), dtype)
        return order.elementwise(found, values) if type(found) is Array else found

    return call


def _converted(ev: Evaluator, value: Any, dtype: np.dtype) -> Any:
    """A value converted to a dtype; Python numbers are returned unchanged."""
    if not is_runtime(value) or value.dtype == dtype:
        return value
    if isinstance(value, Scalar) and value.weak:
        return value
    return result_of(ev.ops.convert(ev.read(value), dtype), ev.location)


def _handler(function: types.FunctionType, theirs: Any, name: str) -> Callable[..., Any]:
    is_ufunc = type(theirs) is np.ufunc
    return _ufunc_handler(function, theirs, name) if is_ufunc else library.inlined(function, name)


@functools.cache
def _handlers_of(home: str) -> dict[int, Callable[..., Any]]:
    module = sys.modules[home]
    return {
        id(getattr(module, name)): _handler(function, getattr(module, name), f"{home}.{name}")
        for name, function in functions()[home].items()
        if hasattr(module, name)
    }


@functools.cache
def _distribution_handlers() -> dict[tuple[int, str], Callable[..., Any]]:
    module = sys.modules["scipy.stats"]
    return {
        (id(getattr(module, name)), method): handler
        for (name, method), handler in scipy_stats.handlers().items()
        if hasattr(module, name)
    }


@functools.cache
def _freezing_handlers() -> dict[int, Callable[..., Any]]:
    """The handlers of calls that freeze a distribution, such as `norm(loc, scale)`."""
    module = sys.modules["scipy.stats"]
    kinds: dict[str, type] = dict.fromkeys(scipy_stats.NAMES, frozen.Frozen)
    kinds |= dict.fromkeys(scipy_stats.JOINT, frozen.Joint)
    return {
        id(dist): functools.partial(_freeze, dist=dist, kind=kind)
        for name, kind in kinds.items()
        if (dist := getattr(module, name, None)) is not None
    }


def _freeze(ev: Evaluator, *args: Any, dist: Any, kind: type, **kwargs: Any) -> Any:
    return ev.construct(kind, (dist, *args), kwargs, ev.node)


def _frozen_handler(owner: Any, method: str) -> Callable[..., Any] | None:
    """The handler of a method of a distribution that was frozen outside of compiled code."""
    if type(owner).__name__ in _FROZEN and type(owner).__module__.startswith("scipy.stats"):
        name, parameters = _FROZEN[type(owner).__name__]
        handler = scipy_stats.handlers().get((name, method))
        options = {"owner": owner, "handler": handler, "parameters": parameters}
        return handler and functools.partial(_with_attributes, **options)
    name = getattr(getattr(owner, "dist", None), "name", "")
    original = getattr(sys.modules["scipy.stats"], name, None)
    if original is None or type(original) is not type(owner.dist):
        return None
    handler = _distribution_handlers().get((id(original), method))
    return handler and functools.partial(_with_parameters, owner=owner, handler=handler)


def _with_parameters(ev: Evaluator, *args: Any, owner: Any, handler: Any) -> Any:
    given = [ev.lift(each) for each in ev.reads.attribute(owner, "args")]
    named = ev.lift(ev.reads.attribute(owner, "kwds"))
    return handler(ev, *args, *given, **ev.entries(named))


def _with_attributes(ev: Evaluator, x: Any, *, owner: Any, handler: Any, parameters: Any) -> Any:
    return handler(ev, x, *(ev.lift(ev.reads.attribute(owner, each)) for each in parameters))


def handler_of(function: Any) -> Callable[..., Any] | None:
    """The handler of a SciPy function, or of a method of a SciPy distribution."""
    if isinstance(function, types.MethodType):
        if "scipy.stats" not in sys.modules:
            return None
        owner, name = function.__self__, function.__name__
        return _distribution_handlers().get((id(owner), name)) or _frozen_handler(owner, name)
    if "scipy.stats" in sys.modules and id(function) in _freezing_handlers():
        return _freezing_handlers()[id(function)]
    if "scipy.signal" in sys.modules and id(function) in scipy_designs.handlers():
        return scipy_designs.handlers()[id(function)]
    for home in SCIPY:
        if home in sys.modules:
            found = _handlers_of(home).get(id(function))
            if found is not None:
                return found
    return None
