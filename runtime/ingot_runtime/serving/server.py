"""`serve`: starts, runs and stops the servers."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import uvicorn

from ingot_runtime import meshes
from ingot_runtime.serving import limits, rest, rpc
from ingot_runtime.serving.dataplane import ArtifactDataPlane
from ingot_runtime.serving.limits import InFlight
from ingot_runtime.serving.options import Options
from ingot_runtime.serving.repository import Repository

logger = logging.getLogger("ingot.serving")

#: The seconds that connections made just before the end have to send their request.
LINGER = 0.2
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve(options: Options, started: Callable[[dict[str, int]], None] | None = None) -> None:
    """Serve until SIGTERM or SIGINT; requests that have arrived by then are answered.

    Args:
        options: the options.
        started: called with the ports by protocol ("http", "grpc") when the models are loaded.

    Raises:
        OSError: the folder does not exist, or a port is in use.
    """
    if not options.models.exists():
        raise FileNotFoundError(f"there is no {options.models}")
    if options.host not in _LOOPBACK and not options.token:
        logger.warning("everyone who reaches %s can use the models: no token is set", options.host)
    with ThreadPoolExecutor(max(4, os.cpu_count() or 1), "ingot") as executor:
        repository = Repository(
            options.models, options.batching, executor, native=options.native,
            mesh=meshes.mesh(**options.mesh) if options.mesh else None,
        )  # fmt: skip
        repository.refresh()
        if not repository.get_models():
            logger.warning("there is no model yet in %s", options.models)
        with asyncio.Runner(
            loop_factory=uvicorn.Config("", log_config=None).get_loop_factory()
        ) as runner:
            runner.run(_serve(options, repository, started or (lambda ports: None)))


async def _serve(
    options: Options, repository: Repository, started: Callable[[dict[str, int]], None]
) -> None:
    plane, in_flight = ArtifactDataPlane(repository), InFlight(options.in_flight)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    ports: dict[str, int] = {}
    endings: list[Callable[[], Awaitable[Any]]] = []
    listening = None
    if options.http_port is not None:
        listening = _listening(options.host, options.http_port)
        ports["http"] = listening.getsockname()[1]
    if options.grpc_port is not None:
        made, ports["grpc"] = rpc.server(plane, options, in_flight)
        await made.start()
        endings.append(lambda: made.stop(options.grace))
    if listening is not None:
        http = _http(plane, options, in_flight)
        running = asyncio.create_task(http.serve([listening]))
        running.add_done_callback(lambda _: stop.set())
        endings.append(lambda: _end(http, running))
    watch = asyncio.create_task(_watch(repository, options.poll))
    logger.info("serving %s at %s, ports %s", options.models, options.host, ports)
    started(ports)
    await stop.wait()
    logger.info("stopping")
    # Load balancers see that the server is not ready, and clients reconnect elsewhere.
    plane.draining = True
    await asyncio.sleep(options.drain)
    watch.cancel()
    await asyncio.gather(*(end() for end in endings))
    logger.info("stopped")


async def _end(http: uvicorn.Server, running: asyncio.Task[None]) -> None:
    # Wait for requests on open connections: uvicorn would close these without reading them.
    for listener in http.servers:
        listener.close()
    await asyncio.sleep(LINGER)
    http.should_exit = True
    await running


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise OSError(f"can't listen at {host}:{port} for HTTP: {error.strerror}") from None


class _Uvicorn(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `_serve`, which stops both servers."""
        yield


def _http(plane: ArtifactDataPlane, options: Options, in_flight: InFlight) -> uvicorn.Server:
    config = uvicorn.Config(
        rest.application(plane, options, in_flight),
        http=limits.protocol(options.connections, options.receive),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=int(options.grace),
        timeout_keep_alive=65,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
    )
    return _Uvicorn(config)


async def _watch(repository: Repository, seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await asyncio.to_thread(repository.refresh)
        except Exception:
            logger.exception("the folder of models can't be read")
