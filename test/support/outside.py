"""Objects of all kinds that a function may read from outside, with what changes them and ways to read them.

A module is written in which a function stands for each kind, each place where the object lies, and each read.
"""

import array
import collections
import contextvars
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import io
import itertools
import os
import pathlib
import re
import string
import threading
import types
import typing
import uuid
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Kind:
    """A kind of object.

    Attributes:
        make: makes one that holds a number.
        reads: expressions of the object `o`.
        change: makes it hold another number, in place; None for what never changes.
        enter: gives the current thread another number, where each has its own.
        is_endless: whether iteration never ends.
    """

    make: Callable[[int], Any]
    reads: tuple[str, ...]
    change: Callable[[Any, int], None] | None = None
    enter: Callable[[Any, int], None] | None = None
    is_endless: bool = False


#: What is asked of each kind; most have only some of these.
GENERIC = (
    "len(o)", "2 in o", "[e for e in o]", "o[0]", "o.v", "o == OTHER", "o()", "bool(o)", "str(o)", "hash(o) % 7",
    "hasattr(o, 'v')", "getattr(o, 'v', 5)", "isinstance(o, Base)", "f'{o}'", "sorted(o)", "max(o)", "tuple(o)",
    "repr(o)", "o is OTHER", "o + 1",
)  # fmt: skip


class Base:
    pass


class Plain:
    def __init__(self, v):
        self.v = v


class Slots:
    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v


class WithGetattr:
    def __init__(self, v):
        self._d = {"v": v}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self._d[name]


class WithGetattribute:
    def __init__(self, v):
        object.__setattr__(self, "_v", v)

    def __getattribute__(self, name):
        return (
            object.__getattribute__(self, "_v")
            if name == "v"
            else object.__getattribute__(self, name)
        )


class WithProperty:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v

    def method(self):
        return self._v

    def __len__(self):
        return self._v

    def __bool__(self):
        return self._v > 1

    def __contains__(self, x):
        return x == self._v

    def __iter__(self):
        return iter([self._v, 7])

    def __getitem__(self, i):
        return self._v + i

    def __call__(self):
        return self._v

    def __eq__(self, other):
        return self._v == 2

    def __hash__(self):
        return self._v

    def __str__(self):
        return f"it is {self._v}"

    def __add__(self, other):
        return self._v + other


class Callback:
    def __init__(self, v):
        self.v = v

    def __call__(self):
        return self.v


class Descriptor:
    def __init__(self, v):
        self.held = v

    def __get__(self, owner, kind):
        return self.held


def with_class_attribute(v):
    class C:
        pass

    C.v = v
    return C


def with_descriptor(v):
    class C:
        pass

    C.v = Descriptor(v)
    return C


def instance_with_descriptor(v):
    return with_descriptor(v)()


