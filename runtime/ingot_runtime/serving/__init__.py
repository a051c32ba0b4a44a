"""Serves artifacts by the Open Inference Protocol v2, on KServe's SDK; needs no compiler.

`pip install ingot[serve]` brings what this package imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingot_runtime.serving.options import Batching, Options

if TYPE_CHECKING:
    from ingot_runtime.serving.model import ArtifactModel
    from ingot_runtime.serving.server import serve

__all__ = ["ArtifactModel", "Batching", "Options", "serve"]


def __getattr__(name: str) -> Any:
    # The options are read before it is known that KServe is there.
    if name == "ArtifactModel":
        from ingot_runtime.serving.model import ArtifactModel

        return ArtifactModel
    if name == "serve":
        from ingot_runtime.serving.server import serve

        return serve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
