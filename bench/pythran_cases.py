"""Run the test programs of Pythran, unmodified, through Ingot, beside plain Python.

Bring a checkout of Pythran: `python bench/pythran_cases.py --pythran DIR [CASE ...]`. Each line
`#runas` of a program is run, in a process of its own that may take `--limit` seconds. Every
function of the program that it calls is called plain and compiled, with arguments of their own:
results, what became of the arguments, and exceptions are compared as the fuzz's judge compares
them (`test/fuzz/generator/judge.py`). Where values differ, those of `strict_fp` must be the same to
the last bit: some programs make much of what is rounded. A row is as bad as its worst call:
agreed, raised (alike), not run, refused, timeout, crashed or wrong. Exits with 1 if one is wrong
or crashed.
"""

from __future__ import annotations

import argparse
import collections
import copy
import importlib.util
import json
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import isolated

import ingot

sys.path.insert(0, str(Path(__file__).parent.parent / "test" / "fuzz"))
from generator.judge import NARROW, Comparison, Outcome, judge_case

#: From good to bad; those of a process that ended without a row are "timeout" and "crashed".
STATUSES = ("agreed", "raised", "not run", "refused", "timeout", "crashed", "wrong")
FAILURES = ("crashed", "wrong")
CASES = Path("pythran", "tests", "cases")
#: Results are compared within this part of the largest element: sums of many are rounded.
RTOL = 1e-10


def listed(checkout: Path) -> list[str]:
    """The programs, each with the number of its line `#runas`: `harris`, `weights:1`."""
    found = []
    for path in sorted((checkout / CASES).glob("*.py")):
        runs = len(runs_of(path.read_text())) or 1
        found += [f"{path.stem}:{i}" if i else path.stem for i in range(runs)]
    return found


def runs_of(text: str) -> list[str]:
    return re.findall(r"^#runas:?\s+(.*)$", text, re.MULTILINE)


def loaded(path: Path) -> dict[str, Any]:
    """The namespace of a program; programs import each other."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(f"case_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def compared(f: Callable[..., Any], args: tuple, rtol: float) -> Outcome:
    """What a call comes to; one in which rounding decides is compared bit by bit."""
    modules = {id(each): each for each in args if isinstance(each, types.ModuleType)}

    def case() -> tuple:
        return copy.deepcopy(args, dict(modules))

    found = judge_case(f, ingot.jit(f), case, Comparison(rtol=rtol))
    if found.verdict != "wrong" or not found.detail.startswith("value"):
        return found
    exact = judge_case(f, ingot.jit(f, strict_fp=True), case, Comparison(rtol=0.0))
    return exact if exact.verdict == "agreed" else found


def run(case: str, checkout: Path) -> dict[str, Any]:
    """The row of one line `#runas`."""
    name, _, number = case.partition(":")
    path = checkout / CASES / f"{name}.py"
    text = path.read_text()
    rtol = NARROW if re.search(r"float32|complex64", text) else RTOL
    found: list[Outcome] = []

    def recorder(f: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            found.append(compared(f, args, rtol))
            return f(*args)

        return call

    namespace = loaded(path)
    runs = runs_of(text)
    row = {"benchmark": "pythran_cases", "kernel": case}
    if not runs:
        return row | {"status": "not run", "detail": "it has no line #runas"}
    # The program's own calls stay its own.
    outside = {
        each: recorder(value) if isinstance(value, types.FunctionType) else value
        for each, value in namespace.items()
    }
    isolated.announce("calls")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(runs[int(number or 0)], outside)
    except Exception:
        # What a call raises ends the line.
        if not found:
            raise
    if not found:
        return row | {"status": "not run", "detail": "it calls no function of the program"}
    worst = max(found, key=lambda each: STATUSES.index(each.verdict))
    return row | {"status": worst.verdict, "detail": worst.detail, "calls": len(found)}


def rows(cases: list[str], options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    same = ["--pythran", str(options.pythran)]
    for case in cases:
        yield isolated.row(__file__, case, same, None, options.limit)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pythran", type=Path, required=True, help="a checkout of Pythran")
    parser.add_argument("--limit", type=float, default=60, help="seconds of a process")
    parser.add_argument("--row", metavar="CASE", help="this case, in this process")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("cases", nargs="*", help="all, if none is named")
    options = parser.parse_args()
    if options.row:
        print(json.dumps(run(options.row, options.pythran)), flush=True)
        return 0
    counts: collections.Counter[str] = collections.Counter()
    for row in rows(options.cases or listed(options.pythran), options):
        counts[row["status"]] += 1
        line = f"{row['kernel']:28} {row['status']:13} {row['detail']}"
        print(json.dumps(row) if options.json else line.rstrip(), flush=True)
    if not options.json:
        print(", ".join(f"{counts[each]} {each}" for each in STATUSES), "of", counts.total())
    return int(any(counts[each] for each in FAILURES))


if __name__ == "__main__":
    sys.exit(main())
