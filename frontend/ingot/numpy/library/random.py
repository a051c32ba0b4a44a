"""Random numbers by keys, with the streams of jax.random.

The generator is Threefry-2x32 with 20 rounds: Salmon, Moraes, Dror and Shaw, "Parallel random numbers:
as easy as 1, 2, 3", SC 2011.
"""

import math

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import special

#: The rotation of each round in a group of four, for even and for odd groups.
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
#: By float dtype the unsigned dtype of its size, the number of bits that are not its fraction, and the
#: bits of 1.0; these make a float in [1, 2) from random bits.
FLOATS = {
    "float16": (np.uint16, 16 - 10, 0x3C00),
    "float32": (np.uint32, 32 - 23, 0x3F800000),
    "float64": (np.uint64, 64 - 52, 0x3FF0000000000000),
}
UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def _hash(key, x0, x1):
    """Threefry-2x32: two arrays of random uint32 for two arrays of counters."""
    if np.shape(key) != (2,) or np.asarray(key).dtype != np.uint32:
        raise ValueError("a key is an array of two uint32, from ingot.random.key or split")
    a, b = key[0], key[1]
    keys = (a, b, a ^ b ^ np.uint32(0x1BD11BDA))
    x0 = x0 + keys[0]
    x1 = x1 + keys[1]
    for group in range(5):
        for by in ROTATIONS[group % 2]:
            x0 = x0 + x1
            x1 = (x1 << np.uint32(by)) | (x1 >> np.uint32(32 - by))
            x1 = x1 ^ x0
        x0 = x0 + keys[(group + 1) % 3]
        x1 = x1 + keys[(group + 2) % 3] + np.uint32(group + 1)
    return x0, x1


def _counts(shape):
    """The element counters for a shape: the high and the low halves, as uint32."""
    numbers = np.reshape(np.arange(math.prod(shape)), shape)
    return (numbers >> 32).astype(np.uint32), (numbers & 0xFFFFFFFF).astype(np.uint32)


def key(seed):
    """Make a key from a seed.

    Args:
        seed: an integer of up to 64 bits.

    Returns:
        a key, (2,) uint32: the high and the low half of the seed.

    Raises:
        TypeError: if the seed is not an integer.

    Example:
        >>> ingot.random.key(42)
        array([ 0, 42], dtype=uint32)
    """
    kind = np.asarray(seed).dtype
    if kind.kind not in "iu":
        raise TypeError("a seed is an integer")
    low = np.asarray(seed).astype(np.uint32)
    if kind.itemsize < 8:
        return np.stack([np.zeros((), np.uint32), low])
    return np.stack([(np.asarray(seed) >> 32).astype(np.uint32), low])


def split(key, num=2):
    """Make several keys with independent streams from one, which must not be used again.

    Args:
        key: a key, (2,) uint32.
        num: the number of keys, or their shape.

    Returns:
        the keys, (*num, 2) uint32.

    Raises:
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> one, two = ingot.random.split(ingot.random.key(0))
        >>> one
        array([1797259609, 2579123966], dtype=uint32)
    """
    first, second = _hash(key, *_counts(prim.sizes(num)))
    return np.stack([first, second], axis=-1)


def fold_in(key, data):
    """Make a key for a number, such as that of a step; its stream is independent of the other ones.

    Args:
        key: a key, (2,) uint32.
        data: an integer, of which the low 32 bits are used.

    Returns:
        a key, (2,) uint32.

    Raises:
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.fold_in(ingot.random.key(0), 7)
        array([2716826189,  292468403], dtype=uint32)
    """
    first, second = _hash(key, np.zeros((), np.uint32), np.asarray(data).astype(np.uint32))
    return np.stack([first, second])


def bits(key, shape=(), dtype=np.uint32):
    """Random bits.

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: an unsigned dtype of 8, 16, 32 or 64 bits.

    Returns:
        an array of the shape and dtype.

    Raises:
        TypeError: if the dtype is not unsigned.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.bits(ingot.random.key(0), (2,))
        array([4070199207, 4202968722], dtype=uint32)
    """
    kind = np.dtype(dtype)
    if kind.kind != "u":
        raise TypeError("bits have an unsigned dtype, such as np.uint32")
    first, second = _hash(key, *_counts(prim.sizes(shape)))
    if kind.itemsize == 8:
        return (first.astype(np.uint64) << np.uint64(32)) | second.astype(np.uint64)
    return (first ^ second).astype(kind)


def _floating(dtype):
    """The dtype of random floats."""
    kind = np.dtype(dtype)
    if kind.name not in FLOATS:
        raise TypeError("random floats have the dtype float16, float32 or float64")
    return kind


