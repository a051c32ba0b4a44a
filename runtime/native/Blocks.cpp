//===- Blocks.cpp - Memory that is kept for others ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "Native.h"

#include <algorithm>
#include <cstdlib>
#include <pthread.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

using namespace ingot;

namespace {

constexpr size_t hugePage = 2 << 20;
/// Block sizes are multiples of this, so that blocks fit arrays of similar
/// sizes.
constexpr size_t granule = 64 << 10;
constexpr size_t mostBlocks = 256;

bool hasHugePages(size_t size) { return size >= 2 * hugePage; }

size_t roundedUp(size_t size) {
  size_t multiple = hasHugePages(size) ? hugePage : granule;
  return (std::max<size_t>(size, 1) + multiple - 1) / multiple * multiple;
}

Block make(size_t size) {
  size_t boundary = hasHugePages(size) ? hugePage : blockAlignment;
  void *memory = std::aligned_alloc(boundary, size);
#ifdef __linux__
  if (memory && hasHugePages(size))
    madvise(memory, size, MADV_HUGEPAGE);
#endif
  return {memory, size};
}

/// What lies before the memory that a kernel has: the block, of size 0 if it
/// is not kept.
struct alignas(blockAlignment) Header {
  Block block;
};

/// In the place of `aligned_alloc` in kernels, which align by no more than
/// blocks are aligned.
void *allocate(size_t, size_t size) {
  size += sizeof(Header);
  Block block = size < leastKept
                    ? Block{std::aligned_alloc(blockAlignment, size), 0}
                    : blocks().take(size);
  if (!block.memory)
    return nullptr;
  auto *header = static_cast<Header *>(block.memory);
  header->block = block;
  return header + 1;
}

/// In the place of `free`.
void release(void *memory) {
  if (!memory)
    return;
  Block block = (static_cast<Header *>(memory) - 1)->block;
  if (block.size == 0)
    std::free(block.memory);
  else
    blocks().giveBack(block);
}

} // namespace

Blocks::Blocks() {
  // A child that is forked while another thread takes a block could never take
  // one.
  pthread_atfork([] { blocks().mutex.lock(); }, [] { blocks().mutex.unlock(); },
                 [] { blocks().mutex.unlock(); });
}

Block Blocks::take(size_t size) {
  size = roundedUp(size);
  Block block = found(size);
  return block.memory ? block : make(size);
}

Block Blocks::found(size_t size) {
  std::lock_guard lock(mutex);
  // Not a much larger one, which larger arrays will need.
  size_t most = size + size / 4;
  // Of equal ones the last, which caches may still hold.
  auto best = idle.end();
  for (auto each = idle.begin(); each != idle.end(); ++each)
    if (each->size >= size && each->size <= most &&
        (best == idle.end() || each->size <= best->size))
      best = each;
  if (best == idle.end())
    return {nullptr, 0};
  Block block = *best;
  idle.erase(best);
  bytes -= block.size;
  return block;
}

void Blocks::giveBack(Block block) {
  std::lock_guard lock(mutex);
  // Drop the least recently used blocks first.
  idle.push_back(block);
  bytes += block.size;
  while (bytes > limit || idle.size() > mostBlocks) {
    std::free(idle.front().memory);
    bytes -= idle.front().size;
    idle.pop_front();
  }
}

size_t Blocks::idleBytes() {
  std::lock_guard lock(mutex);
  return bytes;
}

Blocks &ingot::blocks() {
  // Never destroyed, since arrays are freed late in the exit of the process.
  static Blocks *made = new Blocks;
  return *made;
}

void ingot::bindBlocks(nanobind::module_ &module) {
  module.def("idle_bytes", [] { return blocks().idleBytes(); });
  module.attr("MOST_IDLE_BYTES") = Blocks::limit;
  module.def("allocation", [] {
    nanobind::dict found;
    found["allocate"] = reinterpret_cast<uintptr_t>(&allocate);
    found["release"] = reinterpret_cast<uintptr_t>(&release);
    return found;
  });
}
