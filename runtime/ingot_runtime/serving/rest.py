"""The protocol over HTTP: KServe's endpoints, extended by versions."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import math
import time
from collections.abc import Callable
from typing import Any

import orjson
from fastapi import APIRouter, FastAPI
from fastapi.requests import Request
from fastapi.responses import Response
from kserve.errors import ModelNotReady
from kserve.protocol.rest.server import metrics_handler
from kserve.protocol.rest.v2_endpoints import V2Endpoints

from ingot_runtime.serving.dataplane import ArtifactDataPlane
from ingot_runtime.serving.failures import rest_failure, status_of
from ingot_runtime.serving.limits import InFlight, RequestTooLarge, RequestTooSlow
from ingot_runtime.serving.options import Options
from ingot_runtime.serving.repository import key

access = logging.getLogger("ingot.access")

_MODEL, _VERSION = "/models/{name}", "/versions/{version}"
#: The paths that need no token, since orchestrators probe them without one.
_OPEN = ("/v2/health/live", "/v2/health/ready")


#: Bodies above this size are converted on a thread, so that the loop answers others.
_SMALL = 64 << 10


def application(plane: ArtifactDataPlane, options: Options, in_flight: InFlight) -> Any:
    """The ASGI application."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    endpoints = _Endpoints(plane)
    router = APIRouter(prefix="/v2")
    for path, endpoint in (
        ("", endpoints.metadata),
        ("/health/live", endpoints.live),
        ("/health/ready", endpoints.ready),
        ("/models", endpoints.models),
    ):
        router.add_api_route(path, endpoint, methods=["GET"], response_model=None)
    for path in (_MODEL, _MODEL + _VERSION):
        router.add_api_route(path, endpoints.of_model, methods=["GET"], response_model=None)
        router.add_api_route(f"{path}/ready", endpoints.is_ready, methods=["GET"])
        router.add_api_route(f"{path}/infer", endpoints.answer, methods=["POST"])
    app.include_router(router)
    app.add_api_route("/metrics", metrics_handler, methods=["GET"])
    app.add_exception_handler(Exception, rest_failure)
    return _Gate(app, plane, options, in_flight)


class _Endpoints(V2Endpoints):
    """KServe's endpoints, extended by versions."""

    async def of_model(self, name: str, version: str | None = None) -> dict[str, Any]:
        return await self.dataplane.metadata_of(name, version)

    async def is_ready(self, name: str, version: str | None = None) -> dict[str, Any]:
        if not await self.dataplane.model_ready(key(name, version)):
            raise ModelNotReady(name)
        return {"name": name, "ready": True}

    async def answer(self, request: Request, name: str, version: str | None = None) -> Response:
        model = key(name, version)
        self.dataplane.get_model_from_registry(model)
        headers = dict(request.headers)
        body = await request.body()
        decode = self.dataplane.decode_inference_request
        decoded = await _converted(len(body), decode, body, headers, model)
        response, _ = await self.dataplane.infer(model, decoded, headers)
        return await _converted(_size(response), _encoded, response)


def _encoded(response: Any) -> Response:
    content, length = response.to_rest()
    if length is None:
        return Response(orjson.dumps(content), media_type="application/json")
    return Response(
        content,
        media_type="application/octet-stream",
        headers={"Inference-Header-Content-Length": str(length)},
    )


def _size(response: Any) -> int:
    """The number of items of a response."""
    return sum(math.prod(output.shape) for output in response.outputs)


async def _converted(size: int, convert: Callable[..., Any], *args: Any) -> Any:
    return convert(*args) if size <= _SMALL else await asyncio.to_thread(convert, *args)


class _Gate:
    """ASGI middleware: checks tokens, sizes and times, logs, and closes connections at the end."""

    def __init__(
        self, app: Any, plane: ArtifactDataPlane, options: Options, in_flight: InFlight
    ) -> None:
        self._app, self._plane, self._options = app, plane, options
        self._in_flight = in_flight

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.monotonic()
        headers = dict(scope["headers"])
        refused = self._refusal(scope["path"], headers)
        body = _Body(receive, self._options, self._in_flight)
        answered: dict[str, Any] = {}

        async def noted(message: Any) -> None:
            if message["type"] == "http.response.start":
                answered["status"] = message["status"]
                if self._plane.draining or body.refused:
                    message["headers"] = [*message["headers"], (b"connection", b"close")]
            await send(message)

        try:
            if refused:
                await _answer(noted, *refused)
            else:
                await self._app(scope, body.receive, noted)
        except Exception as error:
            # If FastAPI has answered, it raises the exception again only for servers to log it.
            if not answered:
                status, _, text = status_of(error)
                await _answer(noted, status, text)
        finally:
            self._in_flight.release(body)
            access.info(
                "%s %s", scope["method"], scope["path"],
                extra={"status": answered.get("status"), "seconds": time.monotonic() - started},
            )  # fmt: skip

    def _refusal(self, path: str, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        if path not in _OPEN and not allowed(
            self._options.token, headers.get(b"authorization", b"").decode("latin-1")
        ):
            return 401, "the request has no valid token: Authorization: Bearer TOKEN"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._options.largest_request:
            return 413, str(RequestTooLarge(self._options.largest_request))
        return None


class _Body:
    """The body of a request, within the limits.

    Attributes:
        refused: whether the rest of the body is not received.
    """

    def __init__(self, receive: Any, options: Options, in_flight: InFlight) -> None:
        self._receive, self._options, self._in_flight = receive, options, in_flight
        self._size, self._more, self.refused = 0, True, False
        self._end = asyncio.get_running_loop().time() + options.receive

    async def receive(self) -> Any:
        """ASGI's `receive`.

        Raises:
            RequestTooSlow, RequestTooLarge, TooManyBytes: a limit is exceeded.
        """
        if not self._more:
            return await self._receive()
        try:
            return await self._part()
        except Exception:
            self.refused = True
            raise

    async def _part(self) -> Any:
        try:
            async with asyncio.timeout_at(self._end):
                message = await self._receive()
        except TimeoutError:
            raise RequestTooSlow(self._options.receive) from None
        count = len(message.get("body", b""))
        self._size += count
        if self._size > self._options.largest_request:
            raise RequestTooLarge(self._options.largest_request)
        self._in_flight.take(self, count)
        self._more = message.get("more_body", False)
        return message


def allowed(token: str, authorization: str) -> bool:
    """Whether a client has sent the right token, or none is needed."""
    expected = f"Bearer {token}".encode()
    return not token or hmac.compare_digest(authorization.encode(), expected)


async def _answer(send: Any, status: int, text: str) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": text}).encode()})
