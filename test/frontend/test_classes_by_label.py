"""What picks an element of each row, in artifacts whose number of rows is left open."""

import numpy as np
import pytest

import ingot


def by_arange(p, y):
    return -np.log(p[np.arange(len(y)), y]).mean()


def along_axis(p, y):
    return -np.log(np.take_along_axis(p, y[:, None], 1)).mean()


def of_logits(p, y):
    z = p - p.max(axis=1, keepdims=True)
    return (np.log(np.exp(z).sum(axis=1)) - z[np.arange(p.shape[0]), y]).mean()


def stored(p, y):
    q = np.zeros_like(p)
    q[np.arange(len(y)), y] = 1.0
    np.put_along_axis(q, np.flip(y)[:, None], 2.0, axis=-1)
    return (q * p).sum()


def one_hot(p, y):
    return -(np.eye(4)[y] * np.log(p)).sum() / len(y)


@pytest.mark.slow
@pytest.mark.parametrize("transform", [lambda f: f, ingot.grad], ids=["value", "grad"])
@pytest.mark.parametrize("f", [by_arange, along_axis, of_logits, stored, one_hot])
def test_any_number_of_rows(f, transform, tmp_path):
    function = transform(f)
    artifact = ingot.export(function, ingot.spec("n,4"), ingot.spec("n", "int64"))
    artifact.save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    rng = np.random.default_rng(0)
    for n in (1, 5):
        p, y = rng.random((n, 4)) + 0.1, rng.integers(-4, 4, n)
        expected = f(p, y) if function is f else ingot.jit(function)(p, y)
        np.testing.assert_allclose(loaded(p, y), expected, rtol=1e-12)
        with pytest.raises(IndexError):
            loaded(p, np.full(n, 4))


def looked_up(x):
    return x * {3: 1.0, 4: 2.0}[len(x)]


def in_a_set(x):
    return x * (1.0 if len(x) in {3, 4} else 2.0)


@pytest.mark.slow
@pytest.mark.parametrize("f", [looked_up, in_a_set])
def test_sizes_as_keys(f, tmp_path):
    ingot.export(f, ingot.spec("n")).save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    for n in (3, 4):
        np.testing.assert_array_equal(loaded(np.ones(n)), f(np.ones(n)))


def kept_by_size(x):
    return {len(x): x}


def made_by_size(x):
    d = {len(x): 1.0}
    return x * d.get(3, 9.0)


def found_by_size(x):
    return x * {3: 1.0}.get(len(x), 7.0)


@pytest.mark.parametrize("f", [kept_by_size, made_by_size, found_by_size])
def test_keys_that_are_left_open(f):
    with pytest.raises(ingot.CompileError, match="depends on the size n, which is left open"):
        ingot.export(f, ingot.spec("n"))
