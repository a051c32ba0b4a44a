"""Loaded artifacts and entry points: pickled, copied, sent to other processes."""

import copy
import pickle

import numpy as np
import pytest

import ingot
from ingot_runtime import ArtifactError
from processes import python

W = np.linspace(-1, 1, 12).reshape(4, 3)


def dense(x):
    return x @ W


def mean_of(x):
    return x.mean(), x.shape[0]


def saved(tmp_path, f, *args):
    path = tmp_path / "m.ingot"
    ingot.export(f, *args).save(path)
    return path


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path / "cache"))


def test_loaded_artifacts_pickle_by_their_path(tmp_path):
    path = saved(tmp_path, dense, ingot.spec("n,4"))
    loaded = ingot.load(path, buckets={"n": [1, 8]}, native=True)
    again = pickle.loads(pickle.dumps(loaded))
    np.testing.assert_array_equal(again(np.ones((3, 4))), loaded(np.ones((3, 4))))
    assert (again.entry("dense")._buckets, again.entry("dense")._native) == ([1, 8], True)
    assert copy.deepcopy([loaded])[0] is loaded and copy.copy(loaded) is loaded
    path.unlink()
    data = pickle.dumps(loaded)
    with pytest.raises(ArtifactError, match="No such file"):
        pickle.loads(data)


def test_entry_points_pickle_by_their_path_and_name(tmp_path):
    artifact = ingot.export(dense, ingot.spec("n,4"))
    artifact.add(mean_of, ingot.spec("n"))
    artifact.save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot", native=True)
    entry = loaded.entry("dense")
    entry.use_buckets([4, 2])
    x = np.ones((3, 4))
    again = pickle.loads(pickle.dumps(entry))
    np.testing.assert_array_equal(again(x), dense(x))
    assert (again.name, again._buckets, again._native) == ("dense", [2, 4], True)
    assert copy.copy(entry) is entry and copy.deepcopy({"f": entry})["f"] is entry
    data = pickle.dumps(entry)
    saved(tmp_path, mean_of, ingot.spec("n"))
    with pytest.raises(ArtifactError, match="it has no entry point 'dense'"):
        pickle.loads(data)


def test_what_is_pickled_is_found_from_another_folder(tmp_path, monkeypatch):
    saved(tmp_path, dense, ingot.spec("n,4"))
    monkeypatch.chdir(tmp_path)
    loaded = ingot.load("m.ingot")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    for each in loaded, loaded.entry("dense"):
        np.testing.assert_array_equal(
            pickle.loads(pickle.dumps(each))(np.ones((2, 4))), dense(np.ones((2, 4)))
        )


POOL = """
import multiprocessing, sys
import ingot_runtime, numpy as np
if __name__ == "__main__":
    entry = ingot_runtime.load(sys.argv[1]).entry("dense")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(entry, [np.ones((2, 4))])[0].tolist())
"""


@pytest.mark.slow
def test_entry_points_go_to_other_processes(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(POOL)
    done = python(program, saved(tmp_path, dense, ingot.spec("n,4")))
    assert done.stdout == f"{dense(np.ones((2, 4))).tolist()}\n", done.stderr
