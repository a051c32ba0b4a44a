"""`ingot serve`."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import click

from ingot.cli.output import as_json, print_json

_PORT = click.IntRange(0, 65535)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _mesh(context: Any, option: Any, given: str | None) -> dict[str, int]:
    """The axes of a mesh from text such as "data=4,model=2"."""
    found = {}
    for each in given.split(",") if given else ():
        name, _, size = each.partition("=")
        if not name.isidentifier() or not size.isdecimal() or int(size) == 0 or name in found:
            raise click.BadParameter(f"{each!r} is no axis of a mesh: --mesh data=4,model=2")
        found[name] = int(size)
    return found


@click.command("serve")
@click.argument("models", type=click.Path(exists=True, path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--http-port", type=_PORT, default=8080, show_default=True, help="0 chooses a free one."
)
@click.option(
    "--grpc-port", type=_PORT, default=8081, show_default=True, help="0 chooses a free one."
)
@click.option("--no-http", is_flag=True, help="Serve only gRPC.")
@click.option("--no-grpc", is_flag=True, help="Serve only HTTP.")
@click.option(
    "--native",
    is_flag=True,
    help="Run the artifacts' machine code, where it is for this machine. It can do whatever its "
    "maker wrote.",
)
@click.option(
    "--mesh",
    callback=_mesh,
    metavar="AXIS=SIZE,...",
    help="Devices that share the items of calls, such as data=4. On the CPU, the process has as "
    "many devices, unless INGOT_CPU_DEVICES says otherwise.",
)
@click.option(
    "--max-batch",
    type=click.IntRange(1),
    default=64,
    show_default=True,
    help="The most items in one call; 1 turns the joining of requests off.",
)
@click.option(
    "--batch-delay-ms",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    help="How long a call that is not full waits for more requests.",
)
@click.option(
    "--poll-seconds",
    type=click.FloatRange(0.01),
    default=1.0,
    show_default=True,
    help="The interval between checks of the folder for changes.",
)
@click.option(
    "--max-request-mib",
    type=click.FloatRange(0, min_open=True),
    default=64.0,
    show_default=True,
    help="The largest request.",
)
@click.option(
    "--max-in-flight-mib",
    type=click.FloatRange(0, min_open=True),
    default=512.0,
    show_default=True,
    help="The most memory of all requests that are being received or answered.",
)
@click.option(
    "--max-connections",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="The most open HTTP connections, and the most gRPC calls at once.",
)
@click.option(
    "--receive-seconds",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="How long a request may take to arrive, and an answer may stay unread.",
)
@click.option(
    "--token-file",
    type=_FILE,
    help="A file with the token that clients must send as Authorization: Bearer TOKEN; "
    "or set the variable INGOT_TOKEN.",
)
@click.option("--tls-cert", type=_FILE, help="The certificate, a PEM file; needs --tls-key.")
@click.option("--tls-key", type=_FILE, help="The private key, a PEM file.")
@click.option(
    "--drain-seconds",
    type=click.FloatRange(0),
    default=1.0,
    show_default=True,
    help="How long to accept requests after SIGTERM, while reporting not ready.",
)
@click.option(
    "--grace-seconds",
    type=click.FloatRange(0),
    default=30.0,
    show_default=True,
    help="How long running requests may take after that.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
)
@as_json
def command(
    models: Path,
    host: str,
    http_port: int,
    grpc_port: int,
    no_http: bool,
    no_grpc: bool,
    native: bool,
    mesh: dict[str, int],
    max_batch: int,
    batch_delay_ms: float,
    poll_seconds: float,
    max_request_mib: float,
    max_in_flight_mib: float,
    max_connections: int,
    receive_seconds: float,
    token_file: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    drain_seconds: float,
    grace_seconds: float,
    log_level: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Serve artifacts with the Open Inference Protocol v2, over HTTP and gRPC.

    MODELS is an artifact, or a folder with NAME.ingot and NAME/VERSION.ingot files, which may
    change while it is served. Logs go to standard error, one JSON object a line. --json prints the
    ports as JSON.

    \b
    ingot serve models/ --http-port 8080 --grpc-port 8081
    """
    # It is read when the first device is used.
    os.environ.setdefault("INGOT_CPU_DEVICES", str(math.prod(mesh.values())))
    from ingot_runtime.serving.options import Batching, Options

    token = token_file.read_text().strip() if token_file else os.environ.get("INGOT_TOKEN", "")
    if token_file and not token:
        raise click.UsageError(f"{token_file} does not contain a token")
    options = Options(
        models,
        host=host,
        http_port=None if no_http else http_port,
        grpc_port=None if no_grpc else grpc_port,
        native=native,
        mesh=mesh,
        batching=Batching(max_batch, batch_delay_ms / 1e3),
        poll=poll_seconds,
        largest_request=int(max_request_mib * 2**20),
        in_flight=int(max_in_flight_mib * 2**20),
        connections=max_connections,
        receive=receive_seconds,
        token=token,
        certificate=tls_cert,
        key=tls_key,
        drain=drain_seconds,
        grace=grace_seconds,
    )
    try:
        from ingot_runtime.serving import logs, server
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"serving needs {error.name}: pip install 'ingot[serve]'"
        ) from None
    logs.configure(log_level)

    def started(ports: dict[str, int]) -> None:
        if as_json:
            print_json(ports)
            return
        for protocol, port in ports.items():
            scheme = "https" if protocol == "http" and tls_cert else protocol
            click.echo(f"{scheme}://{host}:{port}")

    server.serve(options, started)
