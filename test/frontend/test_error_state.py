"""`np.errstate` and `np.seterr` around the call of a compiled function."""

import threading

import numpy as np
import pytest

import ingot


def inverse(x):
    return 1 / x


def called(*_):
    raise AssertionError("the function of NumPy's error state is called")


@pytest.mark.parametrize("mode", ["raise", "call"])
@pytest.mark.parametrize("which", ["all", "divide", "over", "under", "invalid"])
def test_modes_that_raise_or_call_are_refused(mode, which):
    compiled = ingot.jit(inverse)
    for _ in range(3):
        with np.errstate(**{which: mode}, call=called), pytest.raises(ingot.UnsupportedError) as e:
            compiled(np.ones(2))
        assert mode in str(e.value) and "np.isfinite" in e.value.hint
        compiled(np.ones(2))
    assert compiled._direct_calls


@pytest.mark.parametrize("mode", ["ignore", "warn", "print"])
def test_other_modes_change_nothing(mode):
    compiled = ingot.jit(inverse)
    for _ in range(3):
        with np.errstate(all=mode):
            before = compiled._direct_calls
            np.testing.assert_array_equal(compiled(np.zeros(2)), [np.inf, np.inf])
    assert compiled._direct_calls > before


def test_seterr_for_all_that_follows():
    compiled = ingot.jit(inverse)
    compiled(np.ones(2))
    before = np.seterr(divide="raise")
    try:
        for _ in range(2):
            with pytest.raises(ingot.UnsupportedError, match="divide='raise'"):
                compiled(np.ones(2))
        with np.errstate(divide="ignore"):
            compiled(np.ones(2))
    finally:
        np.seterr(**before)
    compiled(np.ones(2))


def test_threads_have_states_of_their_own():
    compiled, found = ingot.jit(inverse), []
    compiled(np.ones(2))

    def run():
        with np.errstate(all="raise"):
            try:
                compiled(np.ones(2))
            except ingot.UnsupportedError as error:
                found.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for each in threads:
        each.start()
        compiled(np.ones(2))
    for each in threads:
        each.join()
    assert len(found) == 4


@pytest.mark.parametrize(
    "wrap",
    [
        lambda f: ingot.grad(lambda x: np.sum(f(x))),
        ingot.vmap,
        lambda f: ingot.jit(f).lower(np.ones(2)).compile(),
        lambda f: ingot.jit(f, native=False),
    ],
    ids=["grad", "vmap", "compiled", "xla"],
)
def test_all_ways_to_call(wrap):
    f = wrap(inverse)
    for _ in range(2):
        f(np.ones(2))
        with np.errstate(over="raise"), pytest.raises(ingot.UnsupportedError, match="over='raise'"):
            f(np.ones(2))


def test_artifacts(tmp_path):
    ingot.export(inverse, ingot.spec("n")).save(tmp_path / "f.ingot")
    loaded = ingot.load(tmp_path / "f.ingot")
    with np.errstate(all="raise"), pytest.raises(ingot.UnsupportedError):
        loaded(np.ones(2))
    loaded(np.ones(2))
