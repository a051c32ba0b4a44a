"""Mutants of programs that agree: the plain mutant against the compiled one.

`python test/fuzz/mutants.py [--count N] [--seed N] [--programs DIR ...]` takes programs that agree with NumPy
and changes each so that NumPy still says what is right: wrapped in functions, methods, generators,
loops of one trip and `try`; with dead branches, other layouts and dtypes, views of one base, attributes,
exchanged names, peeled loops, batches of one, as artifacts, from the disk cache. The programs are those of our
tests (which a run of pytest writes, see test/support/record_programs.py), those of the random generator, and
files in the format of `programs.py --keep` in further folders. Prints and exits as `programs.py` does.
"""

from __future__ import annotations

import argparse
import collections
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from generator import kinds, mutants, refusals
from generator.judge import Outcome
from generator.workers import LIMIT, Lost, results

import programs

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "test" / "support"), str(ROOT / "test" / "frontend")]
#: The share of mutants of random programs.
RANDOM = 0.3
#: Of so many mutants or more, all of our tests are recorded; of fewer, this many files.
ALL, FILES = 5000, 24
#: Of all mutants, which share may be refused.
MOST_REFUSED = 0.35


def recorded(folder: Path, files: list[Path]) -> None:
    """Write the programs of test files."""
    arguments = [
        "-q",
        "-p",
        "record_programs",
        "--record",
        str(folder),
        "-p",
        "no:cacheprovider",
        "-n0",
    ]
    subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, *map(str, files)], cwd=ROOT, check=False,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def corpus(options: argparse.Namespace, folder: Path) -> list[Path]:
    found = [path for each in options.programs for path in sorted(each.rglob("*.py"))]
    if not options.only:
        files = sorted((ROOT / "test" / "frontend").glob("test_*.py"))
        if options.count < ALL:
            files = random.Random(options.seed).sample(files, FILES)
        recorded(folder, files)
        found += sorted(folder.glob("*.py"))
    return found


def tasks(
    options: argparse.Namespace, paths: list[Path], tried: list[int]
) -> Iterator[mutants.Task]:
    """Mutants, as many as it takes until so many were tried."""
    seed = options.seed
    while len(tried) < options.count and seed < options.seed + 20 * options.count:
        rng = random.Random(seed)
        if paths and (options.only or rng.random() > RANDOM):
            text = rng.choice(paths).read_text()
        else:
            text = kinds.written(("values", rng.randrange(1 << 30)))
        yield mutants.Task(text, seed)
        seed += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="of the first mutant")
    parser.add_argument("--programs", type=Path, nargs="*", default=[], metavar="DIR")
    parser.add_argument("--only", action="store_true", help="only of the programs in these folders")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--max-shown", type=int, default=20, help="failures that are made smaller")
    parser.add_argument("--shrink", type=float, default=60.0, metavar="SECONDS", help="0 for not")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where failures are written")
    parser.add_argument("--shrink-list", action="store_true", help="of what may be refused")
    options = parser.parse_args()
    start, tried = time.monotonic(), list[int]()
    counts: collections.Counter[str] = collections.Counter()
    by_mutation: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    refused: collections.Counter[str] = collections.Counter()
    failures: list[tuple[int, Outcome]] = []
    with tempfile.TemporaryDirectory(prefix="ingot-mutants-") as folder:
        paths = corpus(options, Path(folder))
        print(f"{len(paths)} programs of tests and folders", flush=True)
        for task, found in results(mutants.run, tasks(options, paths, tried), options.jobs):
            if found is None:
                continue
            if isinstance(found, Lost):
                found = lost(task, found)
            outcome = found.outcome
            tried.append(task.seed)
            counts[outcome.verdict] += 1
            by_mutation[found.mutation][outcome.verdict] += 1
            if outcome.verdict == "refused":
                refused[outcome.kind] += 1
            if outcome.bad:
                failures.append((task.seed, outcome))
        show(options, failures)
    programs.summary(counts, refused, time.monotonic() - start)
    for name, each in sorted(by_mutation.items()):
        print(f"{name:14} {dict(each)}")
    if options.shrink_list:
        refusals.shrink("mutants", refused, len(tried))
    beyond = [] if options.only else refusals.beyond("mutants", refused, len(tried))
    print(*(f"not listed: {each}" for each in beyond), sep="\n", end="\n" * bool(beyond))
    many = counts["refused"] > MOST_REFUSED * len(tried)
    few = len(tried) < options.count
    if few or many:
        print("too few programs agree themselves" if few else "too many are refused")
    return int(bool(failures) or few or many or bool(beyond))


def lost(task: mutants.Task, why: Lost) -> mutants.Found:
    """The mutant that was lost with its process, written in another one."""
    made = next(results(mutants.written, [task], 1))[1]
    name, text = made if isinstance(made, tuple) else ("", task.text)
    return mutants.Found(Outcome("crashed", str(why), text, lost=True), name)


def show(options: argparse.Namespace, failures: list[tuple[int, Outcome]]) -> None:
    """The first failures, made smaller."""
    shown = failures[: options.max_shown]
    if not options.shrink:
        for seed, outcome in shown:
            programs.report("mutants", seed, outcome, options.keep)
        return
    asked = [("mutants", outcome, options.shrink) for _, outcome in shown]
    seeds = dict(zip(map(id, asked), shown, strict=True))
    for task, small in results(kinds.smaller, asked, options.jobs, options.shrink + LIMIT):
        seed, outcome = seeds[id(task)]
        programs.report(
            "mutants", seed, outcome if isinstance(small, Lost) else small, options.keep
        )


if __name__ == "__main__":
    sys.exit(main())
