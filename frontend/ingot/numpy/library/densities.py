"""The methods of all scipy.stats distributions: location, scale, support and logarithms.

A distribution is given by `parts`, functions of the standard variable and the shape parameters (see
`distributions`).
"""

import numpy as np

from ingot.numpy.library import special


def _standard(x, shapes, loc, scale):
    """The standard variable, the shape parameters and the scale, broadcast together."""
    values = [np.asarray(each) for each in (x, loc, scale, *shapes)]
    shape = np.broadcast_shapes(*[each.shape for each in values])
    x, loc, scale, *shapes = [np.broadcast_to(each, shape).astype(np.float64) for each in values]
    return (x - loc) / np.where(scale > 0, scale, 1.0), shapes, scale


def _checked(found, valid, y, shapes, scale):
    """The result, with NaN where the variable is NaN or the parameters are not valid."""
    is_right = (scale > 0) & ~np.isnan(y)
    if valid is not None:
        is_right = is_right & valid(*shapes)
    return np.where(is_right, found, np.nan)[()]


def _inside(support, y, shapes, is_discrete):
    """The mask where y is in the support, and y with a number of the support elsewhere."""
    low, high, middle = support(*shapes)
    inside = (y >= low) & (y <= high)
    if is_discrete:
        inside = inside & (np.floor(y) == y)
    return inside, np.where(inside, y, middle)


def of_operands(method, parts, x, *parameters):
    """A method of the variable, the shape parameters, the location and the scale."""
    return method(parts, x, parameters[:-2], parameters[-2], parameters[-1])


def logpdf(parts, x, shapes, loc, scale):
    """The logarithm of the density, or of the probability mass if the distribution is discrete."""
    density, support, valid, is_discrete = parts["logpdf"], *parts["domain"]
    y, shapes, scale = _standard(x, shapes, loc, scale)
    inside, safe = _inside(support, y, shapes, is_discrete)
    found = density(safe, *shapes)
    if not is_discrete:
        found = found - np.log(np.where(scale > 0, scale, 1.0))
    return _checked(np.where(inside, found, -np.inf), valid, y, shapes, scale)


def pdf(parts, x, shapes, loc, scale):
    return np.exp(logpdf(parts, x, shapes, loc, scale))


def _probability(name, below, above, parts, x, shapes, loc, scale):
    """A distribution function by its name; `below` and `above` are its values outside the support."""
    support, valid, is_discrete = parts["domain"]
    y, shapes, scale = _standard(x, shapes, loc, scale)
    low, high, middle = support(*shapes)
    point = np.floor(y) if is_discrete else y
    inside = (point >= low if is_discrete else point > low) & (point < high)
    found = _part(parts, name, np.where(inside, point, middle), shapes)
    found = np.where(inside, found, np.where(point >= high, above, below))
    return _checked(found, valid, y, shapes, scale)


def _part(parts, name, y, shapes):
    """A part of the distribution; logcdf and logsf by cdf and sf if the distribution lacks them."""
    if name in parts:
        return parts[name](y, *shapes)
    below, above = parts["cdf"](y, *shapes), parts["sf"](y, *shapes)
    found = _logarithm(below, above) if name == "logcdf" else _logarithm(above, below)
    # For discrete distributions SciPy has log(1) = 0.0, for others log1p(-0.0) = -0.0.
    return found + 0.0 if parts["domain"][2] else found


def cdf(parts, x, shapes, loc, scale):
    return _probability("cdf", 0.0, 1.0, parts, x, shapes, loc, scale)


def sf(parts, x, shapes, loc, scale):
    return _probability("sf", 1.0, 0.0, parts, x, shapes, loc, scale)


def logcdf(parts, x, shapes, loc, scale):
    return _probability("logcdf", -np.inf, 0.0, parts, x, shapes, loc, scale)


def logsf(parts, x, shapes, loc, scale):
    return _probability("logsf", 0.0, -np.inf, parts, x, shapes, loc, scale)


