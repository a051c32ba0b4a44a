"""Every diagnostic in C++ is expected by a test: those of dialects and passes by one of lit, those of
the bindings by one of pytest."""

import ast
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[1]
#: Where diagnostics are, and what kind of test expects them: pytest may find a text in what the
#: frontend reports by itself.
SOURCES = {"dialects": ".mlir", "passes": ".mlir", "frontend/bindings": ".py"}
LITERAL = r'"(?:[^"\\]|\\.)*"'
#: What reports to users: `emitError` and its kin, and what becomes an exception.
STATEMENT = re.compile(
    r"(?:\bemit(?:Error|OpError|Remark|Warning|OptionalError)\(|\braise\(|\bthrow )"
    rf"(?:{LITERAL}|[^;\"])*;"
)
CHOICE = re.compile(rf"\?\s*((?:{LITERAL}\s*)+):\s*((?:{LITERAL}\s*)+)")
#: A text between values is not one of the diagnostic's own.
SEPARATOR = re.compile(rf"llvm::join\(\w+, {LITERAL}\)")
EXPECTED = re.compile(
    r"// *expected-(?:error|warning|remark|note)(?:-re)? *(?:@[-+\w]+ *)?\d* *\{\{(.*)\}\}"
    r"|// *CHECK[\w-]*:(.*)"
)

#: Diagnostics that no test expects, each with the reason.
EXCEPTIONS = {
    "a scatter of this kind has no derivative": "it was made a loop before: serialiseScatters",
    "element type without a NumPy dtype": "the builder makes no such types",
    "remarks can't be collected": "the patterns of what is collected are constant",
    **dict.fromkeys(
        ["a pass failed", "can't infer the results of ", "can't parse", "invalid IR",
         "invalid operation", "malformed attribute"],
        "for failures without a diagnostic, of which MLIR and the passes have none",
    ),
}  # fmt: skip


def texts(statement):
    """The text of a diagnostic, with "..." for values; two where a condition chooses."""
    for branch in (1, 2):
        chosen = CHOICE.sub(lambda choice: choice[branch], SEPARATOR.sub("", statement))
        joined = re.sub(r'"\s*"', "", chosen)
        pieces = [ast.literal_eval(each) for each in re.findall(LITERAL, joined)]
        if pieces:
            yield "...".join(pieces)


def diagnostics(folder):
    """The places of each diagnostic's text in the sources."""
    found = {}
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".cpp", ".h", ".td"):
            continue
        source = path.read_text()
        for match in STATEMENT.finditer(source):
            place = f"{path.relative_to(ROOT)}:{source.count(chr(10), 0, match.start()) + 1}"
            for text in texts(match[0]):
                found.setdefault(text, set()).add(place)
    return found


def strings(node):
    """The strings of a Python program, with what f-strings insert left out."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(each.value for each in node.values if isinstance(each, ast.Constant))
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from strings(child)


def expectations(suffix):
    """What tests expect, one line for each; of regular expressions, what they match literally."""
    for path in sorted((ROOT / "test").rglob(f"*{suffix}")):
        if path == Path(__file__) or "Output" in path.parts:
            continue
        if suffix == ".mlir":
            yield from (a or b for a, b in EXPECTED.findall(path.read_text()))
            continue
        for each in strings(ast.parse(path.read_text())):
            yield from re.sub(r"\\(\W)", r"\1", each).splitlines()


def is_expected(text, expected):
    pattern = re.compile(".*".join(map(re.escape, text.split("..."))))
    return any(pattern.search(line) for line in expected)


def test_every_diagnostic_is_expected():
    missing = {}
    for folder, suffix in SOURCES.items():
        expected = list(expectations(suffix))
        found = diagnostics(folder)
        missing |= {text: found[text] for text in found if not is_expected(text, expected)}
    unknown = [f"{', '.join(missing[text])}: {text}" for text in missing if text not in EXCEPTIONS]
    assert not unknown, "\n".join(["no test expects these:", *unknown])
    assert EXCEPTIONS.keys() <= missing.keys(), "a test expects an exception"


def test_it_finds_what_it_looks_for():
    """Of a statement with values, pieces on several lines, and a condition."""
    statement = 'return emitOptionalError(location, "axis ", axis, " is "\n  "out");'
    assert set(texts(STATEMENT.search(statement)[0])) == {"axis ... is out"}
    statement = 'op.emitError("a; b") << name << "c";'
    assert set(texts(STATEMENT.search(statement)[0])) == {"a; b...c"}
    statement = 'emitError(*where) << (n == 1 ? "rule " : "rules ") << name;'
    assert set(texts(STATEMENT.search(statement)[0])) == {"rule ", "rules "}
    assert is_expected("axis ... is out", ["'ingot.flip' op axis 1 is out of bounds"])
    assert not is_expected("axis ... is out", ["axis 1", "is out"])
