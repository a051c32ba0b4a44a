"""The time of `import ingot` beyond `import numpy`, in fresh processes that alternate."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

ROUNDS = 9
SCRIPT = "import time; s = time.perf_counter(); import {}; print(time.perf_counter() - s)"


def seconds(what: str) -> float:
    out = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(what)], check=True, capture_output=True, text=True
    )
    return float(out.stdout)


def main() -> None:
    rows = [(seconds("numpy"), seconds("numpy, ingot")) for _ in range(ROUNDS)]
    numpy, both = (statistics.median(column) * 1e3 for column in zip(*rows, strict=True))
    row = {"benchmark": "import_time", "numpy_ms": numpy, "ingot_more_ms": both - numpy}
    json.dump(row, sys.stdout)
    print()


if __name__ == "__main__":
    main()