def _logarithm(p, rest):
    """log(p), where p + rest is 1; its derivative is 0 where p is 0."""
    is_zero, is_large = p == 0, p > 0.5
    small = np.where(is_zero, -np.inf, np.log(np.where(is_zero, 1.0, p)))
    return np.where(is_large, np.log1p(-np.where(is_large, rest, 0.0)), small)[()]


def _quantile(name, at_zero, at_one, parts, q, shapes, loc, scale):
    valid = parts["domain"][1]
    values = np.broadcast_arrays(*[np.asarray(each) * 1.0 for each in (q, loc, scale, *shapes)])
    q, loc, scale, *shapes = values
    inside = (q > 0) & (q < 1)
    found = parts[name](np.where(inside, q, 0.5), *shapes)
    found = np.where(inside, found, np.where(q == 0, at_zero, at_one))
    found = _checked(loc + scale * found + 0.0, valid, found, shapes, scale)
    return np.where((q >= 0) & (q <= 1), found, np.nan)[()]


def ppf(parts, q, shapes, loc, scale):
    low, high, _ = parts["domain"][0](*shapes)
    return _quantile("ppf", low, high, parts, q, shapes, loc, scale)


def isf(parts, q, shapes, loc, scale):
    low, high, _ = parts["domain"][0](*shapes)
    return _quantile("isf", high, low, parts, q, shapes, loc, scale)


def mean(parts, shapes, loc, scale):
    # `_standard` broadcasts `loc` and divides it by the scale, which the next product undoes.
    loc, shapes, scale = _standard(loc, shapes, 0.0, np.asarray(scale) * 1.0)
    first = parts["moments"](*shapes)[0]
    loc = loc * np.where(scale > 0, scale, 1.0)
    return _checked(loc + scale * first, parts["domain"][1], loc, shapes, scale)


def var(parts, shapes, loc, scale):
    loc, shapes, scale = _standard(loc, shapes, 0.0, scale)
    second = parts["moments"](*shapes)[1]
    return _checked(scale * scale * second, parts["domain"][1], loc, shapes, scale)


def std(parts, shapes, loc, scale):
    return np.sqrt(var(parts, shapes, loc, scale))


# Multivariate distributions.


def _squeezed(out):
    return np.squeeze(out)[()]


def multivariate_normal_logpdf(x, mean=None, cov=1, allow_singular=False):
    x, cov = np.asarray(x) * 1.0, np.asarray(cov) * 1.0
    if mean is not None:
        mean = np.asarray(mean) * 1.0
    dim = cov.shape[0] if cov.ndim else (1 if mean is None or mean.ndim == 0 else mean.shape[0])
    mean = np.zeros(dim) if mean is None else mean.reshape(dim)
    if cov.ndim == 0:
        cov = cov * np.eye(dim)
    elif cov.ndim == 1:
        cov = np.diag(cov)
    if cov.shape != (dim, dim):
        raise ValueError(
            f"Array 'cov' must be square if it is two dimensional, but it is {cov.shape}"
        )
    if x.ndim == 0:
        x = x.reshape(1, 1)
    elif x.ndim == 1:
        x = x[:, None] if dim == 1 else x[None, :]
    values = np.linalg.eigvalsh(cov)
    least = _NEGLIGIBLE * np.max(np.abs(values))
    special.prim.require(
        np.all(values >= -least),
        "ValueError",
        "The input matrix must be symmetric positive semidefinite.",
    )
    gap = (x - mean).reshape(-1, dim).T
    if allow_singular:
        found = _logarithm_of_singular(gap, cov, values, least)
        return _squeezed(found.reshape(x.shape[:-1]))
    special.prim.require(
        np.all(values > least),
        "LinAlgError",
        "When `allow_singular is False`, the input matrix must be symmetric positive definite.",
    )
    lower = np.linalg.cholesky(cov)
    unit = np.linalg.solve(lower, gap)
    logdet = 2 * np.sum(np.log(np.diag(lower)))
    found = -0.5 * (dim * np.log(2 * np.pi) + logdet + np.sum(unit * unit, axis=0))
    return _squeezed(found.reshape(x.shape[:-1]))


