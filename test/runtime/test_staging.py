"""Large arguments: which are copied, to memory that is used again, and what shares none of it."""

import gc
import threading

import numpy as np
import pytest
from threads import in_threads

import ingot
import level
from arrays import placed
from calls import Calls
from ingot_runtime import _native, buffers, clients
from oracle import assert_same
from processes import python, resident

#: Of floats, far larger than what is staged.
MANY = 1 << 16


def address(buffer):
    return np.asarray(memoryview(buffer)).ctypes.data


def to_device(array, **how):
    return buffers.to_device(array, clients.default_device(), **how)


def forms():
    x = np.random.default_rng(0).random((256, 256))
    frozen, aligned = placed(x, 16), placed(x)
    frozen.flags.writeable = aligned.flags.writeable = False
    return {
        "unaligned": placed(x, 16), "aligned": placed(x), "read-only": frozen,
        "aligned read-only": aligned, "transposed": placed(x, 16).T, "backward": x[::-1, ::-1],
        "part": np.tile(x, 2)[:, 3:259], "broadcast": np.broadcast_to(x[0], (256, 256)),
        "swapped": x.astype(">f8"), "bytes": (x * 255).astype(np.uint8).repeat(8, 1),
        "bool": np.tile(x > 0.5, 5)[:, 1:], "complex": placed(x + 2j * x, 16),
        "three axes": placed(x.reshape(4, 64, 256), 8).transpose(2, 0, 1),
        "odd address": placed(x, 3), "empty": np.zeros((0, 1 << 20)), "without axes": np.ones(()),
    }  # fmt: skip


@pytest.mark.parametrize("form", forms())
def test_every_form_goes_in(form):
    array = forms()[form]
    kept = array.copy()
    calls = Calls(lambda x: (x + x, x.T * 1, x.sum()))
    for _ in range(3):
        calls.same(array)
        assert_same(array, kept)


@pytest.mark.parametrize("writable", [True, False])
def test_aligned_arrays_are_taken_as_they_are(writable):
    x = placed(np.ones(MANY))
    x.flags.writeable = writable
    assert address(to_device(x)) == x.ctypes.data
    assert address(to_device(x, copy=True)) != x.ctypes.data


def test_memory_is_used_again_when_nothing_refers_to_it():
    x = placed(np.arange(float(MANY)), 16)
    first = to_device(x)
    second = to_device(x)
    assert len({address(first), address(second), x.ctypes.data}) == 3
    freed = address(first)
    del first
    assert address(to_device(x)) == freed


@pytest.mark.parametrize("kib", [256, 300, 4095, 4097, 4200, 6000, 6145, 9000, 40_000])
def test_memory_of_every_size_is_used_again(kib):
    array = np.zeros(kib << 10, np.uint8)
    copy = _native.staged_copy(array)
    first = copy.ctypes.data
    del copy
    kept = _native.idle_bytes()
    copy = _native.staged_copy(array)
    assert kept - _native.idle_bytes() >= array.nbytes
    assert copy.ctypes.data == first


def test_no_result_shares_memory_with_an_argument():
    def f(x, y):
        return x.reshape(256, 256), y[:], (x, y + 0), np.where(True, x, y)

    compiled, kept = ingot.jit(f), []
    for i in range(6):
        x, y = placed(np.full(MANY, float(i)), 16), placed(np.full(MANY, i + 0.5))
        results = compiled(x, y)
        x[:], y[:] = -1, -2
        kept.append((i, [results[0], results[2][1], results[3]]))
    for i, (a, b, c) in kept:
        assert (a == i).all() and (b == i + 0.5).all() and (c == i).all()


def test_what_a_program_gives_back_is_a_copy():
    """Staged memory relies on it: XLA may not take a parameter for a result."""
    x = placed(np.ones(MANY))
    compiled = ingot.jit(lambda x: (x + 0, x.reshape(2, -1)), native=False).lower(x).compile()
    executable = compiled.variant[0]
    found = executable.run([x])
    buffers.wait(found[0])
    assert x.ctypes.data not in map(address, found)


@pytest.mark.parametrize("offset", [0, 16])
def test_arrays_that_are_stored_to(offset):
    def f(x, y, n):
        x += y
        y[1:] *= n
        return x.sum()

    compiled = ingot.jit(f)
    for n in (2.0, 3.0, 4.0):
        wide = np.random.default_rng(1).random((256, 512))
        for x in (placed(wide[:, :256], offset), wide[:, ::2], wide.T[:256, :256]):
            y = placed(np.ones((256, 256)), offset)
            ours, theirs = (x.copy(order="K"), y.copy()), (x, y)
            assert_same(compiled(*ours, n), f(*theirs, n))
            assert_same(ours, theirs)


