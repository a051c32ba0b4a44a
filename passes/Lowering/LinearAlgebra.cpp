//===- LinearAlgebra.cpp - Factorisations to StableHLO --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StableHLO has the Cholesky factorisation and triangular systems. The rest is
// calls of LAPACK, which jaxlib registers with XLA's CPU backend.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;

char ingot::letterOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType().isF64() ? 'z' : 'c';
  return element.isF64() ? 'd' : 's';
}

namespace {

bool isComplex(Value value) { return isa<ComplexType>(elementOf(value)); }

/// A call of LAPACK. Matrices are in column-major order, and each has an
/// `info`.
struct Lapack {
  Lapack(PatternRewriter &rewriter, Operation *op, Value operand)
      : rewriter(rewriter), location(op->getLoc()),
        letter(letterOf(elementOf(operand))),
        batchRank(typeOf(operand).getRank() - 2) {}

  Type info(Value operand) {
    return RankedTensorType::get(shapeOf(operand).take_front(batchRank),
                                 rewriter.getI32Type());
  }

  Attribute layout(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> order;
    for (int64_t axis = tensor.getRank() - 1; axis >= 0; --axis)
      order.push_back(axis);
    if (tensor.getRank() == batchRank + 2)
      std::swap(order[0], order[1]);
    return DenseIntElementsAttr::get(
        RankedTensorType::get(tensor.getRank(), rewriter.getIndexType()),
        order);
  }

  ArrayAttr layouts(TypeRange types) {
    return rewriter.getArrayAttr(
        llvm::map_to_vector(types, [&](Type type) { return layout(type); }));
  }

  NamedAttribute option(StringRef name, char value) {
    Type type = rewriter.getIntegerType(8, /*isSigned=*/false);
    return rewriter.getNamedAttr(name, rewriter.getIntegerAttr(type, value));
  }

  ValueRange call(StringRef routine, ValueRange operands, TypeRange results,
                  ArrayRef<NamedAttribute> options = {}) {
    std::string target =
        (Twine("lapack_") + Twine(letter) + routine + "_ffi").str();
    return stablehlo::CustomCallOp::create(
               rewriter, location, results, operands, target,
               /*has_side_effect=*/false, rewriter.getDictionaryAttr(options),
               /*api_version=*/4, layouts(operands.getTypes()),
               layouts(results), /*output_operand_aliases=*/ArrayAttr())
        .getResults();
  }

  PatternRewriter &rewriter;
  Location location;
  char letter;
  int64_t batchRank;
};

struct CholeskyLowering : public OpRewritePattern<CholeskyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CholeskyOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    Emitter emitter(rewriter, op.getLoc());
    Value factor = emitter.emit<stablehlo::CholeskyOp>(type, op.getOperand(),
                                                       /*lower=*/true);
    // StableHLO leaves open what is above the diagonal.
    int64_t rank = type.getRank();
    Type indices = type.clone(rewriter.getI32Type());
    Value isLower =
        emitter.compare(stablehlo::ComparisonDirection::GE,
                        emitter.emit<stablehlo::IotaOp>(indices, rank - 2),
                        emitter.emit<stablehlo::IotaOp>(indices, rank - 1));
    rewriter.replaceOp(op,
                       emitter.select(isLower, factor, emitter.splat(type, 0)));
    return success();
  }
};

struct TriangularSolveLowering : public OpRewritePattern<TriangularSolveOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TriangularSolveOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::TriangularSolveOp>(
        op, op.getType(), op.getA(), op.getB(), /*left_side=*/true,
        op.getLower(), op.getUnit(), stablehlo::Transpose::NO_TRANSPOSE);
    return success();
  }
};

/// Pattern: lu(x) -> getrf(x), with rows counted from 0
struct LuLowering : public OpRewritePattern<LuOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LuOp op,
                                PatternRewriter &rewriter) const override {
    Lapack lapack(rewriter, op, op.getOperand());
    ValueRange found =
        lapack.call("getrf", op.getOperand(),
                    {op.getLu().getType(), op.getPivots().getType(),
                     lapack.info(op.getOperand())});
    Emitter emitter(rewriter, op.getLoc());
    Value pivots = emitter.emit<stablehlo::SubtractOp>(
        found[1], emitter.splatLike(found[1], 1));
    rewriter.replaceOp(op, {found[0], pivots});
    return success();
  }
};

