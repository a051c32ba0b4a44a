"""Processes: forked ones, those that multiprocessing starts, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from processes import python

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork"),
]

#: What a forked child may do; its parent has run `product` and `printing` and loaded `model`.
FORKED = """
import os, sys, signal, gc, warnings
import numpy as np
import ingot

W = np.arange(4.0)

@ingot.jit
def product(x):
    return (x @ x).sum()

@ingot.jit
def printing(x):
    print("value", x)
    return x + 1

@ingot.jit
def store(x, i):
    x[i] = np.linalg.det(np.eye(3) * 2)
    return x

def weighted(x):
    return x @ W

warnings.simplefilter("ignore", DeprecationWarning)  # of forks, from Python 3.12 on
x = np.ones((600, 600))
ingot.export(weighted, ingot.spec("n,4")).save(sys.argv[1])
model = ingot.load(sys.argv[1])
expected = product(x), printing(1.0), model(np.ones((2, 4))), store(np.zeros(4), 1)
sys.stdout.flush()

def in_child(depth=1):
    signal.alarm(120)
    assert product(x) == expected[0]
    assert printing(1.0) == expected[1]
    assert np.array_equal(model(np.ones((2, 4))), expected[2])
    assert np.array_equal(store(np.zeros(4), 1), expected[3])
    # What has to be compiled, with a product, LAPACK, a print, and for another size.
    assert ingot.jit(lambda x: np.sin(x @ x)[0, 0])(x) == np.sin(600.0)
    assert product(np.ones((700, 700))) == 700.0**3
    assert np.isclose(ingot.jit(lambda a: np.linalg.det(a))(np.eye(4) * 3), 81)
    assert printing(np.float32(2)) == 3
    assert np.array_equal(model(np.ones((3, 4))), np.full(3, 6.0))
    try:
        ingot.jit(lambda x, i: x[i])(np.zeros(3), 5)
    except IndexError:
        pass
    else:
        assert False
    if depth:
        fork_and_wait(depth - 1)

def fork_and_wait(depth):
    pid = os.fork()
    if pid == 0:
        in_child(depth)
        gc.collect()
        # Also what ends with an interpreter must end.
        sys.exit(0) if depth else os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0

fork_and_wait(1)
assert product(x) == expected[0]
assert ingot.jit(lambda x: x + 1)(1.0) == 2.0
print("parent goes on")
"""


def test_forked_children_run_and_compile(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(FORKED)
    done = python(path, tmp_path / "m.ingot")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("parent goes on\n") and done.stderr == ""


POOLS = """
import multiprocessing, sys
import numpy as np
import ingot

@ingot.jit
def product(x):
    return float((x @ x).sum())

@ingot.jit
def size_of(x, n):
    while n > 1:
        n //= 2
        x = x + 1
    return x.sum()

def task(n):
    return product(np.ones((n, n))), float(size_of(np.zeros(3), n))

def main(method):
    assert product(np.ones((300, 300))) == 300.0**3
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map(task, [300, 301, 302, 303])
        # The functions themselves go to the processes by their names.
        found += pool.map(product, [np.ones((5, 5))])
    assert found[:-1] == [(n**3, 24.0) for n in (300, 301, 302, 303)], found
    assert found[-1] == 125.0
    print("done")

