"""Differential fuzz of whole programs: plain against compiled.

`python test/fuzz/programs.py [--count N] [--seed N] [--kind values]` writes, runs and compares random
programs. It prints how many were tried, agreed and were refused, the most frequent refusals, and
each program that went wrong, made smaller. Exits with 1 if one went wrong, too few agreed, or a
refusal is not in the list of `refusals.json`, or more often than there; `--shrink-list` takes what
came less often into that list. An error that is no refusal, where the plain program raises none, is
wrong. `--one SEED` shows one program and its verdict, `--file PATH` judges a program that was kept.
With the variables that `test/support/sanitized.py` prints, all kernels check their loads and stores.
"""

from __future__ import annotations

import argparse
import collections
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from generator import refusals, workers
from generator.judge import VERDICTS, Outcome
from generator.kinds import KINDS, run, smaller, written
from generator.workers import Lost, results

#: Of all programs, which share must agree (exceptions included): fewer, and the fuzz is no test.
FLOOR = 0.5
REFUSALS = 12

# Each worker runs this, too.
if "libasan" in os.environ.get("LD_PRELOAD", ""):
    sys.path.append(str(Path(__file__).parents[1] / "support"))
    import sanitized

    sanitized.install()
    # The sanitizer maps all of memory a second time.
    workers.MEMORY = resource.RLIM_INFINITY


def judged(kind: str, seeds: list[int], jobs: int) -> Iterator[tuple[int, Outcome]]:
    """The seeds with the outcomes of their programs; what is lost with its worker is crashed."""
    tasks = [(kind, seed) for seed in seeds]
    for (_, seed), outcome in results(run, tasks, jobs, KINDS[kind].limit):
        if isinstance(outcome, Lost):
            # Written in another process: what was lost may have been the writer.
            text = next(results(written, [(kind, seed)], 1))[1]
            outcome = Outcome("crashed", str(outcome), str(text), lost=True)
        yield seed, outcome


def report(kind: str, seed: int, outcome: Outcome, folder: Path | None) -> None:
    print(f"\n{'=' * 20} {outcome.verdict}: --kind {kind} --one {seed}\n{outcome.text.strip()}")
    print(f"--- {outcome.detail}", flush=True)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{kind}_{seed}_{outcome.verdict}.py"
        (folder / name).write_text(f"{outcome.text}\n# {outcome.detail!r}\n")


def summary(counts: collections.Counter[str], kinds: collections.Counter[str], s: float) -> None:
    tried = sum(counts.values())
    parts = ", ".join(f"{counts[v]} {v}" for v in VERDICTS)
    print(f"\n{tried} programs in {s:.0f} s: {parts} ({counts['refused'] / tried:.1%} refused)")
    for kind, n in kinds.most_common(REFUSALS):
        print(f"{n:6} {n / tried:.2%} {kind}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kind", choices=KINDS, default="values")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--max-refused", type=float, default=0.45, help="as a share")
    parser.add_argument("--min-agreed", type=float, default=FLOOR, help="as a share")
    parser.add_argument("--max-shown", type=int, default=20, help="failures that are made smaller")
    parser.add_argument("--shrink", type=float, default=60.0, metavar="SECONDS", help="0 for not")
    parser.add_argument("--one", type=int, metavar="SEED")
    parser.add_argument("--file", type=Path, help="a program to judge")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where failures are written")
    parser.add_argument("--shrink-list", action="store_true", help="of what may be refused")
    options = parser.parse_args()
    if options.kind == "mutants" and not options.file:
        parser.error("mutants are made of programs: see mutants.py")
    if options.file:
        outcome = run((options.kind, options.file.read_text()))
        print(outcome.verdict, outcome.detail)
        return int(outcome.bad)
    seeds = range(options.seed, options.seed + options.count)
    if options.one is not None:
        seeds = range(options.one, options.one + 1)
    start = time.monotonic()
    counts: collections.Counter[str] = collections.Counter()
    kinds: collections.Counter[str] = collections.Counter()
    failures: list[tuple[int, Outcome]] = []
    for seed, outcome in judged(options.kind, list(seeds), options.jobs):
        counts[outcome.verdict] += 1
        if outcome.verdict == "refused":
            kinds[outcome.kind] += 1
        if outcome.bad:
            failures.append((seed, outcome))
        if options.one is not None:
            print(f"{outcome.text}\n--- {outcome.verdict}: {outcome.detail}")
    seconds = time.monotonic() - start
    shown = failures[: options.max_shown] if options.shrink else []
    tasks = [(options.kind, outcome, options.shrink) for _, outcome in shown]
    found = dict(zip(map(id, tasks), shown, strict=True))
    for task, small in results(
        smaller, tasks, options.jobs, options.shrink + KINDS[options.kind].limit
    ):
        seed, outcome = found[id(task)]
        report(options.kind, seed, outcome if isinstance(small, Lost) else small, options.keep)
    for seed, outcome in [] if options.shrink else failures[: options.max_shown]:
        report(options.kind, seed, outcome, options.keep)
    summary(counts, kinds, seconds)
    for sort, n in collections.Counter(o.sort for _, o in failures).most_common():
        print(f"{n:6} {sort}: seeds {[seed for seed, o in failures if o.sort == sort][:8]}")
    if len(failures) > options.max_shown:
        print("not shown:", ", ".join(str(seed) for seed, _ in failures[options.max_shown :]))
    if options.one is not None:
        return int(bool(failures))
    tried = len(seeds)
    agreed = counts["agreed"] + counts["raised"]
    few = agreed < options.min_agreed * tried
    many = counts["refused"] > options.max_refused * tried
    if few or many:
        print(f"too few agree: {agreed} of {tried}" if few else "too many are refused")
    if options.shrink_list:
        refusals.shrink(options.kind, kinds, tried)
    beyond = refusals.beyond(options.kind, kinds, tried)
    print(*(f"not listed: {each}" for each in beyond), sep="\n", end="\n" * bool(beyond))
    return int(bool(failures) or few or many or bool(beyond))


if __name__ == "__main__":
    sys.exit(main())
