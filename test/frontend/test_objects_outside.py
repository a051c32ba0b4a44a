"""Objects of all kinds that functions read from outside: no call gives what held before.

A call gives what the plain function does, or is refused: after a change, in another process that shares the disk
cache, and in another thread.
"""

import importlib.util
import json
import os
import sys

import outside
import pytest

from level import pick
from processes import python

KINDS = list(outside.KINDS)
#: The kinds are tried in groups, each in one test.
GROUPS = [KINDS[i::6] for i in range(6)]


def programs_of(kinds):
    """The programs of some kinds: each read in one place, and in the nightly run in all."""
    found = [each for each in outside.all_programs() if each[0] in kinds]
    step = pick(240, 61, 1)
    # Of the places of a read, which come one after the other, another one for each read.
    return [each for i, each in enumerate(found) if step == 1 or i % step == (i // step) % step]


@pytest.fixture
def module(tmp_path, request):
    """Makes the module with the programs of some kinds."""

    def make(kinds):
        path = tmp_path / f"outside_{request.node.name.translate({91: '_', 93: '_'})}.py"
        path.write_text(outside.text_of(programs_of(kinds)))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        made = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = made
        spec.loader.exec_module(made)
        return made

    yield make
    for name in [each for each in sys.modules if each.startswith("outside_")]:
        del sys.modules[name]


def check(found):
    assert not found.wrong, "\n".join(found.wrong)
    assert found.agreed > found.refused / 4


@pytest.mark.parametrize("kinds", GROUPS, ids=range(len(GROUPS)))
def test_changes(kinds, module, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", "")
    runner = outside.Runner(module(kinds))
    for kind in kinds:
        runner.run_changes(kind)
    check(runner.found)


@pytest.mark.parametrize("kinds", GROUPS, ids=range(len(GROUPS)))
def test_threads(kinds, module, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", "")
    runner = outside.Runner(module(kinds))
    for kind in kinds:
        runner.run_threads(kind)
    check(runner.found)


OF_A_PROCESS = """
import sys, dataclasses, json
import numpy

import {name}, outside
runner = outside.Runner({name})
for kind in sys.argv[1:]:
    runner.compare(kind, "in this process")
print(json.dumps(dataclasses.asdict(runner.found)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("kinds", GROUPS, ids=range(len(GROUPS)))
def test_other_processes(kinds, tmp_path):
    """Processes with other values, other seeds of hashes, and the same disk cache."""
    (tmp_path / "of_processes.py").write_text(outside.text_of(programs_of(kinds)))
    text = OF_A_PROCESS.format(name="of_processes")
    found = []
    for value, seed in (("1", "1"), ("2", "1"), ("1", "2"), ("1", "1")):
        done = python(
            "-W", "ignore", "-c", text, *kinds,
            INGOT_CACHE_DIR=str(tmp_path / "cache"), INGOT_TEST_V=value, PYTHONHASHSEED=seed,
            PYTHONPATH=os.pathsep.join([str(tmp_path), os.path.dirname(outside.__file__)]),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found.append(outside.Found(**json.loads(done.stdout)))
        assert not found[-1].wrong, "\n".join([f"{value}, seed {seed}:", *found[-1].wrong])
