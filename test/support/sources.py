"""Programs that tests write; compiled code needs a file."""

import itertools
from pathlib import Path
from typing import Any

IMPORTS = (
    "import cmath\nimport math\nimport operator\nimport numpy as np\nimport scipy\nimport scipy.ndimage\nimport scipy.special as sp\n"
    "import ingot\n"
)
_numbers = itertools.count()


def namespace_of(source: str, folder: Path, name: str = "program") -> dict[str, Any]:
    """The names that a program defines, after `IMPORTS`, from a new file of the folder."""
    path = folder / f"{name}{next(_numbers)}.py"
    path.write_text(IMPORTS + source)
    namespace: dict[str, Any] = {"__name__": name}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return namespace
