//===- CallProducts.cpp - Products of matrices by NumPy -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Bytes.h"
#include "Lowering/Matrices.h"
#include "Scalars.h"

namespace ingot {
#define GEN_PASS_DEF_CALLPRODUCTS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

constexpr StringLiteral functionName = "ingot.multiply";

/// The loops of a product by what their axes are.
struct Roles {
  SmallVector<int64_t> batch, rows, columns, sums;

  explicit Roles(linalg::GenericOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (int64_t loop : llvm::seq(op.getNumLoops())) {
      bool isLeft = maps[0].isFunctionOfDim(loop),
           isRight = maps[1].isFunctionOfDim(loop),
           isResult = maps[2].isFunctionOfDim(loop);
      (!isResult  ? sums
       : !isRight ? rows
       : !isLeft  ? columns
                  : batch)
          .push_back(loop);
    }
  }
};

/// An array in memory, and where the axis of each loop is.
class Operand {
public:
  Operand(Value memory, AffineMap map)
      : memory(memory), type(cast<MemRefType>(memory.getType())), map(map) {}

  /// The axes of some loops as one, if the strides are known and allow it.
  std::optional<Extent> extent(ArrayRef<int64_t> loops) const {
    SmallVector<int64_t> strides, axes;
    int64_t offset;
    if (!type.hasStaticShape() ||
        failed(type.getStridesAndOffset(strides, offset)) ||
        llvm::is_contained(strides, ShapedType::kDynamic))
      return std::nullopt;
    for (int64_t loop : loops)
      axes.push_back(
          *map.getResultPosition(getAffineDimExpr(loop, map.getContext())));
    return merged(type.getShape(), strides, axes);
  }

  /// The same of three groups of loops.
  std::optional<Matrices> matrices(ArrayRef<int64_t> batch,
                                   ArrayRef<int64_t> free,
                                   ArrayRef<int64_t> contracting) const {
    auto items = extent(batch), rows = extent(free), sums = extent(contracting);
    if (!items || !rows || !sums)
      return std::nullopt;
    return Matrices{*items, *rows, *sums};
  }

  int64_t itemBytes() const { return ingot::itemBytes(type.getElementType()); }

  Value address(OpBuilder &b, Location location) const {
    Value base =
        memref::ExtractAlignedPointerAsIndexOp::create(b, location, memory);
    Value offset = memref::ExtractStridedMetadataOp::create(b, location, memory)
                       .getOffset();
    Value bytes = arith::MulIOp::create(
        b, location, offset,
        arith::ConstantIndexOp::create(b, location, itemBytes()));
    return arith::AddIOp::create(b, location, base, bytes);
  }

private:
  Value memory;
  MemRefType type;
  AffineMap map;
};

/// The number of an element type in calls.
int64_t numberOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  Type real = complex ? complex.getElementType() : element;
  return (complex ? 2 : 0) + (real.isF64() ? 1 : 0);
}

struct CallProducts : ingot::impl::CallProductsBase<CallProducts> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> products;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getLibraryCall() == multiplyCall)
        products.push_back(op);
    });
    for (linalg::GenericOp op : products)
      if (failed(call(op)))
        leaveToLoops(op);
  }

private:
  LogicalResult call(linalg::GenericOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Roles roles(op);
    Operand left(op.getDpsInputs()[0], maps[0]),
        right(op.getDpsInputs()[1], maps[1]),
        result(op.getDpsInits()[0], maps[2]);
    auto a = left.matrices(roles.batch, roles.rows, roles.sums),
         b = right.matrices(roles.batch, roles.columns, roles.sums),
         c = result.matrices(roles.batch, roles.rows, roles.columns);
    if (!a || !b || !c)
      return failure();

    OpBuilder builder(op);
    Location location = op.getLoc();
    auto number = [&](int64_t value) {
      return arith::ConstantIndexOp::create(builder, location, value);
    };
    Type element = getElementTypeOrSelf(op.getDpsInputs()[0].getType());
    SmallVector<Value> arguments{
        number(numberOf(element)), left.address(builder, location),
        right.address(builder, location), result.address(builder, location)};
    for (int64_t size : matmulSizes(*a, *b))
      arguments.push_back(number(size));
    for (int64_t step : matmulSteps(*a, *b, *c, left.itemBytes()))
      arguments.push_back(number(step));
    declare(ValueRange(arguments).getTypes());
    func::CallOp::create(builder, location, functionName, TypeRange(),
                         arguments);
    op.erase();
    return success();
  }

  /// The region adds to the output, which has no values yet.
  static void leaveToLoops(linalg::GenericOp op) {
    OpBuilder builder(op);
    Value output = op.getDpsInits()[0];
    Scalars scalars(builder, op.getLoc(), /*isStrict=*/true);
    Value zero = scalars.identity(ReduceKind::Add,
                                  getElementTypeOrSelf(output.getType()));
    linalg::FillOp::create(builder, op.getLoc(), zero, output);
    op.removeLibraryCallAttr();
  }

  void declare(TypeRange arguments) {
    if (getOperation().lookupSymbol(functionName))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    auto function =
        func::FuncOp::create(builder, getOperation().getLoc(), functionName,
                             builder.getFunctionType(arguments, TypeRange()));
    function.setPrivate();
  }
};

} // namespace