def _between(key, shape, dtype, low, high):
    """Floats in [low, high)."""
    kind = _floating(dtype)
    unsigned, shift, one = FLOATS[kind.name]
    low, high = np.asarray(low).astype(kind), np.asarray(high).astype(kind)
    fraction = bits(key, shape, unsigned) >> unsigned(shift)
    unit = prim.bitcast(np.asarray(fraction | unsigned(one)), kind) - kind.type(1)
    return np.maximum(low, unit * (high - low) + low)


def uniform(key, shape=(), dtype=float, minval=0.0, maxval=1.0):
    """Floats that are uniform in [minval, maxval).

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: float16, float32 or float64.
        minval: the lower bounds, which broadcast to the shape.
        maxval: the upper bounds, which broadcast to the shape.

    Returns:
        an array of the shape and dtype.

    Raises:
        TypeError: for another dtype.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.uniform(ingot.random.key(0), (3,)).round(4)
        array([0.4185, 0.2163, 0.9653])
    """
    return _between(key, shape, dtype, minval, maxval)


def normal(key, shape=(), dtype=float):
    """Floats of the standard normal distribution.

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: float16, float32 or float64.

    Returns:
        an array of the shape and dtype.

    Raises:
        TypeError: for another dtype.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.normal(ingot.random.key(0), (3,)).round(4)
        array([-0.2058, -0.7848,  1.8161])
    """
    kind = _floating(dtype)
    low = np.nextafter(kind.type(-1), kind.type(0))
    return kind.type(math.sqrt(2)) * special.erfinv(_between(key, shape, kind, low, 1.0))


def truncated_normal(key, lower, upper, shape=None, dtype=float):
    """Floats of the standard normal distribution, truncated to an interval.

    Args:
        key: a key, (2,) uint32.
        lower: the lower limits, which broadcast to the shape.
        upper: the upper limits, which broadcast to the shape.
        shape: the shape of the result; that of the limits, broadcast together, if None.
        dtype: float16, float32 or float64.

    Returns:
        an array of the shape and dtype.

    Raises:
        TypeError: for another dtype.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.truncated_normal(ingot.random.key(0), -1.0, 1.0, (3,)).round(4)
        array([-0.14  , -0.5063,  0.9065])
    """
    kind = _floating(dtype)
    if shape is None:
        shape = np.broadcast_shapes(np.shape(lower), np.shape(upper))
    low, high = np.asarray(lower).astype(kind), np.asarray(upper).astype(kind)
    root = kind.type(math.sqrt(2))
    u = _between(key, shape, kind, special.erf(low / root), special.erf(high / root))
    inside = np.nextafter(low, kind.type(math.inf)), np.nextafter(high, kind.type(-math.inf))
    return np.clip(root * special.erfinv(u), *inside)


def _rem(x, span):
    """x % span; x itself where the span is 0, which stands for all values of the dtype."""
    return np.where(span == 0, x, x % np.maximum(span, span.dtype.type(1)))


def randint(key, shape, minval, maxval, dtype=int):
    """Integers that are uniform in [minval, maxval).

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        minval: the lower bounds, integers that broadcast to the shape.
        maxval: the upper bounds, integers that broadcast to the shape. Where they are not greater
            than `minval`, the result is `minval`.
        dtype: an integer dtype.

    Returns:
        an array of the shape and dtype.

    Raises:
        TypeError: if the dtype or the bounds are not integers.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.randint(ingot.random.key(0), (5,), 0, 10)
        array([5, 1, 5, 7, 3])
    """
    kind = np.dtype(dtype)
    if kind.kind not in "iu":
        raise TypeError("random integers have an integer dtype")
    low, high = np.asarray(minval), np.asarray(maxval)
    if low.dtype.kind not in "iu" or high.dtype.kind not in "iu":
        raise TypeError("the limits of random integers are integers")
    if kind.itemsize < 4:
        # Random numbers of so few bits would be biased.
        info = np.iinfo(kind)
        low = np.clip(low.astype(np.int32), info.min, info.max)
        high = np.clip(high.astype(np.int32), info.min, info.max + 1)
        return randint(key, shape, low, high, np.int32).astype(kind)
    is_beyond = high > min(np.iinfo(kind).max, np.iinfo(high.dtype).max)
    low, high = _clipped(low, kind), _clipped(high, kind)
    one, two = split(key)
    unsigned = UNSIGNED[kind.itemsize]
    upper, lower = bits(one, shape, unsigned), bits(two, shape, unsigned)
    span = np.where(high <= low, unsigned(1), (high - low).astype(unsigned))
    span = np.where(is_beyond & (high > low), span + unsigned(1), span)
    times = _rem(np.full(np.shape(span), 2 ** (kind.itemsize * 4), unsigned), span)
    times = _rem(times * times, span)
    offset = _rem(_rem(upper, span) * times + _rem(lower, span), span)
    return low + offset.astype(kind)


