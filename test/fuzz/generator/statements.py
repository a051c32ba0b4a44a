"""Random simple statements: bindings, stores, and what containers and instances do in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from generator.environment import Stuck
from generator.expressions import Expressions, Table
from generator.samples import is_number, signature

ON_ARRAYS: Table = [
    (3, "{a}[{i}] = {num}"), (3, "{a}[{i}] {op} {num}"), (2, "{a}[{slices}] = {num}"),
    (2, "{a}[{slices}] {op} {real}"), (2, "{a} {op} {real}"), (2, "{a} {op} {same}"),
    (2, "{a}[{a} {order} {num}] = {real}"), (1, "{a}[{a} > {num}] {op} {real}"),
    (1, "{a}[1:] = {a}[:-1]"), (1, "{a}[:-1] {op} {a}[1:]"), (1, "{a}[::-1] = {same}"),
    (1, "{a}[[0, -1]] = {real}"), (1, "{a}[[0, 0]] {op} {real}"), (0.7, "{a}[...] = {same}"),
    (0.7, "{a}[:] = {same}"), (0.6, "{a}.fill({lit})"), (0.6, "{a}.sort()"), (0.5, "{a}[{a} > 0] = {a}[{a} > 0] * 2"),
    (0.5, "np.add({a}, {same}, out={a})"), (0.4, "np.negative({a}, {a})"), (0.4, "np.copyto({a}, {same})"),
    (0.4, "np.put({a}, [0, -1], {lit})"), (0.5, "np.add.at({a}, [0, 0], {lit})"), (0.3, "{a}.flat[{small}] = {lit}"),
    (0.4, "{a}.ravel()[0] = {lit}"), (0.4, "{a}.T[0] = {lit}"), (0.4, "{a}.reshape(-1)[{small}] {op} {lit}"),
    (0.3, "np.fill_diagonal({a}, {lit})"), (0.3, "{a}[np.array([0, 0])] = {lit}"),
    (0.4, "{a}[[0, 0]] = {a}[[0, -1]] * {real}"), (0.3, "{a}[[-1, 0, -1]] {op} {a}[[0, -1, 0]]"), (0.3, "np.put({a}, [0, 0], [{num}, {num}])"),
    (0.3, "np.multiply.at({a}, [0, 0], {real})"), (0.2, "np.maximum.at({a}, [0, -1, 0], {a}[[-1, 0, -1]])"), (0.3, "{a}[{i}], {a}[{j}] = {a}[{j}], {a}[{i}]"),
    (0.3, "{a}[0], {a}[-1] = {a}[-1].copy(), {a}[0].copy()"), (0.2, "np.clip({a}, -1, 2, out={a})"),
    (0.3, "{a}[::2] {op} {num}"), (0.2, "{a}[({a} > 0) & ({a} < 3)] {op} {lit}"), (0.2, "np.multiply({a}, {real}, {a})"),
    # Stores of what overlaps them.
    (0.4, "{a} += {a}[::-1]"), (0.3, "{a}[...] = {a}.T"), (0.3, "{a}.T[...] -= {a}"), (0.3, "np.multiply({a}, {real}, out={a}[::-1])"),
    (0.3, "np.copyto({a}, {a}[::-1])"), (0.3, "np.add({a}[::-1], {same}, out={a})"), (0.2, "np.cumsum({a}, axis=0, out={a})"),
    (0.2, "np.concatenate([{a}[1:], {a}[:1]], out={a})"), (0.2, "{a}[::-1].sort()"), (0.2, "np.add.at({a}, [0, -1], {a}[0])"), (0.2, "np.negative({a}, out={a}, where={a} > {num})"),
    (0.2, "{a}[1:], {a}[:1] = {a}[:-1], {a}[-1:]"), (0.1, "{a}.flat[1:] = {a}[::-1]"), (0.2, "np.fill_diagonal({a}, {a}[-1])"),
    # Slices whose length is dynamic.
    (0.8, "{a}[{int}:] = {num}"), (0.8, "{a}[:{int}] {op} {real}"), (0.5, "{a}[{int}:{int}] {op} {lit}"),
    (0.4, "{a}[{int}:] {op} {a}[{int}:]"), (0.3, "{a}[:{i}] = {a}[:{i}] * {real}"), (0.3, "{a}[:{i}] = {a}[:{i}][::-1]"),
    (0.4, "{a}[{int}::2] {op} {lit}"), (0.3, "{a}[{int}:{int}:-2] = {num}"), (0.2, "{a}[::{int}] {op} {lit}"),
    (0.3, "{a}[np.nonzero({a})] {op} {lit}"), (0.3, "{a}[{a} > {num}] = {a}[{a} > {num}][::-1]"),
    (0.3, "{a}[[0, -1], ...] = {num}"), (0.2, "j, item = 0, {a}.ravel()[0]\nfor j, item in enumerate({a}.ravel()[:{int}]):\n    {a}[{i}] = item * j"),
    # Stores of one value on both paths.
    (0.4, "rest = {a} + {lit}\nif {cond}:\n    {a}[...] = rest\nelse:\n    {a}[...] = rest"),
    (0.3, "for j in range(12):\n    rest = {a} * 0.5\n    if {cond}:\n        {a}[...] = rest\n        break\n    {a}[...] = rest"),
    # Arrays that shrink.
    (0.3, "rest = {a}.ravel()\nwhile rest.size > 1:\n    rest = rest[rest > rest.min()]\n{a}[{i}] = rest.sum()"),
    (0.2, "rest = {a}.ravel()\nwhile len(rest) > 2:\n    rest = rest[1:-1]\n{a}[{i}] = rest.sum()"),
]  # fmt: skip

ON_LISTS: Table = [
    (4, "{l}.append({item})"), (1.5, "{l}.insert({small}, {item})"), (1, "{l}.extend([{item}, {item}])"),
    (1, "{l} += [{item}]"), (1, "{l}.reverse()"), (2, "{l}[{i}] = {item}"), (0.4, "{l} *= 2"),
    (1, "if len({l}) > 1:\n    {l}.pop()"), (0.7, "if {l}:\n    {l}.pop({end})"), (0.6, "{l}.extend({l}[:2])"),
    (0.5, "{l}[0], {l}[-1] = {l}[-1], {l}[0]"), (0.3, "del {l}[-1]"), (0.3, "{l}[1:2] = [{item}]"),
    (0.3, "{l}[{i}:] = [{item}]"), (0.2, "{l}.clear()\n{l}.append({item})"), (0.4, "{l}.append({l}[0])"),
    (0.3, "{l}.__setitem__(0, {item})"), (0.2, "{l}.remove({l}[0])"), (0.3, "{l}[{i}:] += [{item}]"), (0.2, "{l}[{i}:] *= 2"),
]  # fmt: skip
ON_NUMBER_LISTS: Table = [
    (2, "{l}[{i}] += {item}"), (1, "{l}[{i}] *= 2"), (0.6, "{l}.sort()"), (0.3, "{l}.sort(reverse=True)"),
    (0.5, "{l}[{i}] -= {l}[{j}]"),
]  # fmt: skip

#: In nested blocks only those that keep the keys.
ON_DICTS: Table = [
    (3, "{d}[{key}] = {item}"), (1.5, "{d}.update(<<{key}: {item}>>)"), (0.8, "{d}.setdefault({key}, {item})"),
    (0.8, "{d} |= <<{key}: {item}>>"), (0.3, "{d}.__setitem__({key}, {item})"),
]  # fmt: skip
ON_KEYS: Table = [
    (1, "{d}['{new}'] = {num}"), (0.7, "{d}.setdefault('{new}', []).append({num})"), (0.5, "{d}.pop({key})"),
    (0.4, "{d}.pop('none', 0)"), (0.4, "del {d}[{key}]"), (0.3, "{d}['{new}'] = {place}"),
]  # fmt: skip

BINDINGS: Table = [
    (4, "{num}"), (2, "{int}"), (3, "{arr}"), (2, "{goal}"), (3, "{view}"), (2.5, "{place}"), (1, "{cond}"),
    (1, "[{num}, {num}]"), (0.8, "[{int}, {int}, {int}]"), (0.5, "[{float}, {float}]"), (0.7, "[{place}, {place}]"),
    (0.5, "[]"), (0.5, "[[{int}], [{int}, {int}]]"), (0.5, "[{arr_place}] * 2"), (0.5, "[0] * {pos}"),
    (0.5, "<<'w': {num}, 'k': {goal}>>"), (0.4, "<<'w': {num}, 'x': {num}>>"), (0.4, "({num}, {goal})"),
    (0.6, "[q * {lit} for q in {numbers}]"), (0.5, "[q for q in {numbers} if q {order} {num}]"),
    (0.4, "[q + r for q, r in zip({numbers}, {numbers})]"), (0.4, "[[q, {lit}] for q in {numbers}]"),
    (0.5, "[{arr_place}[q] for q in range({pos})]"), (0.4, "<<k: q for k, q in {dict}.items()>>"),
    (0.5, "list({some})"), (0.4, "{some}[:]"), (0.3, "{some}.copy()"), (0.3, "sorted({numbers})"),
    (0.3, "{some}[::-1]"), (0.3, "tuple({some})"), (0.3, "dict({dict})"), (0.3, "{dict}.copy()"), (0.2, "{some} + {some}"),
    (0.3, "list(reversed({some}))"), (0.2, "{arr_place}.tolist()"), (0.3, "list({vec})"), (0.2, "list({dict}.values())"),
    (0.2, "<<{int}, {int}>>"), (0.2, "list(enumerate({numbers}))"), (0.2, "list(zip({numbers}, {numbers}))"),
    (0.3, "{some}[0]"), (0.2, "{some} * 2"), (0.2, "list(map(abs, {numbers}))"), (0.2, "[*{some}, *{some}]"),
]  # fmt: skip
#: Numbers that may be None: what makes them, and what uses them.
OPTIONALS: Table = [
    (2, "{new_o} = None"), (2, "{new_o} = {num} if {cond} else None"), (1, "{new_o} = None if {cond} else {int}"),
    (1, "{new_o} = (lambda q: q if q > {num} else None)({num})"),
]  # fmt: skip
ON_OPTIONALS: Table = [
    (3, "{o} = {num}"), (1, "{o} = None"), (1, "{o} = {p}"), (2, "{new} = {o} if {o} is not None else {num}"),
    (1, "{new} = {o} or {num}"), (2, "if {o} is None or {o} < {num}:\n    {o} = {num}"), (1, "{new} = 0 if {o} is None else {o} * 2"),
    (2, "if {o} is not None:\n    {o} = {o} + {num}"), (1, "if {o} is not None and {o} > {num}:\n    {o} = None"),
    (1, "if not {o}:\n    {o} = {num}"), (0.5, "{new} = {o} == {num}"), (0.5, "{new} = {o} is None"),
    (0.5, "if {o} != None and {p} is None:\n    {p} = {o}"), (0.3, "assert {o} is None or {o} < 99"),
    (1, "for {v} in {vec}:\n    if {o} is None or {v} < {o}:\n        {o} = {v}"), (0.5, "if {o} is not None:\n    {arr_place}[0] = {o}"),
    (0.5, "for {v} in {numbers}:\n    if {v} > {num}:\n        {o} = {v}\n        break\nelse:\n    {o} = None"),
    (0.5, "{new} = (lambda q: -1 if q is None else q)({o})"),
]  # fmt: skip
#: Values of other structures on other paths, by the first letter of their names after the "o": what
#: makes them, and what uses them.
FORMS: dict[str, Table] = {
    "S": [
        (2, "{new_e} = 'left' if {cond} else 'right'"), (1, "{new_e} = 'up'\nif {cond}:\n    {new_e} = 'down'"),
        (1, "for {v} in range(12):\n    if {v} > {num}:\n        {v} = 'left'\n        break\n{new_e} = 'right' if {v} == 11 else 'left'"),
    ],
    "A": [
        (2, "{new_e} = {vec} if {cond} else {arr}"), (1, "{new_e} = {vec}\nif {cond}:\n    {new_e} = {new_e}[:1] * 2"),
        (0.5, "{new_e} = {arr} + 0 if {cond} else {num}"),
    ],
    "L": [
        (1, "{new_e} = [{num}] if {cond} else [{num}, {num}]"), (1, "{new_e} = [{arr}, {vec}]\nif {cond}:\n    {new_e}.append({arr})"),
        (1, "{new_e} = []\nif {cond}:\n    {new_e}.append({vec})"), (0.5, "{new_e} = [{vec}] * (2 if {cond} else 3)"),
    ],
    "F": [(1, "{new_e} = np.abs if {cond} else np.negative"), (1, "{new_e} = (lambda q: q + 1) if {cond} else np.square")],
    "T": [(1, "{new_e} = ({num}, {vec}) if {cond} else ({num},)"), (1, "{new_e} = ({vec},)\nif {cond}:\n    {new_e} = (*{new_e}, {num})")],
    "D": [(1, "{new_e} = <<'a': {vec}>>\nif {cond}:\n    {new_e}['b'] = {num}")],
}  # fmt: skip
ON_FORMS: dict[str, Table] = {
    "S": [
        (2, "if {e} == 'left':\n    {arr_place}[0] += {lit}"), (1, "if {cond}:\n    {e} = 'right'"), (1, "{new} = <<'left': 1, 'right': {num}>>.get({e}, 3)"),
        (1, "{new} = len({e}) + {num}"), (0.5, "for {v} in range(3):\n    {e} = 'down' if {e} == 'up' else 'up'"),
        (0.5, "assert {e} in ('left', 'right', 'up', 'down')"),
    ],
    "A": [
        (2, "{new} = {e}.sum()"), (1, "{e} = {e} * 2 + {lit}"), (1, "if np.ndim({e}):\n    {e}[0] = {lit}"), (1, "{new} = np.shape({e})"),
        (1, "{new} = [{e}, {e}]"), (0.5, "{arr_place}[0] = np.sum({e})"), (0.5, "if {cond}:\n    {e} = {vec}"),
        (0.5, "for {v} in range(2):\n    {e} = np.sort({e}, axis=None)"), (0.5, "{new_e} = {e}"),
    ],
    "L": [
        (2, "{new} = len({e})"), (1, "for {v} in {e}:\n    {arr_place}[0] += np.sum({v})"), (1, "{e}.append({num})"), (1, "if {cond}:\n    {e}.append({vec})"),
        (1, "if {e}:\n    {new} = {e}[-1]"), (0.5, "{e} = {e} + [{num}]"), (0.5, "{new_e} = {e}"), (0.5, "if {e} and {cond}:\n    {e}.pop()"),
        (0.5, "{new} = [np.sum({v}) for {v} in {e}]"), (0.5, "{e}[:1] = [{num}]"), (0.5, "{new} = ({e}, {e})"),
    ],
    "F": [(2, "{new} = {e}({num})"), (1, "{arr_place}[...] = {e}({arr_place})"), (1, "if {cond}:\n    {e} = np.abs"), (0.5, "{new} = list(map({e}, {numbers}))")],
    "T": [
        (2, "{new} = len({e})"), (1, "{new} = {e}[0]"), (1, "{new} = sum(map(np.sum, {e}))"), (0.5, "if {cond}:\n    {e} = {e}[:1]"),
        (0.5, "{v}, *{new} = {e}"),
    ],
    "D": [
        (1, "{new} = len({e})"), (1, "{e}['a'] = {vec}"), (1, "{new} = 'b' in {e}"), (1, "for {v} in {e}.values():\n    {arr_place}[0] += np.sum({v})"),
        (0.5, "{new_e} = {e}"), (0.5, "if {cond}:\n    {e}.pop('b', None)"), (0.5, "{new} = {e}.get('b', {num})"),
    ],
}  # fmt: skip
PRINTS: Table = [
    (1, "print({int}, {cond})"), (1, "print(f'at <<{int}>> and {lit}')"), (0.5, "print('here')"),
    (0.5, "print('%d:' % {int}, [{int}, {pos}], sep='')"), (0.5, "print(<<'k': {int}>>)"),
]  # fmt: skip

#: Holes of BINDINGS that are places.
PLACES = {"numbers": "numbers", "dict": "dict", "some": "some", "vec": "vec", "arr_place": "arr", "place": "any"}  # fmt: skip


class Statements(Expressions):
    """Makers of simple statements. Each returns its text, or raises Stuck."""

    prints = False

    def holes(self, template: str, depth: int = 2, **given: Any) -> str:
        """Fills the holes of a template; `given` are values, or makers called for each hole.

        Braces of the program itself are written as << and >>.
        """
        makers = {**{name: lambda k=kind: self.place(k) for name, kind in PLACES.items()}, **given}
        makers["op"] = lambda: self.pick(["+=", "+=", "-=", "*="])
        makers["new"] = self.new
        makers["new_o"] = lambda: f"o{self.new()}"
        makers["end"] = lambda: self.pick(["0", "-1", ""])
        makers["float"] = lambda: self.like(1.0)
        makers["goal"] = lambda: self.shaped(np.shape(self.value(self.place("arr"))))
        text = template.replace("<<", "\0").replace(">>", "\1")
        while "{" in text:
            start = text.index("{")
            end = text.index("}", start)
            name = text[start + 1 : end]
            made = makers.get(name) or (lambda n=name: getattr(self, f"make_{n}")(depth))
            written = made() if callable(made) else made
            text = text[:start] + written.replace("{", "\0").replace("}", "\1") + text[end + 1 :]
        return text.replace("\0", "{").replace("\1", "}")

    def bind(self, outer: set[str]) -> str:
        """A new name, or an old one; names from outside of a block keep their types."""
        old = self.assignable()
        if old and self.chance(0.35):
            name = self.pick(old)
            if name in outer or name in self.steady:
                return f"{name} = {self.unshared(self.values[name])}"
        else:
            name = self.new()
        return f"{name} = {self.holes(self.weighted(BINDINGS))}"

    def unshared(self, value: Any) -> str:
        """An expression like a value, rarely of an object that has another name.

        What a name shares may not depend on the path taken; compilers refuse that.
        """
        text = self.like(value)
        if isinstance(value, np.ndarray) and self.chance(0.9):
            return self.pick([f"({text}).copy()", f"np.array({text})"])
        if type(value) in (list, dict) and self.chance(0.9):
            return f"{type(value).__name__}({text})"
        return text

    def exchange(self, outer: set[str]) -> str:
        kind = "num" if outer and self.chance(0.85) else "any"
        a, b = self.pick(self.assignable(kind)), self.pick(self.assignable(kind))
        if a == b or (signature(self.values[a]) != signature(self.values[b])):
            raise Stuck
        return self.pick([f"{a}, {b} = {b}, {a}", f"{a} = {b}"])

    def share(self, outer: set[str]) -> str:
        """Two names of one new object, or of one that is there; a store through one may follow."""
        kind = self.pick(["arr", "list", "some", "any"])
        a, b = self.pick(self.assignable(kind)), self.pick(self.assignable(kind))
        if a == b or (signature(self.values[a]) != signature(self.values[b])):
            raise Stuck
        fresh = f"{a} = {b} = {self.unshared(self.values[a])}"
        store = "\n{l}[0] = {l}[-1]".replace("{l}", self.pick([a, b]))
        text = self.pick([fresh, f"{a} = {b}"])
        is_stored = isinstance(self.values[a], (np.ndarray, list)) and self.chance(0.6)
        return text + store if is_stored else text

    def unpack(self, outer: set[str]) -> str:
        fresh = [self.new(), self.new()]
        forms = [
            f"{fresh[0]}, {fresh[1]} = {{num}}, {{place}}",
            f"{fresh[0]}, *{fresh[1]} = {{some}}",
            f"{fresh[0]} = {fresh[1]} = {{num}}",
            f"{fresh[0]} = {fresh[1]} = {{arr}}",
            f"{fresh[0]} = {fresh[1]} = [{{num}}]",
            f"({fresh[0]}, {fresh[1]}), {self.new()} = [({{num}}, {{num}}), {{int}}]",
        ]
        return self.holes(self.pick(forms))

    def augment(self, outer: set[str]) -> str:
        name = self.pick(self.assignable("num"))
        if self.chance(0.15):
            return f"{name} = {name} {self.pick('+-')} {self.make_num(1)}"
        operand = self.make_int(2) if type(self.values[name]) is int else self.make_num(2)
        op = self.pick(["+=", "+=", "-=", "*=", "//=", "%="])
        if op in ("*=", "//=", "%="):
            operand = self.pick(["2", "3", "2"])
        return f"{name} {op} {operand}"

    def on_array(self, outer: set[str]) -> str:
        place = self.place("real")
        value = self.value(place)
        self.goal = value.shape
        i = lambda: ", ".join(self.index(n) for n in value.shape)  # noqa: E731
        template = self.weighted(ON_ARRAYS)
        if ".at(" in template and not value.flags.writeable:
            # NumPy does not look, and stores to it.
            raise Stuck
        return self.holes(template, a=place, i=i, j=i)

    def on_list(self, outer: set[str]) -> str:
        place = self.place("some" if self.chance(0.9) else "list")
        value = self.value(place)
        item = (lambda: self.like(value[0])) if value else (lambda: self.make_num(1))
        i = lambda: self.index(len(value))  # noqa: E731
        table = ON_LISTS + (ON_NUMBER_LISTS if value and all(map(is_number, value)) else [])
        return self.holes(self.weighted(table), l=place, item=item, i=i, j=i)

    def on_dict(self, outer: set[str]) -> str:
        place = self.place("dict")
        value = self.value(place)
        key = self.pick(value)
        item = lambda: self.like(value[key])  # noqa: E731
        keys = outer or self.chance(0.6)
        template = self.weighted(ON_DICTS if keys else ON_KEYS)
        if is_number(value[key]) and self.chance(0.3):
            template = "{d}[{key}] {op} {item}"
        if isinstance(value[key], np.ndarray) and self.chance(0.3):
            template = "{d}[{key}] = {d}[{key}] - {real} * {item}"
        return self.holes(template, d=place, key=repr(key), item=item)

    def on_set(self, outer: set[str]) -> str:
        form = self.pick(["{s}.add({int})", "{s}.discard({int})", "{s} |= <<{int}>>"])
        return self.holes(form, s=self.place("set"))

    def on_object(self, outer: set[str]) -> str:
        place = self.place("object")
        value = self.value(place)
        name, old = self.pick(vars(value).items())
        if self.chance(0.55):
            methods = type(value).templates
            text = self.holes(self.pick(methods), o=place)
            return text if self.chance(0.5) else f"{self.new()} = {text}"
        if is_number(old) and self.chance(0.5):
            return f"{place}.{name} {self.pick(['+=', '-=', '*='])} {self.like(old, 1)}"
        return f"{place}.{name} = {self.like(old)}"

    def make_object(self, outer: set[str]) -> str:
        constructor = self.pick(self.values["__constructors__"])
        return f"{self.new()} = {self.holes(constructor)}"

    def call(self, outer: set[str]) -> str:
        """A call of a helper, with arguments like those that it was written for."""
        name, samples = self.pick(self.values["__helpers__"].items())
        arguments = []
        for sample in samples:
            fitting = [
                p for p in self.places("any") if signature(self.value(p)) == signature(sample)
            ]
            arguments.append(self.pick(fitting) if fitting else self.like(sample))
        text = f"{name}({', '.join(arguments)})"
        return text if self.chance(0.4) else f"{self.new()} = {text}"

    def check(self, outer: set[str]) -> str:
        """A check that holds for the samples."""
        condition = self.make_cond(1)
        if not self.value(condition):
            condition = f"not {condition}"
        if self.chance(0.5):
            return f"assert {condition}, 'does not hold'"
        error = self.pick(["ValueError('no')", "IndexError('outside')", "KeyError('key')"])
        return f"if not {condition}:\n    raise {error}"

    def risk(self, outer: set[str]) -> str:
        """What raises for some arguments."""
        forms = [
            f"{self.new()} = {{@vec}}[{{int}}]",
            f"{self.new()} = {{int}} // {{int}}",
            f"{self.new()} = {{@some}}[{{int}}]",
            "{@vec}[{int}] += 1",
            "assert {num} > {num}, 'risk'",
            f"{self.new()} = {{@some}}.pop()",
            f"{self.new()} = {{int}} % {{int}}",
        ]
        return self.fill(self.pick(forms), 2)

    def optional(self, outer: set[str]) -> str:
        known = [name for name in self.optionals if not name[1].isupper()]
        if not known or self.chance(0.2):
            return self.holes(self.weighted(OPTIONALS))
        names = {"o": self.pick(known), "p": self.pick(known), "v": self.new()}
        return self.holes(self.weighted(ON_OPTIONALS), **names)

    def of_forms(self, outer: set[str]) -> str:
        """What makes or uses a value of other structures on other paths."""
        known = [name for name in self.optionals if name[1].isupper()]
        if not known or self.chance(0.3):
            letter = self.pick(list(FORMS))
            made = f"o{letter}{self.new()}"
            return self.holes(self.weighted(FORMS[letter]), new_e=made, v=self.new())
        name = self.pick(known)
        letter = name[1]
        given = {"e": name, "v": self.new(), "new_e": f"o{letter}{self.new()}"}
        return self.holes(self.weighted(ON_FORMS[letter]), **given)

    def printed(self, outer: set[str]) -> str:
        if not self.prints:
            raise Stuck
        return self.holes(self.weighted(PRINTS))

    def closure(self, outer: set[str]) -> str:
        """A function of the function, that reads or rebinds its names."""
        name, inner = f"step{self.counter}", self.new()
        numbers = [n for n in self.assignable("num") if n not in outer]
        forms = [
            f"{name} = lambda {inner}: {inner} * {{num}} + {{lit}}",
            f"def {name}({inner}, k={{lit}}):\n    return {inner} + k * {{num}}",
            f"def {name}({inner}):\n    {{@some}}.append({{@some}}[0])\n    return {inner}",
            f"def {name}({inner}):\n    {{@real}}[0] += {{lit}}\n    return {inner} + {{num}}",
        ]
        if numbers:
            number = self.pick(numbers)
            change = f"{number} += {self.make_lit()}"
            body = f"    nonlocal {number}\n    {change}\n    return {inner} + {number}"
            forms += [f"def {name}({inner}):\n{body}"] * 2
        self.counter += 1
        return self.fill(self.pick(forms), 1)

    def call_closure(self, outer: set[str]) -> str:
        functions = [n for n in self.names if callable(self.values[n])]
        return f"{self.new()} = {self.pick(functions)}({self.make_num(1)})"

    SIMPLE = [
        (7, bind), (1, exchange), (0.7, share), (1, unpack), (2.5, augment), (6, on_array), (3.5, on_list), (2, on_dict),
        (0.4, on_set), (2, on_object), (0.7, make_object), (2, call), (0.7, check), (0.35, risk),
        (0.6, closure), (1, call_closure), (2, optional), (2, of_forms), (0.5, printed),
    ]  # fmt: skip
