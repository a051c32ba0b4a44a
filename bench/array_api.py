"""Run the array API's conformance tests against Ingot, jax.numpy and NumPy.

Bring a checkout of data-apis/array-api-tests (with its requirements installed):
`python bench/array_api.py --array-api-tests DIR [-- PYTEST OPTIONS]`. For Ingot the namespace is
NumPy's with each function compiled (see `array_api_namespace.py`). Prints how many tests each
namespace passes, and which ones jax.numpy passes and Ingot does not; exits with 1 if Ingot passes
fewer. Compilation counts into the time of an example, so the suite's deadlines are off.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMESPACES = {"ingot": "array_api_namespace", "jax": "jax.numpy", "numpy": "numpy"}


def outcomes(report: Path) -> dict[str, str]:
    """passed, failed or skipped by test."""
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
    results = {}
    for name in options.namespaces:
        checkout = options.array_api_tests
        results[name] = run(checkout, NAMESPACES[name], options.max_examples, options.extra)
        passed = sum(outcome == "passed" for outcome in results[name].values())
        print(f"{name:6} passes {passed:5} of {len(results[name])}", flush=True)
    if not {"ingot", "jax"} <= set(results):
        return 0
    passed = {n: {t for t, o in r.items() if o == "passed"} for n, r in results.items()}
    for test in sorted(passed["jax"] - passed["ingot"]):
        print(f"  jax.numpy passes, Ingot does not: {test}")
    return int(len(passed["ingot"]) < len(passed["jax"]))


if __name__ == "__main__":
    sys.exit(main())
