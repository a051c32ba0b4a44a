"""Jacobians: one derivative for each element of the inputs (forward) or outputs (backward)."""

import numpy as np

from ingot.numpy import primitives as prim


def _units(like):
    """The unit tangents of an array: for each element an array with 1 there and 0 elsewhere, stacked
    along the first axis."""
    size = np.size(like)
    return np.reshape(np.eye(size, dtype=np.asarray(like).dtype), (size, *np.shape(like)))


def _zeros(like):
    return np.zeros(np.shape(like), np.asarray(like).dtype)


def forward(f, inputs, outputs):
    """The Jacobian of each output by each input, by one batch of jvps for each input.

    Args:
        f: a function of the inputs, with a tuple as its result.
        inputs: a tuple of arrays or numbers.
        outputs: the results of f for them, for their shapes and dtypes.

    Returns:
        for each output a tuple of arrays of shape (*output.shape, *input.shape).
    """
    columns = []
    for i in range(len(inputs)):

        def column(unit, i=i):
            tangents = tuple(unit if i == j else _zeros(x) for j, x in enumerate(inputs))
            return prim.jvp(f, inputs, tangents)

        columns.append(prim.vmap(column, _units(inputs[i])))
    return tuple(
        tuple(
            np.reshape(np.moveaxis(columns[i][m], 0, -1), np.shape(y) + np.shape(inputs[i]))
            for i in range(len(inputs))
        )
        for m, y in enumerate(outputs)
    )


def backward(f, inputs, outputs):
    """The same as `forward`, by one batch of vjps for each output."""
    rows = []
    for m in range(len(outputs)):

        def row(unit, m=m):
            cotangents = tuple(unit if m == j else _zeros(y) for j, y in enumerate(outputs))
            return prim.vjp(f, inputs, cotangents)

        found = prim.vmap(row, _units(outputs[m]))
        shape = np.shape(outputs[m])
        rows.append(tuple(np.reshape(a, shape + a.shape[1:]) for a in found))
    return tuple(rows)
