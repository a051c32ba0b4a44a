"""`primitive` and `load_plugin`: user-defined operations and passes."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ingot import pipeline
from ingot._core import Diagnostic, Value, parse
from ingot._core import load_plugin as load_library
from ingot.dtypes import CODES, DTYPES
from ingot.function import Function
from ingot.pipeline import Options
from ingot.specs import Abstract
from ingot.syntax import rules
from ingot.syntax.bodies import code_of, in_region
from ingot.syntax.dynamic import Part
from ingot.syntax.ops import fresh, result_of
from ingot.syntax.trees import flatten, rebuild
from ingot.syntax.values import is_runtime
from ingot_runtime import trees
from ingot_runtime.errors import DTypeError, IngotError


class Primitive(Function):
    """A user-defined operation; made by `primitive`.

    Attributes:
        name: its name in the IR.
    """

    def __init__(
        self, f: Callable[..., Any], name: str | None, stablehlo: Callable[..., str] | None
    ) -> None:
        super().__init__(f, static=(), options=Options())
        self.name = name or f.__name__
        self._stablehlo = stablehlo
        # Python calls that function, so nothing tells what it reads: no program of it is kept.
        self._is_described = stablehlo is None
        self._jvp: Callable[..., Any] | None = None
        self._vjp: tuple[Callable[..., Any], Callable[..., Any]] | None = None
        self._vmap: Callable[..., Any] | None = None
        self._plain = _Plain(self)
        self._traced = self

    def __repr__(self) -> str:
        return f"ingot.primitive({self.name})"

    def _recipe(self) -> None:
        """None: its rules are set after it is made, so it can't be made again from parts."""

    def defjvp(self, rule: Callable[..., tuple[Any, Any]]) -> Callable[..., tuple[Any, Any]]:
        """Set the rule of forward mode; see `custom_jvp.defjvp`."""
        self._jvp = rule
        return rule

    def defvjp(self, forward: Callable[..., tuple], backward: Callable[..., tuple]) -> None:
        """Set the rules of reverse mode; see `custom_vjp.defvjp`."""
        self._vjp = forward, backward

    def defvmap(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Set the batching rule; a decorator.

        Args:
            rule: a function of the batch size and of the arguments, in which each array of shape
                (...) has shape (size, ...). It returns the results with the same batch axis.

        Returns:
            The rule.
        """
        self._vmap = rule
        return rule

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        if kwargs:
            ev.fail(f"{self.name} takes positional arguments", "leave the names out", DTypeError)
        if self._vmap is not None and ev.batches and not any(each is self for each in ev.ruled):
            return self._batched(ev, args, node)
        return self._differentiated(ev, args, node)

    def _differentiated(self, ev: Any, args: tuple, node: Any) -> Any:
        if self._jvp is not None:
            return rules.custom_jvp(ev, self._plain, self._jvp, args, node)
        if self._vjp is not None:
            return rules.custom_vjp(ev, self._plain, self._vjp, args, node)
        return ev.call(self._plain, args, {}, node)

    def _batched(self, ev: Any, args: tuple, node: Any) -> Any:
        """Emit an `ingot.custom_vmap`: one region for a lane, and one for the innermost batch."""
        call, size = rules.Call(ev, args), ev.batches[-1]
        if not call.operands:
            return self._differentiated(ev, args, node)
        for leaf in call.operands:
            if isinstance(leaf, Part):
                ev.refuse_part(leaf)
        types = [code_of(leaf) for leaf in call.operands]

        def item(values: Iterable[Value]) -> Any:
            given = [result_of(value, ev.location) for value in values]
            return self._differentiated(ev, call.args(ev, given), node)

        def batch(values: Iterable[Value]) -> Any:
            given = call.args(ev, [fresh(value, ev.location) for value in values])
            ev.ruled.append(self)
            try:
                return ev.call(self._vmap, (size, *given), {}, node)
            finally:
                ev.ruled.pop()

        def always_raises() -> Any:
            ev.fail(f"the rule for batches of {self.name} always raises an exception")

        body = in_region(ev, types, item, "vmapped", lambda: self._differentiated(ev, args, node))
        types = [([size, *shape], code) for shape, code in types]
        rule = in_region(ev, types, batch, "vmapped", always_raises)
        wanted, given = body.types(), rule.types()
        if given != [([size, *shape], code) for shape, code in wanted]:
            ev.fail(
                f"the rule for batches of {self.name} gives {_shown(given)} for a batch of {size} "
                f"of {_shown(wanted)}",
                "give arrays whose first axis counts the items",
                DTypeError,
            )
        operands = [ev.read(leaf) for leaf in call.operands]
        values = ev.ops.builder.create("ingot.custom_vmap", operands, {"size": size}, wanted, 2)
        return body.result(ev, iter(values))


class _Plain:
    """What a primitive itself computes, without its rules."""

    def __init__(self, primitive: Primitive) -> None:
        self._primitive = primitive

    def __ingot_emit__(self, ev: Any, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        function, text_of = self._primitive.__ingot_function__, self._primitive._stablehlo
        if text_of is None:
            return ev.call(function, args, kwargs, node)
        leaves: list[Any] = []
        flatten(ev, args, leaves)
        arrays = [x if is_runtime(x) else ev.as_array(x) for x in leaves]
        values = [ev.read(x) if is_runtime(x) else ev.ops.scalar(x) for x in arrays]
        specs = [Abstract(value.shape, DTYPES[value.dtype]) for value in values]
        found: list[Any] = []
        structure = trees.flatten(function(*specs), found)
        types = [(list(spec.shape), CODES[spec.dtype]) for spec in found]
        text = text_of(*specs)
        if not isinstance(text, str):
            ev.fail(
                f"the stablehlo of {self._primitive.name} gives {type(text).__name__}, not text",
                "give a module's text that defines main",
                DTypeError,
            )
        attributes = {"name": self._primitive.name, "text": text}
        made = ev.ops.builder.create("ingot.call_stablehlo", values, attributes, types)
        return rebuild(ev, structure, [result_of(value, ev.location) for value in made])


def _shown(types: list) -> str:
    return ", ".join(f"{DTYPES[code]}{list(shape)}" for shape, code in types) or "nothing"


def primitive(
    f: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    stablehlo: Callable[..., str] | None = None,
) -> Any:
    """Define an operation; a decorator, with or without parentheses.

    Args:
        f: a function that computes the operation in NumPy. With `stablehlo`, it computes the result
            types instead: it takes one object with `shape` and `dtype` for each array or number
            among the arguments, and returns a tree of such objects.
        name: the name of the operation in the IR; by default that of `f`.
        stablehlo: a function of the same objects that returns the text of a StableHLO module, whose
            function `main` computes the operation.

    Returns:
        A `Primitive`, which is called as any compiled function. Its methods `defjvp`, `defvjp` and
        `defvmap` set rules. Without rules, derivatives and batches come from the NumPy source; an
        operation in StableHLO has no derivative then, and is called once for each lane.

    Raises:
        CompileError: when called, if `stablehlo` does not return text, or a batching rule returns
            other types than the operation has for a batch.

    Example:
        >>> @ingot.primitive
        ... def softplus(x):
        ...     return np.log1p(np.exp(x))
        >>> @softplus.defjvp
        ... def rule(primals, tangents):
        ...     (x,), (t,) = primals, tangents
        ...     return softplus(x), t / (1 + np.exp(-x))
        >>> float(ingot.grad(softplus)(0.0))
        0.5
    """
    if f is None:
        return functools.partial(primitive, name=name, stablehlo=stablehlo)
    return Primitive(f, name, stablehlo)


def load_plugin(path: str | Path, *passes: str) -> None:
    """Load C++ passes from a shared library, and add some to the pipeline of later compilations.

    The library is built against the headers of this version of Ingot and of MLIR, and defines
    `mlirGetPassPluginInfo`, so `ingot-opt --load-pass-plugin` can load it, too. Its code runs in
    this process: load only libraries that you trust.

    Args:
        path: the path of the library.
        passes: MLIR pass pipelines on the ingot dialect, such as "func.func(my-pass)". They run
            after derivatives and batches are expanded and the code is simplified.

    Raises:
        IngotError: the library can't be loaded, or has no such pass.

    Example:
        >>> ingot.load_plugin("libMyPasses.so", "func.func(my-pass)")  # doctest: +SKIP
    """
    file = Path(path).resolve()
    _export_symbols()
    try:
        load_library(str(file))
        for each in passes:
            parse("module {}").run(each)
    except Diagnostic as error:
        raise IngotError(f"plugin {file.name}: {error.args[0]}") from None
    now = pipeline.additions()
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    pipeline.change(passes=(*now.passes, *passes), plugins=(*now.plugins, digest))


@functools.cache
def _export_symbols() -> None:
    """Make the compiler's symbols visible to plugins: Python loads extension modules locally."""
    import ctypes
    import os
    import sys

    ctypes.CDLL(sys.modules["ingot._core"].__file__, mode=ctypes.RTLD_GLOBAL | os.RTLD_NOLOAD)
