"""Native kernels in artifacts: one form with the disk cache, used where it fits and is asked for."""

import copy
import os
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from members import changed, parts_of, with_wrong_machine_code
from threads import in_threads

import ingot
from ingot_runtime import ArtifactError, _native, kernels, pjrt
from oracle import assert_same, outcome
from processes import python
from sources import namespace_of

W = np.linspace(-1.0, 1.0, 300)
RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path / "cache"))


def saved(tmp_path, f, *args, **options):
    path = tmp_path / "m.ingot"
    ingot.export(f, *args, name="f", native=True, **options).save(path)
    return path


def runs_natively(loaded):
    """Whether a loaded artifact runs its machine code."""
    entry = loaded.entry("f")
    native = entry.facts.native
    checks = entry._program({}).variant[1]
    return checks == list(native.checks) and set(native.kernels) <= set(kernels._loaded)


def stencil(a, n):
    for _ in range(n):
        a[1:-1] = (a[:-2] + a[2:]) * 0.5
    return a.sum()


def triangle(a):
    out = np.zeros_like(a)
    for i in range(a.shape[0]):
        for j in range(i):
            out[i, j] = a[i, j] * 2 - out[i - 1, j]
    return out


def weighted(x):
    return x * W + W[0]


def ordered(x):
    """Partly XLA's."""
    return np.tanh(np.sort(x @ x.T)) + 1


def positive(v):
    found = v[v > 0] * 2
    return found, np.nonzero(v)[0]


def trees(t, k):
    return {"a": t["x"] * k, "b": (t["x"].sum(), k + 1), "c": t["x"]}


def item(x, i):
    x[0] = 7
    assert x[i] > 0, "not positive"
    return x * 2


def nested(a, n):
    total = 0.0
    for i in range(n):
        if a[i] < 0:
            raise ValueError("a negative item")
        total += np.sqrt(a[i])
    return total


CASES = {
    "a stencil": (stencil, RNG.random(1000), 9),
    "a loop nest": (triangle, RNG.random((20, 20))),
    "weights": (weighted, RNG.random(300)),
    "a product and a sort": (ordered, RNG.random((100, 100))),
    "lengths": (positive, RNG.random(500) - 0.5),
    "trees": (trees, {"x": RNG.random(50)}, 3),
    "checks": (item, np.ones(9), 4),
    "checks in loops": (nested, RNG.random(100), 90),
    "shared loops": (np.exp, RNG.random((1000, 300))),
}


@pytest.mark.parametrize("name", CASES)
def test_both_forms_agree_with_numpy(tmp_path, name):
    f, *args = CASES[name]
    path = saved(tmp_path, f, *args)
    plain = copy.deepcopy(args)
    expected = f(*plain)
    for native in (True, False):
        loaded = ingot.load(path, native=native)
        assert runs_natively(loaded) or not native
        for _ in range(2):
            given = copy.deepcopy(args)
            assert_same(loaded(*given), expected)
            assert_same(given, plain)


def test_strict_programs(tmp_path):
    x = RNG.random(300)
    loaded = ingot.load(saved(tmp_path, weighted, x, strict_fp=True), native=True)
    assert runs_natively(loaded)
    np.testing.assert_array_equal(loaded(x), weighted(x))


def test_donated_arguments_stay_the_callers(tmp_path):
    x = RNG.random((500, 300))
    f = ingot.jit(lambda x: x.cumsum(0) @ np.eye(300), donate=("x",))
    before = x.copy()
    kept = ingot.load(saved(tmp_path, f, x), native=True)(x)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(kept, before.cumsum(0))


# Exceptions.


@pytest.mark.parametrize(
    "f, args, message",
    [
        (item, (np.ones(9), 4), None),
        (item, (-np.ones(9), 4), "not positive"),
        (item, (np.ones(9), 9), "index is out of bounds for axis 0 with size 9"),
        (nested, (np.array([4.0, 1, -1, 1]), 2), None),
        (nested, (np.array([4.0, 1, -1, 1]), 4), "a negative item"),
        (
            nested,
            (np.array([4.0, 1, 1, 1]), 5),
            "index is out of bounds for axis 0 with size 4",
        ),
    ],
)
def test_checks_raise_as_in_the_portable_form(tmp_path, f, args, message):
    path = saved(tmp_path, f, *args)
    expected, found = [], []
    for native, errors in ((False, expected), (True, found)):
        loaded = ingot.load(path, native=native)
        assert runs_natively(loaded) or not native
        for _ in range(3):
            given = copy.deepcopy(args)
            errors.append(outcome(loaded, *given))
            if message:
                assert_same(given, args)
    if message is None:
        assert_same(found, expected)
        return
    assert all(str(each) == message for each in (*found, *expected))
    assert [(type(e), e.args, e.check, e.__notes__) for e in found] == [
        (type(e), e.args, e.check, e.__notes__) for e in expected
    ]
    assert found[0].__notes__[0].startswith("  at test_artifacts_native.py:")
    assert type(found[0]) is type(outcome(f, *copy.deepcopy(args)))


