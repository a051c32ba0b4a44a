"""Plain against compiled: results, what happened to arguments, exceptions."""

from __future__ import annotations

import functools
import io
import itertools
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
os.environ.setdefault("INGOT_CACHE_DIR", "")

import numpy as np

import ingot
from generator.running import load
from generator.samples import is_instance
from generator.vet import RAISED

#: Verdicts, from good to bad. `raised` is an agreement about an exception; `false` is an error of
#: compilation that is no refusal, where the plain program raises none.
VERDICTS = ("agreed", "raised", "refused", "false", "wrong", "crashed")


@dataclass
class Outcome:
    """What a program came to.

    Attributes:
        verdict: one of VERDICTS.
        detail: the refusal, or where plain and compiled differ.
        text: the program.
        lost: whether its process was lost with it.
        page: of docs/errors that explains a refusal, or "".
    """

    verdict: str
    detail: str = ""
    text: str = ""
    lost: bool = False
    page: str = ""

    @property
    def sort(self) -> str:
        """The detail without what differs from program to program; shrinking keeps it."""
        return self.detail.split(":")[0] if self.verdict == "wrong" else sort_of(self.detail)

    @property
    def kind(self) -> str:
        """Of a refusal: its page, or else what is the same in all messages of its kind."""
        return self.page or self.sort

    @property
    def bad(self) -> bool:
        return self.verdict in ("false", "wrong", "crashed")


def sort_of(detail: str) -> str:
    """The first line of a message without names, numbers and texts of a program."""
    line = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "…", detail.split("\n")[0])
    return re.sub(r"\b\w*\d\w*", "N", line)


def of_refusal(error: BaseException) -> str:
    """The kind of a refusal, as that of its outcome."""
    found = verdict(outcome_of(error), ("value", None))
    return found.kind


#: Relative tolerances, of float64 and of float32.
EXACT, NARROW = 1e-12, 2e-6


class Difference(Exception):
    """Where two values differ; the part before the colon says in what."""


class Comparison:
    """Compares two values and everything in them.

    Args:
        signs: whether the signs of zeros count.
        identity: whether it counts which objects are the same, and how arrays lie in memory.
        room: by how much more the floats that it comes to may differ, one after another.
    """

    def __init__(
        self, signs: bool = False, identity: bool = True, rtol: float = EXACT,
        room: Sequence[np.ndarray] | None = None,
    ) -> None:  # fmt: skip
        self.signs, self.identity, self.rtol = signs, identity, rtol
        self.room = None if room is None else iter(room)
        self.partners: dict[int, int] = {}
        self.kept: list[Any] = []

    def compare(self, actual: Any, expected: Any, path: str) -> None:
        if type(actual) is not type(expected):
            kinds = f"{type(actual).__name__}, not {type(expected).__name__}"
            raise Difference(f"type: {path} is {kinds}: {actual!r}, not {expected!r}")
        if isinstance(expected, (np.ndarray, list, dict, set)) or is_instance(expected):
            if self.identity and not self.is_new(actual, expected, path):
                return
        if isinstance(expected, (np.ndarray, np.generic, int, float, complex)):
            self.numbers(actual, expected, path)
        elif isinstance(expected, (list, tuple)):
            if len(actual) != len(expected):
                raise Difference(f"length: {path} is {actual!r}, not {expected!r}")
            for i, (a, e) in enumerate(zip(actual, expected, strict=True)):
                self.compare(a, e, f"{path}[{i}]")
        elif isinstance(expected, dict):
            if list(actual) != list(expected):
                raise Difference(f"keys: {path} has {list(actual)}, not {list(expected)}")
            for key in expected:
                self.compare(actual[key], expected[key], f"{path}[{key!r}]")
        elif is_instance(expected):
            self.compare(vars(actual), vars(expected), f"vars({path})")
        elif actual != expected:
            raise Difference(f"value: {path} is {actual!r}, not {expected!r}")

    def is_new(self, actual: Any, expected: Any, path: str) -> bool:
        """Whether the pair comes for the first time; what is one object must be one in both."""
        self.kept += [actual, expected]
        pairs = ((id(actual), id(expected)), (id(expected), id(actual)))
        known = [self.partners.get(a) for a, _ in pairs]
        if known == [None, None]:
            self.partners.update(pairs)
            return True
        if known != [b for _, b in pairs]:
            raise Difference(f"identity: {path} is one object with another in one of the two only")
        return False

    def numbers(self, actual: Any, expected: Any, path: str) -> None:
        a, e = np.asarray(actual), np.asarray(expected)
        shown = f"{path} is {actual!r}, not {expected!r}"
        if a.dtype != e.dtype:
            raise Difference(f"dtype: {shown}")
        if a.shape != e.shape:
            raise Difference(f"shape: {shown}")
        # An order that the path taken decides becomes C order (docs/differences.md); those of the
        # functions themselves are what `functions.py` compares.
        if self.identity and not a.flags.c_contiguous and _strides(a) != _strides(e):
            raise Difference(f"order in memory: {path} has strides {a.strides}, not {e.strides}")
        if e.dtype.kind not in "fc":
            if not np.array_equal(a, e):
                raise Difference(f"value: {shown}")
            return
        self.floats(a, e, shown)

    def floats(self, a: np.ndarray, e: np.ndarray, shown: str) -> None:
        loose = {2: 2e-3, 4: NARROW}.get(e.dtype.itemsize, self.rtol)
        # Differences of numbers that are not small are rounded as these are.
        scale = float(np.max(np.abs(e[np.isfinite(e)]), initial=1.0))
        room = loose * scale + (0 if self.room is None else next(self.room))
        if not np.all(np.isclose(a, e, rtol=loose, atol=room, equal_nan=True)):
            raise Difference(f"value: {shown}")
        if self.signs and np.any((a == 0) & (e == 0) & (np.signbit(a) != np.signbit(e))):
            raise Difference(f"sign of zero: {shown}")


