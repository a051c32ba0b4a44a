"""The protocol over HTTP: KServe's endpoints, extended by versions."""

from __future__ import annotations

import hmac
import json
import logging
import time
from typing import Any

import orjson
from fastapi import APIRouter, FastAPI
from fastapi.requests import Request
from fastapi.responses import Response
from kserve.errors import ModelNotReady
from kserve.protocol.rest.server import metrics_handler
from kserve.protocol.rest.v2_endpoints import V2Endpoints

from ingot_runtime.serving.dataplane import ArtifactDataPlane
from ingot_runtime.serving.failures import RequestTooLarge, rest_failure, status_of
from ingot_runtime.serving.options import Options
from ingot_runtime.serving.repository import key

access = logging.getLogger("ingot.access")

_MODEL, _VERSION = "/models/{name}", "/versions/{version}"
#: The paths that need no token, since orchestrators probe them without one.
_OPEN = ("/v2/health/live", "/v2/health/ready")


def application(plane: ArtifactDataPlane, options: Options) -> Any:
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
    return _Gate(app, plane, options)


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
        decoded = self.dataplane.decode_inference_request(await request.body(), headers, model)
        response, _ = await self.dataplane.infer(model, decoded, headers)
        content, length = response.to_rest()
        if length is None:
            return Response(orjson.dumps(content), media_type="application/json")
        return Response(
            content,
            media_type="application/octet-stream",
            headers={"Inference-Header-Content-Length": str(length)},
        )


class _Gate:
    """ASGI middleware: checks tokens and request sizes, logs, and closes connections at the end."""

    def __init__(self, app: Any, plane: ArtifactDataPlane, options: Options) -> None:
        self._app, self._plane, self._options = app, plane, options

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.monotonic()
        headers = dict(scope["headers"])
        refused = self._refusal(scope["path"], headers)
        left = self._options.largest_request
        answered: dict[str, Any] = {}

        async def limited() -> Any:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise RequestTooLarge(self._options.largest_request)
            return message

        async def noted(message: Any) -> None:
            if message["type"] == "http.response.start":
                answered["status"] = message["status"]
                if self._plane.draining:
                    message["headers"] = [*message["headers"], (b"connection", b"close")]
            await send(message)

        try:
            if refused:
                await _answer(noted, *refused)
            else:
                await self._app(scope, limited, noted)
        except Exception as error:
            # If FastAPI has answered, it raises the exception again only for servers to log it.
            if not answered:
                status, _, text = status_of(error)
                await _answer(noted, status, text)
        finally:
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
