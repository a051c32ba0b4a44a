"""Where the text of functions is found: files, `-c`, standard input, prompts, `exec` and `eval`."""

import ast
import code
import importlib
import linecache
import os
import pty
import select
import subprocess
import sys
import time
import types

import numpy as np
import pytest

import ingot
from ingot import _core
from ingot.syntax.source import source_of
from ingot.syntax.texts import text_without_file

X = np.arange(3.0)

SCRIPT = """\
import ingot, numpy as np
x = np.arange(3.0)

@ingot.jit
def f(x):
    return x + 10

def make(y):
    def inner(x):
        return x + y
    return inner

print(f(x), ingot.jit(make(2.0))(x), ingot.jit(lambda x: x * 2)(x))
"""
ANSWER = "[10. 11. 12.] [2. 3. 4.] [0. 2. 4.]"


def same(function):
    np.testing.assert_array_equal(ingot.jit(function)(X), function(X))


# Lambdas of one line.

# fmt: off
LAMBDAS = [lambda x: x, lambda x: (x), lambda x: x + 1, lambda x: (lambda x: x * 2)(x), lambda x: 5, lambda x: 6]
ÄÖÜ = [lambda x: x + len("äöü"), lambda x: x - 1, lambda x: (x
                                                               + 2), lambda x: -x]


def closures(y):
    return [(lambda x: x + y), (lambda x: x - y), (lambda x: y), (lambda x, y=y: x - y)]
# fmt: on


@pytest.mark.parametrize("function", [*LAMBDAS, *ÄÖÜ, *closures(2.0)])
def test_lambdas_of_one_line(function):
    expected = function(X)
    np.testing.assert_array_equal(ingot.jit(function)(X), expected)


def test_a_lambda_in_a_lambda():
    outer = [lambda x: (lambda x: x * 2)]  # fmt: skip
    same(outer[0](0))


def test_lambdas_without_columns_are_told_apart_by_their_code():
    for function in LAMBDAS[:3]:
        plain = function.__code__.replace(co_linetable=_without_columns(function.__code__))
        assert source_of(types.FunctionType(plain, {})).node is not None


def _without_columns(code):
    """A location table of one entry without columns for each instruction."""
    count = len(code.co_code) // 2
    return b"".join(bytes([0x80 | 13 << 3 | min(count - i, 8) - 1, 0]) for i in range(0, count, 8))


# exec and eval.


def test_exec():
    namespace = {}
    for k in range(3):
        exec(f"def f(x):\n    return x + {k}\n", namespace)
        namespace[f"f{k}"] = namespace["f"]
    for k in range(3):
        np.testing.assert_array_equal(ingot.jit(namespace[f"f{k}"])(X), X + k)


def test_exec_of_closures_classes_and_decorators():
    namespace = {"ingot": ingot}
    text = """
def make(y):
    def inner(x):
        return x + y
    return inner

class A:
    @staticmethod
    @ingot.jit
    def twice(x):
        return x * 2
"""
    exec(text, namespace)
    same(namespace["make"](2.0))
    np.testing.assert_array_equal(namespace["A"].twice(X), X * 2)


def test_eval():
    same(eval("  lambda x: x * 7"))
    both = eval("(lambda x: x + 1), (lambda x: x + 2)")
    for function in both:
        same(function)


def test_futures():
    namespace = {}
    exec("from __future__ import annotations\ndef f(x: nowhere):\n    return x + 1\n", namespace)
    same(namespace["f"])


def test_a_name_that_is_no_file():
    namespace = {}
    exec(compile("def f(x):\n    return x * 4\n", "template.html", "exec"), namespace)
    same(namespace["f"])


def test_a_file_that_has_another_text(tmp_path):
    """Templates are compiled to code that says it is from the template."""
    path = tmp_path / "template.html"
    path.write_text("def f(x):\n    return x * 3\n")
    namespace = {}
    exec(compile("def f(x):\n    return x * 4\n", str(path), "exec"), namespace)
    np.testing.assert_array_equal(ingot.jit(namespace["f"])(X), X * 4)


def test_linecache():
    """Notebooks put their cells there; the code of these may have been changed since."""
    text = "def f(x):\n    return x * 4\n"
    name = "<a cell>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {}
    exec(compile(ast.parse(text), name, "exec"), namespace)
    same(namespace["f"])


def test_a_console():
    console = code.InteractiveConsole({"ingot": ingot})
    for line in ("def f(x):", "    return x + 1", ""):
        console.push(line)
    same(console.locals["f"])


def test_a_helper_whose_code_is_replaced():
    def one(x):
        return x + 1

    def two(x):
        return x + 2

    f = ingot.jit(lambda x: one(x))
    np.testing.assert_array_equal(f(X), X + 1)
    one.__code__ = two.__code__
    np.testing.assert_array_equal(f(X), X + 2)


@pytest.mark.parametrize("name", ["<string>", "<stdin>", "<elsewhere>", "/no/such/file.py"])
def test_text_that_is_not_known_is_refused(name):
    def f(x):
        return x

    f.__code__ = f.__code__.replace(co_filename=name)
    with pytest.raises(ingot.UnsupportedError, match="source of .*f can't be found") as caught:
        ingot.jit(f)(1.0)
    assert caught.value.hint


def test_other_code_under_the_same_name_is_not_taken():
    namespace = {}
    exec("def g(x):\n    return x + 1.0\n", namespace)
    changed = namespace["g"].__code__.replace(co_consts=(None, 2.0))
    assert text_without_file(namespace["g"].__code__) is not None
    assert text_without_file(changed) is None


