//===- Alignment.cpp - NumPy's arrays where XLA takes them as they are ----===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handler of NumPy's data memory (NEP 49). It allocates blocks with malloc
// and puts the data at the next aligned address, after a header with the
// address of the block. So malloc's advantages for large blocks remain: zero
// pages that use no memory, and reallocation by remapping pages.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "Numpy.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace nb = nanobind;

namespace {

constexpr size_t alignment = 64;
/// The size from which huge pages are requested, as in NumPy's own handler.
constexpr size_t leastHuge = 4 << 20;
/// Each thread caches small blocks: the largest size in units of `alignment`,
/// and the number of blocks of each size. NumPy's own handler does the same.
constexpr size_t mostUnits = 16, mostKept = 16;

/// The header before the data; malloc's alignment leaves room for it.
struct Header {
  void *block;
  /// The size in units of `alignment` if the block can be kept, else 0.
  size_t units;
};
static_assert(sizeof(Header) <= alignof(std::max_align_t));

Header *headerOf(void *data) { return static_cast<Header *>(data) - 1; }

/// The data of a block with `alignment` extra bytes; null if the block is null.
void *placeData(void *block, size_t units) {
  if (!block)
    return nullptr;
  auto address = reinterpret_cast<uintptr_t>(block) + alignment;
  void *data = reinterpret_cast<void *>(address & ~(alignment - 1));
  *headerOf(data) = {block, units};
  return data;
}

/// The cached blocks of a thread, by size.
struct Kept {
  void *data[mostUnits + 1][mostKept];
  size_t count[mostUnits + 1];
  bool isOver;
};
thread_local Kept kept;

/// Frees the cache at the end of a thread, and turns caching off.
struct Ending {
  bool isSet = false;
  ~Ending() {
    kept.isOver = true;
    for (size_t units = 0; units <= mostUnits; ++units)
      while (kept.count[units])
        std::free(headerOf(kept.data[units][--kept.count[units]])->block);
  }
};
thread_local Ending ending;

void wantHugePages(void *data, size_t size) {
#ifdef __linux__
  constexpr uintptr_t page = 4096;
  if (size < leastHuge)
    return;
  auto first = (reinterpret_cast<uintptr_t>(data) + page - 1) & ~(page - 1);
  size_t before = first - reinterpret_cast<uintptr_t>(data);
  madvise(reinterpret_cast<void *>(first), size - before, MADV_HUGEPAGE);
#endif
}

void *allocate(void *, size_t size) {
  if (size > SIZE_MAX - alignment)
    return nullptr;
  size_t units = (size + alignment - 1) / alignment;
  if (units > mostUnits) {
    void *data = placeData(std::malloc(size + alignment), 0);
    if (data)
      wantHugePages(data, size);
    return data;
  }
  if (kept.count[units])
    return kept.data[units][--kept.count[units]];
  return placeData(std::malloc((units + 1) * alignment), units);
}

void *allocateZeros(void *context, size_t count, size_t itemSize) {
  if (itemSize && count > (SIZE_MAX - alignment) / itemSize)
    return nullptr;
  size_t size = count * itemSize;
  bool isSmall = size <= mostUnits * alignment;
  void *data = isSmall ? allocate(context, size)
                       : placeData(std::calloc(1, size + alignment), 0);
  if (data && isSmall)
    std::memset(data, 0, size);
  else if (data)
    wantHugePages(data, size);
  return data;
}

void release(void *, void *data, size_t) {
  if (!data)
    return;
  auto [block, units] = *headerOf(data);
  if (!units || kept.isOver || kept.count[units] == mostKept) {
    std::free(block);
    return;
  }
  ending.isSet = true;
  kept.data[units][kept.count[units]++] = data;
}

void *reallocate(void *context, void *data, size_t size) {
  if (!data)
    return allocate(context, size);
  if (size > SIZE_MAX - alignment)
    return nullptr;
  void *block = headerOf(data)->block;
  size_t offset = static_cast<char *>(data) - static_cast<char *>(block);
  auto *moved = static_cast<char *>(std::realloc(block, size + alignment));
  if (!moved)
    return nullptr;
  auto address = reinterpret_cast<uintptr_t>(moved) + alignment;
  auto *placed = reinterpret_cast<char *>(address & ~(alignment - 1));
  // First, since the new header may overwrite the old data.
  if (placed != moved + offset)
    std::memmove(placed, moved + offset, size);
  wantHugePages(placed, size);
  return placeData(moved, 0);
}

PyDataMem_Handler handler = {
    "ingot_aligned",
    1,
    {nullptr, allocate, allocateZeros, reallocate, release}};

nb::object setHandler(PyObject *wanted) {
  nb::object before = nb::steal(PyDataMem_SetHandler(wanted));
  if (!before.is_valid())
    throw nb::python_error();
  return before;
}

/// Sets the handler in this context, and returns the previous one.
nb::object alignArrays() {
  static PyObject *capsule = PyCapsule_New(&handler, "mem_handler", nullptr);
  if (!capsule)
    throw nb::python_error();
  return setHandler(capsule);
}

} // namespace

void ingot::bindAlignment(nb::module_ &module) {
  module.def("align_arrays", &alignArrays);
  module.def(
      "set_array_handler",
      [](nb::handle handler) { setHandler(handler.ptr()); },
      nb::arg("handler"));
}
