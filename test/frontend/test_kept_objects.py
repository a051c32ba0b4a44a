"""Objects from outside of compiled code that give or show others: a change is seen, or they are refused."""

import abc
import array
import dataclasses
import decimal
import enum
import functools
import types
import typing

import numpy as np
import pytest

import ingot

TABLE = {"a": 1.0}
NUMBERS = [1.0, 2.0]
CONTEXT = decimal.Context(prec=5)
PARTIAL = functools.partial(max, NUMBERS, key=TABLE)


class Kind(enum.Enum):
    KEPT = NUMBERS


def helper(x, y=NUMBERS, *, z=TABLE):
    return x


def defaults(x):
    return x * helper.__defaults__[0][0]


def keyword_defaults(x):
    return x * helper.__kwdefaults__["z"]["a"]


def fields_of_a_function(x):
    return x * helper.__dict__["k"]


def value_of_an_enum(x):
    return x * Kind.KEPT.value[0]


def keywords_of_a_partial(x):
    return x * PARTIAL.keywords["key"]["a"]


def arguments_of_a_partial(x):
    return x * PARTIAL.args[0][0]


def attribute_of_an_object_in_c(x):
    return x * CONTEXT.prec


def name_of_a_class(x):
    return x * len(Kind.__name__)


def presence_in_a_module(x):
    return x * getattr(decimal, "added", 1.0)


def presence_in_a_function(x):
    return x * (2.0 if hasattr(helper, "added") else 1.0)


@pytest.fixture(autouse=True)
def contents(monkeypatch):
    monkeypatch.setitem(TABLE, "a", 1.0)
    monkeypatch.setattr(helper, "k", 1.0, raising=False)
    monkeypatch.setattr(CONTEXT, "prec", 5)
    yield
    NUMBERS[0] = 1.0
    Kind.__name__ = "Kind"
    vars(decimal).pop("added", None)
    vars(helper).pop("added", None)


def change():
    TABLE["a"] = NUMBERS[0] = helper.k = 5.0
    CONTEXT.prec = 7
    Kind.__name__ = "Changed"
    decimal.added = helper.added = 5.0


@pytest.mark.parametrize(
    "function",
    [
        defaults, keyword_defaults, fields_of_a_function, value_of_an_enum, keywords_of_a_partial,
        arguments_of_a_partial, attribute_of_an_object_in_c, name_of_a_class, presence_in_a_module,
        presence_in_a_function,
    ],
)  # fmt: skip
def test_a_change_is_seen(function):
    x = np.ones(2)
    f = ingot.jit(function)
    before = f(x)
    np.testing.assert_array_equal(before, function(x))
    change()
    np.testing.assert_array_equal(f(x), function(x))
    assert not np.array_equal(f(x), before)


class Base(abc.ABC):
    """Has a metaclass."""

    @abc.abstractmethod
    def called(self): ...


class Derived(Base):
    def called(self):
        return f"{type(self).__name__}, {self.__class__.__qualname__}"


DERIVED = Derived()


def test_attributes_of_classes_with_a_metaclass():
    def f(x):
        members = Kind.__members__
        names = Kind.__name__, Derived.__name__, DERIVED.called(), Base.__doc__, list(members)
        return x * len(Derived.__mro__), names, len(members)

    assert ingot.jit(f)(2.0) == f(2.0)


def test_a_default_is_changed_in_place():
    def f(x):
        helper.__defaults__[0][0] += 1.0
        return x * helper.__defaults__[0][0]

    assert ingot.jit(f)(2.0) == 4.0
    assert NUMBERS[0] == 2.0


SHOWN = {
    "mappingproxy": types.MappingProxyType(TABLE),
    "dict_keys": TABLE.keys(),
    "dict_values": TABLE.values(),
    "dict_items": TABLE.items(),
    "array": array.array("d", [1.0]),
    "bytearray": bytearray(b"1"),
    "memoryview": memoryview(b"1"),
    "flatiter": np.ones(2).flat,
}


@pytest.mark.parametrize("kind", SHOWN)
def test_what_may_change_unseen_is_refused(kind):
    kept = SHOWN[kind]

    def f(x):
        return x * len(kept)

    with pytest.raises(ingot.UnsupportedError, match=f"`kept` is of the type {kind}, whose"):
        ingot.jit(f)(2.0)


class Foreign:
    """An array of another library: what it holds is no attribute that compiled code knows."""

    def __array__(self, dtype=None, copy=None):
        return np.array(NUMBERS)

    def __float__(self):
        return NUMBERS[0]

    def __len__(self):
        return len(NUMBERS)


FOREIGN = Foreign()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * float(FOREIGN), lambda x: x * len(FOREIGN), lambda x: x + np.array(FOREIGN),
        lambda x: x * (FOREIGN == x), lambda x: f"{FOREIGN}",
    ],
)  # fmt: skip
def test_code_of_other_libraries_is_not_run_at_compile_time(function):
    with pytest.raises(ingot.CompileError):
        ingot.jit(function)(2.0)


def test_the_class_and_the_presence_of_attributes_of_foreign_objects_are_known():
    def f(x):
        return x * 2 if isinstance(FOREIGN, Foreign) and hasattr(FOREIGN, "__len__") else x

    assert ingot.jit(f)(2.0) == 4.0


