//===- Blocks.h - Memory that is kept for others ----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large results of kernels, copies of arguments and arrays within kernels are
// in blocks that return to a pool. malloc gives much of what is freed back to
// the system, or does not find it again, and fresh pages cost more than most
// kernels.
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_BLOCKS_H
#define INGOT_RUNTIME_NATIVE_BLOCKS_H

#include <cstddef>
#include <deque>
#include <mutex>

namespace ingot {

/// The size in bytes from which memory is kept.
constexpr size_t leastKept = 64 << 10;

/// The alignment with which XLA's CPU runtime uses memory without a copy, and
/// the one that kernels count on.
constexpr size_t blockAlignment = 64;

struct Block {
  void *memory;
  size_t size;
};

/// The free blocks; for all threads.
class Blocks {
public:
  /// A free block of at least this size, or a new one; a null block if there is
  /// no memory.
  Block take(size_t size);
  void giveBack(Block block);

  size_t idleBytes();

  /// The most bytes in free blocks.
  static constexpr size_t limit = size_t(512) << 20;

private:
  friend Blocks &blocks();
  Blocks();

  /// A free block of about this size; a null block if there is none.
  Block found(size_t size);

  std::mutex mutex;
  std::deque<Block> idle;
  size_t bytes = 0;
};

/// Those of this process.
Blocks &blocks();

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_BLOCKS_H
