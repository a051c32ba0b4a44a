"""Artifacts whose results have lengths that each call computes."""

import json
import pickle
import zipfile

import numpy as np
import pytest

import ingot
from ingot_runtime.inspection import lines
from oracle import assert_same, outcome

M = np.array([[3.0, 0, -1, 3], [0, 0, 2, 5], [-1, 4, 0, 0]])


def positive(v):
    return v[v > 0]


def places(a):
    return np.nonzero(a)


def tree(v):
    large = v[v > 2]
    return {"values": np.unique(v), "large": [large * 0.5, large], "sum": large.sum()}


def counted(v):
    return np.unique(v, return_counts=True)


def columns(a, w):
    return a[:, w > 0] * 2


def block(a, w):
    return a[int(w[0]) :, : int(w[1])], a[::-1, int(w[2]) :: -1].T


def turned(a):
    return a[a[:, 0] > 0].T


def shrunk(v):
    while v.size > 2:
        v = v[1:][v[1:] > v[0]]
    return v


def stored(v):
    v[0] = 9
    return v[v > 1], v


def sets(v):
    return np.union1d(v, v + 1), np.setdiff1d(v, v + 1), np.intersect1d(v, v + 2)


def selected(v):
    chosen = v[v > 0]
    return np.sort(chosen), chosen[chosen > 1], chosen[::-1], chosen @ chosen, np.argwhere(v > 1)


def ends(v, w):
    k = int(w[0])
    return v[:k], v[k:], v[-k:], v[k::-1], v[k:-1] * 2, v[k:].sum(), len(v[:k])


def at_least_one(v):
    return v[v > 0][0]


CASES = {
    f.__name__: (f, arguments)
    for f, *arguments in (
        (positive, np.arange(9) - 4),
        (places, M),
        (tree, np.array([3, 1, 3, 2, 1])),
        (columns, M, np.array([1.0, -1.0, 0.0, 2.0])),
        (block, M, np.array([1, 3, 2])),
        (turned, M),
        (shrunk, np.array([1, 0, 4, 2, 5, 3, 7])),
        (stored, np.array([0, 3, 1])),
        (sets, np.array([2, 5, 2, 1])),
        (selected, np.array([2, 5, 0, -1])),
        (ends, np.array([4, 2, 7, 1, 3]), np.array([2])),
    )
}


#: Running sums and minima along an open size are refused, whatever they are for.
FIXED = {**CASES, "counted": (counted, [np.array([3, 1, 3, 2, 1])])}


def loaded_of(tmp_path, f, *specs, **options):
    path = tmp_path / "m.ingot"
    ingot.export(f, *specs, **options).save(path)
    return ingot.load(path)


