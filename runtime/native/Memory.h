//===- Memory.h - What calls of NumPy's loops may read and write *- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_MEMORY_H
#define INGOT_RUNTIME_NATIVE_MEMORY_H

#include "Numpy.h"

#include "numpy/ufuncobject.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace ingot {

/// The memory of an array, to the end of its buffer.
struct Memory {
  char *begin = nullptr;
  npy_intp size = 0;
  /// The bytes of an item, and NumPy's number of its type; -1 if there is none.
  npy_intp item = 1;
  int type = -1;

  /// The memory from an item on; none if that is outside of this.
  Memory from(npy_intp first) const {
    if (first < 0 || first > size / item)
      return {};
    return {begin + first * item, size - first * item, item, type};
  }

  bool holds(npy_intp items) const {
    return items >= 0 && items <= size / item;
  }
};

/// The product of numbers that are not negative; none if it is too large.
inline std::optional<npy_intp>
productOf(std::initializer_list<npy_intp> factors) {
  npy_intp product = 1;
  for (npy_intp factor : factors)
    if (factor < 0 || __builtin_mul_overflow(product, factor, &product))
      return std::nullopt;
  return product;
}

/// An axis of an array, as a loop goes along it: its extent, and the bytes from
/// item to item.
struct Axis {
  npy_intp extent, step;
};

/// Whether all items along the axes lie within the memory.
inline bool holdsAll(Memory memory, const std::vector<Axis> &axes) {
  npy_intp last = 0;
  for (auto [extent, step] : axes) {
    if (extent < 0)
      return false;
    if (extent == 0)
      return true;
    npy_intp reach;
    if ((step < 0 && extent > 1) ||
        __builtin_mul_overflow(extent - 1, step, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return false;
  }
  return last <= memory.size - memory.item;
}

/// Whether the extents are those with which NumPy calls a generalised ufunc:
/// its loop does not look at those that follow from others.
inline bool areExtentsOf(std::string_view name,
                         const std::vector<npy_intp> &dims) {
  if (std::any_of(dims.begin(), dims.end(), [](npy_intp d) { return d < 0; }))
    return false;
  if (name == "svd" || name == "svd_f" || name == "svd_s" || name == "lstsq")
    return dims.size() > 3 && dims.back() == std::min(dims[1], dims[2]);
  if (name == "rfft_n_even")
    return dims.size() == 3 && dims[1] > 0 && dims[2] > 1;
  if (name == "fft" || name == "ifft" || name == "irfft" ||
      name == "rfft_n_odd")
    return dims.size() == 3 && dims[1] > 0 && dims[2] > 0;
  return true;
}

/// Whether the loop of a generalised ufunc stays within its arrays.
///
/// \param dims, steps As NumPy passes them.
inline bool staysWithin(std::string_view name, const PyUFuncObject *ufunc,
                        const std::vector<Memory> &arrays,
                        const std::vector<npy_intp> &dims,
                        const std::vector<npy_intp> &steps) {
  size_t axes = 0;
  for (int i = 0; ufunc->core_enabled && i < ufunc->nargs; ++i)
    axes += ufunc->core_num_dims[i];
  if (!ufunc->core_enabled ||
      arrays.size() != static_cast<size_t>(ufunc->nargs) ||
      dims.size() != static_cast<size_t>(ufunc->core_num_dim_ix) + 1 ||
      steps.size() != arrays.size() + axes || !areExtentsOf(name, dims))
    return false;
  // All but products copy each core to a matrix or vector of its own.
  bool isCopied = name != "matmul";
  for (size_t i = 0; i < arrays.size(); ++i) {
    std::vector<Axis> along{{dims[0], steps[i]}};
    std::optional<npy_intp> items = 1;
    for (int j = 0; j < ufunc->core_num_dims[i]; ++j) {
      int place = ufunc->core_offsets[i] + j;
      npy_intp extent = dims[1 + ufunc->core_dim_ixs[place]];
      along.push_back({extent, steps[arrays.size() + place]});
      items = items ? productOf({*items, extent}) : items;
    }
    if (!holdsAll(arrays[i], along) ||
        (isCopied && dims[0] > 0 && !(items && arrays[i].holds(*items))))
      return false;
  }
  return true;
}

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_MEMORY_H
