"""The recipes of CONTRIBUTING.md, followed on a copy of the repository that is then built."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import ingot_runtime._native
from processes import python

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[1]

#: A recipe: of each file, texts that it has and what is written before them; "" is its end.
Recipe = dict[str, list[tuple[str, str]]]

#: np.roll along one axis, with a derivative and a rule for batches.
OPERATION: Recipe = {
    "dialects/Ingot/Shape.td": [("#endif // INGOT_SHAPE_TD", """
        def Ingot_RollOp
            : Ingot_Op<"roll", [Pure, Ingot_Linear, Ingot_Batchable<"axesBut(*this, getAxis())">,
                                SameOperandsAndResultType]> {
          let summary = "np.roll along one axis";
          let description = [{
            Element `i` along `axis` becomes element `i + shift`, modulo the size; `shift` is from 0
            to the size.

            ```mlir
            %1 = ingot.roll %0 axis = 0 shift = 1 : tensor<4xf64>
            ```
          }];
          let arguments = (ins Ingot_Tensor:$operand, I64Attr:$axis, I64Attr:$shift);
          let results = (outs Ingot_Tensor:$result);
          let assemblyFormat = [{
            $operand `axis` `=` $axis `shift` `=` $shift attr-dict `:` type($operand)
          }];
        }

        """)],
    "dialects/Ingot/Derivatives/Shape.cpp": [("", """
        LogicalResult RollOp::buildAdjoints(OpBuilder &builder,
                                            ArrayRef<Value> cotangents,
                                            ValueList &results) {
          int64_t size = getOperand().getType().getDimSize(getAxis());
          results.push_back(RollOp::create(builder, getLoc(), cotangents[0], getAxis(),
                                           size - getShift()));
          return success();
        }
        """)],
    "passes/Lowering/Shape.cpp": [("} // namespace\n", """
        /// Pattern: roll(x) -> concatenate(the last elements, those before)
        struct RollLowering : public OpRewritePattern<RollOp> {
          using OpRewritePattern::OpRewritePattern;
          LogicalResult matchAndRewrite(RollOp op,
                                        PatternRewriter &rewriter) const override {
            Emitter emitter(rewriter, op.getLoc());
            SmallVector<int64_t> sizes(op.getType().getShape()), starts(sizes.size(), 0),
                ones(sizes.size(), 1);
            int64_t axis = op.getAxis(), shift = op.getShift();
            starts[axis] = sizes[axis] - shift;
            sizes[axis] = shift;
            Value last = emitter.slice(op.getOperand(), starts, sizes, ones);
            sizes[axis] = starts[axis];
            starts[axis] = 0;
            Value first = emitter.slice(op.getOperand(), starts, sizes, ones);
            rewriter.replaceOpWithNewOp<stablehlo::ConcatenateOp>(
                op, op.getType(), ValueRange{last, first}, op.getAxisAttr());
            return success();
          }
        };

        """), ("ReshapeLowering,", "RollLowering, ")],
    "frontend/ingot/numpy/primitives.py": [("def handlers()", '''
        @_primitive
        def rolled(ev: Any, a: Any, shift: Any, axis: Any) -> Any:
            """np.roll along one axis."""
            value = ev.read(array_of(ev, a))
            axis = axis_of(ev, axis, len(value.shape))
            shift = ev.static(shift, "a shift") % value.shape[axis]
            return result_of(ev.ops.create("roll", [value], axis=axis, shift=shift), ev.location)


        ''')],
}  # fmt: skip
#: roll(roll(x, a), b) -> roll(x, a + b)
PASS: Recipe = {
    "passes/Passes.td": [("def ForwardUpdates", """
        def FoldRolls : Pass<"fold-rolls", "::mlir::func::FuncOp"> {
          let summary = "Roll once where an array is rolled twice along one axis";
          let dependentDialects = ["::ingot::IngotDialect"];
        }

        """)],
    "passes/CMakeLists.txt": [("  Simplify/ForwardUpdates.cpp", "  Simplify/FoldRolls.cpp\n")],
    "passes/Simplify/FoldRolls.cpp": [("", """
        #include "Passes.h"

        #include "mlir/IR/Builders.h"

        namespace ingot {
        #define GEN_PASS_DEF_FOLDROLLS
        #include "Passes.h.inc"
        } // namespace ingot

        using namespace mlir;
        using namespace ingot;

        /// Pattern: roll(roll(x, a), b) -> roll(x, a + b)
        static void fold(RollOp op) {
          auto inner = op.getOperand().getDefiningOp<RollOp>();
          if (!inner || inner.getAxis() != op.getAxis())
            return;
          uint64_t size = op.getType().getDimSize(op.getAxis());
          op.setShift((op.getShift() + inner.getShift()) % size);
          op.setOperand(inner.getOperand());
        }

        namespace {
        struct FoldRolls : public ingot::impl::FoldRollsBase<FoldRolls> {
          void runOnOperation() override { getOperation().walk(fold); }
        };
        } // namespace
        """)],
}  # fmt: skip
#: A composition of other functions.
FUNCTION: Recipe = {
    "frontend/ingot/numpy/library/editing.py": [("", '''

        def asarray_chkfinite(a, dtype=None, order=None):
            result = np.asarray(a, dtype, order=order)
            if not np.isfinite(result).all():
                raise ValueError("array must not contain infs or NaNs")
            return result
        ''')],
}  # fmt: skip

#: What follows a recipe's title in CONTRIBUTING.md.
RECIPES = {
    "Add an operation": OPERATION,
    "Add a pass": PASS,
    "Add an `np.*` function": FUNCTION,
}


def write(recipe, folder):
    """Follow a recipe in a copy of the repository."""
    for name, edits in recipe.items():
        path = folder / name
        text = path.read_text() if path.exists() else ""
        for anchor, more in edits:
            before, found, after = text.rpartition(anchor) if anchor else (text, "", "")
            assert found == anchor, f"{name} has no {anchor!r}"
            text = before + textwrap.dedent(more).removeprefix("\n") + found + after
        path.write_text(text)


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_names_its_files(title, tmp_path):
    """And its files have what is written before, which costs nothing to know."""
    section = (ROOT / "CONTRIBUTING.md").read_text().split(f"## {title}\n")[1].split("\n## ")[0]
    for name in RECIPES[title]:
        folders = [f"`{each}/" for each in Path(name).parents]
        assert f"`{name}`" in section or any(each in section for each in folders), name
        source = ROOT / name
        if source.exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, tmp_path / name)
    (tmp_path / "passes" / "Simplify").mkdir(parents=True, exist_ok=True)
    write(RECIPES[title], tmp_path)


def test_an_operation_takes_four_files():
    assert len(OPERATION) <= 4
    assert all((ROOT / name).exists() for name in OPERATION)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the repository with all recipes followed, built."""
    folder = tmp_path_factory.mktemp("repository")
    for name in ("CMakeLists.txt", "dialects", "passes", "frontend", "runtime"):
        source = ROOT / name
        duplicate = shutil.copytree if source.is_dir() else shutil.copy
        duplicate(source, folder / name)
    for recipe in RECIPES.values():
        write(recipe, folder)
    build = folder / "build"
    environment = {**os.environ, "CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    for command in (
        ["cmake", "-S", folder, "-B", build, "-G", "Ninja", "-DINGOT_TOOLS=OFF",
         f"-DPython_EXECUTABLE={sys.executable}"],
        ["cmake", "--build", build, "--target", "_core", "--parallel", "2"],
    ):  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    (module,) = (build / "frontend" / "bindings").glob("_core*.so")
    shutil.copy(module, folder / "frontend" / "ingot")
    shutil.copy(ingot_runtime._native.__file__, folder / "runtime" / "ingot_runtime")
    return folder


