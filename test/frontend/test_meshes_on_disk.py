"""Programs for a mesh that another process compiled."""

import pytest

from processes import python

pytestmark = pytest.mark.once

SCRIPT = """
import sys
import numpy as np
import ingot
from ingot import P
from ingot.lowering import Lowered
from ingot_runtime import spmd

if sys.argv[2:] == ["loaded"]:
    spmd.compile_for = Lowered.compile = None
mesh = ingot.mesh(i=2, j=2)
x = np.arange(32.0).reshape(8, 4)
W = np.arange(4.0)

def both(x, k):
    return {"sum": np.sum((x * k) @ W), "rows": x + 1}

def row(x, n):
    return x[n, 0]

def follow(y):
    return y / np.sum(y)

def solved(a):
    return np.linalg.solve(a, a[..., :1])

def run():
    how = dict(mesh=mesh, in_shardings=(P("i", "j"), None))
    found = ingot.jit(both, **how, out_shardings={"sum": P(), "rows": P("j")})(x, 2.0)
    yield found["sum"], found["rows"].sharding, np.asarray(found["rows"]).tolist()
    yield ingot.jit(row, **how)(x, 3)
    for spec in (P("i"), P("j"), P("i", "j")):
        made = ingot.jit(follow)(ingot.shard(x, spec, mesh=mesh))
        yield made.sharding, [shard.index for shard in made.shards]
    # Of the same shape, on other devices.
    other = ingot.mesh(i=4)
    yield [shard.index for shard in ingot.jit(follow)(ingot.shard(x, P("i"), mesh=other)).shards]
    many = np.eye(3) + np.arange(4.0)[:, None, None] / 9
    yield ingot.jit(solved, mesh=mesh, in_shardings=(P(("i", "j")),))(many).tolist()

for each in run():
    print(each)
if sys.argv[2:] != ["loaded"]:
    sys.exit()
try:
    ingot.jit(row, mesh=ingot.mesh(j=2, i=2), in_shardings=(P("i", "j"), None))(x, 3)
except TypeError:
    print("another mesh is another program")
"""


def test_a_second_process_needs_neither_frontend_nor_compiler(tmp_path):
    script, folder = tmp_path / "script.py", tmp_path / "cache"
    script.write_text(SCRIPT)
    place = {"INGOT_CACHE_DIR": str(folder), "INGOT_CPU_DEVICES": "4"}
    first = python(script, "-", **place)
    assert first.returncode == 0, first.stderr
    second = python(script, "-", "loaded", **place)
    assert second.returncode == 0, second.stderr
    assert second.stdout == first.stdout + "another mesh is another program\n"


FAILING = """
import numpy as np
import ingot

def row(x, n):
    return x[n]

f = ingot.jit(row, mesh=ingot.mesh(i=2), in_shardings=(ingot.P("i"), None))
print(f(np.arange(8.0), 3))
f(np.arange(8.0), 9)
"""


def test_its_checks_raise(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(FAILING)
    runs = [
        python(script, INGOT_CACHE_DIR=str(tmp_path / "cache"), INGOT_CPU_DEVICES="2")
        for _ in range(2)
    ]
    for run in runs:
        assert run.stdout == "3.0\n"
        assert "IndexError: index is out of bounds for axis 0 with size 8" in run.stderr
