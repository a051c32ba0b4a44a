"""Checkpoints: what they hold, and that they are whole whenever a process is killed."""

import collections
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import ingot
from ingot.checkpoints import MANIFEST
from processes import python

RNG = np.random.default_rng(0)

Pair = collections.namedtuple("Pair", "first second")


@dataclasses.dataclass
class Model:
    weights: np.ndarray
    step: int


def same(found, expected):
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        return all(same(found[key], expected[key]) for key in expected)
    if isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        return all(map(same, found, expected))
    if isinstance(expected, (np.ndarray, np.generic)):
        assert found.dtype == expected.dtype and found.shape == expected.shape
        assert found.tobytes() == expected.tobytes()
        return True
    assert repr(found) == repr(expected)
    return True


DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"


@pytest.mark.parametrize("dtype", DTYPES.split())
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3, 1)])
def test_arrays_of_each_dtype_come_back(dtype, shape, tmp_path):
    x = (RNG.normal(size=shape) * 5 + 1j * RNG.normal(size=shape)).astype("complex128")
    x = x.astype(dtype) if dtype.startswith("c") else x.real.astype(dtype)
    x = np.asarray(x)
    ingot.save(tmp_path / "c", x)
    found = ingot.restore(tmp_path / "c")
    assert same(found, x) and found.flags.writeable and found.flags.owndata
    assert same(ingot.restore(tmp_path / "c", like=np.zeros(shape, dtype)), x)


TREES = {
    "containers": {
        "w": [np.ones(2), (np.zeros((1, 2), np.int8), None)],
        "b": {},
        "k": {3: [], -1: 2},
        "t": (),
    },
    "numbers": [1, -(2**80), 0.1, float("inf"), float("nan"), -0.0, 1 + 2j, True, "text", None],
    "scalars": {
        "a": np.float32(1.5),
        "b": np.bool_(True),
        "c": np.complex128(1j),
        "d": np.int64(3),
    },
    "a number": 7,
    "nothing": None,
}


@pytest.mark.parametrize("name", TREES)
def test_trees_come_back(name, tmp_path):
    ingot.save(tmp_path / "c", TREES[name])
    assert same(ingot.restore(tmp_path / "c"), TREES[name])
    assert same(ingot.restore(tmp_path / "c", like=TREES[name]), TREES[name])


def test_arrays_of_any_order_come_back(tmp_path):
    x = np.arange(24.0).reshape(2, 3, 4)
    given = [
        x.T,
        x[:, ::2],
        x[::-1],
        np.asfortranarray(x),
        x.astype(">f8"),
        np.broadcast_to(x, (2, 2, 3, 4)),
    ]
    ingot.save(tmp_path / "c", given)
    for found, expected in zip(ingot.restore(tmp_path / "c"), given):
        assert found.dtype == np.float64 and np.array_equal(found, expected)


def test_classes_come_back_by_an_example(tmp_path):
    given = {"model": Model(np.arange(3.0), 4), "pair": Pair(np.ones(1), [2])}
    ingot.save(tmp_path / "c", given)
    like = {"model": Model(np.zeros(3), 0), "pair": Pair(np.zeros(1), [0])}
    found = ingot.restore(tmp_path / "c", like=like)
    assert type(found["model"]) is Model and type(found["pair"]) is Pair
    assert same(found["model"].weights, np.arange(3.0)) and found["model"].step == 4
    assert same(found["pair"], given["pair"])
    with pytest.raises(ingot.IngotError, match="it has a Model; give a tree with one as `like`"):
        ingot.restore(tmp_path / "c")


def test_a_save_replaces_the_one_before(tmp_path):
    for step in range(3):
        ingot.save(tmp_path / "c", {"step": step, "x": np.full(10, step)})
        assert ingot.restore(tmp_path / "c")["step"] == step
        assert len(list((tmp_path / "c").iterdir())) == 2


