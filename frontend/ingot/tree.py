"""Trees of values: tuples, lists, dicts and instances of users' classes around leaves.

The functions have the names and the meaning of those of `jax.tree`, in compiled code and outside of
it. None is a tree without leaves, and the leaves of a dict are in the order of its sorted keys
(those of an `OrderedDict`, in its own order). Unlike in JAX, an instance of a user's class whose
state is its attributes is a tree without being registered. Anything else is a leaf: arrays,
numbers, strings, sets.

Example:
    >>> state = {"w": np.ones(2), "b": [0.0, None]}
    >>> ingot.tree.map(lambda x: x + 1, state)
    {'b': [1.0, None], 'w': array([2., 2.])}
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ingot.syntax import trees as compiled
from ingot.syntax.values import Dict, Instance, List
from ingot.transformed import in_compiled_code
from ingot_runtime import trees

__all__ = ["Structure", "flatten", "leaves", "leaves_with_path", "map", "structure", "unflatten"]

#: A leaf of a `Structure`.
LEAF = None
#: A node: its class, the keys of its children or None for a sequence, and the children.
Node = tuple[Any, tuple | None, list[Any]]


@dataclasses.dataclass(frozen=True)
class Structure:
    """A tree without its leaves; `structure` and `flatten` make it. It can be compared and hashed.

    Attributes:
        node: None for a leaf, else the class, the keys and the children.
        num_leaves: the number of leaves.
    """

    node: Any
    num_leaves: int

    def __repr__(self) -> str:
        return f"Structure({_shown(self.node)})"


def _shown(node: Any) -> str:
    if node is LEAF:
        return "*"
    kind, keys, children = node
    inner = [_shown(child) for child in children]
    if kind is type(None):
        return "None"
    if kind is list:
        return f"[{', '.join(inner)}]"
    if kind is tuple:
        return f"({', '.join(inner)}{',' * (len(inner) == 1)})"
    if hasattr(kind, "_fields"):
        keys = kind._fields
    if isinstance(kind, type) and not issubclass(kind, dict):
        return f"{kind.__name__}({', '.join(f'{k}={v}' for k, v in zip(keys, inner, strict=True))})"
    return f"{{{', '.join(f'{k!r}: {v}' for k, v in zip(keys, inner, strict=True))}}}"


class _Outside:
    """Trees of Python's own objects."""

    def node_of(self, value: Any) -> Node | None:
        kind: Any = type(value)
        if value is None:
            return kind, None, []
        if isinstance(value, tuple) or kind is list:
            return kind, None, list(value)
        if kind in (dict, collections.OrderedDict, collections.defaultdict):
            return _of_dict(kind, dict(value), getattr(value, "default_factory", None))
        if trees.is_instance(value):
            fields = trees.attributes_of(value)
            return kind, tuple(fields), [*fields.values()]
        return None

    def make(self, kind: Any, keys: tuple | None, children: list[Any]) -> Any:
        inner = (LEAF,) * len(children)
        return trees.rebuild((kind, keys, inner), children)

    def is_leaf(self, test: Callable[[Any], Any] | None, value: Any) -> bool:
        return test is not None and bool(test(value))

    def fail(self, message: str, hint: str) -> Any:
        raise ValueError(f"{message}: {hint}")


class _Compiled:
    """Trees of the evaluator's values."""

    def __init__(self, ev: Any) -> None:
        self._ev = ev
        self.fail = ev.fail

    def node_of(self, value: Any) -> Node | None:
        if value is None:
            return type(None), None, []
        if isinstance(value, tuple):
            return type(value), None, list(value)
        if isinstance(value, List):
            return list, None, list(self._ev.items(value))
        if not isinstance(value, (Dict, Instance)):
            return None
        entries, kind = dict(self._ev.entries(value)), value.cell.kind
        if isinstance(value, Instance):
            return kind, tuple(entries), [*entries.values()]
        return _of_dict(kind, entries, value.cell.extra)

    def make(self, kind: Any, keys: tuple | None, children: list[Any]) -> Any:
        return compiled.rebuild(self._ev, (kind, keys, (LEAF,) * len(children)), children)

    def is_leaf(self, test: Any, value: Any) -> bool:
        if test is None:
            return False
        return bool(self._ev.static(self._ev.call(test, (value,), {}, self._ev.node), "is_leaf"))