class Distances(Comparison):
    """Notes by how much the floats of two values differ."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[np.ndarray] = []

    def floats(self, a: np.ndarray, e: np.ndarray, shown: str) -> None:
        self.found.append(np.abs(a.astype(np.result_type(a, np.float64)) - e))


def _strides(array: np.ndarray) -> list[int]:
    """The strides that matter: those of axes with several elements."""
    pairs = zip(array.strides, array.shape, strict=True)
    return [stride for stride, n in pairs if n > 1] if array.size else []


numbers = itertools.count()


@functools.cache
def folder() -> tempfile.TemporaryDirectory:
    """The folder of the files of programs, which the end of the process removes."""
    return tempfile.TemporaryDirectory(prefix="ingot-programs-")


def loaded(text: str) -> dict[str, Any]:
    """The namespace of a program in a file; compiled code needs one."""
    path = Path(folder().name) / f"program-{next(numbers) % 50}.py"
    path.write_text(text)
    return load(text, str(path))


def outcome(run: Callable[[], Any]) -> tuple[str, Any]:
    """("value", what is returned), ("refused", the error) or ("raised", the exception).

    Only an UnsupportedError refuses: ShapeError and DTypeError say that NumPy raises, too.
    """
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # A kernel that does not compile is a failure.
            warnings.filterwarnings("error", message="a native kernel")
            return "value", run()
    except Exception as error:
        return outcome_of(error)


def outcome_of(error: BaseException) -> tuple[str, BaseException]:
    return "refused" if isinstance(error, ingot.UnsupportedError) else "raised", error


def shown(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def judge(text: str) -> Outcome:
    """Runs a program plain and compiled, for each of its cases.

    Args:
        text: the program.

    Returns:
        The worst of the verdicts of the cases.
    """
    namespace = loaded(text)
    compiled = ingot.jit(namespace["f"])
    rtol = tolerance(text)
    return worst(text, namespace, compiled, lambda: Comparison(rtol=rtol))


def tolerance(text: str) -> float:
    """The relative tolerance of a program: what narrow floats have rounded may stand in wide ones."""
    return NARROW if re.search(r"\b(f2|f4|float16|float32|c8)\b", text) else EXACT


def worst(
    text: str,
    namespace: dict[str, Any],
    compiled: Callable[..., Any],
    comparison: Callable[[], Comparison],
) -> Outcome:
    """The worst of the verdicts of a program's cases."""
    outcomes = [
        judge_case(namespace["f"], compiled, case, comparison()) for case in namespace["CASES"]
    ]
    found = max(outcomes, key=lambda o: VERDICTS.index(o.verdict))
    return replace(found, text=text)


def judge_case(
    plain: Callable[..., Any],
    compiled: Callable[..., Any],
    case: Callable[[], tuple[Any, ...]],
    comparison: Comparison,
) -> Outcome:
    theirs, ours = case(), case()
    with redirect_stdout(io.StringIO()) as wanted:
        expected = outcome(lambda: plain(*theirs))
    with redirect_stdout(io.StringIO()) as printed:
        actual = outcome(lambda: compiled(*ours))
    found = verdict(actual, expected, (ours, theirs), comparison)
    if found.verdict in ("agreed", "raised") and printed.getvalue() != wanted.getvalue():
        detail = f"printed: {printed.getvalue()!r}, not {wanted.getvalue()!r}"
        return Outcome("wrong", detail)
    if found.verdict != "wrong" or not found.detail.startswith("value"):
        return found
    room = rounding(plain, case, expected, theirs)
    if room is None:
        return found
    return verdict(actual, expected, (ours, theirs), Comparison(rtol=comparison.rtol, room=room))


