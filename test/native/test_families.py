"""Every operation that kernels have, through one kernel, against NumPy: for each dtype, and for the
values and shapes at which kernels could go wrong."""

import numpy as np
import pytest
import scipy.special as special

import ingot
from one_kernel import (
    BOOL,
    COMPLEX,
    F32,
    F64,
    FLOATS,
    I32,
    I64,
    INTEGERS,
    NUMBERS,
    U8,
    block,
    check,
    name_of,
    values,
)
from oracle import quiet

RNG = np.random.default_rng(5)

# Elementwise.

EXACT = [np.negative, np.absolute, np.sign, np.square]
OF_FLOATS = [
    np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh,
    np.arcsinh, np.arccosh, np.arctanh, np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10,
    np.log1p, np.cbrt, special.erf, special.erfc,
]  # fmt: skip
ROUNDING = [
    np.sqrt, np.floor, np.ceil, np.trunc, np.rint, np.reciprocal, np.fabs, np.isnan, np.isinf,
    np.isfinite, np.signbit, np.logical_not,
]  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("f", OF_FLOATS, ids=name_of)
def test_functions_of_floats(f, dtype):
    x = values(dtype)
    if f in (np.sin, np.cos, np.tan, np.arccosh):
        x = x[~(np.abs(x) >= 1e30)]
    if f is special.erfc:
        # Elsewhere the result is below the normal range.
        x = x[~(x >= 9)]
    check(f, x, rtol=1e-11)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("f", [*EXACT, *ROUNDING], ids=name_of)
def test_exact_functions_of_floats(f, dtype):
    check(f, values(dtype), has_signs=True)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("f", [*EXACT, np.invert, np.logical_not, np.bitwise_count], ids=name_of)
def test_functions_of_integers(f, dtype):
    check(f, values(dtype))


def test_functions_of_bools():
    check(
        lambda p: (~p, np.logical_not(p), p + p, p * p, np.abs(p), np.where(p, 2, 3)), values(BOOL)
    )


ARITHMETIC = [np.add, np.subtract, np.multiply, np.true_divide]
OF_TWO = [np.floor_divide, np.mod, np.fmod, np.maximum, np.minimum, np.fmax, np.fmin]
COMPARISONS = [np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal]
LOGICAL = [np.logical_and, np.logical_or, np.logical_xor]


def by_all(x):
    """Two arrays of which each element meets each."""
    return x[:, None], x


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("f", [*ARITHMETIC, *OF_TWO, *COMPARISONS, *LOGICAL], ids=name_of)
def test_functions_of_two_numbers(f, dtype):
    """With every pair of special values: NaN, infinities, zeros and integer division by zero."""
    x, y = by_all(values(dtype))
    if np.dtype(dtype).kind == "f" and f in (np.mod, np.fmod, np.floor_divide):
        # Quotients beyond the digits that there are.
        keep = np.abs(values(dtype)) != 1e30
        x, y = by_all(values(dtype)[keep])
    check(f, x, y)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "f", [np.power, np.arctan2, np.copysign, np.logaddexp, np.heaviside], ids=name_of
)
def test_functions_of_two_floats(f, dtype):
    kept = values(dtype)
    if f is np.logaddexp:
        # Its sums cancel near zero, where fused operations round them in another place.
        kept = kept[~(np.abs(kept) < 3)]
    check(f, *by_all(kept), rtol=1e-11)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("f", [np.bitwise_and, np.bitwise_or, np.bitwise_xor], ids=name_of)
def test_bits(f, dtype):
    check(f, *by_all(values(dtype)))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("f", [np.left_shift, np.right_shift], ids=name_of)
def test_shifts_by_the_width_and_more(f, dtype):
    check(f, values(dtype)[:, None], np.array([0, 1, 7, 8, 31, 32, 63, 64, 100], dtype))


@pytest.mark.parametrize("f", [*LOGICAL, np.equal, np.less, np.maximum, np.minimum, np.bitwise_and,
                               np.bitwise_or, np.bitwise_xor], ids=name_of)  # fmt: skip
