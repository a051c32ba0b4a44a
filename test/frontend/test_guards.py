"""Guards: what a program depends on besides its arguments, looked at before each call."""

import builtins
import collections
import gc
import math
import threading
import types
import weakref

import numpy as np
import pytest

import ingot
from ingot.syntax.guards import Reads, Varying, can_vary
from ingot.syntax.places import MISSING, Place, Read


class Owner:
    k = 1

    def __init__(self):
        self.x = [1, {"a": 2.0}]


class Slots:
    __slots__ = ("s",)


class Odd:
    """Whose comparisons and hash raise, as none of them should be asked."""

    def __eq__(self, other):
        raise RuntimeError("compared")

    __hash__ = object.__hash__


def guards_of(read):
    reads = Reads()
    read(reads)
    guards = reads.guards()
    assert guards.failed() == -1
    return guards


# What a read gives.


def test_reads_give_what_is_there():
    owner, reads, cell = Owner(), Reads(), types.CellType(5)
    assert reads.item({"a": 1}, "a") == 1
    assert reads.item({"a": 1}, "b") is MISSING
    assert reads.cell(cell) == 5
    assert reads.cell(types.CellType()) is MISSING
    assert reads.of_type(Owner, "k") == 1
    assert reads.of_type(Owner, "__init__") is Owner.__init__
    assert reads.of_type(Owner, "nope") is MISSING
    assert reads.attribute(owner, "k") == 1
    assert reads.attribute(Slots(), "s") is MISSING
    assert reads.fields(owner) is vars(owner)
    assert reads.class_of(owner) is Owner


@pytest.mark.parametrize(
    ("container", "expected"),
    [
        ([1, "a"], (1, "a")),
        ((1, 2), (1, 2)),
        ({"a": 1, 2: "b"}, (("a", 1), (2, "b"))),
        (collections.OrderedDict(a=1), (("a", 1),)),
        (collections.deque([1, 2]), (1, 2)),
        ({7}, (7,)),
        (frozenset({7}), (7,)),
        ([], ()),
    ],
)
def test_contents(container, expected):
    assert Reads().contents(container) == expected


def test_a_second_read_gives_what_the_first_found():
    namespace, reads = {"a": 1.0}, Reads()
    reads.item(namespace, "a")
    namespace["a"] = 2.0
    assert reads.item(namespace, "a") == 1.0
    assert reads.guards().failed() == 0


# When a guard holds.

VALUES = [
    (1.5, 1.5 + 0.0, True),
    (math.nan, float("nan"), True),
    (0.0, -0.0, False),
    (1, 1.0, False),
    (True, 1, False),
    (10**30, 10**30 + 0, True),
    (1 + 0j, complex(1, -0.0), False),
    ("".join(["a", "b"]), "ab", True),
    (b"ab", bytes([97, 98]), True),
    (None, 0, False),
    (np.float64(2), np.float64(2), True),
    (np.float64(2), np.float32(2), False),
    (np.float32(0.0), np.float32(-0.0), False),
    (np.str_("a"), np.str_("a"), True),
    ((1, "a", (2.0,)), (1, "a", (2.0,)), True),
    ((1, 2), (1, 2, 3), False),
    ([1], [1], False),
    (np.ones(2), np.ones(2), False),
    (Odd(), Odd(), False),
]


@pytest.mark.parametrize(
    ("before", "now", "holds"), VALUES, ids=lambda value: repr(value).partition(" at ")[0]
)
def test_equal_plain_values_are_the_same(before, now, holds):
    namespace, held, cell = {"a": before}, [before], types.CellType(before)
    guards = guards_of(
        lambda reads: (reads.item(namespace, "a"), reads.contents(held), reads.cell(cell))
    )
    namespace["a"], held[0], cell.cell_contents = now, now, now
    assert (guards.failed() == -1) == holds