#: How many times as far as a last digit of the arguments moves them results may lie apart.
MOST_TIMES = 8


def rounding(
    plain: Callable[..., Any],
    case: Callable[[], tuple[Any, ...]],
    expected: tuple[str, Any],
    arguments: tuple[Any, ...],
) -> list[np.ndarray] | None:
    """How far apart two right results may be, where a program makes much of what is rounded.

    Returns:
        For each of the floats that a comparison comes to; None if the program takes another path
        where a last digit of its arguments is another.
    """
    moved = nudged(case())
    found = outcome(lambda: plain(*moved))
    distances = Distances()
    try:
        if found[0] != "value":
            return None
        distances.compare(list(moved), list(arguments), "arguments")
        distances.compare(found[1], expected[1], "result")
    except Difference:
        return None
    return [MOST_TIMES * each for each in distances.found]


def nudged(value: Any) -> Any:
    """The same with the next larger number for each float."""
    if isinstance(value, (float, np.floating)):
        return type(value)(np.nextafter(value, type(value)(np.inf)))
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f" and value.flags.writeable:
            value[...] = np.nextafter(value, value.dtype.type(np.inf))
        return value
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(nudged, value))
    if isinstance(value, list):
        value[:] = map(nudged, value)
    elif isinstance(value, dict):
        value.update({key: nudged(each) for key, each in value.items()})
    elif is_instance(value):
        vars(value).update({name: nudged(each) for name, each in vars(value).items()})
    return value


#: What NumPy raises for shapes, types and indices that compilation finds to be wrong.
FOUND_EARLY = (ValueError, TypeError, IndexError)


def verdict(
    actual: tuple[str, Any], expected: tuple[str, Any], arguments: tuple[Any, Any] | None = None,
    comparison: Comparison | None = None,
) -> Outcome:  # fmt: skip
    """Compares two outcomes, and the arguments after the calls."""
    is_refused = actual[0] == "raised" and "read-only" in str(actual[1])
    if is_refused and "read-only" not in str(expected[1]):
        # NumPy forgets to look in ufunc.at and in copies of an array to itself.
        return Outcome("refused", "a store to a read-only array that NumPy does not notice")
    if isinstance(actual[1], NotImplementedError) and type(expected[1]) is not type(actual[1]):
        # What depends on values is refused at run time.
        return Outcome("refused", shown(actual[1]).split("\n")[0])
    if actual[0] == "refused":
        return Outcome("refused", refusal(actual[1]), page=actual[1].page)
    if isinstance(actual[1], ingot.CompileError):
        if isinstance(expected[1], FOUND_EARLY):
            return Outcome("raised", type(actual[1]).__name__)
        return Outcome("false", f"{type(actual[1]).__name__}: {refusal(actual[1])}")
    if actual[0] == "raised" and not isinstance(actual[1], (*RAISED, *raised_type(expected))):
        return Outcome("crashed", shown(actual[1]))
    if actual[0] != expected[0]:
        pair = [
            shown(o[1]) if o[0] == "raised" else f"returned {o[1]!r}" for o in (actual, expected)
        ]
        return Outcome("wrong", f"exception: compiled {pair[0]}; plain {pair[1]}")
    if actual[0] == "raised":
        if type(actual[1]) is type(expected[1]):
            return Outcome("raised", type(actual[1]).__name__)
        return Outcome("wrong", f"exception: {shown(actual[1])}, not {shown(expected[1])}")
    comparison = comparison or Comparison()
    try:
        if arguments:
            for i, (a, e) in enumerate(zip(*arguments, strict=True)):
                comparison.compare(a, e, f"argument {i}")
        comparison.compare(actual[1], expected[1], "result")
    except Difference as difference:
        return Outcome("wrong", str(difference))
    return Outcome("agreed")


def raised_type(expected: tuple[str, Any]) -> tuple[type, ...]:
    return (type(expected[1]),) if expected[0] == "raised" else ()


def refusal(error: ingot.CompileError) -> str:
    """The message without its place, and the line that it points to."""
    lines = str(error).split("\n")
    return "\n".join([re.sub(r"^\S+:\d+:\d+: ", "", lines[0]), *lines[1:2]])
