"""Operations on large arrays in one loop over parts of them, against NumPy."""

import random

import numpy as np
import pytest

import ingot
from level import pick, sample
from one_kernel import COMPLEX, F32, F64, RNG, check, name_of
from sources import namespace_of

#: 256 KiB and more of float64. Some have rows of which several are a part, some have parts that
#: don't divide the length, and some are parts of rows.
SHAPES = [(257, 130), (64, 521), (8209, 4), (40009,), (3, 20011), (5, 7, 1009), (16, 3, 700)]


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def layer_norm(x):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5), variance


def option_prices(x):
    d = np.tanh(x) + 0.5
    e = np.exp(-d * d)
    return d * e - 1, d / (e + 1), np.sqrt(d * d + e)


def totals(x):
    inside = (x > -0.5) & (x < 0.5)
    return np.sum(x * inside), np.sum(inside), np.max(np.abs(x)), np.min(x)


def stored(x):
    out = np.empty(x.shape, x.dtype)
    s = np.sum(x, axis=-1, keepdims=True)
    out[...] = np.where(x > 0, x / (np.abs(s) + 1), s)
    x[...] = x * s
    return out


def parts_of_rows(x):
    s = np.cos(x)
    both = np.concatenate((s[..., 1:], s[..., :1] * 2), axis=-1)
    return both + x, s


def repeated(x):
    for _ in range(3):
        y = np.sin(x)
        x = y - 0.5 * np.sum(y, axis=-1, keepdims=True) / x.shape[-1]
    return x


FUNCTIONS = [softmax, layer_norm, option_prices, totals, stored, parts_of_rows, repeated]


def array(shape, dtype):
    x = RNG.normal(size=shape)
    return (x + 1j * RNG.normal(size=shape) if dtype in COMPLEX else x).astype(dtype)


@pytest.mark.parametrize("shape", sample(SHAPES, 2), ids=str)
@pytest.mark.parametrize("f", FUNCTIONS, ids=name_of)
def test_float64(f, shape):
    check(f, array(shape, F64), rtol=1e-11, cancels=True)


@pytest.mark.parametrize("f", FUNCTIONS, ids=name_of)
def test_float32(f):
    check(f, array((513, 257), F32), rtol=1e-5, cancels=True)


@pytest.mark.parametrize("f", FUNCTIONS[:3], ids=name_of)
def test_gradients(f):
    def loss(x):
        result = f(x)
        if isinstance(result, tuple):
            result = result[0] + result[1]
        return np.sum(np.sin(result))

    x, t = array((257, 130), F64), array((257, 130), F64)
    numeric = (loss(x + 1e-5 * t) - loss(x - 1e-5 * t)) / 2e-5
    np.testing.assert_allclose(np.sum(ingot.grad(loss)(x) * t), numeric, rtol=1e-6)