def test_arguments_that_can_not_be_hashed():
    view = memoryview(bytearray(b"abc"))
    for call in (ingot.jit(lambda m, x: x + len(m)), ingot.jit(lambda m, x: x + len(m)).lower):
        with pytest.raises(ingot.UnsupportedError, match="is a memoryview, which has no hash"):
            call(view, np.ones(2))


class Meta(type):
    """A metaclass whose classes are numbers and sequences."""

    size = 3

    def __len__(cls):
        return cls.size

    def __getitem__(cls, i):
        return i if i < cls.size else [].pop()

    def __bool__(cls):
        return cls.size > 3

    def __add__(cls, other):
        return cls.size + other

    def __eq__(cls, other):
        return cls.size == other

    def __hash__(cls):
        return 1

    def __float__(cls):
        return float(cls.size)

    def __subclasscheck__(cls, other):
        return cls.size > 3

    __instancecheck__ = __subclasscheck__


class Sized(metaclass=Meta):
    pass


class Silent(type):
    """A metaclass that only makes classes."""

    def __new__(cls, *parts):
        return super().__new__(cls, *parts)


class Quiet(metaclass=Silent):
    pass


class Compared:
    """Foreign objects that are compared by what they hold."""

    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None, copy=None):
        return np.array(self.value)

    def __eq__(self, other):
        return self.value == other.value

    def __hash__(self):
        return 1

    def __lt__(self, other):
        return self.value < other.value


ONE, TWO = PAIR = Compared(1.0), Compared(2.0)
BY_OBJECT = {ONE: 1.0, TWO: 2.0}


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * len(Sized), lambda x: x * Sized[1], lambda x: x if Sized else 0.0,
        lambda x: x * (Sized + 1), lambda x: x * (Sized == 3), lambda x: x * float(Sized),
        lambda x: x * isinstance(x, Sized), lambda x: x * issubclass(int, Sized), lambda x: x * sum(Sized),
        lambda x: x * len({ONE, TWO}), lambda x: x * BY_OBJECT[ONE], lambda x: x * len(set(PAIR)),
        lambda x: x * (sorted(PAIR)[0] is ONE), lambda x: x * BY_OBJECT.get(TWO, 3.0),
        lambda x: x * len({each: 1 for each in PAIR}), lambda x: x * (ONE in {TWO}),
    ],
)  # fmt: skip
def test_operators_of_metaclasses_and_foreign_objects_are_not_run(function):
    with pytest.raises(ingot.UnsupportedError):
        ingot.jit(function)(2.0)


def test_a_metaclass_that_makes_classes_is_no_obstacle():
    def f(x):
        made = Quiet()
        known = {Quiet: 2.0, Derived: 3.0}
        return x * known[type(made)] if isinstance(made, Quiet) and Quiet in known else x

    assert ingot.jit(f)(2.0) == 4.0


class Abstract(abc.ABC):
    @abc.abstractmethod
    def called(self): ...


class Late:
    def __init__(self):
        self.value = 1.0


class Number(float):
    pass


def test_registering_with_an_abstract_class_is_seen():
    kept = Late()

    def f(late, x):
        one = x if isinstance(late, Abstract) else -x
        two = 2.0 if isinstance(kept, (int, Abstract)) else 3.0
        three = 5.0 if issubclass(Number, Abstract) else 7.0
        return one * two * three * late.value

    compiled = ingot.jit(f)
    assert compiled(Late(), 1.0) == f(Late(), 1.0) == -21.0
    Abstract.register(Number)
    assert compiled(Late(), 1.0) == f(Late(), 1.0) == -15.0
    Abstract.register(Late)
    assert compiled(Late(), 1.0) == f(Late(), 1.0) == 10.0


@typing.runtime_checkable
class Closes(typing.Protocol):
    def close(self): ...


def test_protocols_are_refused_for_instances_of_users_classes():
    with pytest.raises(ingot.UnsupportedError, match="Closes is a protocol"):
        ingot.jit(lambda late, x: x * isinstance(late, Closes))(Late(), 1.0)
    assert not ingot.jit(lambda x: isinstance(x, Closes))(1.0)


@dataclasses.dataclass
class Pair:
    first: float = 2.0
    rest: list = dataclasses.field(default_factory=lambda: [1.0])
    last: float = dataclasses.field(default=4.0, kw_only=True)


class Couple(typing.NamedTuple):
    held: list = NUMBERS
    second: float = 2.0


def test_changed_defaults_of_dataclasses_are_seen(monkeypatch):
    def f(x):
        made = Pair()
        return x * made.first + Pair(last=x).first + made.last + made.rest[0]

    compiled = ingot.jit(f)
    assert compiled(3.0) == f(3.0) == 13.0
    monkeypatch.setattr(Pair.__init__, "__defaults__", (5.0, *Pair.__init__.__defaults__[1:]))
    assert compiled(3.0) == f(3.0) == 25.0
    monkeypatch.setattr(Pair.__init__, "__kwdefaults__", {"last": 6.0})
    assert compiled(3.0) == f(3.0) == 27.0


def test_defaults_of_named_tuples_are_the_callers(monkeypatch):
    def f(x):
        made = Couple()
        made.held[0] += x
        return made.held[0] * made.second

    compiled = ingot.jit(f)
    assert compiled(1.0) == 4.0
    assert NUMBERS[0] == 2.0
    assert compiled(1.0) == 6.0
    monkeypatch.setattr(Couple.__new__, "__defaults__", ([8.0], 3.0))
    assert compiled(1.0) == 27.0
