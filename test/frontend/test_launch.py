"""`ingot launch`: processes, what they print, and how they end."""

import io
import os
import signal
import subprocess
import sys
import time

import pytest

from ingot.cli import launch
from internals import internals_in
from jobs import LIMIT

pytestmark = pytest.mark.once

TAIL = " is connected to 3 peer ranks. Expected number of connected peer ranks is : "
GLOO = f"[Gloo] Rank 0{TAIL}3\n"

SCRIPT = """
import os, sys, time
import ingot
ingot.distributed.init()
rank = ingot.distributed.rank()
mode, *rest = sys.argv[1:]
print("rank", rank, "of", ingot.distributed.size(), *rest)
print("devices", os.environ.get("INGOT_CPU_DEVICES"), file=sys.stderr)
ingot.distributed.barrier()
if mode == "fail" and rank == 1:
    sys.exit(3)
if mode == "kill" and rank == 1:
    os.kill(os.getpid(), 9)
if mode == "part":
    sys.stdout.write("no end")
if mode in ("fail", "kill", "sleep"):
    try:
        # A signal may come as soon as this line is read.
        print("sleeps")
        time.sleep(60)
    except KeyboardInterrupt:
        print("interrupted")
        time.sleep(60 if rest else 0)
"""


def launched(folder, *arguments):
    (folder / "script.py").write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, "-m", "ingot", "launch", *arguments], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def finished(folder, *arguments):
    """The exit code, and the lines on standard output and error."""
    process = launched(folder, *arguments)
    out, err = process.communicate(timeout=LIMIT)
    assert not internals_in(err), err
    return process.returncode, sorted(out.splitlines()), sorted(err.splitlines())


def test_lines_have_the_rank_in_front(tmp_path):
    code, out, err = finished(
        tmp_path, "-n", "2", "--devices", "3", "script.py", "part", "-n", "--devices=9"
    )
    assert code == 0
    assert out == [
        "[0] no end", "[0] rank 0 of 2 -n --devices=9",
        "[1] no end", "[1] rank 1 of 2 -n --devices=9",
    ]  # fmt: skip
    assert err == ["[0] devices 3", "[1] devices 3"]


@pytest.mark.parametrize(
    "mode, said",
    [
        ("fail", "error: process 1 has ended with exit status 3"),
        ("kill", "error: process 1 was ended by SIGKILL"),
    ],
)
def test_one_that_fails_ends_all(mode, said, tmp_path):
    start = time.monotonic()
    code, _, err = finished(tmp_path, "-n", "2", "script.py", mode)
    assert code == 1 and time.monotonic() - start < 30
    # Of those that the launcher ends, it says nothing.
    assert [line for line in err if line.startswith("error:")] == [said]


@pytest.mark.parametrize("is_stubborn", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_ctrl_c_goes_to_all(is_stubborn, tmp_path):
    process = launched(tmp_path, "-n", "2", "script.py", "sleep", *["again"] * is_stubborn)
    lines: list[str] = []

    def wait_for_both(word):
        while sum(word in line for line in lines) < 2:
            lines.append(process.stdout.readline())
            assert lines[-1], f"the job ended before both processes said {word!r}: {lines}"

    wait_for_both("sleeps")
    process.send_signal(signal.SIGINT)
    if is_stubborn:
        wait_for_both("interrupted")
        process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert sum("interrupted" in line for line in [*lines, *out.splitlines()]) == 2


ORPHANED = """
import sys, time
from pathlib import Path
import ingot
ingot.distributed.init()
path = Path(sys.argv[1]) / str(ingot.distributed.rank())
path.write_text("began")
try:
    while True:
        ingot.distributed.barrier()
        time.sleep(0.01)
except ingot.IngotError as error:
    path.write_text(str(error))
"""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"{GLOO}first\n{GLOO}{GLOO}", "first\n"),
        (f"[Gloo] Rank [Gloo] Rank 01{TAIL}3{TAIL}3\nfirst\n", "first\n"),
        ("3 is connected to 1 peer of another kind\n12\n", "3 is connected to 1 peer of another kind\n12\n"),
    ],
    ids=["alone", "mixed", "other"],
)  # fmt: skip
def test_lines_of_gloo_are_left_out(text, kept):
    sink = io.BytesIO()
    launch._write(text.encode().splitlines(keepends=True), sink, b"")
    assert sink.getvalue().decode() == kept


def test_a_launcher_that_is_killed_is_an_error(tmp_path):
    """The coordinator is in it."""
    (tmp_path / "orphaned.py").write_text(ORPHANED)
    process = launched(tmp_path, "-n", "2", "orphaned.py", str(tmp_path))
    paths = [tmp_path / "0", tmp_path / "1"]

    def wait_until(is_true):
        end = time.monotonic() + 60
        while not all(path.exists() and is_true(path.read_text()) for path in paths):
            assert time.monotonic() < end and (process.poll() in (None, -signal.SIGKILL))
            time.sleep(0.05)

    wait_until(lambda text: text == "began")
    os.kill(process.pid, signal.SIGKILL)
    wait_until(lambda text: "the coordinator of the job has died" in text)
    process.communicate(timeout=LIMIT)


def test_a_script_that_is_not_there(tmp_path):
    code, _, err = finished(tmp_path, "-n", "2", "other.py")
    assert code == 2 and any("other.py" in line for line in err)
