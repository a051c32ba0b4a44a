"""Writes test/dialects/Ingot/Derivatives/: the IR of each derivative rule in both modes, by family.

Run `python tools/goldens.py` after a rule has changed, and read the difference before you commit.
pytest checks the values that rules compute; these files show the IR that they emit.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "test" / "dialects" / "Ingot" / "Derivatives"
PASSES = ["--expand-transformations", "--resolve-absent-tangents", "--canonicalize", "--cse"]

F, Z, M = "tensor<4xf64>", "tensor<4xcomplex<f64>>", "tensor<3x3xf64>"
R, K, S = "tensor<3x4xf64>", "tensor<2xi64>", "tensor<f64>"
P, I = "tensor<2xf64>", "tensor<i64>"  # noqa: E741
UNARY = [
    "neg", "exp", "expm1", "log", "log1p", "sqrt", "cbrt", "sin", "cos", "tan", "tanh", "floor",
    "ceil", "trunc", "rint", "sign", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh",
    "atanh", "erf", "erfc", "erf_inv", "lgamma", "digamma",
]  # fmt: skip
BINARY = [
    "add", "sub", "mul", "div", "mul_no_nan", "div_no_nan", "mod", "fmod", "pow", "maximum",
    "minimum", "atan2", "floor_div", "polygamma",
]  # fmt: skip


class Rule(NamedTuple):
    """An operation on %x and %y of `types`, its results, and what else it takes ("%i: T")."""

    name: str
    operation: str
    types: list[str]
    results: list[str]
    more: str = ""


def rule(name: str, form: str, types: list[str], result: str, more: str = "") -> Rule:
    """An operation with one result; `form` lacks the types."""
    others = [more.split(": ")[1]] if more else []
    mark = f"ingot.{form} : ({', '.join(types + others)}) -> {result}"
    return Rule(name, mark, types, [result], more)


def matrices(name: str, form: str, results: list[str], operand: str = M) -> Rule:
    """A factorisation."""
    operation = f"ingot.{form} : ({operand}) -> ({', '.join(results)})"
    return Rule(name, operation, [operand], results)


C2, C22 = "tensor<2xcomplex<f64>>", "tensor<2x2xcomplex<f64>>"
#: The rules of each family, which is that of a .td file.
FAMILIES = {
    "elementwise": [
        *(Rule(name, f"ingot.{name} %x : {F}", [F], [F]) for name in UNARY),
        rule("abs", "abs %x", [F], F),
        *(rule(name, f"{name} %x, %y", [F, F], F) for name in BINARY),
        rule("mul_no_nan_both", "mul_no_nan %x, %y {both}", [F, F], F),
        rule("broadcast", "mul %x, %y", [S, F], F),
        Rule("conj", f"ingot.conj %x : {Z}", [Z], [Z]),
        Rule("complex_sign", f"ingot.sign %x : {Z}", [Z], [Z]),
        rule("complex_abs", "abs %x", [Z], F),
        rule("real", "real %x", [Z], F),
        rule("imag", "imag %x", [Z], F),
        rule("complex", "complex %x, %y", [F, F], Z),
        rule("convert", "convert %x", [F], "tensor<4xf32>"),
        Rule("select", f"ingot.select %c, %x, %y : (tensor<4xi1>, {F}, {F}) -> {F}", [F, F], [F],
             "%c: tensor<4xi1>"),
    ],
    "shape": [
        rule("reshape", "reshape %x", [F], "tensor<2x2xf64>"),
        rule("transpose", "transpose %x axes = [1, 0]", [R], "tensor<4x3xf64>"),
        rule("broadcast_to", "broadcast_to %x", [F], R),
        rule("concatenate", "concatenate %x, %y axis = 0", [F, F], "tensor<8xf64>"),
        rule("pad", "pad %x, %y low = [1] high = [2] interior = [0]", [F, S], "tensor<7xf64>"),
        rule("flip", "flip %x axes = [0]", [F], F),
    ],
    "indexing": [
        rule("slice", "slice %x starts = [1] sizes = [2] strides = [1]", [F], P),
        rule("dynamic_slice", "dynamic_slice %x[%i] sizes = [2] strides = [1]", [F], P,
             f"%i: {I}"),
        rule("update_slice", "update_slice %x, %y[%i] strides = [1]", [F, P], F, f"%i: {I}"),
        rule("gather", "gather %x[%i]", [F], P, f"%i: {K}"),
        *(rule(f"scatter_{kind}", f"scatter {kind} %x, %y[%i]", [F, P], F, f"%i: {K}")
          for kind in ("set", "add", "mul")),
    ],
    "reduction": [
        *(rule(f"reduce_{kind}", f"reduce {kind} %x axes = [1]", [R], "tensor<3xf64>")
          for kind in ("add", "mul", "max", "min")),
        *(rule(f"cumulative_{kind}", f"cumulative {kind} %x axis = 0", [F], F)
          for kind in ("add", "mul", "max", "min")),
        rule("sort", "sort %x axis = 0 keys = 1", [F], F),
    ],
    "contraction": [
        rule("dot_general", "dot_general %x, %y batching = [] x [] contracting = [1] x [0]",
             [M, R], R),
        rule("dot_general_zeros", "dot_general %x, %y batching = [] x [] contracting = [1] x [0] "
             "{lhs_zeros}", [M, R], R),
    ],
    "fft": [
        rule("fft", "fft fft %x length = 4", [Z], Z),
        rule("ifft", "fft ifft %x length = 4", [Z], Z),
        rule("rfft", "fft rfft %x length = 4", [F], "tensor<3xcomplex<f64>>"),
        rule("irfft", "fft irfft %x length = 6", [Z], "tensor<6xf64>"),
    ],
    "linear-algebra": [
        rule("cholesky", "cholesky %x", [M], M),
        rule("triangular_solve", "triangular_solve %x, %y lower = true unit = false", [M, R], R),
        matrices("lu", "lu %x", [M, "tensor<3xi32>"]),
        matrices("qr", "qr %x full = false", [M, M]),
        matrices("eigh", "eigh %x lower = true", ["tensor<3xf64>", M, "tensor<i32>"]),
        matrices("svd", "svd %x full = false", [M, "tensor<3xf64>", M, "tensor<i32>"]),
        matrices("eig", "eig %x", [C2, C22, "tensor<i32>"], C22),
    ],
    "effects": [Rule("barrier", f"ingot.barrier %x : {F}", [F], [F])],
    "sharding": [Rule("shard", f'ingot.shard %x <[{{"i"}}]> : {F}', [F], [F])],
    "collective": [
        rule("all_gather", 'all_gather %x axis = "i"', [F], R),
        Rule("ppermute", f'ingot.ppermute %x axis = "i" sources = [2, 0, -1] : {F}', [F], [F]),
        Rule("psum", f'ingot.psum %x axis = "i" : {F}', [F], [F]),
    ],
}  # fmt: skip


def custom(mode: str, body: str) -> str:
    """The identity, with a rule of the user's on %a and a tangent or a cotangent %t."""
    return f"""ingot.custom_derivative {mode}(%x) {{
  ^bb0(%a: {F}):
    ingot.yield %a : {F}
  }} rule {{
  ^bb0(%a: {F}, %t: {F}):
    {body}
    ingot.yield %s : {F}
  }} : ({F}) -> {F}"""


