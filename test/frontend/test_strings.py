"""Strings of run-time values are printed and put into messages; anything else with them is refused. PYTEST_DONT_REWRITE"""

import re

import numpy as np
import pytest
from plain import Programs, refused, same, same_for, same_or_refused
from threads import in_threads

import ingot

programs = Programs()
X = np.array([1.0, -2.0, 3.5])


# Printed.


@programs((3, 1.5), (-1, 1e100), (0, float("nan")))
def printed_with_an_fstring(n, x):
    print(f"n={n} x={x} {n:5d}|{x:.2f}|{x:10.3e}|{n!r} {{n}}")
    return n


@programs(X, np.array([[1, 2]]), np.array([1.5, -0.5]))
def an_array_is_the_only_value(x):
    print("all: %s" % x)
    message = "%r is too large" % x
    if x.ndim == 1:
        raise ValueError(message)
    return x


@programs((3, 1.5), (-1, 1e-7))
def printed_in_pieces(n, x):
    print("n is", n, "and", x, sep=" ~ ", end="!\n")
    print()
    print(n)
    print(n, [x, n], (x,), {"n": n}, None, True, "s")


@programs((3, 1.5))
def a_name_for_a_string(n, x):
    text = f"{n}: {x:.1f}"
    print(text)
    print("<" + text + ">", text, f"[{text}]")


@programs((3, 1.5))
def percent_and_format(n, x):
    print("%d is %.3f" % (n, x))
    print("{0} is {1:.3f}, {0}".format(n, x), "{} {}".format(n, x))
    print(str(n) + "!", repr(x))


@programs(X)
def printed_in_a_loop(x):
    for i in range(len(x)):
        if x[i] > 0:
            print(f"{i}: {x[i]:.2f}")
    for i in range(20):
        print(i, end=",")


@programs(1.0, -1.0)
def printed_on_one_path(x):
    label = f"x={x:.1f}"
    if x > 0:
        print(label, "positive")
    else:
        print(label)


@programs(X, np.float32([1 / 3, 2]), np.array([1, 2]), np.array([True]))
def arrays_printed(x):
    print(x, x[0], x.sum())
    print(f"{x[0]} {x}")


@programs(2.0)
def objects_printed(x):
    class_name = type(x).__name__
    print(f"{class_name}: {[x, 1]} {(x, 'a')} { {'k': x} }")


@programs(2.0)
def strings_known_at_compile_time(x):
    name = "layer" + str(1)
    d = {f"w{i}": i * x for i in range(3)}
    return (
        name,
        d,
        f"{3:>5}|{'a'!r}",
        "a,b".split(","),
        name.upper(),
        d["w" + "2"],
        "1" == str(1),
        "%s" % name,
    )


@programs("abc", "")
def strings_as_arguments(s):
    return (
        s + "!",
        len(s),
        s == "abc",
        s.upper(),
        [c for c in s],
        "b" in s,
        f"{s}-{s:>5}",
        s * 2,
        s or "none",
    )


# In messages.


@programs(1.0, -1.0)
def assert_with_a_value(x):
    assert x > 0, f"{x} is not positive"
    return x


@programs((1.0, 3), (-1.5, 3), (7.25, -3))
def raise_with_values(x, n):
    if x < 0:
        raise ValueError(f"x = {x:.3f} with n = {n}")
    if n < 0:
        raise KeyError(f"no {n}")
    return x + n


@programs(X, X + 10)
def the_value_in_the_loop(x):
    for i in range(len(x)):
        assert x[i] > 0, f"element {i} is {x[i]}"
    return x


@programs(1.0, -1.0)
def a_message_made_before(x):
    message = f"bad: {x}"
    if x < 0:
        raise RuntimeError(message)
    return x


@programs(1.0, -1.0)
def a_message_in_pieces(x):
    if x < 0:
        raise ValueError("bad: " + str(x))
    assert x > 0, "unreachable %s" % x
    return x


class Rejected(Exception):
    pass


@programs(1.0, -1.0)
def an_exception_of_ones_own(x):
    if x < 0:
        raise Rejected(f"rejected {x:g}")
    return x


