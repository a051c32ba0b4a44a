//===- PlaceAllocations.cpp - The memory of a kernel ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "NativePasses.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace ingot {
#define GEN_PASS_DEF_PLACEALLOCATIONS
#include "Native/Passes.h.inc"
} // namespace ingot

namespace {

constexpr int64_t alignment = 64;

/// An allocation, and the range of the entry block's operations that use it.
struct Buffer {
  Operation *allocation;
  int64_t bytes;
  unsigned first, last;

  MemRefType type() const {
    return cast<MemRefType>(allocation->getResult(0).getType());
  }
};

/// Memory on the heap, for buffers that are used one after the other.
struct Slot {
  int64_t bytes;
  unsigned last;
  SmallVector<Operation *> allocations;
};

/// The most that a size of an allocation can be: the length of the axis that a
/// slice of this size is taken from.
std::optional<int64_t> boundOf(Value size, Block *block) {
  for (Operation *user : size.getUsers()) {
    auto slice = dyn_cast<memref::SubViewOp>(user);
    // In the same block, the slice is taken whenever there is an allocation.
    if (!slice || slice->getBlock() != block)
      continue;
    for (auto [length, taken] :
         llvm::zip(slice.getSourceType().getShape(), slice.getMixedSizes()))
      if (dyn_cast<Value>(taken) == size && !ShapedType::isDynamic(length))
        return length;
  }
  return std::nullopt;
}

std::optional<int64_t> bytesOf(Operation *allocation) {
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  int64_t bytes = ingot::itemBytes(type.getElementType());
  auto sizes = allocation->getOperands().begin();
  for (int64_t length : type.getShape()) {
    std::optional<int64_t> bound = length;
    if (ShapedType::isDynamic(length))
      bound = boundOf(*sizes++, allocation->getBlock());
    if (!bound)
      return std::nullopt;
    bytes *= *bound;
  }
  return bytes;
}

/// Numbers the operations of the entry block.
class Order {
public:
  explicit Order(func::FuncOp function)
      : entry(&function.front()), aliases(function) {
    for (Operation &each : *entry)
      numbers.try_emplace(&each, numbers.size());
  }

  Buffer bufferOf(Operation *allocation, int64_t bytes) const {
    Buffer buffer{allocation, bytes, ~0u, 0};
    for (Value alias : aliases.resolve(allocation->getResult(0)))
      for (Operation *user : alias.getUsers()) {
        unsigned number = numbers.at(entry->findAncestorOpInBlock(*user));
        buffer.first = std::min(buffer.first, number);
        buffer.last = std::max(buffer.last, number);
      }
    return buffer;
  }

  /// Whether the block that has an allocation returns it.
  bool isReturned(Operation *allocation) const {
    auto isTerminator = [&](Operation *user) {
      return user == allocation->getBlock()->getTerminator();
    };
    return llvm::any_of(aliases.resolve(allocation->getResult(0)),
                        [&](Value alias) {
                          return llvm::any_of(alias.getUsers(), isTerminator);
                        });
  }

private:
  Block *entry;
  BufferViewFlowAnalysis aliases;
  llvm::DenseMap<Operation *, unsigned> numbers;
};

/// Gives each buffer the smallest slot that is free and large enough, else the
/// largest that is free, else a new one.
SmallVector<Slot> assignSlots(MutableArrayRef<Buffer> buffers) {
  llvm::stable_sort(buffers, [](const Buffer &a, const Buffer &b) {
    return a.first < b.first;
  });
  SmallVector<Slot> slots;
  for (const Buffer &buffer : buffers) {
    Slot *best = nullptr;
    for (Slot &slot : slots) {
      if (slot.last >= buffer.first)
        continue;
      bool fits = best && best->bytes >= buffer.bytes;
      if (!best ||
          (fits ? slot.bytes >= buffer.bytes && slot.bytes < best->bytes
                : slot.bytes > best->bytes))
        best = &slot;
    }
    if (!best)
      best = &slots.emplace_back();
    best->bytes = std::max(best->bytes, buffer.bytes);
    best->last = buffer.last;
    best->allocations.push_back(buffer.allocation);
  }
  return slots;
}

struct PlaceAllocations : ingot::impl::PlaceAllocationsBase<PlaceAllocations> {
  using PlaceAllocationsBase::PlaceAllocationsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    if (!function.getBody().hasOneBlock()) {
      function.emitOpError("must have one block, with structured control flow");
      return signalPassFailure();
    }
    function.walk([](memref::DeallocOp each) { each.erase(); });