_Trees = _Outside | _Compiled


def _of_dict(kind: Any, entries: dict, factory: Any) -> Node:
    keys: Any = entries if kind is collections.OrderedDict else sorted(entries)
    if kind is collections.defaultdict:
        kind = trees.DefaultDict(factory)
    return kind, tuple(keys), [entries[key] for key in keys]


def _flatten(of: _Trees, value: Any, is_leaf: Any, path: tuple, found: list) -> Any:
    """Append pairs of path and leaf to `found`, and return the structure's node."""
    node = None if of.is_leaf(is_leaf, value) else of.node_of(value)
    if node is None:
        found.append((path, value))
        return LEAF
    kind, keys, children = node
    names = getattr(kind, "_fields", None) or keys or range(len(children))
    inner = [
        _flatten(of, child, is_leaf, (*path, name), found)
        for name, child in zip(names, children, strict=True)
    ]
    return kind, keys if keys is None else trees.Keys(keys), tuple(inner)


def _unflatten(of: _Trees, node: Any, taken: Iterator[Any]) -> Any:
    if node is LEAF:
        return next(taken)
    kind, keys, children = node
    if kind is type(None):
        return None
    return of.make(kind, keys, [_unflatten(of, child, taken) for child in children])


def _rebuilt(of: _Trees, structure: Structure, leaves: Iterable[Any]) -> Any:
    given = list(leaves)
    if len(given) != structure.num_leaves:
        of.fail(
            f"{len(given)} leaves for a tree of {structure.num_leaves}", "give one for each leaf"
        )
    return _unflatten(of, structure.node, iter(given))


def _matching(of: _Trees, node: Any, value: Any, path: tuple, found: list) -> None:
    """Append the parts of a tree at the leaves of another one, which is a prefix of it."""
    if node is LEAF:
        found.append(value)
        return
    kind, keys, children = node
    other = of.node_of(value)
    alike = other is not None and other[0] == kind and len(other[2]) == len(children)
    if other is None or not alike or (keys is not None and trees.Keys(other[1] or ()) != keys):
        place = "".join(f"[{each!r}]" for each in path)
        of.fail(
            f"the trees differ{' at ' + place if place else ''}: {_shown(node)} is not the start "
            f"of {'a leaf' if other is None else _name_of(other[0])} there",
            "map trees of one structure",
        )
        raise AssertionError
    names = getattr(kind, "_fields", None) or keys or range(len(children))
    for name, child, inner in zip(names, children, other[2], strict=True):
        _matching(of, child, inner, (*path, name), found)


def _name_of(kind: Any) -> str:
    return f"a {getattr(kind, '__name__', 'defaultdict')} of other parts"


def _pairs(of: _Trees, tree: Any, is_leaf: Any) -> tuple[list, Structure]:
    found: list[Any] = []
    node = _flatten(of, tree, is_leaf, (), found)
    return found, Structure(node, len(found))


def _mapped(of: _Trees, call: Callable[..., Any], tree: Any, rest: tuple, is_leaf: Any) -> Any:
    pairs, made = _pairs(of, tree, is_leaf)
    columns = [[leaf for _, leaf in pairs]]
    for other in rest:
        columns.append([])
        _matching(of, made.node, other, (), columns[-1])
    return _rebuilt(of, made, [call(*row) for row in zip(*columns, strict=True)])


def _emit_map(ev: Any, f: Any, tree: Any, *rest: Any, is_leaf: Any = None) -> Any:
    def call(*row: Any) -> Any:
        return ev.call(f, row, {}, ev.node)

    return _mapped(_Compiled(ev), call, tree, rest, is_leaf)


@in_compiled_code(_emit_map)
def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Any = None) -> Any:
    """Apply a function to each leaf of a tree.

    Args:
        f: a function of a leaf of `tree`, and of what each of `rest` has in its place.
        tree: a tree.
        rest: trees that have the structure of `tree`, or more below its leaves.
        is_leaf: a function that says of a part of `tree` whether it counts as a leaf.

    Returns:
        A tree with the structure of `tree` and the results of `f` as leaves.

    Raises:
        ValueError: the structure of `tree` is not the start of that of another tree; in compiled
            code, a `CompileError`.

    Example:
        >>> ingot.tree.map(lambda x, y: x + y, {"a": 1, "b": (2, 3)}, {"a": 10, "b": (20, 30)})
        {'a': 11, 'b': (22, 33)}
    """
    return _mapped(_Outside(), f, tree, rest, is_leaf)


