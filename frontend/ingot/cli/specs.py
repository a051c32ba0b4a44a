"""Parses the arguments of `ingot compile`: `file.py:func`, `x=f32[n,784]`, `n=1:64`."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np

from ingot.artifacts import spec
from ingot.dtypes import DTYPES
from ingot_runtime.manifest import NUMPY_BOOL, PYTHON_NUMBERS
from ingot_runtime.sizes import Bounds

#: Dtypes by NumPy's names and by short ones: f32, i64, u8, c128.
_DTYPES = {
    **{dtype.name: dtype for dtype in DTYPES},
    **{f"{dtype.kind}{dtype.itemsize * 8}": dtype for dtype in DTYPES if dtype.kind != "b"},
}


def named(source: str) -> Any:
    """Import the object that `file.py:name` or `package.module:name` stands for.

    Raises:
        click.UsageError: there is no such file, module or name.
        Exception: any exception that the module raises when it is imported.
    """
    module, _, name = source.rpartition(":")
    if not module:
        raise click.UsageError(f"{source!r} names no function; write file.py:function")
    found = _module(module)
    for part in name.split("."):
        if not hasattr(found, part):
            raise click.UsageError(f"{module} has no {name}")
        found = getattr(found, part)
    return found


def _module(name: str) -> Any:
    if not name.endswith(".py"):
        sys.path.insert(0, "")
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name and not name.startswith(error.name):
                raise
            raise click.UsageError(f"there is no module {name}; files end with .py") from None
    path = Path(name)
    if not path.is_file():
        raise click.UsageError(f"there is no file {name}")
    # The folder of the file is on the path, as for a script that Python runs.
    sys.path.insert(0, str(path.resolve().parent))
    made = importlib.util.spec_from_file_location(path.stem, path)
    assert made is not None and made.loader is not None, "the file ends with .py"
    module = importlib.util.module_from_spec(made)
    sys.modules[path.stem] = module
    made.loader.exec_module(module)
    return module


def argument(text: str) -> tuple[str, Any]:
    """Parse `name=spec` into the name and the argument for `export`.

    A spec is the dtype and shape of an array, as f32[n,784] or float64[]; int, float, bool, complex
    or a dtype, for a number; a tuple, list or dict of specs; or a value that the artifact fixes.

    Raises:
        click.BadParameter: the text has another form.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise click.BadParameter(f"{text!r} is not name=spec, as in x=f32[n,784]")
    try:
        # "f32[]" is not Python syntax, but "f32[()]" is.
        tree = ast.parse(re.sub(r"(?<=\w)\[\s*\]", "[()]", value.strip()), mode="eval").body
        return name, _spec(tree)
    except SyntaxError:
        raise click.BadParameter(f"{value!r} is not a spec such as f32[n,784]") from None
    except ValueError as error:
        raise click.BadParameter(f"{value!r}: {error}") from None


def _spec(node: ast.expr) -> Any:
    if isinstance(node, ast.Subscript):
        return _array(node)
    if isinstance(node, ast.Name):
        return _number(node.id)
    if isinstance(node, ast.Tuple):
        return tuple(map(_spec, node.elts))
    if isinstance(node, ast.List):
        return list(map(_spec, node.elts))
    if isinstance(node, ast.Dict):
        keys = [ast.literal_eval(key) for key in node.keys if key is not None]
        return dict(zip(keys, map(_spec, node.values), strict=True))
    return ast.literal_eval(node)


def _array(node: ast.Subscript) -> Any:
    shape = node.slice
    sizes = shape.elts if isinstance(shape, ast.Tuple) else [shape]
    return spec([ast.unparse(size) for size in sizes], _dtype(ast.unparse(node.value)))


def _number(name: str) -> Any:
    """An example of a number type of Python or NumPy."""
    if name in PYTHON_NUMBERS:
        return PYTHON_NUMBERS[name](0)
    return np.bool(False) if name == NUMPY_BOOL else _dtype(name).type(0)


def _dtype(name: str) -> Any:
    if name not in _DTYPES:
        raise ValueError(f"there is no dtype {name}; there are {', '.join(_DTYPES)}")
    return _DTYPES[name]


def bounds(text: str) -> tuple[str, Bounds]:
    """Parse `n=1:64`, `n=1:` or `n=8` into a named dimension and its inclusive bounds.

    Raises:
        click.BadParameter: the text has another form.
    """
    found = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*=\s*(\d+)\s*(:\s*(\d*)\s*)?", text)
    if not found:
        raise click.BadParameter(f"{text!r} bounds no dimension; write n=1:64 or n=1:")
    name, low, has_range, high = found.groups()
    if not has_range:
        return name, (int(low), int(low))
    return name, (int(low), int(high) if high else None)
