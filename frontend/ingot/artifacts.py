"""`export` and `spec`: functions compiled ahead of time into one file."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ingot import kernels
from ingot.callables import Bound
from ingot.dtypes import CODES
from ingot.entry import STABLEHLO, Entry, portable_checks
from ingot.function import Function
from ingot.jit import jit
from ingot.specs import Spec
from ingot.transformed import in_compiled_code
from ingot_runtime import clients, container, pjrt
from ingot_runtime.errors import UnsupportedError
from ingot_runtime.inspection import signature, summary
from ingot_runtime.manifest import ENTRY_NAME, EntryFacts, Native
from ingot_runtime.program import Captured
from ingot_runtime.sizes import Bounds, Size
from ingot_runtime.weights import as_stored


def _spec(ev: Any, shape: Any, dtype: Any = "float64") -> Spec:
    return spec(ev.static(shape, "the shape of a spec"), ev.static(dtype, "the dtype of a spec"))


@in_compiled_code(_spec)
def spec(shape: str | int | Sequence[int | str], dtype: Any = "float64") -> Spec:
    """Describe an array argument by its shape and dtype, for `export` and `lower`.

    Args:
        shape: the size of each dimension: a number for a static size; a name, or an expression of
            names such as "2*n", for a size that each call chooses. A string or a sequence: "n,784"
            or ("n", 784). "" is the shape ().
        dtype: a NumPy dtype or its name.

    Returns:
        A `Spec`, with `shape` and `dtype`.

    Raises:
        TypeError: the shape is neither a string nor a sequence of integers and names.
        ValueError: the shape is malformed or negative, or the dtype is not supported.

    Example:
        >>> ingot.spec("n,784", "float32")
        ingot.spec('n,784', 'float32')
    """
    if isinstance(shape, int):
        shape = (shape,)
    if not isinstance(shape, str) and not (
        isinstance(shape, Sequence) and all(isinstance(part, (int, str, Size)) for part in shape)
    ):
        raise TypeError(f"the shape of a spec has integers and names, not {shape!r}")
    parts = [p for p in shape.split(",") if p.strip()] if isinstance(shape, str) else shape
    sizes = tuple(map(Size.of, parts))
    for size in sizes:
        if size.constant is not None and size.constant < 0:
            raise ValueError(f"negative dimensions are not allowed: {shape!r}")
    try:
        made = np.dtype(dtype)
    except TypeError as error:
        raise ValueError(str(error)) from None
    if made not in CODES:
        raise ValueError(f"dtype {made} is not supported")
    return Spec(sizes, made)


def export(
    f: Callable[..., Any],
    *args: Any,
    kwargs: Mapping[str, Any] | None = None,
    name: str | None = None,
    sizes: Mapping[str, Bounds] | None = None,
    native: bool = False,
    strict_fp: bool = False,
) -> Artifact:
    """Compile a function ahead of time.

    Arrays that the function reads besides its arguments are stored in the artifact as weights.

    Args:
        f: a Python function or a compiled function.
        args: for each positional argument a `spec` or an example. An example array stands for its
            shape and dtype, and a number for its type; any other value is fixed.
        kwargs: the same for arguments by keyword.
        name: the name of the entry point; by default that of the function.
        sizes: inclusive bounds (low, high) of named dimensions; by default (1, None).
        native: whether to store machine code for machines as this one, too: what `jit` would run
            here, with its native kernels. The function may have no named dimensions then. Loaders
            run it only if they are asked to, see `load`. Without it, the file is portable and the
            same from any machine.
        strict_fp: as for `ingot.jit`; a function made by `jit(f, strict_fp=True)` is always strict.

    Returns:
        An `Artifact` with one entry point. Use `add` for more, and `save` to write the file.

    Raises:
        CompileError: at the position of code that can't be compiled.
        ValueError: `name` is not a valid name of an entry point.

    Example:
        >>> w = np.array([1.0, 2.0])
        >>> def predict(x):
        ...     return x @ w
        >>> ingot.export(predict, ingot.spec("n,2")).save("predict.ingot")
        >>> ingot.load("predict.ingot")(np.ones((3, 2)))
        array([3., 3., 3.])
    """
    artifact = Artifact()
    artifact.add(
        f, *args, kwargs=kwargs, name=name, sizes=sizes, native=native, strict_fp=strict_fp
    )
    return artifact


class Artifact:
    """Entry points and the weights that they share; saved as one `.ingot` file.

    Attributes:
        entry_points: the names of the entry points.

    Example:
        >>> def double(x):
        ...     return 2 * x
        >>> artifact = ingot.Artifact()
        >>> artifact.add(double, ingot.spec("n"))
        >>> artifact.add(double, ingot.spec("n,n"), name="double_square")
        >>> artifact.entry_points
        ('double', 'double_square')
    """

    def __init__(self) -> None:
        self._entries: dict[str, EntryFacts] = {}
        self._members: dict[str, bytes] = {}
        self._weights: dict[str, np.ndarray] = {}
        self._names: dict[str, str] = {}

    def __repr__(self) -> str:
        listed = [f"{name}{signature(facts)}" for name, facts in self._entries.items()]
        return f"Artifact({listed[0] if len(listed) == 1 else ', '.join(self._entries)})"

    @property
    def entry_points(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def add(
        self,
        f: Callable[..., Any],
        *args: Any,
        kwargs: Mapping[str, Any] | None = None,
        name: str | None = None,
        sizes: Mapping[str, Bounds] | None = None,
        native: bool = False,
        strict_fp: bool = False,
    ) -> None:
        """Add an entry point.

        Args:
            f, args, kwargs, name, sizes, native, strict_fp: as for `export`.

        Raises:
            CompileError: at the position of code that can't be compiled.
            ValueError: the name is not valid, or already in use.
        """
        function = jit(f)
        if isinstance(function, Bound):
            raise UnsupportedError(
                "an artifact can't look up what a method or partial is bound to",
                hint="export a def that calls it",
            )
        options = function._options
        # Calls of an artifact leave their arguments to the caller.
        is_strict = strict_fp or options.strict_fp
        options = replace(options, donate=(), strict_fp=is_strict, one_form=True)
        function = Function(function, static=tuple(function._static), options=options)
        plain = function.__ingot_function__
        name = plain.__name__ if name is None else name
        if not ENTRY_NAME.fullmatch(name):
            raise ValueError(
                f"{name!r} is no name for an entry point; give one of letters, digits and _: name="
            )
        if name in self._entries:
            raise ValueError(f"there is an entry point {name!r} already; give another name=")
        made = Entry(function, args, dict(kwargs or {}), dict(sizes or {}))
        facts = made.facts(f"entry_points/{name}", self._weight)
        for kind, module in made.modules.items():
            self._members[facts.variants[kind].module] = module
        if native:
            facts = replace(facts, native=self._native(name, made))
        self._entries[name] = facts

    def _weight(self, captured: Captured) -> str:
        """The name of a weight in the file; equal arrays are stored once."""
        array = np.array(captured.array, order="C")
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        facts = f"{array.dtype}{array.shape}".encode()
        digest = hashlib.sha256(facts + array.tobytes()).hexdigest()
        if digest not in self._names:
            base = re.sub(r"[^A-Za-z0-9_.]+", "_", captured.name).strip("_") or "weight"
            taken = self._weights
            numbered = (f"{base}_{i}" for i in range(1, len(taken) + 2))
            chosen = base if base not in taken else next(n for n in numbered if n not in taken)
            self._names[digest] = chosen
            self._weights[chosen] = array
        return self._names[digest]

    def _native(self, name: str, made: Entry) -> Native:
        if made.sizes:
            names = ", ".join(made.sizes)
            raise UnsupportedError(
                f"{name}: machine code has fixed sizes, but {names} is open",
                hint="export without native; the loader keeps what it compiles in its cache",
            )
        if made.is_for_mesh:
            raise UnsupportedError(
                f"{name}: machine code is for one device, and the function for a mesh",
                hint="export without native; the loader keeps what it compiles in its cache",
            )
        device = clients.default_device()
        compiled = made.compiled(device)
        _, checks, _ = compiled.variant
        if compiled.executable.calls_back:
            raise UnsupportedError(
                f"{name} prints or makes messages, which stored machine code can't",
                hint="export without native",
            )
        call, libraries, code = kernels.machine_code(compiled)
        members = {kernel: f"kernels/{kernel}.so" for kernel in libraries}
        self._members.update((members[kernel], libraries[kernel]) for kernel in libraries)
        executable = None if call else f"entry_points/{name}/fast.xla"
        if executable:
            self._members[executable] = code
        return Native(
            pjrt.fingerprint(device), pjrt.target(device.platform), members, call, executable,
            portable_checks(checks),
        )  # fmt: skip

    def manifest(self) -> dict[str, Any]:
        """The content of `manifest.json`, without the hashes of the members."""
        from ingot import __version__

        return {
            "entry_points": {name: facts.to_json() for name, facts in self._entries.items()},
            "weights": {
                name: [array.dtype.name, list(array.shape)] for name, array in self._weights.items()
            },
            "stablehlo": STABLEHLO,
            "producer": {"ingot": __version__, "jaxlib": pjrt.jaxlib_version()},
            "format": max((facts.format for facts in self._entries.values()), default=2),
        }

    def inspect(self) -> dict[str, Any]:
        """Describe the artifact.

        Returns:
            A dict that json.dumps accepts: for each entry point its signature, arguments, results,
            named dimensions and weights; the dtypes and shapes of the weights; the versions of
            Ingot, jaxlib and StableHLO.
        """
        return summary(self._entries, self.manifest())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the artifact; equal sources and weights give equal bytes.

        Args:
            path: the file to write. It is replaced atomically.

        Raises:
            OSError: the file can't be written.
        """
        members = dict(self._members)
        if self._weights:
            from safetensors.numpy import save

            stored = {name: as_stored(array) for name, array in self._weights.items()}
            members[container.WEIGHTS] = save(stored)
        container.write(path, self.manifest(), members)