# Where machine code runs.


def test_machine_code_runs_only_where_the_user_asks_for_it(tmp_path, monkeypatch):
    path = saved(tmp_path, weighted, np.ones(300))
    monkeypatch.setattr(kernels, "load_program", lambda *_: 1 / 0)
    assert_same(ingot.load(path)(np.ones(300)), weighted(np.ones(300)))
    with pytest.raises(ZeroDivisionError):
        ingot.load(path, native=True)(np.ones(300))


@pytest.mark.parametrize(
    "where, other",
    [
        ("ingot_runtime.pjrt._libc", lambda: "glibc 2.17"),
        ("ingot_runtime.processors.features", lambda: "fpu sse2"),
        ("ingot_runtime.pjrt.machine", lambda: "riscv64"),
        ("ingot_runtime.pjrt._jaxlib_text", lambda: "_version = '0.9.0'"),
        ("sys.platform", "freebsd14"),
        ("numpy.__version__", "2.0.0"),
        ("importlib.util.find_spec", lambda _: None),
    ],
)
def test_elsewhere_the_portable_form_runs(tmp_path, monkeypatch, where, other):
    path = saved(tmp_path, weighted, np.ones(300))
    with monkeypatch.context() as patch:
        patch.setattr(where, other)
        fingerprint = pjrt.fingerprint.__wrapped__(ingot.devices()[0])
    monkeypatch.setattr(pjrt, "fingerprint", lambda *_: fingerprint)
    monkeypatch.setattr(kernels, "load_program", lambda *_: 1 / 0)
    assert_same(ingot.load(path, native=True)(np.ones(300)), weighted(np.ones(300)))


def test_open_sizes_have_no_machine_code():
    with pytest.raises(ingot.UnsupportedError, match="fixed sizes, but n is open"):
        ingot.export(positive, ingot.spec("n"), native=True)


def test_prints_have_no_machine_code():
    with pytest.raises(ingot.UnsupportedError, match="prints or makes messages"):
        ingot.export(lambda x: print(x), np.ones(3), name="f", native=True)


def test_functions_without_kernels_have_an_executable(tmp_path):
    x = np.ones(300)
    path = saved(tmp_path, ingot.jit(weighted, native=False), x)
    native = ingot.load(path).entry("f").facts.native
    assert (native.kernels, native.members) == ({}, ["entry_points/f/fast.xla"])
    assert_same(ingot.load(path, native=True)(x), weighted(x))


# The file.


def test_the_portable_part_is_the_same_with_and_without(tmp_path):
    ingot.export(weighted, np.ones(300), name="f").save(tmp_path / "plain.ingot")
    plain, fewer = parts_of(tmp_path / "plain.ingot")
    manifest, members = parts_of(saved(tmp_path, weighted, np.ones(300)))
    (library,) = members.keys() - fewer.keys()
    assert library.startswith("kernels/ingot.native.") and fewer.items() <= members.items()
    del manifest["entry_points"]["f"]["native"]
    for each in ("entry_points", "format", "weights"):
        assert manifest[each] == plain[each]


@pytest.mark.machine_code
def test_kernels_are_the_bytes_that_the_disk_cache_keeps(tmp_path):
    x = RNG.random(300)
    _, members = parts_of(saved(tmp_path, weighted, x))
    (library,) = [data for name, data in members.items() if name.endswith(".so")]
    # In a process of its own: the code generation depends on nothing else.
    (tmp_path / "jitted.py").write_text(JITTED)
    done = python("-c", "import jitted", PYTHONPATH=str(tmp_path))
    assert not done.stderr, done.stderr
    entries = [path.read_bytes() for path in (tmp_path / "cache").iterdir()]
    assert any(library in entry for entry in entries)


JITTED = """
import numpy as np, ingot
W = np.linspace(-1.0, 1.0, 300)
def weighted(x):
    return x * W + W[0]
ingot.jit(weighted)(np.ones(300))
"""


def test_entry_points_share_kernels(tmp_path):
    artifact = ingot.export(weighted, np.ones(300), native=True)
    artifact.add(weighted, np.ones(300), name="again", native=True)
    artifact.save(tmp_path / "m.ingot")
    _, members = parts_of(tmp_path / "m.ingot")
    assert sum(name.endswith(".so") for name in members) == 1
    loaded = ingot.load(tmp_path / "m.ingot", native=True)
    for entry in loaded.entry_points.values():
        assert_same(entry(W), weighted(W))


