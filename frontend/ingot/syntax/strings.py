"""Strings that contain run-time values: f-strings, `%`, `format`, `str`, and printing them."""

from __future__ import annotations

import ast
import re
import string
import types
from typing import Any, NoReturn

import numpy as np

from ingot.dtypes import STATIC_NUMBERS
from ingot.syntax import kinds
from ingot.syntax.calls import Calls
from ingot.syntax.contents import held_by
from ingot.syntax.dynamic import Grown
from ingot.syntax.leaves import flatten, rebuild
from ingot.syntax.ops import text_bytes
from ingot.syntax.types import of_kind, runtime_type
from ingot.syntax.values import (
    Array,
    Broken,
    Dict,
    Instance,
    Joined,
    List,
    OrNone,
    Raisable,
    Reference,
    Scalar,
    Set,
    Symbolic,
    Text,
    Undetermined,
    class_name,
    describe,
    is_number,
    is_runtime,
    kinds_of,
)
from ingot_runtime.thrown import has_own_init

#: A conversion specifier of `%`: the key in a dict, flags, width, precision, kind.
_PERCENT = re.compile(r"%(?:%|(?:\(([^()]*)\))?([-+ #0]*)(\d*)(?:\.(\d+))?([a-zA-Z]))")
#: The conversions of f-strings by their numbers in the AST.
_CONVERSIONS = {-1: "", 115: "s", 114: "r", 97: "a"}


#: The methods that make the text of an exception of its arguments.
_TEXTS_OF_ARGS = (BaseException.__str__, KeyError.__str__, ImportError.__str__)