def changes():
    """Of each kind of read: the read, a change, and its undoing."""
    owner, other = Owner(), vars(Owner()).copy()
    fields, namespace, cell = vars(owner), {"a": 1}, types.CellType(1)
    ordered = collections.OrderedDict(a=1, b=2)
    simple = types.SimpleNamespace(a=1)
    slots, held = Slots(), {1, 2}
    slots.s = 1
    array = np.zeros((2, 3))

    class Other(Owner):
        pass

    def f(a=1, *, b=2):
        return a

    def g(a=1, *, b=2):
        return b

    code, more = f.__code__, collections.deque([1])

    def set_shape(shape):
        array.shape = shape

    return {
        "item": (lambda r: r.item(namespace, "a"), lambda: namespace.update(a=2), lambda: namespace.update(a=1)),
        "item removed": (lambda r: r.item(namespace, "a"), lambda: namespace.pop("a"), lambda: namespace.update(a=1)),
        "item new": (lambda r: r.item(namespace, "b"), lambda: namespace.update(b=2), lambda: namespace.pop("b")),
        "cell": (lambda r: r.cell(cell), lambda: setattr(cell, "cell_contents", 2), lambda: setattr(cell, "cell_contents", 1)),
        "class attribute": (lambda r: r.of_type(Owner, "k"), lambda: setattr(Owner, "k", 2), lambda: setattr(Owner, "k", 1)),
        "shadowed": (lambda r: r.of_type(Other, "k"), lambda: setattr(Other, "k", 2), lambda: delattr(Other, "k")),
        "class attribute new": (lambda r: r.of_type(Owner, "z"), lambda: setattr(Owner, "z", 2), lambda: delattr(Owner, "z")),
        "instance attribute": (lambda r: r.item(r.fields(owner), "x"), lambda: fields.update(x=0), lambda: fields.update(x=old)),
        "all attributes": (lambda r: r.fields(owner), lambda: setattr(owner, "__dict__", other), lambda: setattr(owner, "__dict__", fields)),
        "class": (lambda r: r.class_of(owner), lambda: setattr(owner, "__class__", Other), lambda: setattr(owner, "__class__", Owner)),
        "slot": (lambda r: r.attribute(slots, "s"), lambda: setattr(slots, "s", 2), lambda: setattr(slots, "s", 1)),
        "slot empty": (lambda r: r.attribute(slots, "s"), lambda: delattr(slots, "s"), lambda: setattr(slots, "s", 1)),
        "code": (lambda r: r.attribute(f, "__code__"), lambda: setattr(f, "__code__", g.__code__), lambda: setattr(f, "__code__", code)),
        "default": (lambda r: r.attribute(f, "__defaults__"), lambda: setattr(f, "__defaults__", (2,)), lambda: setattr(f, "__defaults__", (1,))),
        "no default": (lambda r: r.attribute(f, "__defaults__"), lambda: setattr(f, "__defaults__", None), lambda: setattr(f, "__defaults__", (1,))),
        "keyword default": (lambda r: r.contents(f.__kwdefaults__), lambda: f.__kwdefaults__.update(b=3), lambda: f.__kwdefaults__.update(b=2)),
        "list": (lambda r: r.contents(old), lambda: old.append(1), lambda: old.pop()),
        "nested": (lambda r: r.everything(owner), lambda: old[1].update(a=3.0), lambda: old[1].update(a=2.0)),
        "dict key": (lambda r: r.contents(old[1]), lambda: old[1].update(b=3.0), lambda: old[1].pop("b")),
        "order": (lambda r: r.contents(ordered), lambda: ordered.move_to_end("a"), lambda: ordered.move_to_end("b")),
        "set": (lambda r: r.contents(held), lambda: held.add(5), lambda: held.remove(5)),
        "deque": (lambda r: r.contents(more), lambda: more.append(5), lambda: more.pop()),
        "namespace": (lambda r: r.everything(simple), lambda: setattr(simple, "b", 5), lambda: delattr(simple, "b")),
        "shape": (lambda r: r.item({"a": array}, "a"), lambda: set_shape(6), lambda: set_shape((2, 3))),
    } if (old := fields["x"]) else {}  # fmt: skip


@pytest.mark.parametrize("name", changes())
def test_each_change_is_seen(name):
    read, change, undo = changes()[name]
    guards = guards_of(read)
    for _ in range(2):
        change()
        assert guards.failed() >= 0
        assert guards.reason()
        undo()
        assert guards.failed() == -1
        assert guards.reason() == ""


def test_reasons():
    def reason(read, change):
        guards = guards_of(read)
        change()
        return guards.reason()

    module = types.ModuleType("m")
    module.__dict__.update(scale=2.0, xs=[1, 2], o=Owner(), __builtins__=builtins)
    namespace = vars(module)

    def f(a=1):
        return a

    def reads_x(reads):
        return reads.contents(reads.item(reads.fields(reads.item(namespace, "o")), "x"))

    assert reason(lambda r: r.item(namespace, "scale"), lambda: namespace.update(scale=3.0)) == (
        "global `scale` of module m was 2.0 and is 3.0"
    )
    assert reason(lambda r: r.item(namespace, "scale"), lambda: namespace.pop("scale")) == (
        "global `scale` of module m is gone"
    )
    assert reason(lambda r: r.item(namespace, "k"), lambda: namespace.update(k=3.0)) == (
        "global `k` of module m is new"
    )
    assert reason(
        lambda r: r.contents(r.item(namespace, "xs")) and None, lambda: module.xs.append(3)
    ) == ("what global `xs` of module m holds changed")
    assert reason(reads_x, lambda: module.o.x.__setitem__(0, 5)) == (
        "item 0 of attribute `x` of global `o` of module m was 1 and is 5"
    )
    assert reason(
        lambda r: r.attribute(f, "__defaults__"), lambda: setattr(f, "__defaults__", ())
    ) == ("a default of `f` changed")
    code = (lambda a=1: -a).__code__
    assert reason(lambda r: r.attribute(f, "__code__"), lambda: setattr(f, "__code__", code)) == (
        "the code of `f` changed"
    )


