"""Artifacts: what is exported, saved, loaded and called."""

import collections
import dataclasses
import json
import re
import sys
import zipfile

import numpy as np
import pytest
from threads import in_threads

import ingot
from ingot_runtime import entry_points, pjrt
from processes import python

W = np.linspace(-1, 1, 12).reshape(4, 3)
BIAS = {"b": np.array([1.0, 2.0, 3.0])}
Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass
class Model:
    scale: float
    shift: np.ndarray


def dense(x):
    return x @ W + BIAS["b"]


def weights_only(y):
    return y * W[0, 0]


def mean_of(x):
    return x.mean(), x.shape[0]


def bump(a, i):
    a[i] += 1
    return a


def tree(p, model, *, how):
    q = p.x * model.scale + model.shift if how == "scaled" else p.x
    return {"point": Point(q, p.y), "model": Model(p.y, q), "name": how, "none": None}


def checked(x, i):
    assert x[i] > 0, "negative"
    return x[i] / 2


def prints(x):
    print(f"sum {x.sum()}")
    return x


def saved(tmp_path, f, *args, **options):
    path = tmp_path / "m.ingot"
    ingot.export(f, *args, **options).save(path)
    return path


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path / "cache"))


def test_fixed_sizes(tmp_path):
    x = np.arange(8.0).reshape(2, 4)
    loaded = ingot.load(saved(tmp_path, dense, x))
    np.testing.assert_allclose(loaded(x), dense(x))
    np.testing.assert_allclose(loaded(x=x), dense(x))
    np.testing.assert_allclose(loaded.entry("dense")(x), dense(x))


def test_named_dimensions_take_any_size_and_keep_what_they_compiled(tmp_path):
    loaded = ingot.load(saved(tmp_path, dense, ingot.spec("n,4")))
    for n in (1, 2, 7, 1_000_003, 1_114_471):
        x = np.random.default_rng(n).random((n, 4))
        np.testing.assert_allclose(loaded(x), dense(x))
    entry = loaded.entry("dense")
    assert len(entry._programs) == 5
    loaded(np.ones((7, 4)))
    assert len(entry._programs) == 5
    assert entry.sizes == {"n": (1, None)}


def test_sizes_as_values_are_those_of_the_call(tmp_path):
    loaded = ingot.load(saved(tmp_path, mean_of, ingot.spec("n")))
    for n in (1, 5, 1000):
        assert loaded(np.arange(float(n))) == (np.arange(float(n)).mean(), n)
        assert isinstance(loaded(np.ones(n))[1], int)


def conditional(x):
    if x.shape[0] > 3:
        return x[0] + len(x) // 2
    return -x[0]


def test_a_condition_on_a_size_is_decided_at_each_call(tmp_path):
    loaded = ingot.load(saved(tmp_path, conditional, ingot.spec("n")))
    for n in (1, 3, 4, 9):
        assert loaded(np.ones(n)) == conditional(np.ones(n))


def pairwise(a, b):
    return np.abs(a[:, None] - b[None]).reshape(-1), np.concatenate([a, b, a])


def test_several_dimensions_and_expressions_of_them(tmp_path):
    loaded = ingot.load(saved(tmp_path, pairwise, ingot.spec("n"), ingot.spec("2*m")))
    entry = loaded.entry("pairwise")
    assert [str(leaf) for leaf in entry.results] == ["float64[2*m*n]", "float64[2*m + 2*n]"]
    for n, m in ((1, 1), (3, 2), (2, 5)):
        a, b = np.arange(float(n)), np.arange(2.0 * m)
        for mine, plain in zip(loaded(a, b), pairwise(a, b)):
            np.testing.assert_array_equal(mine, plain)
    with pytest.raises(ValueError, match=r"axis 0 of b is 3, which 2\*m can't be"):
        loaded(np.ones(2), np.ones(3))


def parts(x):
    y = x * 2
    return y[:, 0, 0], np.broadcast_to(y[0, 0, :1], (2, 1)), y.T


def test_results_of_open_sizes_have_no_gaps(tmp_path):
    """Strides of NumPy's would be other ones in each call."""
    loaded = ingot.load(saved(tmp_path, parts, ingot.spec("3,n,m")))
    for n, m in (2, 5), (1, 1), (700, 3):
        x = np.arange(3.0 * n * m).reshape(3, n, m)
        found = loaded(x)
        for mine, plain in zip(found, parts(x)):
            np.testing.assert_array_equal(mine, plain)
        assert found[0].strides == (8,) and found[2].flags.f_contiguous


def add(a, b):
    return a + b


def test_equal_names_are_equal_sizes(tmp_path):
    loaded = ingot.load(saved(tmp_path, add, ingot.spec("n,3"), ingot.spec("n,3")))
    with pytest.raises(ValueError, match=r"axis 0 of b is 4, but must be n = 2"):
        loaded(np.ones((2, 3)), np.ones((4, 3)))


def test_shapes_that_fit_only_for_some_sizes_are_refused():
    with pytest.raises(ingot.ShapeError, match=r"with shapes \(n,\) \(m,\)"):
        ingot.export(add, ingot.spec("n"), ingot.spec("m"))


def first_five(x):
    return x[:5]


def test_bounds_decide_what_depends_on_a_size(tmp_path):
    with pytest.raises(ingot.UnsupportedError, match="depends on the size"):
        ingot.export(first_five, ingot.spec("n"))
    path = saved(tmp_path, first_five, ingot.spec("n"), sizes={"n": (5, 9)})
    loaded = ingot.load(path)
    assert loaded(np.arange(7.0)).tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="n is 4, but must be at least 5"):
        loaded(np.ones(4))
    with pytest.raises(ValueError, match="n is 10, but must be at most 9"):
        loaded(np.ones(10))


def rows_and_columns(x):
    return np.linalg.svd(x)[1]


def test_programs_whose_form_depends_on_a_size_are_refused():
    with pytest.raises(ingot.UnsupportedError):
        ingot.export(rows_and_columns, ingot.spec("n,4"))


def test_trees_statics_and_keywords(tmp_path):
    args = (Point(np.arange(3.0), 2), Model(2.0, np.ones(3)))
    path = saved(tmp_path, tree, *args, kwargs={"how": "scaled"})
    loaded = ingot.load(path)
    mine, plain = loaded(*args, how="scaled"), tree(*args, how="scaled")
    assert mine["point"].x.tolist() == plain["point"].x.tolist() and mine["point"].y == 2
    assert type(mine["point"]).__name__ == "Point" and type(mine["model"]).__name__ == "Model"
    assert (mine["name"], mine["none"]) == ("scaled", None)
    names = [leaf.name for leaf in loaded.entry("tree").arguments]
    assert names == ["p.x", "p.y", "model.scale", "model.shift", "how"]
    with pytest.raises(ValueError, match="how is 'other', but the artifact fixes it as 'scaled'"):
        loaded(*args, how="other")
    with pytest.raises(TypeError, match="not structured as"):
        loaded(*args)


def test_mutated_arguments(tmp_path):
    loaded = ingot.load(saved(tmp_path, bump, ingot.spec("n"), 0))
    x = np.zeros(4)
    assert loaded(x, 2) is x
    assert x.tolist() == [0, 0, 1, 0]
    with pytest.raises(IndexError) as caught:
        loaded(x, 4)
    assert re.match(r"  at test_artifacts.py:\d+:5", caught.value.__notes__[-1])


def test_checks_raise_what_the_source_raises(tmp_path):
    loaded = ingot.load(saved(tmp_path, checked, ingot.spec("n"), 0))
    x = np.array([1.0, -1.0])
    assert loaded(x, 0) == 0.5
    with pytest.raises(AssertionError) as caught:
        loaded(x, 1)
    assert caught.value.args == ("negative",)
    assert caught.value.__notes__[0].startswith("  at test_artifacts.py:")
    assert loaded(x, -2) == 0.5


def test_prints(tmp_path, capfd):
    loaded = ingot.load(saved(tmp_path, prints, ingot.spec("n")))
    loaded(np.ones(3))
    assert capfd.readouterr().out == "sum 3.0\n"


def prints_a_witness(x):
    print(f"1000003 of {x.shape[0]}")
    return x


def test_a_number_in_a_string_is_no_size(tmp_path, capfd):
    loaded = ingot.load(saved(tmp_path, prints_a_witness, ingot.spec("n")))
    loaded(np.ones(3))
    assert capfd.readouterr().out == "1000003 of 3\n"


@pytest.mark.parametrize("x", [np.ones((2, 4), "f4"), np.ones(4), np.ones((2, 5)), "text"])
def test_wrong_arguments(tmp_path, x):
    loaded = ingot.load(saved(tmp_path, dense, ingot.spec("n,4")))
    with pytest.raises((TypeError, ValueError), match="x"):
        loaded(x)


def test_entry_points_share_weights(tmp_path):
    artifact = ingot.export(dense, ingot.spec("n,4"))
    artifact.add(weights_only, ingot.spec("n"), name="other")
    artifact.save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    assert set(loaded.entry_points) == {"dense", "other"}
    assert loaded.manifest["weights"] == {"W": ["float64", [4, 3]], "BIAS_b": ["float64", [3]]}
    np.testing.assert_allclose(loaded.entry("other")(np.ones(2)), weights_only(np.ones(2)))
    with pytest.raises(TypeError, match="several entry points"):
        loaded(np.ones(2))
    with pytest.raises(KeyError, match="no entry point 'nope'; there are dense, other"):
        loaded.entry("nope")
    with pytest.raises(ValueError, match="'other' already"):
        artifact.add(dense, ingot.spec("n,4"), name="other")


COMPLEX, EMPTY, SCALAR = np.array([[1 + 2j, 3j]]), np.zeros((0, 3)), np.array(2.5, np.float32)


def odd_weights(x):
    return x * COMPLEX, EMPTY + 0, SCALAR * x


def test_weights_of_any_dtype_and_shape(tmp_path):
    loaded = ingot.load(saved(tmp_path, odd_weights, ingot.spec("2", "float32")))
    x = np.ones(2, np.float32)
    for mine, plain in zip(loaded(x), odd_weights(x)):
        np.testing.assert_array_equal(mine, plain)
        assert mine.dtype == plain.dtype


def test_weights_lie_in_the_file_where_they_are_aligned(tmp_path):
    loaded = ingot.load(saved(tmp_path, dense, ingot.spec("n,4")))
    container = loaded._container
    (start, size) = container._members["weights.safetensors"]
    buffers = [i.current() for i in loaded.entry("dense")._inputs if not isinstance(i, int)]
    memory = np.frombuffer(container._memory, np.uint8)
    first, end = start + memory.ctypes.data, start + size + memory.ctypes.data
    assert any(first < buffer.unsafe_buffer_pointer() < end for buffer in buffers)


def stores_outside(x):
    W[0] = x
    return x


def returns_outside(x):
    return W


def returns_object(x):
    return x, np.add


COUNTS = {"n": 0}


class Rejected(Exception):
    pass


def appends(x):
    held = [x]
    return held, held


def changes_outside(x):
    COUNTS["n"] += 1
    return x


def raises_its_own(x):
    if x[0] < 0:
        raise Rejected("negative")
    return x


@pytest.mark.parametrize(
    "f, arguments, message",
    [
        (lambda l: l.append(1.0), [1.0], "changes a list of its arguments"),
        (lambda d: d, {"a": 1.0}, "returns a dict of its arguments as it is"),
        (changes_outside, 1.0, "changes a dict from outside of its arguments"),
        (lambda x: {1, 2}, 1.0, "can't be exported"),
        (appends, 1.0, "can't be exported"),
        (raises_its_own, np.ones(2), "raises Rejected"),
    ],
)
def test_objects_that_an_artifact_cant_hold(f, arguments, message):
    with pytest.raises(ingot.UnsupportedError, match=message):
        ingot.export(f, arguments, name="f")


def explains(x):
    assert x[0] > 0, f"bad {x[0]:.1f} of {x}"
    y = x * 2
    return y, [y], x


@pytest.mark.parametrize("size", [3, "n"])
def test_messages_and_one_array_twice(tmp_path, size):
    loaded = ingot.load(saved(tmp_path, explains, ingot.spec(size)))
    x = np.ones(3)
    y, (again,), same = loaded(x)
    assert y is again and same is x
    with pytest.raises(AssertionError, match=r"^bad -1.0 of \[-1. -1. -1.\]"):
        loaded(-x)


def test_one_object_as_two_arguments(tmp_path):
    loaded = ingot.load(
        saved(tmp_path, lambda a, b: (a[0] + b[0], a[1] * 2), [X3, 1.0], [X3, 2.0], name="f")
    )
    held = [X3, 4.0]
    first, second = loaded(held, held)
    np.testing.assert_array_equal(first, X3 * 2)
    assert second == 8.0


X3 = np.arange(3.0)


@pytest.mark.parametrize(
    "f, message",
    [
        (stores_outside, "stores to an array from outside"),
        (returns_outside, "returns an array from outside"),
        (returns_object, "can't be exported"),
    ],
)
def test_what_an_artifact_cant_hold(f, message):
    with pytest.raises(ingot.UnsupportedError, match=message):
        ingot.export(f, np.ones(3))


@pytest.mark.parametrize("shape", ["n/2", "n,-3", "2**n", "f(n)"])
def test_malformed_specs(shape):
    with pytest.raises(ValueError):
        ingot.spec(shape)
    with pytest.raises(ValueError):
        ingot.spec("n", "object")


def test_the_same_source_gives_the_same_bytes(tmp_path):
    code = (
        f"import sys; sys.path[:0] = {sys.path}; import ingot, test_artifacts as t\n"
        "a = ingot.export(t.dense, ingot.spec('n,4')); a.add(t.bump, ingot.spec('n'), 0)\n"
        "a.save(sys.argv[1])"
    )
    for i in range(2):
        assert python("-c", code, tmp_path / str(i), PYTHONHASHSEED=str(i)).returncode == 0
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()


def test_the_file_is_a_zip_of_json_bytecode_and_safetensors(tmp_path):
    path = saved(tmp_path, dense, ingot.spec("n,4"))
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        names = file.namelist()
        assert json.loads(file.read("manifest.json"))["format"] == 2
        assert file.read("entry_points/dense/fast.mlirbc").startswith(b"ML\xefR\rStableHLO_v1.3.0")
    assert names == ["manifest.json", "entry_points/dense/fast.mlirbc", "weights.safetensors"]
    from safetensors.numpy import load

    with zipfile.ZipFile(path) as file:
        assert set(load(file.read("weights.safetensors"))) == {"W", "BIAS_b"}


def test_saving_is_whole_or_not_at_all(tmp_path, monkeypatch):
    path = saved(tmp_path, dense, ingot.spec("n,4"))
    before = path.read_bytes()
    monkeypatch.setattr(zipfile.ZipFile, "writestr", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ingot.export(dense, np.ones((1, 4))).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.ingot"]


def test_machine_code_runs_without_a_compiler(tmp_path, monkeypatch):
    path = saved(tmp_path, checked, np.ones(3), 0, native=True)
    monkeypatch.setattr(pjrt, "compile_stablehlo", lambda *_: 1 / 0)
    assert ingot.load(path, native=True)(np.ones(3), 1) == 0.5
    with pytest.raises(ingot.ArtifactError, match="can't be compiled"):
        ingot.load(path)(np.ones(3), 1)


def test_a_second_load_takes_the_executable_from_the_cache(tmp_path, monkeypatch):
    path = saved(tmp_path, dense, ingot.spec("n,4"))
    ingot.load(path)(np.ones((3, 4)))
    monkeypatch.setattr(pjrt, "compile_stablehlo", lambda *_: 1 / 0)
    np.testing.assert_allclose(ingot.load(path)(np.ones((3, 4))), dense(np.ones((3, 4))))


def test_warmup_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", "")
    loaded = ingot.load(saved(tmp_path, dense, ingot.spec("n,4")))
    loaded.warmup({"n": 2}, {"n": 5})
    monkeypatch.setattr(pjrt, "compile_stablehlo", lambda *_: 1 / 0)
    loaded(np.ones((2, 4))), loaded(np.ones((5, 4)))
    with pytest.raises(ingot.ArtifactError, match="can't be compiled"):
        loaded(np.ones((3, 4)))
    with pytest.raises(ValueError, match="no size is given for n"):
        loaded.warmup({})


def endless(x):
    while x[0] < 1:
        x = x * 2
    return x


def divides(x):
    assert x[0] > 0, "not positive"
    return x / x[0]


@pytest.mark.parametrize("f, times", [(dense, 1), (divides, 1), (endless, 0), (prints, 0)])
def test_warmup_runs_what_surely_ends_in_silence(tmp_path, monkeypatch, capfd, f, times):
    loaded = ingot.load(saved(tmp_path, f, ingot.spec("n,4") if f is dense else ingot.spec("n")))
    runs = []
    run = pjrt.Executable.run
    monkeypatch.setattr(pjrt.Executable, "run", lambda *args: runs.append(1) or run(*args))
    loaded.warmup({"n": 3})
    assert len(runs) == times and capfd.readouterr().out == ""


def test_threads(tmp_path):
    loaded = ingot.load(saved(tmp_path, dense, ingot.spec("n,4")))
    failures = []

    def run(seed):
        rng = np.random.default_rng(seed)
        for _ in range(30):
            x = rng.random((rng.integers(1, 6), 4))
            if not np.allclose(loaded(x), dense(x)):
                failures.append(seed)

    in_threads(8, run)
    assert not failures
    assert len(loaded.entry("dense")._programs) <= 5


LOADER = """
import sys
import ingot_runtime, numpy as np
loaded = ingot_runtime.load(sys.argv[1])
print(loaded(np.ones((2, 4))).tolist())
print([m for m in sys.modules if m.split(".")[0] in ("ingot", "jax") and sys.modules[m]])
"""


def test_the_loader_needs_neither_ingot_nor_jax(tmp_path):
    path = saved(tmp_path, dense, ingot.spec("n,4"))
    done = python("-c", LOADER, path)
    assert done.stdout.splitlines() == [str(dense(np.ones((2, 4))).tolist()), "[]"], done.stderr


def normalised(x):
    return x - x.mean()


def checkpointed(x):
    return ingot.checkpoint(lambda v: v * v)(x)


def normalised_again(x):
    return ingot.checkpoint(normalised)(x)


def by_row(x, scale):
    out = np.zeros_like(x)
    for i in range(x.shape[1]):
        out[:, i] = x[:, i] * W[i % 4, 0] * scale
    return out, out.max(axis=1)


def embedded(ids):
    return W[ids]


def scaled_in_place(x):
    x *= 2
    return x


@pytest.mark.parametrize(
    "f, args, batch",
    [
        (dense, [ingot.spec("n,4")], "n"),
        (by_row, [ingot.spec("n,5"), 2.0], "n"),
        (embedded, [ingot.spec("k", "int64")], "k"),
        (scaled_in_place, [ingot.spec("n,2")], "n"),
        (normalised, [ingot.spec("n")], None),
        (mean_of, [ingot.spec("n")], None),
        (pairwise, [ingot.spec("n"), ingot.spec("2*m")], None),
        (checkpointed, [ingot.spec("n,4")], "n"),
        (normalised_again, [ingot.spec("n")], None),
    ],
)
def test_the_batch_dimension_is_proven(tmp_path, f, args, batch):
    loaded = ingot.load(saved(tmp_path, f, *args))
    assert loaded.entry(f.__name__).batch == batch


def test_buckets_pad_and_cut(tmp_path):
    path = saved(tmp_path, by_row, ingot.spec("n,5"), 2.0)
    loaded = ingot.load(path, buckets={"n": [4, 8]})
    loaded.warmup()
    for n in (1, 3, 4, 7, 8, 9):
        x = np.random.default_rng(n).random((n, 5))
        for mine, plain in zip(loaded(x, 3.0), by_row(x, 3.0)):
            np.testing.assert_allclose(mine, plain)
            assert mine.shape == plain.shape
    assert set(loaded.entry("by_row")._programs) == {(4,), (8,), (9,)}


def test_buckets_of_mutated_arguments_and_checks(tmp_path):
    loaded = ingot.load(saved(tmp_path, scaled_in_place, ingot.spec("n,2")), buckets={"n": [4]})
    x = np.ones((3, 2))
    assert loaded(x) is x and x.tolist() == [[2, 2]] * 3
    loaded = ingot.load(saved(tmp_path, embedded, ingot.spec("k", "int64")), buckets={"k": [4]})
    assert loaded(np.array([1, 2])).tolist() == W[[1, 2]].tolist()
    with pytest.raises(IndexError):
        loaded(np.array([1, 7]))


def test_what_mixes_the_items_is_not_padded(tmp_path):
    path = saved(tmp_path, normalised, ingot.spec("n"))
    with pytest.raises(ValueError, match="n can't be padded"):
        ingot.load(path, buckets={"n": [4]})


def test_the_batch_dimension_is_the_first_of_several(tmp_path):
    loaded = ingot.load(saved(tmp_path, scaled_in_place, ingot.spec("rows,columns")))
    assert loaded.entry("scaled_in_place").batch == "rows"


def test_buckets_keep_the_bounds(tmp_path):
    path = saved(tmp_path, dense, ingot.spec("n,4"), sizes={"n": (3, 10)})
    loaded = ingot.load(path, buckets={"n": [1, 2, 4, 8, 16]})
    for n in (3, 7, 9, 10):
        np.testing.assert_allclose(loaded(np.ones((n, 4))), dense(np.ones((n, 4))))
    assert sorted(loaded.entry("dense")._programs) == [(4,), (8,), (9,), (10,)]


def test_only_the_latest_sizes_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(entry_points, "KEPT_PROGRAMS", 3)
    entry = ingot.load(saved(tmp_path, dense, ingot.spec("n,4"))).entry("dense")
    for n in (1, 2, 3, 1, 4, 5):
        entry(np.ones((n, 4)))
    assert sorted(entry._programs) == [(1,), (4,), (5,)]


def test_programs_with_the_same_checks_are_stored_once(tmp_path):
    def guarded(x, k):
        assert k > 0
        return x * k

    def hoisted(x, k):
        s = 0.0
        for i in range(k):
            s += x[i]
        return s

    # One condition is checked once.
    for f in (guarded, checked):
        with zipfile.ZipFile(saved(tmp_path, f, ingot.spec("n"), 1)) as file:
            assert f"entry_points/{f.__name__}/precise.mlirbc" not in file.namelist()
    with zipfile.ZipFile(saved(tmp_path, hoisted, ingot.spec("n"), 1)) as file:
        assert "entry_points/hoisted/precise.mlirbc" in file.namelist()


def test_a_failed_check_is_known(tmp_path):
    loaded = ingot.load(saved(tmp_path, checked, ingot.spec("n"), 1))
    with pytest.raises(AssertionError) as caught:
        loaded(-np.ones(3), 1)
    assert caught.value.check.message == "negative" and caught.value.check.line > 0


def test_bools_of_python_and_of_numpy_are_two_types(tmp_path):
    """`True + True` is 2, and of NumPy's it is true."""

    def doubled(n, x):
        return n + n, n, x[0] > 1

    for n, other, said in ((np.True_, True, "bool_"), (True, np.True_, "bool")):
        ingot.export(doubled, n, np.ones(2)).save(tmp_path / "doubled.ingot")
        loaded = ingot.load(tmp_path / "doubled.ingot")
        found, expected = loaded(n, np.ones(2)), doubled(n, np.ones(2))
        assert found == expected and list(map(type, found)) == list(map(type, expected))
        with pytest.raises(TypeError, match=rf"n is a \w+, but must be a {said}$"):
            loaded(other, np.ones(2))
