"""The cost of elementwise functions, compared with NumPy and with XLA's own formulas.

Arrays of 1,048,576 elements; one JSON line for each function, in nanoseconds an element. The ways
are those of `libraries.py`, and take turns.
"""

from __future__ import annotations

import json

import numpy as np
from libraries import RNG, row

COUNT = 1 << 20
#: Between 0 and 1, the domain of arcsin.
X, Y = RNG.random(COUNT), RNG.random(COUNT)

CASES = {
    "log": (np.log, (X,)),
    "power": (np.power, (X, Y)),
    "tan": (np.tan, (X,)),
    "arcsin": (np.arcsin, (X,)),
    "arctan2": (np.arctan2, (X, Y)),
    "cbrt": (np.cbrt, (X,)),
    "sin, float32": (np.sin, (X.astype(np.float32),)),
}


def main() -> None:
    for name, (function, args) in CASES.items():
        found = row(function, args)
        times = {way.replace("_ms", "_ns"): round(ms * 1e6 / COUNT, 2) for way, ms in found.items()}
        print(json.dumps({"benchmark": "elements", "function": name, **times}), flush=True)


if __name__ == "__main__":
    main()
