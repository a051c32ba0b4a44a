//===- FuseProducts.cpp - One sweep over a matrix for several products ----===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Dependents.h"
#include "Regions.h"

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

#include "llvm/ADT/MapVector.h"

namespace ingot {
#define GEN_PASS_DEF_FUSEPRODUCTS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// The most blocks of rows, which threads share, and the least number of rows
/// of a block. Each block has sums of its own, so their number depends on the
/// matrix only, and the result is the same on all machines.
constexpr int64_t mostBlocks = 32, leastRows = 64;

/// The product of a matrix and a vector.
struct Product {
  DotGeneralOp op;
  Value matrix, vector;
  /// Whether it is the sum of the matrix's rows, each times an element of the
  /// vector; else each row is multiplied by the vector.
  bool sumsRows;
};

std::optional<Product> productOf(DotGeneralOp op) {
  if (op.getLhsZeros() || op.getRhsZeros() || !op.getLhsBatching().empty() ||
      op.getLhsContracting().size() != 1 || op.getType().getRank() != 1 ||
      !isa<FloatType>(elementOf(op)))
    return std::nullopt;
  bool isRight = typeOf(op.getRhs()).getRank() == 2;
  Value matrix = isRight ? op.getRhs() : op.getLhs(),
        vector = isRight ? op.getLhs() : op.getRhs();
  if (typeOf(vector).getRank() != 1)
    return std::nullopt;
  int64_t axis =
      (isRight ? op.getRhsContracting() : op.getLhsContracting()).front();
  while (auto transpose = matrix.getDefiningOp<TransposeOp>()) {
    axis = transpose.getAxes()[axis];
    matrix = transpose.getOperand();
  }
  return Product{op, matrix, vector, axis == 0};
}

/// Products of one matrix that one sweep over its rows computes.
class Sweep {
public:
  explicit Sweep(Product first) { add(first); }

  /// Adds a later product in the same block, unless it needs results of others
  /// in another way than element by element.
  bool tryAdd(Product product) {
    findDependents(product.op);
    bool isFree = !isDependent(product.vector);
    if (!isFree && !(product.sumsRows && isMadeOfElements(product.vector)))
      return false;
    add(product);
    return true;
  }

  size_t size() const { return products.size(); }
  void emit();

private:
  void add(Product product) {
    products.push_back(product);
    results.insert(product.op.getResult());
  }
  void findDependents(Operation *end);
  bool isDependent(Value value) const;
  bool isMadeOfElements(Value value) const;
  Value elementAt(OpBuilder &builder, Value value, Value row, IRMapping &rows);

  SmallVector<Product> products;
  llvm::DenseSet<Value> results;
  /// What depends on the results.
  llvm::SetVector<Operation *> dependents;
};

/// Finds what depends on results, among the operations before `end`.
void Sweep::findDependents(Operation *end) {
  dependents = dependentsOf(
      [&](Operation *op) {
        return llvm::any_of(op->getResults(),
                            [&](Value each) { return results.contains(each); });
      },
      products.front().op, end);
}

/// Whether a value is a result, or depends on one.
bool Sweep::isDependent(Value value) const {
  return results.contains(value) || dependents.contains(value.getDefiningOp());
}

/// Whether an element of the value takes only the same elements of results, and
/// of what does not depend on results.
bool Sweep::isMadeOfElements(Value value) const {
  if (results.contains(value))
    return llvm::any_of(products, [&](Product each) {
      return each.op.getResult() == value && !each.sumsRows;
    });
  if (!isDependent(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op->hasTrait<ElementwiseTrait>() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           bool hasElements = typeOf(operand).getRank() == 0 ||
                              shapeOf(operand) == shapeOf(value);
           return hasElements && isMadeOfElements(operand);
         });
}

/// The element at index `row`.
/// \param rows the elements of results, and of what was made of them.
Value Sweep::elementAt(OpBuilder &builder, Value value, Value row,
                       IRMapping &rows) {
  if (Value known = rows.lookupOrNull(value))
    return known;
  if (typeOf(value).getRank() == 0)
    return value;
  auto scalar = RankedTensorType::get({}, elementOf(value));
  Value found;
  if (!isDependent(value)) {
    found = readAt(builder, value, row, scalar);
  } else {
    Operation *op = value.getDefiningOp();
    auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return elementAt(builder, operand, row, rows);
    });
    found = createLike(builder, op, operands, scalar)->getResult(0);
  }
  rows.map(value, found);
  return found;
}

