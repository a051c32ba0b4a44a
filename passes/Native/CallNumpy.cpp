//===- CallNumpy.cpp - Products and factors of matrices by NumPy ----------===//
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
#define GEN_PASS_DEF_CALLNUMPY
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

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

  ArrayRef<int64_t> shape() const { return type.getShape(); }
  int64_t itemBytes() const { return ingot::itemBytes(type.getElementType()); }

  Value address(OpBuilder &b, Location location) const {
    Value base =
        memref::ExtractAlignedPointerAsIndexOp::create(b, location, memory);
    Value offset = memref::ExtractStridedMetadataOp::create(b, location, memory)
                       .getOffset();
    return arith::AddIOp::create(b, location, base, bytes(b, location, offset));
  }

  /// The distances in bytes between neighbours along the axes.
  SmallVector<Value> steps(OpBuilder &b, Location location) const {
    auto metadata =
        memref::ExtractStridedMetadataOp::create(b, location, memory);
    SmallVector<Value> found;
    for (Value stride : metadata.getStrides())
      found.push_back(bytes(b, location, stride));
    return found;
  }

private:
  /// The size of a number of items.
  Value bytes(OpBuilder &b, Location location, Value items) const {
    return arith::MulIOp::create(
        b, location, items,
        arith::ConstantIndexOp::create(b, location, itemBytes()));
  }

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

struct CallNumpy : ingot::impl::CallNumpyBase<CallNumpy> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> calls;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getLibraryCallAttr())
        calls.push_back(op);
    });
    for (linalg::GenericOp op : calls) {
      if (op.getLibraryCall() == choleskyCall)
        factorise(op);
      else if (op.getLibraryCall() == multiplyCall && failed(multiply(op)))
        leaveToLoops(op);
    }
  }

private:
  LogicalResult multiply(linalg::GenericOp op) {
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
    SmallVector<Value> numbers;
    for (int64_t size : matmulSizes(*a, *b))
      numbers.push_back(number(builder, op, size));
    for (int64_t step : matmulSteps(*a, *b, *c, left.itemBytes()))
      numbers.push_back(number(builder, op, step));
    call(op, "ingot.multiply", {left, right, result}, numbers);
    return success();
  }

  void factorise(linalg::GenericOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Operand from(op.getDpsInputs()[0], maps[0]),
        to(op.getDpsInits()[0], maps[1]);
    OpBuilder builder(op);
    SmallVector<Value> left = from.steps(builder, op.getLoc()),
                       right = to.steps(builder, op.getLoc());
    // A single matrix has no distance to a next one.
    if (left.size() == 2)
      for (SmallVector<Value> *steps : {&left, &right})
        steps->insert(steps->begin(), number(builder, op, 0));
    ArrayRef<int64_t> shape = to.shape();
    SmallVector<Value> numbers{
        number(builder, op, shape.size() == 3 ? shape[0] : 1),
        number(builder, op, shape.back()),
        left[0],
        right[0],
        left[1],
        left[2],
        right[1],
        right[2]};
    call(op, "ingot.cholesky", {from, to}, numbers);
  }

  /// Replaces an operation by a call of a function that takes the number of the
  /// element type, addresses and other numbers.
  void call(linalg::GenericOp op, StringRef name, ArrayRef<Operand> operands,
            ArrayRef<Value> numbers) {
    OpBuilder builder(op);
    Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
    SmallVector<Value> arguments{number(builder, op, numberOf(element))};
    for (const Operand &operand : operands)
      arguments.push_back(operand.address(builder, op.getLoc()));
    llvm::append_range(arguments, numbers);
    declare(name, ValueRange(arguments).getTypes());
    func::CallOp::create(builder, op.getLoc(), name, TypeRange(), arguments);
    op.erase();
  }

  static Value number(OpBuilder &builder, linalg::GenericOp op, int64_t value) {
    return arith::ConstantIndexOp::create(builder, op.getLoc(), value);
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

  void declare(StringRef name, TypeRange arguments) {
    if (getOperation().lookupSymbol(name))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    auto function =
        func::FuncOp::create(builder, getOperation().getLoc(), name,
                             builder.getFunctionType(arguments, TypeRange()));
    function.setPrivate();
  }
};

} // namespace
