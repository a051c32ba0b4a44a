"""The protocol over gRPC: KServe's servicer, extended by versions and the token."""

from __future__ import annotations

import logging
import time
from typing import Any

import grpc
from grpc_interceptor.server import AsyncServerInterceptor
from kserve.protocol.grpc import grpc_predict_v2_pb2 as messages
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import (
    add_GRPCInferenceServiceServicer_to_server as add_to_server,
)
from kserve.protocol.grpc.servicer import InferenceServicer
from kserve.protocol.model_repository_extension import ModelRepositoryExtension

from ingot_runtime.serving.dataplane import ArtifactDataPlane
from ingot_runtime.serving.failures import status_of
from ingot_runtime.serving.options import Options
from ingot_runtime.serving.repository import key
from ingot_runtime.serving.rest import allowed

access = logging.getLogger("ingot.access")

_OPEN = ("ServerLive", "ServerReady")


def server(plane: ArtifactDataPlane, options: Options) -> tuple[Any, int]:
    """A gRPC server that is not started yet, and its port.

    Raises:
        OSError: the port is in use.
    """
    made = grpc.aio.server(
        interceptors=[_Gate(options.token)],
        options=[
            ("grpc.max_receive_message_length", options.largest_request),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),
        ],
    )
    add_to_server(_Servicer(plane, ModelRepositoryExtension(plane.repository)), made)
    host = f"[{options.host}]" if ":" in options.host else options.host
    address = f"{host}:{options.grpc_port}"
    try:
        if options.certificate is None or options.key is None:
            return made, made.add_insecure_port(address)
        pair = options.key.read_bytes(), options.certificate.read_bytes()
        return made, made.add_secure_port(address, grpc.ssl_server_credentials([pair]))
    except RuntimeError:
        raise OSError(f"can't listen at {address} for gRPC") from None


class _Servicer(InferenceServicer):
    """KServe's servicer, extended by versions."""

    _data_plane: ArtifactDataPlane

    async def ModelReady(self, request: Any, context: Any) -> Any:
        request.name = key(request.name, request.version)
        return await super().ModelReady(request, context)

    async def ModelMetadata(self, request: Any, context: Any) -> Any:
        found = await self._data_plane.metadata_of(request.name, request.version)
        return messages.ModelMetadataResponse(**found)

    async def ModelInfer(self, request: Any, context: Any) -> Any:
        request.model_name = key(request.model_name, request.model_version)
        return await super().ModelInfer(request, context)

    # The folder determines the models, so clients can't load or unload them.

    async def RepositoryModelLoad(self, request: Any, context: Any) -> Any:
        raise NotImplementedError("models are loaded from the server's folder")

    async def RepositoryModelUnload(self, request: Any, context: Any) -> Any:
        raise NotImplementedError("models are unloaded by removing them from the server's folder")


class _Gate(AsyncServerInterceptor):
    """An interceptor: checks the token, turns exceptions into statuses, and logs."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def intercept(self, method: Any, request: Any, context: Any, name: str) -> Any:
        started, status = time.monotonic(), grpc.StatusCode.OK
        try:
            sent = dict(context.invocation_metadata() or ()).get("authorization", "")
            if name.rpartition("/")[2] not in _OPEN and not allowed(self._token, sent):
                status = grpc.StatusCode.UNAUTHENTICATED
                await context.abort(status, "the request has no valid token")
            try:
                return await method(request, context)
            except Exception as error:
                _, status, message = status_of(error)
                await context.abort(status, message)
        finally:
            extra = {"status": status.name, "seconds": time.monotonic() - started}
            access.info("%s", name, extra=extra)