def test_inspection_shows_members_and_target(tmp_path):
    artifact = ingot.export(weighted, np.ones(300), native=True)
    native = artifact.inspect()["entry_points"]["weighted"]["native"]
    assert native["target"].startswith("cpu, ") and f"numpy {np.__version__}" in native["target"]
    assert native["kernels"] == 1 and native["members"][0].startswith("kernels/ingot.native.")


# Damaged and wrong members.


def test_damaged_members(tmp_path):
    path = saved(tmp_path, weighted, np.ones(300))
    _, members = parts_of(path)
    (name,) = [name for name in members if name.endswith(".so")]
    data = path.read_bytes()
    at = data.index(members[name]) + len(members[name]) // 2
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    for native in (True, False):
        with pytest.raises(ArtifactError, match=f"member {name} is damaged"):
            ingot.load(path, native=native)


@pytest.mark.parametrize("f, size", [(weighted, 300), (ordered, (100, 100))])
def test_members_that_are_no_libraries(tmp_path, f, size):
    x = RNG.random(size)
    path = with_wrong_machine_code(saved(tmp_path, f, x))
    for _ in range(2):
        refuses(ingot.load(path, native=True), x)
    assert not any(name.endswith(".wrong") for name in kernels._loaded)
    assert_same(ingot.load(path)(x), f(x))


def refuses(loaded, x):
    for call in (lambda: loaded(x), lambda: loaded(x), loaded.warmup):
        with pytest.raises(ArtifactError, match=r"the machine code of f can't be loaded \("):
            call()


def test_libraries_that_are_no_kernels(tmp_path):
    def change(native, members):
        (member,) = native["kernels"].values()
        members[member] = Path(_native.__file__).read_bytes()

    path = changed(with_wrong_machine_code(saved(tmp_path, weighted, W)), change)
    refuses(ingot.load(path, native=True), W)


def test_executables_that_are_none(tmp_path):
    def change(native, members):
        members[native["executable"]] = b"no machine code"

    x = RNG.random((100, 100))
    path = changed(saved(tmp_path, ordered, x), change)
    refuses(ingot.load(path, native=True), x)
    assert_same(ingot.load(path)(x), ordered(x))


@pytest.mark.parametrize(
    "field, value",
    [
        ("kernels", {}),
        ("kernels", {"ingot.native.0": "no"}),
        ("call", None),
        ("call", {}),
        ("executable", "weights.safetensors"),
        ("checks", None),
        ("fingerprint", 3),
        (("call", "kernel"), "ingot.native.0"),
        (("call", "parameters"), []),
        (("call", "parameters"), [[1, 0], [0, -1]]),
        (("call", "parameters"), [[9, -1], [-1, 0]]),
        (("call", "parameters"), [[0, -2], [-1, 0]]),
        (("call", "parameters"), [[-1, -1], [-1, 0]]),
        (("call", "passed"), [[0, 0]]),
        (("call", "passed"), [[7, 1]]),
        (("call", "repeated"), [[0, 0]]),
        (("call", "repeated"), [[1, 0]]),
        (("call", "lengths"), [0]),
        (("call", "lengths"), [9]),
        (("call", "inputs"), [["float64"]]),
        (("call", "inputs"), [["void3", [3]]]),
    ],
)
def test_malformed_descriptions(tmp_path, field, value):
    def change(native, _):
        *path, last = (field,) if isinstance(field, str) else field
        for key in path:
            native = native[key]
        native[last] = value

    path = changed(saved(tmp_path, lambda x, y: x * 2 + y, np.ones(300), 3.0), change)
    with pytest.raises(ArtifactError, match="entry point 'f' of its manifest is malformed"):
        ingot.load(path)


@pytest.mark.parametrize("which", ["inputs", "outputs"])
def test_descriptions_of_other_arrays(tmp_path, which):
    def change(native, _):
        native["call"][which][0] = ["float64", [301]]

    path = changed(saved(tmp_path, weighted, np.ones(300)), change)
    with pytest.raises(ArtifactError, match=r"takes or gives other arrays than manifest\.json"):
        ingot.load(path, native=True)(np.ones(300))


def test_another_kernel_of_the_name(tmp_path):
    """As of an artifact that another version of Ingot has made."""
    paths = []
    for number, f in enumerate((lambda x: x * 2.5, lambda x: x + 2.5)):

        def change(native, _):
            (member,) = native["kernels"].values()
            native["kernels"] = {"ingot.native.taken": member}
            native["call"]["kernel"] = "ingot.native.taken"

        (tmp_path / str(number)).mkdir()
        paths.append(changed(saved(tmp_path / str(number), f, np.ones(8)), change))
    first, second = (ingot.load(path, native=True) for path in paths)
    assert_same(first(np.ones(8)), np.full(8, 2.5))
    assert_same(second(np.ones(8)), np.full(8, 3.5))
    assert isinstance(first.entry("f")._program({}).variant[0], kernels.KernelExecutable)
    assert isinstance(second.entry("f")._program({}).variant[0], pjrt.Executable)


