"""The status and message of failed requests, for both REST and gRPC."""

from __future__ import annotations

import logging
from typing import Any

from grpc import StatusCode
from kserve.errors import InvalidInput, ModelNotFound, ModelNotReady, ServerNotReady
from starlette.requests import ClientDisconnect

from ingot_runtime.serving.limits import RequestTooLarge, RequestTooSlow, TooManyBytes

logger = logging.getLogger("ingot.serving")


#: The HTTP and gRPC status of expected exceptions.
_STATUS: dict[type[Exception], tuple[int, StatusCode]] = {
    InvalidInput: (400, StatusCode.INVALID_ARGUMENT),
    ModelNotFound: (404, StatusCode.NOT_FOUND),
    ModelNotReady: (503, StatusCode.UNAVAILABLE),
    ServerNotReady: (503, StatusCode.UNAVAILABLE),
    RequestTooLarge: (413, StatusCode.RESOURCE_EXHAUSTED),
    RequestTooSlow: (408, StatusCode.DEADLINE_EXCEEDED),
    TooManyBytes: (503, StatusCode.RESOURCE_EXHAUSTED),
    # No one reads this answer; the status is for the log.
    ClientDisconnect: (499, StatusCode.CANCELLED),
    NotImplementedError: (501, StatusCode.UNIMPLEMENTED),
}


def status_of(error: Exception) -> tuple[int, StatusCode, str]:
    """The HTTP status, the gRPC status and the message; unexpected exceptions are logged."""
    for kind, (http, grpc) in _STATUS.items():
        if isinstance(error, kind):
            return http, grpc, str(error)
    logger.error("a request failed: %s", error, exc_info=error)
    return 500, StatusCode.INTERNAL, "internal error; the server's log has it"


async def rest_failure(_: Any, error: Exception) -> Any:
    """An exception handler for FastAPI."""
    from fastapi.responses import JSONResponse

    status, _, message = status_of(error)
    return JSONResponse({"error": message}, status)