def _clipped(x, kind):
    info, own = np.iinfo(kind), np.iinfo(x.dtype)
    return np.clip(x, max(info.min, own.min), min(info.max, own.max)).astype(kind)


def _shuffled(key, x, axis):
    """x sorted by random keys of 32 bits, repeatedly, so that the effect of equal keys is negligible."""
    rounds = math.ceil(3 * math.log(max(1, x.size)) / math.log(2**32 - 1))
    for _ in range(rounds):
        key, sub = split(key)
        order = np.argsort(bits(sub, x.shape), axis=axis, kind="stable")
        x = np.take_along_axis(x, order, axis)
    return x


def permutation(key, x, axis=0, independent=False):
    """Shuffle the items along an axis.

    Args:
        key: a key, (2,) uint32.
        x: an array, or an integer n for np.arange(n).
        axis: the axis along which the items are shuffled.
        independent: whether each vector along the axis gets an order of its own.

    Returns:
        an array of the shape and dtype of x.

    Raises:
        TypeError: if x has no axes and is not an integer.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.permutation(ingot.random.key(0), 5)
        array([0, 1, 4, 3, 2])
    """
    if isinstance(x, (int, np.integer)):
        return _shuffled(key, np.arange(x), 0)
    x = np.asarray(x)
    if x.ndim == 0:
        raise TypeError("permutation takes an integer or an array with axes")
    if independent or x.ndim == 1:
        return _shuffled(key, x, axis)
    return np.take(x, _shuffled(key, np.arange(x.shape[axis]), 0), axis)


def choice(key, a, shape=(), replace=True, p=None, axis=0):
    """Choose items of an array along an axis.

    Args:
        key: a key, (2,) uint32.
        a: an array, or an integer n for np.arange(n).
        shape: the shape of the sample.
        replace: whether an item may be chosen more than once.
        p: the probabilities of the n items, (n,) floats; equal ones if None.
        axis: the axis along which the items are.

    Returns:
        an array of the dtype of a and the shape of a, with `shape` instead of the axis.

    Raises:
        TypeError: if a has no axes and is not an integer.
        ValueError: if a sample without replacement is larger than n, or `key` is not (2,) uint32.

    Example:
        >>> ingot.random.choice(ingot.random.key(0), np.array([10, 20, 30]), (4,))
        array([10, 30, 30, 30])
    """
    shape = prim.sizes(shape)
    is_number = isinstance(a, (int, np.integer))
    if not is_number and np.ndim(a) == 0:
        raise TypeError("choice takes an integer or an array with axes")
    count = a if is_number else np.shape(a)[axis]
    draws = math.prod(shape)
    if not replace and draws > count:
        raise ValueError("a sample without replacement can't be larger than the number of items")
    if p is None and replace:
        chosen = randint(key, shape, 0, count)
    elif p is None:
        chosen = permutation(key, count)[:draws]
    elif replace:
        sums = np.cumsum(np.asarray(p))
        chosen = np.searchsorted(sums, sums[-1] * (1 - uniform(key, shape, sums.dtype)))
    else:
        score = gumbel(key, (count,), np.asarray(p).dtype) + np.log(np.asarray(p))
        chosen = np.argsort(-score, kind="stable")[:draws]
    chosen = np.reshape(chosen, shape)
    return chosen if is_number else np.take(np.asarray(a), chosen, axis)


def bernoulli(key, p=0.5, shape=None):
    """Booleans that are True with a probability.

    Args:
        key: a key, (2,) uint32.
        p: the probabilities, floats that broadcast to the shape.
        shape: the shape of the result; that of p if None.

    Returns:
        an array of the shape, bool.

    Raises:
        TypeError: if p is not a float.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.bernoulli(ingot.random.key(0), 0.3, (4,))
        array([False,  True, False, False])
    """
    p = np.asarray(p)
    return uniform(key, p.shape if shape is None else shape, p.dtype) < p


def rademacher(key, shape=(), dtype=int):
    """Numbers that are 1 or -1 with equal probability.

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: a dtype with negative numbers.

    Returns:
        an array of the shape and dtype.

    Raises:
        TypeError: for another dtype.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.rademacher(ingot.random.key(0), (4,))
        array([ 1,  1, -1, -1])
    """
    kind = np.dtype(dtype)
    if kind.kind not in "ifc":
        raise TypeError(f"the dtype {kind.name} has no negative numbers")
    return (2 * bernoulli(key, 0.5, shape).astype(kind) - 1).astype(kind)


def exponential(key, shape=(), dtype=float):
    """Floats of the exponential distribution with mean 1.

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: float16, float32 or float64.

    Returns:
        an array of the shape and dtype.

    Raises:
        TypeError: for another dtype.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.exponential(ingot.random.key(0), (3,)).round(4)
        array([0.5421, 0.2437, 3.3616])
    """
    return -np.log1p(-uniform(key, shape, dtype))