def _emit_leaves(ev: Any, tree: Any, is_leaf: Any = None) -> Any:
    return ev.new_list([leaf for _, leaf in _pairs(_Compiled(ev), tree, is_leaf)[0]])


@in_compiled_code(_emit_leaves)
def leaves(tree: Any, is_leaf: Any = None) -> list[Any]:
    """The list of the leaves of a tree.

    Args:
        tree: a tree.
        is_leaf: as for `map`.

    Example:
        >>> ingot.tree.leaves({"b": 1, "a": (2, None, [3])})
        [2, 3, 1]
    """
    return [leaf for _, leaf in _pairs(_Outside(), tree, is_leaf)[0]]


def _emit_leaves_with_path(ev: Any, tree: Any, is_leaf: Any = None) -> Any:
    return ev.new_list(_pairs(_Compiled(ev), tree, is_leaf)[0])


@in_compiled_code(_emit_leaves_with_path)
def leaves_with_path(tree: Any, is_leaf: Any = None) -> list[tuple[tuple, Any]]:
    """The leaves of a tree, each with the path that leads to it.

    Args:
        tree: a tree.
        is_leaf: as for `map`.

    Returns:
        A list of pairs (path, leaf). A path is a tuple of indices of lists and tuples, keys of
        dicts, and names of fields and attributes.

    Example:
        >>> ingot.tree.leaves_with_path({"b": 1, "a": [2, 3]})
        [(('a', 0), 2), (('a', 1), 3), (('b',), 1)]
    """
    return _pairs(_Outside(), tree, is_leaf)[0]


def _emit_flatten(ev: Any, tree: Any, is_leaf: Any = None) -> Any:
    pairs, made = _pairs(_Compiled(ev), tree, is_leaf)
    return ev.new_list([leaf for _, leaf in pairs]), made


@in_compiled_code(_emit_flatten)
def flatten(tree: Any, is_leaf: Any = None) -> tuple[list[Any], Structure]:
    """The leaves of a tree and its structure, from which `unflatten` makes the tree again.

    Args:
        tree: a tree.
        is_leaf: as for `map`.

    Example:
        >>> ingot.tree.flatten({"a": 1, "b": (2, 3)})
        ([1, 2, 3], Structure({'a': *, 'b': (*, *)}))
    """
    pairs, made = _pairs(_Outside(), tree, is_leaf)
    return [leaf for _, leaf in pairs], made


def _emit_unflatten(ev: Any, structure: Any, leaves: Any) -> Any:
    given = ev.static(structure, "the structure of a tree")
    return _rebuilt(_Compiled(ev), given, ev.static_items(leaves))


@in_compiled_code(_emit_unflatten)
def unflatten(structure: Structure, leaves: Iterable[Any]) -> Any:
    """The tree of a structure and leaves.

    Args:
        structure: what `structure` or `flatten` gives.
        leaves: as many leaves as it has.

    Raises:
        ValueError: the number of leaves is another one; in compiled code, a `CompileError`.

    Example:
        >>> ingot.tree.unflatten(ingot.tree.structure({"a": 1, "b": (2, 3)}), "xyz")
        {'a': 'x', 'b': ('y', 'z')}
    """
    return _rebuilt(_Outside(), structure, leaves)


def _emit_structure(ev: Any, tree: Any, is_leaf: Any = None) -> Any:
    return _pairs(_Compiled(ev), tree, is_leaf)[1]


@in_compiled_code(_emit_structure)
def structure(tree: Any, is_leaf: Any = None) -> Structure:
    """The structure of a tree.

    Args:
        tree: a tree.
        is_leaf: as for `map`.

    Example:
        >>> ingot.tree.structure([1, 2]) == ingot.tree.structure([np.ones(3), None])
        False
    """
    return _pairs(_Outside(), tree, is_leaf)[1]