def copies(arguments):
    return [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    """One for all tests: artifacts that differ in the sizes that they take have programs in common."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INGOT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.parametrize("name", FIXED)
def test_fixed_sizes(name, tmp_path):
    f, arguments = FIXED[name]
    loaded = loaded_of(tmp_path, f, *arguments)
    for given in (arguments, [-each for each in arguments] if name == "positive" else arguments):
        mine, theirs = copies(given), copies(given)
        assert_same(loaded(*mine), f(*theirs))
        assert_same(mine, theirs)


@pytest.mark.parametrize("bounds", [None, (3, 40)])
@pytest.mark.parametrize("name", CASES)
def test_open_sizes(name, bounds, tmp_path):
    f, arguments = CASES[name]
    first, *others = arguments
    spec = ingot.spec(("n", *first.shape[1:]), first.dtype)
    sizes = {"n": bounds} if bounds else None
    loaded = loaded_of(tmp_path, f, spec, *others, sizes=sizes)
    for n in (len(first), 3, 5, 8) + (() if bounds else (1, 2)):
        given = [np.resize(first, (n, *first.shape[1:])), *others]
        mine, theirs = copies(given), copies(given)
        plain, found = outcome(f, *theirs), outcome(loaded, *mine)
        if isinstance(plain, Exception):
            assert isinstance(found, type(plain))
            continue
        assert_same(found, plain)
        assert_same(mine, theirs)


def test_running_sums_along_open_sizes(tmp_path):
    loaded = loaded_of(tmp_path, counted, ingot.spec("n", int))
    for v in ([3, 1, 3, 3], [7], [2, 1, 0]):
        assert_same(loaded(np.array(v)), counted(np.array(v)))


def test_results_name_their_lengths(tmp_path):
    def entry(f, *specs):
        return loaded_of(tmp_path, f, *specs).entry(f.__name__)

    found = entry(positive, ingot.spec("n0", int))
    assert repr(found) == "EntryPoint(positive(v: int64[n0]) -> int64[n1], n1 <= n0)"
    assert [leaf.shape[0].name for leaf in found.results] == ["n1"]
    # Lengths that are equal have one name.
    assert repr(entry(places, ingot.spec("n,4"))) == (
        "EntryPoint(places(a: float64[n,4]) -> "
        "(output.0: int64[n0], output.1: int64[n0]), n0 <= 4*n)"
    )
    signature = ingot.export(tree, np.arange(5)).inspect()["entry_points"]["tree"]["signature"]
    assert signature == (
        "(v: int64[5]) -> (values: int64[n0], large.0: float64[n1], large.1: int64[n1], "
        "sum: int64), n0 <= 5, n1 <= 5"
    )
    facts = ingot.export(positive, ingot.spec("n", int)).inspect()["entry_points"]["positive"]
    assert "  n0: 0 to n, as each call computes it" in list(lines("positive", facts))
    lengths = ingot.export(places, M).inspect()["entry_points"]["places"]["lengths"]
    assert lengths == {"n0": "12"}
    assert json.loads(json.dumps(lengths)) == lengths


def test_the_format_is_that_of_what_the_file_holds(tmp_path):
    for f, expected in ((positive, 3), (at_least_one, 2)):
        path = tmp_path / f"{expected}.ingot"
        ingot.export(f, np.arange(3)).save(path)
        with zipfile.ZipFile(path) as file:
            assert json.loads(file.read("manifest.json"))["format"] == expected


def test_errors_are_those_of_the_source(tmp_path):
    loaded = loaded_of(tmp_path, at_least_one, ingot.spec("n", int))
    assert loaded(np.array([0, 3, 1])) == 3
    with pytest.raises(IndexError):
        loaded(np.array([0, -3]))


def test_the_dimension_that_is_cut_joins_no_calls(tmp_path):
    columns_entry = loaded_of(tmp_path, columns, ingot.spec("n,4"), ingot.spec(4)).entry("columns")
    assert columns_entry.batch == "n"

    def warm(a):
        return a[:, a.sum(axis=0) > 0]

    # How many columns there are depends on all rows.
    assert loaded_of(tmp_path, warm, ingot.spec("n,4")).entry("warm").batch is None

    def heads(x, w):
        return x[: int(w[0])]

    assert loaded_of(tmp_path, heads, ingot.spec("n"), np.ones(1, int)).entry("heads").batch is None
    entry = loaded_of(tmp_path, heads, ingot.spec("m,n"), np.ones(1, int)).entry("heads")
    assert entry.batch == "n"


def test_buckets(tmp_path):
    path = tmp_path / "m.ingot"
    ingot.export(columns, ingot.spec("n,4"), ingot.spec(4)).save(path)
    loaded = ingot.load(path, buckets={"n": [4, 8]})
    loaded.warmup({"n": 8})
    for n in (1, 3, 4, 7, 9):
        a, w = np.resize(M, (n, 4)), np.array([1.0, 0, n - 3, 2.0])
        assert_same(loaded(a, w), columns(a, w))


def test_pickled(tmp_path):
    loaded = loaded_of(tmp_path, positive, ingot.spec("n", int))
    for again in (pickle.loads(pickle.dumps(loaded)), pickle.loads(pickle.dumps(loaded.entry("positive")))):  # fmt: skip
        assert_same(again(np.array([1, -1, 2])), np.array([1, 2]))


def test_native(tmp_path):
    loaded_of(tmp_path, positive, np.arange(9), native=True)
    loaded = ingot.load(tmp_path / "m.ingot", native=True)
    assert_same(loaded(np.arange(9) - 3), np.arange(1, 6))


def test_strict_fp(tmp_path):
    loaded = loaded_of(tmp_path, turned, M, strict_fp=True)
    assert_same(loaded(M), turned(M))