@programs(1, -1)
def an_exception_with_a_number(n):
    if n < 0:
        raise ValueError(n)
    return n


@programs(X, -X)
def formatted_by_methods_and_percent(x):
    i = int(x[0])
    print("%d|%5.2f|%-8.3e|%s|%+d|%05d%%" % (i, x[1], x[2], x, i, i))
    print(
        "{0} {1:.2f} {n!r} {0!s:>8}".format(x[0], x[1], n=i),
        "{} {}".format(i, x[0]),
        ", ".join([f"{i}", "b"]),
    )
    print([x[0], (i, "a"), {"k": x[:2]}], f"{i!r:5}|{x[0]!s:>8}|{[i]}")
    assert x[0] > 0, "%s of %r" % (i, [x[1]])


TEMPLATES = ["nothing", "%s|%(a)d"]
KEYED = "%(b)s"


@programs((3, 2.75), (-2, -0.5), (0, np.float32(9.5)), (1, float("inf")))
def percent_of_a_dict_and_of_floats_as_integers(n, x):
    print("%(a)d and %(b).2f, %(a)s%%" % {"a": n, "b": x}, "%(a)5d|%(c)s" % dict(a=n, c="d"))
    print("%s" % {"a": n}, *(template % {"a": n} for template in TEMPLATES))
    print("%d|%5d|%-4i|%+d" % (x, x, x * 2, x))


@programs(1.5)
def a_key_that_the_dict_has_not(x):
    return KEYED % {"a": x}


NAMED = re.compile(r"(\w+)-(\d+)")


@programs((2.5, "abc-12"), (2.5, "xyz"))
def matched_by_regular_expressions(x, name):
    found = NAMED.match(name)
    digits = re.findall(r"\d", name), re.sub("[a-c]", "q", name), re.split("-", name)
    if found is None or re.search("x", name):
        return x, digits, re.fullmatch("XYZ", name, re.IGNORECASE) is not None
    return x * int(found.group(2)), found[1], found.groups(), found.span(), digits


class Point:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Point({self.x})"


@programs(X)
def an_instance_that_says_how(x):
    p = Point(x[0])
    print(p, [p], f"{p}", str(p) + "!")


@programs((np.array([0, 5], np.int32), (2, 3)), (np.array([6]), (2, 3)))
def checked_by_a_function_of_numpy(indices, shape):
    return np.unravel_index(indices, shape)


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def test_the_message_is_that_of_the_call():
    def f(x):
        assert x > 0, f"{x} is not positive"
        return x

    outcome = same(f, -2.5)
    assert str(outcome.error) == "-2.5 is not positive", outcome.error


def positive(x):
    if x < 0:
        raise ValueError(f"{x:.2f} is negative")
    return np.sqrt(x)


def test_messages_under_transformations():
    assert ingot.vmap(positive)(np.array([1.0, 4.0])).tolist() == [1, 2]
    assert ingot.grad(positive)(4.0) == 0.25
    bad = np.array([1.0, -3.0, -4.0])
    for f, x, message in (
        (ingot.vmap(positive), bad, "-3.00"),
        (lambda xs: ingot.vmap(positive)(xs), bad, "-3.00"),
        (ingot.vmap(ingot.grad(positive)), bad, "-3.00"),
        (ingot.grad(positive), -4.0, "-4.00"),
        (lambda x: ingot.jvp(positive, (x,), (1.0,)), -4.0, "-4.00"),
        (ingot.grad(lambda x: ingot.vmap(positive)(x).sum()), bad, "-3.00"),
    ):
        with pytest.raises(ValueError, match=f"^{message} is negative"):
            ingot.jit(f)(x)


def test_each_thread_gets_its_message():
    def f(x):
        assert x > 0, f"{x}!"
        return x

    compiled, wrong = ingot.jit(f), []

    def work(number):
        for i in range(50):
            x = -(number * 100.0 + i + 1)
            try:
                compiled(x)
            except AssertionError as error:
                wrong.extend([] if str(error).startswith(f"{x}!") else [error])

    in_threads(4, work)
    assert not wrong