if __name__ == "__main__":
    main(sys.argv[1])
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools(method, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(POOLS)
    done = python(path, method)
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr


# Ctrl-C.

PROGRAMS = {
    "a loop": "def f(x, n):\n    i = 0.0\n    while i < n:\n        i += 1.0\n    x[0] = i\n    return i",
    "a loop of products": """
def f(x, n):
    i = 0
    while i < n:
        i += 1
        x[:] = np.sin(np.outer(x, x) @ x)
    return x.sum()""",
    "a counted loop": """
def f(x, n):
    for i in range(n):
        x[i % 300] = np.sin(x[(i + 7) % 300])
    return x.sum()""",
    "prints": """
def f(x, n):
    i = 0
    while i < n:
        i += 1
        if i % 1_000_000 == 0:
            print(i)
    x[0] = i
    return i""",
}

INTERRUPTED = """
import sys, time
import numpy as np
import ingot
{program}
g = ingot.jit(f)
x = np.ones(300)
{function}(x.copy(), 3)
before = x.copy()
print("started", flush=True)
try:
    {function}(x, 10**15)
except KeyboardInterrupt:
    print("interrupted", flush=True)
assert np.array_equal(x, before)
# All goes on, and what was left running does not come back.
{function}(x, 3)
after = x.copy()
assert ingot.jit(lambda x: x @ x)(np.ones(5)) == 5.0
time.sleep(0.2)
assert np.array_equal(x, after)
print("went on", flush=True)
"""


def interrupted(path, after=0.5):
    """Send SIGINT to a program after it has printed "started".

    Returns:
        The lines that it prints then, the seconds until one says "interrupted", the exit status
        and what is on standard error.
    """
    # Where SIGINT is ignored, as in background jobs of a shell, Python would leave it so.
    text = path.read_text()
    path.write_text(
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" + text
    )
    command = [sys.executable, str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            while process.stdout.readline().strip() != "started":
                assert process.poll() is None, process.stderr.read()
            time.sleep(after)
            process.send_signal(signal.SIGINT)
            start = time.monotonic()
            lines, seconds = [], None
            for line in process.stdout:
                lines.append(line.strip())
                if lines[-1] == "interrupted":
                    seconds = time.monotonic() - start
            return lines, seconds, process.wait(60), process.stderr.read()
        finally:
            process.kill()


@pytest.mark.parametrize("program", PROGRAMS)
def test_ctrl_c_interrupts_a_running_program(program, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(INTERRUPTED.format(program=PROGRAMS[program], function="g"))
    lines, seconds, code, errors = interrupted(path)
    assert code == 0 and lines[-1] == "went on", errors
    assert seconds is not None and seconds < 1


def test_ctrl_c_interrupts_an_artifact(tmp_path):
    program = PROGRAMS["a loop"] + textwrap.dedent(f"""
        ingot.export(f, np.ones(300), 3).save({str(tmp_path / "m.ingot")!r})
        model = ingot.load({str(tmp_path / "m.ingot")!r})
    """)
    path = tmp_path / "program.py"
    path.write_text(INTERRUPTED.format(program=program, function="model"))
    lines, seconds, code, errors = interrupted(path)
    assert code == 0 and lines[-1] == "went on", errors
    assert seconds is not None and seconds < 1


UNCAUGHT = """
import numpy as np
import ingot
{program}
g = ingot.jit(f)
g(np.ones(300), 3)
print("started", flush=True)
g(np.ones(300), 10**15)
"""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_process_ends_with_the_program_still_running(program, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(UNCAUGHT.format(program=PROGRAMS[program]))
    _, _, code, errors = interrupted(path)
    assert code == -signal.SIGINT and "KeyboardInterrupt" in errors


COMPILING = """
import time
import numpy as np
import ingot

lines = [f"    x = np.sin(x @ x) + x[{i % 7}] * np.cos(x)" for i in range(800)]
namespace = {"np": np}
exec("\\n".join(["def f(x):", *lines, "    return x"]), namespace)
f, x = ingot.jit(namespace["f"]), np.ones((60, 60))
assert ingot.jit(lambda x: x + 1)(0.0) == 1.0
lowered = f.lower(x)
lowered.stablehlo()
print("started", flush=True)
try:
    lowered.compile()
except KeyboardInterrupt:
    print("interrupted", flush=True)
assert ingot.jit(lambda x: x + 1)(1.0) == 2.0
print("went on", flush=True)
"""


def test_a_process_ends_while_xla_compiles(tmp_path):
    """What was interrupted goes on in threads of XLA's, which nothing can stop."""
    path = tmp_path / "program.py"
    path.write_text(f"from ingot_runtime import interrupts\ninterrupts.PATIENCE = 0.2\n{COMPILING}")
    lines, _, code, errors = interrupted(path)
    assert (lines, code) == (["interrupted", "went on"], 0), errors


def test_ctrl_c_interrupts_a_compile(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(COMPILING)
    lines, seconds, code, errors = interrupted(path)
    assert (lines, code) == (["interrupted", "went on"], 0), errors
    assert seconds is not None and seconds < 1


HANDLER = """
import signal
import numpy as np
import ingot

class Late(Exception):
    pass

def ring(*_):
    raise Late

{program}
g = ingot.jit(f)
g(np.ones(300), 3)
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    g(np.ones(300), 10**15)
except Late:
    print("late")
"""


def test_other_handlers_that_raise(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(HANDLER.format(program=PROGRAMS["a loop"]))
    done = python(path)
    assert (done.stdout, done.returncode) == ("late\n", 0), done.stderr
