"""Artifacts with programs for a mesh: they need as many devices as their manifest says."""

import contextlib
import http.client
import json
import os
import pickle
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ingot
import ingot_runtime
from ingot import P
from server import Server

pytestmark = pytest.mark.once

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


def scaled(x, offset):
    assert offset < 10, "too far"
    return x @ W + offset, {"norms": np.sqrt((x * x).sum(1))}


def test_any_artifact_on_a_mesh(tmp_path, mesh):
    """The loader divides the items of a call among the devices."""
    path = tmp_path / "scaled.ingot"
    ingot.export(scaled, ingot.spec("n,4"), 1.0).save(path)
    loaded = ingot.load(path, mesh=mesh, buckets={"n": [16]})
    for n in (16, 8, 3):
        x = np.random.default_rng(n).standard_normal((n, 4))
        found, expected = loaded(x, 2.0), scaled(x, 2.0)
        assert type(found[0]) is np.ndarray
        np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
        np.testing.assert_allclose(found[1]["norms"], expected[1]["norms"], rtol=1e-12)
    with pytest.raises(AssertionError, match="too far"):
        loaded(np.ones((8, 4)), 10.0)
    executable = loaded.entry("scaled")._program({"n": 16}).variant[0]
    assert {tiles.counts[0] for tiles in executable._made[:2]} == {4}
    again = pickle.loads(pickle.dumps(loaded))
    np.testing.assert_allclose(again(x, 2.0)[0], expected[0], rtol=1e-12)


def rows(x):
    return np.tanh(x @ W)


def test_a_server_on_a_mesh(tmp_path):
    models = tmp_path / "models"
    models.mkdir()
    ingot.export(rows, ingot.spec("n,4")).save(models / "rows.ingot")
    x = np.random.default_rng(0).standard_normal((5, 4))
    tensor = {"name": "x", "shape": [5, 4], "datatype": "FP64", "data": x.ravel().tolist()}
    with Server(models, tmp_path, "--mesh", "data=2,model=2", "--max-batch", "8") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.http_port, timeout=60)
        with contextlib.closing(connection):
            connection.request("POST", "/v2/models/rows/infer", json.dumps({"inputs": [tensor]}))
            (output,) = json.loads(connection.getresponse().read())["outputs"]
    np.testing.assert_allclose(output["data"], rows(x).ravel(), rtol=1e-12)


@pytest.mark.parametrize("mesh", ["data", "data=0", "data=2,data=2", "=4"])
def test_a_malformed_mesh_of_a_server(tmp_path, mesh):
    command = [sys.executable, "-m", "ingot", "serve", str(tmp_path), "--mesh", mesh]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "is no axis of a mesh" in done.stderr


def test_calls_from_several_threads(tmp_path, mesh):
    path = saved(tmp_path, mesh, in_shardings=P("i"))
    loaded = ingot.load(path)
    batches = [np.full((8, 4), float(i)) for i in range(24)]
    with ThreadPoolExecutor(6) as executor:
        for batch, (_, total) in zip(batches, executor.map(loaded, batches), strict=True):
            assert total == batch.sum()


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
