"""Kernels from linalg text to machine code, called by XLA and directly, against NumPy."""

import os
import re
import sys
import threading

import numpy as np
import pytest

import ingot
from ingot import _native
from ingot_runtime import kernels, processors
from kernel import Kernel, elementwise, text_of, unaligned
from processes import python
from targets import FIXED

RNG = np.random.default_rng(19)


def both(kernel, *arrays):
    """The results of both ways to call a kernel, which must be the same."""
    direct = kernel.call_directly(*arrays)
    for ours, xla in zip(direct, kernel.call_in_xla(*arrays)):
        np.testing.assert_array_equal(ours, xla)
    return direct


def ulps(got, want):
    """The largest error, in units of the last place."""
    return np.max(np.abs(got - want) / np.spacing(np.abs(want)))


def test_scalar_loop():
    x = RNG.normal(size=50)
    kernel = Kernel(
        """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %zero = arith.constant 0.0 : f64
  %y, %s = scf.for %i = %c0 to %c50 step %c1 iter_args(%o = %1, %sum = %zero) -> (T1, f64) {
    %v = tensor.extract %0[%i] : T0
    %next = arith.addf %sum, %v : f64
    %n = tensor.insert %next into %o[%i] : T1
    scf.yield %n, %next : T1, f64
  }
  store 1, %y
""",
        [x, x],
        [0, -1],
    )
    _, y = both(kernel, x, np.empty(50))
    np.testing.assert_array_equal(y, np.cumsum(x))


def test_stencil_in_place():
    """Gauss and Seidel's: each element uses new values before it and old ones after it."""
    x = RNG.normal(size=(30, 20))
    kernel = Kernel(
        """
  %c1 = arith.constant 1 : index
  %c19 = arith.constant 19 : index
  %c29 = arith.constant 29 : index
  %quarter = arith.constant 0.25 : f64
  %y = scf.for %i = %c1 to %c29 step %c1 iter_args(%a = %0) -> (T0) {
    %z = scf.for %j = %c1 to %c19 step %c1 iter_args(%b = %a) -> (T0) {
      %up = arith.subi %i, %c1 : index
      %down = arith.addi %i, %c1 : index
      %left = arith.subi %j, %c1 : index
      %u = tensor.extract %b[%up, %j] : T0
      %d = tensor.extract %b[%down, %j] : T0
      %l = tensor.extract %b[%i, %left] : T0
      %s = arith.addf %u, %d : f64
      %t = arith.addf %s, %l : f64
      %v = arith.mulf %t, %quarter : f64
      %c = tensor.insert %v into %b[%i, %j] : T0
      scf.yield %c : T0
    }
    scf.yield %z : T0
  }
  store 0, %y
""",
        [x],
        [-1],
        aliases={0: 0},
    )
    (y,) = both(kernel, x)
    want = x.copy()
    for i in range(1, 29):
        for j in range(1, 19):
            want[i, j] = (want[i - 1, j] + want[i + 1, j] + want[i, j - 1]) * 0.25
    np.testing.assert_array_equal(y, want)


REDUCTION = """
  %zero = arith.constant 0.0 : f32
  %empty = linalg.fill ins(%zero : f32) outs(%1 : T1) -> T1
  %y = linalg.generic {indexing_maps = [#ab, #first], iterator_types = ["parallel", "reduction"]}
      ins(%0 : T0) outs(%empty : T1) {
  ^bb0(%v: f32, %old: f32):
    %r = arith.addf %v, %old FLAGS : f32
    linalg.yield %r : f32
  } -> T1
  store 1, %y
"""


@pytest.mark.parametrize("flags", ["", "fastmath<reassoc>"])
def test_reduction_of_float32(flags):
    x, y = RNG.normal(size=(40, 300)).astype("f4"), np.empty(40, "f4")
    _, got = both(Kernel(REDUCTION.replace("FLAGS", flags), [x, y], [0, -1]), x, y)
    if flags:
        np.testing.assert_allclose(got, x.sum(1), rtol=1e-3)
    else:
        np.testing.assert_array_equal(got, np.cumsum(x, 1)[:, -1])


def test_sums_are_vectorised_where_their_order_is_free():
    x, y = np.empty((40, 300), "f4"), np.empty(40, "f4")
    texts = [
        _native.explain(text_of(REDUCTION.replace("FLAGS", flags), [x, y], "0, -1"), FIXED)
        for flags in ("", "fastmath<reassoc>")
    ]
    assert [bool(re.search("v?addps|fadd.*4s", text["assembly"])) for text in texts] == [
        False,
        True,
    ]