def test_functions_of_two_bools(f):
    check(f, *by_all(values(BOOL)))


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize(
    "f",
    [np.negative, np.conj, np.real, np.imag, np.absolute, np.square, np.isnan, np.isfinite,
     np.exp, np.expm1, np.exp2, np.sqrt, np.sin, np.cos, np.tan, np.sinh, np.cosh, np.tanh,
     np.arcsin, np.arccos, np.arctan, np.arcsinh, np.arccosh, np.arctanh, np.sign],
    ids=name_of,
)  # fmt: skip
def test_functions_of_complex_numbers(f, dtype):
    check(f, values(dtype), rtol=4e-15 if dtype is np.complex128 else 2e-6, cancels=True)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("n", [-7, -2, -1, 0, 1, 2, 3, 6, 20, 2.0])
def test_whole_powers_of_complex_numbers(n, dtype):
    z = np.append(values(dtype), [0, 1, -1j]).astype(dtype)
    check(lambda z: z**n, z, rtol=1e-13, cancels=True)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 8, 63])
def test_whole_powers_of_integers(n, dtype):
    check(lambda x: x**n, values(dtype))


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("f", [*ARITHMETIC, np.equal, np.not_equal], ids=name_of)
def test_functions_of_two_complex_numbers(f, dtype):
    check(f, *by_all(values(dtype)), cancels=True)


def test_parts_of_complex_numbers():
    z = values(np.complex128)
    check(
        lambda z, x: (z * x, x + 1j * x, np.where(x > 0, z, -z), z.real * z.imag), z, z.real.copy()
    )


@pytest.mark.parametrize("to", [F64, F32, I64, I32, U8, BOOL, np.complex128, np.int16], ids=name_of)
@pytest.mark.parametrize("of", [F64, F32, I64, I32, U8, BOOL], ids=name_of)
def test_conversions(of, to):
    """Of integers, those that wrap around; of floats, those that are in range."""
    x = values(of)
    if x.dtype.kind == "f" and np.dtype(to).kind in "iu":
        x = np.array([0.0, -0.0, 0.9, 1.0, 1.5, 2.5, 100.99], of)
    check(lambda x: x[::-1].astype(to), x)


def test_selection():
    x = values(F64)
    check(lambda x: np.where(x > 0, x, -1.0), x)
    check(lambda x, y: np.where(np.isnan(x), y, x * y), x, x[::-1].copy())
    check(lambda x: np.clip(x, -1, 1), x)


def test_chains_read_their_operands_once():
    check(
        lambda x, y: np.exp(-(x * x + y[:, None])) * np.sin(x) / (1 + x * x),
        block(F64, 7),
        block(F64, 5),
    )


# Shapes.

ARRANGEMENTS = {
    "transposed": lambda x: x.T * 2,
    "axes": lambda x: x.transpose(2, 0, 1) + 1,
    "swapped": lambda x: np.swapaxes(x, 0, 2) - x.T,
    "flipped": lambda x: x[::-1] + x[:, ::-1],
    "flipped and transposed": lambda x: x[::-1].transpose(1, 0, 2)[:, ::-1] * 3,
    "every second": lambda x: x[::2, 1:] + x[::2, :-1],
    "backwards in steps": lambda x: x[::-2, ::-1, 1::2] * 2,
    "reshaped": lambda x: x.reshape(3, -1) + 1,
    "reshaped in between": lambda x: (x + 1).reshape(-1)[::-1].reshape(x.shape) * x,
    "reshaped at the end": lambda x: (x + 1).reshape(3, -1).reshape(-1),
    "diagonals": lambda x: np.diagonal(x, 1, 1, 2) + np.einsum("jii->ij", x[:, :, :3]).T,
    "raveled after a transpose": lambda x: x.T.ravel() * 2,
    "new axes": lambda x: x[:, None] + x[None],
    "squeezed": lambda x: np.squeeze(x[:1], 0) + x[0],
    "outer": lambda x: np.multiply.outer(x[0, 0], x[0, 0]),
    "tiled": lambda x: np.tile(x[0], (2, 1)) + 1,
    "repeated": lambda x: np.repeat(x, 2, axis=1),
    "concatenated": lambda x: np.concatenate([x, x * 2, x[:1]], axis=0),
    "concatenated along the last axis": lambda x: np.concatenate([x[..., 1:], x], axis=-1),
    "stacked": lambda x: np.stack([x + 1, x], axis=1),
    "padded": lambda x: np.pad(x, ((1, 1), (1, 2), (2, 1))) + 1,
    "rolled": lambda x: np.roll(x, 2, axis=1) - x,
    "broadcast": lambda x: np.broadcast_to(x[0, 0], (3, 2, x.shape[-1])) + 1,
    "made": lambda x: np.arange(4.0) * x[0, 0, 0] + np.ones(4),
    "a triangle": lambda x: np.tril(x) + np.triu(x, 1) * 2,
    "an identity": lambda x: np.eye(4) * x[0, 0, 0],
    "a constant": lambda x: x[0] * np.array([[1.0], [2.0], [4.0]]),
}


