"""The tool that changes our own sources: its sites, what it compiles in, and which changes tests kill."""

import os
import random
import subprocess
from pathlib import Path

import pytest

import copied
import judged
import mutate
import sites_cpp
import sites_python
from copied import Copy
from judged import Judge
from sites import instrumented

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]
CPP = """
#include <cstdio>
#include <cstdlib>
#include <vector>

// Takes a < b for no operator: if (a < b)
static int count(const std::vector<int> &values, int low, int high) {
  int found = 0;
  for (int value : values) {
    if (value < 0)
      continue;
    if (low <= value && value < high)
      ++found;
    else
      std::printf("%d;", value); // not found
  }
  auto isLarge = [&](int value) { return value > 2; };
  return isLarge(found) ? -found : found;
}

int main(int, char **argv) {
  std::printf("%d", count({-1, 1, 2, 3, 4}, 1, std::atoi(argv[1])));
}
"""
PYTHON = '''
def clipped(value, low, high):
    """The value, no less than low and no more than high."""
    if value < low:
        return low
    while value > high and high > low:
        value -= 1
    return value
'''


def made(sites, text):
    return {site.change: (i, site) for i, site in enumerate(sites("x", text))}


class TestCpp:
    def test_sites(self):
        assert set(made(sites_cpp.sites, CPP)) == {
            "negate `value < 0`",
            "`<` to `<=` in `value < 0`",
            "drop `continue;` of line `if (value < 0)`",
            "negate `low <= value && value < high`",
            "drop `low <= value` of `low <= value && value < high`",
            "drop `value < high` of `low <= value && value < high`",
            "`<=` to `<` in `low <= value`",
            "`<` to `<=` in `value < high`",
            "drop `++found;`",
            'drop `std::printf("%d;", value);`',
            "negate `value > 2`",
            "`>` to `>=` in `value > 2`",
            "negate `isLarge(found)`",
            'drop `std::printf("%d", count({-1, 1, 2, 3, 4}, 1, std::atoi(argv[1])));`',
        }

    def test_all_are_compiled_in_and_one_is_active(self, tmp_path):
        sites = made(sites_cpp.sites, CPP)
        source, program = tmp_path / "x.cpp", tmp_path / "x"
        source.write_text(instrumented(CPP, sites.values()))
        header = Path(mutate.__file__).with_name("mutant.h")
        subprocess.run(["c++", "-std=c++17", "-include", header, source, "-o", program], check=True)

        def printed(change, high):
            number = sites[change][0] if change else -1
            environment = {
                **os.environ,
                "INGOT_MUTANT": str(number),
                "INGOT_MUTANTS_REACHED": reached,
            }
            command = [program, str(high)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            return done.stdout

        reached = str(tmp_path / "reached")
        Path(reached).write_bytes(bytes(len(sites)))
        assert printed("", 3) == "3;4;2"
        assert Path(reached).read_bytes() == bytes([1] * len(sites))
        killed = {change for change in sites if printed(change, 3) != "3;4;2"}
        # No value is 0, and the only one below 1 is below 0.
        assert set(sites) - killed == {
            "`<` to `<=` in `value < 0`",
            "drop `low <= value` of `low <= value && value < high`",
        }


class TestPython:
    def test_sites(self):
        assert set(made(sites_python.sites, PYTHON)) == {
            "negate `value < low`",
            "`value <= low` for `value < low`",
            "drop `return low`",
            "negate `value > high and high > low`",
            "`high > low` for `value > high and high > low`",
            "`value > high` for `value > high and high > low`",
            "`value >= high` for `value > high`",
            "`high >= low` for `high > low`",
            "drop `value -= 1`",
        }

    def test_lines_stay(self):
        name = "frontend/ingot/tree.py"
        text = (ROOT / name).read_text()
        changed = instrumented(text, list(enumerate(sites_python.sites(name, text))))
        compile(changed, name, "exec")
        assert changed.count("\n") == text.count("\n")


# Processes are forked with a preparation; JAX warns of it in each process that has it.
@pytest.mark.filterwarnings("ignore:.*fork.*:RuntimeWarning")
class TestJudge:
    @pytest.fixture
    def judge(self, tmp_path, monkeypatch):
        """A judge of a repository of one function and one test."""
        monkeypatch.setattr(judged, "SECONDS", 4)
        copy, sites = Copy(tmp_path), made(sites_python.sites, PYTHON)
        (copy.tree / "test").mkdir(parents=True)
        (copy.tree / ".venv").symlink_to(ROOT / ".venv")
        (copy.tree / "clip.py").write_text(instrumented(PYTHON, sites.values()))
        (copy.tree / "test" / "lit.cfg.py").write_text(
            "import lit.formats\nconfig.name = 'Ingot'\nconfig.suffixes = ['.mlir']\n"
            "config.test_format = lit.formats.ShTest()\n"
        )
        (copy.tree / "test" / "empty.mlir").write_text("// RUN: true\n")
        (copy.tree / "test" / "test_clip.py").write_text(
            "import sys\nimport ingot_mutants\nsys.path.insert(0, '.')\nfrom clip import clipped\n"
            "def test_low(): assert clipped(1, 2, 5) == 2\n"
            "def test_high(): assert clipped(7, 2, 5) == 5\n"
        )
        judge = Judge(copy, len(sites), 1)
        assert judge.watch() == "1 tests of lit and 2 of pytest"
        return lambda change: judge.judge(*sites[change])

    def test_verdicts(self, judge):
        verdict = judge("drop `return low`")
        assert (verdict.stage, verdict.by) == ("pytest", "test/test_clip.py::test_low")
        verdict = judge("`value >= high` for `value > high`")
        assert verdict.by == "test/test_clip.py::test_high"
        # Where the value is low, it is returned either way: the mutant is equivalent.
        verdict = judge("`value <= low` for `value < low`")
        assert (verdict.stage, verdict.reached) == ("", 2)
        # The loop has no end.
        verdict = judge("drop `value -= 1`")
        assert (verdict.stage, verdict.by) == ("pytest", "status -14")


def test_samples():
    sources = ["passes/Simplify/CancelTransposes.cpp", "frontend/ingot/tree.py"]
    found = {name: copied.sites_of(name, (ROOT / name).read_text()) for name in sources}
    drawn = copied.sample(found, 9, random.Random(0))
    assert (
        drawn
        == copied.sample(found, 9, random.Random(0))
        != copied.sample(found, 9, random.Random(1))
    )
    assert sum(site.file.endswith(".cpp") for site in drawn) == 5
    assert len(set(drawn)) == 9


def test_equivalent_mutants_are_those_of_sources():
    for name, change in mutate.equivalent():
        changes = {site.change for site in copied.sites_of(name, (ROOT / name).read_text())}
        assert change in changes, f"{name} has no `{change}` any more"