class Strings(Calls):
    def visit_JoinedStr(self, node: ast.JoinedStr) -> str | Text:
        parts = [self.expr(part) for part in node.values]
        self.at(node)
        return self.over_all(parts, lambda given: self.joined(given, ""))

    def visit_FormattedValue(self, node: ast.FormattedValue) -> str | Text:
        value = self.any_value(node.value)
        spec = self.static(self.expr(node.format_spec), "a format") if node.format_spec else ""
        self.at(node)
        conversion = _CONVERSIONS[node.conversion]
        return self.over_all([value], lambda given: self.format(given[0], conversion, spec))

    def format(self, value: Any, conversion: str, spec: str) -> str | Text:
        """A value formatted as in an f-string; `conversion` is "", "s", "r" or "a"."""
        value = self.at_run_time(value)
        if type(value) is OrNone and not spec:
            return self._field_or_none(value, conversion)
        if is_runtime(value):
            return self._field(value, conversion, spec)
        if isinstance(value, Text) and not spec and conversion in ("", "s"):
            return value
        if not holds_values(value):
            convert: Any = {"": lambda v: v, "s": str, "r": repr, "a": ascii}[conversion]
            return self.compute(lambda v: format(convert(v), spec), self.plain(value))
        if spec or conversion == "a":
            self._refuse_text(value)
        return self.text(value, repr if conversion == "r" else str)

    def _field(self, value: Any, conversion: str, spec: str) -> Text:
        """The replacement field for a run-time number or array."""
        is_weak = isinstance(value, Scalar) and value.weak is not None
        if type(value) is Joined and not is_weak and conversion in ("r", "a"):
            # `repr` of NumPy's numbers names their types.
            raise Undetermined(value.kinds)
        if conversion in ("r", "a") and isinstance(value, Array) and not value.shape:
            self._refuse_text(value)
        if spec and not conversion:
            self._check_spec(value, spec)
        # `str` and `repr` of Python's numbers are equal.
        how = "s" if is_weak and conversion else conversion
        field = ("!" + how if how else "") + (":" + spec if spec else "")
        return Text("{" + field + "}", (value,), self.location)

    def _field_or_none(self, value: OrNone, conversion: str) -> Text:
        number, type_ = value.value, runtime_type(value.value)
        if type_ is None:
            self._refuse_text(value)
        if isinstance(number, STATIC_NUMBERS):
            number = rebuild(type_, iter(flatten(self, number, type_)))
        field = self._field(number, conversion, "")
        return Text(field.format, (OrNone(number, value.assigned),), self.location)

    def _check_spec(self, value: Any, spec: str) -> None:
        types = map(of_kind, kinds_of(value)) if isinstance(value, Scalar) else [value]
        try:
            for each in types:
                weak = getattr(each, "weak", None)
                format(weak() if weak else np.zeros(value.shape, each.dtype)[()], spec)
        except (ValueError, TypeError) as error:
            self.fail_as(type(error), str(error))

    def text(self, value: Any, how: Any, inside: tuple = ()) -> str | Text:
        """`how(value)`, with replacement fields for run-time values.

        Args:
            how: `str` or `repr`.
            inside: the containers that the value is in.
        """
        value = self.at_run_time(value)
        if type(value) is OrNone:
            return self._field_or_none(value, "r" if how is repr else "s")
        if is_runtime(value):
            return self._field(value, "r" if how is repr else "s", "")
        if isinstance(value, Text) and how is str:
            return value
        if isinstance(value, Instance):
            return self._text_of_instance(value, how)
        if isinstance(value, Raisable):
            return self._text_of_exception(value, how)
        if not holds_values(value):
            return self.compute(how, self.plain(value))
        if type(value) is tuple:
            texts = [self.text(each, repr, inside) for each in value]
            return self._listed("(", texts, ",)" if len(value) == 1 else ")")
        if not isinstance(value, (List, Dict)) or value.cell in inside:
            self._refuse_text(value)
        inside = (*inside, value.cell)
        if isinstance(value, List):
            return self._listed("[", [self.text(x, repr, inside) for x in self.items(value)], "]")
        if value.cell.kind is not dict:
            self._refuse_text(value)
        texts = [
            self.joined([self.text(key, repr, inside), self.text(each, repr, inside)], ": ")
            for key, each in self.entries(value).items()
        ]
        return self._listed("{", texts, "}")

    def _listed(self, start: str, texts: list[str | Text], end: str) -> str | Text:
        return self.joined([start, self.joined(texts, ", "), end], "")

    def _text_of_exception(self, value: Raisable, how: Any) -> str | Text:
        kind, args = value.kind, value.args
        if args is None or has_own_init(kind):
            self.refuse_args(kind)
        if how is repr:
            if self.reads.of_type(kind, "__repr__") is not BaseException.__repr__:
                self._refuse_own_text(kind)
            shown = [self.text(each, repr) for each in args]
            return self._listed(f"{kind.__name__}(", shown, ")")
        if self.reads.of_type(kind, "__str__") not in _TEXTS_OF_ARGS:
            self._refuse_own_text(kind)
        if len(args) != 1:
            return self.text(args, str) if args else ""
        is_of_key = kind.__str__ is KeyError.__str__
        return self.text(args[0], repr if is_of_key else str)

    def _refuse_own_text(self, kind: type[Exception]) -> NoReturn:
        self.fail(
            f"{kind.__name__} makes its text by code of its own", "use its `args`", page="try"
        )

    def _text_of_instance(self, value: Instance, how: Any) -> str | Text:
        for name in ("__str__", "__repr__") if how is str else ("__repr__",):
            found = self.reads.of_type(value.cell.kind, name)
            is_made = getattr(found, "__wrapped__", None) is not None
            if isinstance(found, types.FunctionType) and not is_made:
                made = self.call(self.special(value, name), (), {})
                if not isinstance(made, (str, Text)):
                    message = f"{name} returned non-string (type {class_name(made)})"
                    self.fail_as(TypeError, message)
                return made
        self._refuse_text(value)

    def _refuse_text(self, value: Any) -> NoReturn:
        self.fail(
            f"the text of {describe(value)} that holds run-time values is not supported",
            "format its items one by one",
            page="run-time-string",
        )

    def emit_print(self, args: tuple, separator: str, end: str) -> None:
        text = self.joined([self.joined([self.text(a, str) for a in args], separator), end], "")
        if isinstance(text, str):
            text = Text(_escaped(text), ())
        self.emit_text(text.format, text.values)

    def emit_text(self, format: str, values: tuple[Any, ...]) -> None:
        """Emit an operation that prints, or keeps the message of an exception."""
        absent = next((i for i, each in enumerate(values) if type(each) is OrNone), None)
        if absent is not None:
            value, before, after = values[absent], values[:absent], values[absent + 1 :]
            self.branch(
                value.assigned,
                lambda: self.emit_text(format, (*before, value.value, *after)),
                lambda: self.emit_text(filled(format, absent, "None"), (*before, *after)),
            )
            return
        joined = next((i for i, each in enumerate(values) if type(each) is Joined), None)
        if joined is not None:
            before, after = values[:joined], values[joined + 1 :]
            test, *numbers = kinds.split(self.ops, values[joined])
            one, other = ((*before, number, *after) for number in numbers)
            emit = self.emit_text
            self.branch(test, lambda: emit(format, one), lambda: emit(format, other))
            return
        if self.was_printed(format):
            return
        found = [self.read(value) for value in values]
        self.ops.checks += 1
        self.prints = True
        self.ops.builder.create("ingot.print", found, {"format": text_bytes(format)}, [])

    def joined(self, parts: list[str | Text], separator: str | Text) -> str | Text:
        """`separator.join(parts)` of strings and run-time strings."""
        known = [part for part in (separator, *parts) if isinstance(part, str)]
        if len(known) > len(parts):
            return known[0].join(known[1:])
        between = [each for part in parts for each in (separator, part)][1:]
        formats = [part.format if isinstance(part, Text) else _escaped(part) for part in between]
        values = [value for part in between if isinstance(part, Text) for value in part.values]
        return Text("".join(formats), tuple(values), self.location)

    # Operators and methods.

    def operate_text(self, op: type, left: Any, right: Any) -> Any:
        """`+` or `%` with a run-time string as operand or result."""
        if op is ast.Add and isinstance(left, (str, Text)) and isinstance(right, (str, Text)):
            return self.joined([left, right], "")
        if op is ast.Mod and isinstance(left, str):
            return self._percent(left, right)
        self.fail(
            "a run-time string can only be printed, joined, and be an exception's message",
            "compute with the numbers",
            page="run-time-string",
        )

    def _percent(self, template: str, right: Any) -> str | Text:
        values = list(right) if isinstance(right, tuple) else [right]
        is_mapping = isinstance(right, Dict)
        parts: list[Any] = []
        end = 0
        for found in _PERCENT.finditer(template):
            parts.append(template[end : found.start()])
            end = found.end()
            if found[0] == "%%":
                parts.append("%")
                continue
            if found[1] is not None:
                values = []
                parts.append(self._percent_field(found, self._percent_entry(right, found[1])))
                continue
            if not values:
                self.fail_as(TypeError, "not enough arguments for format string")
            parts.append(self._percent_field(found, values.pop(0)))
        if (values and not is_mapping) or "%" in template[end:]:
            self.fail_as(TypeError, "not all arguments converted during string formatting")
        return self.joined([*parts, template[end:]], "")

    def _percent_entry(self, right: Any, key: str) -> Any:
        """What a conversion specifier with a key is of."""
        if not isinstance(right, Dict):
            self.fail_as(TypeError, "format requires a mapping")
        return self.container_item(right, key)

    def _percent_field(self, found: re.Match[str], value: Any) -> str | Text:
        """One conversion specifier of `%` with its value."""
        _, flags, width, precision, kind = found.groups()
        value = self.at_run_time(value)
        if not is_runtime(value) and not holds_values(value):
            template = found[0] if found[1] is None else found[0].replace(f"({found[1]})", "", 1)
            return self.compute(lambda v: template % (v,), self.plain(value))
        if kind in "sra":
            if flags or width or precision:
                self._refuse_percent(found[0])
            return self.format(value, kind, "")
        is_whole = kind in "diuxXo"
        if kind in "diu" and isinstance(value, Scalar) and value.held.kind == "f":
            value = self.call(int, (value,), {})
        if not isinstance(value, Scalar) or (is_whole and (precision or value.held.kind == "f")):
            self._refuse_percent(found[0])
        if kind not in "diuxXoeEfFgG" or value.held.kind == "c":
            self._refuse_percent(found[0])
        sign = "+" if "+" in flags else " " if " " in flags else ""
        form = "#" if "#" in flags else ""
        align, zero = ("<", "") if "-" in flags else ("", "0" if "0" in flags else "")
        digits = "." + precision if precision else ""
        kind = "d" if kind in "iu" else kind
        return self._field(value, "", f"{align}{sign}{form}{zero}{width}{digits}{kind}")

    def _refuse_percent(self, specifier: str) -> NoReturn:
        self.fail(
            f"{specifier!r} of a run-time value is not supported",
            "use an f-string",
            page="run-time-string",
        )

    def call_string_method(self, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A method of a string that is given run-time values, or None if it can't be."""
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        if type(owner) is not str or not any(map(holds_values, (*args, *kwargs.values()))):
            return None
        if name == "join" and len(args) == 1:
            if is_number(args[0]):
                self.raise_now(TypeError, "can only join an iterable")
            return self._join_strings(owner, list(self.static_items(args[0])))
        return self._format_call(owner, args, kwargs) if name == "format" else None

    def _join_strings(self, separator: str, items: list[Any]) -> Any:
        for i, item in enumerate(items):
            if not isinstance(item, (str, Text)):
                found = f"expected str instance, {class_name(item)} found"
                self.raise_now(TypeError, f"sequence item {i}: {found}")
        return self.joined(items, separator)

    def _format_call(self, template: str, args: tuple, kwargs: dict[str, Any]) -> Any:
        parts: list[Any] = []
        count = 0
        for before, name, spec, conversion in string.Formatter().parse(template):
            parts.append(before)
            if name is None:
                continue
            is_mixed = name.isdigit() and count
            if name == "":
                name, count = str(count), count + 1
            known = int(name) < len(args) if name.isdigit() else name in kwargs
            if not known or is_mixed or "{" in (spec or ""):
                self.fail(
                    f"the replacement field {name!r} of this format is not supported",
                    "use an f-string",
                    page="run-time-string",
                )
            value = args[int(name)] if name.isdigit() else kwargs[name]
            parts.append(self.format(value, conversion or "", spec or ""))
        return self.joined(parts, "")


def holds_values(value: Any) -> bool:
    """Whether the text of a value depends on run-time values, or on a user-defined class."""
    seen: set[Any] = set()
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, Symbolic) and not isinstance(each, (List, Dict, Set)):
            return True
        if isinstance(each, Reference):
            is_plain = each.cell.kind in (list, dict, set)
            if not is_plain or isinstance(each.cell.value, (Grown, Broken)):
                return True
            if each.cell in seen:
                continue
            seen.add(each.cell)
        stack.extend(held_by(each))
    return False


def filled(format: str, number: int, text: str) -> str:
    """A format with a text in place of one of its fields."""
    made, fields = "", 0
    for literal, name, spec, conversion in string.Formatter().parse(format):
        made += _escaped(literal)
        if name is None:
            continue
        how = f"!{conversion}" if conversion else ""
        made += text if fields == number else f"{{{name}{how}{':' + spec if spec else ''}}}"
        fields += 1
    return made


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
