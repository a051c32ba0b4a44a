"""Functions that raise an exception in any case, and rules that do, under transformations."""

import numpy as np
import pytest

import ingot


def raising(x):
    raise ValueError("always")


@ingot.custom_jvp
def with_jvp(x, k=2.0):
    return x * k


@with_jvp.defjvp
def short_rule(primals, tangents):
    return primals[0] * primals[1], tangents[0]


@ingot.custom_vjp
def with_vjp(x):
    return x * 2


with_vjp.defvjp(lambda x: (x * 2, x), lambda x, g: raising(x))

TRANSFORMED = {
    "grad": lambda x: ingot.grad(raising)(x),
    "value_and_grad": lambda x: ingot.value_and_grad(raising)(x),
    "jvp": lambda x: ingot.jvp(raising, (x,), (x,)),
    "vjp": lambda x: ingot.vjp(raising, x)[0],
    "hessian": lambda x: ingot.hessian(raising)(x),
    "jacfwd": lambda x: ingot.jacfwd(raising)(x),
    "checkpoint": lambda x: ingot.checkpoint(raising)(x),
    "vmap": lambda x: ingot.vmap(raising)(np.array([x, x])),
    "grad of vmap": lambda x: ingot.grad(lambda y: ingot.vmap(raising)(np.array([y, y])).sum())(x),
    "vmap of grad": lambda x: ingot.vmap(ingot.grad(raising))(np.array([x, x])),
    "a rule": lambda x: ingot.grad(with_vjp)(x),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_raises_what_the_function_raises(name):
    with pytest.raises(ValueError, match="always") as caught:
        ingot.jit(TRANSFORMED[name])(1.0)
    assert not isinstance(caught.value, ingot.IngotError)


@pytest.mark.parametrize("name", TRANSFORMED)
def test_raises_only_where_it_is_called(name):
    transformed = TRANSFORMED[name]

    def f(x, c):
        if c > 0:
            transformed(x)
        return x + 1

    compiled = ingot.jit(f)
    assert compiled(1.0, -1) == 2.0
    with pytest.raises(ValueError, match="always"):
        compiled(1.0, 1)


@pytest.mark.parametrize("transform", [ingot.grad, ingot.value_and_grad, ingot.hessian])
def test_called_from_python(transform):
    with pytest.raises(ValueError, match="always"):
        transform(raising)(1.0)


def test_a_rule_that_raises_is_not_run_without_a_derivative():
    assert ingot.jit(lambda x: with_jvp(x))(1.5) == 3.0
    assert ingot.jit(lambda x: with_vjp(x))(1.5) == 3.0
    for f in (lambda x: ingot.grad(with_jvp)(x), lambda x: ingot.jvp(with_jvp, (x,), (1.0,))):
        with pytest.raises(IndexError):
            ingot.jit(f)(1.5)


NOTHING = pytest.param(None, marks=pytest.mark.quick)
NUMBERS = [2.0, 3, True, NOTHING, np.float64(2), np.int32(1), np.array(2.0)]
USES = {
    "loop": lambda x: [each for each in x],
    "unpack": lambda x: [first for first, second in [x]],
    "sum": lambda x: sum(x),
    "list": lambda x: list(x),
    "zip": lambda x: list(zip(x, [1])),
    "len": lambda x: len(x),
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("number", NUMBERS, ids=lambda x: type(x).__name__)
def test_numbers_in_place_of_sequences(name, number):
    f = USES[name]
    with pytest.raises(TypeError) as plain:
        f(number)
    with pytest.raises(TypeError) as compiled:
        ingot.jit(f)(number)
    assert str(compiled.value) == str(plain.value)
    assert __file__ in compiled.value.__notes__[-1]


INDICES = {
    "a number": lambda x: x[0, 0][0],
    "a slice of a number": lambda x: x[0, 0][1:],
    "by a float": lambda x: x[0, 0][0.5],
    "an array": lambda x: x[0, 1, 0],
    "selected by a mask": lambda x: x[x > 1][0, 0],
    "a length of run time": lambda x: x[: int(x[0, 0])][0, 0, 0],
}


@pytest.mark.parametrize("name", INDICES)
def test_more_indices_than_axes(name):
    f = INDICES[name]
    with pytest.raises(IndexError) as plain:
        f(np.ones((2, 2)))
    with pytest.raises(IndexError) as compiled:
        ingot.jit(f)(np.ones((2, 2)))
    assert str(compiled.value) == str(plain.value)


def test_an_axis_that_an_array_lacks():
    def length(x):
        return np.size(x, axis=1)

    for f in (length, ingot.jit(length)):
        with pytest.raises(np.exceptions.AxisError, match="axis 1 is out of bounds for array of"):
            f(np.ones(3))


def test_attributes_that_numpys_objects_lack():
    def of_array(x):
        return x.nothing

    def of_number(x):
        return x[0].nothing

    for f in (of_array, of_number):
        with pytest.raises(AttributeError) as plain:
            f(np.ones(3))
        with pytest.raises(AttributeError) as compiled:
            ingot.jit(f)(np.ones(3))
        assert str(compiled.value) == str(plain.value)
