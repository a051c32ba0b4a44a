"""Threads that change one object by compiled functions lose nothing."""

import faulthandler
import os
import threading
import traceback
import types

import numpy as np
import pytest
from threads import in_threads

import ingot
from level import pick

THREADS, CALLS = 16, pick(50, 200, 200)
TOTAL = THREADS * CALLS


class Counter:
    def __init__(self):
        self.n = 0
        self.m = 0.0

    def add(self, x):
        self.n += 1
        return x


def many(call):
    """Call it CALLS times in each thread; the errors."""
    errors = []

    def work(i):
        try:
            for _ in range(CALLS):
                call()
        except Exception as error:
            errors.append(error)

    in_threads(THREADS, work)
    assert not errors, errors[0]


def an_attribute():
    c = Counter()

    def f(x):
        c.n += 1
        return x

    j = ingot.jit(f)
    return lambda: j(1.0), lambda: c.n


def an_attribute_of_an_argument():
    c = Counter()

    def f(c, x):
        c.n += 1
        return x

    j = ingot.jit(f)
    return lambda: j(c, 1.0), lambda: c.n


def a_method():
    c = Counter()
    j = ingot.jit(c.add)
    return lambda: j(1.0), lambda: c.n


def a_dict():
    d = {"n": 0}

    def f(x):
        d["n"] += 1
        return x

    j = ingot.jit(f)
    return lambda: j(1.0), lambda: d["n"]


def a_list():
    held = [0, 5]

    def f(x):
        held[0] += 1
        return x

    j = ingot.jit(f)
    return lambda: j(1.0), lambda: held[0]


def an_array():
    a = np.zeros(3)

    def f(x):
        a[0] += 1
        return x

    j = ingot.jit(f)
    return lambda: j(1.0), lambda: a[0]


def an_array_argument():
    a = np.zeros(3)

    def f(a):
        a[0] += 1

    j = ingot.jit(f)
    return lambda: j(a), lambda: a[0]


def views_of_an_array():
    a = np.zeros(8)

    def f(a):
        a[0] += 1

    j = ingot.jit(f)
    return lambda: j(a[2:]), lambda: a[2]


def a_matrix_by_columns():
    a = np.zeros((3, 4)).T

    def f(a):
        a[0, 0] += 1

    j = ingot.jit(f)
    return lambda: j(a), lambda: a[0, 0]


def without_kernels():
    a = np.zeros(3)

    def f(a):
        a[0] += 1

    j = ingot.jit(f, native=False)
    return lambda: j(a), lambda: a[0]


def a_large_array():
    a = np.zeros(20_000)

    def f(a):
        a += 1

    j = ingot.jit(f)
    return lambda: j(a), lambda: a[-1]


def two_functions():
    c = Counter()

    def f(x):
        c.n += 1
        return x

    def g(c, x):
        c.n = c.n + 1
        return 2 * x

    fs, turn = (ingot.jit(f), lambda x, j=ingot.jit(g): j(c, x)), [0]

    def call():
        turn[0] += 1
        fs[turn[0] % 2](1.0)

    return call, lambda: c.n


def compiled_ahead():
    c = Counter()

    def f(c, x):
        c.n += 1
        return x

    compiled = ingot.jit(f).lower(c, 1.0).compile()
    return lambda: compiled(c, 1.0), lambda: c.n


def methods_of_a_function_that_is_not_compiled_yet():
    c = Counter()
    return lambda: ingot.jit(c.add)(1.0), lambda: c.n


SCENES = [
    an_attribute, an_attribute_of_an_argument, a_method, a_dict, a_list, an_array, an_array_argument, views_of_an_array,
    a_matrix_by_columns, without_kernels, a_large_array, two_functions, compiled_ahead,
]  # fmt: skip


@pytest.mark.parametrize("scene", SCENES, ids=lambda each: each.__name__)
def test_no_change_is_lost(scene):
    call, count = scene()
    many(call)
    assert count() == TOTAL


def test_two_objects_in_either_order():
    a, b = Counter(), Counter()

    @ingot.jit
    def move(one, other, x):
        one.n -= 1
        other.n += 1
        one.m += x
        return x

    turn = [0]

    def call():
        turn[0] += 1
        move(*((a, b) if turn[0] % 2 else (b, a)), 1.0)

    many(call)
    assert a.n + b.n == 0 and a.m + b.m == TOTAL


def test_other_objects_at_once():
    """Two threads meet in their calls, which would not end if one waited for the other."""
    meeting = threading.Barrier(2, timeout=20)
    objects = [Counter(), Counter()]

    def meet(x):
        meeting.wait()
        return x

    @ingot.jit
    def f(c, x):
        c.m += ingot.callback(meet, x, x)
        return x

    in_threads(2, lambda i: f(objects[i], 1.0))
    assert [each.m for each in objects] == [1.0, 1.0]


def test_a_callback_that_calls_again():
    c = Counter()
    inner = ingot.jit(c.add)

    def again(x):
        thread = threading.Thread(target=inner, args=(1.0,))
        thread.start()
        thread.join(20)
        assert not thread.is_alive()
        return np.asarray(inner(float(x)))

    @ingot.jit
    def f(d, x):
        d.m += ingot.callback(again, x, x)
        return x

    d = Counter()
    many(lambda: None)
    for _ in range(5):
        f(d, 1.0)
    assert c.n == 10 and d.m == 5.0


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
# JAX warns in each process that has it, from a handler that can't raise.
@pytest.mark.filterwarnings("ignore:.*fork.*:RuntimeWarning")
def test_a_fork_while_others_change(tmp_path):
    c, stop = Counter(), threading.Event()

    @ingot.jit
    def f(c, x):
        c.n += 1
        return x

    f(c, 1.0)

    def work():
        while not stop.is_set():
            f(c, 1.0)

    def in_child():
        before = c.n
        with open(tmp_path / "error", "w") as file:
            faulthandler.enable(file)
            faulthandler.dump_traceback_later(60, exit=True, file=file)
            try:
                f(c, 1.0)
                assert c.n == before + 1, (c.n, before)
            except BaseException:
                traceback.print_exc(file=file)
                return 1
        return 0

    threads = [threading.Thread(target=work) for _ in range(4)]
    [each.start() for each in threads]
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                # It would wait for threads that it does not have.
                os._exit(in_child())
            assert os.waitpid(child, 0)[1] == 0, (tmp_path / "error").read_text()
    finally:
        stop.set()
        [each.join() for each in threads]


def test_an_exception_lets_others_go_on():
    c = types.SimpleNamespace(n=0)

    @ingot.jit
    def f(c, x):
        c.n += 1
        if x < 0:
            raise ValueError("negative")
        return x

    def call():
        f(c, 1.0)
        with pytest.raises(ValueError):
            f(c, -1.0)

    many(call)
    assert c.n == TOTAL
