"""The protocol over gRPC: KServe's servicer, extended by versions and the token."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc
from grpc_interceptor.server import AsyncServerInterceptor
from kserve.errors import InvalidInput
from kserve.protocol.grpc import grpc_predict_v2_pb2 as messages
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import (
    add_GRPCInferenceServiceServicer_to_server as add_to_server,
)
from kserve.protocol.grpc.servicer import InferenceServicer
from kserve.protocol.model_repository_extension import ModelRepositoryExtension

from ingot_runtime.serving.dataplane import ArtifactDataPlane
from ingot_runtime.serving.failures import status_of
from ingot_runtime.serving.limits import InFlight
from ingot_runtime.serving.options import Options
from ingot_runtime.serving.repository import key
from ingot_runtime.serving.rest import allowed

access = logging.getLogger("ingot.access")

_OPEN = ("ServerLive", "ServerReady")


def server(plane: ArtifactDataPlane, options: Options, in_flight: InFlight) -> tuple[Any, int]:
    """A gRPC server that is not started yet, and its port.

    Raises:
        OSError: the port is in use.
    """
    made = grpc.aio.server(
        interceptors=[_Gate(options, in_flight)],
        maximum_concurrent_rpcs=options.connections,
        options=[
            # Peers that are gone are noticed, and connections without calls are closed.
            ("grpc.keepalive_time_ms", 60_000),
            ("grpc.max_connection_idle_ms", 600_000),
            ("grpc.server_handshake_timeout_ms", int(options.receive * 1000)),
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


@dataclass
class _Received:
    """A request: its size, and its message or why it has none."""

    size: int
    message: Any = None
    failure: str = ""


class _Gate(AsyncServerInterceptor):
    """An interceptor: checks the token and limits, turns exceptions into statuses, and logs."""

    def __init__(self, options: Options, in_flight: InFlight) -> None:
        self._token, self._in_flight = options.token, in_flight

    async def intercept_service(self, continuation: Any, details: Any) -> Any:
        async def received(details: Any) -> Any:
            handler = await continuation(details)
            if handler is None:
                return None
            decode = handler.request_deserializer
            return handler._replace(request_deserializer=lambda raw: _received(raw, decode))

        return await super().intercept_service(received, details)

    async def intercept(self, method: Any, request: Any, context: Any, name: str) -> Any:
        started, status = time.monotonic(), grpc.StatusCode.OK
        try:
            sent = dict(context.invocation_metadata() or ()).get("authorization", "")
            if name.rpartition("/")[2] not in _OPEN and not allowed(self._token, sent):
                status = grpc.StatusCode.UNAUTHENTICATED
                await context.abort(status, "the request has no valid token")
            try:
                if request.failure:
                    raise InvalidInput(f"the request is malformed: {request.failure}")
                self._in_flight.take(context, request.size)
                return await method(request.message, context)
            except Exception as error:
                _, status, message = status_of(error)
                await context.abort(status, message)
        finally:
            self._in_flight.release(context)
            extra = {"status": status.name, "seconds": time.monotonic() - started}
            access.info("%s", name, extra=extra)


def _received(raw: bytes, decode: Callable[[bytes], Any]) -> _Received:
    """gRPC would answer UNKNOWN, and log a traceback, for an exception of its deserializer."""
    try:
        return _Received(len(raw), decode(raw))
    except Exception as error:
        return _Received(len(raw), failure=str(error))
