"""The memory of arrays within kernels, which the runtime keeps for the next call."""

import concurrent.futures
import os
import sys
from pathlib import Path

import numpy as np

import ingot
from processes import python


def deviations(x):
    """The sums need the mean, and the product all of the differences."""
    centred = x - x.mean(axis=0)
    return centred.T @ centred


#: Its product is small: results have pages of their own.
X = np.random.default_rng(0).random((20_000, 15))


def compiled():
    """The kernel, which allocates an array of X's size."""
    function = ingot.jit(deviations)
    np.testing.assert_allclose(function(X), deviations(X))
    assert "ingot_allocate" in next(iter(function.lower(X).native().values()))["llvm"]
    return function


#: A process of its own: other threads of a test worker have page faults, too.
KEPT = """
import gc
import resource

import test_allocation
from ingot_runtime import _native

def page_faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

x, function = test_allocation.X, test_allocation.compiled()
gc.collect()
idle = _native.idle_bytes()
assert idle >= x.nbytes
before = page_faults()
for _ in range(10):
    function(x)
    assert _native.idle_bytes() == idle
# A tenth of what the pages of one call are.
assert page_faults() - before < 10 * x.nbytes / 4096 / 10
"""


def test_arrays_within_kernels_are_in_memory_that_is_kept():
    done = python("-c", KEPT, PYTHONPATH=os.pathsep.join([str(Path(__file__).parent), *sys.path]))
    assert done.returncode == 0, done.stderr


def test_threads_have_memory_of_their_own():
    function = compiled()
    inputs = [X * (i + 1) for i in range(8)]
    expected = [deviations(each) for each in inputs]
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        for _ in range(20):
            for found, each in zip(threads.map(function, inputs), expected, strict=True):
                np.testing.assert_allclose(found, each)


FORKED = """
import os, threading
import numpy as np
import ingot

# No product: OpenBLAS may not be used in a child that is forked while it runs.
def f(x):
    sums = np.cumsum(np.sin(x))
    return sums[::-1] * sums

x = np.random.default_rng(0).random(30_000)
compiled = ingot.jit(f)
expected = compiled(x)
assert "ingot_allocate" in next(iter(compiled.lower(x).native().values()))["llvm"]
done = threading.Event()

def run():
    while not done.is_set():
        compiled(x)

others = [threading.Thread(target=run) for _ in range(2)]
for each in others:
    each.start()
for _ in range(30):
    child = os.fork()
    if child == 0:
        os._exit(not np.allclose(compiled(x), expected))
    assert os.waitpid(child, 0)[1] == 0
done.set()
for each in others:
    each.join()
"""


def test_forked_processes_take_memory(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(FORKED)
    done = python("-W", "ignore::DeprecationWarning", path)
    assert done.returncode == 0, done.stderr