def test_one_array_twice():
    x = placed(np.arange(float(MANY)), 16)
    calls = Calls(lambda a, b: (a - b, a * b))
    calls.same(x, x)
    calls.same(x, x[:])
    calls.same(x[:-8], x[8:])


def test_read_only_arrays_are_not_stored_to():
    def f(x):
        x[0] = 1

    x = placed(np.zeros(MANY), 16)
    x.flags.writeable = False
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            ingot.jit(f)(x)
    assert not x.any()


def test_checks_that_fail_leave_large_arguments_as_they_are():
    def f(x, i):
        x += 1
        return x[i]

    compiled = ingot.jit(f)
    x = placed(np.zeros(MANY), 16)
    compiled(x, 3)
    with pytest.raises(IndexError):
        compiled(x, MANY)
    assert (x == 1).all()


@ingot.jit
def slow(j, x):
    s = j.sum()
    for _ in range(100):
        s = np.sin(s + (j * 1.0001 + s).sum())
    return x + s * 0


@pytest.mark.parametrize("offset", [0, 16])
def test_programs_that_nobody_waits_for_have_arguments_of_their_own(offset):
    """jax does not wait; meanwhile the caller may store to what he passed, and call again."""
    import jax.numpy as jnp

    j = jnp.ones(MANY, "float32")
    x = placed(np.zeros(MANY, np.float32), offset)
    kept = []
    for i in range(6):
        x[:] = i
        kept.append(slow(j, x))
    x[:] = -1
    assert [float(each[0]) for each in kept] == [0, 1, 2, 3, 4, 5]
    assert all((np.asarray(each) == each[0]).all() for each in kept)


def test_threads_of_several_sizes():
    compiled = ingot.jit(lambda x, y: (x * y, x.sum()))
    sizes = [MANY // 2, MANY - 3, MANY, 3 * MANY, 1000, 20 * MANY]
    for size in sizes:
        compiled(np.ones(size), 1.0)
    wrong, start = [], threading.Barrier(8)

    def work(number):
        start.wait()
        for k in range(level.pick(5, 20, 200)):
            size = sizes[(number + k) % len(sizes)]
            x = placed(np.full(size, float(number)), 16 * (k % 3))
            product, total = compiled(x, float(k))
            if not (product == number * k).all() or total != size * number:
                wrong.append((number, k))

    in_threads(8, work)
    assert not wrong


FORKED = """
import os, threading
import numpy as np
import ingot

f = ingot.jit(lambda x: x * 2)
x = np.ones(3 << 20)[1:]
assert f(x)[-1] == f(x)[-1] == 2
goes_on = True
def work():
    while goes_on:
        f(x)
thread = threading.Thread(target=work)
thread.start()
for i in range(3):
    pid = os.fork()
    if pid == 0:
        assert all((f(x + k) == 2 * (k + 1)).all() for k in range(3))
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
goes_on = False
thread.join()
assert (f(x) == 2).all()
"""


def test_forked_processes_copy_by_threads_of_their_own(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(FORKED)
    done = python("-W", "ignore::DeprecationWarning", path)
    assert done.returncode == 0, done.stderr


def test_no_more_than_the_limit_is_kept():
    limit = _native.MOST_IDLE_BYTES
    count = limit // (48 << 20) + 3
    arrays = [_native.staged_copy(np.zeros(i << 20, np.uint8)) for i in range(40, 40 + count)]
    assert sum(each.nbytes for each in arrays) > limit
    while arrays:
        arrays.pop()
        assert _native.idle_bytes() <= limit
    assert _native.idle_bytes() > limit // 2


def test_copies_of_arrays_without_elements():
    for shape in ((0,), (3, 0, 2), ()):
        copy = _native.staged_copy(np.ones(shape))
        assert copy.shape == shape and copy.flags.writeable
        assert copy.ctypes.data % buffers.ALIGNMENT == 0
    with pytest.raises(TypeError, match="an array"):
        _native.staged_copy([1.0])


@pytest.mark.parametrize("stores", [False, True])
def test_calls_keep_nothing(stores):
    def add(x):
        return x + 1

    def bump(x):
        x += 1

    compiled, x = ingot.jit(bump if stores else add), placed(np.zeros(1 << 17), 16)
    for _ in range(100):
        compiled(x)
    gc.collect()
    before = resident()
    for _ in range(level.pick(500, 3_000, 10_000)):
        compiled(x)
    assert resident() - before < 4 << 20
