//===- CallLibraries.cpp - Call CPU libraries where XLA is slow -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// runtime/native/NumpyCalls.cpp implements the calls of NumPy, jaxlib those of
// LAPACK.
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Ingot/NumpyFunctions.h"
#include "Lowering.h"
#include "Matrices.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

namespace ingot {
#define GEN_PASS_DEF_CALLLIBRARIES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The smallest problems for which a call is faster: XLA computes smaller ones
/// in the time of a call, and fuses them with the code around.
static constexpr int64_t leastProducts = 4096, leastLength = 16,
                         leastElements = 512;

/// The most small triangular systems for each of their rows for which calls of
/// LAPACK are faster.
static constexpr int64_t mostCalls = 8;

Attribute ingot::rowMajor(Builder &builder, Type type) {
  auto axes = llvm::seq(cast<RankedTensorType>(type).getRank());
  SmallVector<int64_t> order(llvm::reverse(axes));
  auto kind = RankedTensorType::get(order.size(), builder.getIndexType());
  return DenseIntElementsAttr::get(kind, order);
}

/// Calls a library function. Operands and results are in row-major order.
static ValueRange call(OpBuilder &builder, Location location, StringRef target,
                       ValueRange operands, TypeRange results,
                       ArrayRef<NamedAttribute> attributes) {
  auto layouts = [&](TypeRange types) {
    return builder.getArrayAttr(llvm::map_to_vector(
        types, [&](Type type) { return rowMajor(builder, type); }));
  };
  return stablehlo::CustomCallOp::create(
             builder, location, results, operands, target,
             /*has_side_effect=*/false, builder.getDictionaryAttr(attributes),
             /*api_version=*/4, layouts(operands.getTypes()), layouts(results),
             /*output_operand_aliases=*/ArrayAttr())
      .getResults();
}

/// Replaces an operation by a call of NumPy.
static void callNumpy(Operation *op, StringRef target, ValueRange operands,
                      ArrayRef<NamedAttribute> attributes) {
  OpBuilder builder(op);
  op->replaceAllUsesWith(call(builder, op->getLoc(),
                              ("ingot.numpy." + target).str(), operands,
                              op->getResultTypes(), attributes));
  op->erase();
}

static NamedAttribute list(OpBuilder &builder, StringRef name,
                           ArrayRef<int64_t> values) {
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
}

static NamedAttribute text(OpBuilder &builder, StringRef name,
                           StringRef value) {
  return builder.getNamedAttr(name, builder.getStringAttr(value));
}

/// The product of the sizes before an axis, its size, and the product of those
/// after it.
static SmallVector<int64_t> shapeAround(RankedTensorType type, int64_t axis) {
  ArrayRef<int64_t> shape = type.getShape();
  return {llvm::product_of(shape.take_front(axis)), shape[axis],
          llvm::product_of(shape.drop_front(axis + 1))};
}

// Matrix products.

static bool hasProducts(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return element.isF32() || element.isF64();
}

/// The number of multiplications for one matrix; 0 for two vectors.
static int64_t productsOf(DotGeneralOp op) {
  auto sizes = [](Value value, ArrayRef<int64_t> axes) {
    int64_t size = 1;
    for (int64_t axis : axes)
      size *= typeOf(value).getDimSize(axis);
    return size;
  };
  int64_t batch = sizes(op.getLhs(), op.getLhsBatching());
  int64_t count = op.getType().getNumElements();
  if (batch == 0 || count == batch)
    return 0;
  return count / batch * sizes(op.getLhs(), op.getLhsContracting());
}

/// Pattern: dot_general(a, b) -> numpy.matmul(a, b), with strides
static void callMatmul(DotGeneralOp op) {
  if (!hasProducts(elementOf(op.getLhs())) || op.getLhsZeros() ||
      op.getRhsZeros() || productsOf(op) < leastProducts)
    return;
  OpBuilder builder(op);
  MatrixProduct product(builder, op);
  const auto &[left, right] = product.matrices;
  int64_t rows = left.free.size, columns = right.free.size;
  Matrices result{
      {left.batch.size, rows * columns}, {rows, columns}, {columns, 1}};
  SmallVector<int64_t> steps =
      matmulSteps(left, right, result, itemBytes(elementOf(op.getLhs())));
  callNumpy(op, "gufunc", product.operands,
            {text(builder, "name", "matmul"),
             list(builder, "dims", matmulSizes(left, right)),
             list(builder, "steps", steps)});
}

// Functions of matrices.

/// Pattern: call_numpy "solve"(a, b) -> numpy.linalg.solve(a, b)
static void callOfMatrices(CallNumpyOp op) {
  const NumpyFunction &function = *NumpyFunction::find(op.getName());
  SmallVector<Value> arrays(op.getOperands());
  llvm::append_range(arrays, op.getResults().drop_back());
  std::map<char, int64_t> sizes;
  SmallVector<int64_t> batchSteps, coreSteps;
  for (auto [array, core] : llvm::zip_equal(arrays, function.cores())) {
    int64_t item = itemBytes(elementOf(array)), step = item;
    SmallVector<int64_t> steps;
    for (auto [letter, size] :
         llvm::zip(llvm::reverse(core), llvm::reverse(shapeOf(array)))) {
      sizes[letter] = size;
      steps.insert(steps.begin(), step);
      step *= size;
    }
    batchSteps.push_back(step);
    llvm::append_range(coreSteps, steps);
  }
  SmallVector<int64_t> dims{typeOf(op.getResults().back()).getNumElements()};
  for (char letter : function.dimensions())
    dims.push_back(sizes[letter]);
  llvm::append_range(batchSteps, coreSteps);
  OpBuilder builder(op);
  callNumpy(op, "gufunc", op.getOperands(),
            {text(builder, "name", function.name), list(builder, "dims", dims),
             list(builder, "steps", batchSteps)});
}

// Triangular systems.

/// Pattern: triangular_solve(a, b) -> trsm(a, b)
/// LAPACK's matrices are column-major, so it sees both matrices transposed, and
/// the triangular one is on the right.
static void callTriangularSolve(TriangularSolveOp op) {
  RankedTensorType type = op.getType();
  int64_t rank = type.getRank(), rows = type.getDimSize(rank - 2),
          columns = type.getDimSize(rank - 1);
  if (type.getNumElements() == 0)
    return;
  // XLA solves the systems of a batch at once, by a loop over the rows.
  int64_t batch = type.getNumElements() / (rows * columns);
  if (rows * rows * columns < leastProducts && batch > mostCalls * rows)
    return;
  OpBuilder builder(op);
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[rank - 2], shape[rank - 1]);
  Type transposed = type.clone(shape);
  auto option = [&](StringRef name, char value) {
    Type byte = builder.getIntegerType(8, /*isSigned=*/false);
    return builder.getNamedAttr(name, builder.getIntegerAttr(byte, value));
  };
  Value b = ReshapeOp::create(builder, op.getLoc(), transposed, op.getB())
                .getResult();
  std::string target =
      (Twine("lapack_") + Twine(letterOf(type.getElementType())) + "trsm_ffi")
          .str();
  Value x =
      call(builder, op.getLoc(), target, {op.getA(), b}, transposed,
           {option("side", 'R'), option("uplo", op.getLower() ? 'U' : 'L'),
            option("trans_x", 'N'), option("diag", op.getUnit() ? 'U' : 'N')})
          .front();
  op.replaceAllUsesWith(
      ReshapeOp::create(builder, op.getLoc(), type, x).getResult());
  op.erase();
}

