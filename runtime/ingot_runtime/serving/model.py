"""`ArtifactModel`: an entry point of an artifact as a KServe model."""

from __future__ import annotations

import asyncio
import logging
import os
import uuid
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from kserve import InferRequest, InferResponse, Model
from kserve.errors import InferenceError, InvalidInput

from ingot_runtime.entry_points import EntryPoint
from ingot_runtime.loader import Loaded, load
from ingot_runtime.meshes import Mesh
from ingot_runtime.serving import tensors
from ingot_runtime.serving.batching import Batcher, buckets, largest
from ingot_runtime.serving.options import Batching

logger = logging.getLogger("ingot.serving")


class ArtifactModel(Model):
    """Serves an entry point with the Open Inference Protocol, also in KServe's own servers.

    Args:
        name: the name of the model.
        artifact: the path of an `.ingot` file, or a loaded artifact.
        entry: the name of the entry point; by default the only one.
        version: the version of the model in answers.
        batching: how requests are joined.
        native: whether to run the machine code of the artifact, see `load`; of a path only.
        executor: runs the calls; by default a new one with one thread.

    Raises:
        ArtifactError: the artifact can't be loaded.
        KeyError: the artifact has no such entry point, or several and `entry` is None.
    """

    def __init__(
        self,
        name: str,
        artifact: str | os.PathLike[str] | Loaded,
        *,
        entry: str | None = None,
        version: str = "1",
        batching: Batching | None = None,
        native: bool = False,
        executor: Executor | None = None,
    ) -> None:
        super().__init__(name)
        batching = batching or Batching()
        if not isinstance(artifact, Loaded):
            artifact = opened(artifact, batching, native=native)
        if entry is None and len(artifact.entry_points) != 1:
            raise KeyError(f"give entry=, one of {', '.join(artifact.entry_points)}")
        self.entry: EntryPoint = artifact.entry(entry or next(iter(artifact.entry_points)))
        self.version = version
        # KServe's server reads this attribute.
        self.ready = True
        self._batcher = Batcher(
            self.entry, batching, executor or ThreadPoolExecutor(1, "ingot"), name
        )

    def get_input_types(self) -> list[dict[str, Any]]:
        return tensors.described(self.entry.arguments)

    def get_output_types(self) -> list[dict[str, Any]]:
        return tensors.described(self.entry.outputs)

    async def predict(self, payload: Any, headers: Any = None, response_headers: Any = None) -> Any:
        """Answer a request of version 2 of the protocol.

        Raises:
            InvalidInput: the request is malformed, or a check of the function fails.
            InferenceError: the call fails for another reason, which is logged.
        """
        if not isinstance(payload, InferRequest):
            raise InvalidInput("this model speaks version 2 of the protocol only: /v2/models/...")
        facts = self.entry.facts
        values = tensors.values(self.entry.arguments, facts.changed, payload.inputs)
        try:
            self.entry.sizes_of(values)
        except (TypeError, ValueError) as error:
            raise InvalidInput(str(error)) from None
        found = tensors.outputs(self.entry.outputs, await self._results(values))
        return InferResponse(
            response_id=payload.id or str(uuid.uuid4()),
            model_name=self.name,
            model_version=self.version,
            infer_outputs=_requested(payload, found),
            from_grpc=payload.from_grpc,
            use_binary_outputs=payload.use_binary_outputs,
            requested_outputs=None if payload.from_grpc else payload.request_outputs,
        )

    async def _results(self, values: list[Any]) -> list[Any]:
        try:
            return await self._batcher.run(values)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            if not hasattr(error, "check"):
                logger.exception("model %s failed", self.name)
                raise InferenceError(f"model {self.name} failed") from None
            # An exception of the function: clients get its message without the source position.
            raise InvalidInput(f"{type(error).__name__}: {error}") from None


def opened(
    path: str | os.PathLike[str], batching: Batching, *, native: bool, mesh: Mesh | None = None
) -> Loaded:
    """Load an artifact, and compile its entry points for all buckets.

    Raises:
        ArtifactError: the artifact can't be loaded.
    """
    loaded = load(path, native=native, mesh=mesh)
    for entry in loaded.entry_points.values():
        if entry.batch is not None:
            entry.use_buckets(buckets(largest(entry, batching)))
        entry.warmup()
    return loaded


def _requested(request: InferRequest, outputs: list[Any]) -> list[Any]:
    """The outputs that the request lists, in its order; all if it lists none.

    Raises:
        InvalidInput: a listed output does not exist.
    """
    if not request.request_outputs:
        return outputs
    by_name = {output.name: output for output in outputs}
    names = [output.name for output in request.request_outputs]
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise InvalidInput(f"unknown output {', '.join(unknown)}; outputs are {', '.join(by_name)}")
    return [by_name[name] for name in names]