    Order order(function);
    SmallVector<Buffer> buffers;
    WalkResult result = function.walk([&](Operation *each) -> WalkResult {
      if (!isa<memref::AllocOp, memref::AllocaOp>(each))
        return WalkResult::advance();
      if (std::optional<int64_t> bytes = bytesOf(each))
        buffers.push_back(order.bufferOf(each, *bytes));
      else if (order.isReturned(each))
        return each->emitOpError("has no bound, and is used after its block");
      else if (isa<memref::AllocOp>(each))
        freeInBlock(each);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    MutableArrayRef<Buffer> others = placeOnStack(buffers);
    int64_t bytes = 0;
    for (const Buffer &buffer : ArrayRef(buffers).drop_back(others.size()))
      bytes += llvm::alignTo(buffer.bytes, alignment);
    for (const Slot &slot : assignSlots(others)) {
      placeOnHeap(slot);
      bytes += slot.bytes;
    }
    function->setAttr("ingot.memory",
                      OpBuilder(function).getI64IntegerAttr(bytes));
  }

private:
  ImplicitLocOpBuilder atEntry() {
    return ImplicitLocOpBuilder::atBlockBegin(getOperation().getLoc(),
                                              &getOperation().front());
  }

  void freeInBlock(Operation *allocation) {
    OpBuilder builder(allocation->getBlock()->getTerminator());
    memref::DeallocOp::create(builder, allocation->getLoc(),
                              allocation->getResult(0));
  }

  /// Moves the smallest buffers to the stack, and returns the others.
  MutableArrayRef<Buffer> placeOnStack(MutableArrayRef<Buffer> buffers) {
    llvm::stable_sort(buffers, [](const Buffer &a, const Buffer &b) {
      auto keyOf = [](const Buffer &each) {
        return std::pair(!each.type().hasStaticShape(), each.bytes);
      };
      return keyOf(a) < keyOf(b);
    });
    int64_t left = stack;
    while (!buffers.empty()) {
      const Buffer &buffer = buffers.front();
      left -= llvm::alignTo(buffer.bytes, alignment);
      if (left < 0 || !buffer.type().hasStaticShape())
        break;
      ImplicitLocOpBuilder b = atEntry();
      Value memory = memref::AllocaOp::create(b, buffer.type(),
                                              b.getI64IntegerAttr(alignment));
      replace(buffer.allocation, memory);
      buffers = buffers.drop_front();
    }
    return buffers;
  }

  void placeOnHeap(const Slot &slot) {
    ImplicitLocOpBuilder b = atEntry();
    auto bytes = MemRefType::get({slot.bytes}, b.getI8Type());
    Value memory =
        memref::AllocOp::create(b, bytes, b.getI64IntegerAttr(alignment));
    Value zero = arith::ConstantIndexOp::create(b, 0);
    for (Operation *allocation : slot.allocations) {
      OpBuilder builder(allocation);
      replace(allocation,
              memref::ViewOp::create(builder, allocation->getLoc(),
                                     allocation->getResult(0).getType(), memory,
                                     zero, allocation->getOperands()));
    }
    b.setInsertionPoint(getOperation().front().getTerminator());
    memref::DeallocOp::create(b, memory);
  }

  static void replace(Operation *allocation, Value memory) {
    allocation->getResult(0).replaceAllUsesWith(memory);
    allocation->erase();
  }
};

} // namespace
