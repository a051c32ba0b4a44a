"""Pythran's programs (bench/pythran_cases.py), from a made-up checkout."""

import json
import pathlib

import pytest

from processes import python

pytestmark = pytest.mark.once

SCRIPT = pathlib.Path(__file__).parent.parent.parent / "bench" / "pythran_cases.py"
PROGRAMS = {
    "twice": """
#pythran export scaled(float[], float)
#runas import numpy as np; x = np.arange(4.); scaled(x, 2.), total(x)
#runas scaled([1.], 3.)
import numpy as np

def total(x):
    return scaled(x, 1.0).sum()

def scaled(x, by):
    return np.asarray(x) * by
""",
    "raising": """
#runas first([])
def first(x):
    return x[0]
""",
    "refusing": """
#runas opened("x")
def opened(name):
    with open(name) as file:
        return file.read()
""",
    "endless": """
#runas waiting(1)
import time
def waiting(n):
    while n:
        time.sleep(n)
""",
    "differing": """
#runas drawn(3)
calls = []
def drawn(n):
    calls.append(n)
    return len(calls) if n > 0 else 0
""",
    "idle": """
def unused():
    return 1
""",
}


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "pythran" / "tests" / "cases"
    folder.mkdir(parents=True)
    for name, text in PROGRAMS.items():
        (folder / f"{name}.py").write_text(text)
    return tmp_path


@pytest.mark.slow
def test_rows(checkout):
    cases = ["twice", "twice:1", "raising", "refusing", "idle"]
    done = python(SCRIPT, "--pythran", checkout, "--json", *cases)
    assert done.returncode == 0, done.stderr
    rows = {row["kernel"]: row for row in map(json.loads, done.stdout.splitlines())}
    found = {name: row["status"] for name, row in rows.items()}
    assert found == {
        "twice": "agreed",
        "twice:1": "agreed",
        "raising": "raised",
        "refusing": "refused",
        "idle": "not run",
    }
    assert rows["twice"]["calls"] == 2
    assert "open" in rows["refusing"]["detail"]


def lines(checkout, *arguments, code=0):
    done = python(SCRIPT, "--pythran", checkout, *arguments)
    assert done.returncode == code, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_what_fails(checkout):
    found = lines(checkout, "differing", "twice", code=1)
    assert [line.split()[:2] for line in found[:2]] == [["differing", "wrong"], ["twice", "agreed"]]
    assert found[-1].endswith("of 2")


@pytest.mark.slow
def test_what_never_ends(checkout):
    first, *_ = lines(checkout, "--limit", 2, "endless")
    assert first.split()[:2] == ["endless", "timeout"]
