"""Who may write what the disk cache gives, and entries that are no programs."""

import hashlib
import json
import os
import stat

import pytest

import ingot
from ingot_runtime.cache import Cache, key_of
from processes import python

KEY = key_of(["a"])
PROGRAM = """
import os, sys
os.umask(int(sys.argv[1], 8))
import numpy as np, ingot
from helpers import f
import logging
logging.basicConfig(level="INFO")
print(ingot.jit(f)(np.arange(3.0), 2))
"""


@pytest.fixture
def cache(tmp_path):
    made = Cache(tmp_path / "made" / "for" / "c")
    made.put(KEY, b"data")
    assert made.get(KEY) == b"data"
    return made


@pytest.fixture
def run(tmp_path):
    """Runs a program with a cache; what it prints, and whether it was compiled."""
    (tmp_path / "helpers.py").write_text(
        "import numpy as np\ndef f(x, n):\n    return x * 2 + np.zeros(n).size\n"
    )

    def run(umask="022"):
        done = python(
            "-c", PROGRAM, umask, INGOT_CACHE_DIR=str(tmp_path / "cache"), INGOT_PLATFORM="cpu",
            PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1", timeout=100,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout, "compiled in" in done.stderr

    return run


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.mark.parametrize("umask", [0, 0o002, 0o022, 0o077])
def test_entries_are_their_owners_alone(tmp_path, umask):
    before = os.umask(umask)
    try:
        cache = Cache(tmp_path / "made" / "for" / "c")
        cache.put(KEY, b"data")
    finally:
        os.umask(before)
    assert mode(cache.folder / KEY) == 0o600
    assert [mode(tmp_path / each) for each in ("made", "made/for", "made/for/c")] == [0o700] * 3


@pytest.mark.parametrize("bits", [0o620, 0o602, 0o666])
def test_an_entry_that_others_can_write_is_not_used(cache, bits):
    (cache.folder / KEY).chmod(bits)
    assert cache.get(KEY) is None
    cache.put(KEY, b"data")
    assert cache.get(KEY) == b"data" and mode(cache.folder / KEY) == 0o600


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_an_entry_of_another_user_is_not_used(cache):
    os.chown(cache.folder / KEY, 65534, 65534)
    assert cache.get(KEY) is None


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_a_folder_of_another_user_is_not_used(cache):
    os.chown(cache.folder, 65534, 65534)
    assert cache.get(KEY) is None


def test_a_link_is_not_followed(cache, tmp_path):
    (cache.folder / KEY).rename(tmp_path / "moved")
    (cache.folder / KEY).symlink_to(tmp_path / "moved")
    assert cache.get(KEY) is None
    assert list(cache.entries()) == []
    cache.put(KEY, b"data")
    assert cache.get(KEY) == b"data"


def test_a_fifo_is_not_waited_for(cache):
    (cache.folder / KEY).unlink()
    os.mkfifo(cache.folder / KEY, 0o600)
    assert cache.get(KEY) is None
    assert list(cache.entries()) == []
    cache.put(KEY, b"data")
    assert cache.get(KEY) == b"data"


def test_a_folder_in_the_place_of_an_entry(cache):
    (cache.folder / KEY).unlink()
    (cache.folder / KEY).mkdir()
    assert cache.get(KEY) is None
    cache.put(KEY, b"data")
    assert cache.get(KEY) is None
    assert list(cache.entries()) == [] and cache.clear() == 0


@pytest.mark.slow
def test_with_any_umask_a_second_process_compiles_nothing(run):
    first, was_compiled = run("000")
    assert was_compiled
    assert run("000") == (first, False)


def facts_of(path):
    data = path.read_bytes()[32:]
    end = 8 + int.from_bytes(data[:8], "little")
    try:
        return json.loads(data[8:end]), data[end:]
    except ValueError:
        return None, data


def put(path, data):
    path.write_bytes(hashlib.sha256(data).digest() + data)


def with_text(text, rest=b""):
    return len(text).to_bytes(8, "little") + text + rest


CONTENTS = {
    "nothing": lambda facts, rest: b"",
    "text": lambda facts, rest: b"EVIL",
    "no JSON": lambda facts, rest: with_text(b"{", rest),
    "no text": lambda facts, rest: with_text(b"\xff\xfe", rest),
    "a list": lambda facts, rest: with_text(b"[1, 2]", rest),
    "a number": lambda facts, rest: with_text(b"7", rest),
    "nothing in it": lambda facts, rest: with_text(b"{}", rest),
    "deep": lambda facts, rest: with_text(b"[" * 100_000, rest),
    "a long length": lambda facts, rest: b"\xff" * 8 + b"{}",
    "no machine code": lambda facts, rest: with_text(json.dumps(facts).encode(), b"\0" * len(rest)),
    "half of the machine code": lambda facts, rest: with_text(json.dumps(facts).encode(), rest[: len(rest) // 2]),
    **{
        f"{value} for {name}": lambda facts, rest, name=name, value=value: with_text(
            json.dumps({**facts, name: value}).encode(), rest
        )
        for name in ("functions", "guards", "inputs", "result", "leaves", "mutated", "changes", "outputs", "apart",
                     "origins", "exceptions", "checks", "kernels", "kernel_call")
        for value in (None, 5, "text", [5], {"a": 1}, [[1, 2, 3]])
        if not (value is None and name in ("kernel_call", "result"))
    },
}  # fmt: skip


def twice(x):
    return x * 2 + 1


@pytest.mark.parametrize("content", CONTENTS)
def test_an_entry_that_is_no_program_is_compiled_again(content, tmp_path, monkeypatch):
    import numpy as np

    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path / "c"))
    x = np.arange(3.0)
    ingot.jit(twice)(x)
    for path in (tmp_path / "c").iterdir():
        facts, rest = facts_of(path)
        if isinstance(facts, dict) and "guards" in facts:
            put(path, CONTENTS[content](facts, rest))
        else:
            put(path, b"[999]" if "text" in content else b"{")
    assert ingot.jit(twice)(x).tolist() == [1.0, 3.0, 5.0]
    assert ingot.jit(twice)(x).tolist() == [1.0, 3.0, 5.0]
