"""Artifacts with programs for a mesh: they need as many devices as their manifest says."""

import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import ingot
import ingot_runtime
from ingot import P

W = np.random.default_rng(0).standard_normal((4, 3))


def predict(x):
    return np.tanh(x @ W), x.sum()


@pytest.fixture(scope="module")
def mesh():
    return ingot.mesh(i=4)


def saved(tmp_path, mesh, **options):
    f = ingot.jit(predict, mesh=mesh, **options)
    path = tmp_path / "predict.ingot"
    ingot.export(f, ingot.spec("8,4")).save(path)
    return path


def test_a_program_for_a_mesh(tmp_path, mesh):
    path = saved(tmp_path, mesh, in_shardings=P("i"))
    loaded = ingot.load(path)
    x = np.random.default_rng(1).standard_normal((8, 4))
    made, total = loaded(x)
    assert type(made) is np.ndarray
    np.testing.assert_allclose(made, np.tanh(x @ W), rtol=1e-12)
    np.testing.assert_allclose(total, x.sum(), rtol=1e-12)
    again = loaded(ingot.shard(x, P("i"), mesh=mesh))
    np.testing.assert_array_equal(again[0], made)
    assert loaded.manifest["format"] == 4
    assert loaded.manifest["entry_points"]["predict"]["mesh"]["shape"] == {"i": 4}


def test_results_that_stay_on_the_devices(tmp_path, mesh):
    path = saved(tmp_path, mesh, out_shardings=(P("i"), None))
    made, total = ingot.load(path)(np.ones((8, 4)))
    assert isinstance(made, ingot.ShardedArray) and made.sharding.spec == P("i")
    assert total == 32.0
    np.testing.assert_allclose(made, np.tanh(np.ones((8, 4)) @ W), rtol=1e-12)


def test_checks(tmp_path, mesh):
    f = ingot.jit(lambda x, i: x[i], mesh=mesh, in_shardings=(P("i"), None))
    path = tmp_path / "item.ingot"
    ingot.export(f, np.ones(8), 3, name="item").save(path)
    loaded = ingot.load(path)
    assert loaded(np.arange(8.0), 5) == 5.0
    with pytest.raises(IndexError, match="out of bounds"):
        loaded(np.arange(8.0), 8)


def test_a_named_dimension(tmp_path, mesh):
    f = ingot.jit(predict, mesh=mesh, in_shardings=P("i"))
    path = tmp_path / "open.ingot"
    ingot.export(f, ingot.spec("n,4")).save(path)
    loaded = ingot.load(path)
    for n in (8, 6, 1):
        x = np.random.default_rng(n).standard_normal((n, 4))
        np.testing.assert_allclose(loaded(x)[0], np.tanh(x @ W), rtol=1e-12)


def test_too_few_devices(tmp_path, mesh):
    path = saved(tmp_path, mesh)
    code = (
        "import sys, numpy as np, ingot_runtime\n"
        "loaded = ingot_runtime.load(sys.argv[1])\n"
        "try:\n    loaded(np.ones((8, 4)))\n"
        "except ingot_runtime.ArtifactError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], env={**os.environ, "INGOT_CPU_DEVICES": "2"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "needs 4 devices, and there are 2" in done.stdout
    assert "INGOT_CPU_DEVICES=4" in done.stdout


def test_machine_code_is_for_one_device(mesh):
    with pytest.raises(ingot.UnsupportedError, match="for one device"):
        ingot.export(ingot.jit(predict, mesh=mesh), ingot.spec("8,4"), native=True)


@pytest.mark.parametrize(
    "change",
    [
        lambda facts: facts.update(shape={}),
        lambda facts: facts.update(shape={"i": 0}),
        lambda facts: facts.update(shape={"i": "4"}),
        lambda facts: facts.update(outputs=[]),
        lambda facts: facts["outputs"].append([None, False]),
        lambda facts: facts["outputs"][0].__setitem__(0, [["j"]]),
        lambda facts: facts["outputs"][0].__setitem__(0, [["i"], ["i"]]),
        lambda facts: facts["outputs"][0].__setitem__(0, [[], [], ["i"]]),
        lambda facts: facts["outputs"][0].__setitem__(1, 1),
    ],
)
def test_malformed_meshes(change, tmp_path, mesh):
    from ingot_runtime import container

    path = saved(tmp_path, mesh, out_shardings=(P("i"), None))
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop(container.MANIFEST))
    change(manifest["entry_points"]["predict"]["mesh"])
    rest = {key: value for key, value in manifest.items() if key not in ("members", "digest")}
    container.write(path, rest, members)
    with pytest.raises(ingot.ArtifactError, match="malformed"):
        ingot_runtime.load(path)