class Meta(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return cls.held

    def __len__(cls):
        return cls.held

    def __contains__(cls, x):
        return x == cls.held

    @property
    def prop(cls):
        return cls.held


def with_meta(v):
    return Meta("M", (), {"held": v})


class MetaGetattribute(type):
    def __getattribute__(cls, name):
        return (
            type.__getattribute__(cls, "held") if name == "v" else type.__getattribute__(cls, name)
        )


def with_meta_getattribute(v):
    return MetaGetattribute("M", (), {"held": v})


def with_bases(v):
    class A:
        v = 1

    class B(Base):
        v = 2

    class C(A):
        pass

    with_bases_change(C, v, A, B)
    C.made_of = A, B
    return C


def with_bases_change(kind, v, *bases):
    bases = bases or kind.made_of
    kind.__bases__ = (bases[0] if v == 1 else bases[1],)


Point = collections.namedtuple("Point", "v w")


class Typed(typing.NamedTuple):
    v: int
    w: int = 5


@dataclasses.dataclass
class Data:
    v: int


@dataclasses.dataclass(frozen=True)
class Frozen:
    v: int


@dataclasses.dataclass(slots=True)
class DataSlots:
    v: int


@dataclasses.dataclass(frozen=True)
class Holding:
    held: list

    @property
    def v(self):
        return self.held[0]


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


class Level(enum.IntEnum):
    LOW = 1
    MID = 2
    HIGH = 3


class Permission(enum.Flag):
    R = 1
    W = 2
    X = 4


class Changing(enum.Enum):
    ONE = 1

    def __bool__(self):
        return self.state[0] > 1

    def __len__(self):
        return self.state[0]

    def __str__(self):
        return f"c{self.state[0]}"


def changing(v):
    Changing.ONE.state = [v]
    return Changing.ONE


class MyInt(int):
    pass


class MyStr(str):
    pass


class MyFloat(float):
    pass


class MyDict(dict):
    pass


class MyList(list):
    pass


class MyTuple(tuple):
    pass


class MySet(set):
    pass


class MyLocal(threading.local):
    pass


def set_attribute(name="v"):
    return lambda o, v: setattr(o, name, v)


def set_item(key=0):
    return lambda o, v: o.__setitem__(key, v)


def local(kind):
    def make(v):
        made = kind()
        made.v = v
        return made

    return make


def context(v):
    made = contextvars.ContextVar("made", default=0)
    made.set(v)
    return made


def module(v):
    made = types.ModuleType("made")
    made.v = v
    return made


def lazy_module(v):
    made = types.ModuleType("made")
    made.__getattr__ = lambda name, v=v: v
    return made


def module_of_state(v):
    made = types.ModuleType("made")
    made.state = [v]
    exec("def __getattr__(name):\n    return state[0]\n", vars(made))
    return made


def function(v):
    def made():
        return v

    return made


def set_cell(o, v):
    o.__closure__[0].cell_contents = v


def function_attribute(v):
    def made():
        return made.v

    made.v = v
    return made


def function_default(v):
    def made(n=v):
        return n

    return made


def cached(v):
    state = [v]

    @functools.lru_cache
    def made():
        return state[0]

    made.state = state
    made()
    return made


def change_cached(o, v):
    o.state[0] = v
    o.cache_clear()


class WithCached:
    def __init__(self, v):
        self.held = v

    @functools.cached_property
    def v(self):
        return self.held


def change_cached_property(o, v):
    o.held = v
    o.__dict__.pop("v", None)


def proxied(v):
    made = Plain(v)
    PROXIED.append(made)
    return weakref.proxy(made)


def proxied_list(v):
    made = MySet([v, 2, 9])
    PROXIED.append(made)
    return weakref.proxy(made)


def referenced(v):
    made = Plain(v)
    PROXIED.append(made)
    return weakref.ref(made)


#: What keeps alive what weak references refer to.
PROXIED: list[Any] = []


def weak_values(v):
    made = Plain(v)
    PROXIED.append(made)
    return weakref.WeakValueDictionary({0: made})


def weak_keys(v):
    made = weakref.WeakKeyDictionary()
    made[Color.RED] = v
    return made


def counter(v):
    return collections.Counter({0: v, 5: 1})


def default_dict(v):
    made = collections.defaultdict(int)
    made[0] = v
    return made


def structured(v):
    made = np.zeros(2, [("v", "f8"), ("n", "i4")])
    made["v"] = v
    return made


def record(v):
    return structured(v)[0]


def masked(v):
    return np.ma.masked_array([v, 2.0, 3.0], mask=[False, False, True])


def generator(v):
    return np.random.default_rng(v)


def state(v):
    return np.random.RandomState(v)


def environment(v):
    os.environ["INGOT_TEST_VALUE"] = str(v)
    return os.environ


def with_context(v):
    decimal.getcontext().prec = v + 2
    return decimal.Decimal(1)


def set_precision(o, v):
    decimal.getcontext().prec = v + 2


def write(o, v):
    o.seek(0)
    o.truncate()
    o.write(str(v))


SEQUENCE = ("len(o)", "o[0]", "2 in o", "o[-1] + len(o)", "list(o)", "sum(o)", "o == OTHER", "bool(o)", "o.index(5)",
            "o.count(2)", "[e + 1 for e in o]", "max(o)", "o[0:2]", "str(o)")  # fmt: skip
MAPPING = ("len(o)", "o[0]", "0 in o", "o.get(0)", "o.get(9, 4)", "list(o)", "list(o.values())", "dict(o) == OTHER",
           "[k for k in o]", "[v for k, v in o.items()]", "sum(o.values())", "bool(o)", "str(o)")  # fmt: skip
ELEMENTS = ("len(o)", "2 in o", "sorted(o)", "sum(o)", "bool(o)", "o == OTHER", "o <= {1, 2, 3, 9}", "o & {2}",
            "min(o)", "[e for e in o]")  # fmt: skip
ATTRIBUTE = (
    "o.v",
    "getattr(o, 'v')",
    "hasattr(o, 'v')",
    "getattr(o, 'v', 7)",
    "o.v + 1",
    "bool(o.v)",
)
NUMBER = (
    "o + 1",
    "o * 2.5",
    "o == 2",
    "o < 2",
    "bool(o - 1)",
    "float(o)",
    "int(o)",
    "str(o)",
    "f'{o}'",
    "abs(o)",
    "-o",
)

KINDS: dict[str, Kind] = {
    # Python's containers.
    "list": Kind(lambda v: [v, 5], SEQUENCE, set_item()),
    "tuple": Kind(lambda v: (v, 5), SEQUENCE),
    "tuple of lists": Kind(lambda v: ([v], 5), ("o[0][0]", "len(o[0])", "v_of(o)", "o == ([2], 5)"), lambda o, v: o[0].__setitem__(0, v)),
    "tuple of sets": Kind(lambda v: (frozenset([v, 5]), v), ("len(o[0])", "2 in o[0]", "sorted(o[0])", "o == OTHER")),
    "dict": Kind(lambda v: {0: v, 5: 1}, MAPPING, set_item()),
    "dict of texts": Kind(lambda v: {"v": v}, ("o['v']", "len(o)", "'v' in o", "{**o}['v']"), set_item("v")),
    "set": Kind(lambda v: {v, 9, 2}, ELEMENTS, lambda o, v: (o.clear(), o.update({v, 9, 2}))),
    "frozenset": Kind(lambda v: frozenset({v, 9, 2}), ELEMENTS),
    "frozenset of texts": Kind(lambda v: frozenset("abcdefgh"[: v + 4]), ("len(o)", "'f' in o", "''.join(sorted(o))", "''.join(o)", "[e for e in o]")),
    "frozenset of sets": Kind(lambda v: frozenset([frozenset([v, 5])]), ("len(o)", "frozenset([2, 5]) in o", "[2 in e for e in o]")),
    "deque": Kind(lambda v: collections.deque([v, 5]), SEQUENCE, set_item()),
    "defaultdict": Kind(default_dict, MAPPING, set_item()),
    "OrderedDict": Kind(lambda v: collections.OrderedDict([(0, v), (5, 1)]), MAPPING, set_item()),
    "Counter": Kind(counter, (*MAPPING, "o.most_common(1)"), set_item()),
    "ChainMap": Kind(lambda v: collections.ChainMap({0: v}, {5: 1}), MAPPING, set_item()),
    "MappingProxyType": Kind(lambda v: types.MappingProxyType({0: v, 5: 1}), MAPPING),
    "keys": Kind(lambda v: {v: 1, 9: 2}.keys(), ELEMENTS),
    "values": Kind(lambda v: {1: v, 9: 2}.values(), ("len(o)", "2 in o", "sum(o)", "list(o)")),
    "items": Kind(lambda v: {1: v, 9: 2}.items(), ("len(o)", "(1, 2) in o", "list(o)")),
    "UserDict": Kind(lambda v: collections.UserDict({0: v, 5: 1}), MAPPING, set_item()),
    "UserList": Kind(lambda v: collections.UserList([v, 5]), SEQUENCE, set_item()),
    "UserString": Kind(lambda v: collections.UserString("abcd"[:v]), ("len(o)", "'b' in o", "str(o)", "o == 'ab'", "o.upper()"), lambda o, v: setattr(o, "data", "abcd"[:v])),
    "a list's subclass": Kind(lambda v: MyList([v, 5]), SEQUENCE, set_item()),
    "a dict's subclass": Kind(lambda v: MyDict({0: v, 5: 1}), MAPPING, set_item()),
    "a tuple's subclass": Kind(lambda v: MyTuple([v, 5]), SEQUENCE),
    "a set's subclass": Kind(lambda v: MySet([v, 9, 2]), ELEMENTS, lambda o, v: (o.clear(), o.update({v, 9, 2}))),
    "namedtuple": Kind(lambda v: Point(v, 5), (*SEQUENCE, *ATTRIBUTE, "o._fields", "o._asdict()['v']", "o._replace(w=3)[0]")),
    "NamedTuple": Kind(lambda v: Typed(v), (*SEQUENCE, *ATTRIBUTE)),
    "namedtuple of lists": Kind(lambda v: Point([v], 5), ("o.v[0]", "o[0][0]", "len(o.v)"), lambda o, v: o.v.__setitem__(0, v)),
    "namedtuple of sets": Kind(lambda v: Point(frozenset([v, 5]), v), ("len(o.v)", "2 in o.v", "2 in o[0]")),
    "range": Kind(lambda v: range(v, 9, 2), ("len(o)", "o[0]", "2 in o", "list(o)", "sum(o)", "o.start", "o == OTHER", "bool(o)", "o.index(5)", "str(o)", "[e for e in o]")),
    "slice": Kind(lambda v: slice(v, 9), ("o.start", "o.stop", "[5, 6, 7, 8][o]", "o == slice(2, 9)", "str(o)", "x[o].sum()", "o.indices(3)")),
    "bytes": Kind(lambda v: bytes([v, 5]), ("len(o)", "o[0]", "2 in o", "list(o)", "o == OTHER", "str(o)", "bool(o)", "o.hex()", "o + b'a'")),
    "bytearray": Kind(lambda v: bytearray([v, 5]), SEQUENCE, set_item()),
    "memoryview": Kind(lambda v: memoryview(bytearray([v, 5])), SEQUENCE, set_item()),
    "memoryview of bytes": Kind(lambda v: memoryview(bytes([v, 5])), SEQUENCE),
    "array.array": Kind(lambda v: array.array("i", [v, 5]), SEQUENCE, set_item()),
    "str": Kind(lambda v: "abcd"[:v], ("len(o)", "'b' in o", "o[0]", "o == 'ab'", "o.upper()", "o + 'z'", "[e for e in o]", "bool(o)", "f'{o}!'", "o.join('xy')")),
    "iterator": Kind(lambda v: iter([v, 5]), ("[e for e in o]", "next(o)", "list(o)", "2 in o", "sum(o)")),
    "generator": Kind(lambda v: (e for e in [v, 5]), ("[e for e in o]", "next(o)", "2 in o")),
    "count": Kind(lambda v: itertools.count(v), ("next(o)", "str(o)", "bool(o)"), is_endless=True),
    "StringIO": Kind(lambda v: io.StringIO(str(v)), ("o.getvalue()", "o.read()", "o.closed", "o.tell()"), write),
    # Numbers and values.
    "int": Kind(lambda v: v, NUMBER), "float": Kind(lambda v: float(v), NUMBER),
    "complex": Kind(lambda v: complex(v, 1), ("o + 1", "o.real", "o == 2+1j", "abs(o)", "str(o)")),
    "bool": Kind(lambda v: v == 2, ("o + 1", "not o", "o == True", "str(o)")),
    "a long int": Kind(lambda v: 10**5000 + v, ("o % 7", "o > 5", "bool(o)", "o == 10**5000 + 2")),
    "negative nan": Kind(lambda v: [float("nan"), -float("nan")][v % 2], ("np.signbit(o)", "np.copysign(1.0, o)", "math.copysign(1.0, o)")),
    "None": Kind(lambda v: None if v == 2 else 1, ("o is None", "o == None", "bool(o)", "str(o)")),
    "an int's subclass": Kind(lambda v: MyInt(v), NUMBER), "a float's subclass": Kind(lambda v: MyFloat(v), NUMBER),
    "a str's subclass": Kind(lambda v: MyStr("abcd"[:v]), ("len(o)", "'b' in o", "str(o)")),
    "Decimal": Kind(lambda v: decimal.Decimal(v), (*NUMBER, "o / 3 == decimal.Decimal(2) / 3")),
    "Decimal in a context": Kind(with_context, ("float(o / 3)", "str(o / 7)", "o / 3 == OTHER", "float(o.sqrt() / 3)", "-(o / 3)"), set_precision, set_precision),
    "Fraction": Kind(lambda v: fractions.Fraction(v, 3), (*NUMBER, "o.numerator")),
    "date": Kind(lambda v: datetime.date(2020, 1, v), ("o.day", "o.year", "str(o)", "o == OTHER", "o < datetime.date(2020, 1, 2)", "(o - datetime.date(2020, 1, 1)).days", "o.isoformat()")),
    "datetime": Kind(lambda v: datetime.datetime(2020, 1, v), ("o.day", "str(o)", "o == OTHER", "o.timestamp()", "(o - datetime.datetime(2020, 1, 1)).days")),
    "timedelta": Kind(lambda v: datetime.timedelta(days=v), ("o.days", "o.total_seconds()", "bool(o)", "str(o)", "o == OTHER")),
    "time": Kind(lambda v: datetime.time(v), ("o.hour", "str(o)", "o == OTHER")),
    "Path": Kind(lambda v: pathlib.PurePosixPath(f"/a/{v}"), ("o.name", "str(o)", "o == OTHER", "o.parts", "len(o.parts)", "o / 'b' == OTHER")),
    "UUID": Kind(lambda v: uuid.UUID(int=v), ("o.int", "str(o)", "o == OTHER", "o.hex")),
    "re.Pattern": Kind(lambda v: re.compile("a" * v), ("o.pattern", "o.match('aaa') is None", "bool(o.search('a'))", "o == OTHER", "o.flags")),
    "Template": Kind(lambda v: string.Template(f"$x {v}"), ("o.template", "o.substitute(x=1)"), lambda o, v: setattr(o, "template", str(v))),
    "Enum": Kind(lambda v: Color(v), ("o.value", "o.name", "o == Color.GREEN", "o is Color.GREEN", "str(o)", "bool(o)", "o in (Color.GREEN,)")),
    "IntEnum": Kind(lambda v: Level(v), ("o.value", "o + 1", "o == 2", "o < 2", "str(o)", "bool(o - 1)", "[7, 8, 9, 10][o]")),
    "Flag": Kind(lambda v: Permission(v), ("o.value", "bool(o & Permission.W)", "o == Permission.W", "Permission.W in o")),
    "Enum with operators": Kind(changing, ("bool(o)", "len(o)", "str(o)", "f'{o}'", "1 if o else 2", "o.state[0]"), lambda o, v: o.state.__setitem__(0, v)),
    "exception": Kind(lambda v: ValueError(v), ("o.args[0]", "str(o)", "bool(o)", "len(o.args)"), lambda o, v: setattr(o, "args", (v,))),
    # Objects with attributes.
    "instance": Kind(Plain, ATTRIBUTE, set_attribute()), "slots": Kind(Slots, ATTRIBUTE, set_attribute()),
    "__getattr__": Kind(WithGetattr, ATTRIBUTE, lambda o, v: o._d.__setitem__("v", v)),
    "__getattribute__": Kind(WithGetattribute, ATTRIBUTE, lambda o, v: object.__setattr__(o, "_v", v)),
    "operators": Kind(WithProperty, ("o.v", "o.method()", "len(o)", "bool(o)", "2 in o", "[e for e in o]", "o[3]", "o()", "o == 1", "hash(o)", "str(o)", "f'{o}'", "o + 1", "list(o)"), set_attribute("_v")),
    "callable": Kind(Callback, ("o()", "o.v", "callable(o)"), set_attribute()),
    "dataclass": Kind(Data, (*ATTRIBUTE, "o == Data(2)", "str(o)"), set_attribute()),
    "frozen dataclass": Kind(Frozen, (*ATTRIBUTE, "o == Frozen(2)", "str(o)", "hash(o) == hash(Frozen(2))")),
    "dataclass with slots": Kind(DataSlots, (*ATTRIBUTE, "o == DataSlots(2)"), set_attribute()),
    "frozen dataclass of lists": Kind(lambda v: Holding([v]), (*ATTRIBUTE, "o.held[0]", "len(o.held)"), lambda o, v: o.held.__setitem__(0, v)),
    "SimpleNamespace": Kind(lambda v: types.SimpleNamespace(v=v), (*ATTRIBUTE, "o == OTHER", "str(o)"), set_attribute()),
    "cached_property": Kind(WithCached, ("o.v", "o.v + o.v", "hasattr(o, 'v')"), change_cached_property),
    "descriptor": Kind(instance_with_descriptor, ATTRIBUTE, lambda o, v: setattr(vars(type(o))["v"], "held", v)),
    "class": Kind(with_class_attribute, (*ATTRIBUTE, "o.__name__", "str(o) == OTHER", "bool(o)"), set_attribute()),
    "class with a descriptor": Kind(with_descriptor, ATTRIBUTE, lambda o, v: setattr(vars(o)["v"], "held", v)),
    "metaclass": Kind(with_meta, (*ATTRIBUTE, "o.other", "len(o)", "2 in o", "o.prop", "bool(o)"), set_attribute("held")),
    "metaclass with __getattribute__": Kind(with_meta_getattribute, ATTRIBUTE, set_attribute("held")),
    "bases": Kind(with_bases, ("o.v", "issubclass(o, Base)", "isinstance(o(), Base)", "o().v"), with_bases_change),
    "module": Kind(module, ATTRIBUTE, set_attribute()),
    "module with __getattr__": Kind(lazy_module, ("o.v", "o.other", "hasattr(o, 'v')", "getattr(o, 'v', 1)", "o.v + o.v"), lambda o, v: setattr(o, "__getattr__", lambda name: v)),
    "module whose __getattr__ has state": Kind(module_of_state, ("o.v", "o.other + 1", "getattr(o, 'v', 1)"), lambda o, v: o.state.__setitem__(0, v)),
    # Functions.
    "closure": Kind(function, ("o()", "o.__name__", "bool(o)", "o.__closure__[0].cell_contents"), set_cell),
    "function with attributes": Kind(function_attribute, ("o()", *ATTRIBUTE), set_attribute()),
    "function with a default": Kind(function_default, ("o()", "o.__defaults__[0]"), lambda o, v: setattr(o, "__defaults__", (v,))),
    "function's name": Kind(lambda v: rename(function(1), v), ("o.__name__", "o.__qualname__", "o.__doc__"), lambda o, v: rename(o, v)),
    "partial": Kind(lambda v: functools.partial(max, v), ("o(1)", "o.args[0]", "o.func is max", "bool(o)")),
    "partial of a list": Kind(lambda v: functools.partial(max, [v]), ("o()", "o.args[0][0]"), lambda o, v: o.args[0].__setitem__(0, v)),
    "bound method": Kind(lambda v: WithProperty(v).method, ("o()", "o.__self__.v", "o.__name__"), lambda o, v: setattr(o.__self__, "_v", v)),
    "method of a list": Kind(lambda v: [v, 2].count, ("o(2)", "o.__self__[0]"), lambda o, v: o.__self__.__setitem__(0, v)),
    "method of a dict": Kind(lambda v: {0: v}.get, ("o(0)", "o(1, 2)"), lambda o, v: o.__self__.__setitem__(0, v)),
    "lru_cache": Kind(cached, ("o()", "o.__name__", "o() + o()"), change_cached),
    "property": Kind(lambda v: property(lambda self: v), ("o.fget(1)", "bool(o)", "o.fset is None")),
    "itemgetter": Kind(lambda v: __import__("operator").itemgetter(v % 2), ("o([5, 6])", "str(o)")),
    "weakref": Kind(referenced, ("o().v", "o() is None", "bool(o)"), lambda o, v: setattr(o(), "v", v)),
    "weak proxy": Kind(proxied, (*ATTRIBUTE, "bool(o)", "str(o)"), set_attribute()),
    "weak proxy of a set": Kind(proxied_list, ("len(o)", "2 in o", "bool(o)", "o == {2, 9}", "sorted(o)"), lambda o, v: (o.clear(), o.update([v, 2, 9]))),
    "WeakValueDictionary": Kind(weak_values, ("o[0].v", "len(o)", "0 in o"), lambda o, v: setattr(o[0], "v", v)),
    "WeakKeyDictionary": Kind(weak_keys, ("o[Color.RED]", "len(o)", "Color.RED in o"), lambda o, v: o.__setitem__(Color.RED, v)),
    # What belongs to a thread or to the process.
    "threading.local": Kind(local(threading.local), ATTRIBUTE, set_attribute(), set_attribute()),
    "a threading.local's subclass": Kind(local(MyLocal), ATTRIBUTE, set_attribute(), set_attribute()),
    "ContextVar": Kind(context, ("o.get()", "o.name", "bool(o)"), lambda o, v: o.set(v), lambda o, v: o.set(v)),
    "environ": Kind(environment, ("os.environ['INGOT_TEST_VALUE']", "os.environ.get('INGOT_TEST_VALUE')", "'INGOT_TEST_VALUE' in os.environ", "os.getenv('INGOT_TEST_VALUE')", "o['INGOT_TEST_VALUE']", "len(o) * 0"), set_text := lambda o, v: o.__setitem__("INGOT_TEST_VALUE", str(v))),
    # NumPy's.
    "np.float64": Kind(lambda v: np.float64(v), (*NUMBER, "o.dtype.name")), "np.int32": Kind(lambda v: np.int32(v), NUMBER),
    "np.float16": Kind(lambda v: np.float16(v), NUMBER), "np.bool": Kind(lambda v: np.bool(v == 2), ("o + 1", "not o", "bool(o)")),
    "np.complex64": Kind(lambda v: np.complex64(v), ("o + 1", "o.real", "abs(o)")),
    "np.longdouble": Kind(lambda v: np.longdouble(v), ("float(o)", "o == 2", "str(o)")),
    "np.str_": Kind(lambda v: np.str_("abcd"[:v]), ("len(o)", "str(o)", "o == 'ab'")),
    "np.datetime64": Kind(lambda v: np.datetime64(f"2020-01-0{v}"), ("str(o)", "o == OTHER", "o < OTHER")),
    "dtype": Kind(lambda v: np.dtype([("v", "f8")] if v == 2 else "f4"), ("o.itemsize", "str(o)", "o == np.float64", "o.names", "o.kind", "np.zeros(2, o).dtype.name")),
    "finfo": Kind(lambda v: np.finfo(["f4", "f8"][v % 2]), ("o.bits", "float(o.eps)", "float(o.max)")),
    "0-d array": Kind(lambda v: np.array(float(v)), (*NUMBER, "o.shape", "o.item()"), lambda o, v: o.__setitem__((), v)),
    "array": Kind(lambda v: np.array([v, 5.0]), ("o[0]", "o.sum()", "len(o)", "o.shape", "2 in o", "list(o)", "o.dtype.name", "(o == 2).any()", "o.max()", "bool(o.any())", "o.size", "float(o[0])"), set_item()),
    "int array": Kind(lambda v: np.array([v, 5]), ("o[0]", "o.sum()", "[7, 8, 9, 10][o[0]]", "x[: o[0]].sum()", "np.zeros(o[0]).sum()", "int(o[0])"), set_item()),
    "array's shape": Kind(lambda v: np.zeros((2, 6))[:, :v], ("o.shape[1]", "o.size", "len(o[0])", "o.T.shape[0]", "o.strides[0]")),
    "object array": Kind(lambda v: np.array([v, "a"], object), ("o[0]", "len(o)", "o.shape", "str(o[0])"), set_item()),
    "text array": Kind(lambda v: np.array(["abcd"[:v], "a"]), ("str(o[0])", "len(o)", "o.dtype.itemsize", "(o == 'ab').any()")),
    "structured array": Kind(structured, ("o['v'][0]", "len(o)", "o.dtype.names", "o[0]['v']", "float(o['v'].sum())"), lambda o, v: o["v"].__setitem__(0, v)),
    "structured number": Kind(record, ("o['v']", "o[0]", "float(o['v'])", "o.dtype.names", "o == OTHER", "str(o)", "len(o)"), set_item("v")),
    "record array": Kind(lambda v: structured(v).view(np.recarray), ("o.v[0]", "o['v'][0]", "len(o)"), lambda o, v: o["v"].__setitem__(0, v)),
    "masked array": Kind(masked, ("o[0]", "o.sum()", "len(o)", "o.mask[0]", "float(o.mean())"), set_item()),
    "matrix": Kind(lambda v: np.zeros((v, 2)).view(np.matrix), ("o.shape[0]", "len(o)", "o.sum()")),
    "memmap": Kind(lambda v: np.array([v, 5.0]).view(np.memmap), ("o[0]", "len(o)", "o.sum()"), set_item()),
    "flatiter": Kind(lambda v: np.array([v, 5.0]).flat, ("o[0]", "len(o)", "list(o)", "2 in o"), set_item()),
    "poly1d": Kind(lambda v: np.poly1d([v, 5]), ("o(2)", "o[0]", "o.order", "len(o)", "o == OTHER", "o.coeffs[0]", "float(o.c[0])"), lambda o, v: o.coeffs.__setitem__(0, v)),
    "Polynomial": Kind(lambda v: np.polynomial.Polynomial([v, 5]), ("o(2)", "o.coef[0]", "len(o)", "o == OTHER", "o.degree()"), lambda o, v: o.coef.__setitem__(0, v)),
    "vectorize": Kind(lambda v: np.vectorize(lambda x: x + v), ("o(2)", "o.pyfunc(2)", "bool(o)")),
    "Generator": Kind(generator, ("o.random()", "o.bit_generator.state['state']['state'] % 7", "o.integers(5)", "bool(o)", "str(o)")),
    "RandomState": Kind(state, ("o.rand()", "o.get_state()[2]", "o.randint(5)")),
    "bit generator": Kind(lambda v: np.random.PCG64(v), ("o.state['state']['state'] % 7", "o.random_raw()", "o.state['bit_generator']"), lambda o, v: o.random_raw(v)),
    "broadcast": Kind(lambda v: np.broadcast(np.zeros(v), 1), ("o.shape", "o.size", "o.index")),
    "nditer": Kind(lambda v: np.nditer(np.zeros(v + 1)), ("len(o)", "o.iterindex", "o.itersize"), lambda o, v: setattr(o, "iterindex", v % 2)),
}  # fmt: skip


def rename(function, v):
    function.__name__ = function.__qualname__ = function.__doc__ = f"name{v}"
    return function


def v_of(o):
    return o[0][0] * 2


#: Ways in which a function comes to the object: a piece of the module, the code in the function, the parameters,
#: and what puts another object there. {n} is the number of the kind, {i} that of the function.
PLACES: dict[str, tuple[str, str, str, str]] = {
    "global": ("G{n} = make({n})", "o = G{n}", "", ""),
    "tuple": ("T{n} = (1, make({n}))", "o = T{n}[1]", "", ""),
    "tuple in a tuple": ("U{n} = ((make({n}), 2), 3)", "o = U{n}[0][0]", "", ""),
    "unpacked tuple": ("W{n} = (make({n}), 2)", "o, _ = W{n}", "", ""),
    "list": ("L{n} = [1, make({n})]", "o = L{n}[1]", "", "L{n}[1] = make({n})"),
    "dict": ("D{n} = dict(k=make({n}))", "o = D{n}['k']", "", "D{n}['k'] = make({n})"),
    "attribute": ("N{n} = types.SimpleNamespace(k=make({n}))", "o = N{n}.k", "", "N{n}.k = make({n})"),
    "instance": ("I{n} = Plain(make({n}))", "o = I{n}.v", "", "I{n}.v = make({n})"),
    "slot": ("S{n} = Slots(make({n}))", "o = S{n}.v", "", "S{n}.v = make({n})"),
    "class": ("C{n} = class_with(make({n}))", "o = C{n}.k", "", "C{n}.k = make({n})"),
    "named tuple": ("P{n} = Point(make({n}), 2)", "o = P{n}.v", "", ""),
    "frozen dataclass": ("F{n} = Frozen(make({n}))", "o = F{n}.v", "", ""),
    "module": ("M{n} = types.ModuleType('made'); M{n}.k = make({n})", "o = M{n}.k", "", "M{n}.k = make({n})"),
    "partial": ("Q{n} = functools.partial(same, make({n}))", "o = Q{n}()", "", ""),
    "default": ("", "", ", o=make({n})", "f{i}.__defaults__ = (make({n}),)"),
    "keyword default": ("", "", ", *, o=make({n})", "f{i}.__kwdefaults__ = dict(o=make({n}))"),
    "closure": ("", "o = cell", "", "f{i}.__closure__[0].cell_contents = make({n})"),
    "argument": ("", "", ", o", ""),
}  # fmt: skip

HEADER = """
import array, collections, contextvars, dataclasses, datetime, decimal, enum, functools, math, os, types, weakref
import numpy as np
import outside
from outside import *
from outside import v_of, class_with, same
V = int(os.environ.get("INGOT_TEST_V", "1"))
NAMES = list(outside.KINDS)
MADE = {}
def make(n, v=V):
    if n not in MADE:
        MADE[n] = outside.KINDS[NAMES[n]].make(v)
    return MADE[n]
OTHER = (2, 5)
FUNCTIONS = []
"""
CLOSURE = """
def enclosing{i}(cell):
    def f{i}(x):
        o = cell
        return {read}
    return f{i}
f{i} = enclosing{i}(make({n}))
"""


def same(o):
    return o


def class_with(value):
    class C:
        k = value

    return C


def text_of(programs: list[tuple[str, str, str]]) -> str:
    """The text of a module with a function for each of (kind, place, read)."""
    lines, known, names = [HEADER], set(), list(KINDS)
    for i, (kind, place, read) in enumerate(programs):
        n = names.index(kind)
        setup, code, parameters, _ = (each.format(n=n, i=i) for each in PLACES[place])
        if setup and setup not in known:
            lines.append(setup)
            known.add(setup)
        # An array beside a value: the value is known when the function is compiled, or refused.
        read = f"x, {read}"
        if place == "closure":
            lines.append(CLOSURE.format(i=i, n=n, read=read))
        else:
            lines.append(f"def f{i}(x{parameters}):\n    {code or 'pass'}\n    return {read}")
        lines.append(f"FUNCTIONS.append(({n}, {place!r}, {read!r}, f{i}))")
    return "\n".join(lines) + "\n"


def all_programs() -> list[tuple[str, str, str]]:
    return [
        (kind, place, read)
        for kind, known in KINDS.items()
        for read in dict.fromkeys((*known.reads, *(() if known.is_endless else GENERIC)))
        for place in PLACES
    ]


@dataclass
class Found:
    """What a run over functions gave: how many agreed and were refused, and what is wrong."""

    agreed: int = 0
    refused: int = 0
    wrong: list[str] = dataclasses.field(default_factory=list)


class Runner:
    """Compares the functions of a module that was made from `text_of` with their compiled forms."""

    def __init__(self, module: Any) -> None:
        import ingot

        self.module, self.found, self._errors = module, Found(), ingot.IngotError
        self._compiled = [ingot.jit(f) for *_, f in module.FUNCTIONS]

    def compare(self, name: str, when: str) -> None:
        """Call all functions of a kind, plain and compiled."""
        x, n = np.array([1.0, 2.0, 4.0]), self.module.NAMES.index(name)
        for i, (number, place, read, f) in enumerate(self.module.FUNCTIONS):
            if number != n:
                continue
            args = (x, self.module.make(n)) if place == "argument" else (x,)
            plain, compiled = (self._outcome(each, args) for each in (f, self._compiled[i]))
            if compiled == "refused":
                self.found.refused += 1
            elif plain == compiled:
                self.found.agreed += 1
            else:
                self.found.wrong.append(
                    f"{name} in a {place}, {read}, {when}: {plain}, but compiled {compiled}"
                )

    def _outcome(self, f: Any, args: tuple) -> Any:
        try:
            with np.errstate(all="ignore"):
                return described(f(*args)[1])
        except self._errors:
            return "refused"
        except Exception as error:
            return "raised", type(error).__name__

    def replace(self, name: str, value: int) -> None:
        """Put another object of a kind wherever there is one."""
        n, names = self.module.NAMES.index(name), vars(self.module)
        self.module.MADE[n] = KINDS[name].make(value)
        for i, (number, place, _, f) in enumerate(self.module.FUNCTIONS):
            if number == n:
                setup, _, _, put = PLACES[place]
                exec((put or setup).format(n=n, i=i), names)

    def run_changes(self, name: str) -> None:
        """Change the object of a kind between calls."""
        kind, n = KINDS[name], self.module.NAMES.index(name)
        self.compare(name, "first")
        for value in (2, 1) if kind.change else ():
            kind.change(self.module.make(n), value)
            self.compare(name, f"changed to {value}")
        self.replace(name, 2)
        self.compare(name, "replaced")

    def run_threads(self, name: str) -> None:
        """Call from another thread, where the object holds another number if it has one for each thread."""
        kind, n = KINDS[name], self.module.NAMES.index(name)
        self.compare(name, "first")

        def work() -> None:
            self.compare(name, "in another thread")
            if kind.enter:
                kind.enter(self.module.make(n), 2)
                self.compare(name, "changed in another thread")

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.compare(name, "after another thread")


def described(value: Any) -> Any:
    """A result, with its type, in a form that can be compared."""
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.tolist()
    if type(value) in (tuple, list):
        return type(value).__name__, [described(each) for each in value]
    if type(value) is dict:
        return "dict", [(described(key), described(each)) for key, each in value.items()]
    return type(value).__name__, re.sub("0x[0-9a-f]+", "0x", repr(value))
