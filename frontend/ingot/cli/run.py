"""`ingot run`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ingot.cli.output import as_json, print_json, progress


@click.command("run")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--input", "inputs", multiple=True, metavar="[NAME=]FILE",
              help="An .npy, .npz or .json file, or - for standard input.")  # fmt: skip
@click.option("--entry", metavar="NAME", help="The entry point; needed if there are several.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
              help="The .npz file, or for a single result .npy, to write.")  # fmt: skip
@click.option("--native", is_flag=True,
              help="Run the artifact's machine code, if it is for this machine.")  # fmt: skip
@as_json
def command(
    path: Path,
    inputs: tuple[str, ...],
    entry: str | None,
    output: Path | None,
    native: bool,
    as_json: bool,
) -> None:
    """Run an artifact on arrays.

    An .npz or .json file contains arguments by name. An .npy file is the next array argument that
    no other input provides. Without --output, the results are printed. An array argument that the
    function stores to is a result, too.

    \b
    ingot run mlp.ingot --input x.npy -o y.npy
    echo '{"x": [[1, 2]], "k": 3}' | ingot run m.ingot --input - --json
    """
    from ingot.cli import arrays
    from ingot_runtime.loader import load

    if output is not None and output.suffix not in (".npy", ".npz"):
        raise click.UsageError(f"{output} ends neither with .npy nor with .npz")
    loaded = load(path, native=native)
    if entry is None and len(loaded.entry_points) > 1:
        names = ", ".join(loaded.entry_points)
        raise click.UsageError(f"{path} has several entry points; give --entry, of {names}")
    name = entry or next(iter(loaded.entry_points))
    if name not in loaded.entry_points:
        names = ", ".join(loaded.entry_points)
        raise click.UsageError(f"there is no entry point {name}; there are {names}")
    chosen = loaded.entry_points[name]
    values = arrays.arguments(chosen.arguments, arrays.read(inputs, chosen.arguments))
    with progress(f"running {name}"):
        given = chosen.run_outputs(values)
    results = {leaf.name: value for leaf, value in zip(chosen.outputs, given, strict=True)}
    if output is not None:
        arrays.store(output, results)
    if as_json:
        print_json({name: arrays.to_json(value) for name, value in results.items()})
    elif output is None:
        _show(results)


def _show(results: dict[str, Any]) -> None:
    import numpy as np

    for name, value in results.items():
        shape = f"{value.dtype}{list(value.shape)} " if isinstance(value, np.ndarray) else ""
        text = str(value)
        click.echo(f"{name}: {shape}{chr(10) if chr(10) in text else ''}{text}")
