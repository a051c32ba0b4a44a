"""Writes the artifact of the present format, with calls and what they give.

Run once when the format changes; artifacts of earlier formats are never written again, and load
for ever.
"""

from pathlib import Path

import numpy as np

import ingot
from ingot_runtime.container import FORMAT

HERE = Path(__file__).parent

W = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
ROTATION = np.array([1j, 1 + 1j])
MASK = np.array([True, False, True])


def network(x, k=2):
    assert k > 0, "k is too small"
    return np.where(MASK, np.tanh(x @ W) * k, 0)


def tree(p, options, *, mode):
    z = p[0] * ROTATION
    rotated = {"real": z.real, "z": z} if mode == "both" else {}
    return {"rotated": rotated, "sum": p[1] + options["shift"], "mode": mode, "none": None}


def bump(a, i):
    a[i] += 1
    return a[i] / 2


def solved(a, b):
    return np.linalg.solve(a, b), np.linalg.cholesky(a)


def pairs(x, y):
    return np.concatenate([x, y]).sum(), x.shape[0]


def selected(x, w):
    return np.unique(x), x[x > 2], np.outer(x, w)[:, w > 0].T


def normalised(x):
    x = ingot.shard(x, ingot.P("i", "j"))
    return (x - x.mean(0)) / x.std(0), x.max()


def raising(x, k):
    if x < 0:
        raise ValueError("negative", k) from KeyError("why")
    if k > 9:
        raise ValueError(f"k is {k}, and x {x}")
    return x * k


def main() -> None:
    made = ingot.Artifact()
    made.add(network, ingot.spec("n,4", "float32"), 2, sizes={"n": (1, 64)})
    example = (np.zeros(2, complex), np.int16(3))
    made.add(tree, example, {"shift": 2.5}, kwargs={"mode": "both"})
    made.add(bump, ingot.spec("n", "int64"), 1)
    made.add(solved, ingot.spec("3,3"), ingot.spec("3,2"))
    made.add(pairs, ingot.spec("n,2"), ingot.spec("2*n,2"))
    made.add(selected, ingot.spec("n", "int64"), ingot.spec(3))
    on_mesh = ingot.jit(
        normalised, mesh=ingot.mesh(i=2, j=2), in_shardings=ingot.P("i"),
        out_shardings=(ingot.P("i"), None),
    )  # fmt: skip
    made.add(on_mesh, ingot.spec("8,4"))
    made.add(raising, 1.0, 2)
    made.save(HERE / f"format-{FORMAT}.ingot")


if __name__ == "__main__":
    main()
