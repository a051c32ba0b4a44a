"""Direct calls and what is around them: memory, threads, processes, signals."""

import gc
import os
import signal
import sys
import threading
import weakref

import numpy as np
import pytest

import ingot
import level
from calls import added
from ingot_runtime import clients
from oracle import assert_same
from processes import python, resident

A = np.arange(6.0).reshape(2, 3)


add = pytest.fixture(added)


def test_results_are_kept(add):
    rows = [np.full(8, float(i)) for i in range(200)]
    kept = [add(row, row + 1) for row in rows]
    assert all((found == 2 * i + 1).all() for i, found in enumerate(kept))
    kept[0][:] = -1
    assert kept[1][0] == 3 and rows[0][0] == 0


@pytest.mark.parametrize("f", [lambda x: x.reshape(2, 4), lambda x: x[:], lambda x: [x + 0, x.T]])
def test_results_share_no_memory_with_what_is_kept_for_calls(f):
    compiled = ingot.jit(f)
    kept = [compiled(np.full(8, float(i))) for i in range(5)]
    for i, found in enumerate(kept):
        assert (np.asarray(found) == i).all()


def test_threads_get_their_own_results():
    calls = ingot.jit(lambda x, y: (x * y, (x + y).sum()))
    calls(np.ones(500), 1.0)
    wrong, start = [], threading.Barrier(6)

    def work(number):
        x = np.full(500, float(number))
        start.wait()
        for k in range(400):
            product, total = calls(x, float(k))
            if product[0] != number * k or product[-1] != number * k or total != 500 * (number + k):
                wrong.append((number, k))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong and calls._direct_calls == 2400


def test_calls_keep_nothing():
    def f(x, tree, n, *, k):
        x += n
        return x, {"a": [tree["a"] * k, n]}, x.sum(), n > 2

    compiled = ingot.jit(f)
    x, tree, n, k = np.zeros(500), {"a": np.ones(700)}, 1.5, 2.5
    objects = [x, tree, tree["a"], n, k, f, np.dtype(float), compiled]

    def call(count):
        for _ in range(count):
            compiled(x, tree, n, k=k)

    call(2000)
    gc.collect()
    counts, before = [sys.getrefcount(each) for each in objects], resident()
    many = level.pick(5_000, 50_000, 200_000)
    call(many)
    gc.collect()
    assert resident() - before < 2 << 20
    assert [sys.getrefcount(each) for each in objects] == counts
    assert compiled._direct_calls == many + 1999


def test_failing_calls_keep_nothing():
    compiled = ingot.jit(lambda x, i: x[i])
    x, i = np.ones(3), 1000
    compiled(x, 1)

    def call(count):
        for _ in range(count):
            with pytest.raises(IndexError):
                compiled(x, i)

    call(5)
    before = sys.getrefcount(x), sys.getrefcount(i)
    call(50)
    assert (sys.getrefcount(x), sys.getrefcount(i)) == before


class Token:
    pass


def test_functions_are_freed():
    def make():
        holder = {"token": Token()}

        def f(x):
            return x + len(holder)

        compiled = holder["f"] = ingot.jit(f)
        for _ in range(3):
            compiled(A)
        assert compiled._direct_calls > 0
        return weakref.ref(holder["token"])

    token = make()
    gc.collect()
    assert token() is None


FORKED = """
import os, sys
import numpy as np
import ingot
from ingot_runtime import clients

if sys.argv[1] == "client":
    ingot.devices()
f = ingot.jit(lambda x, y: x + y)
x = np.ones(8)
assert f(x, x + 1)[0] == f(x, x + 1)[0] == 3 and f._direct_calls == 1
has_client = clients.exist()
pid = os.fork()
found = [f(x + i, np.zeros(8)).tolist() for i in range(3)]
assert found == [[1.0 + i] * 8 for i in range(3)]
# The child compiles nothing, but where it leaves a client of XLA, its first call is one by Python.
assert f._direct_calls == (3 if pid == 0 and has_client else 4) and len(f._compiled) == 1
assert pid == 0 or os.waitpid(pid, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize("has_client", ["client", "none"])
def test_a_forked_process_makes_its_own(has_client, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(FORKED)
    done = python(path, has_client)
    assert done.returncode == 0, done.stderr


def test_clients_that_are_left_behind(add):
    clients.leave_clients()
    assert not add.same(np.ones(8), np.zeros(8))
    assert add.same(np.ones(8), np.arange(8.0))


def test_signals_interrupt_what_is_waited_for():
    compiled = ingot.jit(lambda x: np.sin(x @ x) @ x)
    x = np.ones((80, 80))
    expected = compiled(x)

    class Alarm(Exception):
        pass

    def handler(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    try:
        alarms = 0
        for _ in range(20):
            signal.setitimer(signal.ITIMER_REAL, 0.002)
            try:
                for _ in range(1000):
                    assert_same(compiled(x), expected)
            except Alarm:
                alarms += 1
        assert alarms
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert_same(compiled(x), expected)
