//===- LinearAlgebra.cpp - Factorisations of matrices ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"
#include "Ingot/NumpyFunctions.h"

using namespace mlir;

namespace ingot {

/// The type of batched matrices: their rows and columns, and types with the
/// same batch axes.
namespace {
struct Matrices {
  explicit Matrices(RankedTensorType type)
      : type(type), batch(type.getShape().drop_back(2)),
        rows(type.getShape().end()[-2]), columns(type.getShape().end()[-1]) {}

  Type of(ArrayRef<int64_t> core, Type element) const {
    SmallVector<int64_t> shape(batch);
    llvm::append_range(shape, core);
    return RankedTensorType::get(shape, element);
  }
  Type of(ArrayRef<int64_t> core) const {
    return of(core, type.getElementType());
  }
  Type real() const { return realOf(type.getElementType()); }
  Type i32() const { return IntegerType::get(type.getContext(), 32); }

  RankedTensorType type;
  ArrayRef<int64_t> batch;
  int64_t rows, columns;
};
} // namespace

static FailureOr<Matrices> matrices(Location location, Value value,
                                    bool isSquare) {
  RankedTensorType type = typeOf(value);
  if (type.getRank() < 2)
    return emitOptionalError(location, type.getRank(),
                             "-dimensional array given. Array must be at least "
                             "two-dimensional");
  Matrices found(type);
  if (isSquare && found.rows != found.columns)
    return emitOptionalError(location,
                             "Last 2 dimensions of the array must be square");
  return found;
}

LogicalResult CholeskyOp::inferReturnTypes(MLIRContext *, Location location,
                                           Adaptor adaptor, Types &results) {
  results.push_back(adaptor.getOperand().getType());
  return matrices(location, adaptor.getOperand(), /*isSquare=*/true);
}

LogicalResult TriangularSolveOp::inferReturnTypes(MLIRContext *,
                                                  Location location,
                                                  Adaptor adaptor,
                                                  Types &results) {
  Value a = adaptor.getA(), b = adaptor.getB();
  results.push_back(b.getType());
  if (failed(matrices(location, a, /*isSquare=*/true)) ||
      failed(matrices(location, b, /*isSquare=*/false)) ||
      failed(checkSameElement(location, a, b)))
    return failure();
  if (shapeOf(a).drop_back() != shapeOf(b).drop_back())
    return emitOptionalError(location, "shapes ", shapeText(shapeOf(a)),
                             " and ", shapeText(shapeOf(b)),
                             " do not make a system of equations");
  return success();
}

LogicalResult LuOp::inferReturnTypes(MLIRContext *, Location location,
                                     Adaptor adaptor, Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/false);
  if (failed(found))
    return failure();
  results.append({found->type, found->of(std::min(found->rows, found->columns),
                                         found->i32())});
  return success();
}

LogicalResult QrOp::inferReturnTypes(MLIRContext *, Location location,
                                     Adaptor adaptor, Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/false);
  if (failed(found))
    return failure();
  int64_t inner =
      adaptor.getFull() ? found->rows : std::min(found->rows, found->columns);
  results.append(
      {found->of({found->rows, inner}), found->of({inner, found->columns})});
  return success();
}

LogicalResult EighOp::inferReturnTypes(MLIRContext *, Location location,
                                       Adaptor adaptor, Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/true);
  if (failed(found))
    return failure();
  results.append({found->of(found->rows, found->real()), found->type,
                  found->of({}, found->i32())});
  return success();
}

LogicalResult SvdOp::inferReturnTypes(MLIRContext *, Location location,
                                      Adaptor adaptor, Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/false);
  if (failed(found))
    return failure();
  int64_t rows = found->rows, columns = found->columns,
          inner = std::min(rows, columns);
  bool isFull = adaptor.getFull();
  results.append({found->of({rows, isFull ? rows : inner}),
                  found->of(inner, found->real()),
                  found->of({isFull ? columns : inner, columns}),
                  found->of({}, found->i32())});
  return success();
}

LogicalResult EigOp::inferReturnTypes(MLIRContext *, Location location,
                                      Adaptor adaptor, Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/true);
  if (failed(found))
    return failure();
  results.append(
      {found->of(found->rows), found->type, found->of({}, found->i32())});
  return success();
}

/// Verifies that a call's results are those of the function.
static LogicalResult verifyCall(Operation *op, StringRef name) {
  const NumpyFunction *function = NumpyFunction::find(name);
  if (!function)
    return op->emitOpError("no function `")
           << name << "` of np.linalg is known";
  auto types = resultTypesOf(*function, op->getOperandTypes(),
                             [&] { return op->emitOpError(); });
  if (failed(types))
    return failure();
  if (op->getResultTypes() != TypeRange(*types))
    return op->emitOpError("`") << name << "` gives (" << TypeRange(*types)
                                << ") and not (" << op->getResultTypes() << ")";
  return success();
}

LogicalResult CallNumpyOp::verify() { return verifyCall(*this, getName()); }

LogicalResult NumpyFunctionOp::verifyRegions() {
  return failure(failed(verifyCall(*this, getName())) ||
                 failed(verifyRegion(*this, getBody(), getOperandTypes(),
                                     getResultTypes())));
}

} // namespace ingot
