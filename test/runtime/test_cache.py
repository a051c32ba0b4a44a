"""The on-disk cache: a second process compiles nothing, and nothing stale is used."""

import signal
import subprocess
import sys
import time

import pytest

from ingot_runtime.cache import Cache, key_of
from processes import python

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np, ingot, helpers
from ingot import lowering
made = []
trace, compile = lowering.trace, lowering.Lowered.compile
lowering.trace = lambda *a: made.append("trace") or trace(*a)
lowering.Lowered.compile = lambda *a: made.append("compile") or compile(*a)
from collections import namedtuple
Pair = namedtuple("Pair", "a b")
TABLE = {{"w": np.arange(3.0)}}
SCALE = 2.0

@ingot.jit
def f(x, n, mode="plain"):
    y = helpers.twice(x) * SCALE + TABLE["w"]
    assert x[0] > 0, "must be positive"
    return Pair(np.zeros(n) + y[0], {{"y": y, "n": n, "mode": mode}})

{body}
print(made)
"""
CALLS = """
x = np.arange(3.0) + 1
print(f(x, 2))
try:
    f(-x, 2)
except AssertionError as error:
    print(str(error).splitlines()[0])
"""
HELPERS = "def twice(x):\n    return x * 2\n"


@pytest.fixture
def run(tmp_path):
    (tmp_path / "helpers.py").write_text(HELPERS)

    def run(body=CALLS, **changes):
        path = tmp_path / "program.py"
        text = PROGRAM.format(folder=str(tmp_path), body=body)
        for old, new in changes.values():
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        # Python takes bytecode for that of any text of its size that was written in the same second.
        done = python(path, INGOT_CACHE_DIR=str(tmp_path / "cache"), PYTHONDONTWRITEBYTECODE="1")
        assert done.returncode == 0, done.stderr
        *output, made = done.stdout.splitlines()
        return output, made

    return run


def test_a_second_process_runs_no_frontend_and_no_compiler(run):
    first, made = run(body="print(f(np.arange(3.0) + 1, 2))")
    assert "trace" in made and "compile" in made
    second, made = run(body="print(f(np.arange(3.0) + 1, 2))")
    assert (second, made) == (first, "[]")


def test_instances_that_numpy_has_by_a_name(run):
    body = (
        "@ingot.jit\ndef g(x):\n    i, j = np.mgrid[0:3, 0:2]\n    return np.r_[x, i[:, 1] * j[:, 1]]\n"
        "print(g(np.arange(3.0)))"
    )
    first, made = run(body=body)
    assert "compile" in made
    assert run(body=body) == (first, "[]")


@pytest.mark.parametrize(
    "text",
    [
        # Ingot's own code, which the second process does not import.
        "np.cov(np.outer(x, x))",
        "np.linalg.solve(np.eye(3) + np.outer(x, x), x)",
        "np.histogram(x, 2)[0]",
        "np.spacing(x)",
        "np.isfortran(x)",
        # Objects of the libraries.
        "scipy.special.erf(x)",
        "scipy.stats.norm.cdf(x)",
        "np.fft.fft2(np.outer(x, x))",
        "x + np.finfo(x.dtype).eps",
        "x * operator.index(2) * math.pi",
    ],
)
def test_functions_of_libraries(run, text):
    body = (
        "import math, operator, scipy\n@ingot.jit\ndef g(x):\n    import collections.abc as abc\n"
        f"    return {text} if isinstance([], abc.Sequence) else x\nprint(g(np.arange(3.0)))"
    )
    first, made = run(body=body)
    assert "compile" in made
    assert run(body=body) == (first, "[]")


def test_another_function_in_the_place_of_one_of_a_library(run):
    body = (
        "import scipy.special\n@ingot.jit\ndef g(x):\n    return scipy.special.erf(x)\n"
        "print(g(np.arange(3.0)))"
    )
    first, _ = run(body="import scipy.special; scipy.special.erf = scipy.special.erfc\n" + body)
    second, made = run(body=body)
    assert first == ["[1.         0.15729921 0.00467773]"] and "compile" in made
    assert second == ["[0.         0.84270079 0.99532227]"]


def test_a_second_process_imports_no_frontend(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import sys, numpy as np, ingot\n"
        "@ingot.jit\ndef f(x):\n    return np.sin(x) + 1\n"
        "f(np.ones(3))\n"
        "print(*(m for m in ('ingot.lowering', 'ingot.numpy', 'jax') if m in sys.modules))\n"
    )
    runs = [python(path, INGOT_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert [each.stdout.split() for each in runs] == [["ingot.lowering", "ingot.numpy"], []]


def test_a_program_that_is_a_kernel_needs_no_client_of_xla(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import sys, numpy as np, ingot\n"
        "@ingot.jit(native=True)\ndef f(x):\n    return np.sum(np.sqrt(x) * x)\n"
        "print(f(np.ones(3)), 'jaxlib.xla_client' in sys.modules)\n"
        "compiled = f.lower(np.ones(3)).compile()\n"
        "print(compiled.executable.device.platform)\n"
    )
    runs = [
        python(path, INGOT_CACHE_DIR=str(tmp_path / "cache"), INGOT_PLATFORM="cpu")
        for _ in range(2)
    ]
    assert [each.stdout.split() for each in runs] == [["3.0", "False", "cpu"]] * 2


@pytest.mark.parametrize("native", [True, False])
def test_checks_work_from_the_cache(run, native):
    of = ("@ingot.jit", f"@ingot.jit(native={native})")
    first, _ = run(of=of)
    second, made = run(of=of)
    assert second == first and first[-1] == "must be positive"
    # Without kernels, the precise program decides, which is made when it is needed.
    assert made == ("[]" if native else "['trace', 'compile']")


@pytest.mark.parametrize(
    "change",
    [
        {"global_number": ("SCALE = 2.0", "SCALE = 3.0")},
        {"source": ("* SCALE +", "* SCALE -")},
        {"captured_shape": ("np.arange(3.0)}}", "np.arange(1.0)}}")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_changed_is_compiled_again(run, change):
    body = "print(f(np.arange(3.0) + 1, 2))"
    before, _ = run(body=body)
    key, (old, new) = next(iter(change.items()))
    after, made = run(body=body, **{key: (old.replace("}}", "}"), new.replace("}}", "}"))})
    assert after != before
    assert "compile" in made


def test_an_inlined_function_of_another_file_counts(run, tmp_path):
    body = "print(f(np.arange(3.0) + 1, 2))"
    before, _ = run(body=body)
    (tmp_path / "helpers.py").write_text(HELPERS.replace("* 2", "* 5"))
    after, made = run(body=body)
    assert after != before and "compile" in made


def test_a_file_that_was_written_since_it_was_loaded(run, tmp_path):
    """The cache has a program of the text that it has now, which is not what the process runs."""
    body = "print(f(np.arange(3.0) + 1, 2))"
    newer = HELPERS.replace("* 2", "* 5")
    (tmp_path / "helpers.py").write_text(newer)
    run(body=body)
    (tmp_path / "helpers.py").write_text(HELPERS)
    caught = "try: f(np.arange(3.0) + 1, 2)\nexcept ingot.UnsupportedError as e: print(e)"
    (line, *_), _ = run(body=f"open(helpers.__file__, 'w').write({newer!r})\n{caught}")
    assert "helpers.py has changed since twice was loaded from it" in line


def test_captured_arrays_are_read_as_they_are(run):
    body = "print(f(np.arange(3.0) + 1, 2))"
    before, _ = run(body=body)
    after, made = run(body="TABLE['w'] = np.ones(3)\n" + body)
    assert after != before


def test_numbers_that_are_needed_at_compile_time_are_part_of_the_key(run):
    body = "print(f(np.arange(3.0) + 1, {0})); print(f(np.arange(3.0) + 1, {1}))"
    first, _ = run(body=body.format(2, 4))
    second, made = run(body=body.format(4, 2))
    assert second == first[::-1] and made == "[]"


def test_damaged_entries_are_compiled_again(run, tmp_path):
    body = "print(f(np.arange(3.0) + 1, 2))"
    before, _ = run(body=body)
    for path in (tmp_path / "cache").iterdir():
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    after, made = run(body=body)
    assert after == before and "compile" in made
    assert run(body=body) == (before, "[]")


def test_entries(tmp_path):
    cache = Cache(tmp_path / "c")
    key = key_of(["a", "b"])
    assert key != key_of(["ab"]) and cache.get(key) is None
    cache.put(key, b"data")
    assert cache.get(key) == b"data"
    ((entry),) = cache.entries()
    assert (entry.key, entry.size) == (key, 4)
    assert cache.clear() == 1 and cache.get(key) is None
    assert Cache(None).get(key) is None and list(Cache(None).entries()) == []


def test_a_folder_that_others_can_write_is_not_used(tmp_path):
    cache = Cache(tmp_path / "c")
    cache.put(key_of(["a"]), b"data")
    (tmp_path / "c").chmod(0o777)
    assert cache.get(key_of(["a"])) is None


def test_a_cache_that_cant_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "cache")
    cache.put(key_of(["a"]), b"data")
    assert cache.get(key_of(["a"])) is None


WRITER = """
import sys, os
from pathlib import Path
from ingot_runtime.cache import Cache, key_of
cache = Cache(Path(sys.argv[1]))
keys = [key_of([str(i)]) for i in range(5)]
print("ready", flush=True)
i = 0
while i < int(sys.argv[2]):
    key = keys[i % 5]
    cache.put(key, key.encode() * 20_000)
    data = cache.get(key)
    assert data is None or data == key.encode() * 20_000, "mixed"
    i += 1
