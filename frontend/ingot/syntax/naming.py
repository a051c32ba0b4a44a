"""The names of functions in error messages and in the IR."""

from __future__ import annotations

import re
from typing import Any

import numpy as np


def name_of(function: Any) -> str:
    """The name of a function in its source; of a transformed one, that of the inner function."""
    inner = getattr(function, "__ingot_transformation__", function)
    if hasattr(inner, "takes_arguments"):
        return name_of(inner.function)
    return getattr(inner, "__name__", "f").strip("<>")


def spelled_name(function: Any) -> str:
    """A function as the user writes it, such as `np.add.reduce`."""
    if isinstance(function, str):
        return function
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"np.{owner.__name__}.{function.__name__}"
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__qualname__", "") or getattr(function, "__name__", "")
    name = name or f"an object of {type(function).__qualname__}"
    if isinstance(function, np.ufunc) and getattr(np, name, None) is not function:
        return f"scipy.special.{name}"
    home = re.sub(r"^numpy\b", "np", type(owner).__module__)
    if home == "random" or home.startswith("np.random"):
        # The functions of the global generators are methods of objects that have no name.
        name = name.removeprefix("RandomState.").removeprefix("Random.")
        return f"{'random' if home == 'random' else 'np.random'}.{name}"
    if isinstance(function, np.ufunc) or module.partition(".")[0] == "numpy":
        homes = [each for each in module.split(".")[1:] if not each.startswith("_")]
        is_public = getattr(np, name, None) is function
        return ".".join(["np", *([] if is_public else homes), name])
    if module.startswith("scipy."):
        # SciPy defines public functions in private modules.
        module = module.partition("._")[0]
    module = module.removeprefix("_") if module == "_operator" else module
    return str(name) if module in ("builtins", "") else f"{module}.{name}"


def signature_message(message: str, name: str) -> str:
    """The message of a TypeError about arguments, for the function that the user called."""
    found = re.fullmatch(r"\S*\(\) takes (.*?)(\d+) positional arguments? but (\d+) .*", message)
    if found:
        least, given = int(found[2]) - 1, int(found[3]) - 1
        plural = "" if least == 1 else "s"
        return (
            f"{name}() takes {found[1]}{least} positional argument{plural} but {given} were given"
        )
    found = re.fullmatch(r"\S*\(\) (missing|got) (.*)", message)
    if found:
        return f"{name}() {found[1]} {found[2]}"
    if "incompatible function arguments" in message:
        return f"{name} can't take these arguments"
    # NumPy's messages about dtypes name the ufunc; our own functions have no name for the user.
    is_said = re.search(r"\bufunc '?\w+", message) or name.startswith("ingot.numpy.")
    return message if is_said else f"{name}: {message}"