def test_print_options():
    with np.printoptions(precision=2):
        same(lambda x: print(x / 3, f"{x / 3}"), X)


class Coded(ValueError):
    def __init__(self, code, *, digits=1):
        super().__init__(f"code {code:0{digits}}")
        self.code = code


class Located(ValueError):
    def __init__(self, message, place=None):
        super().__init__(message)
        self.place = place


def coded(x):
    if x < 0:
        raise Coded(3)
    return x


def located(x):
    if x < 0:
        raise Located(f"{x:.1f} is negative")
    return x


def placed(x):
    if x < 0:
        raise Located("negative", 7)
    return x


def caught(n):
    try:
        if n < 0:
            raise Located("negative", n)
    except Located:
        return 0.0
    return 1.0


@pytest.mark.parametrize("f", [coded, located, placed], ids=lambda f: f.__name__)
def test_an_exception_with_an_init_of_its_own(f):
    raised = []
    for each in (f, ingot.jit(f)):
        assert each(2.0) == 2
        with pytest.raises(ValueError) as caught:
            each(-1.0)
        raised.append(caught.value)
    plain, compiled = raised
    assert type(compiled) is type(plain)
    assert compiled.args == plain.args
    assert {name: vars(compiled)[name] for name in vars(plain)} == vars(plain)
    assert "test_strings.py:" in compiled.__notes__[0]


def test_an_exception_with_an_init_of_its_own_is_caught():
    assert ingot.jit(caught)(-1) == 0
    assert ingot.jit(caught)(1) == 1


def test_arguments_of_an_exception_that_only_run_time_knows():
    def number(x):
        if x[0] < 0:
            raise Coded(x[0])
        return x

    def keyword(x):
        if x < 0:
            raise Coded(3, digits=2)
        return x

    same(number, -X)
    refused(keyword, -1.0, match="keyword arguments of Coded are not supported")


# Refused, each at its line.


def returned(x):
    return f"{x:.2f}"  # refused


def returned_in_a_list(x):
    return [f"{x:.2f}"]  # refused


def returned_str(x):
    return str(x)  # refused


def compared(n):
    return 2 if f"{n}" == "1" else 3  # refused


def compared_unequal(n):
    return str(n) != "1"  # refused


def compared_by_order(n):
    return 2 if str(n) < "5" else 3  # refused


def compared_to_another(n):
    return f"{n}" == f"{n + 1}"  # refused


def a_key(n):
    return {"k1": 1.0}.get(f"k{n}", 0.0)  # refused


def a_key_of_a_subscript(n):
    return {"k1": 1.0}[f"k{n}"]  # refused


def a_key_that_is_stored(n):
    d = {}
    d[f"k{n}"] = 1.0  # refused
    return d


def a_member_of_a_list(n):
    return f"{n}" in ["1", "2"]  # refused


def a_member_of_a_string(n):
    return "1" in f"{n}"  # refused


def its_length(n):
    return len(f"{n}")  # refused


def its_truth(n):
    return 1 if f"{n}" else 2  # refused


def its_characters(n):
    total = 0
    for c in str(n):  # refused
        total += 1
    return total


def its_first_character(n):
    return 1 if f"{n}"[0] == "-" else 2  # refused


def as_a_number(x):
    return float(f"{x:.1f}")  # refused


def as_an_int(n):
    return int(str(n) + "0")  # refused


def its_method(n):
    return f"{n}".startswith("1")  # refused


def joined(n):
    return len(",".join([str(n), "a"]))  # refused


def an_attribute_name(n):
    return getattr(np, f"p{n}")  # refused


def counted(n):
    return ["1", "2"].count(f"{n}")  # refused


def matched(n):
    match f"{n}":  # refused
        case "1":
            return 1
        case _:
            return 2


def in_a_set(n):
    return len({f"{n}", "1"})  # refused


def hashed(n):
    return hash(f"{n}")  # refused


def sorted_strings(n):
    return sorted(["b", f"{n}"])[0] == "b"  # refused


