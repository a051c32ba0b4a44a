"""A plugin of pytest for the copy: which mutants each test reaches, and an end of tests that hang.

With INGOT_REACHED_BY, a folder, each process writes lines of JSON there: a test, its outcome, its seconds and
the mutants that it reached. With INGOT_MUTANT_LIMIT, a test that takes more seconds ends the process, even
within compiled code. With INGOT_FIRST_FAILED, the name of the first test that fails is written there.
"""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

_FOLDER = os.environ.get("INGOT_REACHED_BY")
_LIMIT = float(os.environ.get("INGOT_MUTANT_LIMIT", "0"))
#: What is reached before the first test, by imports, is of all tests.
IMPORTED = "imported"


class _Reached:
    """The bytes that mutants set, which every process that a test starts shares."""

    def __init__(self, folder: Path) -> None:
        self._bytes = folder / f"{os.getpid()}.bytes"
        self._bytes.write_bytes(bytes(int(os.environ["INGOT_MUTANTS"])))
        self._lines = folder / f"{os.getpid()}.jsonl"
        os.environ["INGOT_MUTANTS_REACHED"] = str(self._bytes)
        self._is_first = True

    def begin(self) -> None:
        if self._is_first:
            self.end(IMPORTED, "passed", 0)
        self._is_first = False

    def end(self, test: str, outcome: str, seconds: float) -> None:
        with self._bytes.open("r+b") as file:
            found = [i for i, byte in enumerate(file.read()) if byte]
            file.seek(0)
            for i in found:
                file.seek(i)
                file.write(b"\0")
        line = {"test": test, "outcome": outcome, "seconds": seconds, "mutants": found}
        with self._lines.open("a") as file:
            file.write(json.dumps(line) + "\n")


_reached = _Reached(Path(_FOLDER)) if _FOLDER else None
_outcomes: dict[str, str] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    if _reached:
        _reached.begin()
    if _LIMIT:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, _LIMIT)
    start = time.monotonic()
    try:
        return (yield)
    finally:
        if _LIMIT:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if _reached:
            outcome = _outcomes.pop(item.nodeid, "passed")
            _reached.end(item.nodeid, outcome, time.monotonic() - start)


def pytest_runtest_logreport(report):
    if report.outcome != "passed":
        _outcomes[report.nodeid] = report.outcome
    path = Path(os.environ.get("INGOT_FIRST_FAILED", os.devnull))
    if report.failed and not path.exists():
        path.write_text(report.nodeid)
