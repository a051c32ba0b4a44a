"""Running sums, products and extrema along named dimensions, and what is made of them."""

import numpy as np
import pytest

import ingot
from expressions import split
from oracle import assert_same, quiet
from sources import namespace_of

#: Of x: float64[n, 4], i: int64[n, 4] and v: float64[n].
CASES = """
np.cumsum(x) ;; np.cumsum(x, axis=0) ;; np.cumsum(x, axis=1) ;; np.cumprod(x, axis=0) ;; x.cumsum(0) ;; np.cumsum(x.T, axis=1) ;; np.cumsum(x + 1j, axis=0) ;; np.cumsum(v[:, None] * v, axis=1) ;; np.cumsum(v)[-1] ;; v.cumprod()
np.cumsum(i, axis=0, dtype=np.int32) ;; np.cumsum(i > 0, axis=0) ;; np.cumsum(i.astype(np.int8), axis=0) ;; np.cumsum(i.astype(np.uint8)) ;; np.cumprod(i) ;; np.cumsum(v, dtype=int) ;; np.cumsum(i, dtype=np.uint8) ;; np.cumsum(v, out=np.zeros(len(v)))
np.maximum.accumulate(x) ;; np.minimum.accumulate(i, axis=0) ;; np.maximum.accumulate(v[::-1])[::-1] ;; np.add.accumulate(x) ;; np.multiply.accumulate(i) ;; np.logaddexp.accumulate(v) ;; np.nancumsum(x, axis=0) ;; np.cumulative_sum(v, include_initial=True)
np.cumsum(v[1:]) ;; np.cumsum(x[1:], axis=0) ;; np.cumprod(i[1:], 0) ;; np.cumsum(x[1:], axis=1) ;; np.cumsum(np.concatenate([v, v])) ;; np.cumsum(v[v > 0]) ;; np.cumsum(-np.abs(v) * 0.0) ;; np.maximum.accumulate(v[1:]) ;; np.diff(np.cumsum(v))
np.repeat(v, i[:, 0] % 3) ;; np.repeat(v, v > 0) ;; np.repeat(x, i[:, 1] % 3, axis=0) ;; ingot.bound(np.repeat(v, i[:, 0] % 2), 50) ;; np.unique(i, return_inverse=True) ;; np.cumsum(np.where(v > 0, 1, 0)) ;; np.cumsum(x.astype(np.float16), axis=0)
""".strip()  # fmt: skip


def arguments(n):
    rng = np.random.default_rng(n)
    return rng.standard_normal((n, 4)), rng.integers(0, 9, (n, 4)), rng.standard_normal(n)


def loaded(function, folder, *specs):
    ingot.export(function, *specs).save(folder / "m.ingot")
    return ingot.load(folder / "m.ingot")


@pytest.mark.parametrize("expression", split(CASES))
def test_any_size(expression, tmp_path):
    text = f"import ingot\ndef f(x, i, v):\n    return {expression}\n"
    function = namespace_of(text, tmp_path)["f"]
    specs = ingot.spec("n,4"), ingot.spec("n,4", "int64"), ingot.spec("n")
    compiled = loaded(function, tmp_path, *specs)
    for n in (1, 2, 5, 37):
        with quiet():
            assert_same(compiled(*arguments(n)), function(*arguments(n)), 1e-11)


def squares(v):
    return (np.cumsum(v) ** 2).sum() + np.maximum.accumulate(v)[-1] + np.cumsum(v[1:] * v[0]).sum()


def gradient(v):
    return ingot.grad(squares)(v)


def rows(x):
    return ingot.vmap(np.cumsum)(x)


def test_derivatives(tmp_path):
    compiled = loaded(gradient, tmp_path, ingot.spec("n"))
    for n in (1, 2, 9):
        v = arguments(n)[2]
        assert_same(compiled(v), gradient(v), 1e-11)


def test_batches(tmp_path):
    compiled = loaded(rows, tmp_path, ingot.spec("3,n"))
    for n in (1, 2, 9):
        x = np.random.default_rng(n).standard_normal((3, n))
        assert_same(compiled(x), np.cumsum(x, axis=1), 1e-12)


def test_a_known_size_takes_no_loop():
    """Only what depends on an open size takes one element after another."""
    text = ingot.jit(lambda v: np.cumsum(v)).lower(np.ones(5)).ir()
    assert "ingot.cumulative" in text and "ingot.for" not in text
