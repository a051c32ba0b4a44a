"""`ingot cache`."""

from __future__ import annotations

from datetime import datetime

import click

from ingot.cli.output import as_json, print_json, readable_size
from ingot_runtime.cache import Cache


@click.group("cache")
def command() -> None:
    """List and clear the disk cache of compiled programs.

    \b
    ingot cache ls
    ingot cache clear
    """


@command.command("ls")
@as_json
def ls(as_json: bool) -> None:
    """List the entries, the most recently used first."""
    cache = Cache.default()
    entries = sorted(cache.entries(), key=lambda entry: -entry.used)
    if as_json:
        print_json(
            {
                "folder": str(cache.folder) if cache.folder else None,
                "entries": [{"key": e.key, "size": e.size, "used": e.used} for e in entries],
            }
        )
        return
    for entry in entries:
        used = datetime.fromtimestamp(entry.used).strftime("%Y-%m-%d %H:%M")
        click.echo(f"{entry.key}  {readable_size(entry.size):>10}  {used}")
    click.echo(_total(cache, len(entries), sum(entry.size for entry in entries)), err=True)


def _total(cache: Cache, count: int, size: int) -> str:
    if cache.folder is None:
        return "the cache is off: INGOT_CACHE_DIR is empty"
    noun = "entry" if count == 1 else "entries"
    return f"{count} {noun}, {readable_size(size)}, in {cache.folder}"


@command.command("clear")
@as_json
def clear(as_json: bool) -> None:
    """Remove all entries. Running processes keep their programs."""
    cache = Cache.default()
    count = cache.clear()
    if as_json:
        print_json({"folder": str(cache.folder) if cache.folder else None, "removed": count})
        return
    click.echo(f"removed {_total(cache, count, 0).split(',')[0]}" if cache.folder else
               _total(cache, 0, 0))  # fmt: skip