def test_guards_raise_nothing():
    class Raises:
        @property
        def p(self):
            raise RuntimeError("asked")

    class Key:
        armed = False

        def __hash__(self):
            return 1

        def __eq__(self, other):
            if Key.armed:
                raise RuntimeError("compared")
            return self is other

    namespace, key = {Key(): 1}, Key()
    guards = guards_of(lambda reads: reads.item(namespace, key))
    Key.armed = True
    assert guards.failed() == 0
    owner = types.SimpleNamespace()
    guards = guards_of(lambda reads: reads.attribute(owner, "p"))
    owner.p = 1
    assert guards.failed() == 0
    guards = guards_of(lambda reads: reads.attribute(Raises, "p"))
    assert guards.failed() == -1


def test_guards_hold_while_others_change_what_they_look_at():
    held = {i: i for i in range(100)}
    guards = guards_of(lambda reads: reads.contents(held))
    stop = threading.Event()

    def change():
        while not stop.is_set():
            held[1000] = 1
            del held[1000]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        assert {guards.failed() for _ in range(5000)} <= {-1, 0}
    finally:
        stop.set()
        thread.join()
    assert guards.failed() >= 0 or list(held) == list(range(100))


def test_guards_in_a_cycle_are_collected():
    owner = Owner()
    reads = Reads()
    reads.item(reads.fields(owner), "guards")
    owner.guards = reads.guards()
    gone = weakref.ref(owner)
    del owner, reads
    gc.collect()
    assert gone() is None


# Numbers that vary.


def test_what_can_vary():
    for value in (1, -1.5, 2j, np.float32(1), np.int8(3), np.complex128(1), np.ones(2)):
        assert can_vary(value)
    for value in (
        True,
        np.bool_(True),
        2**63,
        "a",
        None,
        np.str_("a"),
        np.longdouble(1),
        np.array([None]),
    ):
        assert not can_vary(value)


def test_a_varying_number_holds_for_any_of_its_type():
    namespace, held = {"a": 1.0, "n": 3}, [1, 2.0, "s"]
    places = {
        Place(Read.ITEM, namespace, "a"),
        Place(Read.ITEM, namespace, "n"),
        Place(Read.ELEMENT, held, 1),
    }
    reads = Reads(frozenset(places))
    assert reads.item(namespace, "a") == Varying(Place(Read.ITEM, namespace, "a"), 1.0)
    assert reads.item(namespace, "n").value == 3
    assert reads.contents(held) == (1, Varying(Place(Read.ELEMENT, held, 1), 2.0), "s")
    guards = reads.guards()
    namespace["a"], held[1] = 7.5, 3.5
    assert guards.failed() == -1
    for where, key, other in (
        (namespace, "a", 1),
        (namespace, "n", 2**63),
        (held, 1, 1),
        (held, 0, 3),
    ):
        before, where[key] = where[key], other
        assert guards.failed() >= 0
        where[key] = before
    assert guards.failed() == -1


def test_what_is_used_as_a_whole_does_not_vary():
    held = [1, 2.0]
    reads = Reads(frozenset({Place(Read.ELEMENT, held, 1)}))
    reads.contents(held)
    reads.everything(held)
    guards = reads.guards()
    held[1] = 3.0
    assert guards.failed() == 0


def test_the_numbers_that_changed():
    namespace = {"a": 1.0, "n": 3, "s": "x", "b": True}
    held = [1, 2]
    guards = guards_of(lambda r: (*(r.item(namespace, k) for k in namespace), r.contents(held)))
    namespace.update(a=2.0, n=3.0, s="y", b=False)
    held[1] = 5
    assert guards.replaced() == {
        Place(Read.ITEM, namespace, "a"), Place(Read.ELEMENT, held, 1),
    }  # fmt: skip


# What compiled functions do.

SCALE = 2.0
FLAG = True
SPACE = types.SimpleNamespace(k=2.0)
MEMBERS = {1.0, 2.0}