#: Operations without a derivative, and what is said about the line that has their name; in some
#: modes, if not in both.
REFUSED = [
    (matrices("lu", "lu %x", [R, "tensor<3xi32>"], R),
     "only square matrices have a derivative of lu"),
    (matrices("qr", "qr %x full = false", [M, R], R),
     "qr has a derivative only where the matrix has at least as many rows as columns, "
     "in mode 'reduced'"),
    (matrices("svd", "svd %x full = true",
              [M, "tensor<3xf64>", "tensor<4x4xf64>", "tensor<i32>"], R),
     "svd has a derivative only with full_matrices=False"),
    (Rule("bitcast", custom("jvp", f"%s = ingot.bitcast %t : ({F}) -> {F}"), [F], [F]),
     "a tangent goes through `bitcast`, which can't be transposed; define the rule by custom_vjp",
     ("vjp",)),
    (Rule("custom_derivative", custom("vjp", f"%s = ingot.sin %t : {F}"), [F], [F]),
     "a function with a rule by custom_vjp has no forward derivative; use custom_jvp",
     ("jvp",)),
]  # fmt: skip


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
    inside = re.sub(r"%([xy])\b", r"%\1i", operation)
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


#: A name of MLIR's printer. It is defined where " = " follows, or a colon and its type, or among
#: several results.
NAME = re.compile(r"%(\w+)(?P<defines>(?::\d+)?(?: = |: ))?")
RESULTS = re.compile(r"(?P<names>%\w+(?::\d+)?(?:, %\w+)*) = \w+\.(?P<mnemonic>\w+)")