def test_integers():
    x = RNG.integers(-100, 100, 33).astype("i4")
    body = "%three = arith.constant 3 : i32\n%r = arith.floordivsi %v, %three : i32"
    _, y = both(Kernel(elementwise(body, "i32"), [x, x], [0, -1]), x, np.empty_like(x))
    np.testing.assert_array_equal(y, x // 3)


def test_complex_elements():
    x = RNG.normal(size=21) + 1j * RNG.normal(size=21)
    body = """
    %re = complex.re %v : complex<f64>
    %im = complex.im %v : complex<f64>
    %minus = arith.negf %im : f64
    %r = complex.create %re, %minus : complex<f64>
"""
    _, y = both(Kernel(elementwise(body, "complex<f64>"), [x, x], [0, -1]), x, np.empty_like(x))
    np.testing.assert_array_equal(y, np.conj(x))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "tanh", "log1p", "expm1", "cbrt"])
def test_functions(name, dtype):
    """With more elements than a vector has, and a rest."""
    x = RNG.uniform(0.1, 3, 1003).astype(dtype)
    element = {"float32": "f32", "float64": "f64"}[dtype]
    body = f"%r = math.{name} %v : {element}"
    _, y = both(Kernel(elementwise(body, element), [x, x], [0, -1]), x, np.empty_like(x))
    assert ulps(y, getattr(np, name)(x.astype("f8")).astype(dtype)) <= 4


@pytest.mark.parametrize("name", ["log1p", "expm1"])
def test_functions_near_zero(name):
    x = RNG.uniform(1e-12, 1e-9, 37)
    _, y = both(Kernel(elementwise(f"%r = math.{name} %v : f64"), [x, x], [0, -1]), x, x)
    assert ulps(y, getattr(np, name)(x)) <= 4


@pytest.mark.parametrize("strict", [False, True])
def test_only_strict_kernels_use_the_c_library_alone(strict):
    x = np.empty(1000)
    text = text_of(elementwise("%r = math.exp %v : f64"), [x, x], "0, -1")
    if strict:
        text = text.replace("attributes {", "attributes {ingot.strict, ")
    assert ("_ZGV" in _native.explain(text, FIXED)["llvm"]) != strict
    assert (b"libmvec.so.1" in _native.compile(text, FIXED)) != strict


