"""Run the array API's conformance tests against Ingot, jax.numpy and NumPy.

Bring a checkout of data-apis/array-api-tests (with its requirements installed):
`python bench/array_api.py --array-api-tests DIR [-- PYTEST OPTIONS]`. For Ingot the namespace is
NumPy's with each function compiled (see `array_api_namespace.py`). Prints a JSON line for each
namespace: how many tests it passes, and which ones it does not that jax.numpy passes; exits with 1
if Ingot passes fewer. Compilation counts into the time of an example, so the suite's deadlines are
off.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMESPACES = {"ingot": "array_api_namespace", "jax": "jax.numpy", "numpy": "numpy"}


def outcomes(report: Path) -> dict[str, str]:
    """The outcome of each test: passed, failed or skipped."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        name = f"{case.get('classname')}::{case.get('name')}"
        failed = kinds & {"failure", "error"}
        found[name] = "failed" if failed else "skipped" if "skipped" in kinds else "passed"
    return found


def run(checkout: Path, module: str, examples: int, extra: list[str]) -> dict[str, str]:
    path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {
        **os.environ,
        "ARRAY_API_TESTS_MODULE": module,
        "INGOT_PLATFORM": "cpu",
        "JAX_ENABLE_X64": "1",
        "JAX_PLATFORMS": "cpu",
        "PYTHONPATH": path,
    }
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable, "-m", "pytest", "array_api_tests", "-q", "-p", "no:cacheprovider",
            "--disable-deadline", "--derandomize", f"--max-examples={examples}",
            f"--junitxml={report}", *extra,
        ]  # fmt: skip
        subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.DEVNULL)
        if not report.exists():
            sys.exit(f"pytest wrote no report for {module}; is {checkout} a checkout?")
        return outcomes(report)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--array-api-tests", type=Path, required=True, help="a checkout of it")
    parser.add_argument("--max-examples", type=int, default=20)
    parser.add_argument("--namespaces", nargs="+", choices=NAMESPACES, default=list(NAMESPACES))
    parser.add_argument("extra", nargs="*", help="more options for pytest, after --")
    options = parser.parse_args()
    passed: dict[str, set[str]] = {}
    # jax.numpy first, since the others are compared with it.
    for name in sorted(options.namespaces, key="jax".__ne__):
        checkout = options.array_api_tests
        found = run(checkout, NAMESPACES[name], options.max_examples, options.extra)
        passed[name] = {test for test, outcome in found.items() if outcome == "passed"}
        row = {"benchmark": "array_api", "namespace": name}
        row |= {"passes": len(passed[name]), "tests": len(found)}
        row["only_jax_passes"] = sorted(passed.get("jax", set()) - passed[name])
        print(json.dumps(row), flush=True)
    return int({"ingot", "jax"} <= set(passed) and len(passed["ingot"]) < len(passed["jax"]))


if __name__ == "__main__":
    sys.exit(main())
