"""Serves artifacts with the Open Inference Protocol v2, based on KServe's SDK.

It does not need the compiler. `pip install ingot[serve]` installs its dependencies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingot_runtime.serving.options import Batching, Options

if TYPE_CHECKING:
    from ingot_runtime.serving.model import ArtifactModel
    from ingot_runtime.serving.server import serve

__all__ = ["ArtifactModel", "Batching", "Options", "serve"]


def __getattr__(name: str) -> Any:
    # Imported late: the command line uses the options even if KServe is not installed.
    if name == "ArtifactModel":
        from ingot_runtime.serving.model import ArtifactModel

        return ArtifactModel
    if name == "serve":
        from ingot_runtime.serving.server import serve

        return serve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
