"""Plots of the page, as reproducible SVG files."""

from __future__ import annotations

import importlib.util
from pathlib import Path

#: Of each way one marker and colour in all plots.
STYLES = {
    "Ingot": ("o", "#b5451b"),
    "Numba": ("s", "#3b7a57"),
    "JAX": ("^", "#2f5d8a"),
    "Pythran": ("D", "#8a6d2f"),
}

#: Of each row, its name and the value of each way.
Points = list[tuple[str, dict[str, float]]]


def is_available() -> bool:
    return importlib.util.find_spec("matplotlib") is not None


def dots(path: Path, points: Points, label: str, even: bool = True) -> None:
    """One line for each row with a marker for each way, on a logarithmic axis.

    `even` draws a line at 1, where the axis shows ratios.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    style = {"svg.hashsalt": "ingot", "svg.fonttype": "none", "font.size": 8}
    with plt.rc_context(style):
        figure, axes = plt.subplots(figsize=(6.4, 0.8 + 0.16 * len(points)))
        for way, (marker, colour) in reversed(STYLES.items()):
            at = [(values[way], i) for i, (_, values) in enumerate(points) if way in values]
            if at:
                x, y = zip(*at, strict=True)
                axes.plot(x, y, marker, color=colour, markersize=4, linestyle="none", label=way)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(10, (1, 2, 5)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_yticks(range(len(points)), [name for name, _ in points])
        axes.set_ylim(len(points) - 0.5, -0.5)
        axes.set_xlabel(label)
        axes.grid(axis="both", linewidth=0.3)
        if even:
            axes.axvline(1, color="black", linewidth=0.8)
        axes.legend(loc="best", frameon=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None, "Creator": None})
        plt.close(figure)
