"""All ways down: each program native, by XLA, strict, as an artifact, and so on, against the plain one.

All of them agree with NumPy, and so with each other. A way that alone refuses is wrong, but for
artifacts, whose calls have no Python objects (docs/artifacts.md).
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import sys
import tempfile
import types
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import ingot
from generator.batches import is_joined
from generator.judge import VERDICTS, Comparison, Outcome, loaded, tolerance, worst
from ingot import pipeline
from ingot_runtime.trees import attributes_of

sys.path.append(str(Path(__file__).parents[2] / "support"))
from accelerators import for_accelerators

#: What `INGOT_WITHOUT` may name, as a test compares: passes that only make programs faster.
PASSES = (
    "absorb-negations", "broadcast-products", "call-linalg", "cancel-transposes", "carry-stored",
    "chunk-reductions", "contract-sums", "distribute-loops", "factor-products", "form-convolutions",
    "form-fusions", "forward-updates", "hoist-checks", "narrow-products", "promote-elements",
    "prune-carried", "raise-additions", "raise-loops", "raise-products", "relax-products",
    "scale-products", "select-branches", "sink-updates", "sum-operands", "turn-loops",
    # On kernels.
    "split-axes", "merge-fills", "orient-products", "fuse-products", "fuse-loops", "store-carried",
    "hoist-reads", "reload-updates", "jam-loops",
)  # fmt: skip
#: The types of numbers.
NUMBERS = (bool, int, float, complex, np.generic)
#: The module of a program whose second process finds it in the disk cache.
MODULE = "program_of_the_disk_cache"

Program = dict[str, Any]
Way = Callable[[str, Program], Outcome]


class Declared(Comparison):
    """Compares results of artifacts, in which a number has one declared type on every path, and
    instances and named tuples have a class of the same name (docs/artifacts.md)."""

    def compare(self, actual: Any, expected: Any, path: str) -> None:
        if _stands_for(type(actual), type(expected)):
            self.compare(_fields_of(actual), _fields_of(expected), path)
            return
        both = actual, expected
        if type(actual) is not type(expected) and all(isinstance(each, NUMBERS) for each in both):
            of_actual, of_expected = (np.asarray(each).dtype.kind for each in both)
            # None of the digits may be lost (docs/differences.md).
            joined = type(actual)(expected) if is_joined(of_actual, of_expected) else None
            if joined == expected or joined != joined:
                expected = joined
        super().compare(actual, expected, path)


def _stands_for(made: type, original: type) -> bool:
    """Whether a class of an artifact stands for one of the program."""
    is_made = made.__module__ == "types" and dataclasses.is_dataclass(made)
    is_record = is_made or (issubclass(made, tuple) and hasattr(made, "_fields"))
    return is_record and made is not original and made.__name__ == original.__name__


def _fields_of(value: Any) -> dict[str, Any]:
    return value._asdict() if isinstance(value, tuple) else attributes_of(value)


def judged(
    text: str, namespace: Program, compiled: Any, comparison: type[Comparison] = Comparison
) -> Outcome:
    rtol, identity = tolerance(text), comparison is Comparison
    return worst(text, namespace, compiled, lambda: comparison(rtol=rtol, identity=identity))


def native(text: str, namespace: Program) -> Outcome:
    return judged(text, namespace, ingot.jit(namespace["f"], native=True))


def xla(text: str, namespace: Program) -> Outcome:
    return judged(text, namespace, ingot.jit(namespace["f"], native=False))


def strict(text: str, namespace: Program) -> Outcome:
    return judged(text, namespace, ingot.jit(namespace["f"], strict_fp=True))


def accelerator(text: str, namespace: Program) -> Outcome:
    """By the pipeline of accelerators, on the CPU."""
    with for_accelerators():
        return judged(text, namespace, ingot.jit(namespace["f"], native=False))


def without(text: str, namespace: Program) -> Outcome:
    """Without a random half of the passes that only make programs faster."""
    rng = random.Random(zlib.crc32(text.encode()))
    left_out = tuple(name for name in PASSES if rng.random() < 0.5)
    before = pipeline.additions().without
    pipeline.change(without=left_out)
    try:
        found = judged(text, namespace, ingot.jit(namespace["f"]))
    finally:
        pipeline.change(without=before)
    names = f"\nINGOT_WITHOUT={','.join(left_out)}" if found.bad else ""
    return replace(found, detail=found.detail + names)


def artifact(text: str, namespace: Program) -> Outcome:
    """Exported for the arguments of each case, saved, loaded and run."""
    f = namespace["f"]
    makers = iter(namespace["CASES"])

    def call(*args: Any) -> Any:
        made = ingot.export(f, *next(makers)(), name="f")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.ingot")
            made.save(path)
            return ingot.load(path)(*args)

    return judged(text, namespace, call, Declared)


@contextlib.contextmanager
def _module(text: str, path: Path) -> Iterator[Program]:
    """The program as a module that can be imported: only such functions are kept on disk."""
    path.write_text(text)
    module = types.ModuleType(MODULE)
    module.__file__ = str(path)
    # The modules that the program imports stay: a class of a module that is imported again is another.
    sys.modules[MODULE] = module
    try:
        exec(compile(text, str(path), "exec", dont_inherit=True), vars(module))
        yield vars(module)
    finally:
        del sys.modules[MODULE]


def disk(text: str, namespace: Program) -> Outcome:
    """As a module that is loaded again, for which the disk cache has the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{MODULE}.py"
        with mock.patch.dict(os.environ, {"INGOT_CACHE_DIR": str(Path(folder) / "cache")}):
            for _ in range(2):
                with _module(text, path) as module:
                    found = judged(text, module, ingot.jit(module["f"]))
    return found


WAYS: dict[str, Way] = {
    "native": native, "xla": xla, "strict": strict, "artifact": artifact, "accelerator": accelerator,
    "without": without, "disk": disk,
}  # fmt: skip


def judge(text: str) -> Outcome:
    """Runs a program in all ways; the worst of the verdicts, with the name of the way."""
    found = {name: way(text, loaded(text)) for name, way in WAYS.items()}
    first = found["native"]
    for name, each in found.items():
        alone = each.verdict == "refused" and first.verdict != "refused" and name != "artifact"
        verdict = "false" if alone else each.verdict
        found[name] = replace(each, verdict=verdict, detail=f"{name}: {each.detail}")
    if found["artifact"].verdict == "refused":
        del found["artifact"]
    return max(found.values(), key=lambda o: VERDICTS.index(o.verdict))
