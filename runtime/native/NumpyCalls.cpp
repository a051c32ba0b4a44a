//===- NumpyCalls.cpp - NumPy's inner loops as calls of XLA's -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The custom calls that the pass `call-libraries` emits. They use NumPy's inner
// loops in C: those of ufuncs, which are fields of a public structure, and the
// sort functions of dtypes. These don't use Python objects and don't need the
// GIL. Each call checks that the loops stay within the buffers, since a program
// may come from elsewhere.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Native.h"
#include "Numpy.h"
#include "Parts.h"
#include "Sorter.h"
#include "UfuncLoops.h"

#include "xla/ffi/api/ffi.h"
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ffi = xla::ffi;
namespace nb = nanobind;
using ingot::DefaultEnvironment, ingot::Memory, ingot::Sorter, ingot::doParts,
    ingot::lanesAtOnce, ingot::productOf, ingot::staysWithin;
using Loop = ingot::UfuncLoop;

namespace {

using Extents = ffi::Span<const int64_t>;

/// NumPy's type number of an XLA type, or -1.
int typeNumber(ffi::DataType type) {
  switch (type) {
  case ffi::PRED:
    return NPY_BOOL;
  case ffi::S8:
    return NPY_INT8;
  case ffi::S16:
    return NPY_INT16;
  case ffi::S32:
    return NPY_INT32;
  case ffi::S64:
    return NPY_INT64;
  case ffi::U8:
    return NPY_UINT8;
  case ffi::U16:
    return NPY_UINT16;
  case ffi::U32:
    return NPY_UINT32;
  case ffi::U64:
    return NPY_UINT64;
  case ffi::F16:
    return NPY_FLOAT16;
  case ffi::F32:
    return NPY_FLOAT32;
  case ffi::F64:
    return NPY_FLOAT64;
  case ffi::C64:
    return NPY_COMPLEX64;
  case ffi::C128:
    return NPY_COMPLEX128;
  default:
    return -1;
  }
}

/// The ufuncs that programs call, by name; the references are never released.
std::unordered_map<std::string, PyUFuncObject *> ufuncs;

/// The sort functions of each NumPy type.
std::array<PyArray_ArrFuncs *, NPY_NTYPES_LEGACY> sorters;

ffi::Error missing(std::string_view what) {
  return ffi::Error(ffi::ErrorCode::kUnimplemented,
                    "this NumPy has no loop for " + std::string(what));
}

ffi::Error invalid(std::string_view what) {
  return ffi::Error::InvalidArgument(
      std::string(what) + " is called with other arrays than it has");
}

/// The memory of a buffer; one of a type that NumPy lacks has none.
Memory memoryOf(const ffi::AnyBuffer &buffer) {
  int type = typeNumber(buffer.element_type());
  if (type < 0)
    return {};
  npy_intp item = ffi::ByteWidth(buffer.element_type());
  return {static_cast<char *>(buffer.untyped_data()),
          static_cast<npy_intp>(buffer.element_count()) * item, item, type};
}

// Operands start at the beginning of their buffers, or within them. For the
// latter, the call's name ends with `_at`. Its first operand contains the start
// indices, and `places` has for each operand its position there, or -1.

using Firsts = ffi::Buffer<ffi::S64>;

using Memories = std::vector<Memory>;

Memories memoriesOf(ffi::RemainingArgs inputs) {
  Memories found;
  for (size_t i = 0; i < inputs.size(); ++i)
    found.push_back(memoryOf(*inputs.get<ffi::AnyBuffer>(i)));
  return found;
}

/// The memory from where each operand begins. One that would begin outside of
/// its buffer has none.
Memories memoriesOf(ffi::RemainingArgs inputs, Firsts firsts, Extents places) {
  Memories found = memoriesOf(inputs);
  if (places.size() != found.size())
    return Memories(found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (places[i] < 0)
      continue;
    bool isThere = places[i] < static_cast<int64_t>(firsts.element_count());
    found[i] =
        isThere ? found[i].from(firsts.typed_data()[places[i]]) : Memory();
  }
  return found;
}

Memories memoriesOf(ffi::RemainingRets results) {
  Memories found;
  for (size_t i = 0; i < results.size(); ++i)
    found.push_back(memoryOf(**results.get<ffi::AnyBuffer>(i)));
  return found;
}

/// A generalised ufunc. If there is one result more than it has, this tells for
/// each call whether it fails.
///
/// \param arrays Where each operand lies.
/// \param dims The number of its calls, then the extents of its core.
/// \param steps In bytes: of each operand from call to call, then those of the
///   cores, as NumPy passes them.
ffi::Error runGufunc(Memories arrays, ffi::RemainingRets results,
                     std::string_view name, Extents dims, Extents steps) {
  auto found = ufuncs.find(std::string(name));
  if (found == ufuncs.end())
    return missing(name);
  PyUFuncObject *ufunc = found->second;
  Memories made = memoriesOf(results);
  size_t count = std::min<size_t>(made.size(), ufunc->nout);
  arrays.insert(arrays.end(), made.begin(), made.begin() + count);
  std::vector<int> types;
  std::vector<char *> pointers;
  for (const Memory &each : arrays) {
    types.push_back(each.type);
    pointers.push_back(each.begin);
  }
  Loop loop(ufunc, types);
  if (!loop.function)
    return missing(name);
  std::vector<npy_intp> extents(dims.begin(), dims.end()),
      distances(steps.begin(), steps.end());
  if (made.size() > count + 1 ||
      !staysWithin(name, ufunc, arrays, extents, distances))
    return invalid(name);
  DefaultEnvironment environment;
  if (made.size() == count) {
    loop(pointers.data(), extents.data(), distances.data());
    return ffi::Error::Success();
  }
  Memory failed = made.back();
  if (failed.type != NPY_INT32 || !failed.holds(extents[0]))
    return invalid(name);
  ingot::callForEach(loop, std::move(pointers), std::move(extents),
                     distances.data(),
                     reinterpret_cast<int32_t *>(failed.begin));
  return ffi::Error::Success();
}

ffi::Error callGufunc(ffi::RemainingArgs inputs, ffi::RemainingRets results,
                      std::string_view name, Extents dims, Extents steps) {
  return runGufunc(memoriesOf(inputs), results, name, dims, steps);
}

ffi::Error callGufuncAt(Firsts firsts, ffi::RemainingArgs inputs,
                        ffi::RemainingRets results, std::string_view name,
                        Extents dims, Extents places, Extents steps) {
  return runGufunc(memoriesOf(inputs, firsts, places), results, name, dims,
                   steps);
}

/// The least items for a thread: computing them takes as long as starting a
/// task on another thread.
constexpr npy_intp itemsOfThread = 1 << 15;

/// The loop of an elementwise ufunc with this many operands and one result, all
/// of the type of the memory.
Loop loopOf(std::string_view name, Memory memory, size_t operands) {
  auto found = ufuncs.find(std::string(name));
  if (found == ufuncs.end() || found->second->core_enabled ||
      found->second->nout != 1 ||
      found->second->nin != static_cast<int>(operands))
    return Loop();
  return Loop(found->second, memory.type);
}

/// An elementwise ufunc.
///
/// \param operands Where each operand lies.
/// \param ones Which operands are one number for all elements.
ffi::Error runUfunc(ffi::ThreadPool pool, Memories operands,
                    std::vector<bool> ones, ffi::AnyBuffer made,
                    std::string_view name) {
  Memory result = memoryOf(made);
  Loop loop = loopOf(name, result, operands.size());
  if (!loop.function)
    return missing(name);
  npy_intp size = made.element_count();
  operands.push_back(result);
  ones.push_back(false);
  std::vector<npy_intp> steps;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].type != result.type ||
        !operands[i].holds(ones[i] ? std::min<npy_intp>(size, 1) : size))
      return invalid(name);
    steps.push_back(ones[i] ? 0 : result.item);
  }
  auto run = [&](npy_intp part) {
    DefaultEnvironment environment;
    npy_intp first = part * itemsOfThread,
             count = std::min(itemsOfThread, size - first);
    std::vector<char *> begin;
    for (size_t i = 0; i < operands.size(); ++i)
      begin.push_back(operands[i].begin + first * steps[i]);
    loop(begin.data(), &count, steps.data());
  };
  doParts(pool, (size + itemsOfThread - 1) / itemsOfThread, run);
  return ffi::Error::Success();
}

