"""Counter-based random numbers, in compiled code and outside of it.

The generator is Threefry-2x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011),
with the streams of `jax.random`. A key is an array of shape (2,) and dtype uint32. The same key
gives the same numbers on every call and backend, in compiled code and under every transformation,
so derive a new key for each use, with `split` or `fold_in`. Bits, integers and uniform floats are
equal bit for bit; distributions that need a logarithm or the inverse of erf agree up to rounding.

Example:
    >>> key = ingot.random.key(0)
    >>> for step in range(3):
    ...     noise = ingot.random.normal(ingot.random.fold_in(key, step), (2,))
    >>> noise.shape, noise.dtype
    ((2,), dtype('float64'))
"""

from __future__ import annotations

from ingot.jit import jit
from ingot.numpy.library import random as _library

_SHAPED = ("shape", "dtype")

key = jit(_library.key)
split = jit(_library.split, static=("num",))
fold_in = jit(_library.fold_in)
bits = jit(_library.bits, static=_SHAPED)
uniform = jit(_library.uniform, static=_SHAPED)
normal = jit(_library.normal, static=_SHAPED)
truncated_normal = jit(_library.truncated_normal, static=_SHAPED)
multivariate_normal = jit(_library.multivariate_normal, static=_SHAPED)
randint = jit(_library.randint, static=_SHAPED)
permutation = jit(_library.permutation, static=("axis", "independent"))
choice = jit(_library.choice, static=("shape", "replace", "axis"))
categorical = jit(_library.categorical, static=("axis", "shape"))
bernoulli = jit(_library.bernoulli, static=("shape",))
rademacher = jit(_library.rademacher, static=_SHAPED)
exponential = jit(_library.exponential, static=_SHAPED)
gumbel = jit(_library.gumbel, static=_SHAPED)
laplace = jit(_library.laplace, static=_SHAPED)
logistic = jit(_library.logistic, static=_SHAPED)
cauchy = jit(_library.cauchy, static=_SHAPED)

__all__ = [
    "bernoulli",
    "bits",
    "categorical",
    "cauchy",
    "choice",
    "exponential",
    "fold_in",
    "gumbel",
    "key",
    "laplace",
    "logistic",
    "multivariate_normal",
    "normal",
    "permutation",
    "rademacher",
    "randint",
    "split",
    "truncated_normal",
    "uniform",
]
