"""`ingot compile`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ingot.cli.output import as_json, print_json, progress


@click.command("compile")
@click.argument("source", metavar="FILE.py:FUNCTION", type=click.Path())
@click.option("--arg", "arguments", multiple=True, metavar="NAME=SPEC",
              help="The type or value of an argument.")  # fmt: skip
@click.option("--size", "sizes", multiple=True, metavar="N=LOW:HIGH",
              help="The inclusive bounds of a named dimension.")  # fmt: skip
@click.option("--name", help="The name of the entry point; by default that of the function.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
              help="The file to write; FUNCTION.ingot by default.")  # fmt: skip
@click.option("--native", is_flag=True, help="Also store machine code for machines as this one.")
@click.option("--strict-fp", is_flag=True,
              help="Round each floating-point operation as IEEE 754 prescribes.")  # fmt: skip
@as_json
def command(
    source: str,
    arguments: tuple[str, ...],
    sizes: tuple[str, ...],
    name: str | None,
    output: Path | None,
    native: bool,
    strict_fp: bool,
    as_json: bool,
) -> None:
    """Compile a function ahead of time into an artifact.

    A SPEC is the dtype and shape of an array, such as f32[n,784], where a name stands for a size
    that each call chooses; or int, float, bool or a dtype, for a number; or a tuple, list or dict
    of SPECs; or a value that the artifact fixes. FUNCTION may also be the name of an
    ingot.Artifact in the file, which can have several entry points.

    \b
    ingot compile mlp.py:predict --arg x=f32[n,784] --size n=1:64 -o mlp.ingot
    """
    from ingot.artifacts import Artifact
    from ingot.cli.specs import argument, bounds, named

    given = dict(map(argument, arguments))
    ranges = dict(map(bounds, sizes))
    found = named(source)
    path = output or Path(f"{source.rpartition(':')[2]}.ingot")
    if not path.resolve().parent.is_dir():
        raise click.UsageError(f"there is no folder {path.parent}")
    with progress(f"compiling {source}"):
        if not isinstance(found, Artifact):
            found = _exported(
                found, given, name=name, sizes=ranges, native=native, strict_fp=strict_fp
            )
        elif given or ranges or name or native or strict_fp:
            raise click.UsageError(f"{source} is an artifact already; give no --arg, --size, ...")
        found.save(path)
    contents = found.inspect()
    if as_json:
        print_json({"path": str(path), "size": path.stat().st_size, **contents})
        return
    for entry, facts in contents["entry_points"].items():
        click.echo(f"{path}: {entry}{facts['signature']}")


def _exported(function: Any, arguments: dict[str, Any], **options: Any) -> Any:
    import inspect

    from ingot.artifacts import export

    if not callable(function):
        raise click.UsageError(f"{function!r} is not a function")
    signature = inspect.signature(function)
    unknown = arguments.keys() - signature.parameters.keys()
    if unknown:
        names = ", ".join(signature.parameters)
        raise click.UsageError(f"no argument {', '.join(sorted(unknown))}; there are {names}")
    for parameter in signature.parameters.values():
        is_one = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if is_one and parameter.default is parameter.empty and parameter.name not in arguments:
            raise click.UsageError(
                f"argument {parameter.name} is missing; give --arg {parameter.name}=SPEC"
            )
    bound = signature.bind(**arguments)
    return export(function, *bound.args, kwargs=bound.kwargs, **options)
