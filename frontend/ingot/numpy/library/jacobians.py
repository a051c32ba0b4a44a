"""Jacobians: one derivative for each element of what is differentiated by, or of the result."""

import numpy as np

from ingot.numpy import primitives as prim


def _unit(k, like):
    """The array of zeros, but for element k, which is one."""
    size = np.size(like)
    return np.reshape((np.arange(size) == k).astype(np.asarray(like).dtype), np.shape(like))


def forward(f, inputs, outputs):
    """For each output its derivatives by each input, one column of all outputs at a time."""
    columns = []
    for i in range(len(inputs)):
        size = np.size(inputs[i])
        made = [np.zeros((size, *np.shape(y)), np.asarray(y).dtype) for y in outputs]
        for k in range(size):
            directions = tuple(
                _unit(k, x) if i == j else np.zeros(np.shape(x), np.asarray(x).dtype)
                for j, x in enumerate(inputs)
            )
            slopes = prim.directional(f, inputs, directions)
            for m in range(len(outputs)):
                made[m][k] = slopes[m]
        columns.append(made)
    return tuple(
        tuple(
            np.reshape(np.moveaxis(columns[i][m], 0, -1), np.shape(y) + np.shape(inputs[i]))
            for i in range(len(inputs))
        )
        for m, y in enumerate(outputs)
    )


def backward(f, inputs, outputs):
    """The same, one row by all inputs at a time."""
    rows = []
    for m in range(len(outputs)):
        size = np.size(outputs[m])
        made = [np.zeros((size, *np.shape(x)), np.asarray(x).dtype) for x in inputs]
        for k in range(size):
            seeds = tuple(
                _unit(k, y) if m == j else np.zeros(np.shape(y), np.asarray(y).dtype)
                for j, y in enumerate(outputs)
            )
            slopes = prim.pulled_back(f, inputs, seeds)
            for i in range(len(inputs)):
                made[i][k] = slopes[i]
        shape = np.shape(outputs[m])
        rows.append(tuple(np.reshape(a, shape + a.shape[1:]) for a in made))
    return tuple(rows)
