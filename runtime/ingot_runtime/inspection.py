"""Summaries of artifacts, as text and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ingot_runtime.manifest import EntryFacts, Leaf, Native
from ingot_runtime.sizes import Bounds


def summary(entries: Mapping[str, EntryFacts], manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of an artifact, as a JSON value.

    Args:
        entries: the entry points by name.
        manifest: the manifest, for the weights and versions.
    """
    return {
        "entry_points": {name: _entry(facts) for name, facts in entries.items()},
        "weights": {
            name: {"dtype": dtype, "shape": shape}
            for name, (dtype, shape) in manifest["weights"].items()
        },
        "stablehlo": manifest["stablehlo"],
        "producer": manifest["producer"],
    }


def _entry(facts: EntryFacts) -> dict[str, Any]:
    return {
        "signature": signature(facts),
        "arguments": [leaf.to_json() for leaf in facts.arguments],
        "results": [leaf.to_json() for leaf in facts.results],
        "sizes": {name: list(bounds) for name, bounds in facts.sizes.items()},
        "lengths": {name: str(each.most) for name, each in facts.lengths.items()},
        "batch": facts.batch,
        "weights": sorted({each for each in facts.inputs if isinstance(each, str)}),
        "changes": [facts.arguments[index].name for index in facts.changed],
        "prints": facts.prints,
        "strict_fp": facts.strict_fp,
        "native": _native(facts.native) if facts.native else None,
    }


def _native(native: Native) -> dict[str, Any]:
    return {
        "target": native.target,
        "fingerprint": native.fingerprint,
        "kernels": len(native.kernels),
        "members": native.members,
    }


def signature(facts: EntryFacts) -> str:
    """For example "(x: float32[n,784]) -> float32[n]" or "(v: int64[9]) -> int64[n0], n0 <= 9"."""
    results = [str(leaf) if leaf.name == "output" else _typed(leaf) for leaf in facts.results]
    given = results[0] if len(results) == 1 else f"({', '.join(results)})"
    lengths = "".join(f", {name} <= {each.most}" for name, each in facts.lengths.items())
    return f"({', '.join(map(_typed, facts.arguments))}) -> {given}{lengths}"


def _typed(leaf: Leaf) -> str:
    return f"{leaf.name}: {leaf}"


def lines(name: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """The part of a summary about an entry point, as lines of text."""
    yield f"{name}{entry['signature']}"
    for size, bounds in entry["sizes"].items():
        joined = "; calls can be joined along it" if size == entry["batch"] else ""
        yield f"  {size}: {_range(bounds)}{joined}"
    for length, most in entry["lengths"].items():
        yield f"  {length}: 0 to {most}, as each call computes it"
    for title in ("changes", "weights"):
        if entry[title]:
            yield f"  {title}: {', '.join(entry[title])}"
    if entry["native"]:
        target, kernels = entry["native"]["target"], entry["native"]["kernels"]
        yield f"  native: {target}; {kernels} kernel{'s' if kernels != 1 else ''}"
    if entry["prints"]:
        yield "  prints"
    if entry["strict_fp"]:
        yield "  strict_fp"


def _range(bounds: Bounds) -> str:
    low, high = bounds
    if high is None:
        return f"{low} or more"
    return f"{low} to {high}" if high > low else str(low)
