//===- Sorter.h - Sorts along an axis ---------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_SORTER_H
#define INGOT_RUNTIME_NATIVE_SORTER_H

#include "Numpy.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace ingot {

/// An item of one of the sizes that NumPy's numbers have.
template <size_t size> struct Item {
  char bytes[size];
};

/// Copies a matrix of items, transposed. Rows are `fromRow` and `toRow` items
/// apart.
template <size_t size>
void transposeItems(const char *from, npy_intp fromRow, char *to,
                    npy_intp toRow, npy_intp rows, npy_intp columns) {
  auto *source = reinterpret_cast<const Item<size> *>(from);
  auto *target = reinterpret_cast<Item<size> *>(to);
  for (npy_intp row = 0; row < rows; ++row)
    for (npy_intp column = 0; column < columns; ++column)
      target[column * toRow + row] = source[row * fromRow + column];
}

using Transpose = void (*)(const char *, npy_intp, char *, npy_intp, npy_intp,
                           npy_intp);

inline Transpose transposeOf(npy_intp item) {
  switch (item) {
  case 1:
    return transposeItems<1>;
  case 2:
    return transposeItems<2>;
  case 4:
    return transposeItems<4>;
  case 8:
    return transposeItems<8>;
  default:
    return transposeItems<16>;
  }
}

/// The lanes that are copied at once, so that whole cache lines are.
inline constexpr npy_intp lanesAtOnce = 16;

/// Strided lanes of keys of the same extent, of which each is sorted by itself.
class Sorter {
public:
  /// \param functions Those of the keys' type.
  /// \param length The extent of lanes.
  /// \param inner The lanes after their axis, which are neighbours.
  /// \param item The bytes of a key.
  Sorter(PyArray_ArrFuncs *functions, npy_intp length, npy_intp inner,
         npy_intp item)
      : length(length), inner(inner), item(item), functions(functions) {}

  /// The index of a lane's first element.
  npy_intp first(npy_intp lane) const {
    return lane / inner * length * inner + lane % inner;
  }

  /// Sorts the lanes of a range. It is unstable, since equal keys without other
  /// operands are identical.
  bool sort(const char *from, char *to, npy_intp lane, npy_intp end) {
    Transpose transpose = transposeOf(item);
    for (npy_intp count; lane < end; lane += count) {
      // Neighbours are those along the inner axis.
      count = std::min({lanesAtOnce, end - lane, inner - lane % inner});
      npy_intp begin = first(lane) * item;
      if (inner == 1) {
        std::memcpy(to + begin, from + begin, length * item);
        if (sortLane(to + begin))
          return false;
        continue;
      }
      gathered.resize(count * length * item);
      transpose(from + begin, inner, gathered.data(), length, length, count);
      for (npy_intp i = 0; i < count; ++i)
        if (sortLane(gathered.data() + i * length * item))
          return false;
      transpose(gathered.data(), length, to + begin, inner, count, length);
    }
    return true;
  }

  /// Computes the permutation that sorts the keys of a lane.
  bool find(const char *from, npy_intp *order, bool stable) {
    const char *keys = from;
    if (inner != 1) {
      gathered.resize(length * item);
      transposeOf(item)(from, inner, gathered.data(), length, length, 1);
      keys = gathered.data();
    }
    std::iota(order, order + length, 0);
    return functions->argsort[stable ? NPY_STABLESORT : NPY_QUICKSORT](
               const_cast<char *>(keys), order, length, nullptr) == 0;
  }

  const npy_intp length, inner, item;

private:
  int sortLane(char *keys) {
    return functions->sort[NPY_QUICKSORT](keys, length, nullptr);
  }

  PyArray_ArrFuncs *functions;
  std::vector<char> gathered;
};

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_SORTER_H
