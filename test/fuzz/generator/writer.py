"""Whole programs: classes, helpers, a function and its arguments."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from generator import arguments, classes
from generator.blocks import Blocks, indented
from generator.running import PATH, watched
from generator.samples import is_small

HEADER = "import dataclasses\nimport math\n\nimport numpy as np\n"
GLOBALS = (
    "LIMIT = 3\nFACTOR = 0.5\nTABLE = np.array([1.0, 2.0, -1.0])\nTABLE.setflags(write=False)\n"
)
CASES = 2
#: Of how many statements a function is written; those in blocks count.
SIZES = range(8, 32)


def instance(rng: random.Random) -> arguments.Spec:
    makers: dict[str, Callable[[random.Random], arguments.Spec]] = {
        "float": arguments.real,
        "int": arguments.integer,
        "floats": arguments.several(arguments.real, "[{}]"),
        "array": lambda r: arguments.array(r, dtype="f8"),
    }
    name = rng.choice(list(classes.ARGUMENTS))
    specs = [makers[kind](rng) for kind in classes.ARGUMENTS[name]]
    return lambda r: f"{name}({', '.join(s(r) for s in specs)})"


def fresh(classes_too: bool, functions: str = "") -> dict[str, Any]:
    """The globals of a program."""
    text = HEADER + GLOBALS + functions + (classes.SOURCE if classes_too else "")
    values: dict[str, Any] = {"__name__": "program", "__helpers__": {}}
    exec(compile(text, "<classes>", "exec", dont_inherit=True), values)
    values["__constructors__"] = classes.CONSTRUCTORS if classes_too else []
    for name, templates in classes.TEMPLATES.items() if classes_too else ():
        values[name].templates = templates
    return values


class Writer:
    """Writes one program of plain values.

    Args:
        rng: decides everything.
        exact: see Environment; by default mostly.
    """

    returns_early = 0.4
    cases = CASES
    #: What makes the first arguments, the others, and whether one is an instance.
    first = (arguments.array, arguments.integer)
    table = arguments.ARGUMENTS
    instances = True
    prints = True
    #: Of the floats that programs make.
    least_precise = "f4"
    #: Functions that each program has, and what makes its statements.
    functions = ""
    makes: type[Blocks] = Blocks

    def __init__(self, rng: random.Random, exact: bool | None = None) -> None:
        self.rng = rng
        self.exact = rng.random() < 0.75 if exact is None else exact
        self.objects = rng.random() < 0.4
        self.values = fresh(self.objects, self.functions)

    def specs(self) -> list[arguments.Spec]:
        """What the arguments are: at least an array and an integer."""
        specs = [m(self.rng) for m in self.first]
        specs += self.chosen(self.rng.choice([1, 2, 2, 3]))
        if self.objects and self.instances:
            specs.append(instance(self.rng))
        return specs

    def chosen(self, n: int) -> list[arguments.Spec]:
        weights, makers = zip(*self.table, strict=True)
        return [make(self.rng) for make in self.rng.choices(makers, weights, k=n)]

    def program(self) -> str:
        specs = self.specs()
        cases = [[spec(self.rng) for spec in specs] for _ in range(self.cases)]
        if self.rng.random() < 0.03:
            cases = [[*case, case[0]] for case in cases]
        names = [f"p{i}" for i in range(len(cases[0]))]
        parameters = ", ".join(names)
        helpers = [self.helper(i) for i in range(self.rng.choice([0, 1, 1, 2]))]
        samples = [eval(text, self.values) for text in cases[0]]
        blocks = self.blocks(dict(zip(names, samples, strict=True)))
        body = self.body(blocks)
        text = HEADER + GLOBALS + self.functions + (classes.SOURCE if self.objects else "")
        text += "\n" + "\n".join(helpers)
        text += f"\ndef f({parameters}):\n" + "\n".join(indented(body)) + "\n\n"
        text += f"\nCASES = {self.tuples(cases)}\n"
        return text

    def tuples(self, cases: list[list[str]]) -> str:
        return "[" + ", ".join(f"lambda: ({', '.join(case)},)" for case in cases) + "]"

    def blocks(self, samples: dict[str, Any]) -> Blocks:
        blocks = self.makes(self.rng, {**self.values, **samples}, self.exact)
        blocks.names = [*samples]
        blocks.prints = self.prints
        if self.least_precise != "f4":
            blocks.without("f4", "float32")
        return blocks

    def body(self, blocks: Blocks) -> list[str]:
        """The statements of the function, with its results."""
        lines: list[str] = []
        size = self.rng.choice(SIZES)
        if self.rng.random() < self.returns_early:
            for _ in range(2):
                lines += blocks.statement(set(), 0)
            blocks.result = self.results(blocks, 2)
            blocks.steady = set(re.findall(r"[a-z]\w*", blocks.result)) & set(blocks.names)
        if self.rng.random() < 0.5:
            blocks.names += ["LIMIT", "FACTOR", "TABLE"]
            blocks.fixed |= {"LIMIT", "FACTOR", "TABLE"}
        while len(lines) < size:
            lines += blocks.statement(set(), 3) or ["pass"]
        return [*lines, f"return {blocks.result or self.results(blocks, 5)}"]

    def results(self, blocks: Blocks, most: int) -> str:
        names = [
            n
            for n in (*blocks.names, *blocks.optionals)
            if n not in blocks.fixed and self.may_result(blocks.values[n])
        ]
        chosen = self.rng.sample(names, min(len(names), self.rng.randint(1, most)))
        form = self.rng.choice(["({}, )", "({}, )", "[{}]"]) if len(chosen) > 1 else "{}"
        if len(chosen) > 2 and self.rng.random() < 0.1:
            return "{" + ", ".join(f"'{n}': {n}" for n in chosen) + "}"
        return form.format(", ".join(chosen))

    def may_result(self, value: Any) -> bool:
        return not callable(value)

    def helper(self, i: int) -> str:
        """A function of the module; what it was written for is kept for its callers."""
        specs = [self.first[0](self.rng), *self.chosen(self.rng.choice([1, 2]))]
        texts = [spec(self.rng) for spec in specs]
        samples = [eval(text, self.values) for text in texts]
        originals = [eval(text, self.values) for text in texts]
        names = [f"q{j}" for j in range(len(specs))]
        blocks = self.blocks({**dict(zip(names, samples, strict=True)), "k": 2})
        lines: list[str] = []
        for _ in range(self.rng.choice([1, 2, 3])):
            lines += blocks.statement(set(), 1)
        lines.append(f"return {self.results(blocks, 2)}")
        text = f"\ndef helper{i}({', '.join(names)}, k=2):\n" + "\n".join(indented(lines)) + "\n"
        try:
            exec(compile(text, PATH, "exec", dont_inherit=True), self.values)
            result = watched(lambda: eval(f"helper{i}({', '.join(texts)})", self.values))
        except Exception:
            return ""
        if not is_small(result) or result is NotImplemented:
            return ""
        self.values["__helpers__"][f"helper{i}"] = originals
        return text


def write(seed: int, kind: type[Writer] = Writer) -> str:
    """The program of a seed, before it is vetted."""
    rng = random.Random(seed)
    with np.errstate(all="ignore"):
        return kind(rng).program()
