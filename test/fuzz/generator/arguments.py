"""Random arguments, as text: arrays of all layouts, numbers, containers and instances."""

from __future__ import annotations

import random
from collections.abc import Callable

SHAPES = [(3,), (4,), (2,), (5,), (1,), (2, 3), (3, 2), (3, 3), (1, 4), (2, 2, 2), (4, 2)]
DTYPES = ["f8"] * 6 + ["i8"] * 3 + ["f4", "i4", "?", "i1", "u1"]
LAYOUTS = ["{a}"] * 5 + [
    "np.asfortranarray({a})", "np.repeat({a}, 2, axis=0)[::2]", "{a}[::-1]", "{a}[..., ::-1]",
    "np.array({a}.T).T", "np.repeat({a}, 2, axis=-1)[..., 1::2]",
]  # fmt: skip
#: Of large arrays, which become kernels of their own.
LARGE = ["np.resize({a}, (32, 33))", "np.resize({a}, (34, 34)).T", "np.resize({a}, 1030)[::-1]"]

#: Writes one argument; called once per case, with the same structure each time.
Spec = Callable[[random.Random], str]


def number(rng: random.Random, dtype: str) -> str:
    if dtype == "?":
        return str(rng.random() < 0.5)
    if dtype.startswith("u"):
        return str(rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 200]))
    if dtype.startswith("i"):
        return str(rng.choice([0, 1, 1, 2, 2, 3, 4, -1, -2, 5]))
    return str(rng.choice([0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, -0.5, -1.0, -2.0, 4.0, -1.5]))


def nested(rng: random.Random, shape: tuple[int, ...], dtype: str) -> str:
    if not shape:
        return number(rng, dtype)
    return "[" + ", ".join(nested(rng, shape[1:], dtype) for _ in range(shape[0])) + "]"


def array(rng: random.Random, shape: tuple[int, ...] | None = None, dtype: str = "") -> Spec:
    shape = shape or rng.choice(SHAPES)
    dtype = dtype or rng.choice(DTYPES)
    layout = rng.choice(LARGE if rng.random() < 0.1 else LAYOUTS)

    def write(r: random.Random) -> str:
        return layout.format(a=f"np.array({nested(r, shape, dtype)}, dtype='{dtype}')")

    return write


def integer(rng: random.Random) -> Spec:
    values = rng.choice([[1, 2, 3], [0, 1, 2], [2, 3, 4, 5], [-1, 0, 1, 2]])
    return lambda r: str(r.choice(values))


def real(rng: random.Random) -> Spec:
    return lambda r: number(r, "f8")


def boolean(rng: random.Random) -> Spec:
    return lambda r: number(r, "?")


def numpy_scalar(rng: random.Random) -> Spec:
    name, dtype = rng.choice(
        [("float64", "f8"), ("int64", "i8"), ("float32", "f4"), ("int32", "i4")]
    )
    return lambda r: f"np.{name}({number(r, dtype)})"


def several(item: Callable[[random.Random], Spec], form: str) -> Callable[[random.Random], Spec]:
    """A list or tuple of items of one kind."""

    def make(rng: random.Random) -> Spec:
        one = item(rng)
        n = rng.choice([1, 2, 2, 3, 4])
        return lambda r: form.format("".join(f"{one(r)}, " for _ in range(n)))

    return make


def mixed(rng: random.Random) -> Spec:
    items = [rng.choice([integer, real, array])(rng) for _ in range(rng.choice([2, 3]))]
    return lambda r: "(" + "".join(f"{i(r)}, " for i in items) + ")"


def mapping(rng: random.Random) -> Spec:
    makers = [real, array, array, integer, several(real, "[{}]")]
    keys = rng.sample(["w", "b", "k", "x"], rng.choice([1, 2, 2, 3]))
    items = [(k, rng.choice(makers)(rng)) for k in keys]
    return lambda r: "{" + ", ".join(f"{k!r}: {i(r)}" for k, i in items) + "}"


def numbers_by_name(rng: random.Random) -> Spec:
    keys = rng.sample(["w", "b", "k", "x"], rng.choice([2, 3]))
    return lambda r: "{" + ", ".join(f"{k!r}: {number(r, 'f8')}" for k in keys) + "}"


def integers_as_set(rng: random.Random) -> Spec:
    return lambda r: "{" + ", ".join(map(str, r.sample(range(6), 3))) + "}"


ARGUMENTS: list[tuple[float, Callable[[random.Random], Spec]]] = [
    (8, array), (3, integer), (2, real), (0.5, boolean), (0.5, numpy_scalar),
    (1.5, several(integer, "[{}]")), (1.5, several(real, "[{}]")), (1, several(array, "[{}]")),
    (0.7, several(several(integer, "[{}]"), "[{}]")), (0.7, several(several(real, "[{}]"), "[{}]")),
    (1, mixed), (1.2, mapping), (0.8, numbers_by_name), (0.2, integers_as_set),
]  # fmt: skip
