"""Artifacts that were changed by chance: in what their programs say, in their manifests and bytes.

`python test/fuzz/artifacts.py` tries more of them.
"""

import collections

import pytest
from artifacts import is_good, outcomes
from generator.exports import export_all

from level import pick


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("artifacts")
    export_all(made)
    return made


@pytest.mark.once
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["hostile", "damaged"])
def test_changed_artifacts(folder, kind):
    found = list(outcomes(kind, range(pick(15, 60, 2000)), str(folder)))
    counts = collections.Counter(verdict for _, verdict, _ in found)
    print(dict(counts))
    bad = [each for each in found if each[1] in ("wrong", "crashed")]
    assert not bad
    assert is_good(kind, counts)
