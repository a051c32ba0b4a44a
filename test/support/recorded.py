"""The modules that programs become, for a build of ingot-opt with sanitizers.

`INGOT_RECORD=DIR pytest -p recorded` writes each module that is compiled, and each kernel, into a
folder; so does `python test/support/recorded.py DIR --npbench CHECKOUT` with NPBench's kernels. Then
`python test/support/recorded.py DIR --opt build-sanitize/bin/ingot-opt` runs the pipelines for
native code, for other programs and for accelerators on each: it ends by success or by an error
that it reports, never by a signal or a sanitizer.
"""

import argparse
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

#: Seconds for a module in all of its pipelines.
LIMIT = 600
#: As in test/lit.cfg.py. The status of a process that a sanitizer ends is none of the tool's own.
OPTIONS = "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:exitcode=99"


def install(folder: Path) -> None:
    """Write the modules that are compiled from now on."""
    from ingot import kernels, lowering

    # Tests change the working directory.
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    run, load = lowering._run, kernels.load

    def recorded(module, pipeline):
        write(folder, pipeline, module.text())
        return run(module, pipeline)

    def loaded(texts):
        for text in texts.values():
            write(folder, "ingot-kernel-to-llvm", text)
        return load(texts)

    lowering._run, kernels.load = recorded, loaded


def write(folder: Path, pipeline: str, text: str) -> None:
    """A module as a file, whose first line is the pipeline that it is for."""
    name = hashlib.sha256(f"{pipeline}\0{text}".encode()).hexdigest()[:24]
    path = folder / f"{name}.mlir"
    if not path.exists():
        # Several processes and threads may write the same one.
        part = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        part.write_text(f"// {pipeline}\n{text}")
        part.rename(path)


def pytest_configure():
    install(Path(os.environ["INGOT_RECORD"]))


def pipelines(recorded: str) -> list[str]:
    """What is run on a module: of lowering, what each kind of target gets."""
    if not recorded.startswith("ingot-to-stablehlo"):
        return [recorded]
    kept = re.sub(r"(?<=[{ ])(native|call-libraries|call-lapack|accelerator)(?=[ }])", "", recorded)
    bare = re.sub(r"(functions|vectorised)=[^ }]*", "", kept)
    return [recorded, bare, bare.replace("{", "{accelerator ", 1)]


def judged(opt: Path, path: Path) -> list[str]:
    """The pipelines at which the tool ends by a sanitizer, a signal or not at all, with why."""
    text = path.read_text()
    recorded = text.partition("\n")[0].removeprefix("// ")
    environment = {
        **os.environ,
        "ASAN_OPTIONS": OPTIONS,
        "UBSAN_OPTIONS": "print_stacktrace=1:exitcode=99",
    }
    bad = []
    for pipeline in dict.fromkeys(pipelines(recorded)):
        command = [opt, f"--pass-pipeline=builtin.module({pipeline})", "-o", os.devnull]
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, env=environment, timeout=LIMIT
            )
        except subprocess.TimeoutExpired:
            bad.append(f"{path} {pipeline}: not done in {LIMIT} s")
            continue
        if done.returncode not in (0, 1):
            bad.append(f"{path} {pipeline}: status {done.returncode}\n{done.stderr[-4000:]}")
    return bad


def record_npbench(folder: Path, checkout: Path) -> None:
    """Write the modules of NPBench's kernels."""
    import ingot

    sys.path[:0] = [str(checkout), str(Path(__file__).parents[2] / "bench")]
    import npbench_kernels

    install(folder)
    for name in npbench_kernels.listed(checkout):
        kernel = npbench_kernels.load(checkout, name, "S")
        ingot.jit(kernel.function).lower(*kernel.args).compile()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--npbench", type=Path, metavar="CHECKOUT", help="write its modules")
    parser.add_argument("--opt", type=Path, help="run this ingot-opt on the modules")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.npbench:
        record_npbench(options.folder, options.npbench)
    if not options.opt:
        return 0
    paths = sorted(options.folder.glob("*.mlir"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        bad = [each for some in pool.map(lambda p: judged(options.opt, p), paths) for each in some]
    print(*bad, f"{len(paths)} modules, {len(bad)} pipelines failed", sep="\n")
    # A folder without modules is no test.
    return int(bool(bad) or not paths)


if __name__ == "__main__":
    sys.exit(main())