#: Before what a program of the copy does: no editable install comes before it.
START = """
import sys
sys.meta_path[:] = [each for each in sys.meta_path if "editable" not in type(each).__module__]
import numpy as np
import ingot
from ingot.numpy.primitives import rolled
assert ingot.__file__.startswith(sys.argv[1]), ingot.__file__
same = np.testing.assert_array_equal
x = np.arange(12.0).reshape(3, 4)
"""


def run(copy, tmp_path, text):
    program = tmp_path / "program.py"
    program.write_text(START + textwrap.dedent(text))
    folders = os.pathsep.join(str(copy / each) for each in ("frontend", "runtime"))
    done = python(program, copy, PYTHONPATH=folders)
    assert done.returncode == 0, done.stderr


@pytest.mark.nightly
def test_the_operation(copy, tmp_path):
    run(copy, tmp_path, """
        w = np.array([1.0, -2.0, 3.0, 0.5])
        def f(x):
            return rolled(x, 1, -1) * w
        assert "ingot.roll" in ingot.jit(f).lower(x).ir()
        same(ingot.jit(f)(x), np.roll(x, 1, -1) * w)
        same(ingot.grad(lambda x: np.sum(f(x)))(x), np.tile(np.roll(w, -1), (3, 1)))
        same(ingot.vmap(f)(x), np.roll(x, 1, -1) * w)
        lowered = ingot.vmap(ingot.grad(lambda x: np.sum(f(x)))).lower(x)
        assert "ingot.roll" in lowered.ir(after="expand-transformations")
        same(ingot.vmap(ingot.grad(lambda x: np.sum(f(x))))(x), np.tile(np.roll(w, -1), (3, 1)))
    """)  # fmt: skip


@pytest.mark.nightly
def test_the_pass(copy, tmp_path):
    run(copy, tmp_path, """
        from ingot._core import parse
        text = ingot.jit(lambda x: rolled(rolled(x, 1, 0), 1, 0)).lower(x).ir()
        assert text.count("ingot.roll") == 2
        module = parse(text)
        module.run("func.func(fold-rolls),canonicalize")
        assert module.text().count("ingot.roll") == 1
        assert "axis = 0 shift = 2" in module.text()
    """)  # fmt: skip


@pytest.mark.nightly
def test_the_function(copy, tmp_path):
    run(copy, tmp_path, """
        f = ingot.jit(lambda x: np.asarray_chkfinite(x) * 2)
        same(f(x), x * 2)
        try:
            f(np.full((3, 4), np.inf))
        except ValueError as error:
            assert "infs or NaNs" in str(error)
        else:
            raise AssertionError("infinity was accepted")
    """)  # fmt: skip


@pytest.mark.nightly
def test_a_rule(copy, tmp_path):
    run(copy, tmp_path, """
        @ingot.rewrite
        def even(x):
            return np.cos(-x), np.cos(x)
        f = ingot.jit(lambda x: rolled(np.cos(-x), 1, 0))
        text = f.lower(x).ir(after="apply-rewrites")
        assert "ingot.roll" in text and "ingot.neg" not in text
        np.testing.assert_allclose(f(x), np.roll(np.cos(x), 1, 0))
    """)  # fmt: skip
