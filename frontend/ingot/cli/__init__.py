"""The command `ingot`: compile, run, inspect and serve artifacts, and launch processes."""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from typing import Any

import click

from ingot import __version__
from ingot_runtime.errors import ArtifactError, IngotError

#: Exit codes; click uses 2 for a wrong command line.
FAILED, NOT_COMPILED, NO_ARTIFACT, INTERRUPTED = 1, 3, 4, 130

_SHELLS = ("bash", "fish", "zsh")
#: Each command is in a module of its own, which is imported when the command is used.
_COMMANDS = ("cache", "compile", "inspect", "launch", "run", "serve")


class _Commands(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return sorted([*super().list_commands(context), *_COMMANDS])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in _COMMANDS:
            return import_module(f"ingot.cli.{name}").command
        return super().get_command(context, name)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ingot")
def ingot() -> None:
    """Compile NumPy functions ahead of time into artifacts, and inspect, run and serve these.

    \b
    Exit codes: 1 the program failed, 2 the command line is wrong, 3 the source can't be
    compiled, 4 the artifact can't be read, 130 interrupted.

    \b
    ingot compile mlp.py:predict --arg x=f32[n,784]
    ingot run predict.ingot --input x.npy
    """


@ingot.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print a shell script that completes commands, options and files.

    For example in ~/.bashrc: eval "$(ingot completion bash)"
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, "click knows the shells that it offers"
    click.echo(kind(ingot, {}, "ingot", "_INGOT_COMPLETE").source())


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit. An error is a single message, without a traceback.

    Args:
        arguments: the command line without the program name; sys.argv[1:] by default.

    Raises:
        SystemExit: always, with the exit code.
    """
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        result: Any = ingot.main(arguments, "ingot", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe. Discard the rest, or Python fails again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except ArtifactError as error:
        return _failure(error, NO_ARTIFACT)
    except IngotError as error:
        return _failure(error, NOT_COMPILED)
    except Exception as error:
        return _failure(error, FAILED)


def _failure(error: Exception, code: int) -> int:
    kind = "" if isinstance(error, IngotError) else f"{type(error).__name__}: "
    text = "\n".join([f"{kind}{error}", *getattr(error, "__notes__", ())])
    click.echo(f"{click.style('error:', fg='red', bold=True)} {text}", err=True)
    if os.environ.get("INGOT_TRACEBACK"):
        traceback.print_exception(error)
    return code