std::vector<bool> haveOne(ffi::RemainingArgs inputs) {
  std::vector<bool> found;
  for (size_t i = 0; i < inputs.size(); ++i)
    found.push_back(inputs.get<ffi::AnyBuffer>(i)->element_count() == 1);
  return found;
}

ffi::Error callUfunc(ffi::ThreadPool pool, ffi::RemainingArgs inputs,
                     ffi::Result<ffi::AnyBuffer> result,
                     std::string_view name) {
  return runUfunc(pool, memoriesOf(inputs), haveOne(inputs), *result, name);
}

ffi::Error callUfuncAt(ffi::ThreadPool pool, Firsts firsts,
                       ffi::RemainingArgs inputs,
                       ffi::Result<ffi::AnyBuffer> result,
                       std::string_view name, Extents places) {
  return runUfunc(pool, memoriesOf(inputs, firsts, places), haveOne(inputs),
                  *result, name);
}

/// Whether arrays have a shape, which is given by the lanes before an axis, its
/// extent, and the lanes after it.
bool haveShape(const Memories &arrays, Extents shape) {
  std::optional<npy_intp> count =
      shape.size() == 3 ? productOf({shape[0], shape[1], shape[2]})
                        : std::nullopt;
  return count && std::all_of(arrays.begin(), arrays.end(),
                              [&](Memory each) { return each.holds(*count); });
}

