"""Loops that threads share: the same values however many threads there are, forks, other callers."""

import hashlib
import os
import threading

import numpy as np
import pytest

import ingot
from one_kernel import check
from processes import python

CORES = len(os.sched_getaffinity(0))


def elementwise(x):
    return np.exp(-x * x) * np.sin(x)


def rows(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def columns(x):
    return np.sum(x * x, axis=0)


def products(x):
    return x @ x[0, :] + x[:, 0] @ x


def turned(x):
    return np.where(x.T > 0, x.T, 0.0) * 2


def gathered(x):
    order = np.argmax(x, axis=0)
    return x[order][:, ::-1]


def stencil(x):
    for _ in range(3):
        x[1:-1, 1:-1] = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) / 4
    return x


def stored_within_loop(x):
    for i in range(1, 4):
        x[i::7] = x[i - 1] * np.sqrt(np.abs(x[i::7]))
    return x


FUNCTIONS = [elementwise, rows, columns, products, turned, gathered, stencil, stored_within_loop]


def argument():
    return np.random.default_rng(5).normal(size=(700, 700))


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_values(f):
    check(f, argument(), cancels=True)


def digest(f):
    return hashlib.sha256(np.ascontiguousarray(ingot.jit(f)(argument())).tobytes()).hexdigest()


def test_no_bit_depends_on_the_threads(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import os\n"
        "os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
        "import test_threads\n"
        "for f in test_threads.FUNCTIONS: print(test_threads.digest(f))\n"
    )
    done = python(program, PYTHONPATH=os.pathsep.join(PATHS))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [digest(f) for f in FUNCTIONS]


def test_callers_at_the_same_time():
    f = ingot.jit(elementwise)
    x = argument()
    expected = f(x)
    wrong = []

    def call():
        for _ in range(20):
            if not np.array_equal(f(x), expected):
                wrong.append(threading.get_ident())

    threads = [threading.Thread(target=call) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


PATHS = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "..", "support")]

FORKED = """
import os
from pathlib import Path
import numpy as np
import ingot
from test_threads import CORES, argument, elementwise

def threads():
    # Other libraries start and end threads when they like.
    names = [path.read_text().strip() for path in Path("/proc/self/task").glob("*/comm")]
    return names.count("ingot-loops")

f = ingot.jit(elementwise)
x = argument()
expected = f(x)
started = threads()
assert min(1, CORES - 1) <= started < CORES, (started, CORES)
for _ in range(5):
    assert np.array_equal(f(x), expected)
assert threads() == started, (threads(), started)
pid = os.fork()
if pid == 0:
    right = threads() == 0 and all(np.array_equal(f(x), expected) for _ in range(5))
    os._exit(0 if right and threads() == started else 1)
assert os.waitpid(pid, 0)[1] == 0
assert np.array_equal(f(x), expected)
"""


def test_threads_are_kept_and_forked_processes_have_their_own(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(FORKED)
    done = python(program, PYTHONPATH=os.pathsep.join(PATHS))
    assert done.returncode == 0, done.stderr


def test_all_threads_treat_small_numbers_alike():
    def f(x, a):
        return x * 0.5, np.sort(a)

    halves, _ = ingot.jit(f)(np.full(1 << 20, 3e-310), np.ones(3))
    assert len(np.unique(halves)) == 1
