"""Changes of programs after which the plain program still says what is right.

A mutation edits the tree of a program (`f` and `CASES`, see the package) in place, and says whether
it could. `JUDGE`, a name of the program, says what judges it if it is not the plain comparison.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator

Tree = ast.Module
Mutation = Callable[[Tree, random.Random], bool]


def function_of(tree: Tree) -> ast.FunctionDef:
    return next(s for s in tree.body if isinstance(s, ast.FunctionDef) and s.name == "f")


def statements(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def own(node: ast.AST) -> Iterator[ast.AST]:
    """What a function runs itself, without the functions and classes inside."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            yield from own(child)


def has(node: ast.AST, *kinds: type) -> bool:
    return any(isinstance(each, kinds) for each in own(node))


def parameters(f: ast.FunctionDef) -> list[str]:
    """The names of plain parameters; none if it has others."""
    a = f.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs:
        return []
    return [each.arg for each in a.args]


def rebound(f: ast.FunctionDef) -> set[str]:
    """The names that the function, or one inside of it, binds."""
    found = {
        n.id for n in ast.walk(f) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    }
    for node in ast.walk(f):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        if isinstance(node, (ast.Nonlocal, ast.Global)):
            found.update(node.names)
        if isinstance(node, ast.arg):
            found.add(node.arg)
    return found


# What runs the function.


def _caller(tree: Tree, before: str, result: str) -> bool:
    """Make `f` another function, which `f` calls; `{c}` stands for the call."""
    f = function_of(tree)
    given = [a.arg for a in (*f.args.posonlyargs, *f.args.args)]
    if f.args.vararg or f.args.kwarg or f.args.kwonlyargs or f.args.defaults:
        return False
    call = f"original({', '.join(given)})"
    f.name = "original"
    text = f"{before}\ndef f({', '.join(given)}):\n" + "\n".join(
        f"    {line}" for line in result.split("\n")
    )
    at = tree.body.index(f) + 1
    tree.body[at:at] = statements(text.replace("{c}", call).replace("{p}", ", ".join(given)))
    return True


def in_function(tree: Tree, rng: random.Random) -> bool:
    forms = ["return {c}", "made = {c}\nreturn made", "return (lambda: {c})()", "return [{c}][0]"]
    forms += ["def inner():\n    return {c}\nreturn inner()", "return {'k': {c}}['k']"]
    return _caller(tree, "", rng.choice(forms))


def in_method(tree: Tree, rng: random.Random) -> bool:
    holder = "class Holder:\n    def __init__(self, g):\n        self.g = g\n"
    forms = [
        ("    def run(self, {p}):\n        return {c}\n", "return Holder(1).run({p})"),
        ("    def __call__(self, {p}):\n        return {c}\n", "return Holder(None)({p})"),
        ("    def run(self, {p}):\n        self.made = {c}\n", "h = Holder(0)\nh.run({p})\nreturn h.made"),
        ("    @staticmethod\n    def run({p}):\n        return {c}\n", "return Holder.run({p})"),
        ("    @property\n    def made(self):\n        return self.g()\n", "return Holder(lambda: {c}).made"),
    ]  # fmt: skip
    method, result = rng.choice(forms)
    return _caller(tree, holder + method, result)


def in_generator(tree: Tree, rng: random.Random) -> bool:
    made = "def made({p}):\n    yield {c}\n"
    forms = [
        "for each in made({p}):\n    return each", "return next(made({p}))", "(each,) = made({p})\nreturn each",
        "return [each for each in made({p})][0]", "last = None\nfor each in made({p}):\n    last = each\nreturn last",
    ]  # fmt: skip
    return _caller(tree, made, rng.choice(forms))


# What stands around its body.


def _around(tree: Tree, template: str) -> bool:
    """Put the body in place of the `pass` of a template."""
    f = function_of(tree)
    if has(f, ast.Yield, ast.YieldFrom):
        return False
    block = statements(template)
    for node in (n for s in block for n in ast.walk(s)):
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(node, field, None)
            if isinstance(inner, list) and inner and isinstance(inner[0], ast.Pass):
                inner[:] = f.body
                f.body = block
                return True
    return False


