"""`ingot.align_arrays`: NumPy's arrays where XLA takes them without a copy."""

import contextvars
import os
import sys
import threading

import numpy as np
import pytest

import ingot
import level
from ingot_runtime import buffers, clients
from processes import python

#: Bytes around what is kept in lists, what malloc maps, and what has huge pages.
SIZES = [0, 1, 8, 63, 64, 65, 500, 1023, 1024, 1025, 5000, 1 << 17, (1 << 20) + 3, (4 << 20) + 8]


@pytest.fixture(autouse=True)
def aligned_arrays():
    with ingot.align_arrays():
        yield


def is_aligned(array):
    return array.ctypes.data % buffers.ALIGNMENT == 0


@pytest.mark.parametrize("size", SIZES)
def test_arrays_of_every_size_are_aligned(size):
    x = np.ones(size, np.uint8)
    made = [x, np.empty(size, "S1"), np.zeros(size, bool), x + x, x.copy(), x[x > 0], np.sort(x)]
    made += [x.astype(float), np.arange(size), np.concatenate([x, x]), np.full((2, size), "ab")]
    assert all(map(is_aligned, made))
    assert not made[2].any()


def test_where_no_memory_is():
    for count in (1 << 62, (1 << 63) - 8):
        for make in (np.empty, np.zeros):
            with pytest.raises((MemoryError, ValueError)):
                make(count, np.uint8)


def test_contents_live_through_reallocation():
    random = np.random.default_rng(0)
    for _ in range(level.pick(50, 300, 3000)):
        old, new = random.choice(SIZES, 2) + random.integers(0, 40, 2)
        x = random.integers(0, 256, old, np.uint8)
        kept = x.copy()
        x.resize(new, refcheck=False)
        assert is_aligned(x)
        common = min(old, new)
        assert (x[:common] == kept[:common]).all() and not x[common:].any()


def test_arrays_share_no_memory():
    random = np.random.default_rng(1)
    live = {}
    for i in range(level.pick(2_000, 20_000, 200_000)):
        if random.random() < 0.5 and live:
            number, x = live.popitem()
            assert (x == number % 251).all()
        else:
            live[i] = np.full(random.choice(SIZES[:11]) + random.integers(9), i % 251, np.uint8)
    assert all((x == number % 251).all() for number, x in live.items())


# Processes of their own: elsewhere malloc may take even large arrays from memory that was freed.
ZEROS = """
before = resident()
x = np.zeros(400 << 20, np.uint8)
assert resident() - before < 16 << 20
x[:: 1 << 20] = 1
assert x.sum() == 400
"""

GIVEN_BACK = """
for _ in range(3):
    [np.ones(100) for _ in range(2000)]
before = resident()
for i in range({count}):
    [np.ones(100 + i) for _ in range(2000)]
    np.ones(8 << 20)
assert resident() - before < 16 << 20
"""

BEGINNING = """
import numpy as np, ingot
from processes import resident
ingot.align_arrays()
"""


def runs(program):
    done = python("-c", BEGINNING + program, PYTHONPATH=os.pathsep.join(sys.path))
    assert done.returncode == 0, done.stderr


def test_zeros_take_no_memory_until_they_are_stored_to():
    runs(ZEROS)


def test_memory_is_given_back():
    runs(GIVEN_BACK.format(count=level.pick(20, 100, 1000)))


def test_new_threads_have_numpys_own():
    names = {}

    def work(own):
        if own:
            ingot.align_arrays()
        names[own] = np._core.multiarray.get_handler_name(np.ones(1000))

    for own in (False, True):
        thread = threading.Thread(target=work, args=(own,))
        thread.start()
        thread.join()
    assert names == {False: "default_allocator", True: "ingot_aligned"}
    contextvars.Context().run(lambda: names.update(context=np.ones(3)))
    assert np._core.multiarray.get_handler_name(names["context"]) == "default_allocator"


def test_arrays_are_freed_in_other_threads():
    queue = [[np.full(size, size % 251, np.uint8) for size in range(1100)] for _ in range(4)]
    wrong = []

    def work():
        ingot.align_arrays()
        for k in range(20):
            given = queue.pop()
            wrong.extend(x for x in given if not (x == len(x) % 251).all())
            del given
            queue.insert(0, [np.full(size, size % 251, np.uint8) for size in range(k, 1100)])

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_blocks_restore_what_was_before():
    def name():
        return np._core.multiarray.get_handler_name(np.ones(1000))

    assert name() == "ingot_aligned"
    with ingot.align_arrays():
        assert name() == "ingot_aligned"
    assert name() == "ingot_aligned"
    contextvars.Context().run(check_restored)


def check_restored():
    with pytest.raises(KeyError), ingot.align_arrays():
        raise KeyError
    assert np._core.multiarray.get_handler_name(np.ones(1000)) == "default_allocator"


def test_compiled_functions_take_them_as_they_are():
    x = np.ones(1 << 18)
    buffer = buffers.to_device(x, clients.default_device())
    assert np.asarray(memoryview(buffer)).ctypes.data == x.ctypes.data
    compiled = ingot.jit(lambda x: x * 2)
    for _ in range(3):
        x = compiled(x)
    assert (x == 8).all()


def test_it_is_one_of_the_names():
    assert "align_arrays" in dir(ingot) and "align_arrays" in ingot.__all__