def test_texts_that_are_kept_are_bounded():
    for k in range(600):
        compile(f"def f{k}(x): pass", "<bound>", "exec")
    for k in range(30):
        compile(f"def f(): {k}\n" + "#" * 200_000, "<bound>", "exec")
    compile("def f(): 0\n" + "#" * 300_000, "<bound>", "exec")
    kept = _core.recent_sources()
    assert len(kept) <= 512 and sum(len(text) for text, _ in kept) <= 4 << 20
    assert kept[-1][0].startswith(b"def f(): 29")
    compile("1 + 1", "<bound>", "exec")
    ast.parse("def other(): pass")
    compile("def module(): pass", "/a/module.py", "exec")
    assert _core.recent_sources() == kept


# Other processes.


def run(*arguments, text=None, stdin=None, buffered=True, **variables):
    environment = {**os.environ, "INGOT_CACHE_DIR": "", "INGOT_PLATFORM": "cpu", **variables}
    environment.pop("PYTHONUNBUFFERED", None)
    if not buffered:
        environment["PYTHONUNBUFFERED"] = "1"
    done = subprocess.run(
        [sys.executable, *arguments],
        input=text, stdin=stdin, capture_output=True, text=True, env=environment, timeout=120,
    )  # fmt: skip
    return done.stdout, done.stderr


def answers(*arguments, **options):
    output, errors = run(*arguments, **options)
    assert ANSWER in output, errors


@pytest.mark.parametrize(
    "option",
    [["-c", SCRIPT], ["-W", "ignore", "-c", SCRIPT, "-c"], ["-c" + SCRIPT], ["-Bc", SCRIPT]],
    ids=str,
)
def test_command_line(option):
    answers(*option)


def test_a_script_through_a_pipe():
    answers(text=SCRIPT)
    answers("-", text=SCRIPT)


@pytest.mark.parametrize("byte", b" )#x\x0c\x80", ids=str)
def test_a_block_of_a_pipe_that_had_another_use(byte):
    # glibc fills what it allocates with the complement.
    answers(text=SCRIPT, MALLOC_PERTURB_=str(byte ^ 0xFF))


def test_the_end_of_a_long_script_through_a_pipe():
    lines = "".join(f"# line {i}\n" for i in range(1000))
    answers(text=lines + SCRIPT)
    _, errors = run(text=SCRIPT + lines)
    assert "source of f can't be found" in errors and "python < file" in errors


def test_a_redirected_script(tmp_path):
    lines = "".join(f"# line {i}\n" for i in range(1000))
    (tmp_path / "script.py").write_text(SCRIPT + lines)
    for buffered in (True, False):
        with open(tmp_path / "script.py") as file:
            answers(stdin=file, buffered=buffered)


def test_a_session_through_a_pipe():
    answers("-i", text=SCRIPT)


def test_an_unbuffered_pipe_is_refused():
    output, errors = run(text=SCRIPT, buffered=False)
    assert ANSWER in output or "python < file" in errors


def test_a_prompt_on_a_terminal(tmp_path):
    pytest.importorskip("readline", reason="some builds of Python have none")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "INGOT_CACHE_DIR": "", "INGOT_PLATFORM": "cpu", "TERM": "xterm"}
    # Where Python writes the history.
    environment["HOME"] = str(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    shown = ""

    def prompts(text):
        return text.count(">>> ") + text.count("... ")

    def read_until(is_enough):
        nonlocal shown
        end = time.monotonic() + 30
        while time.monotonic() < end and not is_enough(shown):
            if select.select([ours], [], [], 0.1)[0]:
                shown += os.read(ours, 1 << 16).decode(errors="replace")

    try:
        read_until(prompts)
        for line in SCRIPT.splitlines():
            count = prompts(shown)
            os.write(ours, f"{line}\n".encode())
            read_until(lambda text: prompts(text) > count)
        read_until(lambda text: ANSWER in text)
        assert ANSWER in shown, shown
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_methods_of_dataclasses_that_have_no_file():
    text = """
import dataclasses
@dataclasses.dataclass(init=False, eq=False)
class P:
    a: float
    def __init__(self, a): self.a = a * 10
    def __eq__(self, other): return self.a > 5
def f(x): return P(x).a, P(x) == P(-x)
"""
    names = {}
    exec(text, names)
    assert ingot.jit(names["f"])(1.0) == names["f"](1.0) == (10.0, True)
    assert ingot.jit(names["f"])(0.25) == names["f"](0.25) == (2.5, False)


@pytest.mark.parametrize("name", ["numpy_like", "scipyish.waves"])
def test_a_package_named_like_numpy(name, tmp_path):
    text = "import numpy as np\n\ndef twice(x):\n    return np.sin(x) * 2\n"
    path = tmp_path / "module.py"
    path.write_text(text)
    namespace = {"__name__": name}
    exec(compile(text, str(path), "exec"), namespace)
    twice = namespace["twice"]
    x = np.arange(3.0)
    np.testing.assert_allclose(ingot.jit(lambda x: twice(x) + 1)(x), twice(x) + 1)
    np.testing.assert_allclose(ingot.jit(twice)(x), twice(x))


def test_a_module_whose_file_has_changed_since_it_was_loaded(tmp_path, monkeypatch):
    path = tmp_path / "edited_later.py"
    path.write_text("def f(x):\n    return x * 3\n\n\ndef g(x):\n    return f(x) + 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("edited_later")
    same(module.f)
    path.write_text("def f(x):\n    return x * 40\n\n\ndef g(x):\n    return f(x) + 1\n")
    with pytest.raises(ingot.UnsupportedError, match=r"has changed since f was loaded") as caught:
        ingot.jit(module.g)(1.0)
    assert "reload" in caught.value.hint
    importlib.invalidate_caches()
    same(importlib.reload(module).g)