@pytest.mark.parametrize("f", ARRANGEMENTS.values(), ids=ARRANGEMENTS)
def test_arrangements(f):
    check(f, block(F64, 4, 3, 4))


def of_several_shapes(x):
    y = x * 2
    z = np.cumsum(x.ravel())
    x[:, 1] = y[:, 0]
    return y, y.ravel(), x.reshape(-1), z.reshape(x.shape), z, y.sum().reshape(1, 1)


def test_results_that_are_reshaped():
    check(of_several_shapes, block(F64, 4, 3, 4))


def slices_of_padding(x):
    # The padded array is in memory, as it is stored to, and is longer than its first slice.
    padded = np.pad(x, 3)
    y = np.sin(padded[: x.size]) + padded[1 : x.size + 1]
    padded[1] = 7.0
    for i in range(1, x.size):
        y[i] += y[i - 1]
    return y, padded


def test_slices_of_padding():
    check(slices_of_padding, block(F64, 12))


def test_gradient_of_a_convolution():
    weights = np.arange(12.0)
    gradient = ingot.grad(lambda x, w: np.sum(np.convolve(x, w, "valid") * weights))
    x, w = block(F64, 15), block(F64, 4)
    np.testing.assert_allclose(gradient(x, w), np.convolve(weights, w[::-1]), rtol=1e-12)


@pytest.mark.parametrize("dtype", [F32, I32, U8, BOOL, np.complex128], ids=name_of)
@pytest.mark.parametrize("name", ["flipped and transposed", "concatenated", "padded", "new axes"])
def test_arrangements_of_other_dtypes(name, dtype):
    check(ARRANGEMENTS[name], block(dtype, 4, 3, 4))


@pytest.mark.parametrize(
    "shape", [(), (1,), (1, 1), (1, 5), (5, 1), (1, 3, 1, 2), (7, 1, 4)], ids=str
)
def test_axes_of_length_1(shape):
    x = block(F64, *shape)
    check(lambda x: (x + 1, x.T * 2, x.sum(), np.max(x), x.reshape(-1)), x)
    if shape:
        check(lambda x: (x[0] + x, x.sum(axis=0), x[::-1] * 2, np.cumsum(x, axis=-1)), x)


# Reductions.

REDUCTIONS = [
    np.sum,
    np.prod,
    np.max,
    np.min,
    np.any,
    np.all,
    np.argmax,
    np.argmin,
    np.cumsum,
    np.cumprod,
]


@pytest.mark.parametrize("dtype", [*NUMBERS, BOOL], ids=name_of)
@pytest.mark.parametrize("f", REDUCTIONS, ids=name_of)
def test_reductions(f, dtype):
    """Along each axis; integers have ties."""
    x = block(dtype, 3, 5, 4)
    check(lambda x: (f(x), f(x, axis=0), f(x, axis=1), f(x, axis=2)), x, cancels=True)


@pytest.mark.parametrize("f", [np.sum, np.prod, np.cumsum, np.cumprod, np.mean], ids=name_of)
def test_reductions_of_complex_numbers(f):
    check(lambda z: (f(z), f(z * z.conj(), axis=0)), block(np.complex128, 6, 5), cancels=True)


MORE_REDUCTIONS = {
    "two axes": lambda x: x.sum(axis=(0, 2)),
    "kept axes": lambda x: x - x.mean(axis=1, keepdims=True),
    "deviations": lambda x: (x.var(axis=0), x.std(axis=-1), np.var(x, ddof=1)),
    "a softmax": lambda x: np.exp(x - x.max(-1, keepdims=True)) / np.exp(x).sum(-1, keepdims=True),
    "of a product": lambda x: (x * x[::-1]).sum(axis=2),
    "of a transpose": lambda x: np.argmax(x.T * 2, axis=0),
    "where": lambda x: (np.sum(x, where=x > 0), np.max(x, axis=0, where=x > 0, initial=-5.0)),
    "of all and parts": lambda x: (x.sum(), x.sum(axis=0), (x > 0).sum(), (x * 2).sum()),
    "counts": lambda x: np.count_nonzero(x > 0, axis=1),
    "differences": lambda x: np.diff(x, axis=1).sum(axis=0),
    "norms": lambda x: np.sqrt((x * x).sum(axis=-1)),
    "backwards": lambda x: np.cumsum(x[::-1], axis=0)[::-1],
    "spread": lambda x: np.ptp(x, axis=1),
}


