"""Ingot compiles the NumPy you already wrote."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# From now on it keeps the texts that are compiled: functions of these have no file.
import ingot._core  # noqa: F401
from ingot.compiled import Compiled, devices
from ingot.jit import jit
from ingot_runtime.errors import (
    ArtifactError,
    CompileError,
    DTypeError,
    IngotError,
    ShapeError,
    UnsupportedError,
)

if TYPE_CHECKING:
    from ingot import debug, distributed, random, tree
    from ingot.artifacts import Artifact, export, spec
    from ingot.autodiff import (
        checkpoint,
        custom_jvp,
        custom_vjp,
        grad,
        hessian,
        jacfwd,
        jacrev,
        jvp,
        stop_gradient,
        value_and_grad,
        vjp,
    )
    from ingot.batching import pmap, vmap
    from ingot.bounding import bound
    from ingot.callbacks import callback
    from ingot.checking import check_grads
    from ingot.checkpoints import restore, save
    from ingot.collectives import all_gather, axis_index, pmax, pmean, pmin, ppermute, psum
    from ingot.extending import load_plugin, primitive
    from ingot.jax_calls import to_jax
    from ingot.jax_functions import from_jax
    from ingot.lowering import Lowered
    from ingot.meshes import P, shard
    from ingot.rewriting import rewrite, rewrites
    from ingot_runtime.alignment import align_arrays
    from ingot_runtime.loader import Loaded, load
    from ingot_runtime.meshes import ShardedArray, mesh

__version__ = "0.1.0"

__all__ = [
    "Artifact",
    "ArtifactError",
    "CompileError",
    "Compiled",
    "DTypeError",
    "IngotError",
    "Loaded",
    "Lowered",
    "P",
    "ShapeError",
    "ShardedArray",
    "UnsupportedError",
    "align_arrays",
    "all_gather",
    "axis_index",
    "bound",
    "callback",
    "check_grads",
    "checkpoint",
    "custom_jvp",
    "custom_vjp",
    "debug",
    "devices",
    "distributed",
    "export",
    "from_jax",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "load",
    "load_plugin",
    "mesh",
    "pmap",
    "pmax",
    "pmean",
    "pmin",
    "ppermute",
    "primitive",
    "psum",
    "random",
    "restore",
    "rewrite",
    "rewrites",
    "save",
    "shard",
    "spec",
    "stop_gradient",
    "to_jax",
    "tree",
    "value_and_grad",
    "vjp",
    "vmap",
]


#: What is imported only by those who use it: names by their modules.
LAZY = {
    "ingot.artifacts": ("Artifact", "export", "spec"),
    "ingot.autodiff": (
        "checkpoint", "custom_jvp", "custom_vjp", "grad", "hessian", "jacfwd", "jacrev", "jvp",
        "stop_gradient", "value_and_grad", "vjp",
    ),
    "ingot.batching": ("pmap", "vmap"),
    "ingot.bounding": ("bound",),
    "ingot.callbacks": ("callback",),
    "ingot.checking": ("check_grads",),
    "ingot.checkpoints": ("restore", "save"),
    "ingot.collectives": (
        "all_gather", "axis_index", "pmax", "pmean", "pmin", "ppermute", "psum",
    ),
    "ingot.extending": ("load_plugin", "primitive"),
    "ingot.jax_calls": ("to_jax",),
    "ingot.jax_functions": ("from_jax",),
    "ingot.lowering": ("Lowered",),
    "ingot.meshes": ("P", "shard"),
    "ingot.rewriting": ("rewrite", "rewrites"),
    "ingot_runtime.alignment": ("align_arrays",),
    "ingot_runtime.loader": ("Loaded", "load"),
    "ingot_runtime.meshes": ("ShardedArray", "mesh"),
}  # fmt: skip
MODULES = ("debug", "distributed", "random", "tree")


# Type checkers would take any name for one of the module's.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in MODULES:
            return importlib.import_module(f"ingot.{name}")
        for module, names in LAZY.items():
            if name in names:
                return getattr(importlib.import_module(module), name)
        raise AttributeError(f"module 'ingot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
