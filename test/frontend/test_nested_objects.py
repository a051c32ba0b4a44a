"""Objects of Ingot's around each other: each keeps what the ones inside of it say."""

import numpy as np
import pytest

import ingot
from processes import python


def f(x):
    return x * x * 1.5


@ingot.custom_jvp
def forward(x):
    return x * 2.0


@forward.defjvp
def rule(primals, tangents):
    return forward(primals[0]), 100.0 * tangents[0]


@ingot.custom_vjp
def backward(x):
    return x * 2.0


backward.defvjp(lambda x: (backward(x), None), lambda _, cotangent: (cotangent * 50.0,))

WRAPPERS = [ingot.jit, ingot.checkpoint, lambda g: ingot.jit(ingot.jit(g)),
            lambda g: ingot.jit(ingot.checkpoint(g)), lambda g: ingot.checkpoint(ingot.jit(g)),
            lambda g: ingot.checkpoint(ingot.checkpoint(g)), lambda g: lambda x: ingot.checkpoint(g)(x)]  # fmt: skip


@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("ruled, slope", [(forward, 100.0), (backward, 50.0)])
def test_rules_inside(wrap, ruled, slope):
    assert ingot.grad(wrap(ruled))(1.0) == slope
    assert ingot.jit(ingot.grad(wrap(ruled)))(1.0) == slope
    np.testing.assert_array_equal(ingot.vmap(ingot.grad(wrap(ruled)))(np.ones(2)), [slope] * 2)


@pytest.mark.parametrize("wrap", WRAPPERS)
def test_derivatives_inside(wrap):
    assert wrap(ingot.grad(f))(2.0) == 6.0
    assert ingot.jit(wrap(ingot.grad(f)))(2.0) == 6.0
    assert ingot.grad(wrap(ingot.grad(f)))(2.0) == 3.0
    assert wrap(ingot.value_and_grad(f))(2.0) == (6.0, 6.0)
    np.testing.assert_array_equal(wrap(ingot.vmap(ingot.grad(f)))(np.ones(2)), [3.0, 3.0])


class Model:
    def __init__(self, scale):
        self.scale = scale

    @ingot.jit
    def loss(self, x):
        return np.sum(x * x) * self.scale

    def __call__(self, x):
        return self.loss(x)


@pytest.mark.parametrize("called", [lambda m: m.loss, lambda m: m])
@pytest.mark.parametrize("wrap", [ingot.jit, ingot.checkpoint, *WRAPPERS[3:5]])
def test_methods_and_instances_inside(wrap, called):
    model = Model(1.5)
    wrapped = wrap(called(model))
    x = np.array([1.0, 2.0])
    assert wrapped(x) == ingot.jit(wrapped)(x) == 7.5
    np.testing.assert_array_equal(ingot.grad(wrapped)(x), [3.0, 6.0])
    model.scale = 2.5
    assert wrapped(x) == ingot.jit(wrapped)(x) == 12.5
    np.testing.assert_array_equal(ingot.grad(wrapped)(x), [5.0, 10.0])


PROGRAM = """
import ingot

def f(x):
    return x * x * 1.5

c = {c}
if hasattr(c, "defjvp"):
    c.defjvp(lambda primals, tangents: (c(primals[0]), 100.0 * tangents[0]))

def loss(x):
    return c(x)

print(ingot.grad(c)(1.0), ingot.grad(loss)(1.0), ingot.jit(loss)(1.0), ingot.jit(ingot.checkpoint(c))(1.0))
"""


def test_programs_on_disk_are_told_apart(tmp_path):
    path = tmp_path / "program.py"
    expected = {
        "ingot.custom_jvp(f)": "100.0 100.0 1.5 1.5", "f": "3.0 3.0 1.5 1.5", "ingot.grad(f)": "3.0 3.0 3.0 3.0",
        "ingot.checkpoint(f)": "3.0 3.0 1.5 1.5", "ingot.jit(f)": "3.0 3.0 1.5 1.5",
    }  # fmt: skip
    for c, printed in expected.items():
        path.write_text(PROGRAM.format(c=c))
        done = python(path, INGOT_CACHE_DIR=str(tmp_path / "cache"))
        assert done.stdout.strip() == printed, done.stderr


def compiled_inside(x):
    return ingot.jit(np.sin)(x) + ingot.grad(ingot.jit(lambda y: y * y))(x)


def compiled_with_options(x):
    return ingot.jit(np.sin, checks=False)(x)


def test_jit_in_compiled_code():
    assert ingot.jit(compiled_inside)(1.5) == compiled_inside(1.5)
    with pytest.raises(ingot.UnsupportedError, match="with options"):
        ingot.jit(compiled_with_options)(1.5)
