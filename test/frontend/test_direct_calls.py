"""Direct calls: what those give that native code makes without Python, and when they are not made."""

import collections
import pickle

import numpy as np
import pytest

import ingot
from calls import Calls, added
from oracle import assert_same

Pair = collections.namedtuple("Pair", "first second")
FACTOR = 2.0


add = pytest.fixture(added)


# What direct calls give.


def no_arguments():
    return np.arange(3)


def numbers(a, b, c, d):
    return a + 1, b * 2, c / 2, d, (a, 1.5, "text", None)


def trees(pair, rest, *, scale):
    return Pair(pair.first * scale, rest[0]), {"s": [pair.second + 1, rest[1]["k"]], 1: ()}


def layouts(x, y):
    return x.T + 0, y[::-1], np.asfortranarray(x)


def selected(x, mask):
    rows = x[mask]
    return rows, rows.T, [np.nonzero(mask), rows]


def cut(x, n):
    first = x[:n]
    return first, x[1:n].T, np.asfortranarray(x)[:n] + 1


def same_leaf(x):
    y = x + 1
    return y, [y], x


def constants(x, what):
    return x * {"double": 2, None: 3}[what]


def several_dtypes(a, b, c, d):
    return a + a, ~b, c.astype(np.int16), d[()] * 2, (d > 1).any()


def of_a_class(x, dtype):
    return x.astype(dtype)


A = np.arange(6.0).reshape(2, 3)
CASES = [
    (no_arguments,),
    (numbers, 3, 2.5, np.float32(4), True),
    (numbers, -(2**63), 1j, np.complex64(2), np.bool_(True)),
    (numbers, np.int8(3), np.float16(2), np.uint64(2**63), np.int64(2)),
    (lambda x: (x.sum(), x.max() > 2, x.shape[0], float(x[0, 0]), int(x[0, 1])), A),
    (layouts, A, A[0]),
    (layouts, A.T, A[:, ::2]),
    (layouts, np.broadcast_to(A, (2, 2, 3)), A[0, ::-1]),
    (selected, A, A[:, 0] > 1),
    (selected, A.T.copy(), A[0] < 9),
    (selected, A, A[:, 0] > 9),
    (cut, A, 1),
    (cut, np.zeros((5, 2, 3)), 4),
    (lambda x: x.T[x[0] > 1], A),
    (same_leaf, A),
    (same_leaf, np.zeros((0, 3))),
    (constants, A, "double"),
    (constants, A, None),
    (several_dtypes, A.astype("c8"), A > 2, A.astype("f2"), np.array(2, np.uint8)),
    (of_a_class, A, np.float32),
    (of_a_class, A, np.dtype("i4")),
    (lambda x: np.zeros((2, 0)) + x, 1.0),
    (lambda x, *rest: [x, rest[0], *rest[1]], A, A + 1, [A + 2, (A + 3,)], {}),
    (lambda x: x, A),
    (lambda x: None, A),
]


@pytest.mark.parametrize(("f", "args"), [(f, args) for f, *args in CASES])
def test_direct_calls_give_what_the_function_gives(f, args):
    calls = Calls(f)
    assert not calls.same(*args)
    assert calls.same(*args) or calls.plain(*args) is None


def test_results_are_of_the_same_kinds():
    calls = Calls(lambda x, n: (x + n, x.sum(), n + 1, x.shape[0] * 2, n > 1))
    for _ in range(2):
        array, number, *pythons = calls(np.ones(3), 2)
        assert type(number) is np.float64 and [type(each) for each in pythons] == [int, int, bool]
        assert array.flags.carray and array.flags.aligned and array.dtype is np.dtype(float)
        array[0] = 5
        array += 1
        assert array.tolist() == [6, 4, 4]
    assert calls.was_direct


def test_parts_of_results_are_arrays_of_their_own():
    calls = Calls(lambda x, low: (x[x > low], np.nonzero(x > low)[0]))
    for low, expected in ((0.0, [1, 2]), (1.0, [2]), (-1.0, [0, 1, 2]), (2.0, [])):
        found, places = calls(np.arange(3.0), low)
        assert found.tolist() == expected and places.tolist() == expected
        assert found.flags.writeable and places.flags.writeable
        found[:] = 7
    assert calls.was_direct