def gumbel(key, shape=(), dtype=float):
    """Floats of the standard Gumbel distribution.

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: float16, float32 or float64.

    Returns:
        an array of the shape and dtype.

    Raises:
        ValueError: for another dtype, or if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.gumbel(ingot.random.key(0), (3,)).round(4)
        array([ 0.1379, -0.426 ,  3.344 ])
    """
    return -np.log(-np.log(_between(key, shape, dtype, np.finfo(_floating(dtype)).tiny, 1.0)))


def laplace(key, shape=(), dtype=float):
    """Floats of the standard Laplace distribution.

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: float16, float32 or float64.

    Returns:
        an array of the shape and dtype.

    Raises:
        ValueError: for another dtype, or if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.laplace(ingot.random.key(0), (3,)).round(4)
        array([ 0.178 ,  0.838 , -2.6685])
    """
    u = _between(key, shape, dtype, -1 + float(np.finfo(_floating(dtype)).epsneg), 1.0)
    return np.sign(u) * np.log1p(-np.abs(u))


def logistic(key, shape=(), dtype=float):
    """Floats of the standard logistic distribution.

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: float16, float32 or float64.

    Returns:
        an array of the shape and dtype.

    Raises:
        ValueError: for another dtype, or if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.logistic(ingot.random.key(0), (3,)).round(4)
        array([-0.3291, -1.2874,  3.3263])
    """
    u = _between(key, shape, dtype, np.finfo(_floating(dtype)).tiny, 1.0)
    return np.log(u) - np.log1p(-u)


def cauchy(key, shape=(), dtype=float):
    """Floats of the standard Cauchy distribution.

    Args:
        key: a key, (2,) uint32.
        shape: the shape of the result.
        dtype: float16, float32 or float64.

    Returns:
        an array of the shape and dtype.

    Raises:
        ValueError: for another dtype, or if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.cauchy(ingot.random.key(0), (3,)).round(4)
        array([-0.2619, -1.2378,  9.1425])
    """
    u = _between(key, shape, dtype, np.finfo(_floating(dtype)).eps, 1.0)
    kind = np.dtype(dtype).type
    return np.tan(kind(math.pi) * (u - kind(0.5)))


def categorical(key, logits, axis=-1, shape=None):
    """Indices along an axis, chosen by logarithms of probabilities.

    Args:
        key: a key, (2,) uint32.
        logits: the logarithms of the probabilities up to a constant, floats of at least one axis.
        axis: the axis along which the probabilities are.
        shape: the shape of the result, which ends in the shape of the logits without the axis; that
            shape itself if None.

    Returns:
        an array of the shape, int64.

    Raises:
        ValueError: if the logits are not floats, or `key` is not (2,) uint32.

    Example:
        >>> logits = np.log([0.1, 0.6, 0.3])
        >>> ingot.random.categorical(ingot.random.key(0), logits, shape=(5,))
        array([2, 1, 1, 1, 1])
    """
    logits = np.asarray(logits)
    axis = axis % logits.ndim
    rest = logits.shape[:axis] + logits.shape[axis + 1 :]
    shape = rest if shape is None else prim.sizes(shape)
    more = len(shape) - len(rest)
    around = shape[more:]
    full = shape[:more] + around[:axis] + (logits.shape[axis],) + around[axis:]
    return np.argmax(gumbel(key, full, logits.dtype) + logits, axis=axis - logits.ndim)


def multivariate_normal(key, mean, cov, shape=None, dtype=float):
    """Vectors of a multivariate normal distribution.

    Args:
        key: a key, (2,) uint32.
        mean: the means, (..., n) floats.
        cov: the covariance matrices, (..., n, n) floats, positive definite.
        shape: the shape of the result without its last axis, to which the leading axes of `mean` and
            `cov` broadcast; these axes, broadcast together, if None.
        dtype: float16, float32 or float64.

    Returns:
        an array of the shape (*shape, n), in the common dtype of `mean`, `cov` and `dtype`.

    Raises:
        LinAlgError: if a matrix is not positive definite.
        TypeError: for another dtype.
        ValueError: if `key` is not (2,) uint32.

    Example:
        >>> ingot.random.multivariate_normal(ingot.random.key(0), np.zeros(2), np.eye(2), (3,)).shape
        (3, 2)
    """
    mean, cov = np.asarray(mean), np.asarray(cov)
    if shape is None:
        shape = np.broadcast_shapes(mean.shape[:-1], cov.shape[:-2])
    factor = np.linalg.cholesky(cov)
    noise = normal(key, prim.sizes(shape) + mean.shape[-1:], dtype)
    return mean + np.einsum("...ij,...j->...i", factor, noise)