def in_one_trip(tree: Tree, rng: random.Random) -> bool:
    forms = [
        "for trip_ in range(1):\n    pass", "for trip_ in (0,):\n    pass",
        "trip_ = 0\nwhile trip_ < 1:\n    trip_ += 1\n    pass#", "while True:\n    pass#\n    break",
        "for trip_ in [None]:\n    pass\nelse:\n    trip_ = 1",
    ]  # fmt: skip
    chosen = rng.choice(forms)
    if "#" not in chosen:
        return _around(tree, chosen)
    # A body among other statements of a block is an `if` that is always true.
    return _around(tree, chosen.replace("pass#", "if True:\n        pass"))


def in_try(tree: Tree, rng: random.Random) -> bool:
    forms = [
        "try:\n    pass\nfinally:\n    done_ = True", "try:\n    pass\nexcept ZeroDivisionError:\n    raise",
        "try:\n    pass\nexcept (KeyError, MemoryError) as error:\n    raise",
        "try:\n    done_ = 0\nfinally:\n    done_ = 1\nif True:\n    pass",
        "try:\n    try:\n        pass\n    finally:\n        done_ = 2\nexcept OverflowError:\n    raise",
    ]  # fmt: skip
    return _around(tree, rng.choice(forms))


def in_branch(tree: Tree, rng: random.Random) -> bool:
    """The body under a condition of run time that holds."""
    if not _with_argument(tree, "yes_", "1"):
        return False
    forms = ["if yes_ > 0:\n    pass", "if yes_ < 0:\n    raise KeyError('never')\nelse:\n    pass"]
    return _around(tree, rng.choice(forms))


def _cases(tree: Tree) -> list[ast.Tuple]:
    """The tuples of arguments; none if the cases are not lambdas of tuples."""
    given = next(
        (
            s
            for s in tree.body
            if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == "CASES"
        ),
        None,
    )
    if given is None or not isinstance(given.value, ast.List):
        return []
    bodies = [e.body for e in given.value.elts if isinstance(e, ast.Lambda)]
    found = [body for body in bodies if isinstance(body, ast.Tuple)]
    return found if len(found) == len(given.value.elts) else []


def _with_argument(tree: Tree, name: str, value: str) -> bool:
    """One more parameter, and the argument in all cases."""
    f, cases = function_of(tree), _cases(tree)
    if not cases or f.args.vararg or f.args.kwarg or f.args.kwonlyargs or f.args.defaults:
        return False
    if any(isinstance(each, ast.Starred) for case in cases for each in case.elts):
        return False
    f.args.args.append(ast.arg(name))
    for case in cases:
        case.elts.append(ast.parse(value, mode="eval").body)
    return True


def dead_branch(tree: Tree, rng: random.Random) -> bool:
    """A branch on a condition of run time, that is never taken."""
    f = function_of(tree)
    names = parameters(f)
    if not names or not _with_argument(
        tree, "no_", rng.choice(["0", "0.0", "np.int64(0)", "np.zeros(2)"])
    ):
        return False
    name = rng.choice(names)
    dead = rng.choice([
        f"{name} = {name}", "raise KeyError('never')", "assert not 1, 'never'", "never_ = 1",
        f"{name}, never_ = {name}, 2", "for never_ in range(3):\n        no_ = no_ + 1",
    ])  # fmt: skip
    test = rng.choice(["np.sum(no_) > 0", "np.max(no_) != 0", "np.any(no_)"])
    at = rng.randrange(len(f.body)) if not isinstance(f.body[0], (ast.Nonlocal, ast.Global)) else 0
    f.body[at:at] = statements(f"if {test}:\n    {dead}")
    return _with_numpy(tree)


def _with_numpy(tree: Tree) -> bool:
    tree.body[_first(tree) : _first(tree)] = statements("import numpy as np")
    return True


def _first(tree: Tree) -> int:
    """Where statements may begin: after `from __future__`, and the docstring before it."""
    found = [
        i + 1
        for i, s in enumerate(tree.body)
        if isinstance(s, ast.ImportFrom) and s.module == "__future__"
    ]
    return found[-1] if found else 0


# Names.


