"""Random programs of slices, views, in-place operations, loops and branches."""

import copy

import hypothesis.strategies as st
import numpy as np
from hypothesis import HealthCheck, given, settings

from sources import namespace_of

NAMES = "abcdefgh"
#: What may be refused, and no more: aliases that depend on run-time values, and what NumPy would
#: refuse on a path that it did not take.
REFUSED = ("may share its memory", "can't cast the result", "broadcast")


class Writer:
    """Writes a program, running each statement with NumPy so that all of them are valid."""

    def __init__(self, draw):
        self.draw = draw
        self.arrays = {
            "a": np.arange(12.0).reshape(3, 4) % 5 - 1.5,
            "b": np.array([0.5, -2.0, 3.0, 1.0]),
            "k": np.arange(6) - 2,
        }
        self.lines = []

    def pick(self, items):
        return self.draw(st.sampled_from(list(items)))

    def name(self):
        return self.pick(self.arrays)

    def index(self, shape):
        parts = []
        for n in shape[: self.draw(st.integers(0, len(shape)))]:
            start, stop = (self.draw(st.integers(-n - 1, n + 1)) for _ in range(2))
            step = self.pick([1, 1, 2, -1, -2])
            middle = self.draw(st.integers(-n, n - 1)) if n else 0
            parts.append(
                self.pick([":", f"{start}:{stop}:{step}", f"{start}:", f":{stop}", "::-1", middle])
            )
        return ", ".join(map(str, parts)) or "..."

    def view(self):
        u = self.name()
        shape = self.arrays[u].shape
        forms = [f"{u}[{self.index(shape)}]", f"{u}.T", f"{u}.reshape(-1)", f"{u}.ravel()", u]
        forms += [f"{u}[None]", f"np.flip({u})", f"{u}.copy()", f"np.swapaxes({u}, 0, -1)"]
        forms += [f"{u}.reshape({shape[::-1]})", f"np.expand_dims({u}, -1)", f"{u}[..., ::2]"]
        return f"{self.pick(NAMES)} = {self.pick(forms)}"

    def value(self, target):
        like = [n for n, v in self.arrays.items() if v.shape == np.shape(target)]
        forms = [str(self.pick([0, 1, -2, 3])), "0.5"]
        forms += [f"{n} * 2" for n in like] + [f"{n}[::-1]" for n in like if self.arrays[n].ndim]
        forms += [f"np.abs({n})" for n in like] + like
        return self.pick(forms)

    def store(self):
        u = self.name()
        index = self.index(self.arrays[u].shape)
        try:
            target = eval(f"{u}[{index}]", {"np": np}, self.arrays)
        except Exception:
            return "pass"
        value = self.value(target)
        whole = self.value(self.arrays[u])
        forms = [f"{u}[{index}] = {value}", f"{u}[{index}] {self.pick('+-*')}= {value}"]
        forms += [f"{u} {self.pick('+-*')}= {whole}", f"{u}.fill({self.pick([1, -3])})"]
        forms += [f"{u}[{u} > 0] = 1", f"{u}[{u} < 1] *= 2", f"np.add({u}, {whole}, out={u})"]
        forms += [f"np.negative({u}, {u})", f"np.copyto({u}, {whole})", f"{u}.sort()"]
        forms += [f"{u}[[0, -1]] = {self.pick([4, -4])}", f"np.add.at({u}, [0, 0], 1)"]
        return self.pick(forms)

    def block(self):
        u = self.name()
        body = self.store()
        n = self.pick([2, 3, 11])
        forms = [
            f"for i in range({n}):\n        {body}",
            f"for i in range(len({u})):\n        {u}[i] = {u}[i - 1] * 0.5 + i",
            f"for i in range(len(b)):\n        {u}[...] += b[i]\n        {body}",
            f"if {u}.sum() > 0:\n        {body}\n    else:\n        {self.store()}",
            f"for row in {u}:\n        row[...] = row * 2",
            f"i = 0\n    while {u}.sum() < 30 and i < 5:\n        {body}\n        i += 1",
        ]
        return self.pick(forms)

    def statement(self):
        text = self.pick([self.view, self.store, self.store, self.block])()
        trial = copy.deepcopy(self.arrays)
        try:
            with np.errstate(all="ignore"):
                exec(text.replace("\n    ", "\n"), {"np": np}, trial)
        except Exception:
            return
        trial.pop("i", None)
        trial.pop("row", None)
        fine = all(isinstance(v, np.ndarray) and v.size <= 64 for v in trial.values())
        if fine and all(np.all(np.abs(v) < 1e6) for v in trial.values()):
            self.arrays = trial
            self.lines.append(text)

    def program(self):
        for _ in range(self.draw(st.integers(2, 8))):
            self.statement()
        self.lines.append("return " + ", ".join(sorted(self.arrays)) + ",")
        return "def f(a, b, k):\n    " + "\n    ".join(self.lines) + "\n"


def function_of(source, folder):
    """The function `f` that a program defines."""
    return namespace_of(source, folder)["f"]


def for_programs(number, run, **options):
    """Call `run` with the sources of so many random programs, the same ones each time."""

    @settings(
        max_examples=number, deadline=None, suppress_health_check=list(HealthCheck),
        derandomize=True, **options,
    )  # fmt: skip
    @given(st.data())
    def draw(data):
        run(Writer(data.draw).program())

    draw()


def assert_may_be_refused(error, source):
    """A refusal is one of those that are meant."""
    assert any(text in str(error) for text in REFUSED), f"{source}\n{error}"


def loss_of(source):
    """The program with one number as its result, to which all of its arrays contribute."""
    body, _, names = source.rpartition("return ")
    terms = [
        f"np.sum(np.sin({n}) * {0.3 + 0.1 * i:.1f})"
        for i, n in enumerate(names.strip(",\n").split(", "))
    ]
    return body + "return " + " + ".join(terms) + "\n"