// Fourier transforms.

/// Pattern: fft(x) -> numpy.fft(x, 1), ifft(x) -> numpy.ifft(x, 1 / length)
static void callFft(FftOp op) {
  RankedTensorType from = typeOf(op.getOperand()), to = op.getType();
  if (to.getNumElements() == 0)
    return;
  OpBuilder builder(op);
  Type real = realOf(from.getElementType());
  auto scalar = RankedTensorType::get({}, real);
  Value scale = ConstantOp::create(
      builder, op.getLoc(), scalar,
      DenseElementsAttr::get(scalar,
                             builder.getFloatAttr(real, numpyFactor(op))));
  int64_t taken = from.getShape().back(), given = to.getShape().back(),
          read = itemBytes(from.getElementType()),
          stored = itemBytes(to.getElementType());
  callNumpy(op, "gufunc", {op.getOperand(), scale},
            {text(builder, "name", numpyName(op)),
             list(builder, "dims", {to.getNumElements() / given, taken, given}),
             list(builder, "steps",
                  {taken * read, 0, given * stored, read, stored})});
}

// Operations along an axis.

static StringRef ufuncOf(ReduceKind kind, Type element) {
  bool isBool = element.isInteger(1);
  switch (kind) {
  case ReduceKind::Add:
    return isBool ? "" : "add";
  case ReduceKind::Mul:
    return isBool ? "" : "multiply";
  case ReduceKind::Max:
    return "maximum";
  case ReduceKind::Min:
    return "minimum";
  default:
    return "";
  }
}

/// Pattern: cumulative add x -> numpy.add.accumulate(x)
static void callAccumulate(CumulativeOp op) {
  OpBuilder builder(op);
  RankedTensorType type = op.getType();
  StringRef name = ufuncOf(op.getKind(), type.getElementType());
  if (name.empty() || type.getDimSize(op.getAxis()) < leastLength)
    return;
  callNumpy(op, "accumulate", op.getOperand(),
            {text(builder, "name", name),
             list(builder, "shape", shapeAround(type, op.getAxis()))});
}

