"""Write test/dialects/Ingot/derivatives.mlir: the tangent and the adjoint of every rule.

`python tools/goldens.py` after a rule has changed; read the difference before it is committed. The
numbers of each rule are checked by pytest; this shows what is emitted.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "test" / "dialects" / "Ingot" / "derivatives.mlir"
PASSES = ["--expand-transformations", "--canonicalize", "--cse"]

F, Z, M = "tensor<4xf64>", "tensor<4xcomplex<f64>>", "tensor<3x3xf64>"
R, K, S = "tensor<3x4xf64>", "tensor<2xi64>", "tensor<f64>"
UNARY = [
    "neg", "exp", "expm1", "log", "log1p", "sqrt", "cbrt", "sin", "cos", "tan", "tanh", "floor",
    "ceil", "rint", "sign", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh",
    "erf", "erfc", "erf_inv", "lgamma", "digamma",
]  # fmt: skip
BINARY = [
    "add", "sub", "mul", "div", "mul_no_nan", "div_no_nan", "mod", "fmod", "pow", "maximum",
    "minimum", "atan2", "floor_div", "polygamma",
]  # fmt: skip

#: Of each rule, the operation on %x (and %y), the types of these, and that of the result.
RULES: list[tuple[str, str, list[str], str]] = [
    *((name, f"ingot.{name} %x : {F}", [F], F) for name in UNARY),
    ("abs", f"ingot.abs %x : ({F}) -> {F}", [F], F),
    *((name, f"ingot.{name} %x, %y : ({F}, {F}) -> {F}", [F, F], F) for name in BINARY),
    ("broadcast", f"ingot.mul %x, %y : ({S}, {F}) -> {F}", [S, F], F),
    ("conj", f"ingot.conj %x : {Z}", [Z], Z),
    ("complex_sign", f"ingot.sign %x : {Z}", [Z], Z),
    ("complex_abs", f"ingot.abs %x : ({Z}) -> {F}", [Z], F),
    ("real", f"ingot.real %x : ({Z}) -> {F}", [Z], F),
    ("imag", f"ingot.imag %x : ({Z}) -> {F}", [Z], F),
    ("complex", f"ingot.complex %x, %y : ({F}, {F}) -> {Z}", [F, F], Z),
    ("convert", f"ingot.convert %x : ({F}) -> tensor<4xf32>", [F], "tensor<4xf32>"),
    ("reshape", f"ingot.reshape %x : ({F}) -> tensor<2x2xf64>", [F], "tensor<2x2xf64>"),
    ("transpose", f"ingot.transpose %x axes = [1, 0] : ({R}) -> tensor<4x3xf64>", [R],
     "tensor<4x3xf64>"),
    ("broadcast_to", f"ingot.broadcast_to %x : ({F}) -> {R}", [F], R),
    ("concatenate", f"ingot.concatenate %x, %y axis = 0 : ({F}, {F}) -> tensor<8xf64>", [F, F],
     "tensor<8xf64>"),
    ("flip", f"ingot.flip %x axes = [0] : ({F}) -> {F}", [F], F),
    ("pad", f"ingot.pad %x, %y low = [1] high = [2] interior = [0] : ({F}, {S}) -> tensor<7xf64>",
     [F, S], "tensor<7xf64>"),
    ("slice", f"ingot.slice %x starts = [1] sizes = [2] strides = [1] : ({F}) -> tensor<2xf64>",
     [F], "tensor<2xf64>"),
    *((f"reduce_{kind}", f"ingot.reduce {kind} %x axes = [1] : ({R}) -> tensor<3xf64>", [R],
       "tensor<3xf64>") for kind in ("add", "mul", "max", "min")),
    *((f"cumulative_{kind}", f"ingot.cumulative {kind} %x axis = 0 : ({F}) -> {F}", [F], F)
      for kind in ("add", "mul", "max", "min")),
    ("sort", f"ingot.sort %x axis = 0 keys = 1 : ({F}) -> {F}", [F], F),
    ("dot_general", "ingot.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : "
     f"({M}, {R}) -> {R}", [M, R], R),
    ("mul_no_nan_both", f"ingot.mul_no_nan %x, %y {{both}} : ({F}, {F}) -> {F}", [F, F], F),
    ("dot_general_zeros", "ingot.dot_general %x, %y batching = [] x [] contracting = [1] x [0] "
     f"{{lhs_zeros}} : ({M}, {R}) -> {R}", [M, R], R),
    ("fft", f"ingot.fft fft %x length = 4 : ({Z}) -> {Z}", [Z], Z),
    ("rfft", f"ingot.fft rfft %x length = 4 : ({F}) -> tensor<3xcomplex<f64>>", [F],
     "tensor<3xcomplex<f64>>"),
    ("irfft", f"ingot.fft irfft %x length = 6 : ({Z}) -> tensor<6xf64>", [Z], "tensor<6xf64>"),
    ("cholesky", f"ingot.cholesky %x : ({M}) -> {M}", [M], M),
    ("triangular_solve", "ingot.triangular_solve %x, %y lower = true unit = false : "
     f"({M}, {R}) -> {R}", [M, R], R),
    ("barrier", f"ingot.barrier %x : {F}", [F], F),
]  # fmt: skip
#: The same of operations with other operands or more results.
OTHERS = {
    "select": (f"ingot.select %c, %x, %y : (tensor<4xi1>, {F}, {F}) -> {F}", [F, F], [F],
               "%c: tensor<4xi1>"),
    "dynamic_slice": ("ingot.dynamic_slice %x[%i] sizes = [2] strides = [1] : "
                      f"({F}, tensor<i64>) -> tensor<2xf64>", [F], ["tensor<2xf64>"],
                      "%i: tensor<i64>"),
    "update_slice": ("ingot.update_slice %x, %y[%i] strides = [1] : "
                     f"({F}, tensor<2xf64>, tensor<i64>) -> {F}", [F, "tensor<2xf64>"], [F],
                     "%i: tensor<i64>"),
    "gather": (f"ingot.gather %x[%i] : ({F}, {K}) -> tensor<2xf64>", [F], ["tensor<2xf64>"],
               f"%i: {K}"),
    "scatter_set": (f"ingot.scatter set %x, %y[%i] : ({F}, tensor<2xf64>, {K}) -> {F}",
                    [F, "tensor<2xf64>"], [F], f"%i: {K}"),
    "scatter_add": (f"ingot.scatter add %x, %y[%i] : ({F}, tensor<2xf64>, {K}) -> {F}",
                    [F, "tensor<2xf64>"], [F], f"%i: {K}"),
    "scatter_mul": (f"ingot.scatter mul %x, %y[%i] : ({F}, tensor<2xf64>, {K}) -> {F}",
                    [F, "tensor<2xf64>"], [F], f"%i: {K}"),
    "lu": (f"ingot.lu %x : ({M}) -> ({M}, tensor<3xi32>)", [M], [M, "tensor<3xi32>"], ""),
    "qr": (f"ingot.qr %x full = false : ({M}) -> ({M}, {M})", [M], [M, M], ""),
    "eigh": (f"ingot.eigh %x lower = true : ({M}) -> (tensor<3xf64>, {M}, tensor<i32>)", [M],
             ["tensor<3xf64>", M, "tensor<i32>"], ""),
    "svd": (f"ingot.svd %x full = false : ({M}) -> ({M}, tensor<3xf64>, {M}, tensor<i32>)", [M],
            [M, "tensor<3xf64>", M, "tensor<i32>"], ""),
    "eig": ("ingot.eig %x : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, "
            "tensor<2x2xcomplex<f64>>, tensor<i32>)", ["tensor<2x2xcomplex<f64>>"],
            ["tensor<2xcomplex<f64>>", "tensor<2x2xcomplex<f64>>", "tensor<i32>"], ""),
}  # fmt: skip


def source(name: str, operation: str, types: list[str], results: list[str], more: str) -> str:
    """The derivatives of one operation in both modes, in a function each."""
    names = ["%x", "%y"][: len(types)]
    given = [f"{n}: {t}" for n, t in zip(names, types, strict=True)] + ([more] if more else [])
    of = [i for i, t in enumerate(results) if "f" in t]
    seed_types = [results[i] for i in of]
    count = len(results)
    yielded = ", ".join([f"%o#{i}" for i in range(count)] if count > 1 else ["%o"])
    bound = f"%o:{count}" if count > 1 else "%o"
    arguments = ", ".join(f"{n}i: {t}" for n, t in zip(names, types, strict=True))
    inside = re.sub("%([xy])", r"%\1i", operation)
    body = (
        f"  ^bb0({arguments}):\n"
        f"    {bound} = {inside}\n"
        f"    ingot.yield {yielded} : {', '.join(results)}\n"
    )

    def derivative(mode: str, extra: list[str], extra_types: list[str], made: list[str]) -> str:
        parameters = ", ".join(
            [*given, *(f"{n}: {t}" for n, t in zip(extra, extra_types, strict=True))]
        )
        returned = ", ".join(f"%r#{count + i}" for i in range(len(made)))
        return (
            f"func.func @{mode}_{name}({parameters}) -> ({', '.join(made)}) {{\n"
            f'  %r:{count + len(made)} = ingot.{mode} "{name}"({", ".join([*names, *extra])}) '
            f"of = {of} {{\n{body}  }} : ({', '.join([*types, *extra_types])}) -> "
            f"({', '.join([*results, *made])})\n"
            f"  return {returned} : {', '.join(made)}\n}}\n"
        )

    tangents = [f"%d{n[1:]}" for n in names]
    cotangents = [f"%r{i}" for i in of]
    return derivative("jvp", tangents, types, seed_types) + derivative(
        "vjp", cotangents, seed_types, types
    )


def emitted(text: str) -> str:
    opt = ROOT / "build" / "bin" / "ingot-opt"
    done = subprocess.run([opt, *PASSES], input=text, capture_output=True, text=True, check=True)
    return done.stdout


def golden(text: str) -> str:
    """Check lines for the functions that a source becomes."""
    lines = []
    for raw in emitted(text).splitlines():
        if raw in ("", "module {", "}", "  }"):
            continue
        line = re.sub(r"\s+", " ", raw.strip())
        kind = "LABEL" if line.startswith("func.func") else "NEXT"
        lines.append(f"// CHECK-{kind}: {line}")
    return "\n".join(lines)


def main() -> None:
    parts = [
        f"// RUN: ingot-opt %s {' '.join(PASSES)} | FileCheck %s\n\n// Made by tools/goldens.py.\n"
    ]
    cases = [(name, op, types, [result], "") for name, op, types, result in RULES]
    cases += [(name, *case) for name, case in OTHERS.items()]
    for case in cases:
        text = source(*case)
        parts.append(f"\n{golden(text)}\n{text}")
    TARGET.write_text("".join(parts))


if __name__ == "__main__":
    main()
