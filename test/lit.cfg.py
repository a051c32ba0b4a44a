"""How lit runs Ingot's tests: see docs/testing.md for the substitutions."""

import os
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
llvm = "/usr/lib/llvm-22/bin"
# `--param tools=FOLDER` tests other builds of the tools, as `make sanitize` does.
tools = os.path.join(root, lit_config.params.get("tools", "build/bin"))
opt = os.path.join(tools, "ingot-opt")

config.name = "Ingot"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(root, "build", "test")
config.suffixes = [".mlir", ".py", ".test"]
# Files named test_*.py are pytest's.
config.excludes = ["lit.cfg.py", "conftest.py", "fuzz", "golden", "mutation", "support"] + [
    name
    for _, _, names in os.walk(config.test_source_root)
    for name in names
    if name.startswith("test_")
]
config.environment["PATH"] = os.pathsep.join([tools, llvm, os.environ["PATH"]])
config.environment["INGOT_PLATFORM"] = "cpu"
# LLVM's archives are not instrumented: they fill vectors and arenas without saying so.
config.environment["ASAN_OPTIONS"] = (
    "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0"
)
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

support = os.path.join(config.test_source_root, "support")
split = f"{opt} --split-input-file"
verify = f"{sys.executable} {os.path.join(support, 'verify_stablehlo.py')}"
config.substitutions += [
    # Custom form and generic form, each read back and printed again; what expects errors has them.
    (
        "%roundtrip",
        f"{split} %s --verify-diagnostics | {split} | {split} --mlir-print-op-generic | {split}"
        " | FileCheck %s",
    ),
    # Lowered, printed by us, then parsed, verified and printed by jaxlib.
    ("%lower-and-verify", f"{opt} %s --lower-to-stablehlo | {verify} | FileCheck %s"),
    ("%verify-stablehlo", verify),
    ("%python", sys.executable),
    # A frontend test: CHECK lines inside the Python functions.
    (
        "%frontend",
        f"{sys.executable} {os.path.join(support, 'frontend.py')} %s | FileCheck %s",
    ),
]
