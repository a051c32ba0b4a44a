"""KServe's data plane, which REST and gRPC share, extended by versions and binary tensors."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import orjson
from kserve import InferInput, InferRequest
from kserve.errors import InvalidInput
from kserve.protocol.dataplane import DataPlane
from kserve.protocol.infer_type import RequestedOutput

from ingot_runtime.serving.repository import Repository, key


class ArtifactDataPlane(DataPlane):
    """The data plane of a repository.

    Attributes:
        repository: the models.
        draining: whether the server is about to stop.
    """

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository)
        self.repository = repository
        self.draining = False

    def metadata(self) -> dict[str, Any]:
        return {
            "name": "ingot",
            "version": metadata.version("ingot"),
            "extensions": ["binary_tensor_data"],
        }

    async def ready(self) -> bool:
        return not self.draining and bool(self.repository.get_models())

    async def metadata_of(self, name: str, version: str | None) -> dict[str, Any]:
        found = await self.model_metadata(key(name, version))
        return {
            **found, "name": name, "versions": self.repository.versions(name), "platform": "ingot"
        }  # fmt: skip

    def decode_inference_request(self, body: Any, headers: dict, model_name: str) -> InferRequest:
        """Decode a request: JSON, followed by binary tensors.

        Raises:
            InvalidInput: the body is malformed.
        """
        length = headers.get("inference-header-content-length", str(len(body)))
        if not length.isdecimal() or int(length) > len(body):
            raise InvalidInput(f"Inference-Header-Content-Length is {length}")
        try:
            content = orjson.loads(body[: int(length)])
        except orjson.JSONDecodeError as error:
            raise InvalidInput(f"the request is not JSON: {error}") from None
        try:
            return _request(content, memoryview(body)[int(length) :], model_name)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, InvalidInput):
                raise
            reason = (
                f"it has no {error}" if isinstance(error, KeyError) else "a field has a wrong type"
            )
            raise InvalidInput(f"the request is malformed: {reason}") from None


def _request(content: dict[str, Any], binary: memoryview, model_name: str) -> InferRequest:
    inputs = []
    for each in content["inputs"]:
        parameters = dict(each.get("parameters") or {})
        tensor = InferInput(
            _text(each["name"]), list(each["shape"]), _text(each["datatype"]), each.get("data"),
            parameters,
        )  # fmt: skip
        if "binary_data_size" in parameters:
            size = parameters["binary_data_size"]
            if type(size) is not int or not 0 <= size <= len(binary):
                raise InvalidInput(f"{tensor.name} has binary_data_size {size}, which is not there")
            tensor._raw_data, binary = binary[:size], binary[size:]
        elif tensor.data is None:
            raise InvalidInput(f"{tensor.name} has no data")
        inputs.append(tensor)
    if len(binary):
        raise InvalidInput(f"{len(binary)} bytes follow the last binary tensor")
    outputs = [
        RequestedOutput(_text(each["name"]), dict(each.get("parameters") or {}))
        for each in content.get("outputs") or ()
    ]
    parameters = dict(content.get("parameters") or {})
    for output in outputs:
        output.parameters.setdefault("binary_data", parameters.get("binary_data_output", False))
    return InferRequest(
        model_name,
        inputs,
        request_id=_text(content["id"]) if content.get("id") is not None else None,
        parameters=parameters,
        request_outputs=outputs or None,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