/// Pattern: qr(x) -> geqrf(x), then orgqr (ungqr) on its reflectors
struct QrLowering : public OpRewritePattern<QrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(QrOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    Lapack lapack(rewriter, op, x);
    Emitter emitter(rewriter, op.getLoc());
    RankedTensorType type = typeOf(x);
    int64_t rank = type.getRank(), rows = type.getDimSize(rank - 2),
            columns = type.getDimSize(rank - 1);
    SmallVector<int64_t> scales(type.getShape().drop_back());
    scales.back() = std::min(rows, columns);
    ValueRange found =
        lapack.call("geqrf", x, {x.getType(), type.clone(scales)});
    Value reflectors = resized(emitter, found[0], typeOf(op.getQ()));
    StringRef routine = isComplex(x) ? "ungqr" : "orgqr";
    Value q =
        lapack.call(routine, {reflectors, found[1]}, op.getQ().getType())[0];
    Value r = resized(emitter, found[0], typeOf(op.getR()));
    rewriter.replaceOp(op, {q, r});
    return success();
  }

  /// Slices the matrices, or pads them with zeros, to the sizes of `type`.
  static Value resized(Emitter &emitter, Value x, RankedTensorType type) {
    SmallVector<int64_t> zeros(type.getRank(), 0), ones(type.getRank(), 1),
        sizes, high;
    for (auto [have, want] : llvm::zip_equal(shapeOf(x), type.getShape())) {
      sizes.push_back(std::min(have, want));
      high.push_back(std::max<int64_t>(want - have, 0));
    }
    if (ArrayRef<int64_t>(sizes) != shapeOf(x))
      x = emitter.slice(x, zeros, sizes, ones);
    if (x.getType() == type)
      return x;
    Value zero = emitter.splat(type.clone(ArrayRef<int64_t>()), 0);
    return emitter.pad(x, zero, zeros, high, zeros);
  }
};

/// Pattern: eigh(x) -> syevd(x) or heevd(x)
struct EighLowering : public OpRewritePattern<EighOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(EighOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    Lapack lapack(rewriter, op, x);
    ValueRange found =
        lapack.call(isComplex(x) ? "heevd" : "syevd", x,
                    {op.getVectors().getType(), op.getValues().getType(),
                     op.getInfo().getType()},
                    {lapack.option("mode", 'V'),
                     lapack.option("uplo", op.getLower() ? 'L' : 'U')});
    rewriter.replaceOp(op, {found[1], found[0], found[2]});
    return success();
  }
};

/// Pattern: svd(x) -> gesdd(x)
struct SvdLowering : public OpRewritePattern<SvdOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SvdOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    Lapack lapack(rewriter, op, x);
    ValueRange found =
        lapack.call("gesdd", x,
                    {x.getType(), op.getS().getType(), op.getU().getType(),
                     op.getVh().getType(), op.getInfo().getType()},
                    lapack.option("mode", op.getFull() ? 'A' : 'S'));
    rewriter.replaceOp(op, {found[2], found[1], found[3], found[4]});
    return success();
  }
};

/// Pattern: eig(x) -> geev(x)
/// Pattern: eig(convert(x)) -> complex(geev(x)), of real matrices, whose
/// eigenvalues come in pairs and in another order than those of complex ones
struct EigLowering : public OpRewritePattern<EigOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(EigOp op,
                                PatternRewriter &rewriter) const override {
    Value real = realSource(op.getOperand());
    Value x = real ? real : op.getOperand();
    Lapack lapack(rewriter, op, x);
    Type values = op.getValues().getType(), vectors = op.getVectors().getType(),
         info = op.getInfo().getType();
    SmallVector<Type> results{vectors, vectors, info};
    if (real)
      values = typeOf(op.getValues()).clone(elementOf(real));
    results.insert(results.begin(), real ? 2 : 1, values);
    ValueRange found = lapack.call("geev", x, results,
                                   {lapack.option("compute_left", 'N'),
                                    lapack.option("compute_right", 'V')});
    Value eigenvalues = found.front();
    if (real)
      eigenvalues = stablehlo::ComplexOp::create(
          rewriter, op.getLoc(), op.getValues().getType(), found[0], found[1]);
    rewriter.replaceOp(op,
                       {eigenvalues, found.drop_back().back(), found.back()});
    return success();
  }

  /// The real value from which a complex one was converted, in the same
  /// precision, or null.
  static Value realSource(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<ConvertOp, stablehlo::ConvertOp>(op))
      return nullptr;
    Type part = cast<ComplexType>(elementOf(value)).getElementType();
    Value source = op->getOperand(0);
    return elementOf(source) == part ? source : nullptr;
  }
};

} // namespace

void ingot::populateLinearAlgebraLowering(RewritePatternSet &patterns) {
  patterns.add<CholeskyLowering, TriangularSolveLowering, LuLowering,
               QrLowering, EighLowering, SvdLowering, EigLowering>(
      patterns.getContext());
}
