"""Programs for accelerators, run on the CPU."""

from unittest import mock

from ingot import lowering


def for_accelerators():
    """A context that lowers as for an accelerator what is compiled for the CPU."""
    lower = lowering.Lowered._lower

    def lowered(self, target=""):
        return lower(self, "accelerator")

    return mock.patch.object(lowering.Lowered, "_lower", lowered)
