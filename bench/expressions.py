"""Single expressions of NumPy on large arrays, compared with NumPy.

One JSON line for each expression, with medians in milliseconds; NumPy and the compiled function
take turns. `python bench/expressions.py [PART]` runs those whose text has the part.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from libraries import medians

import ingot

RNG = np.random.default_rng(0)
#: M is a mask, I are indices, P is a permutation, B are bytes, SV is sorted.
ARGUMENTS: dict[str, np.ndarray] = {
    "X": RNG.random((1000, 1000)), "Y": RNG.random((1000, 1000)), "C": RNG.random((100, 100, 100)),
    "V": RNG.random(1_000_000), "W": RNG.random(1_000_000), "S": RNG.random(1000),
    "T": RNG.random(1000), "SV": np.sort(RNG.random(1000)), "K": RNG.random(31),
    "M": RNG.random((1000, 1000)) < 0.5, "I": RNG.integers(0, 1000, 1_000_000),
    "P": RNG.permutation(1_000_000), "B": RNG.integers(0, 255, (1000, 1000)).astype(np.uint8),
    "F": RNG.random((1000, 1000), np.float32), "Z": RNG.random((1000, 1000)) + 1j,
    "IM": RNG.random((512, 512)),
}  # fmt: skip

EXPRESSIONS = """
# Elementwise functions.
X + Y ;; X * 2 + 1 ;; np.sin(X) ;; np.exp(-X ** 2) ;; X ** 3 ;; np.sqrt(X * X + Y * Y)
np.hypot(X, Y) ;; np.arctan2(Y, X) ;; np.log1p(X) ;; np.tanh(X) ;; X / Y ;; X // 0.3 ;; X % 0.3
np.floor(X * 10) ;; np.round(X, 2)
# Choices and comparisons.
np.abs(X - 0.5) ;; np.sign(X - 0.5) ;; np.clip(X, 0.2, 0.8) ;; np.maximum(X, Y)
np.where(M, X, Y) ;; np.where(X > Y, 1.0, 0.0) ;; X > Y ;; (X > 0.2) & (Y < 0.7) ;; np.isnan(X)
np.isclose(X, Y) ;; np.allclose(X, Y) ;; ~M ;; np.nan_to_num(X)
# Reductions.
X.sum() ;; X.sum(0) ;; X.sum(1) ;; X.mean() ;; X.mean(0) ;; X.std() ;; X.std(0) ;; X.var(1)
X.min() ;; X.max(0) ;; X.max(1) ;; X.argmax() ;; X.argmax(0) ;; X.argmax(1) ;; np.ptp(X, 0)
X.prod(0) ;; M.any() ;; M.all(0) ;; M.sum() ;; M.sum(0) ;; np.count_nonzero(M) ;; np.median(V)
np.median(X, 0) ;; np.percentile(V, [5, 50, 95]) ;; np.quantile(X, 0.9, axis=1)
# Running reductions.
np.cumsum(V) ;; np.cumsum(X, 0) ;; np.cumsum(X, 1) ;; np.cumprod(V) ;; np.diff(V)
np.diff(X, axis=0) ;; np.gradient(V) ;; np.gradient(X)[0] ;; np.maximum.accumulate(V)
np.trapezoid(V, dx=0.1)
# Orders of memory and views.
X.T.copy() ;; X.T + Y ;; np.ascontiguousarray(X.T) ;; X.ravel() + 1 ;; X[::2, ::2] * 2
X[::-1] + Y ;; X[:, ::-1] * 1.0 ;; C.transpose(2, 0, 1) * 1.0 ;; C.transpose(2, 0, 1).sum(0)
np.swapaxes(C, 0, 1) + 1 ;; np.moveaxis(C, 0, -1) * 2 ;; np.roll(V, 5)
np.roll(X, (3, 5), (0, 1)) ;; np.rot90(X) + 0 ;; np.flip(X) + 0
# Joins and repetitions.
np.concatenate([V, W]) ;; np.stack([V, W]) ;; np.stack([V, W], -1) ;; np.vstack([X, Y])
np.hstack([X, Y]) ;; np.column_stack([V, W]) ;; np.tile(S, 1000) ;; np.repeat(S, 1000)
np.repeat(X[:100], 3, axis=0) ;; np.pad(X, 1) ;; np.pad(X, 2, mode='edge')
np.pad(X, 2, mode='reflect') ;; np.broadcast_to(S, (1000, 1000)) + X
# Indices and masks.
X[I % 1000, I // 1000 % 1000] ;; V[I] ;; X[I[:1000]] ;; X[:, I[:1000]] ;; np.take(V, I)
np.take_along_axis(X, np.argsort(X, 1), 1) ;; V[P] ;; X[M] ;; V[V > 0.5].sum()
np.nonzero(M)[0] ;; np.argwhere(M)[0] ;; np.flatnonzero(M).sum() ;; np.extract(M, X).mean()
# Products.
np.outer(S, T) ;; np.add.outer(S, T) ;; S[:, None] * T[None] ;; np.subtract.outer(S, T) ** 2
np.meshgrid(S, T)[0] * 1.0 ;; np.kron(X[:50, :50], Y[:20, :20]) ;; np.dot(V, W) ;; V @ W
X @ S ;; S @ X ;; X @ Y ;; np.einsum('ij,ij->i', X, Y) ;; np.einsum('ij,ji->', X, Y)
np.einsum('ijk,k->ij', C, S[:100]) ;; np.tensordot(C, X[:100, :100], 1) ;; np.trace(X @ Y)
np.linalg.norm(X) ;; np.linalg.norm(X, axis=1) ;; np.cross(X[:, :3], Y[:, :3]) ;; np.vdot(V, W)
np.inner(X, Y)
# Orders and searches.
np.sort(V) ;; np.sort(X, 0) ;; np.sort(X, 1) ;; np.argsort(V) ;; np.argsort(X, 1)
np.searchsorted(SV, V) ;; np.digitize(V, SV) ;; np.histogram(V, 50)[0] ;; np.histogram(V, SV)[0]
np.unique(I) ;; np.interp(V, SV, S) ;; np.isin(I, [3, 5, 7]) ;; np.convolve(V[:20000], K)
np.convolve(S, T, 'same') ;; np.correlate(S, T, 'full') ;; np.polyval([1.0, 2, 3, 4], V)
np.linspace(0, 1, 1000000) ;; np.arange(1000000) * 0.5 ;; np.fft.fft(V[:65536])
np.fft.rfft(V[:65536]) ;; np.fft.fft2(IM)
# Made arrays, and other dtypes.
np.eye(1000) + X ;; np.tril(X) ;; np.triu(X, 1) ;; np.diag(S) ;; np.diag(X).sum()
np.zeros((1000, 1000)) + 1 ;; np.full((1000, 1000), 3.0) * X ;; np.identity(1000) @ S
X.astype(np.float32) ;; (X * 10).astype(int) ;; F * 2 + 1 ;; F.sum() ;; np.sin(F) ;; F @ F
Z * 2 ;; np.abs(Z) ;; Z.conj() * Z ;; np.exp(1j * X) ;; np.angle(Z) ;; Z.real ** 2 + Z.imag ** 2
B.astype(float) / 255 ;; B.sum() ;; B // 2 ;; (B > 100).sum() ;; np.bitwise_xor(B, 7) ;; I * I
I % 7 ;; I // 7 ;; I ** 2 ;; np.gcd(I, 12) ;; I.sum() ;; I.max() ;; I & 255 ;; I >> 2
np.power(2.0, X)
# Linear algebra, and several operations.
np.linalg.inv(X[:200, :200]) ;; np.linalg.solve(X[:200, :200], S[:200])
np.linalg.det(X[:200, :200]) ;; np.linalg.qr(X[:200, :200])[1]
np.linalg.svd(X[:100, :100])[1] ;; np.linalg.eigh(X[:100, :100] @ X[:100, :100].T)[0]
np.linalg.lstsq(X[:200, :50], S[:200], rcond=None)[0]
np.linalg.matrix_power(X[:200, :200], 5) ;; np.linalg.pinv(X[:100, :50]) ;; np.cov(X[:100])
np.corrcoef(X[:100]) ;; (X - X.mean(0)) / X.std(0)
np.exp(X - X.max(1, keepdims=True)) / np.exp(X - X.max(1, keepdims=True)).sum(1, keepdims=True)
np.sum((X[:300, None, :50] - Y[None, :300, :50]) ** 2, -1)
np.sqrt(((X[:, :3] - Y[:, :3]) ** 2).sum(1)) ;; np.average(V, weights=W) ;; np.nanmean(X, 0)
np.nansum(X) ;; np.apply_along_axis(np.sum, 1, X[:100])
IM[1:-1, 1:-1] + IM[:-2, 1:-1] + IM[2:, 1:-1] + IM[1:-1, :-2] + IM[1:-1, 2:]
np.lib.stride_tricks.sliding_window_view(V, 10).mean(-1) ;; np.cumsum(M, 1)
np.select([X < 0.3, X < 0.6], [X, Y], 0) ;; np.piecewise(V, [V < 0.5, V >= 0.5], [0.0, 1.0])
np.unwrap(V * 10) ;; np.ediff1d(V) ;; np.logaddexp(X, Y) ;; np.cbrt(X) ;; np.deg2rad(X)
np.sinc(X) ;; np.heaviside(X - 0.5, 0.5) ;; np.ldexp(X, 3) ;; np.frexp(X)[0]
np.modf(X * 5)[0] ;; np.fmod(X, 0.3) ;; np.copysign(X, Y) ;; np.array([S, T, S])
np.mean([S, T], axis=0)
np.block([[X[:100, :100], Y[:100, :100]], [Y[:100, :100], X[:100, :100]]])
"""


def expressions() -> list[str]:
    lines = [line for line in EXPRESSIONS.splitlines() if not line.startswith("#")]
    return [each.strip() for line in lines for each in line.split(";;") if each.strip()]


def functions(texts: list[str], folder: str) -> list[Callable[..., Any]]:
    """A function of the arrays that it names for each expression, in a file, as Ingot reads it."""
    source = ["import numpy as np"]
    for i, text in enumerate(texts):
        used = [name for name in ARGUMENTS if re.search(rf"\b{name}\b", text)]
        source.append(f"def f{i}({', '.join(used)}):\n    return {text}")
    path = Path(folder) / "expressions_of_numpy.py"
    path.write_text("\n".join(source) + "\n")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f"f{i}") for i in range(len(texts))]


def arguments(function: Callable[..., Any]) -> list[np.ndarray]:
    return [ARGUMENTS[name] for name in function.__code__.co_varnames]


def measure(texts: list[str], folder: str) -> None:
    for text, function in zip(texts, functions(texts, folder), strict=True):
        args, compiled = arguments(function), ingot.jit(function)
        found = medians(
            {
                "numpy_ms": lambda f=function, args=args: f(*args),
                "ingot_ms": lambda f=compiled, args=args: f(*args),
            }
        )
        print(json.dumps({"benchmark": "expressions", "expression": text, **found}), flush=True)


def main() -> None:
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as folder:
        measure([text for text in expressions() if part in text], folder)


if __name__ == "__main__":
    main()