def test_strict_sums_keep_their_order():
    """A sum of all elements is not one of partial sums, but the rest is one loop."""

    def f(x):
        e = np.exp(x - np.max(x, axis=-1, keepdims=True))
        return np.sum(e), e / np.sum(e, axis=-1, keepdims=True)

    x = array((257, 130), F64)
    texts = ingot.jit(f, strict_fp=True).lower(x).native().values()
    (text,) = (each["linalg"] for each in texts)
    assert "tensor<257x130xf64>" in text and "alloc_tensor() : tensor<65xf64>" not in text
    for got, expected in zip(ingot.jit(f, strict_fp=True)(x), f(x), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_threads_have_parts_of_their_own():
    """Each of them computes a part's temporary arrays in other memory."""
    x = array((4096, 512), F64)
    expected = softmax(x)
    compiled = ingot.jit(softmax)
    for _ in range(20):
        np.testing.assert_allclose(compiled(x), expected, rtol=1e-12)


class Writer:
    """Writes random programs of what loops over parts can and cannot compute."""

    def __init__(self, seed, shape):
        self.random = random.Random(seed)
        self.rank = len(shape)
        self.lines = []
        self.full, self.row, self.scalars = ["x", "y"], [], []

    def pick(self):
        kinds = [self.full] * 4 + [each for each in (self.row, self.scalars) if each]
        return self.random.choice(self.random.choice(kinds))

    def one(self):
        return self.random.choice(self.full)

    def add(self, kind, text):
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        kind.append(name)

    def statement(self):
        a, b = self.one(), self.pick()
        forms = [
            (self.full, f"np.{self.random.choice(['sin', 'tanh', 'abs', 'negative'])}({a})"),
            (self.full, f"{a} {self.random.choice('+-*')} {b}"),
            (self.full, f"{a} / (1 + np.abs({b}))"),
            (self.full, f"np.where({a} > {b}, {self.one()}, {self.pick()})"),
            (self.full, f"np.maximum({a}, {b})"),
            (self.full, f"np.concatenate(({a}[..., 1:], {self.one()}[..., :1]), axis=-1)"),
            (self.full, f"{a}[..., ::-1] + {b}"),
            (self.full, f"np.cumsum({a}, axis=-1) / {a}.shape[-1]"),
            (self.full, f"np.roll({a}, 1, axis=0)"),
            (self.full, f"{a} * np.arange({a}.shape[-1])"),
            (self.full, f"({a}.T * 2).T"),
            (self.full, f"{a}.reshape(-1).reshape({a}.shape) - {b}"),
            (self.scalars, f"np.{self.random.choice(['mean', 'max', 'min'])}({a})"),
        ]
        if self.rank > 1:
            reduce = self.random.choice(["mean", "max", "min", "std"])
            forms += 3 * [(self.row, f"np.{reduce}({a}, axis=-1, keepdims=True)")]
            forms += [(self.row, f"np.mean({a}, axis=0, keepdims=True)")]
            forms += [(self.row, f"{a}[..., 2:3] + np.sum({a}[..., 1:4], axis=-1)[..., None]")]
        self.add(*self.random.choice(forms))

    def store(self):
        a, b = self.one(), self.pick()
        self.lines.append(
            self.random.choice(
                [
                    f"{a}[...] = {a} * 0.5 + {b}",
                    f"{a} += {b}",
                    f"{a}[..., 1:] = {self.one()}[..., :-1] + 1",
                    f"{a}[1:] -= {a}[:-1] * 0.25",
                ]
            )
        )

    def loop(self):
        """Its arrays are carried, and some of them overwritten."""
        before, self.lines = self.lines, []
        for _ in range(self.random.randint(1, 3)):
            a, b = self.one(), self.pick()
            row = f"np.mean({a}, axis=-1, keepdims=True)" if self.rank > 1 else f"np.max({a})"
            forms = [f"np.sin({a}) + {b}", f"{a} - {row}", f"np.tanh({self.one()} * {a})"]
            self.lines.append(f"{a} = {self.random.choice(forms)}")
            if self.random.random() < 0.5:
                self.store()
        body = [f"    {line}" for line in self.lines]
        self.lines = [*before, "for _ in range(2):", *body]

    def program(self):
        for _ in range(self.random.randint(4, 14)):
            self.statement() if self.random.random() < 0.85 else self.store()
        if self.random.random() < 0.5:
            self.loop()
        values = self.full[2:] + self.row + self.scalars
        count = min(len(values), self.random.randint(1, 4))
        result = ", ".join(self.random.sample(values, count)) or "x"
        return "\n    ".join(["def f(x, y):", *self.lines, f"return x, {result}"]) + "\n"


@pytest.mark.parametrize("seed", range(pick(4, 24, 40)))
def test_random_programs(seed, tmp_path):
    shape = random.Random(seed).choice(SHAPES)
    source = Writer(seed, shape).program()
    f = namespace_of(source, tmp_path)["f"]
    ours = [array(shape, F64), array(shape, F64)]
    theirs = [each.copy() for each in ours]
    results, expected = ingot.jit(f)(*ours), f(*theirs)
    for got, wanted in zip([*results, *ours], [*expected, *theirs], strict=True):
        scale = max(1.0, np.max(np.abs(wanted)))
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-11 * scale, err_msg=source)
