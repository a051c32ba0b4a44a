"""Which tests reach a mutant, and which one kills it: lit's of the pass, then all of lit's, then pytest's."""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import itertools
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from copied import Copy
from reached import IMPORTED
from sites import Site

#: Bytes of memory that tests with a mutant may have.
MEMORY = 16 << 30
#: Seconds and multiples of what a test takes without a mutant, after which it hangs.
SECONDS, TIMES = 30, 8

_LISTED = re.compile(r"^  Ingot :: (\S+)", re.MULTILINE)


@dataclasses.dataclass
class Test:
    """A test that passes without a mutant."""

    name: str
    seconds: float
    mutants: set[int]


@dataclasses.dataclass
class Verdict:
    """What became of a mutant: the stage that killed it and by which test, or nothing."""

    stage: str = ""
    by: str = ""
    #: How many tests reach it.
    reached: int = 0


def kebab(stem: str) -> str:
    """The name of the test of a pass."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", stem).lower()


class Judge:
    """Runs the tests of a copy."""

    def __init__(self, copy: Copy, count: int, jobs: int, most: float = 0) -> None:
        """Of `count` mutants; of pytest's tests, those that take `most` seconds, if that is not 0."""
        self._copy, self._count, self._jobs, self._most = copy, count, jobs, most
        self._lit: list[Test] = []
        self._pytest: list[Test] = []
        self._imported: set[int] = set()
        #: Tests that failed with a mutant and then without one, too.
        self._unsure: set[str] = set()
        self._sure: set[str] = set()

    def watch(self, lit_only: bool = False) -> str:
        """Run all tests without a mutant, and learn what each reaches; returns a line about them."""
        lit = self._known("lit", self._files_of_lit(), self._watched_lit)
        pytest = []
        if not lit_only:
            files = sorted(self._copy.tree.glob("test/**/test_*.py"))
            pytest = self._known("pytest", files, self._watched_pytest)
        self._lit, self._pytest = self._passed(lit), self._passed(pytest)
        self._imported = {n for line in pytest if line["test"] == IMPORTED for n in line["mutants"]}
        failed = sorted({x["test"] for x in lit + pytest if x["outcome"] == "failed"})
        line = f"{len(self._lit)} tests of lit and {len(self._pytest)} of pytest"
        return line + (
            f"; fail in the copy, and are left out: {', '.join(failed)}" if failed else ""
        )

    def _known(
        self, name: str, files: list[Path], watched: Callable[[list[Path]], list[dict]]
    ) -> list[dict]:
        """What tests were seen to reach, now or before if their files are the same."""
        path = self._copy.folder / f"{name}.json"
        known = json.loads(path.read_text()) if path.exists() else {"files": {}, "tests": []}
        found = {
            str(each.relative_to(self._copy.tree)): hashlib.sha256(each.read_bytes()).hexdigest()
            for each in files
        }
        stale = [each for each, digest in found.items() if known["files"].get(each) != digest]
        if stale:
            kept = [line for line in known["tests"] if _file_of(line["test"]) not in stale]
            known = {"files": found, "tests": kept + watched(stale)}
            path.write_text(json.dumps(known))
        return known["tests"]

    def _passed(self, lines: list[dict]) -> list[Test]:
        return [
            Test(line["test"], line["seconds"], set(line["mutants"]))
            for line in lines
            if line["outcome"] == "passed" and line["test"] != IMPORTED
        ]

    def _files_of_lit(self) -> list[Path]:
        ended = self._run([*self._command_of_lit(), "--show-tests", "test"], {}, 120)
        return [self._copy.tree / "test" / name for name in _LISTED.findall(ended.output)]

    def _watched_lit(self, files: list[str]) -> list[dict]:
        path = self._copy.folder / "lit.bytes"
        lines = []
        for name in files:
            path.write_bytes(bytes(self._count))
            ended = self._run(
                [*self._command_of_lit(), name], {"INGOT_MUTANTS_REACHED": str(path)}, 300
            )
            outcome = "passed" if ended.status == 0 else "failed"
            mutants = [i for i, byte in enumerate(path.read_bytes()) if byte]
            lines.append(
                {"test": name, "outcome": outcome, "seconds": ended.seconds, "mutants": mutants}
            )
        return lines

    def _watched_pytest(self, files: list[str]) -> list[dict]:
        folder = self._copy.folder / "reached"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        variables = {"INGOT_REACHED_BY": str(folder), "INGOT_MUTANTS": str(self._count)}
        command = [*self._command_of_pytest(), "-n", str(self._jobs), "--dist", "worksteal"]
        command += files
        ended = self._run(command, variables, 3600)
        (self._copy.folder / "pytest.log").write_text(ended.output)
        return [
            json.loads(line)
            for path in sorted(folder.glob("*.jsonl"))
            for line in path.read_text().splitlines()
        ]

    def judge(self, number: int, site: Site) -> Verdict:
        """Run tests that reach a mutant until one fails."""
        lit = self._reaching(self._lit, number, site)
        pytest = self._affordable(self._reaching(self._pytest, number, site))
        reached = len(lit) + len(pytest)
        own = [test for test in lit if _is_of(test, site)]
        others = [test for test in lit if not _is_of(test, site)]
        for stage, tests, run in (
            ("lit test of the pass", own, self._fails_lit),
            ("lit", others, self._fails_lit),
            ("pytest", pytest, self._fails_pytest),
        ):
            if by := run(number, tests):
                return Verdict(stage, by, reached)
        return Verdict(reached=reached)

    def _reaching(self, tests: list[Test], number: int, site: Site) -> list[Test]:
        """The tests that reach a mutant: those of its file first, then the fastest of each file, and so on."""
        everywhere = number in self._imported
        stem = Path(site.file).stem
        seen: collections.Counter[str] = collections.Counter()
        ranked = []
        for test in sorted(tests, key=lambda test: test.seconds):
            if not everywhere and number not in test.mutants:
                continue
            file = _file_of(test.name)
            seen[file] += 1
            ranked.append((stem not in file, seen[file], test.seconds, test))
        ranked.sort(key=lambda each: each[:3])
        return [test for *_, test in ranked]

    def _affordable(self, tests: list[Test]) -> list[Test]:
        if not self._most:
            return tests
        total = itertools.accumulate(test.seconds for test in tests)
        return [test for test, until in zip(tests, total, strict=True) if until <= self._most]

    def _fails_lit(self, number: int, tests: list[Test]) -> str:
        """The first test of lit that fails with a mutant."""
        if not tests:
            return ""
        command = [*self._command_of_lit(), "--max-failures=1", "--order=lexical"]
        command += [test.name for test in tests]
        ended = self._run(command, {"INGOT_MUTANT": str(number)}, _limit(tests))
        if ended.status == 0:
            return ""
        failed = (f"test/{name}" for name in _LISTED.findall(ended.output))
        # A signal or the end of the time has no name.
        if ended.status < 0:
            return f"status {ended.status}"
        if not (by := next(failed, "")):
            raise SystemExit(f"lit itself failed:\n{ended.output}")
        return by

    def _fails_pytest(self, number: int, tests: list[Test]) -> str:
        """The first test of pytest that fails with a mutant and passes without one."""
        left = [test for test in tests if test.name not in self._unsure]
        while left:
            by = self._failed_of(number, left)
            if not by or by in self._sure:
                return by
            # Without a name, pytest or Python itself failed.
            named = [test for test in left if test.name == by]
            if not self._failed_of(-1, named or left[:1]):
                self._sure.update(test.name for test in named)
                return by
            if not named:
                raise SystemExit(f"{by} without a mutant, too: {left[0].name}")
            self._unsure.add(by)
            left.remove(named[0])
        return ""

    def _failed_of(self, number: int, tests: list[Test]) -> str:
        """The first test that fails with a mutant, or with which status pytest ends."""
        slowest = max(test.seconds for test in tests)
        with tempfile.TemporaryDirectory() as folder:
            first = Path(folder) / "first"
            variables = {
                "INGOT_MUTANT": str(number),
                "INGOT_MUTANT_LIMIT": str(SECONDS + TIMES * slowest),
                "INGOT_FIRST_FAILED": str(first),
            }
            command = [*self._command_of_pytest(), "-x", "-n", "0", "--timeout", "0"]
            command += [test.name for test in tests]
            ended = self._run(command, variables, _limit(tests) + 60)
            if ended.status == 0:
                return ""
            return first.read_text() if first.exists() else f"status {ended.status}"

    def _command_of_lit(self) -> list[str]:
        return [
            str(self._copy.tree / ".venv" / "bin" / "lit"),
            "-sv",
            "-j",
            "1",
            "--skip-test-time-recording",
        ]

    def _command_of_pytest(self) -> list[str]:
        return [str(self._copy.python), "-m", "pytest", "-p", "reached", "-p", "no:cacheprovider"]

    def _run(self, command: list[str], variables: dict[str, str], limit: float) -> _Ended:
        # A test of this tool runs within a run of it.
        own = ("INGOT_MUTANT", "INGOT_REACHED_BY", "INGOT_FIRST_FAILED")
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(own)},
            "INGOT_TESTS": "quick",
            "INGOT_CACHE_DIR": "",
            "OPENBLAS_THREAD_TIMEOUT": "4",
            "PYTHONPATH": str(Path(__file__).parent),
            **variables,
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return run(command, self._copy.tree, environment, limit)