#: The size of an eigenvalue that counts as zero, relative to the largest.
_NEGLIGIBLE = 2.220446049250313e-10


def _logarithm_of_singular(gap, cov, values, least):
    """The logarithm of a density on the subspace that the covariance spans.

    Args:
        gap: the distances from the mean, of shape (dimensions, points).
        values: the eigenvalues of the covariance, of which those up to `least` count as zero.
    """
    is_large = values > least
    logdet = np.sum(np.log(np.where(is_large, values, 1.0)))
    squares, outside = special.prim.custom_jvp(_distances, _distances_tangent, gap, cov)
    found = -0.5 * (np.sum(is_large) * np.log(2 * np.pi) + logdet + squares)
    is_inside = np.all(is_large) | (outside < 1e3 * least)
    return np.where(is_inside, found, -np.inf)


def _distances(gap, cov):
    """The squares of Mahalanobis distances, and the distances from the subspace."""
    values, vectors = np.linalg.eigh(cov)
    is_large = values > _NEGLIGIBLE * np.max(np.abs(values))
    parts = vectors.T @ gap
    scale = np.where(is_large, values, 1.0)[:, None]
    squares = np.where(is_large[:, None], parts * parts / scale, 0.0)
    rest = np.where(is_large[:, None], 0.0, parts)
    return np.sum(squares, axis=0), np.sqrt(np.sum(rest * rest, axis=0))


def _distances_tangent(primals, tangents):
    """The tangents where the rank stays the same; equal eigenvalues have vectors without any.

    As in SciPy, the upper triangle of the covariance counts for nothing.
    """
    (gap, cov), (d_gap, d_cov) = primals, tangents
    d_cov = np.tril(d_cov) + np.tril(d_cov, -1).T
    solved = np.linalg.pinv(cov, _NEGLIGIBLE, hermitian=True) @ gap
    change = np.sum(solved * (2 * d_gap - d_cov @ solved), axis=0)
    return _distances(gap, cov), (change, None)


def multivariate_normal_pdf(x, mean=None, cov=1, allow_singular=False):
    return np.exp(multivariate_normal_logpdf(x, mean, cov, allow_singular))


def dirichlet_logpdf(x, alpha):
    x, alpha = np.asarray(x) * 1.0, np.asarray(alpha) * 1.0
    if alpha.ndim != 1:
        raise ValueError(
            f"Parameter vector 'a' must be one dimensional, but a.shape = {alpha.shape}."
        )
    if x.shape[0] + 1 != alpha.shape[0] and x.shape[0] != alpha.shape[0]:
        raise ValueError(
            "Vector 'x' must have either the same number of entries as, or one entry fewer than, "
            f"parameter vector 'a', but alpha.shape = {alpha.shape} and x.shape = {x.shape}."
        )
    if x.shape[0] != alpha.shape[0]:
        x = np.concatenate((x, 1 - np.sum(x, axis=0, keepdims=True)), axis=0)
    special.prim.require(np.all(alpha > 0), "ValueError", "All parameters must be greater than 0")
    special.prim.require(
        np.all((x >= 0) & (x <= 1)) & np.all(np.abs(np.sum(x, axis=0) - 1) <= 1e-9),
        "ValueError",
        "The input vector 'x' must lie within the normal simplex.",
    )
    wide = alpha.reshape((-1,) + (1,) * (x.ndim - 1))
    special.prim.require(
        ~np.any((x == 0) & (wide < 1)),
        "ValueError",
        "Each entry in 'x' must be greater than zero if its alpha is less than one.",
    )
    constant = np.sum(special.gammaln(alpha)) - special.gammaln(np.sum(alpha))
    return _squeezed(np.sum(special.xlogy(wide - 1, x), axis=0) - constant)


def dirichlet_pdf(x, alpha):
    return np.exp(dirichlet_logpdf(x, alpha))
