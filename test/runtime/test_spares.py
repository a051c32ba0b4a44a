"""Large results of XLA: their memory is used again when no array refers to it, and not before."""

import gc

import numpy as np
import pytest
from threads import in_threads

import ingot
import level
from ingot_runtime import buffers, load, spares
from oracle import assert_same
from processes import python, resident

#: Floats that take just so much memory that malloc would not keep it.
MANY = spares.LEAST // 8


@pytest.fixture(autouse=True)
def nothing_is_kept():
    spares._idle.clear()
    yield
    spares._idle.clear()


@ingot.jit(native=False)
def add(x, n):
    return x + n


def test_memory_is_used_again():
    x = np.zeros(MANY)
    result = add(x, 1.0)
    address = result.ctypes.data
    del result
    assert spares.idle_bytes() == x.nbytes
    result = add(x, 2.0)
    assert result.ctypes.data == address and (result == 2).all()
    assert spares.idle_bytes() == 0


@pytest.mark.parametrize("view", [lambda y: y[3:9], lambda y: y.reshape(2, -1).T, memoryview])
def test_views_keep_it(view):
    x = np.zeros(MANY)
    kept = view(add(x, 1.0))
    for i in range(3):
        assert (add(x, 2.0 + i) == 2 + i).all()
    assert (np.asarray(kept) == 1).all()


def test_two_arrays_over_one_result_keep_it():
    x = np.zeros(MANY)
    executable = add.lower(x, 1.0).compile().variant[0]
    (buffer, *_) = executable.run([x, 1.0])
    first, second = (buffers.to_numpy(buffer, x.shape, x.dtype) for _ in range(2))
    assert first.ctypes.data == second.ctypes.data
    del buffer, first
    assert (add(x, 2.0) == 2).all() and (second == 1).all()
    address = second.ctypes.data
    del second
    assert spares.idle_bytes() == 2 * x.nbytes
    first, second = add(x, 3.0), add(x, 4.0)
    assert first.ctypes.data != second.ctypes.data
    assert address in (first.ctypes.data, second.ctypes.data)


def test_an_argument_keeps_it():
    """The result of a call is an argument of the next, which takes it as it is."""
    x = np.zeros(MANY)
    for i in range(6):
        x = add(x, 1.0)
        assert (x == i + 1).all()


def test_results_that_are_kept_are_apart():
    @ingot.jit(native=False)
    def f(x, n):
        y = x * n
        return y, x + 0, x.reshape(2, -1), y, (x > n, x + 1j * n)

    x = np.arange(float(MANY))
    kept = [f(x, float(n)) for n in range(3)]
    x[:] = -1
    expected = np.arange(float(MANY))
    for n, (y, same, pairs, again, (above, turned)) in enumerate(kept):
        assert again is y
        assert_same(y, expected * n)
        assert_same(same, expected)
        assert_same(pairs, expected.reshape(2, -1))
        assert_same(above, expected > n)
        assert_same(turned, expected + 1j * n)
    assert len({each.ctypes.data for found in kept for each in found[:3]}) == 9


def test_arrays_that_are_stored_to():
    @ingot.jit(native=False)
    def f(x):
        x += 1
        return x, x.sum()

    x = np.zeros(MANY)
    for i in range(4):
        same, total = f(x)
        assert same is x and (x == i + 1).all() and total == MANY * (i + 1)
    assert spares.idle_bytes() == x.nbytes


def test_checks_that_fail_change_nothing():
    @ingot.jit(native=False)
    def f(x, i):
        y = x + 1
        return y, x[i]

    x = np.zeros(MANY)
    kept = f(x, 1)[0]
    for _ in range(3):
        with pytest.raises(IndexError):
            f(x, MANY)
    assert (kept == 1).all() and (f(x, 2)[0] == 1).all()


def test_arrays_of_jax():
    import jax
    import jax.numpy as jnp

    x = jnp.zeros(2 * MANY, "float32")
    kept = [add(x, np.float32(i)) for i in range(3)]
    del x
    for i, each in enumerate(kept):
        assert isinstance(each, jax.Array) and (np.asarray(each) == i).all()


def test_what_a_call_takes_does_not_count_it():
    memory = add.lower(np.zeros(MANY), 1.0).compile().memory()
    assert memory.arguments == 8 * MANY + 8 and memory.results == 8 * MANY


def test_artifacts(tmp_path):
    path = tmp_path / "add.ingot"
    ingot.export(add, np.zeros(MANY), 1.0, native=True).save(path)
    x = np.zeros(MANY)
    for native in (False, True):
        loaded = load(path, native=native)
        kept = loaded(x, 1.0)
        for i in range(3):
            assert (loaded(x, 2.0 + i) == 2 + i).all()
        assert (kept == 1).all()


def test_no_more_than_the_limit_is_kept():
    sizes = range(MANY, MANY + spares.LIMIT // spares.LEAST + 4)
    results = [add(np.zeros(size), 1.0) for size in sizes[:3]] + [
        add(np.zeros(MANY), 1.0) for _ in sizes[3:]
    ]
    while results:
        results.pop()
        assert spares.idle_bytes() <= spares.LIMIT
    assert spares.idle_bytes() > spares.LIMIT - 2 * spares.LEAST


def test_threads():
    wrong = []
    arrays = [np.zeros(MANY), np.zeros(MANY + 8)]
    for x in arrays:
        add(x, 1.0)

    def work(number):
        for k in range(level.pick(2, 6, 60)):
            result = add(arrays[(number + k) % 2], float(number))
            if not (result == number).all():
                wrong.append((number, k))

    in_threads(6, work)
    assert not wrong


PROGRAM = """
import os, sys
sys.modules["jax"] = None
import ingot, numpy as np
from ingot_runtime import spares
f = ingot.jit(lambda x: x + 1, native=False)
x = np.zeros(spares.LEAST // 8)
kept = f(x)
f(x), f(x)
pid = os.fork()
again = [f(x) for _ in range(3)]
assert all((each == 1).all() for each in (kept, *again))
del again
assert spares.idle_bytes() == 3 * x.nbytes
assert pid == 0 or os.waitpid(pid, 0)[1] == 0
np.kept = ingot.kept = kept
"""


def test_processes_fork_and_end(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    done = python("-W", "ignore::DeprecationWarning", path)
    assert (done.returncode, done.stderr) == (0, "")


def test_calls_keep_nothing():
    x = np.zeros(MANY)
    for _ in range(5):
        add(x, 1.0)
    gc.collect()
    before = resident()
    for _ in range(level.pick(5, 30, 300)):
        add(x, 1.0)
    assert resident() - before < 4 << 20