@dataclasses.dataclass
class _Ended:
    status: int
    output: str
    seconds: float


def run(command: list[str], folder: Path, environment: dict[str, str], limit: float) -> _Ended:
    """Run a command with a limit of time, and end all that it started."""
    before = os.times().elapsed
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    try:
        output, _ = process.communicate(timeout=limit)
        status = process.returncode
    except subprocess.TimeoutExpired:
        output, status = "", -signal.SIGKILL
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return _Ended(status, output, os.times().elapsed - before)


def _limit(tests: Iterable[Test]) -> float:
    return SECONDS + TIMES * sum(test.seconds for test in tests)


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def _is_of(test: Test, site: Site) -> bool:
    """Whether a test of lit is the one of a pass."""
    path = Path(test.name)
    return path.suffix == ".mlir" and path.stem.startswith(kebab(Path(site.file).stem))


def table(rows: list[tuple[Site, Verdict]]) -> str:
    """All mutants as a table of Markdown."""
    lines = ["| mutant | change | killed by |", "| --- | --- | --- |"]
    for site, verdict in rows:
        by = (
            f"{verdict.stage}: {verdict.by}"
            if verdict.stage
            else f"survived {verdict.reached} tests"
        )
        change = site.change.replace("|", "\\|")
        lines.append(f"| {site.file}:{site.line} | {change} | {by} |")
    return "\n".join(lines)


def counted(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many mutants each stage killed."""
    return dict(collections.Counter(verdict.stage for verdict in verdicts))
