"""Kernels under LLVM's address sanitizer, which ends the process where one leaves an array.

`pytest -p sanitized` compiles each kernel with checks of all its loads and stores. The process
needs the variables of `environment`; `make sanitize` runs the tests of kernels so.
"""

import ctypes
import re
import subprocess
import tempfile
from pathlib import Path

from ingot import _native

TOOLS = Path("/usr/lib/llvm-22/bin")


def _run(*command, given=None):
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def _object_of(ir, processor):
    """The machine code of a module, with checks."""
    checked = re.sub(r"^(define .*) \{$", r"\1 sanitize_address {", ir, flags=re.M)
    bitcode = _run(TOOLS / "opt", "-passes=asan", "-o", "-", given=checked.encode())
    return _run(
        TOOLS / "llc", "-O1", f"-mcpu={processor or 'native'}", "-relocation-model=pic", "-filetype=obj", "-o", "-",
        given=bitcode,
    )  # fmt: skip


def compiled(text, processor=""):
    """`_native.compile`, with checks; the IR is that which is compiled without them."""
    modules = re.split(r"^(?=; ModuleID)", _native.explain(text, processor)["llvm"], flags=re.M)
    with tempfile.TemporaryDirectory() as folder:
        made = []
        for number, ir in enumerate(filter(None, modules)):
            made.append(Path(folder, f"{number}.o"))
            made[-1].write_bytes(_object_of(ir, processor))
        library = Path(folder, "kernel.so")
        _run("g++", "-shared", "-o", library, *made, "-lm", "-l:libmvec.so.1")
        return library.read_bytes()


def install():
    """Compile kernels with checks from now on."""
    # Without the sanitizer's runtime, no kernel could be loaded.
    assert hasattr(ctypes.CDLL(None), "__asan_init")
    _native.compile = compiled


def environment():
    """The variables of a process that loads such kernels."""
    return {
        # C++'s, too: the sanitizer looks for the function that throws when it starts.
        "LD_PRELOAD": ":".join(
            _run("g++", f"-print-file-name={name}").decode().strip()
            for name in ("libasan.so", "libstdc++.so.6")
        ),
        # Python's memory is not freed at its exit, and arrays that are too large are an error of NumPy's or
        # XLA's own.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
    }


def pytest_configure():
    install()


def pytest_collection_modifyitems(config, items):
    """Leave out what is about the machine code itself, which is another one."""
    left_out = [item for item in items if item.get_closest_marker("machine_code")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


if __name__ == "__main__":
    print(*(f"{name}={value}" for name, value in environment().items()))
