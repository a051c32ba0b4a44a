"""The processor for which tests read LLVM IR and assembly: one for all machines."""

from platform import machine

#: By LLVM's name.
FIXED = "x86-64-v3" if machine() in ("x86_64", "AMD64") else "neoverse-n1"