@pytest.mark.parametrize("f", MORE_REDUCTIONS.values(), ids=MORE_REDUCTIONS)
def test_more_reductions(f):
    check(f, block(F64, 4, 5, 3), cancels=True)


@pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
@pytest.mark.parametrize(
    "f", [np.max, np.min, np.argmax, np.argmin, np.sum, np.nanmax, np.fmax.reduce], ids=name_of
)
def test_reductions_of_nan(f, dtype):
    """NaN first, in the middle, last and twice."""
    x = block(dtype, 6, 6)
    x[0, 0] = x[1, 3] = x[2, 5] = x[3, 1] = x[3, 4] = np.nan
    x[4, 2], x[5, 2] = np.inf, -np.inf
    check(lambda x: (f(x, axis=1), f(x, axis=0), f(x)), x)


def test_long_reductions():
    """Longer than the vectors and blocks of their loops."""
    x = block(F64, 1003)
    check(lambda x: (x.sum(), (x * x).sum(), x.max(), x.argmin(), np.cumsum(x)), x, cancels=True)
    y = block(F32, 33, 1003)
    check(lambda y: (y.sum(axis=1), y.sum(axis=0), y.max(axis=0)), y, cancels=True)


@pytest.mark.parametrize("dtype", [F32, F64, I32, I64, U8, BOOL], ids=name_of)
@pytest.mark.parametrize("size", [127, 128, 129, 200])
def test_places_of_extrema_in_blocks(size, dtype):
    """The first of equal ones, at the start and the end of blocks, with the last ones in none."""

    def f(x):
        return np.argmax(x), np.argmin(x), np.argmax(x.reshape(1, -1), axis=1), np.argmin(x * x)

    x = np.zeros(size, dtype)
    check(f, x)
    for place in (0, 63, 64, 126, size - 1):
        x[place] = 1
        check(f, x)
        check(f, 1 - x if dtype is not BOOL else ~x)
    if np.dtype(dtype).kind == "f":
        for place in (size - 1, 100, 64, 0):
            x[place] = np.nan
            check(f, x)
        check(f, np.full(size, -np.inf, dtype))
        check(f, np.where(np.arange(size) % 3, -0.0, 0.0).astype(dtype))
    check(lambda y: (y.argmax(0), y.argmin(1), y.argmax()), block(dtype, 130, 130))


@pytest.mark.parametrize("shape", [(127,), (128,), (300,), (3, 128), (2, 3, 257), (130, 1), (1, 1)])
def test_counts_of_true_elements(shape):
    x = block(F64, *shape)
    for mask in (x > 0, np.ones(shape, bool), np.zeros(shape, bool)):
        check(
            lambda x, m: (m.sum(), np.count_nonzero(m), (m & (x > 0.5)).sum(), m.T.sum()), x, mask
        )
    check(lambda x: ((x > 0).sum(dtype=np.int32), (x > 0).sum(0), (x > 0).mean()), x)


