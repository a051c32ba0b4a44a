//===- ReverseRules.cpp - Adjoints of checkpoints and of users' rules -----===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reverse.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ingot;

/// Recomputes the whole region before its adjoints. The frame hides that the
/// values from outside are those of the forward code, see Frame::bringIn.
LogicalResult Reverse::visitCheckpoint(CheckpointOp op, Frame &frame) {
  mlir::Location location = op.getLoc();
  SetVector<Value> captures = activeCaptures(op, activity);
  SmallVector<Type> types;
  for (Value value : captures)
    types.push_back(value.getType());
  auto made = CheckpointOp::create(builder, location, types);
  DenseMap<Value, Value> outside = cotangents;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block &body = op.getBody().front();
    Block *block = builder.createBlock(&made.getBody());
    Value start;
    for (Value result : op.getResults())
      start = start ? start : outside.lookup(result);
    Frame inner(frame, body, *block, start);
    seed(op, body, captures, outside);
    if (failed(sweep(body, inner)))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : captures)
      yielded.push_back(cotangentOrZeros(value));
    YieldOp::create(builder, location, yielded);
    inner.resolve();
  }
  cotangents = std::move(outside);
  for (auto [value, sum] : llvm::zip(captures, made.getResults()))
    cotangents[value] = sum;
  return success();
}

LogicalResult Reverse::visitCustom(CustomDerivativeOp op, Frame &frame) {
  if (failed(checkCaptures(op, activity)))
    return failure();
  IRMapping outside;
  SetVector<Value> captures;
  getUsedValuesDefinedAbove(op.getRule(), op.getRule(), captures);
  for (Value value : captures)
    outside.map(value, frame.get(value));
  auto here = [&](Value result) { return frame.get(result); };
  bool isForward = op.getMode() == DerivativeMode::Jvp;
  SmallVector<Value> given, seeds, tangents, found;
  for (Value operand : op->getOperands())
    given.push_back(frame.get(operand));
  for (Value result : op->getResults())
    if (isDifferentiable(result.getType()))
      seeds.push_back(cotangentOrZeros(result));
  for (Value operand : op->getOperands())
    if (isForward && isDifferentiable(operand.getType()))
      tangents.push_back(zerosOf(builder, operand.getLoc(), operand.getType()));
  if (!isForward) {
    llvm::append_range(given, seeds);
    found = inlineRule(builder, op, given, outside, here);
  } else {
    llvm::append_range(given, tangents);
    auto emit = [&](ValueList &emitted) {
      emitted = inlineRule(builder, op, given, outside, here);
      return success();
    };
    if (failed(transpose(op, builder, tangents, emit, seeds, found)))
      return failure();
  }
  unsigned next = 0;
  for (Value operand : op->getOperands())
    if (isDifferentiable(operand.getType()))
      add(operand, found[next++]);
  return success();
}
