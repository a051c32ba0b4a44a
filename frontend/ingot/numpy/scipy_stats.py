"""The handlers of the methods of scipy.stats distributions, such as `norm.logpdf`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ingot.numpy.library import densities, distributions
from ingot.syntax.functions import Partial
from ingot_runtime.errors import DTypeError

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: By name the shape parameters of a distribution, and its support unless it is all real numbers or
#: given as `NAME_support`.
CONTINUOUS: dict[str, tuple[tuple[str, ...], Any]] = {
    "norm": ((), None), "t": (("df",), None), "laplace": ((), None), "cauchy": ((), None),
    "logistic": ((), None), "gumbel_r": ((), None), "uniform": ((), distributions._to_one),
    "beta": (("a", "b"), distributions._to_one), "pareto": (("b",), None),
    "gamma": (("a",), distributions._from_zero), "chi2": (("df",), distributions._from_zero),
    "expon": ((), distributions._from_zero), "lognorm": (("s",), distributions._from_zero),
    "weibull_min": (("c",), distributions._from_zero),
}  # fmt: skip
DISCRETE: dict[str, tuple[tuple[str, ...], Any]] = {
    "poisson": (("mu",), distributions._from_zero), "bernoulli": (("p",), None),
    "binom": (("n", "p"), None), "geom": (("p",), None),
    "nbinom": (("n", "p"), distributions._from_zero),
}  # fmt: skip
NAMES = (*CONTINUOUS, *DISCRETE)
#: Multivariate distributions: their methods are functions of `densities`.
JOINT = ("multivariate_normal", "dirichlet")
METHODS = {
    **{name: getattr(densities, name) for name in ("cdf", "sf", "logcdf", "logsf")},
    "logpdf": densities.logpdf, "pdf": densities.pdf, "ppf": densities.ppf, "isf": densities.isf,
}  # fmt: skip
#: Methods without a variable.
MOMENTS = {"mean": densities.mean, "var": densities.var, "std": densities.std}
#: By method the part (see `distributions`) that a distribution needs to have it.
_NEEDED = {"ppf": "ppf", "isf": "isf", **dict.fromkeys(MOMENTS, "moments")}


def _parts(name: str, shapes: tuple[str, ...], support: Any, is_discrete: bool) -> dict[str, Any]:
    found = {
        part: getattr(distributions, f"{name}_{part}")
        for part in (*METHODS, "support", "valid", "moments")
        if hasattr(distributions, f"{name}_{part}")
    }
    valid = found.pop("valid", distributions._all_positive if shapes else None)
    support = found.pop("support", support or distributions._everywhere)
    return {**found, "domain": (support, valid, is_discrete)}


def _call(
    ev: Evaluator, *args: Any, name: str, method: str, parts: dict, names: tuple, **kwargs: Any
) -> Any:
    """A method of a variable, the shape parameters, `loc` and, if continuous, `scale`."""
    given, loc_scale = _bound(ev, args, kwargs, name, method, names)
    function: Any = Partial(densities.of_operands, (METHODS[method], dict(parts)), {})
    # A late import, since that module imports the library.
    from ingot.syntax.parts import PARTS, elementwise

    operands = (*given, *loc_scale)
    if any(type(each) in PARTS for each in operands):
        return elementwise(ev, function, operands)
    return ev.call(function, operands, {}, ev.node)


def _moment(
    ev: Evaluator, *args: Any, name: str, method: str, parts: dict, names: tuple, **kwargs: Any
) -> Any:
    """A method of the parameters alone."""
    shapes, loc_scale = _bound(ev, args, kwargs, name, method, names)
    return ev.inline(MOMENTS[method], (dict(parts), shapes, *loc_scale), {}, ev.node)


def _bound(
    ev: Evaluator, args: tuple, kwargs: dict, name: str, method: str, names: tuple
) -> tuple[tuple, tuple]:
    """The variable (if any) and the shape parameters, and the pair of `loc` and `scale`."""
    bound = dict(zip(names, args, strict=False))
    if len(args) > len(names) or bound.keys() & kwargs.keys() or kwargs.keys() - set(names):
        ev.fail(f"{name}.{method}() takes {', '.join(names)}", kind=DTypeError)
    bound |= kwargs
    missing = [each for each in names if each not in ("loc", "scale") and each not in bound]
    if missing:
        ev.fail(f"{name}.{method}() is missing {', '.join(missing)}", kind=DTypeError)
    shapes = tuple(bound[each] for each in names if each not in ("loc", "scale"))
    return shapes, (bound.get("loc", 0), bound.get("scale", 1))


@functools.cache
def handlers() -> dict[tuple[str, str], Callable[..., Any]]:
    """The handlers by the names of the distribution and of the method."""
    found: dict[tuple[str, str], Callable[..., Any]] = {}
    for table, ends in ((CONTINUOUS, ("loc", "scale")), (DISCRETE, ("loc",))):
        for name, (shapes, support) in table.items():
            parts = _parts(name, shapes, support, table is DISCRETE)
            for method in (*METHODS, *MOMENTS):
                if _NEEDED.get(method, "domain") not in parts:
                    continue
                public = method.replace("pdf", "pmf") if table is DISCRETE else method
                variable = "q" if method in ("ppf", "isf") else "k" if table is DISCRETE else "x"
                taken = (*shapes, *ends) if method in MOMENTS else (variable, *shapes, *ends)
                found[name, public] = functools.partial(
                    _moment if method in MOMENTS else _call,
                    name=name,
                    method=method,
                    parts=parts,
                    names=taken,
                )
    for name in JOINT:
        for method in ("logpdf", "pdf"):
            found[name, method] = functools.partial(
                _inline, function=getattr(densities, f"{name}_{method}")
            )
    return found


def _inline(ev: Evaluator, *args: Any, function: Any, **kwargs: Any) -> Any:
    return ev.inline(function, args, kwargs, ev.node)
