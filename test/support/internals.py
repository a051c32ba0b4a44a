"""What a message to a user never shows: names, objects and lines of the compiler."""

import re
from pathlib import Path
from types import TracebackType

import ingot
import ingot_runtime

PACKAGES = tuple(f"{Path(each.__file__).parent}/" for each in (ingot, ingot_runtime))
INTERNALS = [
    re.compile(pattern)
    for pattern in (
        r"<(class ')?ingot(_runtime)?\.[^>]*>?",
        r"\b_core\b",
        r" at 0x[0-9a-f]+",
        r"<(function|bound method|built-in)\b",
        # What evaluates a program: Scalar(value=…), `Mod` of str and Scalar.
        r"\b(Scalar|LocalFunction|Masked|Storage|TrackedDict|TrackedList)\b",
        r"(?<!jax\.)\bArray\b",
        r"\b(NeedsStatic|StaticRequired|Undecided|Diagnostic)\b",
        r"\b(Dimension|Method|Value|Position|Text)(\(|' object)",
        r"\b(JaxRuntimeError|XlaRuntimeError|INVALID_ARGUMENT|KeyError)\b|\bINTERNAL:",
        # A TypeError of a call of our own.
        r"_\(\) (takes|got|missing)|<lambda>\(\) takes",
        r"\b(np|ndarray|int|float)[\w.]*: \S*<locals>",
        r"__class__ cell",
        r"\bzip\(\) argument",
        r"\bev\b",
        # The IR.
        r"'(ingot|stablehlo|chlo|func)\.\w+'( op)?",
        r"\btensor<|(?<![.\w])mlir\b|nanobind|\bstd::",
        r"Traceback",
        *(re.escape(each) for each in PACKAGES),
        r"\bingot/(syntax|numpy)/|\bingot_runtime/",
    )
]


def internals_in(text: str) -> list[str]:
    """The internals that a message shows."""
    return [found[0] for each in INTERNALS if (found := each.search(text))]


def is_ours(filename: str) -> bool:
    """Whether a file is one of the package."""
    return filename.startswith(PACKAGES)


def is_shown(traceback: TracebackType | None) -> bool:
    """Whether an exception got out of the package, to the test."""
    return traceback is not None and not is_ours(traceback.tb_frame.f_code.co_filename)


def wrong_with(error: ingot.IngotError) -> list[str]:
    """What is wrong with an error that a user sees."""
    text = str(error)
    found = [f"shows {each!r}" for each in internals_in(text)]
    if not text.strip():
        found.append("is empty")
    if is_ours(getattr(error, "filename", "")):
        found.append(f"points into the package, at {error.filename}:{error.lineno}")
    return [f"{type(error).__name__} {each}:\n{text}" for each in found]
