"""Functions and the arguments that they were called with, as the text of a program."""

from __future__ import annotations

import ast
import base64
import inspect
import math
import pickle
import textwrap
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: Of one value, in bytes.
LARGEST = 4000


class Unwritable(Exception):
    """What can't be written as text."""


def spelled(value: Any) -> str:
    """An expression whose value is like this one, and shares nothing with it."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return repr(value)
    if kind is float:
        return repr(value) if math.isfinite(value) else f"float('{value}')"
    if kind is list:
        return "[" + ", ".join(map(spelled, value)) + "]"
    if kind is tuple:
        return "(" + "".join(f"{spelled(each)}, " for each in value) + ")"
    if kind is dict:
        return "{" + ", ".join(f"{spelled(k)}: {spelled(v)}" for k, v in value.items()) + "}"
    if kind is np.ndarray and value.dtype.kind in "biuf" and _is_short(value):
        text = f"np.array({value.tolist()}, dtype='{value.dtype.str[1:]}')"
        is_fortran = value.flags.f_contiguous and not value.flags.c_contiguous
        return f"np.asfortranarray({text})" if is_fortran else text
    return _pickled(value)


def _is_short(array: np.ndarray) -> bool:
    return 0 < array.size <= 64 and bool(np.all(np.isfinite(array))) and array.dtype.isnative


def _pickled(value: Any) -> str:
    try:
        data = pickle.dumps(value)
    except Exception:
        raise Unwritable from None
    if len(data) > LARGEST:
        raise Unwritable
    return f"pickle.loads(base64.b64decode({base64.b64encode(data).decode()!r}))"


def definition(f: types.FunctionType) -> ast.FunctionDef:
    try:
        (found,) = ast.parse(textwrap.dedent(inspect.getsource(f))).body
    except (OSError, SyntaxError, TypeError, ValueError):
        raise Unwritable from None
    if not isinstance(found, ast.FunctionDef):
        raise Unwritable
    found.decorator_list = []
    return found


def header(f: types.FunctionType, names: set[str]) -> list[str]:
    """What binds the names that a function reads from outside."""
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    lines = []
    for name in sorted(names):
        if name in cells:
            lines.append(f"{name} = {spelled(cells[name].cell_contents)}")
        elif name in f.__globals__:
            lines.append(_global(f, name, f.__globals__[name]))
    return lines


def _global(f: types.FunctionType, name: str, value: Any) -> str:
    if isinstance(value, types.ModuleType):
        return f"import {value.__name__} as {name}"
    # Tests import each other without the folders.
    return f"from {f.__module__.removeprefix('test.frontend.')} import {name}"


def text_of(f: Callable[..., Any], cases: Sequence[tuple[Any, ...]]) -> str:
    """The program that calls a function with these arguments.

    Raises:
        Unwritable: the function is no `def`, or it or its arguments can't be written.
    """
    if not isinstance(f, types.FunctionType):
        raise Unwritable
    made = definition(f)
    names = {n.id for n in ast.walk(made) if isinstance(n, ast.Name)}
    lines = ["import base64", "import pickle", "", "import numpy as np", *header(f, names)]
    again = [f"{made.name} = f"] if made.name in names and made.name != "f" else []
    made.name = "f"
    given = ", ".join(f"lambda: {spelled(tuple(case))}" for case in cases)
    return "\n".join([*lines, "", "", ast.unparse(made), *again, "", f"CASES = [{given}]", ""])
