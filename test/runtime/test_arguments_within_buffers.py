"""Large arguments that a program reads from where they lie (the pass align-arguments)."""

import ctypes
import functools
import mmap

import numpy as np
import pytest

import ingot
from arrays import placed
from calls import Calls
from ingot_runtime import buffers, clients
from oracle import assert_same
from processes import python

pytestmark = pytest.mark.once

#: The bytes from which arguments are taken so.
LEAST = 1 << 20
ROWS = 400


@pytest.fixture(autouse=True)
def without_kernels(monkeypatch):
    """What native kernels take and give is not XLA's."""
    monkeypatch.setenv("INGOT_NATIVE", "0")


def numbers(offset=0, dtype=float, shape=(ROWS, ROWS)):
    x = np.random.default_rng(0).integers(-9, 9, shape)
    return placed(x.astype(dtype) / 2 if np.dtype(dtype).kind in "fc" else x.astype(dtype), offset)


def scaled(x):
    return 2 * x + 1, x.T * x, -x[1:, ::2]


def product(x, v):
    return x @ v, v @ x, x @ x


def orders(x):
    return np.sort(x, axis=0), np.argsort(x, axis=1), np.argsort(x, axis=None, kind="stable")


def loops(x, v):
    y = v * 0
    trace = 0.0
    for i in range(len(v)):
        trace += x[i, -1 - i]
        y[i] = x[-i, :i] @ v[:i] + np.sum(x[i // 2] * v)
        y += x[i, 7 : 7 + len(v) // 2].max()
    return y, trace, x + trace


@functools.cache
def compiled_once(f):
    """One program takes arrays at all offsets."""
    return ingot.jit(f)


ALIGNED = {}


def aligned(lowered):
    """The inputs within buffers of a program; of equal texts, one is compiled."""
    text = lowered.stablehlo()
    if text not in ALIGNED:
        executable, *_ = lowered.compile().variant
        ALIGNED[text] = list(executable._aligned)
    return ALIGNED[text]


@pytest.mark.parametrize("offset", [0, 8, 16, 24, 40, 56])
@pytest.mark.parametrize("f", [scaled, product, orders, loops])
def test_arrays_are_read_where_they_lie(f, offset):
    args = (numbers(offset), numbers()[0])[: f.__code__.co_argcount]
    compiled = compiled_once(f)
    assert_same(compiled(*args), f(*args))
    assert aligned(compiled.lower(*args)) == [0]
    buffer, first = buffers.held(args[0], clients.default_device())
    assert np.asarray(memoryview(buffer)).ctypes.data + 8 * first == args[0].ctypes.data


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "float32", "complex128"])
def test_every_dtype(dtype):
    calls = Calls(lambda x: (x[::-1], x * np.ones(1, dtype)))
    shape = (LEAST // np.dtype(dtype).itemsize,)
    for offset in (16, 48, 16, 0):
        calls.same(numbers(offset, dtype, shape))


@pytest.mark.parametrize(
    "form",
    [
        lambda x: x.T, lambda x: x[::-1], lambda x: np.asfortranarray(x), lambda x: placed(x, 3),
        lambda x: np.tile(x, 2)[:, 3 : ROWS + 3], lambda x: np.broadcast_to(x[0], x.shape),
        lambda x: x.astype(">f8"),
    ],
)  # fmt: skip
def test_what_lies_otherwise_is_copied(form):
    for f in (scaled, lambda x: product(x, x[0])):
        calls = Calls(f)
        for _ in range(3):
            calls.same(form(numbers(16)))


def test_read_only_arrays():
    x = numbers(16)
    x.flags.writeable = False
    Calls(scaled).same(x)


def test_arrays_that_are_stored_to():
    def f(x, y):
        x += y
        x[3] = 0
        return y * 2

    for offset in (0, 8, 16):
        x, y = numbers(offset), numbers(16)
        expected = x.copy()
        result = f(expected, y)
        assert_same(ingot.jit(f)(x, y), result)
        assert_same(x, expected)


def test_one_array_twice():
    x = numbers(16)
    assert_same(ingot.jit(lambda a, b: a @ b + a)(x, x), x @ x + x)


def test_sums_and_loops_have_copies():
    def f(x, y):
        for _ in range(3):
            y = y * 0.5 + x.sum(axis=0)
        return y

    x = numbers(16)
    compiled = ingot.jit(f)
    assert_same(compiled(x, x), f(x, x))
    executable, *_ = compiled.lower(x, x).compile().variant
    assert not executable._aligned


def test_derivatives_and_batches():
    x, v = numbers(16), numbers()[0]
    gradient = ingot.grad(lambda x, v: np.sum((x @ v) ** 2))(x, v)
    np.testing.assert_allclose(gradient, 2 * np.outer(x @ v, v), rtol=1e-12)
    rows = ingot.jit(ingot.vmap(lambda row: row * 2 + row[::-1]))(x)
    assert_same(rows, x * 2 + x[:, ::-1])


def test_arrays_of_jax():
    import jax
    import jax.numpy as jnp

    x = jnp.ones(LEAST // 4, "float32")
    compiled = ingot.jit(lambda x: x * np.float32(3))
    kept = [compiled(x), compiled(np.ones(LEAST // 4, "float32"))]
    del x
    assert isinstance(kept[0], jax.Array)
    for each in kept:
        assert (np.asarray(each) == 3).all()


def test_what_a_call_takes_counts_no_room():
    memory = ingot.jit(scaled).lower(numbers()).compile().memory()
    assert memory.arguments == numbers().nbytes


def test_nothing_beyond_an_array_is_read():
    """The array begins with a page and ends with one; the pages around can't be read."""
    libc = ctypes.CDLL(None, use_errno=True)
    page, pages = mmap.PAGESIZE, 2 * LEAST // mmap.PAGESIZE
    memory = mmap.mmap(-1, (pages + 2) * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for guard in (start, start + (pages + 1) * page):
        assert libc.mprotect(ctypes.c_void_p(guard), page, 0) == 0, "mprotect"
    try:
        x = np.frombuffer(memory, float, pages * page // 8, page).reshape(512, -1)
        x[:] = 1
        for part in (x, x.reshape(-1)[2:-2].reshape(2, -1), x.reshape(-1)[6:], x.reshape(-1)[:-1]):
            assert_same(ingot.jit(lambda x: x * 2)(part), part * 2)
        assert_same(ingot.jit(lambda x: x @ x.T)(x), x @ x.T)
        assert_same(ingot.jit(loops)(x, x[0, :512]), loops(x, x[0, :512]))
    finally:
        for guard in (start, start + (pages + 1) * page):
            libc.mprotect(ctypes.c_void_p(guard), page, mmap.PROT_READ | mmap.PROT_WRITE)


PROGRAM = """
import sys
sys.modules["jax"] = None
import numpy as np, ingot
def f(x, v):
    return x @ v, x + v
x, v = np.ones((500, 500)), np.arange(500.0)
first, second = ingot.jit(f)(x, v)
assert (first == v.sum()).all() and (second == 1 + v).all()
"""


def test_programs_on_disk(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    for _ in range(2):
        done = python(path, INGOT_CACHE_DIR=str(tmp_path / "cache"))
        assert (done.returncode, done.stderr) == (0, "")
