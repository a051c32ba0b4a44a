//===- CallNumpy.cpp - Products and functions of matrices by NumPy --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Bytes.h"
#include "Ingot/NumpyFunctions.h"
#include "Lowering/Matrices.h"
#include "Scalars.h"

#include <map>

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
      : memory(memory), type(dyn_cast<MemRefType>(memory.getType())), map(map) {
  }

  /// The axes of some loops as one, if the strides are known and allow it.
  std::optional<Extent> extent(ArrayRef<int64_t> loops) const {
    SmallVector<int64_t> strides, axes;
    int64_t offset;
    if (!hasStaticShape() ||
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

  bool hasStaticShape() const { return type && type.hasStaticShape(); }
  /// Whether a loop runs over each axis.
  bool isPlain() const {
    return hasStaticShape() && map.isProjectedPermutation();
  }
  size_t rank() const { return type.getRank(); }
  int64_t itemBytes() const { return ingot::itemBytes(type.getElementType()); }

  Value address(OpBuilder &b, Location location) const {
    Value base =
        memref::ExtractAlignedPointerAsIndexOp::create(b, location, memory);
    Value offset = memref::ExtractStridedMetadataOp::create(b, location, memory)
                       .getOffset();
    return arith::AddIOp::create(b, location, base, bytes(b, location, offset));
  }

  /// The distances in bytes between neighbours along the axes, in the order of
  /// the loops.
  SmallVector<Value> steps(OpBuilder &b, Location location) const {
    auto metadata =
        memref::ExtractStridedMetadataOp::create(b, location, memory);
    SmallVector<Value> found;
    for (unsigned axis : inOrder())
      found.push_back(bytes(b, location, metadata.getStrides()[axis]));
    return found;
  }

  /// The sizes of the axes, in the same order.
  SmallVector<int64_t> sizes() const {
    return llvm::map_to_vector(
        inOrder(), [&](unsigned axis) { return type.getShape()[axis]; });
  }

private:
  /// The axes by the loops that run over them.
  SmallVector<unsigned> inOrder() const {
    SmallVector<unsigned> axes =
        llvm::to_vector(llvm::seq(map.getNumResults()));
    llvm::sort(axes, [&](unsigned a, unsigned b) {
      return map.getDimPosition(a) < map.getDimPosition(b);
    });
    return axes;
  }

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

/// The number in calls of the type of an array's elements.
int64_t numberOf(Value array) {
  Type element = getElementTypeOrSelf(array.getType());
  return (isa<ComplexType>(element) ? 2 : 0) +
         (realOf(element).isF64() ? 1 : 0);
}

struct CallNumpy : ingot::impl::CallNumpyBase<CallNumpy> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> calls;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getLibraryCallAttr())
        calls.push_back(op);
    });
    LogicalResult status = success();
    for (linalg::GenericOp op : calls) {
      StringRef name = *op.getLibraryCall();
      const NumpyFunction *function = NumpyFunction::find(name);
      if (!function)
        function = NumpyFunction::findTransform(name);
      if (function)
        status = callFunction(op, *function);
      else if (name == multiplyCall && failed(multiply(op)))
        leaveToLoops(op);
      if (failed(status))
        return signalPassFailure();
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
    SmallVector<Value> numbers, arguments;
    for (int64_t size : matmulSizes(*a, *b))
      numbers.push_back(number(builder, op, size));
    for (int64_t step : matmulSteps(*a, *b, *c, left.itemBytes()))
      numbers.push_back(number(builder, op, step));
    arguments.push_back(number(builder, op, numberOf(op.getDpsInits()[0])));
    for (const Operand &operand : {left, right, result})
      arguments.push_back(operand.address(builder, op.getLoc()));
    llvm::append_range(arguments, numbers);
    call(builder, op, multiplyCall, arguments);
    return success();
  }

  /// What NumPy passes to its loops lies in memory: the addresses, sizes and
  /// distances.
  LogicalResult callFunction(linalg::GenericOp op,
                             const NumpyFunction &function) {
    SmallVector<StringRef> cores = function.cores();
    SmallVector<Operand> arrays;
    for (auto [operand, map] :
         llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray()))
      arrays.emplace_back(operand, map);
    if (!areStacks(arrays, function, cores))
      return op.emitError("is no call of `")
             << function.name << "`, whose signature is " << function.signature;
    OpBuilder builder(op);
    Location location = op.getLoc();
    // A function that never fails runs once for the whole stack.
    Value failures = number(builder, op, 0);
    if (function.fails)
      failures = arrays.pop_back_val().address(builder, location);

    std::map<char, int64_t> sizes;
    SmallVector<Value> numbers, batchSteps, coreSteps;
    for (auto [array, core] : llvm::zip_equal(arrays, cores)) {
      numbers.push_back(array.address(builder, location));
      SmallVector<Value> steps = array.steps(builder, location);
      // One array for all items of the stack.
      if (steps.size() == core.size())
        steps.insert(steps.begin(), number(builder, op, 0));
      batchSteps.push_back(steps.front());
      llvm::append_range(coreSteps, ArrayRef(steps).drop_front());
      SmallVector<int64_t> own = array.sizes();
      for (auto [letter, size] :
           llvm::zip_equal(core, ArrayRef(own).take_back(core.size())))
        sizes[letter] = size;
    }
    numbers.push_back(number(builder, op, arrays.front().sizes().front()));
    for (char letter : function.dimensions())
      numbers.push_back(number(builder, op, sizes[letter]));
    llvm::append_range(numbers, batchSteps);
    llvm::append_range(numbers, coreSteps);

    SmallVector<Value> arguments{
        number(builder, op, numberOf(op.getDpsInputs()[0])),
        stored(builder, op, numbers), failures};
    call(builder, op, function.name, arguments);
    return success();
  }

  /// Whether arrays have one axis before those of their cores, or none if all
  /// items of the stack have it in common. If the function may fail, the last
  /// array tells for each item whether it does.
  static bool areStacks(ArrayRef<Operand> arrays, const NumpyFunction &function,
                        ArrayRef<StringRef> cores) {
    auto hasRank = [](const Operand &array, size_t rank) {
      return array.isPlain() && array.rank() == rank;
    };
    if (arrays.size() != cores.size() + function.fails ||
        !hasRank(arrays.front(), 1 + cores.front().size()) ||
        (function.fails && !hasRank(arrays.back(), 1)))
      return false;
    return llvm::all_of(llvm::zip(arrays, cores), [&](auto pair) {
      auto [array, core] = pair;
      return hasRank(array, core.size()) || hasRank(array, 1 + core.size());
    });
  }

  /// The address of numbers, on the stack.
  static Value stored(OpBuilder &builder, linalg::GenericOp op,
                      ArrayRef<Value> numbers) {
    Location location = op.getLoc();
    auto type = MemRefType::get({static_cast<int64_t>(numbers.size())},
                                builder.getIndexType());
    // Not within a loop, where each iteration would take more of the stack.
    OpBuilder atStart = OpBuilder::atBlockBegin(
        &op->getParentOfType<func::FuncOp>().getBody().front());
    Value memory = memref::AllocaOp::create(atStart, location, type);
    for (auto [i, value] : llvm::enumerate(numbers))
      memref::StoreOp::create(builder, location, value, memory,
                              number(builder, op, i));
    return memref::ExtractAlignedPointerAsIndexOp::create(builder, location,
                                                          memory);
  }

  /// Replaces an operation by a call.
  void call(OpBuilder &builder, linalg::GenericOp op, StringRef name,
            ValueRange arguments) {
    std::string function = ("ingot." + name).str();
    declare(function, arguments.getTypes());
    func::CallOp::create(builder, op.getLoc(), function, TypeRange(),
                         arguments);
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