"""


def test_eight_writers_at_once(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path / "c"), "60"]
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(8)]
    assert [writer.wait() for writer in writers] == [0] * 8
    for writer in writers:
        writer.stdout.close()
    cache = Cache(tmp_path / "c")
    for i in range(5):
        key = key_of([str(i)])
        assert cache.get(key) == key.encode() * 20_000
    assert len(list((tmp_path / "c").iterdir())) == 5


def test_a_writer_killed_in_the_middle_harms_nothing(tmp_path):
    for attempt in range(4):
        command = [sys.executable, "-c", WRITER, str(tmp_path / "c"), "1000000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            writer.stdout.readline()
            time.sleep(0.05 + 0.03 * attempt)
            writer.send_signal(signal.SIGKILL)
    cache = Cache(tmp_path / "c")
    for i in range(5):
        key = key_of([str(i)])
        assert cache.get(key) in (None, key.encode() * 20_000)
    cache.clear()
    assert list((tmp_path / "c").iterdir()) == []


ALIASED = """
A = np.ones(3)
B = A

@ingot.jit
def g(x):
    A[0] = x
    return B[0]

print(g(5.0))
"""
COUNTED = """
N, W = 0, np.zeros(3)

class Model:
    k = 2.0

    def scaled(self, x):
        return x * self.k