def test_functions_never_run_the_kernels_of_artifacts(tmp_path):
    """A kernel that has the name of one of `jit`'s, and computes something else."""
    (tmp_path / "other").mkdir()
    _, others = parts_of(saved(tmp_path / "other", lambda x: x * 5.5, np.ones(8)))
    (library,) = [data for name, data in others.items() if name.endswith(".so")]
    (tmp_path / "program.py").write_text(SCALED)
    f = namespace_of(SCALED, tmp_path)["f"]

    def change(native, members):
        (member,) = native["kernels"].values()
        members[member] = library

    path = changed(saved(tmp_path, f, np.ones(8)), change)
    # In a process that has not compiled it.
    done = python("-W", "ignore", "-c", BOTH, path, PYTHONPATH=str(tmp_path))
    assert done.stdout == "5.5 6.5\n", done.stderr


SCALED = """
def f(x):
    return x * 6.5
"""
BOTH = """
import sys, numpy as np, ingot
from program import f
print(ingot.load(sys.argv[1], native=True)(np.ones(8))[0], ingot.jit(f)(np.ones(8))[0])
"""


# Threads and processes.


@pytest.mark.parametrize("f, x", [(weighted, RNG.random(300)), (ordered, RNG.random((100, 100)))])
def test_threads(tmp_path, f, x):
    loaded, expected = ingot.load(saved(tmp_path, f, x), native=True), f(x)
    found = []

    def work(number):
        for _ in range(20):
            found.append(loaded(x))

    in_threads(6, work)
    assert len(found) == 120
    for each in found:
        assert_same(each, expected)


ALONE = """
import sys
sys.modules["ingot"] = sys.modules["jax"] = None
import numpy as np, ingot_runtime
from ingot_runtime import pjrt
pjrt.compile_stablehlo = lambda *_: 1 / 0
x = np.load(sys.argv[2])
print(ingot_runtime.load(sys.argv[1], native=True)(x).sum())
assert "ingot._native" not in sys.modules
"""


@pytest.mark.parametrize("f, x", [(weighted, RNG.random(300)), (ordered, RNG.random((100, 100)))])
def test_the_runtime_alone(tmp_path, f, x):
    path = saved(tmp_path, f, x)
    np.save(tmp_path / "x.npy", x)
    done = python("-c", ALONE, path, tmp_path / "x.npy")
    assert not done.stderr and np.isclose(float(done.stdout), f(x).sum())


WITHOUT_MODULE = """
import sys, numpy as np, ingot_runtime
from ingot_runtime import buffers
assert buffers._native is None
print(ingot_runtime.load(sys.argv[1], native=True)(np.load(sys.argv[2])).sum())
"""


def test_a_runtime_without_its_native_module_runs_the_portable_form(tmp_path):
    path, x = saved(tmp_path, weighted, np.ones(300)), RNG.random(300)
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "ingot_runtime").mkdir()
    sources = Path(kernels.__file__).parent.iterdir()
    for source in (each for each in sources if each.suffix in (".py", "")):
        (tmp_path / "ingot_runtime" / source.name).symlink_to(source)
    packages = os.pathsep.join([str(tmp_path), *sysconfig.get_paths()["purelib"].split()])
    # Without site, no editable installation comes first.
    done = python("-S", "-c", WITHOUT_MODULE, path, tmp_path / "x.npy", PYTHONPATH=packages)
    assert np.isclose(float(done.stdout or 0), weighted(x).sum()), done.stderr


FORKED = """
import os, sys, signal, warnings
import numpy as np, ingot_runtime
x = np.load(sys.argv[2])
warm, cold = (ingot_runtime.load(sys.argv[1], native=True) for _ in range(2))
expected = warm(x)
warnings.simplefilter("ignore", DeprecationWarning)  # of forks, from Python 3.12 on
for _ in range(3):
    if os.fork() == 0:
        signal.alarm(60)
        for loaded in (warm, cold, ingot_runtime.load(sys.argv[1], native=True)):
            for _ in range(5):
                np.testing.assert_array_equal(loaded(x), expected)
        os._exit(0)
for _ in range(3):
    assert os.wait()[1] == 0
print(expected.sum())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize(
    "f, x",
    [
        (weighted, RNG.random(300)),
        (ordered, RNG.random((100, 100))),
        (np.exp, np.ones((1000, 300))),
    ],
)
def test_forked_workers(tmp_path, f, x):
    path = saved(tmp_path, f, x)
    np.save(tmp_path / "x.npy", x)
    done = python("-c", FORKED, path, tmp_path / "x.npy")
    assert not done.stderr and np.isclose(float(done.stdout), f(x).sum()), done.stderr
