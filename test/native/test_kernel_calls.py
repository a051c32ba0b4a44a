"""Programs that are one native kernel are called on NumPy's memory."""

import gc
import signal
import sys
import threading

import numpy as np
import pytest
from test_processes import interrupted
from threads import in_threads

import ingot
from arrays import placed
from calls import Calls
from ingot_runtime import pjrt
from oracle import assert_same
from processes import python, resident

#: Of floats: results from 64 KiB on are in memory that is used again.
MANY = 1 << 14
RNG = np.random.default_rng(0)


def kernel_call(f, *args):
    """How a function that is one kernel calls it."""
    return ingot.jit(f).lower(*args).compile().executable.call


def called(f, *args):
    """Calls of a function that is one kernel, which are direct from now on."""
    assert kernel_call(f, *args)
    calls = Calls(f)
    calls(*[np.array(each, order="K") if isinstance(each, np.ndarray) else each for each in args])
    return calls


def blur(a):
    for _ in range(3):
        a[1:-1] = (a[:-2] + a[2:]) * 0.5


def set_item(a, i):
    a[i] = 3
    return a * 2


def replaced(a, b):
    old = a.copy()
    for i in range(len(a)):
        a[i] = b[i] + a[i - 1]
    return old, a


# Results.

SIGNATURES = {
    "arrays": (lambda x, y: x + y, np.arange(5.0), np.ones(5)),
    "float32": (lambda x: x * x + 1, np.arange(6, dtype=np.float32).reshape(2, 3)),
    "bools": (lambda p, q: (p & q, ~p), np.array([True, False]), np.array([True, True])),
    "complex": (lambda z: (z * z.conj(), z.real), np.array([1 + 2j, 3 - 1j])),
    "complex64": (lambda z: z + z, np.array([1 + 2j], np.complex64)),
    "bytes": (lambda x: x + x, np.array([100, 200], np.uint8)),
    "int16": (lambda x, y: x * y, np.array([300], np.int16), np.int16(200)),
    "Python numbers": (lambda a, b: a * b + 1, 2.5, 3),
    "a Python bool": (lambda x, p: np.where(p, x, -x), np.arange(3.0), True),
    "a Python complex": (lambda x, z: x * z, np.arange(3.0), 1 + 2j),
    "NumPy scalars": (lambda a, b: a + b, np.float32(2.5), np.float32(3)),
    "no axes": (lambda x: x * 2, np.array(3.0)),
    "a number of each kind": (lambda x: (x.sum(), x.max() > 2, x.argmax()), np.arange(4.0)),
    "Python results": (lambda n, x: (n * 2, n > 3, x * 2), 5, 2.5),
    "a tree": (lambda t: {"a": t[0] + 1, "b": [t[1]["c"] * 2, 3]}, (np.ones(3), {"c": 2.0})),
    "an argument": (lambda x, y: (x, x + y, y), np.ones(3), 2.0),
    "copies": (lambda x, y: (x.copy(), x + y, x.copy()), np.arange(3.0), 2.0),
    "a result twice": (lambda x: (x * 2, (x * 2) + 0, x), np.arange(3)),
    "Fortran's order": (lambda x: x * 2, np.asfortranarray(RNG.random((3, 4)))),
    "a transposed result": (lambda x: (x + 1).T, RNG.random((3, 4))),
    "an axis of length 1": (lambda x: x + x.T, RNG.random((1, 3))),
    "large": (lambda x, y: x * y - x, RNG.random((150, 301)), RNG.random(301)),
    "a loop": (lambda x: [x := x * 0.5 + i for i in range(3)][-1], RNG.random(2000)),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_results_are_those_of_the_function(name):
    f, *args = SIGNATURES[name]
    calls = called(f, *args)
    assert calls.same(*args) and calls.same(*args)


def test_empty_arrays():
    calls = Calls(lambda x, y: (x + y, x.sum()))
    for _ in range(3):
        calls.same(np.ones((0, 3)), np.ones(3))


def test_globals_and_captured_arrays(monkeypatch):
    table = np.arange(4.0)
    calls = called(lambda x: x + table, np.ones(4))
    assert calls.same(np.ones(4))
    table[1] = 7
    assert calls.same(np.zeros(4))


# Arguments.


@pytest.mark.parametrize("size", [7, MANY])
@pytest.mark.parametrize("offset", [0, 4, 8, 16, 24, 3])
def test_arrays_at_any_address(size, offset):
    calls = called(lambda x, y: x * y, np.ones(size), np.ones(size))
    x, y = placed(RNG.random(size), offset), placed(RNG.random(size), 8)
    before = x.copy()
    # An array that is not aligned to its items has a program of its own.
    calls(x, y)
    assert calls.same(x, y) and calls.same(x, y[:])
    assert_same(x, before)


def test_other_strides_and_read_only_arrays():
    x = RNG.random((40, 60))
    frozen = x.copy()
    frozen.flags.writeable = False
    calls = Calls(lambda a: a * 2 + 1)
    for each in (x[::2], x[:, 1:], x.T, x[::-1], frozen, np.broadcast_to(x[0], (5, 60)), x):
        calls.same(each)
        assert calls.same(each) and calls.same(each)


def test_swapped_bytes_are_refused_or_the_same():
    x = np.arange(5.0)
    calls = called(lambda a: a + 1, x)
    for _ in range(2):
        assert_same(calls(x.astype(">f8")), x + 1)
    assert calls.same(x)


def test_one_array_twice():
    calls = Calls(lambda x, y: x * y + x)
    x = RNG.random(MANY)
    calls.same(x, x)
    assert calls.same(x, x)
    calls.same(x, x.copy())
    assert calls.same(x[:], x)
    assert calls.same(x[:-1], x[1:]) or calls.same(x[:-1], x[1:])


# Stores.


@pytest.mark.parametrize("size", [9, MANY])
@pytest.mark.parametrize("offset", [0, 8])
def test_arrays_are_overwritten_in_place(size, offset):
    call = kernel_call(blur, np.ones(size))
    assert (0, 0) in call.parameters and call.lengths == []
    calls = called(blur, np.ones(size))
    a = placed(RNG.random(size), offset)
    expected = a.copy()
    for _ in range(3):
        blur(expected)
        assert calls(a) is None and calls.was_direct
        assert_same(a, expected)


def test_what_was_there_before_is_a_result():
    a, b = RNG.random(300), RNG.random(300)
    calls = called(replaced, a, b)
    expected, plain = a.copy(), replaced(a.copy(), b)
    old, new = calls(a, b)
    assert calls.was_direct and new is a
    assert_same(old, expected)
    assert_same(a, plain[1])


def test_arrays_that_are_copied_and_then_changed_stay():
    def f(a):
        b = a.copy()
        for i in range(1, len(b)):
            b[i] += b[i - 1]
        return b

    a = RNG.random(MANY)
    calls, before = called(f, a), a.copy()
    assert calls.same(a)
    assert_same(a, before)


def test_a_failing_check_changes_nothing():
    a = RNG.random(2000)
    calls = called(set_item, a, 3)
    assert calls.same(a, 5) and a[5] == 3
    before = a.copy()
    for i in (2000, -2001):
        with pytest.raises(IndexError, match="out of bounds"):
            calls(a, i)
        assert_same(a, before)
    assert calls.same(a, -1) and a[-1] == 3


def test_a_check_that_fails_halfway_changes_nothing():
    def f(a, indices):
        for i in range(len(indices)):
            a[indices[i]] = i
        return a.sum()

    a = np.zeros(50)
    calls = called(f, a, np.arange(3))
    with pytest.raises(IndexError):
        calls(a, np.array([1, 2, 50]))
    assert not a.any()
    assert calls.same(a, np.array([1, 2, 3])) and a[3] == 2


def test_overlaps_are_refused():
    memory = np.arange(20.0)
    calls = called(replaced, np.ones(8), np.ones(8))
    with pytest.raises(ingot.UnsupportedError, match="shares memory"):
        calls(memory[:8], memory[4:12])
    assert_same(memory, np.arange(20.0))
    calls(memory[:8], memory[8:16])
    assert calls.was_direct


def test_arrays_that_can_t_be_stored_to():
    calls = called(blur, np.ones(10))
    frozen = np.ones(10)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        calls(frozen)
    with pytest.raises(ingot.UnsupportedError, match="share"):
        calls(np.lib.stride_tricks.as_strided(np.ones(1), (10,), (0,)))
    every = np.arange(20.0)
    expected = every.copy()
    calls(every[::2])
    blur(expected[::2])
    assert_same(every, expected)


# Without direct calls.


def test_xla_compiles_nothing(monkeypatch):
    monkeypatch.setattr(pjrt, "compile_stablehlo", None)
    a = np.arange(5.0)
    assert_same(ingot.jit(lambda x, i: (x * 2, x[i]))(a, 3), (a * 2, a[3]))


def test_calls_by_python():
    def f(x, items, n):
        items.append(x * n)
        x[x > 2] = 0
        return x[x > 0], items[-1] + 1

    x, items, n = np.arange(5.0), [], 3
    ours, theirs = (x.copy(), [], n), (x.copy(), [], n)
    assert ingot.jit(f).lower(*ours).compile().executable.call.outputs
    assert_same(ingot.jit(f)(*ours), f(*theirs))
    assert_same(ours, theirs)


def test_compiled_programs():
    x = RNG.random((3, 4))
    compiled = ingot.jit(lambda x, n: (x * n, n + 1)).lower(x, 2).compile()
    assert_same(compiled(x, 2), (x * 2, 3))
    assert compiled.memory() == pjrt.Memory(x.nbytes + 8, x.nbytes + 8, 0)
    assert compiled.cost().flops >= x.size
    assert compiled.executable.device.platform == "cpu"


def test_jax_arrays():
    jax = pytest.importorskip("jax", reason="Ingot runs without jax")

    def f(x, y):
        return x * y, y, 3

    x, y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
    assert kernel_call(f, x, y)
    compiled = ingot.jit(f)
    given = jax.numpy.asarray(x)
    product, same, three = compiled(given, y)
    assert isinstance(product, jax.Array) and same is y and three == 3
    assert_same(np.asarray(product), x)
    y[:] = 5
    assert_same(np.asarray(product), x)
    assert_same(np.asarray(compiled(given, y)[0]), x * 5)


# Memory.


def test_memory_of_results_is_used_again():
    calls = called(lambda x: x + 1, np.ones(MANY))
    x = np.ones(MANY)
    first = calls(x)
    address = first.ctypes.data
    assert address % 64 == 0 and first.flags.writeable
    view = first[5:]
    del first
    assert calls(x).ctypes.data != address
    del view
    assert calls(x).ctypes.data == address


@pytest.mark.parametrize("size", [8, MANY])
def test_living_results_share_no_memory(size):
    calls = called(lambda x, n: (x + n, x * n), np.ones(size), 1.0)
    x = RNG.random(size)
    kept = []
    for n in range(40):
        kept.append((float(n), *calls(x, float(n))))
        assert calls.was_direct
        if n % 3 == 0:
            del kept[n % len(kept)]
    for n, total, product in kept:
        assert_same(total, x + n)
        assert_same(product, x * n)


@pytest.mark.machine_code
def test_calls_keep_nothing():
    def f(x, y, i):
        y[i] = x.sum()
        return x * 2, y, x[i]

    compiled = ingot.jit(f)
    x, y, i = np.ones(MANY), np.ones(MANY), 3
    objects = [x, y, np.dtype(float), compiled]

    def call(count):
        for _ in range(count):
            compiled(x, y, i)
            with pytest.raises(IndexError):
                compiled(x, y, MANY)

    call(20)
    gc.collect()
    counts, before = [sys.getrefcount(each) for each in objects], resident()
    call(300)
    gc.collect()
    assert [sys.getrefcount(each) for each in objects] == counts
    assert resident() - before < 4 << 20


# Threads, processes and signals.


def test_threads_call_at_once():
    calls = called(lambda x, n: (x * n).sum() + x, np.ones(MANY), 1.0)
    wrong = []

    def work(number):
        x = np.full(MANY, float(number))
        for n in range(50):
            if not np.array_equal(calls.compiled(x, float(n)), number * n * MANY + x):
                wrong.append((number, n))

    in_threads(4, work)
    assert not wrong and calls.compiled._direct_calls == 200


def test_other_threads_run_meanwhile():
    def slow(x):
        for _ in range(4000):
            x = np.sqrt(x * x + 1)
        return x

    x = np.ones(5000)
    calls = called(slow, x)
    count, ends = 0, threading.Event()
    thread = threading.Thread(target=lambda: (calls(x), ends.set()))
    thread.start()
    while not ends.wait(1e-3):
        count += 1
    thread.join()
    assert calls.was_direct and count > 5


FORKED = """
import os
import numpy as np
import ingot

@ingot.jit
def f(a):
    for i in range(1, 100):
        a[i] += a[i - 1]

def right():
    a, n = np.ones(100), np.cumsum(np.ones(100))
    f(a)
    return np.array_equal(a, n)

assert right() and right() and f._direct_calls == 1
pid = os.fork()
assert all(right() for _ in range(3)) and f._direct_calls >= 3
assert pid == 0 or os.waitpid(pid, 0)[1] == 0
"""


def test_forked_processes(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(FORKED)
    done = python(path)
    assert done.returncode == 0, done.stderr


STORED = """
import sys
import numpy as np
import ingot

@ingot.jit
def f(a, b):
    for i in range(len(a)):
        a[i] += b[i]
    return a * 2

for n in range(3):
    a = np.ones(5)
    assert f(a, np.full(5, n))[0] == 2 * (n + 1) and a[0] == n + 1
# Loops of XLA's are not called directly.
assert f._direct_calls == 2
print("ingot.lowering" in sys.modules)
"""


def test_programs_on_disk(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(STORED)
    for is_compiled in ("True", "False"):
        done = python(path, INGOT_CACHE_DIR=str(tmp_path / "cache"))
        assert done.stdout.split() == [is_compiled], done.stderr


#: Functions that run for ever if the second argument is 10**15.
LONG = {
    "a while": """
def f(a, n):
    while a[0] < n:
        a[0] += 1
        a[0] -= a[0] * (n == 10**15)
        a[1] = 7""",
    "a for": """
def f(a, n):
    for i in range(n):
        a[i % 3] = np.sin(a[i % 2])""",
    "a for in a branch": """
def f(a, n):
    if n > 5:
        for i in range(n - 5):
            a[i % 3] = np.sin(a[i % 2])""",
    "a length in an array": """
def f(a, n):
    for i in range(a.astype(int)[0] + n):
        a[1 + i % 2] = np.sin(a[1 + i % 2])""",
}
INTERRUPTED = """
import numpy as np
import ingot
{function}

f = ingot.jit(f)
for _ in range(4):
    a = np.zeros(3)
    f(a, 3)
assert f._direct_calls == 3
before = a.copy()
print("started", flush=True)
try:
    f(a, 10**15)
except KeyboardInterrupt:
    print("interrupted", flush=True)
assert np.array_equal(a, before)
f(np.zeros(3), 3)
assert f._direct_calls == 4
print("went on", flush=True)
"""


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_interrupts_a_kernel(name, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(INTERRUPTED.format(function=LONG[name]))
    lines, seconds, code, errors = interrupted(path)
    assert code == 0 and lines == ["interrupted", "went on"], errors
    assert seconds < 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
def test_signal_handlers_run_meanwhile():
    def long(x, n):
        for _ in range(n):
            x = np.sqrt(x * x + 1)
        return x

    x = np.ones(1000)
    calls = called(long, x, 3)
    assert kernel_call(long, x, 3).lengths == [1]
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        assert calls.same(x, 100_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen
