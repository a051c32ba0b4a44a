"""`BatchPredictor`: batches of columns and arrays, their sizes, pickles, errors, processes."""

import multiprocessing
import pickle

import numpy as np
import pytest

import ingot
from ingot_runtime import ArtifactError, BatchPredictor, predicting
from processes import python

RNG = np.random.default_rng(5)
W = RNG.normal(size=(4, 3))


def dense(x, offset):
    hidden = np.tanh(x @ W)
    return hidden + offset[:, None], hidden.argmax(axis=1)


def given(rows):
    return RNG.normal(size=(rows, 4)), RNG.normal(size=rows)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("predictor")
    artifact = ingot.export(dense, ingot.spec("n,4"), ingot.spec("n"))
    artifact.save(folder / "dense.ingot")
    return folder / "dense.ingot"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path / "cache"))


def agree(found, x, offset):
    wanted = dense(x, offset)
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 16, 21])
@pytest.mark.parametrize("size", [None, 8])
def test_batches_of_any_length(path, rows, size):
    x, offset = given(rows)
    agree(BatchPredictor(path, batch_size=size)(x, offset), x, offset)


def test_one_program_is_compiled_for_a_batch_size(path):
    predictor = BatchPredictor(path, batch_size=16)
    for rows in (1, 5, 16, 35):
        x, offset = given(rows)
        agree(predictor(x, offset), x, offset)
    entry = predicting._entry(str(path), None, 16, False)
    assert [*entry._programs] == [(16,)]


def test_columns_by_name(path):
    x, offset = given(5)
    predictor = BatchPredictor(path, columns={"x": "features"}, keep=["key"])
    key = np.array(list("abcde"))
    found = predictor({"key": key, "features": x, "offset": offset, "other": key})
    assert [*found] == ["key", "output.0", "output.1"]
    assert found["key"] is key
    agree((found["output.0"], found["output.1"]), x, offset)
    with pytest.raises(KeyError, match="the batch has no column 'features'; it has 'x'"):
        predictor({"x": x})
    with pytest.raises(KeyError, match="the batch has no column 'key'"):
        predictor({"features": x, "offset": offset})


def test_series_and_frames_of_pandas(path):
    pandas = pytest.importorskip("pandas")  # Comes with Ray, not with the tests.
    x, offset = given(6)
    frame = pandas.DataFrame({"x": [*x], "offset": offset})
    found = BatchPredictor(path)(np.stack(frame["x"]), frame["offset"])
    agree(found, x, offset)


def test_read_only_and_strided_rows(path):
    x, offset = given(40)
    x.flags.writeable = offset.flags.writeable = False
    predictor = BatchPredictor(path)
    agree(predictor(x[::2], offset[::-2]), x[::2], offset[::-2])
    agree(predictor(np.asfortranarray(x), offset), x, offset)


def test_a_pickle_has_the_path_and_the_options(path):
    x, offset = given(5)
    predictor = BatchPredictor(path, batch_size=2, keep=["x"], columns={"offset": "b"})
    predictor(x, offset)
    data = pickle.dumps(predictor)
    assert len(data) < 400
    again = pickle.loads(data)
    assert vars(again) == vars(predictor)
    agree(again(x, offset), x, offset)


def test_a_relative_path_is_of_the_maker(path, monkeypatch, tmp_path):
    monkeypatch.chdir(path.parent)
    predictor = BatchPredictor("dense.ingot")
    monkeypatch.chdir(tmp_path)
    x, offset = given(3)
    agree(predictor(x, offset), x, offset)
    assert repr(predictor) == f"BatchPredictor('{path}')"


def _in_child(job):
    predictor, x, offset = job
    return predictor(x, offset)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
# What collects a sharded array, or a test of JAX in this process, imports JAX.
@pytest.mark.filterwarnings("ignore:.*fork.*:RuntimeWarning")
def test_in_forked_processes(path):
    predictor = BatchPredictor(path)
    x, offset = given(8)
    agree(predictor(x, offset), x, offset)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        jobs = [(predictor, x[i:], offset[i:]) for i in range(4)]
        found = pool.map_async(_in_child, jobs).get(timeout=100)
    for i, each in enumerate(found):
        agree(each, x[i:], offset[i:])


def test_what_is_not_given_by_rows_is_refused(path, tmp_path):
    def centred(x):
        return x - x.mean(axis=0)

    def double(x):
        x *= 2

    def scaled(x, factor):
        return x * factor

    cases = {
        "it is not known to treat each row by itself": (centred, [ingot.spec("n,2")]),
        "it stores to its arguments": (double, [ingot.spec("n,2")]),
        "its argument factor has no row for each of the batch": (
            scaled, [ingot.spec("n,2"), ingot.spec("2")],
        ),
    }  # fmt: skip
    for number, (message, (f, specs)) in enumerate(cases.items()):
        where = tmp_path / f"{number}.ingot"
        ingot.export(f, *specs).save(where)
        with pytest.raises(ValueError, match=f"{f.__name__}: {message}"):
            BatchPredictor(where)(*(np.ones((2, 2)) for _ in specs))


def test_bad_batches(path):
    x, offset = given(4)
    predictor = BatchPredictor(path)
    with pytest.raises(ValueError, match=r"dense: the columns have \[3, 4\] rows"):
        predictor(x, offset[:3])
    with pytest.raises(ValueError, match="argument offset has no rows: it is a number"):
        predictor(x, np.float64(2))
    with pytest.raises(TypeError, match="there are 1 arrays, but dense has x, offset"):
        predictor(x)
    with pytest.raises(TypeError, match="float32"):
        predictor(x.astype(np.float32), offset)
    with pytest.raises(TypeError, match="float32"):
        predictor(x[:0].astype(np.float32), offset[:0])
    with pytest.raises(ValueError, match="axis 1 of x is 3, but must be 4"):
        predictor(x[:, :3], offset)


def test_bad_options(path, tmp_path):
    with pytest.raises(ValueError, match="batch_size is 0, but must be positive"):
        BatchPredictor(path, batch_size=0)
    with pytest.raises(ArtifactError, match="No such file"):
        BatchPredictor(tmp_path / "none.ingot")(np.ones(2))
    with pytest.raises(ArtifactError, match="it has no entry point 'other'"):
        BatchPredictor(path, "other")(np.ones(2))
    artifact = ingot.export(lambda x: x + 1, ingot.spec("n"), name="one")
    artifact.add(lambda x: x + 2, ingot.spec("n"), name="two")
    artifact.save(tmp_path / "several.ingot")
    with pytest.raises(ArtifactError, match="several entry points: give one of one, two"):
        BatchPredictor(tmp_path / "several.ingot")(np.ones(2))
    np.testing.assert_array_equal(BatchPredictor(tmp_path / "several.ingot", "two")(np.ones(2)), 3)


def threads_with(limit):
    code = (
        "import os, numpy as np, ingot\n"
        "f = ingot.jit(lambda x: np.sin(x) + x, native=False)\n"
        "f(np.ones((512, 512)))\n"
        "print(len(os.listdir('/proc/self/task')))"
    )
    return int(python("-c", code, OMP_NUM_THREADS=limit).stdout)


def test_the_number_of_threads_is_that_of_the_environment():
    assert threads_with("1") < threads_with("2") < threads_with("6")