@pytest.mark.parametrize("size", [30, 3000])
def test_memory_of_its_own(size):
    """Two temporaries in a loop, on the stack or the heap."""
    x = RNG.normal(size=size)
    kernel = Kernel(
        f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %y = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %0) -> (T0) {{
    %e = tensor.empty() : T0
    %f = linalg.generic {{indexing_maps = [#a], iterator_types = ["parallel"]}} outs(%e : T0) {{
    ^bb0(%old: f64):
      %k = linalg.index 0 : index
      %last = arith.constant {size - 1} : index
      %m = arith.subi %last, %k : index
      %v = tensor.extract %a[%m] : T0
      linalg.yield %v : f64
    }} -> T0
    %g = linalg.generic {{indexing_maps = [#a, #a], iterator_types = ["parallel"]}}
        ins(%f : T0) outs(%a : T0) {{
    ^bb0(%v: f64, %old: f64):
      %r = arith.addf %v, %old : f64
      linalg.yield %r : f64
    }} -> T0
    scf.yield %g : T0
  }}
  store 0, %y
""",
        [x],
        [-1],
        aliases={0: 0},
    )
    (y,) = both(kernel, x)
    want = x
    for _ in range(9):
        want = want[::-1] + want
    np.testing.assert_array_equal(y, want)


def test_copies_of_slices_of_dynamic_length():
    """The first elements of a row are read in reverse while they are written."""
    x = RNG.normal(size=(6, 8))
    kernel = Kernel(
        """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %y = scf.for %i = %c0 to %c6 step %c1 iter_args(%a = %0) -> (T0) {
    %n = arith.addi %i, %c1 : index
    %s = tensor.extract_slice %a[%i, 0] [1, %n] [1, 1] : T0 to tensor<?xf64>
    %old = bufferization.alloc_tensor(%n) : tensor<?xf64>
    %kept = linalg.copy ins(%s : tensor<?xf64>) outs(%old : tensor<?xf64>) -> tensor<?xf64>
    %r = linalg.generic {indexing_maps = [#a], iterator_types = ["parallel"]}
        outs(%s : tensor<?xf64>) {
    ^bb0(%before: f64):
      %k = linalg.index 0 : index
      %m = arith.subi %i, %k : index
      %v = tensor.extract %kept[%m] : tensor<?xf64>
      linalg.yield %v : f64
    } -> tensor<?xf64>
    %z = tensor.insert_slice %r into %a[%i, 0] [1, %n] [1, 1] : tensor<?xf64> into T0
    scf.yield %z : T0
  }
  store 0, %y
""",
        [x],
        [-1],
        aliases={0: 0},
    )
    (y,) = both(kernel, x)
    want = x.copy()
    for i in range(6):
        want[i, : i + 1] = x[i, : i + 1][::-1]
    np.testing.assert_array_equal(y, want)


def test_memory_at_multiples_of_16():
    x = RNG.normal(size=1001)
    kernel = Kernel(elementwise("%r = arith.addf %v, %v : f64"), [x, x], [0, -1])
    x, y = unaligned(x), unaligned(np.empty(1001))
    kernel.call_at(x, y)
    np.testing.assert_array_equal(y, x + x)
    np.testing.assert_array_equal(kernel.call_in_xla(x, y)[1], x + x)


@pytest.mark.parametrize(
    "text, message",
    [
        ("func.func @kernel(", "expected"),
        ("func.func @other() { return }", "no function `kernel`"),
        ("func.func @kernel(%a: memref<2xf64>) { return }", "it takes other types"),
        (
            "func.func private @missing()\nfunc.func @kernel() attributes {ingot.frame = array<i64>}"
            " { call @missing() : () -> ()\n return }",
            "undefined symbol: missing",
        ),
    ],
)
def test_errors(text, message):
    with pytest.raises(RuntimeError, match=message):
        _native.compile(text)


def test_equal_text_gives_equal_bytes():
    x = np.ones(300)
    text = text_of(elementwise("%r = arith.addf %v, %v : f64"), [x, x], "0, -1")
    assert len({_native.compile(text) for _ in range(3)}) == 1


def test_threads_compile_at_once():
    x = RNG.normal(size=100)
    constants = np.arange(12.0)
    found = {}

    def compile(constant):
        body = f"%c = arith.constant {constant} : f64\n%r = arith.addf %v, %c : f64"
        found[constant] = Kernel(elementwise(body), [x, x], [0, -1]).call_directly(x, x)[1]

    threads = [threading.Thread(target=compile, args=(each,)) for each in constants]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == len(constants)
    for constant, got in found.items():
        np.testing.assert_array_equal(got, x + constant)


# LLVM's functions for files take over signals to remove the files.
SIGNALS = """
from pathlib import Path
import numpy as np
from test_codegen import Kernel, elementwise

def caught():
    lines = Path("/proc/self/status").read_text().splitlines()
    return [line for line in lines if line.startswith("SigCgt")]

x = np.ones(100)
before = caught()
assert before
Kernel(elementwise("%r = math.exp %v : f64"), [x, x], [0, -1]).call_directly(x, x)
assert caught() == before
"""

# JAX, which other tests load, warns of every fork: a process of its own.
FORKED = """
import os
import numpy as np
from test_codegen import RNG, Kernel, elementwise

x = RNG.normal(size=100)
kernel = Kernel(elementwise("%r = math.exp %v : f64"), [x, x], [0, -1])
_, want = kernel.call_directly(x, x)
pid = os.fork()
_, got = kernel.call_directly(x, x)
assert np.array_equal(got, want)
assert pid == 0 or os.waitpid(pid, 0)[1] == 0
"""


@pytest.mark.parametrize("program", [SIGNALS, FORKED], ids=["signals", "fork"])
def test_processes(tmp_path, program):
    path = tmp_path / "program.py"
    path.write_text(program)
    done = python(path, PYTHONPATH=os.pathsep.join([os.path.dirname(__file__), *sys.path]))
    assert done.returncode == 0, done.stderr


def test_a_name_is_loaded_once():
    x = np.ones(4)
    body = elementwise("%r = arith.addf %v, %v : f64")
    kernel = Kernel(body, [x, x], [0, -1])
    library = _native.compile(text_of(body, [x, x], "0, -1"), processors.target())
    assert kernels.load(kernel.name, library) is kernel.library
    with pytest.raises(kernels.Taken, match="another one of that name is loaded"):
        kernels.load(kernel.name, b"another")
    assert kernels.find(kernel.name) is kernel.library


def test_what_is_no_library_is_refused():
    with pytest.raises(RuntimeError, match="kernel ingot.test.damaged: "):
        kernels.load("ingot.test.damaged", b"\x7fELF")
    assert kernels.find("ingot.test.damaged") is None


def test_vectors_that_llvm_merges_wrongly():
    """LLVM's SROA leaves invalid code here, and the passes after it crashed."""
    a = RNG.normal(size=(3, 2, 4)).transpose(1, 0, 2) * 9
    function = ingot.jit(lambda a: np.unwrap(a))
    np.testing.assert_allclose(function(a), np.unwrap(a), rtol=1e-14)
    assert function.lower(a).compile().kernels