def test_arguments_come_back_as_themselves():
    calls = Calls(lambda x, n: (x, n, [x]))
    x, n = np.ones(3), 1234567
    for _ in range(2):
        found = calls(x, n)
    assert calls.was_direct and found[0] is x and found[2][0] is x and found[1] == n


def test_trees_and_keywords():
    calls = Calls(trees)
    for first in (1.0, 2.0, 3.0):
        arguments = Pair(first, A), [A, {"k": A + first}]
        was_direct = calls.same(*arguments, scale=first + 1)
    assert was_direct
    assert not calls.same(Pair(1.0, A), [A, {"k": A}], scale=2.0)
    assert not calls.same((Pair(1.0, A + 0)), [A, {"k": A + 1}], scale=2)
    assert calls.same(scale=2.0, pair=Pair(1.0, A + 0), rest=[A, {"k": A + 1}]) is False


def test_keys_of_dicts_are_looked_at_in_order():
    calls = Calls(lambda d: list(d.values()))
    assert not calls.same({"a": 1.0, "b": 2.0})
    assert calls.same({"".join("a"): 3.0, "b": 4.0})
    assert not calls.same({"b": 1.0, "a": 2.0})
    assert not calls.same({"a": 1.0, "c": 2.0})
    assert not calls.same({"a": 1.0})
    assert not calls.same(collections.OrderedDict(a=1.0, b=2.0))
    assert not calls.same({"a": 1.0, 2: 2.0})


def total(w, x):
    return np.tanh(w["a"] @ x + w["b"]).sum()


@pytest.mark.parametrize(
    ("transformed", "shape"),
    [
        (ingot.grad(total), (3,)),
        (ingot.value_and_grad(total), (3,)),
        (ingot.vmap(total, in_axes=(None, 0)), (2, 3)),
        (ingot.vmap(ingot.grad(total), in_axes=(None, 0)), (2, 3)),
    ],
)
def test_gradients_and_batches(transformed, shape):
    w, x = {"a": np.eye(3), "b": np.ones(3)}, np.ones(shape)
    first = transformed(w, x)
    assert_same(transformed({"a": w["a"] + 0, "b": w["b"]}, x), first)
    assert transformed._direct_calls == 1


# When they are not made.


@pytest.mark.parametrize(
    "x",
    [
        np.ones(9),
        np.ones(8, np.float32),
        np.ones((8, 1)),
        np.ones(16)[::2],
        np.ones(8)[::-1],
        np.ones(8, ">f8"),
        1.0,
        np.float64(1),
        np.frombuffer(bytes(64)),
        np.frombuffer(bytes(65), offset=1, dtype=np.uint8, count=64).view(float),
        np.arange(8.0).view(np.memmap),
    ],
    ids=lambda x: f"{getattr(x, 'dtype', type(x))}",
)
def test_other_arguments(add, x):
    assert not add.same(x, np.ones(8) if np.size(x) == 8 else x + 0)


def test_each_order_in_memory_has_its_own():
    calls = Calls(lambda x: (x.ravel("K"), x.T * 2))
    base = np.arange(36.0).reshape(6, 6)
    forms = [base[:3, :3], base[:3, :3].T, base[::2, ::2], base[:3, :3].copy(), base[2::-1, :3]]
    read_only = base[:3, :3].copy()
    read_only.flags.writeable = False
    for x in (*forms, read_only):
        assert not calls.same(x)
    for x in (*forms, read_only):
        assert calls.same(x)


def test_what_stores_depends_on_being_writable():
    def store(x):
        x[0] = 5.0
        return x.sum()

    calls = Calls(store)
    x = np.zeros(3)
    assert [calls(x), calls(x)] == [5, 5] and calls.was_direct and x[0] == 5
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        calls(x)
    x.flags.writeable = True
    x[0] = 0
    assert calls(x) == 5 and calls.was_direct and x[0] == 5


def test_one_object_twice(add):
    x = np.arange(8.0)
    assert not add.same(x, x)
    # That is a signature of its own.
    assert add.same(x, x)
    assert add.same(x, x.copy())
    lists = Calls(lambda a, b: (a is b, a[0] + b[0]))
    one = [1.0]
    assert not lists.same(one, [1.0]) and lists.same(one, [2.0]) and not lists.same(one, one)


