"""Objects from outside of compiled code that give or show others: a change is seen, or they are refused."""

import abc
import array
import decimal
import enum
import functools
import types

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
