"""Joining requests: which, how many, and what one that fails does to the others."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ingot
import ingot_runtime
from ingot_runtime.serving.batching import Batcher, buckets, largest
from ingot_runtime.serving.options import Batching

W = np.linspace(-1, 1, 12).reshape(4, 3)


def dense(x):
    return x @ W


def scaled(x, row, k):
    return x * row * k, row + 1


def root(x):
    assert np.all(x >= 0), "negative"
    return np.sqrt(x)


def columns(x):
    return x * 2


def running(x):
    return x - x.mean()


class Recorder:
    """An entry point that notes the sizes it is called with, and can be held up."""

    def __init__(self, entry):
        self._entry, self.seen, self.go = entry, [], threading.Event()
        self.go.set()

    def __getattr__(self, name):
        return getattr(self._entry, name)

    def run_outputs(self, values):
        self.go.wait(30)
        self.seen.append(self._entry.sizes_of(values).get("n"))
        return self._entry.run_outputs(values)


@pytest.fixture
def entry(tmp_path):
    def made(function, *arguments, **options):
        ingot.export(function, *arguments, **options).save(tmp_path / "m.ingot")
        return Recorder(ingot_runtime.load(tmp_path / "m.ingot").entry(function.__name__))

    return made


def answers(entry, requests, options=Batching(), hold=True):
    """What requests that arrive together get; the first one is held until all are there."""

    async def ask():
        with ThreadPoolExecutor(4) as executor:
            batcher = Batcher(entry, options, executor, "model")
            if hold:
                entry.go.clear()
            asked = [asyncio.create_task(batcher.run(list(values))) for values in requests]
            await asyncio.sleep(0.05)
            entry.go.set()
            return await asyncio.gather(*asked, return_exceptions=True)

    return asyncio.run(ask())


def test_waiting_requests_are_joined(entry):
    made = entry(dense, ingot.spec("n,4"))
    requests = [[np.random.default_rng(i).normal(size=(i + 1, 4))] for i in range(6)]
    for (x,), (found,) in zip(requests, answers(made, requests)):
        np.testing.assert_allclose(found, dense(x), rtol=1e-12)
    # Before the first call is done, the others have come.
    assert made.seen == [1, 20] or made.seen == [21]


def test_no_call_is_larger_than_the_largest(entry):
    made = entry(dense, ingot.spec("n,4"))
    requests = [[np.full((5, 4), float(i))] for i in range(7)]
    for (x,), (found,) in zip(requests, answers(made, requests, Batching(16))):
        np.testing.assert_allclose(found, dense(x))
    assert max(made.seen) <= 16 and sum(made.seen) == 35
    made.seen.clear()
    x = np.random.default_rng(0).normal(size=(50, 4))
    np.testing.assert_allclose(answers(made, [[x]], Batching(16))[0][0], dense(x))
    assert made.seen == [12, 13, 12, 13]


def test_one_item_at_a_time(entry):
    made = entry(dense, ingot.spec("n,4"))
    answers(made, [[np.ones((2, 4))]] * 3, Batching(1))
    assert made.seen == [2, 2, 2]


def test_delay_waits_for_more(entry):
    made = entry(dense, ingot.spec("n,4"))
    answers(made, [[np.ones((2, 4))]] * 4, Batching(8, delay=10), hold=False)
    assert made.seen == [8]
    made.seen.clear()
    answers(made, [[np.ones((2, 4))]] * 3, Batching(8, delay=0.1), hold=False)
    assert made.seen == [6]


def test_only_what_is_alike_is_joined(entry):
    made = entry(scaled, ingot.spec("n,m"), ingot.spec("m"), 2.0)
    assert made.batch == "n"
    row, other = np.arange(4.0), np.arange(4.0) + 1
    requests = [
        [np.ones((1, 4)), row, 2.0],
        [np.ones((2, 4)), row.copy(), 2.0],
        [np.ones((3, 4)), other, 2.0],
        [np.ones((4, 4)), row, 3.0],
        [np.ones((5, 3)), row[:3], 2.0],
    ]
    for values, found in zip(requests, answers(made, requests)):
        for actual, expected in zip(found, scaled(*values)):
            np.testing.assert_array_equal(actual, expected)
    assert sum(made.seen) == 15 and {4, 5} <= set(made.seen)


def test_one_that_fails_fails_alone(entry):
    made = entry(root, ingot.spec("n"))
    requests = [[np.full(2, value)] for value in (1.0, 4.0, -1.0, 9.0)]
    found = answers(made, requests)
    assert isinstance(found[2], AssertionError) and found[2].check.message == "negative"
    assert [found[i][0][0] for i in (0, 1, 3)] == [1, 2, 3]


def test_what_depends_on_the_others_is_not_joined(entry):
    made = entry(running, ingot.spec("n"))
    assert made.batch is None
    found = answers(made, [[np.arange(3.0)], [np.arange(4.0)]])
    np.testing.assert_array_equal(found[0][0], [-1, 0, 1])
    assert sorted(made.seen) == [3, 4]


def test_the_axis_may_be_another(entry):
    made = entry(columns, ingot.spec("3,n"))
    requests = [[np.random.default_rng(i).normal(size=(3, i + 1))] for i in range(4)]
    for (x,), (found,) in zip(requests, answers(made, requests)):
        np.testing.assert_array_equal(found, x * 2)


def test_who_has_gone_is_not_waited_for(entry):
    made = entry(dense, ingot.spec("n,4"))

    async def ask():
        with ThreadPoolExecutor(1) as executor:
            batcher = Batcher(made, Batching(), executor, "model")
            made.go.clear()
            gone = asyncio.create_task(batcher.run([np.ones((1, 4))]))
            await asyncio.sleep(0.05)
            gone.cancel()
            stays = asyncio.create_task(batcher.run([np.ones((2, 4))]))
            await asyncio.sleep(0.05)
            made.go.set()
            return await stays

    assert asyncio.run(ask())[0].shape == (2, 3)


def test_bounds_are_kept(entry):
    made = entry(dense, ingot.spec("n,4"), sizes={"n": (5, 50)})
    assert largest(made, Batching(64)) == 50
    assert largest(made, Batching(4)) == 10
    made.use_buckets(buckets(50))
    for n in (5, 7, 33, 50):
        x = np.ones((n, 4))
        np.testing.assert_allclose(made.run([x])[0], dense(x))
    requests = [[np.full((30, 4), float(i))] for i in range(3)]
    for (x,), (found,) in zip(requests, answers(made, requests)):
        np.testing.assert_allclose(found, dense(x))
    assert set(made.seen) == {30}


def test_buckets():
    assert buckets(1) == [1]
    assert buckets(8) == [1, 2, 4, 8]
    assert buckets(50) == [1, 2, 4, 8, 16, 32, 50]
