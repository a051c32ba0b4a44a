"""Programs for a mesh of several processes compute what they compute on one device."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from test_programs_on_meshes import PROGRAMS

import level
from jobs import LIMIT, Job, coordinators
from processes import python

pytestmark = pytest.mark.once

EXAMPLE = Path(__file__).parents[2] / "examples" / "distributed" / "train.py"
SUPPORT = [Path(__file__).parent, Path(__file__).parents[1] / "support"]

BEGIN = f"""
import os, sys, time
sys.path[:0] = {[*map(str, SUPPORT)]}
import numpy as np
import ingot
from ingot import P
ingot.distributed.init(timeout=60)
rank = ingot.distributed.rank()
"""

EQUAL = (
    BEGIN
    + """
from test_programs_on_meshes import PROGRAMS, copied
mesh = ingot.mesh(i=4)
for name in sys.argv[1:]:
    f, args, shardings, messages = PROGRAMS[name]
    on_one, on_four = copied(args), copied(args)
    expected = ingot.jit(f)(*on_one)
    g = ingot.jit(f, mesh=mesh, in_shardings=shardings)
    found = g(*on_four)
    leaves = [ingot.tree.leaves(each) for each in ((found, on_four), (expected, on_one))]
    for got, wanted in zip(*leaves, strict=True):
        assert type(got) is type(wanted) and np.asarray(got).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-9, err_msg=name)
    print(name)
"""
)


def test_programs_in_two_processes_of_two_devices():
    names = level.sample(list(PROGRAMS), 3)
    with Job(EQUAL, 0, *names) as job:
        job.size = 2
        for rank in range(2):
            job.start(rank, INGOT_CPU_DEVICES="2")
        assert job.output(0) == job.output(1) == names


FROM_DISK = (
    BEGIN
    + """
from ingot.lowering import Lowered
if sys.argv[1:] == ["loaded"]:
    Lowered.compile = None

def total(x):
    return np.sum(x * 2)

print(ingot.jit(total, mesh=ingot.mesh(i=4), in_shardings=(P("i"),))(np.arange(16.0)))
"""
)


def test_programs_of_several_processes_are_kept_on_disk(tmp_path):
    # One name for the source: that is part of the key.
    script = tmp_path / "script.py"
    script.write_text(FROM_DISK)
    run = f"exec(compile(open({str(script)!r}).read(), {str(script)!r}, 'exec'))"
    for how in ("compiled", "loaded"):
        with Job(run, 0, how) as job:
            job.size = 2
            for rank in range(2):
                job.start(rank, INGOT_CPU_DEVICES="2", INGOT_CACHE_DIR=str(tmp_path / "cache"))
            assert job.output(0) == job.output(1) == ["240.0"]


# Checkpoints.

CHECKPOINT = (
    BEGIN
    + """
mode, path, *sizes = sys.argv[1:]
mesh = ingot.mesh(data=int(sizes[0]), model=int(sizes[1]))
x = np.arange(48.0).reshape(8, 6)
z = x[:, :4] + 1j

def tree(k):
    def put(v, *axes):
        return ingot.shard(v, P(*axes), mesh=mesh)
    return {
        "x": put(x * k, "data", "model"), "z": put(z * k, None, "data"), "copies": put(x * k),
        "rows": [put(x[:, 0] * k, ("data", "model"))], "steps": k, "plain": x * k,
    }

if mode == "save":
    ingot.save(path, tree(2))
else:
    found, expected = ingot.restore(path, like=tree(0)), tree(2)
    for got, wanted in zip(ingot.tree.leaves(found), ingot.tree.leaves(expected), strict=True):
        assert type(got) is type(wanted), (got, wanted)
        if not isinstance(wanted, ingot.ShardedArray):
            assert np.array_equal(got, wanted)
            continue
        for mine, theirs in zip(got.shards, wanted.shards, strict=True):
            assert mine.index == theirs.index and np.array_equal(mine.data, theirs.data)
    plain = ingot.restore(path)
    assert np.array_equal(plain["x"], x * 2) and np.array_equal(plain["z"], z * 2)
print("done")
"""
)


def checkpoint(processes, devices, mode, path, *mesh):
    with Job(CHECKPOINT, 0, mode, path, *mesh) as job:
        job.size = processes
        for rank in range(processes):
            job.start(rank, INGOT_CPU_DEVICES=str(devices))
        for rank in range(processes):
            assert job.output(rank) == ["done"]


def test_a_checkpoint_is_restored_by_other_processes_on_another_mesh(tmp_path):
    checkpoint(2, 2, "save", tmp_path / "c", 2, 2)
    assert len(list((tmp_path / "c").glob("*.safetensors"))) == 2
    others = [(1, 4, 4, 1), (1, 1, 1, 1), (2, 1, 1, 2), (3, 2, 3, 2), (2, 2, 4, 1)]
    for processes, devices, *mesh in level.pick(others[:1], others[:1], others):
        checkpoint(processes, devices, "restore", tmp_path / "c", *mesh)


DIFFERENT = (
    BEGIN
    + """
ingot.save(sys.argv[1], {"step": 1})
tree = {"w": np.ones(3), "seed": {"same": 5, "other": rank}.get(sys.argv[2])}
if sys.argv[2] == "unwritable" and rank == 1:
    import safetensors.numpy
    def refuse(*args):
        raise OSError(28, "No space left on device")
    safetensors.numpy.save_file = refuse
if sys.argv[2] == "leaf" and rank == 1:
    tree["w"] = object()
