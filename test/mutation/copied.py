"""A copy of the repository in which a sample of mutants is compiled in, all at once.

The copy has a build and a virtual environment of its own. Of C++, only the instrumented files are compiled
anew, without optimization, where ccache has the others.
"""

from __future__ import annotations

import dataclasses
import os
import random
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

import sites_cpp
import sites_python
from sites import Site, instrumented

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
#: Compiled by Ingot itself, which would see the calls.
LEFT_OUT = ("frontend/ingot/numpy/library/",)
#: Mutants of a file of C++, each of which has to be compiled.
PER_FILE = 5
#: How many times what does not compile is left out.
ROUNDS = 8

_ERROR = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):\d+: (?:fatal )?error", re.MULTILINE)


def files(folders: Iterable[str]) -> Iterator[str]:
    """The sources below some folders that are part of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in listed.stdout.splitlines():
        if name.endswith((".cpp", ".py")) and not name.startswith(LEFT_OUT):
            yield name


def sites_of(name: str, text: str) -> list[Site]:
    """All sites of a file."""
    return (sites_cpp if name.endswith(".cpp") else sites_python).sites(name, text)


def sample(found: dict[str, list[Site]], count: int, chosen: random.Random) -> list[Site]:
    """So many sites, half of them of C++, in the order in which they are judged.

    Of C++, files are drawn by the number of their sites and then an equal number in each, so that each site
    is as likely and few files are compiled.
    """
    cpp = {name: each for name, each in found.items() if name.endswith(".cpp")}
    python = [site for name, each in found.items() if name not in cpp for site in each]
    wanted = count if not python else (count + 1) // 2 if cpp else 0
    drawn: list[Site] = []
    # The largest keys of u**(1/weight) are a draw by weight without repetition.
    ordered = sorted(cpp, key=lambda name: chosen.random() ** (1 / max(1, len(cpp[name]))))
    while ordered and len(drawn) < wanted:
        sites = cpp[ordered.pop()]
        drawn += chosen.sample(sites, min(PER_FILE, len(sites), wanted - len(drawn)))
    drawn += chosen.sample(python, min(len(python), count - len(drawn)))
    chosen.shuffle(drawn)
    return drawn


@dataclasses.dataclass
class Copy:
    """A copy of the repository below a folder."""

    folder: Path

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def python(self) -> Path:
        return self.tree / ".venv" / "bin" / "python"

    def write(self, keep_instrumented: bool = False) -> None:
        """Copy what git knows, changed or new, and the environment; or tests only, anew."""
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        for name in listed.stdout.split("\0"):
            source, target = ROOT / name, self.tree / name
            if not source.is_file() or (keep_instrumented and not name.startswith("test/")):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            # What is the same keeps its time, for the build.
            if not target.exists() or target.read_bytes() != source.read_bytes():
                shutil.copy(source, target)
        if not self.python.exists():
            self._environment()
        lit = self.tree / "test" / "lit.cfg.py"
        lit.write_text(
            lit.read_text()
            + '\nfor name in ("INGOT_MUTANT", "INGOT_MUTANTS_REACHED", "INGOT_CACHE_DIR"):\n'
            "    if name in os.environ:\n"
            "        config.environment[name] = os.environ[name]\n"
        )

    def _environment(self) -> None:
        """The virtual environment, of links to the same files, with the copy's packages."""
        environment = self.tree / ".venv"
        subprocess.run(["cp", "-al", ROOT / ".venv", environment], check=True)
        packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
        for old in [
            *packages.glob("_editable_*ingot*"),
            packages / "ingot",
            packages / "ingot_runtime",
        ]:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        shutil.copy(HERE / "ingot_mutants.py", packages)
        lines = ["import ingot_mutants", self.tree / "frontend", self.tree / "runtime"]
        (packages / "ingot_mutants.pth").write_text("".join(f"{line}\n" for line in lines))
        for name in ("ingot", "lit"):
            script = environment / "bin" / name
            text = script.read_text().replace(str(ROOT / ".venv"), str(environment))
            script.unlink()
            script.write_text(text)
            script.chmod(0o755)

    def instrument(self, sample: list[Site]) -> list[Site | None]:
        """Compile the sites in; returns them with None for each that does not compile."""
        kept: list[Site | None] = list(sample)
        of_python = {site.file for site in sample if site.file.endswith(".py")}
        for name in sorted(of_python):
            self._instrument_python(name, kept)
        for _ in range(ROUNDS):
            names = {site.file for site in sample if site.file.endswith(".cpp")}
            for name in names:
                self._splice(name, kept)
            self._options(names)
            errors = self._build(names)
            if not errors:
                return kept
            for name, lines in errors.items():
                self._leave_out(name, lines, kept)
        raise SystemExit(f"the copy does not build, see {self.folder / 'build.log'}")

    def _leave_out(self, name: str, lines: set[int], kept: list[Site | None]) -> None:
        """Leave out the sites of lines that do not compile; all of a file, if the errors are elsewhere."""
        numbered = [(i, site) for i, site in enumerate(kept) if site and site.file == name]
        wrong = [i for i, site in numbered if not lines.isdisjoint(site.lines)]
        for i in wrong or [i for i, _ in numbered]:
            kept[i] = None

    def _splice(self, name: str, kept: list[Site | None]) -> str:
        numbered = [(i, site) for i, site in enumerate(kept) if site and site.file == name]
        text = instrumented((ROOT / name).read_text(), numbered)
        target = self.tree / name
        if target.read_text() != text:
            target.write_text(text)
        return text

    def _instrument_python(self, name: str, kept: list[Site | None]) -> None:
        numbers = [i for i, site in enumerate(kept) if site and site.file == name]
        for i in numbers:
            alone = [site if j == i else None for j, site in enumerate(kept)]
            try:
                compile(self._splice(name, alone), name, "exec")
            except SyntaxError:
                kept[i] = None
        compile(self._splice(name, kept), name, "exec")

    def _options(self, names: Iterable[str]) -> None:
        """Of the build: what only instrumented files are compiled with."""
        folders: dict[Path, list[str]] = {}
        for name in sorted(names):
            folder = next(
                each for each in (self.tree / name).parents if (each / "CMakeLists.txt").exists()
            )
            folders.setdefault(folder, []).append(str((self.tree / name).relative_to(folder)))
        for folder, sources in folders.items():
            lists = folder / "CMakeLists.txt"
            text = (ROOT / lists.relative_to(self.tree)).read_text()
            options = f"-O0;-w;-include;{HERE / 'mutant.h'}"
            listed = " ".join(sources)
            text += (
                f'\nset_source_files_properties({listed} PROPERTIES COMPILE_OPTIONS "{options}")\n'
            )
            if lists.read_text() != text:
                lists.write_text(text)

    def _build(self, names: Iterable[str]) -> dict[str, set[int]]:
        """Build the copy and return the lines that do not compile, by file."""
        build = self.tree / "build"
        environment = {**os.environ, "CCACHE_BASEDIR": str(self.tree), "CCACHE_NOHASHDIR": "1"}
        configure = ["cmake", "-S", self.tree, "-B", build, "-G", "Ninja"]
        configure += [f"-DPython_EXECUTABLE={self.python}", "-DCMAKE_INSTALL_MESSAGE=NEVER"]
        # ccache knows what the same compilers made for our own build.
        cache = (ROOT / "build" / "CMakeCache.txt").read_text()
        found = re.findall(r"^(CMAKE_C(?:XX)?_COMPILER):\w+=(.+)$", cache, re.MULTILINE)
        configure += [f"-D{name}={value}" for name, value in found]
        subprocess.run(configure, check=True, env=environment, stdout=subprocess.DEVNULL)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", "2")
        done = subprocess.run(
            ["ninja", "-C", build, "-k", "0", "-j", jobs],
            env=environment,
            capture_output=True,
            text=True,
        )
        (self.folder / "build.log").write_text(done.stdout + done.stderr)
        if done.returncode == 0:
            self._install(build)
            return {}
        errors: dict[str, set[int]] = {}
        for name in names:
            # An object is named after its source, below the folder of its target.
            if re.search(
                rf"^FAILED: .*/{re.escape(Path(name).name)}\.o\b", done.stdout, re.MULTILINE
            ):
                errors[name] = set()
        for found in _ERROR.finditer(done.stdout):
            name = os.path.relpath(Path(build, found["file"]), self.tree)
            errors.setdefault(name, set()).add(int(found["line"]))
        if not errors:
            raise SystemExit(f"the copy does not build, see {self.folder / 'build.log'}")
        return errors

    def _install(self, build: Path) -> None:
        """Put the extension modules into the packages, from which the copy's Python imports."""
        installed = self.folder / "installed"
        command = ["cmake", "--install", build, "--prefix", installed]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for package, folder in (("ingot", "frontend"), ("ingot_runtime", "runtime")):
            for library in (installed / package).glob("*.so"):
                shutil.copy(library, self.tree / folder / package)