class Model:
    k = 2.0

    def __init__(self):
        self.w = 3.0

    def scaled(self, x):
        return x * self.k * self.w

    @property
    def twice(self):
        return 2 * self.w


MODEL = Model()


def helper(x, k=2.0, *, shift=1.0):
    return x * k + shift


def reads_global(x):
    return x * SCALE


def reads_builtin(x):
    return abs(x)


def reads_namespace(x):
    return x * SPACE.k


def reads_class(x):
    return x * Model.k


def reads_method(x):
    return MODEL.scaled(x)


def reads_property(x):
    return x * MODEL.twice


def reads_defaults(x):
    return helper(x)


def reads_members(x):
    return x + len(MEMBERS)


def reads_module(x):
    return x * math.tau


def replace_code(monkeypatch):
    def other(x, k=2.0, *, shift=1.0):
        return x - k - shift

    monkeypatch.setattr(helper, "__code__", other.__code__)


CHANGES = {
    "global": (reads_global, lambda m: m.setitem(globals(), "SCALE", 3.0)),
    "type": (reads_global, lambda m: m.setitem(globals(), "SCALE", 3)),
    "builtin shadowed": (reads_builtin, lambda m: m.setitem(globals(), "abs", np.sin)),
    "builtin replaced": (reads_builtin, lambda m: m.setattr(builtins, "abs", np.sin)),
    "namespace": (reads_namespace, lambda m: m.setattr(SPACE, "k", 3.0)),
    "class": (reads_class, lambda m: m.setattr(Model, "k", 3.0)),
    "class of a method": (reads_method, lambda m: m.setattr(Model, "k", 3.0)),
    "instance": (reads_method, lambda m: m.setattr(MODEL, "w", 5.0)),
    "instance shadows": (reads_method, lambda m: m.setattr(MODEL, "k", 5.0, raising=False)),
    "method": (reads_method, lambda m: m.setattr(Model, "scaled", lambda self, x: x - self.w)),
    "property": (reads_property, lambda m: m.setattr(Model, "twice", property(lambda self: self.k))),
    "defaults": (reads_defaults, lambda m: m.setattr(helper, "__defaults__", (5.0,))),
    "keyword defaults": (reads_defaults, lambda m: m.setitem(helper.__kwdefaults__, "shift", 5.0)),
    "code": (reads_defaults, replace_code),
    "set": (reads_members, lambda m: m.setitem(globals(), "MEMBERS", {1.0})),
    "module": (reads_module, lambda m: m.setattr(math, "tau", 1.0)),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_recompiles(name, monkeypatch):
    function, change = CHANGES[name]
    x = np.arange(3.0) - 1
    f = ingot.jit(function)
    before = f(x)
    np.testing.assert_allclose(before, function(x))
    with monkeypatch.context() as context:
        change(context)
        expected = function(x)
        np.testing.assert_allclose(f(x), expected)
        assert not np.array_equal(expected, before)
    np.testing.assert_allclose(f(x), before)


def test_a_member_of_a_set(monkeypatch):
    f = ingot.jit(reads_members)
    assert f(1.0) == 3.0
    MEMBERS.add(5.0)
    try:
        assert f(1.0) == 4.0
    finally:
        MEMBERS.remove(5.0)


def test_a_closure():
    k = 2.0

    def f(x):
        return x * k

    compiled = ingot.jit(f)
    assert compiled(1.5) == 3.0
    k = 4.0
    assert compiled(1.5) == 6.0


def test_a_captured_array_of_another_shape(monkeypatch):
    array = np.arange(6.0)

    def f(x):
        return x + array

    compiled = ingot.jit(f)
    assert compiled(1.0).shape == (6,)
    array.shape = (2, 3)
    assert compiled(1.0).shape == (2, 3)


def test_an_attribute_that_a_module_makes_when_it_is_asked():
    module = types.ModuleType("lazy")

    def made(name):
        if name != "k":
            raise AttributeError(name)
        module.k = 3.0
        return module.k

    module.__getattr__ = made
    f = ingot.jit(lambda x: x * module.k)
    assert [f(2.0), f(2.0)] == [6.0, 6.0]
    assert len(f._compiled) == 1


# Arrays that others replace.

WEIGHTS = np.ones(3)
PAIR = [np.ones(3), np.zeros(3)]


def reads_weights(x):
    return x * WEIGHTS


def reads_pair(x):
    return x * PAIR[0] + PAIR[1]


def writes_weights(x):
    WEIGHTS[0] += 1
    return WEIGHTS * x + OTHER


OTHER = WEIGHTS


def test_replaced_arrays_recompile_once(monkeypatch):
    f = ingot.jit(reads_weights)
    for k in range(6):
        monkeypatch.setitem(globals(), "WEIGHTS", np.arange(3.0) + k)
        np.testing.assert_array_equal(f(2.0), reads_weights(2.0))
        WEIGHTS[1] = 7
        np.testing.assert_array_equal(f(2.0), reads_weights(2.0))
    assert len(f._compiled) == 2
    for other in (np.ones(2), np.ones(3, np.float32), np.ones((2, 3)), 5.0, np.ones(3)):
        monkeypatch.setitem(globals(), "WEIGHTS", other)
        np.testing.assert_array_equal(f(2.0), reads_weights(2.0))


def test_a_replaced_array_gets_another_shape_in_place(monkeypatch):
    f = ingot.jit(reads_weights)
    for k in range(3):
        monkeypatch.setitem(globals(), "WEIGHTS", np.arange(6.0) + k)
        f(2.0)
    WEIGHTS.shape = (2, 3)
    np.testing.assert_array_equal(f(2.0), reads_weights(2.0))


def test_replaced_arrays_that_are_stored_to(monkeypatch):
    f = ingot.jit(writes_weights)
    for k in range(4):
        ours, plain = np.arange(3.0) + k, np.arange(3.0) + k
        monkeypatch.setitem(globals(), "WEIGHTS", plain)
        monkeypatch.setitem(globals(), "OTHER", plain)
        expected = writes_weights(2.0)
        monkeypatch.setitem(globals(), "WEIGHTS", ours)
        monkeypatch.setitem(globals(), "OTHER", ours)
        np.testing.assert_array_equal(f(2.0), expected)
        np.testing.assert_array_equal(ours, plain)


def test_replaced_arrays_in_a_list():
    f = ingot.jit(reads_pair)
    saved = PAIR[:]
    try:
        for k in range(3):
            PAIR[k % 2] = np.arange(3.0) + k
            np.testing.assert_array_equal(f(2.0), reads_pair(2.0))
    finally:
        PAIR[:] = saved


# Random changes: each of these does something to the state that `mixed` reads.

STATE = types.SimpleNamespace(a=1.0, b=2)
BOX = {"k": 1.0, "w": np.ones(2)}
LIST = [1.0, 2]


class Base:
    c = 1.0

    def method(self, x):
        return x * self.c


class Derived(Base):
    pass


OBJECT = Derived()
VALUES_OF_ALL_KINDS = [
    0,
    1,
    2,
    1.0,
    2.0,
    -0.0,
    2.5,
    True,
    False,
    np.float32(1.5),
    np.int64(3),
    1j,
    2**40,
]


def mixed(x, k=1.0):
    total = x * STATE.a + STATE.b + BOX["k"] + LIST[0] * len(LIST)
    if LIST[-1] == 2:
        total = total + 1
    return OBJECT.method(total) + k * BOX["w"].sum()


def random_change(rng):
    value = VALUES_OF_ALL_KINDS[rng.integers(len(VALUES_OF_ALL_KINDS))]
    place = rng.integers(11)
    if place == 0:
        STATE.a = value
    elif place == 1:
        STATE.b = value
    elif place == 2:
        BOX["k"] = value
    elif place == 3:
        BOX["w"] = np.arange(float(rng.integers(1, 4)))
    elif place == 4:
        LIST[0] = value
    elif place == 5:
        LIST.append(value)
    elif place == 6 and len(LIST) > 1:
        LIST.pop()
    elif place == 7:
        Base.c = value
    elif place == 8 and "c" not in vars(Derived):
        Derived.c = value
    elif place == 8:
        del Derived.c
    elif place == 9:
        OBJECT.c = value
    elif place == 10:
        mixed.__defaults__ = (value,)


@pytest.mark.parametrize("seed", range(3))
def test_random_changes(seed):
    rng = np.random.default_rng(seed)
    f = ingot.jit(mixed)
    saved = (vars(STATE).copy(), BOX.copy(), LIST[:])
    x = np.arange(3.0)
    try:
        for _ in range(40):
            random_change(rng)
            expected = mixed(x)
            actual = f(x)
            assert actual.dtype == expected.dtype
            np.testing.assert_allclose(actual, expected, rtol=1e-12)
    finally:
        vars(STATE).update(saved[0])
        BOX.update(saved[1])
        LIST[:] = saved[2]
        Base.c, mixed.__defaults__ = 1.0, (1.0,)
        for owner in (Derived, OBJECT):
            if "c" in vars(owner):
                del owner.c
