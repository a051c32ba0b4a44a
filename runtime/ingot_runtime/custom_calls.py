"""The custom calls that the programs of artifacts may have, with the types of what they take.

A handler of a custom call reads and writes memory by what the call says. jaxlib's handlers of
LAPACK check neither the shapes of results nor how these fit to those of operands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ingot_runtime import old_checks, stablehlo
from ingot_runtime.formats import Format
from ingot_runtime.linking import PRINT, STRICT

#: A shape and the name of an element type.
TensorType = tuple[tuple[int, ...], str]


@dataclass(frozen=True)
class Routine:
    """The calls of a routine of LAPACK: for stacks of arrays.

    Attributes:
        operands, results: for each the letters of its core dimensions, and, behind a colon, what
            its elements are if they are not of the routine's type: "r" the real and "c" the complex
            one for it, "i" integers of 32 bits. `p` is the lesser of `m` and `n`, `q` is n - 1.
        letters: the letters of the types that have the routine.
        options: the values of each option, as text of attributes.
        at_least: pairs of dimensions of which the first must not be the lesser one.
    """

    operands: str
    results: str
    letters: str = "sdcz"
    options: Mapping[str, frozenset[str]] = field(default_factory=dict)
    at_least: tuple[str, ...] = ()


def _letters(choices: str) -> frozenset[str]:
    """An option's values, which are characters as integers of 8 bits."""
    return frozenset(f"{ord(each)} : ui8" for each in choices)


_UPLO = {"uplo": _letters("LU")}
_EIGH = {"mode": _letters("NV"), **_UPLO}
_EIG = {"compute_left": _letters("NV"), "compute_right": _letters("NV")}
_SCHUR = {"mode": _letters("NV"), "sort": _letters("N")}
_FULL, _REDUCED = "mn p:r mm nn :i", "mn p:r mp pn :i"


def _svd(modes: str, results: str) -> Routine:
    return Routine("mn", results, options={"mode": _letters(modes)})


def _trsm(side: str, matrix: str) -> Routine:
    options = {"side": _letters(side), "trans_x": _letters("NTC"), "diag": _letters("NU"), **_UPLO}
    return Routine(f"{matrix} mn", "mn", options=options)


def _multiply(letters: str) -> tuple[Routine, Routine]:
    """Products with the factor Q from the left and from the right."""
    forms = ("true", "mk k mn", "mk"), ("false", "nk k mn", "nk")
    return tuple(
        Routine(operands, "mn", letters, {"left": frozenset([side]), "transpose": _BOOLS}, (least,))
        for side, operands, least in forms
    )  # type: ignore[return-value]


_BOOLS = frozenset(["false", "true"])
#: The routines by name, each with its forms.
_ROUTINES: dict[str, tuple[Routine, ...]] = {
    "getrf": (Routine("mn", "mn p:i :i"),),
    "geqrf": (Routine("mn", "mn p"),),
    "geqp3": (Routine("mn n:i", "mn n:i p"),),
    "ormqr": _multiply("sd"),
    "unmqr": _multiply("cz"),
    "orgqr": (Routine("mn k", "mn", "sd", at_least=("mn", "nk")),),
    "ungqr": (Routine("mn k", "mn", "cz", at_least=("mn", "nk")),),
    "potrf": (Routine("nn", "nn :i", options=_UPLO),),
    "trsm": (_trsm("L", "mm"), _trsm("R", "nn")),
    "syevd": (Routine("nn", "nn n:r :i", "sd", _EIGH),),
    "heevd": (Routine("nn", "nn n:r :i", "cz", _EIGH),),
    "gesdd": (_svd("AN", _FULL), _svd("SN", _REDUCED)),
    "gesvd": (_svd("AN", _FULL), _svd("SN", _REDUCED)),
    "geev": (
        Routine("nn", "n n nn:c nn:c :i", "sd", _EIG),
        Routine("nn", "n nn nn :i", "cz", _EIG),
    ),
    "gees": (
        Routine("nn", "nn nn n n :i :i", "sd", _SCHUR),
        Routine("nn", "nn nn n :i :i", "cz", _SCHUR),
    ),
    "gehrd": (Routine("nn", "nn q :i"),),
    "sytrd": (Routine("nn", "nn n:r q:r q :i", "sd", _UPLO),),
    "hetrd": (Routine("nn", "nn n:r q:r q :i", "cz", _UPLO),),
    "gtsv": (Routine("n n n nm", "n n n nm :i"),),
}

_NAME = re.compile(r"lapack_([sdcz])(\w+)_ffi")
_REAL = {"s": "f32", "d": "f64", "c": "f32", "z": "f64"}
_INTEGER = re.compile(r"(\d{1,10}) : i32")
STATUS: TensorType = ((), "i32")


