"""Bytes of programs that jaxlib's reader does not survive are refused, by a process of their own."""

import random
from pathlib import Path

import numpy as np
import pytest
from generator import hostile

import ingot
from ingot_runtime import reading
from level import pick

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.ingot"))


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    """It knows programs that were verified before."""
    monkeypatch.setenv("INGOT_CACHE_DIR", "")


def changed(source, path, change):
    """Write an artifact whose checksums are right, and whose programs have other bytes."""
    manifest, members = hostile.parts_of(source.read_bytes())
    for name in ("members", "digest"):
        manifest.pop(name, None)
    for name in members:
        if name.endswith(".mlirbc"):
            members[name] = change(bytearray(members[name]))
    hostile.write(path, manifest, members)


def test_bytes_that_end_the_reader(tmp_path):
    """A single bit of one of the programs: jaxlib allocates what it says."""
    (source,) = (each for each in GOLDEN if each.name == "format-2.ingot")

    def change(data):
        if len(data) == 923:
            data[467] ^= 1 << 3
        return bytes(data)

    changed(source, tmp_path / "changed.ingot", change)
    with pytest.raises(ingot.ArtifactError, match="can't be read within bounds"):
        ingot.load(tmp_path / "changed.ingot")


@pytest.mark.once
@pytest.mark.parametrize("seed", range(pick(2, 10, 300)))
def test_other_bytes(tmp_path, seed):
    rng = random.Random(seed)
    path = tmp_path / "changed.ingot"
    changed(rng.choice(GOLDEN), path, lambda data: hostile.damaged(data, rng))
    try:
        loaded = ingot.load(path)
    except ingot.ArtifactError:
        return
    assert loaded.entry_points


def test_programs_of_this_process_need_no_other_one(tmp_path, monkeypatch):
    path, started = tmp_path / "added.ingot", []
    ingot.export(lambda x: x + 3, np.ones(3), name="added").save(path)
    start = reading._started
    monkeypatch.setattr(reading, "_started", lambda: started.append(start()) or started[-1])
    assert ingot.load(path)(np.ones(3)).tolist() == [4, 4, 4]
    assert not started
    monkeypatch.setattr(reading, "_own", set())
    assert ingot.load(path)(np.ones(3)).tolist() == [4, 4, 4]
    # It ends with the load.
    assert [each.returncode is not None for each in started] == [True]
