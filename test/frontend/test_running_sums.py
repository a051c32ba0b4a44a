"""Running sums and products begin with the first element itself: signs of zeros are NumPy's."""

import numpy as np
import pytest

import ingot

REAL = [np.float16, np.float32, np.float64]
COMPLEX = [np.complex64, np.complex128]
#: Of sums of the log(n) steps, of those along an axis that is not the last one, of long ones.
LENGTHS = [1, 2, 3, 5, 40, 200]


def zeros(kind, n):
    """Negative zeros, these with a zero in the middle, and these with a number at the end."""
    found = np.full(n, -0.0, kind)
    if found.dtype.kind == "c":
        found = np.array([complex(-0.0, -0.0)] * n, kind)
    yield found
    for at, value in ((n // 2, 0), (-1, -1)):
        changed = found.copy()
        changed[at] = value
        yield changed


def sums(x):
    m, columns = np.stack([x, x]), np.stack([x, x], 1)
    along = np.cumsum(m, 0), np.cumsum(m, 1), np.cumsum(columns, 0), np.cumsum(x[::-1])
    return np.cumsum(x), np.add.accumulate(x), np.nancumsum(x), np.cumsum(x + x), *along


def products(x):
    return np.cumprod(x)[:1], np.cumprod(np.stack([x, x], 1), 0)[:1], np.multiply.accumulate(x)[:1]


def in_a_loop(x):
    o, s = x.copy(), x[0]
    for i in range(1, len(x)):
        o[i] += o[i - 1]
        s = s + x[i]
    return o, s


def from_negative_zero(x):
    m = np.stack([x, x])
    rows = m.sum(0, initial=-0.0), m.sum(1, initial=-0.0, keepdims=True)
    return (
        np.sum(x, initial=-0.0),
        *rows,
        np.sum(m, initial=-0.0),
        np.sum(x, where=x < 0, initial=-0.0),
    )


def bits(results):
    """The numbers with the signs of their zeros."""
    flat = np.concatenate([np.ravel(each) for each in results])
    return [flat.real.tolist(), np.signbit(flat.real).tolist(), np.signbit(flat.imag).tolist()]


@pytest.mark.parametrize("options", [{}, {"native": False}, {"strict_fp": True}], ids=str)
@pytest.mark.parametrize("f", [sums, products, in_a_loop, from_negative_zero])
def test_signs_of_zeros(f, options):
    compiled = ingot.jit(f, **options)
    for kind in (*REAL, *COMPLEX) if f in (sums, products) else REAL:
        for n in LENGTHS[::2] if kind in COMPLEX else LENGTHS[1::2]:
            for x in zeros(kind, n):
                assert bits(compiled(x)) == bits(f(x)), (kind, x[:5], n)