def a_maximum(n):
    return max("b", f"{n}") == "b"  # refused


def choosing_a_function(n):
    return {"1": np.sin, "2": np.cos}[str(n)](1.0)  # refused


REFUSED = (
    returned, returned_in_a_list, returned_str, compared, compared_unequal, compared_by_order,
    compared_to_another, a_key, a_key_of_a_subscript, a_key_that_is_stored, a_member_of_a_list,
    a_member_of_a_string, its_length, its_truth, its_characters, its_first_character, as_a_number,
    as_an_int, its_method, joined, an_attribute_name, counted, matched, in_a_set, hashed,
    sorted_strings, a_maximum, choosing_a_function,
)  # fmt: skip


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_anything_else_is_refused_at_its_line(f):
    refused(lambda a: f(a[0]), np.array([1]), at=f)
    # Numbers that are arguments may be specialised on.
    same_or_refused(f, 1)


def stored(x, d):
    d["text"] = f"{x}"


def stored_in_a_list(x, l):
    l.append(str(x))


def an_attribute(x, ns):
    ns.text = f"{x}"


class Box:
    text = ""


@pytest.mark.parametrize("f, into", [(stored, {}), (stored_in_a_list, []), (an_attribute, Box())])
def test_a_string_that_the_caller_would_see_is_refused(f, into):
    refused(lambda a, into: f(a[0], into), np.array([1.0]), into)
    # Numbers that are arguments are specialised on.
    same(f, 1.0, into)


def chosen_at_run_time(x):
    return "positive" if x > 0 else "negative"


def chosen_and_printed(x):
    print("positive" if x > 0 else "negative")


def test_a_string_chosen_at_run_time():
    for sign in (1.0, -1.0):
        same(lambda a: chosen_at_run_time(a[0]), np.array([sign]))
        same(chosen_at_run_time, sign)
        same(chosen_and_printed, sign)


def in_a_loop_over_a_list(x, n):
    if x[0] > 0.5:
        n = 1
    for _ in [j for j in range(5) if j == n % 2]:
        print("an item")
    return n


def in_a_loop_with_a_list(x, n):
    kept = []
    for v in x:
        print("tested")
        if v > 0:
            kept.append(v + n)
    return len(kept)


def in_a_loop_with_a_number(x, n):
    total = 0
    for i in range(n):
        print("once", i)
        total += 0.5
        if total > 100:
            total = x[0]
    return total


@pytest.mark.parametrize(
    "f", [in_a_loop_over_a_list, in_a_loop_with_a_list, in_a_loop_with_a_number]
)
def test_attempts_at_a_loop_print_nothing(f):
    """A loop that is evaluated again, with other types, prints once."""
    same_for(f, [(np.array([1.0, -2.0, 3.0]), 2), (np.array([0.0, 2.0, 1.0]), 3)])


def test_texts_of_numpy():
    """An np.str_ is a str: it has a length and characters."""

    def characters(s):
        return len(s), [c for c in s], s[::-1], list(s), max(s), "b" in s

    text = np.str_("abc")
    assert ingot.jit(characters)(text) == characters(text)
    assert ingot.jit(len)(np.bytes_(b"ab")) == 2


def upper(found):
    return found.group().upper()


def replaced_by_a_function(name):
    return re.sub("a", upper, name)  # refused


def replaced_at_run_time(n):
    return re.sub("1", "2", f"{n}")  # refused


def test_regular_expressions_that_call_or_wait():
    refused(replaced_by_a_function, "a-1", match=r"re\.sub is not supported")
    refused(replaced_at_run_time, 1, match=r"re\.sub is not supported")


@pytest.mark.parametrize(
    "f",
    [
        lambda n: "".join(n * 0.5), lambda n: ", ".join([str(n), n]), lambda n: ", ".join([f"{n}", 3]),
        lambda n: ", ".join([f"{n}", np.float32(n)]), lambda n: "-".join((f"{n}", None)),
    ],
)  # fmt: skip
def test_joined_values_that_are_no_strings(f):
    same(f, 3)
