"""Random numbers by keys: Threefry-2x32 (Salmon et al., 2011), with jax.random's streams."""

import math

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import special

#: By how much each round rotates: four numbers for even groups of rounds, four for odd ones.
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
#: What tells from the bits of a float in [1, 2): its dtype's bits, those of its fraction, and 1.
FLOATS = {
    "float16": (np.uint16, 16 - 10, 0x3C00),
    "float32": (np.uint32, 32 - 23, 0x3F800000),
    "float64": (np.uint64, 64 - 52, 0x3FF0000000000000),
}
UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def _hash(key, x0, x1):
    """Threefry-2x32 of 20 rounds: two arrays of uint32 for two of counts."""
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
    """The numbers of the elements as pairs of uint32, the high halves first."""
    numbers = np.reshape(np.arange(math.prod(shape)), shape)
    return (numbers >> 32).astype(np.uint32), (numbers & 0xFFFFFFFF).astype(np.uint32)


def key(seed):
    """A key of a seed.

    Args:
        seed: an integer of up to 64 bits.

    Returns:
        two uint32: the seed's high and low halves.
    """
    kind = np.asarray(seed).dtype
    if kind.kind not in "iu":
        raise TypeError("a seed is an integer")
    low = np.asarray(seed).astype(np.uint32)
    if kind.itemsize < 8:
        return np.stack([np.zeros((), np.uint32), low])
    return np.stack([(np.asarray(seed) >> 32).astype(np.uint32), low])


def split(key, num=2):
    """Keys whose streams are independent of each other; do not use the one that is split again.

    Args:
        num: how many, or the shape in which they are arranged.

    Returns:
        uint32 of the shape (*num, 2).
    """
    first, second = _hash(key, *_counts(prim.sizes(num)))
    return np.stack([first, second], axis=-1)


def fold_in(key, data):
    """The key of a number, such as that of a step: as good as one split off.

    Args:
        data: an integer; its low 32 bits count.
    """
    first, second = _hash(key, np.zeros((), np.uint32), np.asarray(data).astype(np.uint32))
    return np.stack([first, second])


def bits(key, shape=(), dtype=np.uint32):
    """Random bits as unsigned integers of 8, 16, 32 or 64 bits."""
    kind = np.dtype(dtype)
    if kind.kind != "u":
        raise TypeError("bits have an unsigned dtype, such as np.uint32")
    first, second = _hash(key, *_counts(prim.sizes(shape)))
    if kind.itemsize == 8:
        return (first.astype(np.uint64) << np.uint64(32)) | second.astype(np.uint64)
    return (first ^ second).astype(kind)


def _between(key, shape, dtype, low, high):
    """Floats in [low, high)."""
    kind = np.dtype(dtype)
    if kind.name not in FLOATS:
        raise TypeError("random floats have the dtype float16, float32 or float64")
    unsigned, shift, one = FLOATS[kind.name]
    low, high = np.asarray(low).astype(kind), np.asarray(high).astype(kind)
    fraction = bits(key, shape, unsigned) >> unsigned(shift)
    unit = prim.bitcast(np.asarray(fraction | unsigned(one)), kind) - kind.type(1)
    return np.maximum(low, unit * (high - low) + low)


def uniform(key, shape=(), dtype=float, minval=0.0, maxval=1.0):
    """Floats from [minval, maxval), which broadcast to the shape."""
    return _between(key, shape, dtype, minval, maxval)


def normal(key, shape=(), dtype=float):
    """Floats of the standard normal distribution."""
    kind = np.dtype(dtype)
    low = np.nextafter(kind.type(-1), kind.type(0))
    return kind.type(math.sqrt(2)) * special.erfinv(_between(key, shape, kind, low, 1.0))


def truncated_normal(key, lower, upper, shape=None, dtype=float):
    """Floats of the standard normal distribution between two limits, which broadcast."""
    kind = np.dtype(dtype)
    if shape is None:
        shape = np.broadcast_shapes(np.shape(lower), np.shape(upper))
    low, high = np.asarray(lower).astype(kind), np.asarray(upper).astype(kind)
    root = kind.type(math.sqrt(2))
    u = _between(key, shape, kind, special.erf(low / root), special.erf(high / root))
    inside = np.nextafter(low, kind.type(math.inf)), np.nextafter(high, kind.type(-math.inf))
    return np.clip(root * special.erfinv(u), *inside)