/// Whether a sort serves to find where its keys come from.
static bool isArgsort(SortOp op) {
  if (op->getNumOperands() != 2 || !op->getResult(0).use_empty())
    return false;
  auto indices = op->getOperand(1).getDefiningOp<IotaOp>();
  return indices && indices.getAxis() == op.getAxis() &&
         elementOf(indices).isSignlessInteger(64);
}

/// Pattern: sort(x) keys = 1 -> numpy.sort(x)
/// Pattern: sort(x, iota) keys = 1 -> unused, numpy.argsort(x)
/// Pattern: sort(x, y) keys = 1 -> both by x's numpy.argsort
/// Where equal keys may come in any order, they come in NumPy's.
static void callSort(SortOp op) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getResultTypes().front());
  if (op.getNumKeys() != 1 || type.getElementType().isBF16() ||
      type.getNumElements() == 0)
    return;
  SmallVector<NamedAttribute> attributes{
      list(builder, "shape", shapeAround(type, op.getAxis())),
      builder.getNamedAttr("stable", op.getIsStableAttr())};
  if (isArgsort(op)) {
    Value order =
        call(builder, op.getLoc(), "ingot.numpy.argsort", op->getOperand(0),
             TypeRange(op->getResultTypes()).drop_front(), attributes)
            .front();
    op->getResult(1).replaceAllUsesWith(order);
    op->erase();
    return;
  }
  callNumpy(op, "sort", op.getOperands_(), attributes);
}

// Elementwise functions.

/// The name in NumPy of a function that XLA computes by a long formula.
static StringRef functionOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](ExpOp) { return "exp"; })
      .Case([](Expm1Op) { return "expm1"; })
      .Case([](LogOp) { return "log"; })
      .Case([](Log1pOp) { return "log1p"; })
      .Case([](CbrtOp) { return "cbrt"; })
      .Case([](SinOp) { return "sin"; })
      .Case([](CosOp) { return "cos"; })
      .Case([](TanOp) { return "tan"; })
      .Case([](AsinOp) { return "arcsin"; })
      .Case([](AcosOp) { return "arccos"; })
      .Case([](AtanOp) { return "arctan"; })
      .Case([](SinhOp) { return "sinh"; })
      .Case([](CoshOp) { return "cosh"; })
      .Case([](TanhOp) { return "tanh"; })
      .Case([](AsinhOp) { return "arcsinh"; })
      .Case([](AcoshOp) { return "arccosh"; })
      .Case([](AtanhOp) { return "arctanh"; })
      .Case([](PowOp) { return "power"; })
      .Case([](Atan2Op) { return "arctan2"; })
      .Default([](Operation *) { return ""; });
}

/// An operand of the call: a scalar, or an array of the result's shape.
static Value takeElements(OpBuilder &builder, Value operand,
                          RankedTensorType type) {
  while (auto broadcast = operand.getDefiningOp<BroadcastToOp>())
    operand = broadcast.getOperand();
  if (typeOf(operand) == type || typeOf(operand).getNumElements() == 1)
    return operand;
  return BroadcastToOp::create(builder, operand.getLoc(), type, operand);
}

/// Pattern: exp(x) -> numpy.exp(x)
static void callFunction(Operation *op, const llvm::StringSet<> &vectorised) {
  StringRef name = functionOf(op);
  if (name.empty())
    return;
  auto type = cast<RankedTensorType>(op->getResultTypes().front());
  std::string key;
  llvm::raw_string_ostream(key) << name << '/' << type.getElementType();
  if (!vectorised.contains(key) || type.getNumElements() < leastElements)
    return;
  OpBuilder builder(op);
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return takeElements(builder, operand, type);
  });
  callNumpy(op, "ufunc", operands, text(builder, "name", name));
}

namespace {
struct CallLibraries : public ingot::impl::CallLibrariesBase<CallLibraries> {
  using CallLibrariesBase::CallLibrariesBase;

  void runOnOperation() override {
    if (lapackOnly) {
      getOperation()->walk(callTriangularSolve);
      return;
    }
    llvm::StringSet<> functions;
    functions.insert(vectorised.begin(), vectorised.end());
    getOperation()->walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case(callMatmul)
          .Case(callOfMatrices)
          .Case(callFft)
          .Case(callTriangularSolve)
          .Case(callAccumulate)
          .Case(callSort)
          .Default([&](Operation *other) { callFunction(other, functions); });
    });
  }
};
} // namespace