def check_call(
    target: str, options: Mapping[str, Any], given: Sequence[TensorType], made: Sequence[TensorType]
) -> None:
    """Check a custom call of a program in an artifact.

    Args:
        target: its target.
        options: its attributes for the handler.
        given, made: the types of its operands and results.

    Raises:
        ValueError: artifacts can't have such a call.
    """
    if target == PRINT:
        _check_print(options, given, made)
    elif target == STRICT:
        if options or given or list(made) != [((), "f64")]:
            raise ValueError("it has other operands, results or options than those of its handler")
    elif routine := is_lapack(target):
        _check_lapack(*routine, options, given, made)
    else:
        raise ValueError("artifacts can't have calls of it")


def is_lapack(target: str) -> tuple[str, str] | None:
    """The letter of the type and the name of a routine that artifacts may call, or None."""
    found = _NAME.fullmatch(target)
    return (found[1], found[2]) if found and found[2] in _ROUTINES else None


def _check_print(
    options: Mapping[str, Any], given: Sequence[TensorType], made: Sequence[TensorType]
) -> None:
    from jaxlib.mlir import ir

    if list(given[:1]) != [STATUS] or list(made) != [STATUS]:
        raise ValueError("it must take and give a status")
    is_known = {"format"} <= set(options) <= {"check", "format"}
    if not is_known or not isinstance(options["format"], ir.StringAttr):
        raise ValueError("it has other options than a format: it calls a function of a process")
    if "check" in options and not isinstance(options["check"], ir.IntegerAttr):
        raise ValueError("the number of its check is no integer")
    text = options["format"].value
    old = None if "check" in options else old_checks.number_of(text)
    format = Format(old[1] if old else text)
    if len(format.specs) != len(given) - 1 or not format.is_bounded:
        raise ValueError("its format has other fields than operands, or wide ones")
    try:
        format.filled([_sample(*each) for each in given[1:]])
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError(f"its format does not fit to its operands: {error}") from None


def _sample(shape: tuple[int, ...], element: str) -> Any:
    """A value of an operand's type; an array without elements, which has the same formats."""
    return np.zeros((0,) * len(shape), stablehlo.dtype_of(element))[()]


def _check_lapack(
    letter: str,
    name: str,
    options: Mapping[str, Any],
    given: Sequence[TensorType],
    made: Sequence[TensorType],
) -> None:
    said = {key: str(value) for key, value in options.items()}
    for routine in _ROUTINES[name]:
        sizes = _sizes(routine, letter, given, made)
        if sizes is not None and _has_options(name, routine, said, sizes):
            return
    raise ValueError("it has other operands, results or options than those of its handler")


def _has_options(
    name: str, routine: Routine, said: Mapping[str, str], sizes: Mapping[str, int]
) -> bool:
    if name == "gehrd":
        # The first and the last row and column to reduce, counted from 1.
        found = [_INTEGER.fullmatch(said.get(each, "")) for each in ("low", "high")]
        low, high = (int(each[1]) if each else 0 for each in found)
        return said.keys() == {"low", "high"} and 1 <= low <= high <= sizes["n"]
    return said.keys() == routine.options.keys() and all(
        value in routine.options[key] for key, value in said.items()
    )


def _sizes(
    routine: Routine, letter: str, given: Sequence[TensorType], made: Sequence[TensorType]
) -> dict[str, int] | None:
    """The sizes of the dimensions, or None if the types are not those of a routine."""
    specs = [each.partition(":") for each in f"{routine.operands} {routine.results}".split(" ")]
    types = [*given, *made]
    if letter not in routine.letters or len(specs) != len(types):
        return None
    if len(given) != len(routine.operands.split(" ")):
        return None
    real = _REAL[letter]
    complex_ = f"complex<{real}>"
    elements = {"": real if letter in "sd" else complex_, "r": real, "c": complex_, "i": "i32"}
    rank = len(types[0][0]) - len(specs[0][0])
    batch = types[0][0][: max(rank, 0)]
    sizes: dict[str, int] = {}
    for (core, _, kind), (shape, element) in zip(specs, types, strict=True):
        if rank < 0 or element != elements[kind] or shape[:rank] != batch:
            return None
        if len(shape) != rank + len(core):
            return None
        for each, size in zip(core, shape[rank:], strict=True):
            if sizes.setdefault(each, _derived(each, sizes, size)) != size:
                return None
    return sizes if all(sizes[pair[0]] >= sizes[pair[1]] for pair in routine.at_least) else None


def _derived(letter: str, sizes: Mapping[str, int], size: int) -> int:
    """The size of a dimension that first occurs with `size`."""
    if letter == "p":
        return min(sizes["m"], sizes["n"])
    return max(sizes["n"] - 1, 0) if letter == "q" else size
