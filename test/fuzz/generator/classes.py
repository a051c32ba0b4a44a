"""The classes that programs use. `templates` are calls of their methods, `{o}` the instance."""

SOURCE = """
class Point:
    scale = 2

    def __init__(self, x, n):
        self.x = x
        self.n = n

    def move(self, d):
        self.x = self.x + d
        return self

    def total(self):
        return self.x * self.n + self.scale

    @property
    def double(self):
        return self.x * 2


class Stack:
    def __init__(self, items):
        self.items = items
        self.count = 0

    def push(self, v):
        self.items.append(v)
        self.count += 1
        return len(self.items)

    def top(self):
        return self.items[-1]


class Buffer:
    def __init__(self, data, k=1.0):
        self.data = data
        self.k = k

    def scale(self, by=2):
        self.data *= by
        self.k += 1
        return self

    def put(self, i, v):
        self.data[i] = v

    def total(self):
        return self.data.sum() * self.k


@dataclasses.dataclass
class Pair:
    a: float
    b: float = 2.0

    def swap(self):
        self.a, self.b = self.b, self.a
        return self.a
"""

TEMPLATES = {
    "Point": ["{o}.move({lit})", "{o}.total()", "{o}.move(1).x", "{o}.double", "{o}.move({lit}).total()"],
    "Stack": ["{o}.push({float})", "{o}.push({o}.top())", "{o}.top()", "{o}.count", "len({o}.items)"],
    "Buffer": ["{o}.scale()", "{o}.scale(3)", "{o}.put(0, {lit})", "{o}.total()", "{o}.data", "{o}.put(-1, {num})"],
    "Pair": ["{o}.swap()", "{o}.a + {o}.b", "{o}.b"],
}  # fmt: skip
CONSTRUCTORS = [
    "Point({float}, {int})", "Point({num}, 1)", "Stack([{float}, {float}])", "Buffer({goal} * 1.0)",
    "Pair({float})", "Pair({num}, {num})", "Buffer({goal} + 0.5, k={float})", "Stack([])",
]  # fmt: skip
#: Arguments: what writes an instance whose attributes are the given specs.
ARGUMENTS = {"Point": ["float", "int"], "Stack": ["floats"], "Buffer": ["array"], "Pair": ["float", "float"]}  # fmt: skip