/// Whether such a shape has no elements, however many lanes.
bool isEmpty(Extents shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

/// `accumulate` of a binary ufunc along the middle axis.
///
/// \param operands Where the operand lies.
/// \param shape The lanes before the axis, its extent, the lanes after it.
ffi::Error runAccumulate(const Memories &operands, ffi::AnyBuffer made,
                         std::string_view name, Extents shape) {
  Memory output = memoryOf(made);
  Loop loop = loopOf(name, output, 2);
  if (!loop.function)
    return missing(name);
  if (operands.size() != 1 || operands[0].type != output.type ||
      !haveShape({operands[0], output}, shape))
    return invalid(name);
  if (isEmpty(shape))
    return ffi::Error::Success();
  npy_intp length = shape[1], inner = shape[2], item = output.item,
           row = inner * item;
  // Whole rows are faster than single lanes. Complex numbers need lanes, since
  // the rounding of their products depends on the memory layout.
  bool byLanes = inner == 1 || PyTypeNum_ISCOMPLEX(output.type);
  npy_intp calls = byLanes ? inner : length - 1,
           count = byLanes ? length - 1 : inner, next = byLanes ? item : row,
           step = byLanes ? row : item, steps[] = {step, step, step};
  DefaultEnvironment environment;
  for (npy_intp lanes = 0; lanes < shape[0]; ++lanes) {
    char *from = operands[0].begin + lanes * length * row,
         *to = output.begin + lanes * length * row;
    std::memcpy(to, from, row);
    for (npy_intp call = 0; call < calls; ++call, from += next, to += next) {
      char *pointers[] = {to, from + row, to + row};
      loop(pointers, &count, steps);
    }
  }
  return ffi::Error::Success();
}

ffi::Error callAccumulate(ffi::RemainingArgs inputs,
                          ffi::Result<ffi::AnyBuffer> output,
                          std::string_view name, Extents shape) {
  return runAccumulate(memoriesOf(inputs), *output, name, shape);
}

ffi::Error callAccumulateAt(Firsts firsts, ffi::RemainingArgs inputs,
                            ffi::Result<ffi::AnyBuffer> output,
                            std::string_view name, Extents places,
                            Extents shape) {
  return runAccumulate(memoriesOf(inputs, firsts, places), *output, name,
                       shape);
}

ffi::Error noMemory() {
  return ffi::Error(ffi::ErrorCode::kResourceExhausted,
                    "no memory to sort with");
}

/// Sorts lanes in parts, each by a sorter of its own: `run` takes it, the first
/// lane and the one after the last, and returns false if there is no memory.
ffi::Error sortInParts(ffi::ThreadPool pool, int number, Extents shape,
                       npy_intp item,
                       std::function<bool(Sorter &, npy_intp, npy_intp)> run) {
  npy_intp lanes = shape[0] * shape[2],
           least = itemsOfThread / std::max<npy_intp>(shape[1], 1) + 1,
           each = (least + lanesAtOnce - 1) / lanesAtOnce * lanesAtOnce;
  std::atomic<bool> failed = false;
  doParts(pool, (lanes + each - 1) / each, [&](npy_intp part) {
    DefaultEnvironment environment;
    Sorter sorter(sorters[number], shape[1], shape[2], item);
    if (!run(sorter, part * each, std::min(lanes, (part + 1) * each)))
      failed = true;
  });
  return failed ? noMemory() : ffi::Error::Success();
}

/// Whether arrays can be sorted: their type has an order.
bool hasOrder(Memory keys) {
  return keys.type >= 0 && sorters[keys.type]->sort[NPY_QUICKSORT] &&
         sorters[keys.type]->argsort[NPY_QUICKSORT] &&
         sorters[keys.type]->argsort[NPY_STABLESORT];
}

/// Sorts all operands by the keys in the first one.
///
/// \param operands Where each operand lies.
ffi::Error runSort(ffi::ThreadPool pool, const Memories &operands,
                   ffi::RemainingRets results, Extents shape, bool stable) {
  Memories made = memoriesOf(results);
  if (made.empty() || !hasOrder(made[0]))
    return missing("sort");
  bool isAlike = std::equal(
      operands.begin(), operands.end(), made.begin(), made.end(),
      [](Memory one, Memory other) { return one.type == other.type; });
  if (!isAlike || !haveShape(operands, shape) || !haveShape(made, shape))
    return invalid("sort");
  if (isEmpty(shape))
    return ffi::Error::Success();
  auto alone = [&](Sorter &sorter, npy_intp lane, npy_intp end) {
    return sorter.sort(operands[0].begin, made[0].begin, lane, end);
  };
  auto together = [&](Sorter &sorter, npy_intp lane, npy_intp end) {
    std::vector<npy_intp> order(sorter.length);
    for (; lane < end; ++lane) {
      npy_intp first = sorter.first(lane);
      if (!sorter.find(operands[0].begin + first * sorter.item, order.data(),
                       stable))
        return false;
      for (size_t i = 0; i < made.size(); ++i) {
        npy_intp item = made[i].item;
        char *from = operands[i].begin + first * item,
             *to = made[i].begin + first * item;
        for (npy_intp place : order) {
          std::memcpy(to, from + place * sorter.inner * item, item);
          to += sorter.inner * item;
        }
      }
    }
    return true;
  };
  if (made.size() == 1)
    return sortInParts(pool, made[0].type, shape, made[0].item, alone);
  return sortInParts(pool, made[0].type, shape, made[0].item, together);
}

/// Finds the permutations that sort the keys, as integers of 64 bits.
///
/// \param operands Where the keys lie.
ffi::Error runArgsort(ffi::ThreadPool pool, const Memories &operands,
                      ffi::AnyBuffer made, Extents shape, bool stable) {
  Memory result = memoryOf(made);
  if (operands.size() != 1 || !hasOrder(operands[0]))
    return missing("argsort");
  Memory keys = operands[0];
  if (result.type != NPY_INT64 || !haveShape({keys, result}, shape))
    return invalid("argsort");
  if (isEmpty(shape))
    return ffi::Error::Success();
  auto *orders = reinterpret_cast<npy_intp *>(result.begin);
  auto find = [&](Sorter &sorter, npy_intp lane, npy_intp end) {
    bool isPlaced = sorter.inner == 1;
    std::vector<npy_intp> own(isPlaced ? 0 : sorter.length);
    for (; lane < end; ++lane) {
      npy_intp first = sorter.first(lane);
      npy_intp *order = isPlaced ? orders + first : own.data();
      if (!sorter.find(keys.begin + first * sorter.item, order, stable))
        return false;
      for (npy_intp i = 0; !isPlaced && i < sorter.length; ++i)
        orders[first + i * sorter.inner] = order[i];
    }
    return true;
  };
  return sortInParts(pool, keys.type, shape, keys.item, find);
}

ffi::Error callSort(ffi::ThreadPool pool, ffi::RemainingArgs inputs,
                    ffi::RemainingRets results, Extents shape, bool stable) {
  return runSort(pool, memoriesOf(inputs), results, shape, stable);
}

ffi::Error callSortAt(ffi::ThreadPool pool, Firsts firsts,
                      ffi::RemainingArgs inputs, ffi::RemainingRets results,
                      Extents places, Extents shape, bool stable) {
  return runSort(pool, memoriesOf(inputs, firsts, places), results, shape,
                 stable);
}

ffi::Error callArgsort(ffi::ThreadPool pool, ffi::RemainingArgs inputs,
                       ffi::Result<ffi::AnyBuffer> result, Extents shape,
                       bool stable) {
  return runArgsort(pool, memoriesOf(inputs), *result, shape, stable);
}

ffi::Error callArgsortAt(ffi::ThreadPool pool, Firsts firsts,
                         ffi::RemainingArgs inputs,
                         ffi::Result<ffi::AnyBuffer> result, Extents places,
                         Extents shape, bool stable) {
  return runArgsort(pool, memoriesOf(inputs, firsts, places), *result, shape,
                    stable);
}

XLA_FFI_DEFINE_HANDLER(gufunc, callGufunc,
                       ffi::Ffi::Bind()
                           .RemainingArgs()
                           .RemainingRets()
                           .Attr<std::string_view>("name")
                           .Attr<Extents>("dims")
                           .Attr<Extents>("steps"));
XLA_FFI_DEFINE_HANDLER(ufunc, callUfunc,
                       ffi::Ffi::Bind()
                           .Ctx<ffi::ThreadPool>()
                           .RemainingArgs()
                           .Ret<ffi::AnyBuffer>()
                           .Attr<std::string_view>("name"));
XLA_FFI_DEFINE_HANDLER(ufuncAt, callUfuncAt,
                       ffi::Ffi::Bind()
                           .Ctx<ffi::ThreadPool>()
                           .Arg<Firsts>()
                           .RemainingArgs()
                           .Ret<ffi::AnyBuffer>()
                           .Attr<std::string_view>("name")
                           .Attr<Extents>("places"));
XLA_FFI_DEFINE_HANDLER(gufuncAt, callGufuncAt,
                       ffi::Ffi::Bind()
                           .Arg<Firsts>()
                           .RemainingArgs()
                           .RemainingRets()
                           .Attr<std::string_view>("name")
                           .Attr<Extents>("dims")
                           .Attr<Extents>("places")
                           .Attr<Extents>("steps"));
XLA_FFI_DEFINE_HANDLER(accumulate, callAccumulate,
                       ffi::Ffi::Bind()
                           .RemainingArgs()
                           .Ret<ffi::AnyBuffer>()
                           .Attr<std::string_view>("name")
                           .Attr<Extents>("shape"));
XLA_FFI_DEFINE_HANDLER(accumulateAt, callAccumulateAt,
                       ffi::Ffi::Bind()
                           .Arg<Firsts>()
                           .RemainingArgs()
                           .Ret<ffi::AnyBuffer>()
                           .Attr<std::string_view>("name")
                           .Attr<Extents>("places")
                           .Attr<Extents>("shape"));
XLA_FFI_DEFINE_HANDLER(sort, callSort,
                       ffi::Ffi::Bind()
                           .Ctx<ffi::ThreadPool>()
                           .RemainingArgs()
                           .RemainingRets()
                           .Attr<Extents>("shape")
                           .Attr<bool>("stable"));
XLA_FFI_DEFINE_HANDLER(sortAt, callSortAt,
                       ffi::Ffi::Bind()
                           .Ctx<ffi::ThreadPool>()
                           .Arg<Firsts>()
                           .RemainingArgs()
                           .RemainingRets()
                           .Attr<Extents>("places")
                           .Attr<Extents>("shape")
                           .Attr<bool>("stable"));
XLA_FFI_DEFINE_HANDLER(argsort, callArgsort,
                       ffi::Ffi::Bind()
                           .Ctx<ffi::ThreadPool>()
                           .RemainingArgs()
                           .Ret<ffi::AnyBuffer>()
                           .Attr<Extents>("shape")
                           .Attr<bool>("stable"));
XLA_FFI_DEFINE_HANDLER(argsortAt, callArgsortAt,
                       ffi::Ffi::Bind()
                           .Ctx<ffi::ThreadPool>()
                           .Arg<Firsts>()
                           .RemainingArgs()
                           .Ret<ffi::AnyBuffer>()
                           .Attr<Extents>("places")
                           .Attr<Extents>("shape")
                           .Attr<bool>("stable"));

/// The handlers by name, for programs that call these ufuncs.
nb::dict calls(nb::dict known) {
  for (auto [name, ufunc] : known) {
    auto [place, isNew] =
        ufuncs.try_emplace(nb::cast<std::string>(name),
                           reinterpret_cast<PyUFuncObject *>(ufunc.ptr()));
    if (isNew)
      ufunc.inc_ref();
  }
  for (int number = 0; number < NPY_NTYPES_LEGACY; ++number)
    sorters[number] = PyDataType_GetArrFuncs(PyArray_DescrFromType(number));
  nb::dict made;
  for (auto [name, handler] : {
           std::pair{"gufunc", gufunc},
           {"gufunc_at", gufuncAt},
           {"ufunc", ufunc},
           {"ufunc_at", ufuncAt},
           {"accumulate", accumulate},
           {"accumulate_at", accumulateAt},
           {"sort", sort},
           {"sort_at", sortAt},
           {"argsort", argsort},
           {"argsort_at", argsortAt},
       })
    made[name] = nb::capsule(reinterpret_cast<void *>(handler));
  return made;
}

} // namespace

void ingot::bindNumpyCalls(nb::module_ &module) {
  module.def("numpy_calls", &calls, nb::arg("ufuncs"));
}
