"""Reads StableHLO, has jaxlib verify it and prints what jaxlib prints.

Fails if jaxlib refuses the text or prints any line differently from how we did.
"""

import sys

from ingot_runtime import stablehlo

ours = sys.stdin.read()
theirs = str(stablehlo.parse(ours))
for mine, other in zip(ours.splitlines(), theirs.splitlines(), strict=False):
    if mine != other:
        sys.exit(f"jaxlib prints this differently:\n  ours:   {mine}\n  theirs: {other}")
print(theirs)