class Names:
    """FileCheck's variables for the values of one function, named after what defines them."""

    def __init__(self, parameters: list[str]) -> None:
        self.parameters = parameters
        self.variables: dict[str, str] = {}
        self.taken: list[str] = []

    def check(self, line: str) -> str:
        """The line with variables: captured where they are defined, used elsewhere."""
        results = RESULTS.match(line)
        mnemonic = results["mnemonic"] if results else ""
        # FileCheck takes these for variables.
        literal = line.replace("[[", "{{\\[\\[}}")

        def replace(found: re.Match[str]) -> str:
            name, after = found[1], found["defines"] or ""
            is_result = bool(results) and found.start() < results.end("names")
            if not after and not is_result:
                return f"%[[{self.variables[name]}]]"
            self.variables[name] = self.free(name, mnemonic)
            return f"%[[{self.variables[name]}:.*]]{after}"

        return NAME.sub(replace, literal)

    def free(self, name: str, mnemonic: str) -> str:
        """A variable for a name that is defined."""
        if argument := re.fullmatch(r"arg(\d+)", name):
            number = int(argument[1])
            if number < len(self.parameters):
                return self.parameters[number].upper()
            base = "arg"
        else:
            base = mnemonic if name.isdigit() else re.sub(r"_\d+$", "", name)
        self.taken.append(base)
        count = self.taken.count(base)
        return (base if count == 1 else f"{base}_{count}").upper()


def golden(text: str) -> str:
    """Check lines for the functions that a source becomes."""
    parameters = {
        name: re.findall(r"%(\w+):", given)
        for name, given in re.findall(r"func\.func @(\w+)\((.*)\) ->", text)
    }
    lines = []
    names = Names([])
    for raw in emitted(text).splitlines():
        if raw in ("", "module {", "}", "  }"):
            continue
        line = re.sub(r"\s+", " ", raw.strip())
        if header := re.match(r"func\.func @(\w+)", line):
            names = Names(parameters[header[1]])
            lines.append(f"// CHECK-LABEL: {header[0]}(")
            lines.append(f"// CHECK-SAME: {names.check(line.removeprefix(header[0] + '('))}")
            continue
        lines.append(f"// CHECK-NEXT: {names.check(line)}")
    return "\n".join(lines)


def refused(rule: Rule, message: str, modes: tuple[str, ...] = ("jvp", "vjp")) -> str:
    """A source for each mode, that expects an error where its operation is in some."""
    marked = rf"\1// expected-error @below {{{{{message}}}}}\n\g<0>"
    parts = re.split(r"(?m)^(?=func\.func)", source(*rule))[1:]
    for i, part in enumerate(parts):
        if part.startswith(tuple(f"func.func @{mode}_" for mode in modes)):
            parts[i] = re.sub(rf"(?m)^( *).* = ingot\.{rule.name}\b", marked, part)
    return "\n// -----\n\n".join(parts)


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    command = f"// RUN: ingot-opt %s {' '.join(PASSES)}"
    note = "\n\n// Made by tools/goldens.py.\n"
    for family, rules in FAMILIES.items():
        parts = [f"{command} | FileCheck %s --enable-var-scope{note}"]
        for each in rules:
            text = source(*each)
            parts.append(f"\n{golden(text)}\n{text}")
        (TARGET / f"{family}.mlir").write_text("".join(parts))
    errors = "\n// -----\n\n".join(refused(*each) for each in REFUSED)
    options = "--split-input-file --verify-diagnostics"
    (TARGET / "refused.mlir").write_text(f"{command} {options}{note}\n{errors}")


if __name__ == "__main__":
    main()
