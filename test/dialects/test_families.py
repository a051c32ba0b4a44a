"""Each operation is tested in the files of its family, which is that of its .td file."""

import json
import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
LLVM = Path("/usr/lib/llvm-22")
DIALECT = ROOT / "dialects" / "Ingot"
TESTS = ROOT / "test" / "dialects" / "Ingot"


def records():
    """What TableGen knows of the dialect."""
    done = subprocess.run(
        [LLVM / "bin" / "llvm-tblgen", "--dump-json", "-I", LLVM / "include", "-I", DIALECT,
         DIALECT / "Ops.td"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


RECORDS = records()
OPERATIONS = [RECORDS[name] for name in RECORDS["!instanceof"]["Ingot_Op"]]


def in_kebab_case(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def operations(is_wanted=lambda record: True):
    """The names of each family's operations."""
    families = {}
    for record in filter(is_wanted, OPERATIONS):
        family = in_kebab_case(family_of(record))
        families.setdefault(family, set()).add(record["opName"])
    return sorted(families.items())


def family_of(record):
    """The file that defines an operation."""
    return record["!locs"][0].partition(".td:")[0]


def is_differentiable(record):
    """An operation, or one of its traits, says so."""
    if record.get("cppInterfaceName") == "DifferentiableOpInterface":
        return True
    return any(is_differentiable(RECORDS[each["def"]]) for each in record.get("traits", []))


def written(path):
    """The operations in a test, in the custom or the generic form."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("//")]
    return set(re.findall(r"\bingot\.(\w+)", "\n".join(lines)))


@pytest.mark.parametrize(("family", "names"), operations())
def test_each_operation_is_read_and_printed(family, names):
    path = TESTS / f"{family}.mlir"
    assert path.read_text().startswith("// RUN: %roundtrip\n")
    printed = re.findall(r"// CHECK[\w-]*:.*\bingot\.(\w+)", path.read_text())
    assert names <= set(printed)


@pytest.mark.parametrize(("family", "names"), operations(is_differentiable))
def test_each_rule_has_a_golden(family, names):
    assert names <= written(TESTS / "Derivatives" / f"{family}.mlir")
