"""`make demo`: real programs compiled, and one of them exported and served."""

from __future__ import annotations

import functools
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import data_parallel
import fits
import numpy as np
import training
from rich.console import Console
from rich.progress import Progress
from rich.syntax import Syntax

import ingot
import serving
from mandelbrot import mandelbrot
from mlp import forward

OUTPUT = Path("demo-output")
console = Console()


def seconds(function: Any, *args: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    result = function(*args)
    return time.perf_counter() - start, result


def digits(progress: Progress) -> tuple[str, Any, np.ndarray]:
    """Train on two thirds by gradients, predict the held-out third with the compiled forward pass.

    Returns:
        what to say, the weights, and the held-out images.
    """
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    epochs = 40
    task = progress.add_task("1  handwritten digits", total=epochs)
    x, y = load_digits(return_X_y=True)
    split = train_test_split(x / 16, y, test_size=1 / 3, random_state=0, stratify=y)
    x_train, x_test, y_train, y_test = split
    compiled = ingot.jit(forward)
    losses, accuracies, weights = [], [], None
    start = time.perf_counter()
    for loss, weights in training.train(x_train, y_train, epochs):
        losses.append(loss)
        accuracies.append(np.mean(compiled(x_test, weights).argmax(axis=1) == y_test))
        shown = f"1  handwritten digits: loss {loss:.3f}, accuracy {accuracies[-1]:.1%}"
        progress.update(task, advance=1, description=shown)
    took = time.perf_counter() - start
    ours, plain = compiled(x_test, weights), forward(x_test, weights)
    predictions, expected = ours.argmax(axis=1), plain.argmax(axis=1)
    assert np.array_equal(predictions, expected), "compiled and plain predictions differ"
    assert accuracies[-1] >= 0.97, "the training did not succeed"
    OUTPUT.mkdir(exist_ok=True)
    training.plot(losses, accuracies, OUTPUT / "training.png")
    line = (
        f"1  digits: trained from scratch by gradients of the NumPy source in {took:.1f} s, loss "
        f"{losses[0]:.2f} to {losses[-1]:.3f} (plot in {OUTPUT}/training.png); {len(x_test)} of "
        f"{len(x)} images held out: accuracy [bold]{accuracies[-1]:.1%}[/]; every prediction "
        f"equals NumPy's, largest difference {np.max(np.abs(ours - plain)):.1e}"
    )
    return line, weights, x_test


def fitted(progress: Progress) -> str:
    """Fit parameters by gradients; the optima must be scipy's."""
    task = progress.add_task("5  fits", total=2)
    motion, expected, steps = fits.fit_pendulum()
    assert np.allclose(motion, expected, rtol=1e-5), "the pendulum's parameters are not scipy's"
    progress.advance(task)
    weights, scipys, rounds = fits.fit_logistic()
    assert np.allclose(weights, scipys, rtol=1e-5), "the regression's weights are not scipy's"
    progress.advance(task)
    return (
        f"5  fits: frequency² {motion[0]:.4f} and damping {motion[1]:.4f} of a pendulum through "
        f"the gradient of its Runge-Kutta loop in {steps} steps; a logistic regression by Newton's "
        f"method with the compiled Hessian in {rounds} steps; both optima are scipy's"
    )


def on_devices(progress: Progress) -> str:
    """Train the classifier on four CPU devices; the losses must be those of one."""
    task = progress.add_task("6  four devices", total=1)
    loss, difference, messages = data_parallel.main()
    progress.advance(task)
    count = messages["collective-permute"]
    return (
        f"6  four CPU devices: 60 steps of data-parallel training of the classifier to loss "
        f"{loss:.3f}, largest relative difference to one device {difference:.0e}; a stencil over "
        f"the mesh exchanges {count} messages a step and equals NumPy's"
    )


def plane(width: int, height: int) -> tuple[np.ndarray, np.ndarray, int]:
    return np.linspace(-2.2, 0.8, width), np.linspace(-1.2, 1.2, height), 200


def fractal(progress: Progress) -> str:
    """Compute the picture, and a smaller one with the undecorated function for the time."""
    from matplotlib import image

    task = progress.add_task("2  Mandelbrot set", total=4)
    compiled = ingot.jit(mandelbrot)
    large = plane(900, 720)
    compiled(*large)
    progress.advance(task)
    ours, picture = seconds(compiled, *large)
    progress.advance(task)
    OUTPUT.mkdir(exist_ok=True)
    image.imsave(OUTPUT / "mandelbrot.png", np.log(picture), cmap="magma")
    progress.advance(task)
    small = plane(150, 120)
    plain, expected = seconds(mandelbrot, *small)
    same, mine = compiled(*small), seconds(compiled, *small)[0]
    # On the boundary the count depends on the last bit, and XLA fuses z * z + c.
    agreement = np.mean(same == expected)
    assert agreement > 0.999, "compiled and plain pictures differ"
    progress.advance(task)
    return (
        f"2  Mandelbrot: 900 x 720 in {ours:.2f} s, in {OUTPUT}/mandelbrot.png; at 150 x 120 the "
        f"undecorated function takes {plain:.2f} s, compiled {mine * 1e3:.1f} ms: "
        f"[bold]{plain / mine:.0f} times faster[/], {agreement:.2%} of the pixels equal"
    )


def artifact(progress: Progress, weights: Any, images: np.ndarray) -> str:
    """Export the classifier, load it without the compiler, serve it and query it."""
    task = progress.add_task("4  the classifier, served", total=4)
    folder = OUTPUT / "models"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "digits.ingot"
    serving.export(weights, path)
    progress.advance(task)
    expected = forward(images, weights).argmax(axis=1)
    seconds, answers = serving.loaded_elsewhere(path, images)
    assert np.array_equal(answers, expected), "the loaded artifact predicts something else"
    progress.advance(task)
    with serving.served(folder) as ports:
        progress.advance(task)
        answers, count = serving.asked(ports, "digits", images)
    assert np.array_equal(answers, expected), "the server predicts something else"
    progress.advance(task)
    return (
        f"4  artifact: {path}, {path.stat().st_size / 2**10:.0f} KiB; a fresh process without the "
        f"compiler answers {len(images)} images after [bold]{seconds * 1e3:.0f} ms[/]; ingot serve "
        f"answers tritonclient's {count} requests over HTTP and gRPC; every prediction is NumPy's"
    )


def softplus(x, n):
    total = 0.0
    for i in range(n):
        total += np.sum(np.log(1 + np.exp(x)) * i) + np.sum(np.log(1 + np.exp(x)))
    return total


def passes(progress: Progress) -> list[tuple[str, str]]:
    """The IR of a small function before and after each pass."""
    task = progress.add_task("3  the IR of a small function", total=1)
    lowered = ingot.jit(softplus).lower(np.zeros(4), 10)
    shown = [("what the frontend emits", lowered.ir())]
    before = shown[0][1]
    for name, text in lowered.passes():
        shown.append((f"after {name}", text if text != before else "(unchanged)\n"))
        before = text
    progress.advance(task)
    return shown


def in_processes(progress: Progress) -> str:
    """Train the classifier in two processes; the losses must be those of this one's device."""
    task = progress.add_task("7  two processes", total=2)
    script = Path(__file__).parent / "distributed" / "digits.py"
    command = [sys.executable, "-m", "ingot", "launch", "-n", "2", "--devices", "1", str(script)]
    run = functools.partial(subprocess.run, capture_output=True, text=True, check=True)
    took, ran = seconds(run, command)
    found = [float(line.split()[-1]) for line in ran.stdout.splitlines() if " loss " in line]
    progress.advance(task)
    images, labels = data_parallel.digits()
    expected, _ = data_parallel.train(images, labels)
    difference = float(np.max(np.abs(np.divide(found, expected) - 1)))
    assert difference < 1e-9, "two processes have other losses than one device"
    progress.advance(task)
    return (
        f"7  two processes: the same training in {took:.1f} s with their start, to loss "
        f"{found[-1]:.3f}, largest relative difference to one device {difference:.0e}"
    )


def main() -> None:
    with Progress(console=console) as progress:
        line, weights, images = digits(progress)
        lines = [line, fractal(progress)]
        shown = passes(progress)
        lines.append(artifact(progress, weights, images))
        lines.append(fitted(progress))
        lines.append(on_devices(progress))
        lines.append(in_processes(progress))
    for line in lines:
        console.print(line)
    console.print("3  IR of:")
    import inspect

    console.print(Syntax(inspect.getsource(softplus), "python", background_color="default"))
    for title, text in shown:
        console.rule(title, align="left")
        console.print(text, markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