def _rem(x, span):
    """The remainder; x itself where the span has wrapped to zero, which stands for all."""
    return np.where(span == 0, x, x % np.maximum(span, span.dtype.type(1)))


def randint(key, shape, minval, maxval, dtype=int):
    """Integers from [minval, maxval), which broadcast to the shape; minval if that is empty."""
    kind = np.dtype(dtype)
    if kind.kind not in "iu":
        raise TypeError("random integers have an integer dtype")
    low, high = np.asarray(minval), np.asarray(maxval)
    if low.dtype.kind not in "iu" or high.dtype.kind not in "iu":
        raise TypeError("the limits of random integers are integers")
    if kind.itemsize < 4:
        # So few bits would favour some numbers.
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
    """Sorted by random keys of 32 bits, as often as makes equal keys unlikely."""
    rounds = math.ceil(3 * math.log(max(1, x.size)) / math.log(2**32 - 1))
    for _ in range(rounds):
        key, sub = split(key)
        order = np.argsort(bits(sub, x.shape), axis=axis, kind="stable")
        x = np.take_along_axis(x, order, axis)
    return x


def permutation(key, x, axis=0, independent=False):
    """The items along an axis in another order.

    Args:
        x: an array, or the number n for np.arange(n).
        independent: orders each vector along the axis by itself.
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
    """Items of an array along an axis.

    Args:
        a: the array, or the number n for np.arange(n).
        replace: whether an item can be chosen more than once.
        p: the items' probabilities; equal ones if None.
    """
    shape = prim.sizes(shape)
    is_number = isinstance(a, (int, np.integer))
    if not is_number and np.ndim(a) == 0:
        raise TypeError("choice takes an integer or an array with axes")
    count = a if is_number else np.shape(a)[axis]
    draws = math.prod(shape)
    if not replace and draws > count:
        raise ValueError("a sample without replacement is not larger than what it is from")
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
    """True with probability p, which broadcasts to the shape."""
    p = np.asarray(p)
    return uniform(key, p.shape if shape is None else shape, p.dtype) < p


def rademacher(key, shape=(), dtype=int):
    """1 or -1."""
    return (2 * bernoulli(key, 0.5, shape).astype(dtype) - 1).astype(dtype)


def exponential(key, shape=(), dtype=float):
    """Floats of the exponential distribution with mean 1."""
    return -np.log1p(-uniform(key, shape, dtype))


def gumbel(key, shape=(), dtype=float):
    """Floats of the standard Gumbel distribution."""
    return -np.log(-np.log(_between(key, shape, dtype, np.finfo(dtype).tiny, 1.0)))


def laplace(key, shape=(), dtype=float):
    """Floats of the Laplace distribution."""
    u = _between(key, shape, dtype, -1 + float(np.finfo(dtype).epsneg), 1.0)
    return np.sign(u) * np.log1p(-np.abs(u))


def logistic(key, shape=(), dtype=float):
    """Floats of the logistic distribution."""
    u = _between(key, shape, dtype, np.finfo(dtype).tiny, 1.0)
    return np.log(u) - np.log1p(-u)


def cauchy(key, shape=(), dtype=float):
    """Floats of the Cauchy distribution."""
    u = _between(key, shape, dtype, np.finfo(dtype).eps, 1.0)
    kind = np.dtype(dtype).type
    return np.tan(kind(math.pi) * (u - kind(0.5)))


def categorical(key, logits, axis=-1, shape=None):
    """Indices along an axis, by the logarithms of their probabilities up to a constant.

    Args:
        shape: ends in that of the logits without the axis, which it is if None.
    """
    logits = np.asarray(logits)
    place = axis % logits.ndim
    rest = logits.shape[:place] + logits.shape[place + 1 :]
    shape = rest if shape is None else prim.sizes(shape)
    more = len(shape) - len(rest)
    around = shape[more:]
    full = shape[:more] + around[:place] + (logits.shape[place],) + around[place:]
    return np.argmax(gumbel(key, full, logits.dtype) + logits, axis=place - logits.ndim)


def multivariate_normal(key, mean, cov, shape=None, dtype=float):
    """Vectors of the normal distribution with a mean and a covariance, which broadcast."""
    mean, cov = np.asarray(mean), np.asarray(cov)
    if shape is None:
        shape = np.broadcast_shapes(mean.shape[:-1], cov.shape[:-2])
    factor = np.linalg.cholesky(cov)
    noise = normal(key, prim.sizes(shape) + mean.shape[-1:], dtype)
    return mean + np.einsum("...ij,...j->...i", factor, noise)