@ingot.jit
def g(x):
    return Model().scaled(x) * N + W

for N in range(4):
    W = np.arange(3.0) + N
    print(g(2.0))
"""


def test_two_arrays_in_the_place_of_one(run):
    first, _ = run(body=ALIASED)
    second, made = run(body=ALIASED)
    assert (second, made) == (first, "[]") and first == ["5.0"]
    third, made = run(body=ALIASED, copied=("B = A", "B = A.copy()"))
    assert third == ["1.0"] and "compile" in made


def test_numbers_and_arrays_that_are_replaced(run):
    first, made = run(body=COUNTED)
    assert made.count("compile") == 2
    second, made = run(body=COUNTED)
    assert (second, made) == (first, "[]")
    third, made = run(body=COUNTED, attribute=("k = 2.0", "k = 3.0"))
    assert third != first and "compile" in made


CHANGING = """
class Model:
    def __init__(self):
        self.w, self.n, self.log = np.ones(3), 0, []

class Rejected(Exception):
    pass

@ingot.jit(native=True)
def step(model, d, rows, x):
    model.w = model.w * x
    model.n += 1
    model.log.append(x)
    d["new"] = x * SCALE
    rows[0].append(d)
    if x < 0:
        raise Rejected("negative")
    return rows, model.w, model.w, {1: x, "s": {1, 2}}

model, d, row = Model(), {}, []
result = step(model, d, [row, row], 2.0)
print(result, vars(model), row[0] is d, result[1] is model.w is result[2], result[0][0] is row)
try:
    step(model, {}, [[], []], -2.0)
except Rejected as error:
    print(str(error).splitlines()[0])
"""


def test_what_is_changed_in_the_arguments(run):
    first, made = run(body=CHANGING)
    assert first[0].endswith("True True True") and first[-1] == "negative" and "compile" in made
    second, made = run(body=CHANGING)
    assert (second, made) == (first, "[]")


OF_STABLEHLO = """
def text(x):
    return (
        "func.func @main(%a: tensor<3xf64>) -> tensor<3xf64> {"
        f" %0 = stablehlo.{KIND} %a, %a : tensor<3xf64> return %0 : tensor<3xf64> }}"
    )

@ingot.primitive(stablehlo=text)
def op(x):
    return x

@ingot.jit
def g(x):
    return op(x)

print(op(np.arange(3.0)), g(np.arange(3.0)))
"""


def test_what_the_text_of_a_primitive_reads_counts(run):
    """Python calls that function, so nothing tells what it reads: such programs are not kept."""
    first, _ = run(body="KIND = 'add'" + OF_STABLEHLO)
    second, _ = run(body="KIND = 'multiply'" + OF_STABLEHLO)
    assert first == ["[0. 2. 4.] [0. 2. 4.]"] and second == ["[0. 1. 4.] [0. 1. 4.]"]
