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
