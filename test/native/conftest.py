"""The tests of this folder run with native kernels, whatever the environment says."""

import pytest


@pytest.fixture(autouse=True)
def native(monkeypatch):
    monkeypatch.setenv("INGOT_NATIVE", "1")


def pytest_itemcollected(item):
    item.add_marker("once")
