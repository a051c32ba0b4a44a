"""Jacobians: one derivative for each element of what is differentiated by, or of the result."""

import numpy as np

from ingot.numpy import primitives as prim


def _units(like):
    """The arrays of zeros, but for one element, which is one; the first axis counts them."""
    size = np.size(like)
    return np.reshape(np.eye(size, dtype=np.asarray(like).dtype), (size, *np.shape(like)))


def _zeros(like):
    return np.zeros(np.shape(like), np.asarray(like).dtype)


def forward(f, inputs, outputs):
    """For each output its derivatives by each input, all columns at once."""
    columns = []
    for i in range(len(inputs)):

        def along(unit, i=i):
            directions = tuple(unit if i == j else _zeros(x) for j, x in enumerate(inputs))
            return prim.jvp(f, inputs, directions)

        columns.append(prim.vmap(along, _units(inputs[i])))
    return tuple(
        tuple(
            np.reshape(np.moveaxis(columns[i][m], 0, -1), np.shape(y) + np.shape(inputs[i]))
            for i in range(len(inputs))
        )
        for m, y in enumerate(outputs)
    )


def backward(f, inputs, outputs):
    """The same, all rows at once."""
    rows = []
    for m in range(len(outputs)):

        def by(unit, m=m):
            seeds = tuple(unit if m == j else _zeros(y) for j, y in enumerate(outputs))
            return prim.vjp(f, inputs, seeds)

        found = prim.vmap(by, _units(outputs[m]))
        shape = np.shape(outputs[m])
        rows.append(tuple(np.reshape(a, shape + a.shape[1:]) for a in found))
    return tuple(rows)
