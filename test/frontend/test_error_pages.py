"""Each page of docs/errors: its first example is refused with a link to the page, its second runs.

`f` is compiled and called with an array; `call`, where a page has it, is called as it is.
"""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import ingot
from oracle import assert_same

ROOT = Path(__file__).resolve().parents[2]
FOLDER, README = ROOT / "docs" / "errors", ROOT / "README.md"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.stem != "README")


def argument():
    return np.array([1.5, 3.0, -2.0, 4.0])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page, compile_text, capsys):
    refused, instead = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    namespace = compile_text(refused)
    with pytest.raises(ingot.CompileError) as caught:
        call = namespace.get("call") or ingot.jit(namespace["f"])
        call(argument())
    assert caught.value.page == page.stem
    assert str(caught.value).endswith(f"see docs/errors/{page.name}")
    assert caught.value.hint

    namespace = compile_text(instead)
    if "call" in namespace:
        namespace["call"](argument())
        return
    assert_same(ingot.jit(namespace["f"])(argument()), namespace["f"](argument()))


def test_every_page_is_listed():
    text = (FOLDER / "README.md").read_text()
    assert all(f"({page.name})" in text for page in PAGES)


def test_the_message_in_the_readme(tmp_path):
    shown = re.search(r"```text\n(fit\.py:12:.*?)```", README.read_text(), re.DOTALL)[1]
    line = re.search(r"12 \| (.*)", shown)[1]
    path = tmp_path / "fit.py"
    path.write_text("import numpy as np\n" + "\n" * 9 + f"def f(x):\n{line}\n")
    with pytest.raises(ingot.CompileError) as caught:
        ingot.jit(runpy.run_path(str(path))["f"])(argument())
    assert str(caught.value) == shown.strip().replace("fit.py", str(path))