def test_folders_above_are_made_and_other_files_stay(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "notes.txt").write_text("mine")
    ingot.save(tmp_path / "a" / "b", 1)
    ingot.save(tmp_path / "a" / "b", 2)
    ingot.save(tmp_path / "c" / "d", 3)
    assert (tmp_path / "a" / "b" / "notes.txt").read_text() == "mine"
    assert ingot.restore(tmp_path / "c" / "d") == 3


def test_others_may_read_what_they_may_read_of_new_files(tmp_path):
    (tmp_path / "new").write_text("")
    ingot.save(tmp_path / "c", np.ones(2))
    modes = {path.stat().st_mode for path in [tmp_path / "new", *(tmp_path / "c").iterdir()]}
    assert len(modes) == 1


# Refusals.


@pytest.mark.parametrize(
    "tree, said",
    [
        ({"a": [object()]}, r"the leaf \['a'\]\[0\] is a object; checkpoints hold arrays"),
        ({"a": {1, 2}}, r"the leaf \['a'\] is a set"),
        ([np.random.default_rng(0)], r"the leaf \[0\] is a Generator"),
        (np.array(["a"]), "the leaf of the tree has the dtype <U1"),
        (np.array([None]), "the leaf of the tree has the dtype object"),
        ({1.5: np.ones(2)}, "has the key 1.5; keys are strings or ints"),
    ],
)
def test_what_checkpoints_do_not_hold(tree, said, tmp_path):
    ingot.save(tmp_path / "c", 1)
    with pytest.raises(ingot.IngotError, match=said):
        ingot.save(tmp_path / "c", tree)
    assert ingot.restore(tmp_path / "c") == 1


@pytest.mark.quick
@pytest.mark.parametrize(
    "like, said",
    [
        ({"w": np.zeros(3)}, r"it has the leaf \['step'\], which `like` lacks"),
        ({"w": np.zeros(3), "step": 0, "v": 0}, r"it has no leaf \['v'\], which `like` has"),
        (
            {"w": np.zeros(4), "step": 0},
            r"\['w'\] is float64 of shape \(3,\), and float64 of shape \(4,\)",
        ),
        ({"w": np.zeros(3, "f4"), "step": 0}, r"\['w'\] is float64 of shape \(3,\), and float32"),
        ({"w": 0, "step": 0}, r"\['w'\] is float64 of shape \(3,\), and int in `like`"),
        ({"w": np.zeros(3), "step": 0.0}, r"\['step'\] is a int, and float in `like`"),
    ],
)
def test_what_does_not_fit_is_named(like, said, tmp_path):
    ingot.save(tmp_path / "c", {"w": np.ones(3), "step": 1})
    with pytest.raises(ingot.IngotError, match=said):
        ingot.restore(tmp_path / "c", like=like)


def test_no_checkpoint_is_there(tmp_path):
    with pytest.raises(ingot.IngotError, match="holds no checkpoint: there is no manifest.json"):
        ingot.restore(tmp_path / "c")
    (tmp_path / "file").write_text("")
    with pytest.raises(ingot.IngotError, match="file: Not a directory"):
        ingot.restore(tmp_path / "file")
    with pytest.raises(ingot.IngotError, match="file can't be saved: "):
        ingot.save(tmp_path / "file", 1)


def parts_of(folder):
    (path,) = folder.glob("*.safetensors")
    return path


def damage(how, folder):
    parts, manifest = parts_of(folder), folder / MANIFEST
    data = bytearray(parts.read_bytes())
    if how == "a bit":
        data[-3] ^= 4
        parts.write_bytes(data)
    elif how == "the header":
        data[20] ^= 4
        parts.write_bytes(data)
    elif how == "truncated":
        parts.write_bytes(data[:-8])
    elif how == "missing":
        parts.unlink()
    elif how == "no json":
        manifest.write_text("{")
    elif how == "no dict":
        manifest.write_text("[]")
    elif how == "format":
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "format": 9}))
    else:
        listed = json.loads(manifest.read_text())
        manifest.write_text(json.dumps({**listed, "files": []}))


