"""Derivatives of programs: forward against reverse against differences of the plain program."""

from __future__ import annotations

import copy
import random
from dataclasses import replace
from typing import Any

import numpy as np

import ingot
from generator import arguments
from generator.judge import Comparison, Difference, Outcome, loaded, outcome, verdict
from generator.trees import is_floating, moved, vector
from generator.writer import Writer

STEP = 1e-5
DIRECTIONS = 3
#: Programs whose differences are larger, or change more between two steps, have a kink nearby.
LARGEST = 1e3
SMOOTH = 2e-3


def number(rng: random.Random) -> str:
    """Of many digits, so that no program meets its kinks."""
    return f"{rng.choice([-1, 1, 1]) * rng.uniform(0.15, 2.0):.4f}"


def nested(rng: random.Random, shape: tuple[int, ...]) -> str:
    if not shape:
        return number(rng)
    return "[" + ", ".join(nested(rng, shape[1:]) for _ in range(shape[0])) + "]"


def array(rng: random.Random) -> arguments.Spec:
    shape, layout = rng.choice(arguments.SHAPES), rng.choice(arguments.LAYOUTS)
    return lambda r: layout.format(a=f"np.array({nested(r, shape)})")


def real(rng: random.Random) -> arguments.Spec:
    return number


def parameters(rng: random.Random) -> arguments.Spec:
    keys = rng.sample(["w", "b", "k", "x"], rng.choice([1, 2, 3]))
    items = [(k, rng.choice([array, array, real])(rng)) for k in keys]
    return lambda r: "{" + ", ".join(f"{k!r}: {i(r)}" for k, i in items) + "}"


ARGUMENTS = [
    (4, array), (2, real), (2, parameters), (1, arguments.several(array, "[{}]")),
    (1, arguments.several(real, "[{}]")), (1, arguments.several(array, "({})")), (1, arguments.integer),
    (0.7, lambda r: arguments.array(r, dtype="i8")),
]  # fmt: skip


class LossWriter(Writer):
    """Writes programs of one number that depends on all floats in sight."""

    cases = 1
    least_precise = "f8"
    first = (array, arguments.integer)
    table = ARGUMENTS
    instances = False
    prints = False

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, exact=False)

    def results(self, blocks: Any, most: int) -> str:
        """A sum of sines of places, the latest of which count most."""
        terms = [f"np.sum(np.sin({p}))" for p in blocks.places("floats")]
        terms += [f"np.sin({p})" for p in blocks.places("float")]
        chosen = self.rng.sample(terms, min(len(terms), most + 1))
        weighted = (f"{0.4 + 0.3 * i:.1f} * {t}" for i, t in enumerate(chosen))
        return " + ".join(["np.float64(0.0)", *weighted])


def argnums(values: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(i for i, v in enumerate(values) if is_floating(v))


class Differences:
    """Differences of a plain program in random directions."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self.argnums = argnums(namespace["CASES"][0]())
        size = sum(vector(namespace["CASES"][0]()[i]).size for i in self.argnums)
        rng = np.random.default_rng(0)
        self.directions = [rng.uniform(-1, 1, size) for _ in range(DIRECTIONS)]

    def at(self, by: np.ndarray) -> float:
        """The value where the floats are moved by a vector; all arguments are fresh."""
        given = list(self.namespace["CASES"][0]())
        changed = moved([given[i] for i in self.argnums], by)
        for i, value in zip(self.argnums, changed, strict=True):
            given[i] = value
        return float(self.namespace["f"](*given))

    def along(self, direction: np.ndarray) -> float | None:
        """The derivative in a direction; None near a kink."""
        h = STEP * direction
        left, here, right = self.at(-h), self.at(0 * h), self.at(h)
        near = (self.at(h / 4) - self.at(-h / 4)) / (STEP / 2)
        central = (right - left) / (2 * STEP)
        sides = (right - here) / STEP, (here - left) / STEP
        spread = max(abs(near - central), abs(sides[0] - central), abs(sides[1] - central))
        if not (abs(central) < LARGEST and spread < SMOOTH * max(1.0, abs(central))):
            return None
        return near


def is_valid(text: str) -> bool:
    """Whether a program is smooth where it stands, and depends on its floats."""

    def check() -> bool:
        differences = Differences(loaded(text))
        if not differences.argnums:
            return False
        found = [differences.along(d) for d in differences.directions]
        return all(d is not None for d in found) and any(found)

    return outcome(check) == ("value", True)


def judge(text: str) -> Outcome:
    namespace = loaded(text)
    differences = Differences(namespace)
    function, which = namespace["f"], differences.argnums
    vectors = {}
    for name, transform in (("forward", ingot.jacfwd), ("reverse", ingot.grad)):
        given = namespace["CASES"][0]()
        before = copy.deepcopy(given)
        actual = outcome(lambda t=transform, g=given: t(function, which)(*g))
        if actual[0] != "value":
            # The plain program raises nothing (`is_valid`).
            found = verdict(actual, ("value", None))
            return replace(found, detail=f"{name}: {found.detail}", text=text)
        try:
            Comparison(identity=False).compare(given, before, "arguments")
        except Difference as difference:
            return Outcome("wrong", f"{name} changed {difference}", text)
        vectors[name] = vector(actual[1])
    return compared(vectors, differences, text)


def compared(vectors: dict[str, np.ndarray], differences: Differences, text: str) -> Outcome:
    forward, reverse = vectors["forward"], vectors["reverse"]
    if forward.shape != reverse.shape or not np.allclose(
        forward, reverse, rtol=1e-9, atol=1e-9 * max(1.0, float(np.max(np.abs(forward), initial=0)))
    ):
        detail = f"forward is not reverse: {forward}, {reverse}"
        slopes = [f"{differences.along(d)}, not {forward @ d}" for d in differences.directions]
        return Outcome("wrong", f"{detail}; differences against forward: {slopes}", text)
    for direction in differences.directions:
        expected, actual = differences.along(direction), float(forward @ direction)
        if expected is not None and not abs(actual - expected) <= 1e-4 * max(1.0, abs(expected)):
            return Outcome("wrong", f"differences: {expected}, derivative {actual}", text)
    return Outcome("agreed", "", text)
