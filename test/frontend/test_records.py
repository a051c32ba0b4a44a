"""Records: named tuples, dataclasses, classes, and attributes of arrays that are assigned."""

import sys
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import ingot

X = np.linspace(0.5, 2.5, 20)
Y = np.cos(X)


# Records.


class Point(NamedTuple):
    x: float
    y: np.ndarray


@dataclass
class Body:
    mass: float
    position: np.ndarray
    name: str = "body"
    history: list = field(default_factory=list)

    def __post_init__(self):
        self.weight = self.mass * 9.81

    def moved(self, by):
        return Body(self.mass, self.position + by, self.name)

    @property
    def momentum(self):
        return self.mass * self.position


class Model:
    def __init__(self, weights, scale=2.0):
        self.weights = weights
        self.scale = scale

    def __matmul__(self, x):
        raise AssertionError("not called")

    def predict(self, x):
        return np.tanh(self.weights @ x) * self.scale

    def normalise(self):
        self.scale = self.scale / np.abs(self.weights).sum()
        self.weights *= 0.5
        return self


def named_tuple(p, k):
    q = Point(p.x * k, y=p.y + k)
    if k > 1:
        q = Point(q.x + 1, q.y * 2)
    return q, q._replace(x=0.5).x, p[1]


def dataclass_method(m, x):
    body = Body(m, x).moved(1.0)
    if m > 1:
        body = Body(m * 2, body.position * 3)
    return body.position, body.mass, body.momentum, body.weight, body.name


def class_instance(w, x):
    model = Model(w, scale=3.0)
    model.scale += 1
    model.normalise()
    return model.predict(x), model.scale


def record_in_a_loop(x, n):
    p = Point(0.0, x)
    for i in range(n):
        p = Point(p.x + i, p.y * 0.5)
    return p


def test_named_tuple(check):
    check(named_tuple, Point(2.0, X), 3.0)
    check(named_tuple, Point(2.0, X), 0.5)


def test_named_tuple_in_a_loop(check):
    check(record_in_a_loop, X, 12)


@pytest.mark.parametrize("m", [0.5, 2.0])
def test_dataclass(check, m):
    check(dataclass_method, m, X)


def test_class_made_in_compiled_code(check):
    check(class_instance, np.outer(X, Y), X)


def predict(model, x):
    return model.predict(x)


def test_record_as_argument_follows_its_attributes():
    compiled = ingot.jit(predict)
    model = Model(np.outer(X, Y))
    np.testing.assert_allclose(compiled(model, X), model.predict(X))
    model.scale = -7.0
    model.weights = model.weights * 0.1
    np.testing.assert_allclose(compiled(model, X), model.predict(X))


GLOBAL_MODEL = Model(np.outer(X, Y))


CYCLE = Model(np.outer(X, Y))
CYCLE.parent = CYCLE


def predict_by_a_global_that_holds_itself(x):
    return CYCLE.predict(x)


def test_a_global_that_holds_itself_follows_its_attributes():
    compiled = ingot.jit(predict_by_a_global_that_holds_itself)
    for scale in (1.0, 2.5):
        CYCLE.scale = scale
        np.testing.assert_allclose(compiled(X), CYCLE.predict(X))


def predict_by_global(x):
    return GLOBAL_MODEL.predict(x)


def test_record_as_global_follows_its_attributes():
    compiled = ingot.jit(predict_by_global)
    for scale in (1.0, 2.5, 3.5, 4.5):
        GLOBAL_MODEL.scale = scale
        np.testing.assert_allclose(compiled(X), GLOBAL_MODEL.predict(X))


def make_body(m, x):
    return Body(m, x * 2)


def test_dataclass_as_result():
    body = ingot.jit(make_body)(2.0, X)
    assert type(body) is Body and body.name == "body" and type(body.mass) is float
    np.testing.assert_array_equal(body.position, X * 2)


def changes_argument(model, x):
    model.scale = 1.0
    return model.predict(x)


def test_attribute_of_an_argument_is_changed():
    models = [Model(np.outer(X, Y)) for _ in range(2)]
    expected, found = (
        f(m, X) for f, m in zip((changes_argument, ingot.jit(changes_argument)), models)
    )
    np.testing.assert_allclose(found, expected)
    assert [model.scale for model in models] == [1.0, 1.0]


def test_an_argument_that_holds_itself_is_refused():
    model = Model(X)
    model.parent = model
    with pytest.raises(ingot.UnsupportedError, match="holds itself"):
        ingot.jit(predict)(model, X)


# Attributes of arrays.


def assign_shape(x):
    a = x * 2
    b = a
    b.shape = (4, 5)
    b[0] = 1
    return a, a.shape


def assign_parts(x):
    z = x + 1j * x[::-1]
    z.real = z.imag * 2
    z.imag = 3
    return z


@pytest.mark.parametrize("f", [assign_shape, assign_parts])
def test_assigned_attributes(check, f):
    check(f, X)


def names_of_pythons_own_tuples(x):
    limits = sys.float_info
    return (
        limits.max * x,
        limits.epsilon + x[0],
        sys.version_info.major,
        sys.int_info.bits_per_digit,
    )


def classes_as_attributes(x):
    n = float(x[0])
    return (
        x.__class__ is np.ndarray, x[0].__class__ is np.float64, n.__class__ is float,
        (n,).__class__ is tuple, [n].__class__ is list, {}.__class__ is dict, Point(n, x).__class__ is Point,
        isinstance(x, x.__class__), x[0].__class__.__name__,
    )  # fmt: skip


@pytest.mark.parametrize("f", [names_of_pythons_own_tuples, classes_as_attributes])
def test_attributes_of_pythons_own(check, f):
    check(f, X)