void Sweep::emit() {
  Operation *last = products.back().op;
  findDependents(last);
  Value matrix = products.front().matrix;
  Location location = products.front().op.getLoc();
  OpBuilder b(last);
  int64_t count = shapeOf(matrix)[0],
          blocks = std::clamp<int64_t>(count / leastRows, 1, mostBlocks);
  auto rowType = RankedTensorType::get({shapeOf(matrix)[1]}, elementOf(matrix));

  // What the loops carry: sums of rows for each block, or an element of each
  // row.
  SmallVector<Value> inits;
  for (Product &each : products)
    inits.push_back(each.sumsRows ? stackOf(b, location, rowType, blocks)
                                  : zerosOf(b, location, each.op.getType()));
  ForOp outer = beginFor(b, location, integer(b, location, blocks), inits);
  outer->setAttr("ingot.parallel", b.getI64IntegerAttr(inits.size()));
  Block &outerBody = outer.getBody().front();
  Value block = outerBody.getArgument(0);
  Value size = integer(b, location, (count + blocks - 1) / blocks);
  Value begin = MulOp::create(b, location, block, size);
  Value end =
      MinimumOp::create(b, location, AddOp::create(b, location, begin, size),
                        integer(b, location, count));
  ForOp inner = beginFor(
      b, location, end,
      llvm::to_vector_of<Value>(outerBody.getArguments().drop_front()));
  // A loop from `begin` on has indices of which the range is known.
  inner.getLowerMutable().assign(begin);
  Block &body = inner.getBody().front();
  Value row = body.getArgument(0);
  Value items = readAt(b, matrix, row, rowType);

  IRMapping rows;
  SmallVector<Value> next;
  for (auto [i, each] : llvm::enumerate(products)) {
    Value carried = body.getArgument(i + 1);
    if (!each.sumsRows) {
      Value sum = DotGeneralOp::create(
          b, each.op.getLoc(), items, each.vector, ArrayRef<int64_t>{},
          ArrayRef<int64_t>{}, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{0});
      rows.map(each.op.getResult(), sum);
      next.push_back(writeAt(b, carried, row, sum));
      continue;
    }
    Value factor = elementAt(b, each.vector, row, rows);
    Value scaled = MulOp::create(b, each.op.getLoc(), factor, items);
    Value sums = readAt(b, carried, block, rowType);
    Value added = AddOp::create(b, each.op.getLoc(), sums, scaled);
    next.push_back(writeAt(b, carried, block, added));
  }
  YieldOp::create(b, location, next);
  b.setInsertionPointToEnd(&outerBody);
  YieldOp::create(b, location, inner.getResults());

  moveBehind(dependents.getArrayRef(), last);
  b.setInsertionPoint(last);
  for (auto [each, made] : llvm::zip_equal(products, outer.getResults())) {
    Value result = made;
    if (each.sumsRows)
      result = ReduceOp::create(b, each.op.getLoc(), ReduceKind::Add, made,
                                ArrayRef<int64_t>{0});
    each.op.getResult().replaceAllUsesWith(result);
  }
  for (Product &each : products)
    each.op.erase();
}

struct FuseProducts : ingot::impl::FuseProductsBase<FuseProducts> {
  using FuseProductsBase::FuseProductsBase;

  void runOnOperation() override {
    if (getOperation()->hasAttr("ingot.strict"))
      return;
    getOperation().walk([&](Block *block) { fuse(*block); });
  }

private:
  /// Whether the matrix does not stay in a core's cache from one product to the
  /// next, and has rows enough for all threads.
  bool isLarge(Value matrix) const {
    RankedTensorType type = typeOf(matrix);
    int64_t bytes = type.getElementTypeBitWidth() / 8 * type.getNumElements();
    return bytes >= least && llvm::all_of(type.getShape(), [](int64_t size) {
             return size >= leastRows;
           });
  }

  void fuse(Block &block) {
    llvm::MapVector<Value, SmallVector<Product>> products;
    for (auto op : block.getOps<DotGeneralOp>())
      if (auto product = productOf(op); product && isLarge(product->matrix))
        products[product->matrix].push_back(*product);
    for (auto &[matrix, all] : products)
      fuse(all);
  }

  static void fuse(ArrayRef<Product> all) {
    std::optional<Sweep> sweep;
    auto end = [&] {
      if (sweep && sweep->size() > 1)
        sweep->emit();
    };
    for (const Product &each : all) {
      if (sweep && sweep->tryAdd(each))
        continue;
      end();
      sweep.emplace(each);
    }
    end();
  }
};

} // namespace
