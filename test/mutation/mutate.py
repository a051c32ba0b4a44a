"""Mutation testing of Ingot's own sources: changes of passes and of the frontend that tests should notice.

`python test/mutation/mutate.py [--count N] [--seed N] [--folder DIR] [--under FOLDER ...] [--again]` negates
conditions, moves boundaries and drops operands and statements, one at a time, in a copy of the repository. All mutants of the
sample are compiled in at once, and INGOT_MUTANT says which is the active one. First all tests of `make quick`
run without one, to learn which tests reach which mutant; then, for each mutant, those that reach it run until
one fails: the lit test of the pass, the other lit tests, pytest. A test that hangs or crashes fails.

`equivalent.toml` lists mutants that were looked at and change nothing that a test could see, each with its reason.
Fails if less of the others is killed than --floor. In the same --folder, what was judged is not judged again;
with --again, survivors are, by the tests that there are now. `report.md` there is a table of all mutants.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import json
import random
import sys
import tempfile
import tomllib
from pathlib import Path

import copied
from copied import Copy
from judged import Judge, Verdict, counted, table
from sites import Site

EQUIVALENT = Path(__file__).parent / "equivalent.toml"


def equivalent() -> dict[tuple[str, str], str]:
    """The reason of each mutant that no test can kill, by file and change."""
    listed = tomllib.loads(EQUIVALENT.read_text()).get("mutant", [])
    return {(each["file"], each["change"]): each["reason"] for each in listed}


class _Work:
    """The sample in a folder and what is known of it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._copy = Copy(options.folder.resolve())
        self._copy.folder.mkdir(parents=True, exist_ok=True)
        self._verdicts = self._copy.folder / "verdicts.jsonl"
        self.sample = self._sampled()
        self.known: dict[int, Verdict] = {}
        if self._verdicts.exists():
            for line in self._verdicts.read_text().splitlines():
                number, *verdict = json.loads(line)
                self.known[number] = Verdict(*verdict)

    def _sampled(self) -> list[Site | None]:
        path = self._copy.folder / "sample.json"
        if path.exists():
            read = json.loads(path.read_text())
            self._copy.write(keep_instrumented=True)
            return [each and Site(**each) for each in read]
        found = {
            name: copied.sites_of(name, (copied.ROOT / name).read_text())
            for name in copied.files(self._options.under)
        }
        drawn = copied.sample(found, self._options.count, random.Random(self._options.seed))
        self._copy.write()
        kept = self._copy.instrument(drawn)
        path.write_text(json.dumps([each and dataclasses.asdict(each) for each in kept]))
        return kept

    def judge(self) -> None:
        judge = Judge(self._copy, len(self.sample), self._options.jobs, self._options.most)
        print(judge.watch(self._options.lit_only), flush=True)
        wanted = [
            (i, site)
            for i, site in enumerate(self.sample[: self._options.first])
            if site and (i not in self.known or (self._options.again and not self.known[i].stage))
        ]
        with concurrent.futures.ThreadPoolExecutor(self._options.jobs) as pool:
            running = {pool.submit(judge.judge, i, site): (i, site) for i, site in wanted}
            for ended in concurrent.futures.as_completed(running):
                self._keep(*running[ended], ended.result())

    def _keep(self, number: int, site: Site, verdict: Verdict) -> None:
        self.known[number] = verdict
        with self._verdicts.open("a") as file:
            file.write(json.dumps([number, *dataclasses.astuple(verdict)]) + "\n")
        end = f"killed by {verdict.stage}: {verdict.by}" if verdict.stage else "SURVIVED"
        print(f"{number} {site.file}:{site.line} {site.change}: {end}", flush=True)

    def report(self) -> bool:
        """Print the counts, write the table, and return whether enough is killed."""
        rows = [
            (site, self.known[i]) for i, site in enumerate(self.sample) if site and i in self.known
        ]
        reasons = equivalent()
        same = [row for row in rows if not row[1].stage and row[0].key in reasons]
        survived = [row for row in rows if not row[1].stage and row[0].key not in reasons]
        killed = len(rows) - len(same) - len(survived)
        share = killed / max(1, len(rows) - len(same))
        stages = counted(verdict for _, verdict in rows if verdict.stage)
        lines = [
            f"{len(rows)} mutants of seed {self._options.seed}: {killed} killed, {len(same)} equivalent, "
            f"{len(survived)} survived; {share:.1%} of those that are not equivalent are killed",
            ", ".join(f"{stage}: {count}" for stage, count in sorted(stages.items())),
            *(f"SURVIVED {site.file}:{site.line} {site.change}" for site, _ in survived),
        ]
        print("\n".join(lines))
        path = self._copy.folder / "report.md"
        path.write_text("\n\n".join(lines[:2]) + "\n\n" + table(rows) + "\n")
        return share >= self._options.floor


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="of the copy and the report, to go on there")
    parser.add_argument("--under", nargs="+", default=["passes", "frontend"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, help="of the sample, to judge now")
    parser.add_argument("--most", type=float, default=0, help="seconds of pytest for a mutant")
    parser.add_argument("--lit-only", action="store_true", help="leave pytest out")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--floor", type=float, default=0.85)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ingot-mutation-") as made:
        options.folder = options.folder or Path(made)
        work = _Work(options)
        work.judge()
        return 0 if work.report() else 1


if __name__ == "__main__":
    sys.exit(main())