def exchanged(tree: Tree, rng: random.Random) -> bool:
    """Two names exchanged and exchanged back, or a third one that is the first."""
    f = function_of(tree)
    names = parameters(f)
    if not names:
        return False
    a, b = (rng.sample(names, 2)) if len(names) > 1 else names * 2
    forms = [f"alias_ = {a}\n{a} = alias_", f"alias_, {a} = {a}, None\n{a} = alias_"]
    forms += [f"alias_ = [{a}]\n{a} = alias_[0]", f"alias_ = {{'k': {a}}}\n{a} = alias_.pop('k')"]
    if a != b:
        forms += [f"{a}, {b} = {b}, {a}\n{a}, {b} = {b}, {a}"] * 2
        forms += [f"for trip_ in range(2):\n    {a}, {b} = {b}, {a}"] * 2
        forms += [f"trip_ = 0\nwhile trip_ < 4:\n    {a}, {b} = {b}, {a}\n    trip_ += 1"] * 2
        forms += [f"pair_ = [{a}, {b}]\npair_[0], pair_[1] = pair_[1], pair_[0]\n{b}, {a} = pair_"]
    if {a, b} & {
        n
        for each in ast.walk(f)
        if isinstance(each, (ast.Nonlocal, ast.Global))
        for n in each.names
    }:
        return False
    f.body[:0] = statements(rng.choice(forms))
    return True


class _Renamed(ast.NodeTransformer):
    """Some of the reads of a name, by another name."""

    def __init__(self, name: str, other: str, rng: random.Random) -> None:
        self.name, self.other, self.rng, self.n = name, other, rng, 0

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id == self.name and isinstance(node.ctx, ast.Load) and self.rng.random() < 0.5:
            self.n += 1
            return ast.copy_location(ast.Name(self.other, ast.Load()), node)
        return node


def aliased(tree: Tree, rng: random.Random) -> bool:
    """A parameter that is never rebound has two names, and each use takes one of them."""
    f = function_of(tree)
    inner = ast.Module(f.body, [])
    bound = {n for s in f.body for n in rebound(ast.Module([s], []))}  # type: ignore[arg-type]
    names = [n for n in parameters(f) if n not in bound]
    names = [
        n
        for n in names
        if not any(
            isinstance(e, ast.AugAssign) and ast.unparse(e.target) == n for e in ast.walk(inner)
        )
    ]
    if not names:
        return False
    name = rng.choice(names)
    visitor = _Renamed(name, "alias_", rng)
    f.body = [visitor.visit(s) for s in f.body]
    forms = [f"alias_ = {name}", f"(alias_,) = ({name},)", f"alias_ = (lambda: {name})()"]
    f.body[:0] = statements(rng.choice(forms))
    return visitor.n > 0


# Loops.


def peeled(tree: Tree, rng: random.Random) -> bool:
    """A loop in two halves, or the first trip of a `while` before it."""
    places = [
        (block, i)
        for node in ast.walk(function_of(tree))
        for field in ("body", "orelse", "finalbody")
        if isinstance(block := getattr(node, field, None), list)
        for i, s in enumerate(block)
        if isinstance(s, (ast.For, ast.While)) and not s.orelse and not _jumps(s)
    ]
    rng.shuffle(places)
    for block, i in places:
        loop = block[i]
        if isinstance(loop, ast.While):
            first = ast.If(copy.deepcopy(loop.test), copy.deepcopy(loop.body), [])
            block[i : i + 1] = [first, loop]
            return True
        if not (isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "range"):
            continue
        made = statements(f"steps_{i} = 0\nhalf_{i} = len(steps_{i}) // 2")
        made[0].value = loop.iter  # type: ignore[attr-defined]
        parts = [copy.deepcopy(loop), loop]
        for part, text in zip(
            parts, (f"steps_{i}[:half_{i}]", f"steps_{i}[half_{i}:]"), strict=True
        ):
            part.iter = ast.parse(text, mode="eval").body
        block[i : i + 1] = [*made, *parts]
        return True
    return False