@pytest.mark.parametrize("shape", [(8192,), (9001,), (2, 3, 5000), (9000, 3), (1, 100, 130, 1)])
def test_whether_masks_have_true_elements(shape):
    """Blocks of a mask are read until one decides."""

    def f(m):
        return m.any(), m.all(), (~m).all(), np.any(m[::2]), np.all(m.T), m.any(0)

    mask = np.zeros(shape, bool)
    check(f, mask)
    flat = mask.reshape(-1)
    for place in (0, 4095, 4096, mask.size // 2, mask.size - 1):
        flat[:] = False
        flat[place] = True
        check(f, mask)
        check(f, ~mask)


@pytest.mark.parametrize("x", [2.0, np.float64(0.5), np.array(2.0)])
def test_counts_of_one_number(x):
    check(lambda x: (np.sum(x > 1), np.count_nonzero(x > 1), np.nanmean(x)), x)


@pytest.mark.parametrize("dtype", FLOATS, ids=name_of)
def test_remainders_are_exact(dtype):
    """Of quotients of all sizes, near whole numbers, and of subnormal numbers."""
    info = np.finfo(dtype)
    y = np.concatenate([RNG.random(40) * 10.0 ** RNG.integers(-12, 12, 40), [3, 0.1, 7, 0.3]])
    y = np.concatenate([y, -y, [info.tiny, info.smallest_subnormal * 3, info.max]]).astype(dtype)
    n = np.concatenate([np.arange(8), 2.0 ** np.arange(3, info.nmant + 4), [1e30]]).astype(dtype)
    with quiet():
        x = (y[:, None] * n).astype(dtype)
        x = np.stack([x, np.nextafter(x, np.inf, dtype=dtype), -np.nextafter(x, 0, dtype=dtype)])
    check(np.fmod, x, np.broadcast_to(y[:, None], x.shape).copy(), rtol=0)
    check(np.mod, x, np.broadcast_to(y[:, None], x.shape).copy(), rtol=0)
    check(lambda x: (np.fmod(x, 0.3), x % 7, np.fmod(0.3, x), 5 % x), x.ravel(), rtol=0)


PRODUCTS = {
    "vectors": (lambda x, y: x[0] @ y[0], (3, 5), (2, 5)),
    "a matrix and a vector": (lambda x, y: x @ y, (4, 6), (6,)),
    "a vector and a matrix": (lambda x, y: x @ y, (4,), (4, 6)),
    "matrices": (lambda x, y: x @ y, (4, 6), (6, 5)),
    "transposed": (lambda x, y: x.T @ y.T, (6, 4), (5, 6)),
    "many": (lambda x, y: x @ y, (2, 3, 4), (2, 4, 5)),
    "outer": (lambda x, y: np.outer(x, y), (4,), (3,)),
    "of expressions": (lambda x, y: (x * 2 + 1) @ (y - 1), (4, 6), (6,)),
    "einsum": (lambda x, y: np.einsum("ijk,kj->ik", x, y), (2, 3, 4), (4, 3)),
    "tensordot": (lambda x, y: np.tensordot(x, y, axes=2), (3, 4, 2), (4, 2, 3)),
    "axes of length 1": (lambda x, y: x @ y, (1, 6), (6, 1)),
    "one term": (lambda x, y: x @ y, (3, 1), (1, 4)),
}


@pytest.mark.parametrize("dtype", [F64, F32, I64, np.complex128], ids=name_of)
@pytest.mark.parametrize(("f", "left", "right"), PRODUCTS.values(), ids=PRODUCTS)
def test_products(f, left, right, dtype):
    check(f, block(dtype, *left), block(dtype, *right), cancels=True)


# Indices.


def store_at(x, i, v):
    x[i] = v
    return x * 2


def add_at(x, i, v):
    np.add.at(x, i, v)


def add_to_columns(x, i, v):
    np.add.at(x, (slice(None), i), v)


def max_at(x, i, v):
    np.maximum.at(x, i, v)


INDEXED = {
    "rows": (lambda x, i: x[i] * 2, I64),
    "columns": (lambda x, i: x[:, i] + 1, I64),
    "elements": (lambda x, i: x[i, i[::-1]], I64),
    "from the end": (lambda x, i: x[-1 - i], I64),
    "i32": (lambda x, i: x[i], I32),
    "u8": (lambda x, i: x[i], U8),
    "a table of rows": (lambda x, i: x[i.reshape(2, 3)], I64),
    "computed": (lambda x, i: x[(i * 3 + 1) % 5], I64),
    "take": (lambda x, i: np.take(x, i, axis=1), I64),
    "an item": (lambda x, i: x[i[0]] + x[i[1], i[2]], I64),
    "sum of rows": (lambda x, i: x[i].sum(axis=0), I64),
    "choose": (lambda x, i: np.choose(i % 2, [i, -i]), I64),
    "one each": (lambda x, i: np.take_along_axis(x, i.reshape(1, 6)[:, :5], axis=0), I64),
    "selected": (lambda x, i: np.where(i > 2, x[i, 0], 0.0), I64),
}


@pytest.mark.parametrize(("f", "of"), INDEXED.values(), ids=INDEXED)
def test_gathers(f, of):
    check(f, block(F64, 5, 5), np.array([0, 3, 3, 4, 1, 0], of), cancels=True)


def test_indices_out_of_range_are_clipped_and_wrapped():
    x, i = block(F64, 5), np.array([-7, -5, -1, 0, 4, 5, 99])
    check(lambda x, i: (np.take(x, i, mode="clip"), np.take(x, i, mode="wrap")), x, i)


@pytest.mark.parametrize("dtype", [F64, F32, I32, U8, np.complex128], ids=name_of)
def test_scatters(dtype):
    i = np.array([0, 3, 3, 1, 0, 4])
    check(store_at, block(dtype, 5), i[1:2], block(dtype, 1))
    check(store_at, block(dtype, 5, 3), i, block(dtype, 6, 3))
    check(add_at, block(dtype, 5), i, block(dtype, 6))
    check(add_to_columns, block(dtype, 3, 5), i, block(dtype, 3, 6))
    if dtype is not np.complex128:
        check(max_at, block(dtype, 5), i, block(dtype, 6))


MASKS = {
    "all": np.ones(7, bool),
    "none": np.zeros(7, bool),
    "some": np.array([False, True, True, False, False, True, False]),
    "one, true": np.ones(1, bool),
    "one, false": np.zeros(1, bool),
    "NaN": np.array([np.nan, 1.0, -1.0, np.nan, 0.0]) > 0,
    # Elements are looked at in blocks of 32.
    "64": np.arange(64) % 3 == 0,
    "a run": (np.arange(200) > 40) & (np.arange(200) < 170),
    "runs": np.arange(223) // 32 % 2 == 0,
    "last": np.arange(97) == 96,
    "all of 131": np.ones(131, bool),
    "none of 131": np.zeros(131, bool),
    "all but one": np.arange(96) != 63,
}


@pytest.mark.parametrize("m", MASKS.values(), ids=MASKS)
def test_positions(m):
    x, table = block(F64, m.size), block(F64, m.size, 3)
    check(lambda m: np.nonzero(m), m)
    check(lambda x, m: x[m], x, m)
    check(lambda x, m: x[m], table, m)
    check(lambda x, m: x[np.nonzero(m)[0]] * 2, x, m)
    check(lambda x, m: np.flatnonzero(x * m), x, m)
    check(lambda x: np.argwhere(x > 0), table)
    check(lambda x: np.nonzero(x > 0), table)
    check(lambda m: ingot.vmap(lambda row: np.sum(np.nonzero(row)[0]))(m), np.stack([m, ~m]))


def shrink(x, mask, n):
    total = 0.0
    for i in range(n):
        x = x[mask[: len(x)]]
        total += np.sum(x * i)
        x = x[x > 0.2 * i]
    return total, x


@pytest.mark.parametrize("m", [m for m in MASKS.values() if m.size > 60])
def test_positions_in_loops(m):
    check(shrink, np.linspace(0, 1, m.size), m, 4)


def shrink_rows(x, n):
    for i in range(n):
        if len(x) == 0:
            break
        x = x[x[:, 0] > 0.1 * i]
    return x


def test_rows_in_loops():
    check(shrink_rows, np.random.default_rng(0).random((100, 3)), 5)
    check(shrink_rows, np.zeros((100, 3)), 2)


@pytest.mark.parametrize("m", [m for m in MASKS.values() if m.size > 60])
def test_positions_up_to_a_length(m):
    def upto(x, m, lengths):
        n = int(lengths[0])
        head = m[1:n]
        found = np.nonzero(head)[0]
        return np.sum(x[found] * 2) + np.sum(np.where(found > 3, x[found], 0)), x[1:n][head]

    for n in (1, 33, 64, m.size - 1, m.size):
        check(upto, block(F64, m.size), m, np.array([n]))


def store_every(x, steps, v):
    x[1 :: int(steps[0])] = v


def store_backwards(x, steps, v):
    x[-2 :: -int(steps[0])] = v


@pytest.mark.parametrize("dtype", [F64, I32, BOOL], ids=name_of)
@pytest.mark.parametrize("step", [1, 2, 3, 50, -1, -3])
def test_stores_with_a_step(step, dtype):
    steps = np.array([step])
    for x in (block(dtype, 11), block(dtype, 11, 2), block(dtype, 1), block(dtype, 1, 3)):
        check(store_every, x, steps, dtype(1))
        check(store_backwards, x, steps, dtype(1))


def test_bincount():
    check(lambda i, w: np.bincount(i, w, minlength=8), np.array([1, 5, 5, 0]), block(F64, 4))
