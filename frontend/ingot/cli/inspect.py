"""`ingot inspect`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ingot.cli.output import as_json, print_json, readable_size


@click.command("inspect")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--ir", "entry", metavar="ENTRY", help="Print the StableHLO of an entry point.")
@as_json
def command(path: Path, entry: str | None, as_json: bool) -> None:
    """Show the contents of an artifact: signatures, named dimensions, weights, members and hashes.

    The whole file is verified, and none of its code runs.

    \b
    ingot inspect mlp.ingot
    ingot inspect mlp.ingot --ir predict
    """
    from ingot_runtime.container import Container
    from ingot_runtime.inspection import lines, summary
    from ingot_runtime.validation import contents_of

    container = Container(path)
    entries = contents_of(container).entries
    if entry is not None:
        click.echo(_stablehlo(container, entries, entry))
        return
    try:
        contents = summary(entries, container.manifest)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise container.error(f"its manifest is malformed ({error})") from None
    members = {name: (len(container.member(name)), container.sha256(name))
               for name in sorted(container.manifest["members"])}  # fmt: skip
    number = container.manifest["format"]
    if as_json:
        hashes = {name: {"size": size, "sha256": sha} for name, (size, sha) in members.items()}
        print_json({"path": str(path), "format": number, **contents, "members": hashes})
        return
    made = ", ".join(f"{name} {version}" for name, version in contents["producer"].items())
    click.echo(f"{path}: {readable_size(path.stat().st_size)}, format {number}, "
               f"StableHLO {contents['stablehlo']}, made by {made}")  # fmt: skip
    for name, facts in contents["entry_points"].items():
        click.echo("\n".join(["", *lines(name, facts)]))
    if contents["weights"]:
        click.echo("\nweights")
    for name, facts in contents["weights"].items():
        click.echo(f"  {name}: {facts['dtype']}[{','.join(map(str, facts['shape']))}]")
    click.echo("\nmembers")
    for name, (size, sha) in members.items():
        click.echo(f"  {sha}  {readable_size(size):>10}  {name}")


def _stablehlo(container: Any, entries: dict[str, Any], name: str) -> str:
    from ingot_runtime import stablehlo

    if name not in entries:
        raise click.UsageError(f"there is no entry point {name}; there are {', '.join(entries)}")
    variant = entries[name].variants["fast"]
    meanings = [f"// {number} stands for {size}\n" for number, size in variant.literals.items()]
    return "".join(meanings) + str(stablehlo.parse(bytes(container.member(variant.module))))
