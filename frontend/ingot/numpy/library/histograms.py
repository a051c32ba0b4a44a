"""Histograms of several variables."""

import numpy as np

from ingot.numpy import primitives as prim
from ingot.numpy.library import statistics


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if not isinstance(bins, (int, np.integer)) and len(bins) not in (1, 2):
        bins = [np.asarray(bins), np.asarray(bins)]
    hist, edges = histogramdd(np.stack([x, y], axis=1), bins, range, density, weights)
    return hist, edges[0], edges[1]


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    if not isinstance(sample, np.ndarray) or sample.ndim != 2:
        sample = np.atleast_2d(sample).T
    if sample.ndim != 2:
        raise ValueError("too many values to unpack (expected 2)")
    variables = sample.shape[1]
    bins = [bins] * variables if isinstance(bins, (int, np.integer)) else bins
    if len(bins) != variables:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    range = (None,) * variables if range is None else range
    if len(range) != variables:
        raise ValueError("range argument must have one entry per dimension")
    edges = [_edges(sample[:, i], bins[i], range[i], i) for i in prim.static_range(variables)]
    inside, index = True, 0
    for i in prim.static_range(variables):
        column, count = sample[:, i], len(edges[i]) - 1
        here = np.searchsorted(edges[i], column, side="right") - 1
        # The last bin includes its right edge.
        here = here - (column == edges[i][-1])
        inside = inside & (here >= 0) & (here < count)
        index = index * count + here
    sizes = [len(each) - 1 for each in edges]
    hist = np.zeros(int(np.prod(sizes)))
    weights = 1.0 if weights is None else np.asarray(weights)
    counted = np.where(inside, weights, 0).astype(np.float64)
    prim.add_at(hist, *prim.with_zero_padding(np.where(inside, index, 0), counted))
    hist = hist.reshape(sizes)
    if density:
        total = hist.sum()
        for i in prim.static_range(variables):
            shape = [size if axis == i else 1 for axis, size in enumerate(sizes)]
            hist = hist / np.diff(edges[i]).reshape(shape)
        hist = hist / total
    return hist, edges


def _edges(column, bins, range, i):
    """The edges of the bins of one variable."""
    if np.ndim(bins) > 1:
        raise ValueError(f"`bins[{i}]` must be a scalar or 1d array")
    if np.ndim(bins) == 1:
        edges = np.asarray(bins)
        message = f"`bins[{i}]` must be monotonically increasing, when an array"
        prim.require(~np.any(edges[:-1] > edges[1:]), "ValueError", message)
        return edges
    bins = prim.static(bins, "the number of bins")
    if bins < 1:
        raise ValueError(f"`bins[{i}]` must be positive, when an integer")
    return np.linspace(*statistics.outer_edges(column, range, None), bins + 1)