def _jumps(loop: ast.stmt) -> bool:
    """Whether `break` or `continue` of this loop, not of one inside, are in its body."""

    def inside(node: ast.AST) -> bool:
        if isinstance(node, (ast.Break, ast.Continue)):
            return True
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            return any(
                map(
                    inside,
                    getattr(node, "orelse", []) if isinstance(node, (ast.For, ast.While)) else [],
                )
            )
        return any(map(inside, ast.iter_child_nodes(node)))

    return any(map(inside, loop.body))  # type: ignore[attr-defined]


# Arguments.


def _made_by(tree: Tree, maker: str) -> bool:
    """The cases, each changed by a function of `layouts`."""
    given = next(
        s for s in tree.body if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == "CASES"
    )
    at = tree.body.index(given) + 1
    text = (
        f"from generator import layouts\nCASES = [layouts.changed(case, {maker}) for case in CASES]"
    )
    tree.body[at:at] = statements(text)
    return True


def in_layout(tree: Tree, rng: random.Random) -> bool:
    name = rng.choice(
        ["fortran", "backwards", "stepped", "inner", "read_only", "misaligned", "swapped"]
    )
    return _made_by(tree, f"layouts.{name}")


def in_dtype(tree: Tree, rng: random.Random) -> bool:
    pair = rng.choice(
        ["'f8', 'f4'", "'i8', 'i4'", "'f8', 'i8'", "'i8', 'f8'", "'f4', 'f8'", "'i4', 'i8'"]
    )
    return _made_by(tree, f"layouts.cast({pair})")


def of_one_base(tree: Tree, rng: random.Random) -> bool:
    return _made_by(tree, rng.choice(["layouts.disjoint", "layouts.overlapping"]))


def _gathered(tree: Tree, holder: str, read: str) -> bool:
    """The arguments as parts of one."""
    f, cases = function_of(tree), _cases(tree)
    names = parameters(f)
    if not names or not cases or f.args.defaults or any(len(c.elts) != len(names) for c in cases):
        return False
    if not _caller(tree, "", "return {c}"):
        return False
    outer = next(s for s in tree.body if isinstance(s, ast.FunctionDef) and s.name == "f")
    outer.args.args = [ast.arg("all_")]
    call = outer.body[0].value  # type: ignore[attr-defined]
    call.args = [ast.parse(read.format(n), mode="eval").body for n in names]
    for case in cases:
        values = ", ".join(f"{n}={ast.unparse(v)}" for n, v in zip(names, case.elts, strict=True))
        case.elts = [ast.parse(f"{holder}({values})", mode="eval").body]
    return True


def as_attributes(tree: Tree, rng: random.Random) -> bool:
    if not _gathered(tree, "Held", "all_.{}"):
        return False
    text = "class Held:\n    def __init__(self, **values):\n        vars(self).update(values)\n"
    tree.body[_first(tree) : _first(tree)] = statements(text)
    return True


def as_items(tree: Tree, rng: random.Random) -> bool:
    return _gathered(tree, "dict", "all_['{}']")


# Ways of running.


def batch_of_one(tree: Tree, rng: random.Random) -> bool:
    tree.body += statements("CASES = CASES[:1]\nJUDGE = 'batch'")
    return True


def _judged_by(name: str) -> Mutation:
    def mutate(tree: Tree, rng: random.Random) -> bool:
        tree.body += statements(f"JUDGE = '{name}'")
        return True

    return mutate


MUTATIONS: dict[str, Mutation] = {
    "function": in_function, "method": in_method, "generator": in_generator, "one trip": in_one_trip,
    "try": in_try, "branch": in_branch, "dead branch": dead_branch, "layout": in_layout, "dtype": in_dtype,
    "one base": of_one_base, "attributes": as_attributes, "items": as_items, "exchanged": exchanged,
    "aliased": aliased, "peeled": peeled, "batch of one": batch_of_one,
    "artifact": _judged_by("artifact"), "disk cache": _judged_by("disk"),
}  # fmt: skip


def mutated(text: str, rng: random.Random) -> tuple[str, str] | None:
    """The name of a mutation and the program that it makes; None if none of some could."""
    for name in rng.sample(list(MUTATIONS), len(MUTATIONS)):
        tree = ast.parse(text)
        if MUTATIONS[name](tree, rng):
            return name, ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return None