def test_arrays_with_dtypes_of_their_own(add):
    x = pickle.loads(pickle.dumps(np.arange(8.0)))
    assert add.same(x, np.ones(8))


def test_numbers_beyond_64_bits():
    calls = Calls(lambda n, x: x + n)
    assert not calls.same(1, A) and calls.same(2**63 - 1, A) and not calls.same(True, A)
    with pytest.raises(ingot.UnsupportedError, match="64 bits"):
        calls(2**63, A)
    unused = Calls(lambda n, x: x)
    assert not unused.same(1, A) and unused.same(2, A)
    with pytest.raises(ingot.UnsupportedError, match="64 bits"):
        unused(2**63, A)


def test_wrong_calls(add):
    for wrong in [(), (A,), (A, A, A)]:
        with pytest.raises(ingot.DTypeError):
            add(*wrong)
    with pytest.raises(ingot.DTypeError):
        add(A, A, z=1)
    with pytest.raises(ingot.UnsupportedError):
        add(np.ones(8), np.ma.ones(8))


def test_specialised_arguments():
    calls = Calls(lambda x, n: x.reshape(n, -1))
    assert not calls.same(A, 2) and calls.same(A, 2)
    assert not calls.same(A, 3) and calls.same(A, 3) and calls.same(A, 2)
    assert not calls.same(A, np.int64(3))
    declared = Calls(lambda x, s: x * s, static="s")
    assert not declared.same(A, 2.0) and declared.same(A, 2.0) and not declared.same(A, -0.0)
    assert not declared.same(A, 0.0) and declared.same(A, -0.0)


def test_changed_globals(monkeypatch):
    calls = Calls(lambda x: x * FACTOR)
    assert not calls.same(A) and calls.same(A)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    assert not calls.same(A)
    # It is an input now.
    monkeypatch.setitem(globals(), "FACTOR", 4.0)
    assert calls.same(A)
    monkeypatch.setitem(globals(), "FACTOR", A)
    assert not calls.same(A)
    monkeypatch.setitem(globals(), "FACTOR", 2.0)
    calls.same(A)
    assert calls.same(A)


def test_arrays_from_outside_are_read_at_each_call():
    weights = np.ones(3)
    calls = Calls(lambda x: x @ weights)
    assert not calls.same(A) and calls.same(A)
    weights[:] = 7
    assert calls.same(A)
    weights.resize(4, refcheck=False)
    with pytest.raises(ValueError):
        calls(A)


def test_failing_checks():
    calls = Calls(lambda x, i: x[i] + 1)
    x = np.arange(3.0)
    assert not calls.same(x, 1) and calls.same(x, 2)
    for _ in range(2):
        with pytest.raises(IndexError, match="out of bounds"):
            calls(x, 3)
        assert calls.same(x, 0)


def test_nothing_is_stored_where_a_check_fails():
    def store(x, i):
        x[:] = 9.0
        x[i] = 1.0

    calls = Calls(store)
    x = np.arange(3.0)
    calls(x, 0)
    calls(x, 1)
    assert calls.was_direct and x.tolist() == [9, 1, 9]
    x = np.arange(3.0)
    with pytest.raises(IndexError):
        calls(x, 5)
    assert x.tolist() == [0, 1, 2]


def test_false_alarms_run_the_precise_program_from_then_on():
    def guarded(x, i):
        return x[i] if i < 3 else np.float64(0)

    calls = Calls(guarded)
    x = np.arange(3.0)
    for i in (0, 1, 7, 7, 2, 5):
        calls.same(x, i)
    assert calls.was_direct


def test_mutation_and_overlaps():
    def update(x, y):
        x += y
        return x

    calls = Calls(update)
    memory = np.arange(16.0)
    x, y = memory[:4], memory[8:12]
    assert calls(x, y) is x and calls(x, y) is x and calls.was_direct
    assert memory[:4].tolist() == [16, 19, 22, 25]
    before = memory.copy()
    for overlapping in (memory[2:6], memory[3:7]):
        with pytest.raises(ingot.UnsupportedError, match="shares memory"):
            calls(x, overlapping)
    assert np.array_equal(memory, before)
    assert calls(x, memory[4:8]) is x and calls.was_direct


