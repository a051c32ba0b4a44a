"""Artifacts as map functions of Dask and Ray Data, in processes of theirs; one of these killed."""

from pathlib import Path

import pytest

from processes import python

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "engines"
# Ray takes 400 MB and seconds to start: `make nightly` installs it.
ENGINES = ["dask", pytest.param("ray", marks=pytest.mark.nightly)]
SCRIPTS = {"dask": "dask_map.py", "ray": "ray_data.py"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_example_gives_all_rows(engine):
    done = python(EXAMPLES / SCRIPTS[engine], "20000")
    assert "20000 rows right" in done.stdout, done.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_killed_process_loses_no_row(engine):
    script = ROOT / "test" / "support" / "engine_job.py"
    done = python(script, engine, PYTHONPATH=str(EXAMPLES))
    assert "all rows" in done.stdout, done.stderr[-2000:]