if sys.argv[2] == "shape" and rank == 1:
    tree["v"] = 3
try:
    ingot.save(sys.argv[1], tree)
except ingot.IngotError as error:
    print(error)
ingot.distributed.barrier()
print(ingot.restore(sys.argv[1]))
"""
)


@pytest.mark.parametrize(
    "what, said",
    [
        ("other", "the leaf ['seed'] is not the same on the processes 0 and 1"),
        ("unwritable", "can't be saved on process 1: No space left on device"),
        pytest.param("leaf", "can't be saved on process 1: the leaf ['w'] is a object",
                     marks=pytest.mark.nightly),
        pytest.param("shape", "different structures", marks=pytest.mark.nightly),
    ],
)  # fmt: skip
def test_a_save_that_one_process_can_not_do_is_an_error_on_all(what, said, tmp_path):
    with Job(DIFFERENT, 2, tmp_path / "c", what) as job:
        for rank in range(2):
            error, found = job.output(rank)
            assert said in error and found == "{'step': 1}"
    assert len(os.listdir(tmp_path / "c")) == 3


# What dies.

LOOP = (
    BEGIN
    + """
mesh = ingot.mesh(i=2)

@ingot.jit(mesh=mesh, in_shardings=(P("i"),))
def advance(x):
    return x - 0.1 * (x - x.mean())

x = advance(np.arange(8.0))
print("began")
start = time.monotonic()
try:
    while True:
        x = advance(x)
except ingot.IngotError as error:
    print(error)
assert time.monotonic() - start < 60
if sys.argv[1] == "again" and rank == 0:
    print("again")
    ingot.distributed.init(timeout=60)
    print(advance(np.arange(8.0)).round(3).tolist())
    ingot.distributed.barrier()
"""
)
JOINING = LOOP.replace("start = time.monotonic()", "ingot.distributed.barrier(), sys.exit()")


@pytest.mark.parametrize("round", range(level.pick(1, 1, 20)))
def test_a_survivor_of_a_collective_starts_again(round):
    with Job(LOOP, 2, "again") as job:
        for rank in range(2):
            job.until(rank, "began")
        time.sleep(0.2)
        start = time.monotonic()
        job.processes[1].kill()
        job.until(0, "again")
        assert time.monotonic() - start < 10
        with Job(JOINING, 0, "") as other:
            other.address, other.size = job.address, 2
            other.start(1)
            assert other.output(1) == ["began"]
        (said,) = job.output(0)
        assert said == str((np.arange(8.0) - 0.1 * (np.arange(8.0) - 3.5)).round(3).tolist())


@pytest.mark.parametrize("round", range(level.pick(1, 1, 20)))
def test_a_dead_coordinator_in_a_loop_of_collectives(round):
    with Job(LOOP, 2, "") as job:
        for rank in range(2):
            job.until(rank, "began")
        start = time.monotonic()
        (pid,) = coordinators(job.address)
        os.kill(pid, signal.SIGKILL)
        for rank in range(2):
            (said,) = job.output(rank)
            assert "coordinator of the job has died" in said or "has given up" in said
        assert time.monotonic() - start < 20


# The example.


DIGITS = f"""
import os, sys
sys.path.append({str(EXAMPLE.parent)!r})
import digits
import numpy as np
rng = np.random.default_rng(0)
images, labels = rng.random((200, 64)), rng.integers(0, 10, 200)
for loss in digits.losses(images, labels, steps=6):
    print(loss)
"""


def test_the_classifier_of_digits_in_two_processes_has_the_losses_of_one_device():
    """On images like those of scikit-learn, which `make demo` trains on."""
    alone = python("-c", DIGITS, INGOT_CPU_DEVICES="1")
    expected = [float(line) for line in alone.stdout.splitlines()]
    assert len(expected) == 6 and expected[-1] < expected[0], alone.stderr
    with Job(DIGITS, 2) as job:
        for rank in range(2):
            found = [float(line) for line in job.output(rank)]
            assert found == pytest.approx(expected, rel=1e-10)


def losses(lines):
    return {int(step): float(loss) for step, loss in re.findall(r"step (\d+) loss (\S+)", lines)}


def command(*arguments):
    launch = [sys.executable, "-m", "ingot", "launch", "-n", "2", "--devices", "2"]
    return [*launch, str(EXAMPLE), "--steps", "12", "--every", "4", *arguments]


def test_data_parallel_training_gives_the_losses_of_one_device(tmp_path):
    """Also if a process is killed on the way, and the job is started again."""
    alone = python(EXAMPLE, "--steps", "12", INGOT_CPU_DEVICES="1")
    expected = losses(alone.stdout)
    assert len(expected) == 12 and expected[12] < expected[1], alone.stderr
    folder = str(tmp_path / "c")
    with subprocess.Popen(
        command("--checkpoint", folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        lines = ""
        while 6 not in losses(lines):
            lines += process.stdout.readline()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)
        out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 1 and "was ended by SIGKILL" in err
    first = losses(lines + out)
    again = subprocess.run(
        command("--checkpoint", folder), capture_output=True, text=True, timeout=LIMIT
    )
    assert again.returncode == 0, again.stderr
    second = losses(again.stdout)
    assert 1 < min(second) <= max(first) + 1 and min(second) % 4 == 1
    for found in (first, second):
        for step, loss in found.items():
            assert loss == pytest.approx(expected[step], rel=1e-10)
    assert max(second) == 12
