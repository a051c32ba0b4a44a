"""The output of commands: progress for people, JSON for programs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

#: The seconds after which progress is shown.
PATIENCE = 1.0

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for other programs.")


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2))


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show a message on the terminal while a command takes long."""
    from rich.console import Console

    status = Console(stderr=True).status(what)
    timer = threading.Timer(PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


def readable_size(count: int) -> str:
    """A number of bytes with a unit, such as "1.5 MiB"."""
    size = float(count)
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
