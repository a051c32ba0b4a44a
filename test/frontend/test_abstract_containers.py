"""Classes derived from those of collections.abc, whose methods are frozen into Python."""

from collections.abc import Mapping, MutableMapping, MutableSequence

import numpy as np
import pytest
from plain import Programs, same, same_for

import ingot

programs = Programs()
X = np.array([1.0, 2.0])


class Table(Mapping):
    def __init__(self, held):
        self.held = held

    def __getitem__(self, key):
        return self.held[key]

    def __len__(self):
        return len(self.held)

    def __iter__(self):
        return iter(self.held)


class Changing(Table, MutableMapping):
    def __setitem__(self, key, value):
        self.held[key] = value

    def __delitem__(self, key):
        del self.held[key]


class Items(MutableSequence):
    def __init__(self, held):
        self.held = held

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value

    def __delitem__(self, key):
        del self.held[key]

    def __len__(self):
        return len(self.held)

    def insert(self, at, value):
        self.held.insert(at, value)


@programs((X,))
def looked_up(x):
    table = Table({"a": 2.0})
    return (
        x * table.get("a"),
        table.get("b", 3.0),
        table.get("b"),
        "a" in table,
        "b" in table,
        len(table),
    )


@programs((X, Table({"a": 5.0})), (X, Table({})))
def of_an_argument(x, table):
    return x * table.get("a", 1.0), [table[key] for key in table]


@programs((X, Changing({"a": 5.0, "c": X})))
def changed(x, table):
    first = table.setdefault("b", x)
    table.update(c=3.0)
    table.update({"d": 4.0})
    taken = table.pop("a")
    return first, taken, table.pop("z", None), table.setdefault("d", 1.0)


@programs((X, Items([1.0])))
def grown(x, items):
    items.append(2.0)
    items.extend([x[0], 4.0])
    last = items.pop()
    items += [5.0]
    items.reverse()
    return items.held, last


@programs((X, "a"), (X, "b"))
def missing_key(x, key):
    return x * Table({"a": 1.0})[key]


@pytest.mark.parametrize("f, cases", programs)
def test_mixins(f, cases):
    same_for(f, cases)


def values_by_a_generator(x):
    return sum(Table({"a": 1.0}).values())


def test_generators():
    same(values_by_a_generator, X)


def test_derivatives():
    gradient = ingot.grad(lambda x: np.sum(of_an_argument(x, Table({"a": 5.0}))[0]))(X)
    np.testing.assert_allclose(gradient, [5, 5])
