"""Random expressions of a kind, from templates with holes.

A hole `{int}`, `{num}`, `{cond}`, `{same}` … is filled by the maker of that name; `{@kind}` by a
place of a kind (see environment.KINDS). What does not evaluate to the kind asked for is tried anew.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from generator.environment import Environment, Stuck
from generator.samples import KINDS, is_instance, is_number, signature

TRIES = 8
FUEL = 120
HOLE = re.compile(r"\{(@?)(\w+)\}")
Table = list[tuple[float, str]]

INTEGERS: Table = [
    (3, "{lit}"), (8, "{@int}"), (2, "len({@list})"), (1, "len({@arr})"), (1, "{@mat}.shape[1]"),
    (2, "({int} + {int})"), (2, "({int} - {int})"), (1, "({int} * {pos})"), (1.5, "({int} % {pos})"),
    (1, "({int} // {pos})"), (1, "min({int}, {int})"), (1, "max({int}, {int}, {lit})"),
    (0.7, "abs({int})"), (0.7, "sum({@integers})"), (1, "int({@arr}.sum())"), (0.5, "{@arr}.size"),
    (0.5, "{@arr}.ndim"), (1, "({int} if {cond} else {int})"), (0.5, "{@numbers}.count({num})"),
    (0.3, "{@integers}.index({@integers}[0])"), (0.5, "int({cond})"), (0.5, "(-{int})"),
    (0.5, "sum(1 for q in {@numbers} if q > {num})"), (0.4, "len([q for q in {@vec} if q > {num}])"),
    (0.3, "len({@dict})"), (0.3, "({int} & {pos})"), (0.3, "({int} ** 2)"), (0.3, "len({@set})"),
    (0.5, "divmod({int}, {pos})[1]"), (0.6, "max({@integers})"), (0.3, "(lambda q: q + {lit})({int})"),
]  # fmt: skip

NUMBERS: Table = [
    (4, "{int}"), (3, "{real}"), (8, "{@num}"), (5, "{element}"), (2, "({num} + {num})"),
    (2, "({num} - {num})"), (2, "({num} * {lit})"), (1, "({num} * 0.5)"), (1, "({num} / 2)"),
    (1, "({num} / {power})"), (2, "{@arr}.sum()"), (1, "np.sum({arr})"), (1, "{@arr}.max()"),
    (1, "{@arr}.min()"), (0.5, "np.prod(np.sign({real_arr}))"), (1, "float({num})"), (1, "(-{num})"),
    (1, "abs({num})"), (1, "min(float({num}), float({num}))"), (1, "max(float({num}), float({num}))"), (0.7, "sum({@numbers})"),
    (0.7, "max(map(float, {@numbers}))"), (0.7, "min(map(float, {@numbers}))"), (1, "({num} if {cond} else {num})"),
    (0.5, "({@vec} @ {@vec})"), (0.4, "np.dot({@vec}, {@vec})"), (1, "{@numdict}.get('w', {num})"),
    (0.5, "np.argmax({@arr})"), (0.4, "{@arr}.argmin()"), (0.4, "np.maximum({num}, {num})"),
    (0.3, "np.count_nonzero({arr} > {num})"), (0.6, "{@arr}[{@arr} > {num}].sum()"),
    (0.4, "sum([q * {lit} for q in {@numbers}])"), (0.4, "sum(q for q in {@vec})"),
    (0.3, "np.trace({@mat})"), (0.3, "np.abs({num})"), (0.3, "np.float64({num})"), (0.4, "len({@some})"),
    (0.3, "sorted({@numbers})[{small}]"), (0.3, "{@real}.ravel()[-1]"), (0.4, "{@arr}.item({small})"),
    (0.3, "{@vec}.tolist()[{small}]"), (0.2, "np.float32({num})"), (0.2, "np.where({cond}, {num}, {num})[()]"),
    (0.3, "(({cond}) + ({num} {order} {num}))"), (0.2, "(({cond} if {cond} else {num} {order} {num}) * 1)"),
    (0.3, "round({num})"), (0.3, "np.ptp({@real})"), (0.2, "sum(map(abs, {@numbers}))"),
    # Slices whose length is dynamic.
    (0.8, "{@vec}[{int}:].sum()"), (0.8, "{@vec}[:{int}].sum()"), (0.6, "({@vec}[{int}:{int}] * {num}).sum()"),
    (0.4, "len({@vec}[{int}:{int}])"), (0.4, "{@mat}[:{int}, {int}:].sum()"), (0.3, "{@vec}[{int}::-1].sum()"),
    (0.3, "np.max({@real}[:{int}], initial={lit})"), (0.3, "np.abs({@vec}[{int}:]).sum()"),
    (0.3, "np.where({@vec}[:{int}] > {lit}, {num}, {lit}).sum()"), (0.3, "np.count_nonzero({@vec}[:{int}] > {num})"),
    (0.4, "{@vec}[{int}:{int}:2].sum()"), (0.3, "{@vec}[{int}::-2].sum()"), (0.3, "{@vec}[::{int}].sum()"),
    # What masks select, and its places; masks and indices beside such slices.
    (0.3, "{@vec}[np.nonzero({@vec})[0]].sum()"), (0.3, "np.flatnonzero({@vec} > {num}).size"), (0.3, "np.unique({@vec}).size"),
    (0.2, "np.unique({@vec}[{@vec} {order} {num}]).sum()"), (0.3, "{@mat}[{@mat}[:, 0] > {num}, :{int}].sum()"),
    (0.3, "{@mat}[[0, -1], {int}:].sum()"), (0.2, "{@mat}[:{int}, [0, -1]].sum()"), (0.2, "{@vec}[{@vec} > {num}][:{int}].sum()"),
]  # fmt: skip

#: Only where no comparison is sensitive to rounding.
INEXACT_NUMBERS: Table = [
    (1, "{@floats}.mean()"), (1, "np.sqrt(abs({num}) + 1)"), (1, "np.sin({num})"), (1, "({num} / 3)"),
    (0.5, "np.exp(-abs({num}))"), (0.5, "np.linalg.norm({@floats})"), (0.5, "{@floats}.std()"),
    # Of matrices that are far from singular.
    (0.3, "(lambda q: np.linalg.det(q @ q.T + 2 * np.eye(len(q))))(np.tanh({@mat}))"),
    (0.3, "(lambda q: np.linalg.solve(q @ q.T + 2 * np.eye(len(q)), q).sum())(np.tanh({@mat}))"),
    (0.3, "(lambda q: np.linalg.inv(q @ q.T + 2 * np.eye(len(q)))[0, -1])(np.tanh({@mat}))"),
    (0.2, "(lambda q: np.linalg.slogdet(q.T @ q + np.eye(q.shape[1]))[1])(np.tanh({@mat}))"),
    (0.2, "(lambda q: np.linalg.cholesky(q @ q.T + np.eye(len(q))).sum())(np.tanh({@mat}))"),
    (0.2, "(lambda q: np.linalg.eigvalsh(q @ q.T).sum())(np.tanh({@mat}))"),
]  # fmt: skip

CONDITIONS: Table = [
    (4, "{num} {order} {num}"), (2, "{element} {order} {num}"), (2, "{int} {compare} {int}"),
    (2, "({cond} and {cond})"), (2, "({cond} or {cond})"), (1.5, "not ({cond})"),
    (2, "({guard} and {cond})"), (2, "({guarded} or not ({cond}))"), (2, "{guarded}"),
    (1.5, "{num} {order} {num} {order} {num}"), (1, "{lit} <= {element} < {num}"),
    (1, "{@bool}"), (0.5, "{num} in {@numbers}"), (0.3, "{int} not in {@integers}"),
    (0.5, "'w' in {@dict}"), (0.5, "not {@list}"), (0.4, "bool({@some})"), (0.4, "{@num} {compare} {lit}"),
    (0.5, "({real_arr} > {num}).any()"), (0.5, "np.all({real_arr} < {num})"),
    (0.4, "any(q > {num} for q in {@numbers})"), (0.4, "all([q < {num} for q in {@vec}])"),
    (0.3, "{@list} is {@list}"), (0.3, "{@arr} is not {@arr}"), (0.3, "{@arr}.any()"),
    (0.3, "isinstance({@num}, int)"), (0.2, "{int} in {@set}"), (0.3, "{int} in range({pos})"),
    (0.3, "np.array_equal({@arr}, {@arr})"), (0.3, "bool({@num})"), (0.2, "{@numbers} == {@numbers}"),
    (0.6, "{cond} if {cond} else {cond}"), (0.3, "({cond}) == ({cond})"), (0.3, "({cond}) ^ ({cond})"),
    (0.4, "({num}, {int}) {order} ({num}, {int})"), (0.2, "max(({num}, {int}), ({num}, {int})) {order} ({num}, {lit})"),
]  # fmt: skip
#: In inexact programs: comparisons with numbers that no result equals.
ROBUST_CONDITIONS: Table = [
    (3, "{num} > {odd}"), (3, "{element} < {odd}"), (2, "{int} {compare} {int}"),
    (2, "({cond} and {cond})"), (2, "({cond} or {cond})"), (1, "not ({cond})"),
    (1, "{odd} < {num} < {odd}"), (1, "{@bool}"), (0.5, "not {@list}"), (0.5, "({real_arr} > {odd}).any()"),
]  # fmt: skip

#: Of the shape that is asked for.
SAME: Table = [
    (2, "({same} + {same})"), (1.5, "({same} - {same})"), (1.5, "({same} * {same})"),
    (2, "({same} * {real})"), (1.5, "({same} + {num})"), (1, "({num} - {same})"), (0.7, "(-{same})"),
    (0.6, "np.abs({same})"), (0.6, "abs({same})"), (0.7, "np.maximum({same}, {num})"),
    (0.6, "np.minimum({same}, {same})"), (1, "np.where({same} {order} {num}, {same}, {same})"),
    (0.6, "np.clip({same}, -2, 3)"), (1, "{same}.copy()"), (0.5, "np.copy({same})"),
    (0.6, "np.sort({same})"), (0.5, "np.cumsum({same}, axis=0)"), (0.8, "{same}[::-1]"),
    (0.4, "np.flip({same})"), (0.4, "np.roll({same}, {lit})"), (0.5, "({same} {order} {num}).astype(int)"),
    (0.7, "{same}.astype(float)"), (0.3, "{same}.astype('f4')"), (0.4, "np.floor({same})"),
    (0.4, "({same} // {pos})"), (0.4, "({same} % {pos})"), (0.4, "np.sign({same})"), (0.4, "np.square({same})"),
    (0.4, "np.zeros_like({same})"), (0.3, "np.full_like({same}, {lit})"), (0.3, "np.array({same})"),
    (0.4, "({same} if {cond} else {same})"), (0.4, "np.where({cond}, {same}, {same})"),
    (0.3, "np.add({same}, {same})"), (0.3, "({same} / 2)"), (0.3, "np.asarray({same})"),
    (0.2, "np.cumsum({same}, axis=-1)"), (0.2, "np.ones_like({same})"), (0.2, "np.negative({same})"),
    (0.2, "np.logical_and({same} > 0, {same} < {num})"), (0.2, "({same} > {num}) & ({same} < {num})"),
    (0.2, "np.asfortranarray({same})"), (0.2, "np.ascontiguousarray({same})"), (0.2, "{same}[...]"),
    # Arithmetic of what is Python's number on one path and NumPy's on another decides no dtype.
    (0.3, "({same}.astype('f4') * (({lit} if {cond} else {element}) * 2))"),
    (0.3, "({same}.astype('f4') - (-({lit} if {cond} else {num})))"),
]  # fmt: skip
INEXACT_SAME: Table = [
    (1, "np.sin({same})"), (1, "np.exp(-np.abs({same}))"), (0.5, "np.tanh({same})"), (0.5, "({same} / 3)"),
    (0.5, "np.sqrt(np.abs({same}))"), (0.5, "({same} - {same}.mean())"),
    (0.5, "np.where({same} > 0.1, np.sqrt(np.abs({same})), 0.0)"),
]  # fmt: skip

#: Of any shape.
ARRAYS: Table = [
    (8, "{@arr}"), (4, "{view}"), (2, "{same}"), (0.5, "np.concatenate([{@vec}, {@vec}])"),
    (0.5, "np.stack([{same}, {same}])"), (0.5, "({@mat} @ {@vec})"), (0.4, "{@mat}.dot({@mat}.T)"),
    (0.4, "np.outer({@vec}, {@vec})"), (0.6, "{@mat}.sum(axis=0)"), (0.5, "{@mat}.max(axis=-1)"),
    (0.6, "np.sum({@mat}, axis=1, keepdims=True)"), (0.5, "np.take({@vec}, [0, -1])"),
    (0.6, "{@vec}[[0, -1, 0]]"), (0.6, "np.array([{num}, {num}])"), (0.5, "np.array({@numbers})"),
    (0.5, "np.arange({pos})"), (0.3, "np.array(range({pos}))"), (0.2, "{@vec}[range(1)]"), (0.5, "np.zeros({pos})"), (0.3, "np.zeros(({pos}, {pos}))"),
    (0.3, "np.diff({@vec})"), (0.3, "np.repeat({@vec}, 2)"), (0.3, "np.append({@vec}, {num})"),
    (0.4, "{@vec}[{@vec}.argsort(kind='stable')]"), (0.3, "np.argsort({@vec}, kind='stable')"),
    (0.4, "np.array([q * {lit} for q in {@vec}])"), (0.3, "np.array([q for q in {@numbers}])"),
    (0.3, "np.ones({pos}) * {num}"), (0.3, "np.eye({pos})"), (0.3, "np.full({pos}, {num})"),
    (0.3, "np.tile({@vec}, 2)"), (0.3, "np.hstack([{@vec}, {@vec}])"), (0.3, "np.vstack([{@vec}, {@vec}])"),
    (0.2, "np.linspace(0, {pos}, 3)"), (0.2, "np.triu({@mat})"), (0.2, "np.cumprod(np.sign({@vec}))"),
    (0.2, "{@arr}.ravel(order='F')"), (0.2, "{@mat}.reshape(-1, order='A')"), (0.2, "np.array({@arrays})"),
    (0.2, "np.sum({@arrays}, axis=0)"), (0.2, "{@vec}[np.array([0, -1])]"), (0.3, "{@mat}[[0, -1]]"),
    (0.2, "{@mat}[:, [0, -1]]"), (0.2, "{@vec}[:, None] + {@vec}"), (0.2, "np.bincount(np.abs({@intvec}))"),
    (0.2, "np.searchsorted(np.sort({@vec}), {num})"), (0.2, "np.nonzero({@vec})[0]"),
    # Slices of padding, which kernels read where it lies.
    (0.4, "np.convolve({@vec}, {@vec}, 'valid')"), (0.3, "np.convolve({@vec}, np.ones(2), 'same')"),
    (0.3, "np.pad({@vec}, 2)[:-1]"), (0.3, "(np.pad({@vec}, 1)[:-1] + np.pad({@vec}, 1)[1:])"),
]  # fmt: skip

VIEWS: Table = [
    (3, "{@arr}[{slices}]"), (1, "{@arr}.T"), (1, "{@arr}.reshape(-1)"), (1, "{@arr}.ravel()"),
    (1, "{@mat}[{small}]"), (1, "{@mat}[:, {small}]"), (0.5, "{@vec}[None]"), (0.5, "{@vec}[:, None]"),
    (0.5, "np.transpose({@arr})"), (0.5, "{@arr}[..., ::2]"), (0.3, "np.expand_dims({@vec}, 0)"),
    (0.3, "np.swapaxes({@mat}, 0, 1)"), (0.3, "{@arr}.squeeze()"), (0.3, "np.flip({@arr})"),
    (0.3, "np.diagonal({@mat})"), (0.3, "np.broadcast_to({@vec}, (2, {@vec}.shape[0]))"),
]  # fmt: skip


class Expressions(Environment):
    """Makers of expressions; each returns text in which the samples stand for themselves."""

    #: Templates that may still be tried for the present statement; the tries nest.
    fuel = 0

    def fill(self, template: str, depth: int) -> str:
        def hole(match: re.Match[str]) -> str:
            if match[1]:
                return self.place(match[2])
            return getattr(self, f"make_{match[2]}")(depth)

        return HOLE.sub(hole, template)

    def of_table(self, table: Table, depth: int, check: Any, simple: str) -> str:
        """An expression of a table whose sample passes a check; at depth 0 a simple one."""
        for _ in range(TRIES):
            self.fuel -= 1
            if self.fuel < 0:
                raise Stuck
            template = self.weighted(table) if depth > 0 else simple
            try:
                text = self.fill(template, depth - 1)
                value = self.value(text)
                if check(value):
                    return text
            except Exception:
                continue
        raise Stuck

    def make_lit(self, depth: int = 0) -> str:
        return str(self.pick([0, 1, 1, 2, 2, 3, 4, -1, -2]))

    def make_pos(self, depth: int = 0) -> str:
        return str(self.pick([1, 2, 2, 3, 3, 4]))

    def make_small(self, depth: int = 0) -> str:
        simple = self.pick([0, 0, 1, -1, 2])
        names = [p for p in self.places("int") if 0 <= self.values.get(p, 9) < 3]
        return str(self.pick(names)) if names and self.chance(0.4) else str(simple)

    def make_real(self, depth: int = 0) -> str:
        return str(self.pick([0.5, -0.5, 1.0, 1.5, 2.0, -2.0, 0.25, 3.0]))

    def make_odd(self, depth: int = 0) -> str:
        return str(self.pick([0.3137, -0.7193, 1.1731, -1.9177, 2.6171, 0.0719]))

    def make_power(self, depth: int = 0) -> str:
        return str(self.pick([2, 4, 2.0, 0.5, -2]))

    def make_order(self, depth: int = 0) -> str:
        return self.pick(["<", ">", "<=", ">="])

    def make_compare(self, depth: int = 0) -> str:
        return self.pick(["<", ">", "<=", ">=", "==", "!="])

    def make_int(self, depth: int) -> str:
        if depth <= 0 and (self.chance(0.3) or not self.places("int")):
            return self.make_lit()
        return self.of_table(INTEGERS, depth, lambda v: type(v) is int and abs(v) < 1000, "{@int}")

    def make_num(self, depth: int) -> str:
        table = NUMBERS if self.exact else NUMBERS + INEXACT_NUMBERS
        if depth <= 0 and (self.chance(0.3) or not self.places("num")):
            return self.pick([self.make_lit, self.make_real])()
        return self.of_table(table, depth, lambda v: is_number(v) and abs(v) < 1e4, "{@num}")

    def make_cond(self, depth: int) -> str:
        table = CONDITIONS if self.exact else ROBUST_CONDITIONS
        simple = "{num} {order} {num}" if self.exact else "{num} > {odd}"
        check = lambda v: isinstance(v, (bool, np.bool_))  # noqa: E731
        return f"({self.of_table(table, depth, check, simple)})"

    def make_element(self, depth: int) -> str:
        """An element of an array, a list or a dict of numbers."""
        kind = self.pick(["real", "real", "numbers"])
        place = self.place(kind)
        value = self.value(place)
        if kind == "numbers":
            return f"{place}[{self.index(len(value))}]"
        return f"{place}[{', '.join(self.index(n) for n in value.shape)}]"

    def index(self, size: int) -> str:
        """An index of an axis, usually inside of it."""
        names = [p for p in self.places("int") if -size <= self.value(p) < size]
        if names and self.chance(0.5):
            name = self.pick(names)
            return self.pick([name, name, f"{name} - 1"])
        if names and self.chance(0.2):
            return f"({self.make_int(1)}) % {size}"
        return str(self.rng.randrange(-size, size)) if size else "0"

    def make_guard(self, depth: int) -> str:
        return f"{self.make_int(0)} {self.make_order()} {self.make_int(0)}"

    def make_guarded(self, depth: int) -> str:
        """A short circuit whose right operand may only be evaluated where the left one is true."""
        vec, i = self.place("vec"), self.place("int")
        test = f"{vec}[{i}] {self.make_order()} {self.make_odd() if not self.exact else self.make_lit()}"
        forms = [
            f"(0 <= {i} < len({vec}) and {test})",
            f"({i} < 0 or {i} >= len({vec}) or {test})",
            f"(not (0 <= {i} < {vec}.shape[0]) or {test})",
            f"({i} != 0 and {self.make_int(0)} // {i} > 0)",
        ]
        return self.pick(forms)

    def make_slices(self, depth: int) -> str:
        n = self.pick([1, 1, 2])
        forms = [":", "::-1", "1:", ":-1", "::2", ":2", "-2:", "1::2", "0", "-1", "None", "..."]
        return ", ".join(self.pick(forms) for _ in range(n))

    def make_view(self, depth: int) -> str:
        return self.of_table(VIEWS, 1, KINDS["arr"], "{@arr}")

    def make_arr(self, depth: int) -> str:
        return self.of_table(ARRAYS, depth, KINDS["arr"], "{@arr}")

    def make_real_arr(self, depth: int) -> str:
        return self.of_table(ARRAYS, depth, KINDS["real"], "{@real}")

    def make_same(self, depth: int) -> str:
        """An array of the shape that is the goal."""
        fitting = [p for p in self.places("arr") if np.shape(self.value(p)) == self.goal]
        if depth > 0 and self.chance(0.7):
            table = SAME if self.exact else SAME + INEXACT_SAME
            check = lambda v: np.shape(v) == self.goal and isinstance(v, np.ndarray)  # noqa: E731
            try:
                return self.of_table(table, depth, check, "{same}")
            except Stuck:
                pass
        if fitting and self.chance(0.95):
            return self.pick(fitting)
        shape = self.goal[0] if len(self.goal) == 1 else self.goal
        size = int(np.prod(self.goal))
        forms = [f"np.zeros({shape})", f"np.ones({shape})", f"np.full({shape}, {self.make_real()})"]
        forms += [
            f"np.arange({size}).reshape({self.goal})",
            f"np.arange({float(size)}).reshape({shape})",
        ]
        return self.pick(forms)

    def shaped(self, shape: tuple[int, ...], depth: int = 2) -> str:
        before, self.goal = self.goal, shape
        try:
            return self.make_same(depth)
        finally:
            self.goal = before

    def like(self, value: Any, depth: int = 2) -> str:
        """An expression whose sample has the signature of a value."""
        if isinstance(value, np.ndarray):
            text = self.shaped(value.shape, depth)
            if self.value(text).dtype != value.dtype:
                text = f"({text}).astype('{value.dtype.str[1:]}')"
            return text
        if type(value) is bool:
            return f"bool({self.make_cond(depth)})"
        if type(value) is int:
            return self.make_int(depth)
        if is_number(value):
            return self._number_like(value, depth)
        if isinstance(value, np.generic):
            return f"np.{type(value).__name__}({self.make_cond(1)})"
        if type(value) is list:
            fitting = [
                p for p in self.places("list") if signature(self.value(p)) == signature(value)
            ]
            if fitting and self.chance(0.3):
                return self.pick(fitting)
            return "[" + ", ".join(self.like(v, depth - 1) for v in value[:4]) + "]"
        if type(value) is tuple:
            return "(" + "".join(f"{self.like(v, depth - 1)}, " for v in value) + ")"
        if type(value) is dict:
            items = (f"{k!r}: {self.like(v, depth - 1)}" for k, v in value.items())
            return "{" + ", ".join(items) + "}"
        if is_instance(value):
            return self.pick(p for p in self.places("object") if type(self.value(p)) is type(value))
        raise Stuck

    def _number_like(self, value: Any, depth: int) -> str:
        for _ in range(4):
            text = self.make_num(depth)
            if type(self.value(text)) is type(value):
                return text
        name = type(value).__name__
        return f"{name}({text})" if name == "float" else f"np.{name}({text})"
