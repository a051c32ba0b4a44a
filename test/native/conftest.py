"""The tests of this folder run with native kernels."""

import pytest


@pytest.fixture(autouse=True)
def native(monkeypatch):
    monkeypatch.setenv("INGOT_NATIVE", "1")
