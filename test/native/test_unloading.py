"""Kernels are unloaded when the last program that calls them is gone."""

import gc
import os
import sys

import numpy as np
import pytest

import ingot
from ingot_runtime import kernels
from processes import python

RNG = np.random.default_rng(0)
X = RNG.normal(size=100)


@pytest.fixture(autouse=True)
def no_disk_cache(monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", "")


def scaled_by(factor):
    def scaled(x):
        for i in range(1, len(x)):
            x[i] += x[i - 1] * factor
        return x

    return scaled


def filtered(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1] * 0.25
    return np.sort(x)


def name_of(function, *arguments):
    (name,) = function.lower(*arguments).compile().kernels
    return name


def is_loaded(name):
    gc.collect()
    return kernels.find(name) is not None


def mappings():
    with open("/proc/self/maps") as file:
        return sum("memfd:ingot" in line for line in file)


def test_of_functions():
    gc.collect()
    before = mappings()
    for i in range(20):
        function = ingot.jit(scaled_by(0.5 + i))
        np.testing.assert_allclose(function(X.copy()), scaled_by(0.5 + i)(X.copy()))
        name = name_of(function, X)
        assert is_loaded(name) and mappings() > 0
        del function
        assert not is_loaded(name) and mappings() <= before


def test_until_the_last_of_a_kernel():
    first, second = (ingot.jit(scaled_by(0.25)) for _ in range(2))
    want = scaled_by(0.25)(X.copy())
    for function in (first, second):
        np.testing.assert_allclose(function(X.copy()), want)
    name = name_of(first, X)
    assert name == name_of(second, X)
    del first, function
    assert is_loaded(name)
    np.testing.assert_allclose(second(X.copy()), want)
    compiled = second.lower(X).compile()
    del second
    assert is_loaded(name)
    np.testing.assert_allclose(compiled(X.copy()), want)
    del compiled
    assert not is_loaded(name)
    again = ingot.jit(scaled_by(0.25))
    np.testing.assert_allclose(again(X.copy()), want)
    assert is_loaded(name)


def test_that_xla_calls_stay():
    function = ingot.jit(filtered)
    want = filtered(X.copy())
    np.testing.assert_allclose(function(X.copy()), want)
    compiled = function.lower(X).compile()
    names = compiled.kernels
    assert names and not isinstance(compiled.executable, kernels.KernelExecutable)
    del function, compiled
    assert all(map(is_loaded, names))
    np.testing.assert_allclose(ingot.jit(filtered)(X.copy()), want)


def test_of_artifacts(tmp_path):
    path = tmp_path / "scaled.ingot"
    ingot.export(scaled_by(0.75), X, name="scaled", native=True).save(path)
    name = name_of(ingot.jit(scaled_by(0.75)), X)
    assert not is_loaded(name)
    loaded = ingot.load(path, native=True)
    np.testing.assert_allclose(loaded(X.copy()), scaled_by(0.75)(X.copy()))
    assert is_loaded(name)
    del loaded
    assert not is_loaded(name)


def test_from_the_disk_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path))
    for _ in range(3):
        function = ingot.jit(scaled_by(0.125))
        np.testing.assert_allclose(function(X.copy()), scaled_by(0.125)(X.copy()))
        name = name_of(function, X)
        assert is_loaded(name)
        del function
        assert not is_loaded(name)


# What a signal interrupts goes on, so its code must stay.
INTERRUPTED = """
import gc, signal, time
import numpy as np
import ingot
from ingot_runtime import kernels

def long(x, count):
    for k in range(count):
        for i in range(1, len(x)):
            x[i] = np.sqrt(abs(x[i] + x[i - 1]))
    return x

class Stopped(Exception):
    pass

def stop(*_):
    raise Stopped

x = np.ones(1000)
function = ingot.jit(long)
function(x, 9)
(name,) = function.lower(x, 9).compile().kernels
signal.signal(signal.SIGALRM, stop)
signal.setitimer(signal.ITIMER_REAL, 0.1)
start = time.monotonic()
try:
    function(x, 100_000)
except Stopped:
    pass
took = time.monotonic() - start
del function
gc.collect()
assert kernels.find(name) is not None, took
other, count = ingot.jit(lambda x, n: long(x, n) + 1), 1
while kernels.find(name) is not None:
    assert time.monotonic() - start < 100
    time.sleep(0.05)
    # A call with other numbers may be long, so it looks for what has ended.
    other(x, count)
    gc.collect()
    count = 3 - count
"""


def test_interrupted(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(INTERRUPTED)
    done = python(path, PYTHONPATH=os.pathsep.join(sys.path), timeout=300)
    assert done.returncode == 0, done.stderr