def test_large_inputs_are_not_copied_to_kept_memory():
    calls = Calls(lambda x, y, n: (x * n).sum() + y)
    for shape in ((100_000,), (300, 300)):
        x = np.ones(shape)
        assert not calls.same(x, np.ones(3), 2.0) and calls.same(x, np.ones(3), 3.0)
        assert calls.same(x[::-1].copy(), np.zeros(3), 0.5)


def test_what_runs_long_prints_or_changes_containers_is_called_by_python(capsys):
    def loop(x):
        while x.sum() < 100:
            x = x + 1
        return x

    def prints(x):
        print(x.sum())
        return x + 1

    def appends(x, items):
        items.append(x + 1)
        return len(items)

    for f, *args in [(loop, A), (prints, A), (appends, A, []), (np.linalg.eigvalsh, A @ A.T)]:
        # Native kernels are called directly, however long they run.
        calls = Calls(f, native=False)
        for _ in range(3):
            calls(*args)
            assert not calls.was_direct
    assert capsys.readouterr().out == "15.0\n" * 3


class Model:
    def __init__(self, w, b=0.0):
        self.w, self.b = w, b

    def predict(self, x):
        return self.w @ x + self.b


class Slotted(Model):
    __slots__ = ("scale",)


class Odd(Model):
    @property
    def __dict__(self):
        return {"w": np.ones(3), "b": 1.0}


def test_instances():
    calls = Calls(Model.predict)
    assert not calls.same(Model(np.ones(3)), A[0]) and calls.same(Model(np.arange(3.0)), A[0])
    model = Model(np.ones(3), 2.0)
    assert calls.same(model, A[0])
    model.w = np.ones((2, 3))
    assert not calls.same(model, A[0]) and calls.same(model, A[0])
    model.more = 1
    assert not calls.same(model, A[0])
    del model.more, model.b
    model.b, model.w = 2.0, model.w
    assert calls.same(model, A[0])
    del model.w
    model.w = A
    # The attributes have another order.
    assert not calls.same(model, A[0])
    for _ in range(2):
        calls(Slotted(np.ones(3)), A[0])
        assert not calls.was_direct
        with pytest.raises(ingot.UnsupportedError, match="`__dict__` of its own"):
            calls(Odd(np.ones(3)), A[0])


def test_methods(monkeypatch):
    compiled = ingot.jit(Model.predict)
    monkeypatch.setattr(Model, "run", compiled, raising=False)
    model = Model(np.ones(3))
    assert [model.run(np.ones(3)) for _ in range(3)] == [3, 3, 3] and compiled._direct_calls == 2
    model.w = np.zeros(3)
    assert model.run(np.ones(3)) == 0 and compiled._direct_calls == 3
    bound = ingot.jit(model.predict)
    assert [bound(np.ones(3)) for _ in range(3)] == [0, 0, 0] and bound._direct_calls == 2


def test_methods_that_change_their_object():
    class Counter:
        n = 0.0

        def add(self, x):
            self.n += x.sum()
            return self.n

    calls, counter = Calls(Counter.add), Counter()
    assert [calls(counter, np.ones(2)) for _ in range(4)] == [2, 4, 6, 8] and counter.n == 8


def test_what_the_process_adds(add):
    x, y = np.ones(8), np.zeros(8)
    with ingot.debug.trap_nans():
        assert not add.same(x, y) and add.same(x, y)
        with pytest.raises(FloatingPointError):
            add(np.full(8, 1.7e308), np.full(8, 1.7e308))
    assert not add.same(x, y) and add.same(x, y)


def test_jax_arrays(add):
    jax = pytest.importorskip("jax", reason="Ingot runs without jax")
    x = jax.numpy.ones(8)
    assert not isinstance(add(x, np.ones(8)), np.ndarray) and not add.was_direct
    assert add.same(np.ones(8), np.zeros(8))


def test_the_number_of_direct_calls_that_are_kept():
    calls = Calls(lambda x: x + 1)
    for _ in range(2):
        for size in range(1, 20):
            calls.same(np.ones(size))
    assert [calls.same(np.ones(size)) for size in range(19, 0, -1)] == [True] * 8 + [False] * 11
    assert all(calls.same(np.ones(size)) for size in range(1, 9))