@pytest.mark.parametrize(
    "how, said",
    [
        ("a bit", "is damaged"),
        ("the header", "damaged|missing"),
        ("truncated", r"has \d+ bytes and not"),
        ("missing", "can't be read: No such file"),
        ("no json", "manifest.json is damaged"),
        ("no dict", "manifest.json is damaged"),
        ("format", "it has format 9; update ingot"),
        ("no files", r"parts of the leaf \['w'\] are missing"),
    ],
)
def test_damage_is_an_error(how, said, tmp_path):
    ingot.save(tmp_path, {"w": np.arange(100.0), "n": 1})
    damage(how, tmp_path)
    with pytest.raises(ingot.IngotError, match=said):
        ingot.restore(tmp_path)


def test_every_byte_that_is_changed_is_noticed_or_makes_no_difference(tmp_path):
    given = {"w": np.arange(6.0).reshape(2, 3), "z": np.array([1j])}
    ingot.save(tmp_path, given)
    path = parts_of(tmp_path)
    whole = path.read_bytes()
    noticed = 0
    for place in range(0, len(whole), 3):
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        try:
            assert same(ingot.restore(tmp_path), given)
        except ingot.IngotError:
            noticed += 1
    assert noticed > len(whole) / 6


KILLED = """
import sys
import numpy as np
import ingot
x = np.zeros(200_000)
print("began", flush=True)
step = 0
while True:
    step += 1
    ingot.save(sys.argv[1], {"step": step, "x": x + step, "y": [x[:7] - step]})
"""


@pytest.mark.parametrize("after", [0.05, 0.11, pytest.param(0.37, marks=pytest.mark.nightly)])
def test_a_killed_save_leaves_a_whole_checkpoint(after, tmp_path):
    ingot.save(tmp_path / "c", {"step": 0, "x": np.zeros(200_000), "y": [np.zeros(7)]})
    command = [sys.executable, "-c", KILLED, str(tmp_path / "c")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "began\n"
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
    found = ingot.restore(tmp_path / "c")
    step = found["step"]
    assert np.array_equal(found["x"], np.full(200_000, step))
    assert np.array_equal(found["y"][0], np.full(7, -step))
    ingot.save(tmp_path / "c", {"step": -1})
    assert len(os.listdir(tmp_path / "c")) == 2


def test_a_save_removes_the_file_that_a_killed_one_was_writing(tmp_path):
    (tmp_path / ".tmpueaYR7").write_bytes(b"of safetensors")
    (tmp_path / ".tmp").write_bytes(b"of somebody else")
    ingot.save(tmp_path, {"step": 1})
    names = sorted(os.listdir(tmp_path))
    assert len(names) == 3 and ".tmp" in names and ".tmpueaYR7" not in names


STEPS = ["mkdir", "save_file", "fsync", "rename", "unlink"]
STEPWISE = """
import os, sys
from pathlib import Path
import numpy as np
import safetensors.numpy
import ingot
path, step, is_after = sys.argv[1], sys.argv[2], sys.argv[3] == "after"
ingot.save(path, {"step": 1, "x": np.ones(1000)})
home, name = {
    "mkdir": (Path, "mkdir"), "save_file": (safetensors.numpy, "save_file"), "fsync": (os, "fsync"),
    "rename": (os, "replace"), "unlink": (Path, "unlink"),
}[step]
whole = getattr(home, name)
def killed(*args, **options):
    if is_after:
        whole(*args, **options)
    os._exit(9)
setattr(home, name, killed)
ingot.save(path, {"step": 2, "x": np.full(1000, 2.0)})
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_save_that_ends_at_a_step(step, when, tmp_path):
    done = python("-c", STEPWISE, tmp_path / "c", step, when)
    assert done.returncode == 9, done.stderr
    found = ingot.restore(tmp_path / "c")
    is_new = (step, when) in [("rename", "after"), ("unlink", "before"), ("unlink", "after")]
    assert found["step"] == 1 + is_new and np.array_equal(found["x"], np.full(1000, 1.0 + is_new))
    ingot.save(tmp_path / "c", {"step": 3})
    assert ingot.restore(tmp_path / "c") == {"step": 3} and len(os.listdir(tmp_path / "c")) == 2
