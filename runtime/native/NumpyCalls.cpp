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
// GIL.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "Numpy.h"
#include "Sorter.h"
#include "UfuncLoops.h"

#include "xla/ffi/api/ffi.h"
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace ffi = xla::ffi;
namespace nb = nanobind;
using ingot::DefaultEnvironment, ingot::Sorter, ingot::lanesAtOnce;
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

/// The inner loop of a ufunc whose operands and results are all of one type.
Loop loopOf(std::string_view name, ffi::DataType type) {
  auto found = ufuncs.find(std::string(name));
  return found == ufuncs.end() ? Loop() : Loop(found->second, typeNumber(type));
}

ffi::Error missing(std::string_view what) {
  return ffi::Error(ffi::ErrorCode::kUnimplemented,
                    "this NumPy has no loop for " + std::string(what));
}

char *bytes(const ffi::AnyBuffer &buffer) {
  return static_cast<char *>(buffer.untyped_data());
}

// Operands start at the beginning of their buffers, or within them. For the
// latter, the call's name ends with `_at`. Its first operand contains the start
// indices, and `places` has for each operand its position there, or -1.

using Firsts = ffi::Buffer<ffi::S64>;

std::vector<char *> begins(ffi::RemainingArgs inputs) {
  std::vector<char *> found;
  for (size_t i = 0; i < inputs.size(); ++i)
    found.push_back(bytes(*inputs.get<ffi::AnyBuffer>(i)));
  return found;
}

std::vector<char *> begins(ffi::RemainingArgs inputs, Firsts firsts,
                           Extents places) {
  std::vector<char *> found = begins(inputs);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (places[i] >= 0)
      found[i] += firsts.typed_data()[places[i]] *
                  ffi::ByteWidth(inputs.get<ffi::AnyBuffer>(i)->element_type());
  return found;
}

/// NumPy's numbers of the types of operands and results.
std::vector<int> typesOf(ffi::RemainingArgs inputs, ffi::RemainingRets results,
                         size_t count) {
  std::vector<int> types;
  for (size_t i = 0; i < inputs.size(); ++i)
    types.push_back(typeNumber(inputs.get<ffi::AnyBuffer>(i)->element_type()));
  for (size_t i = 0; i < count; ++i)
    types.push_back(
        typeNumber((*results.get<ffi::AnyBuffer>(i))->element_type()));
  return types;
}

/// A generalised ufunc. If there is one result more than it has, this tells for
/// each call whether it fails.
///
/// \param arrays Where each operand begins.
/// \param dims The number of its calls, then the extents of its core.
/// \param steps In bytes: of each operand from call to call, then those of the
///   cores, as NumPy passes them.
ffi::Error runGufunc(std::vector<char *> arrays, ffi::RemainingArgs inputs,
                     ffi::RemainingRets results, std::string_view name,
                     Extents dims, Extents steps) {
  auto ufunc = ufuncs.find(std::string(name));
  if (ufunc == ufuncs.end())
    return missing(name);
  size_t count = std::min<size_t>(results.size(), ufunc->second->nout);
  Loop loop(ufunc->second, typesOf(inputs, results, count));
  if (!loop.function)
    return missing(name);
  for (size_t i = 0; i < count; ++i)
    arrays.push_back(bytes(**results.get<ffi::AnyBuffer>(i)));
  DefaultEnvironment environment;
  std::vector<npy_intp> extents(dims.begin(), dims.end()),
      distances(steps.begin(), steps.end());
  if (count == results.size())
    loop(arrays.data(), extents.data(), distances.data());
  else
    ingot::callForEach(
        loop, std::move(arrays), std::move(extents), distances.data(),
        (*results.get<ffi::Buffer<ffi::S32>>(count))->typed_data());
  return ffi::Error::Success();
}

ffi::Error callGufunc(ffi::RemainingArgs inputs, ffi::RemainingRets results,
                      std::string_view name, Extents dims, Extents steps) {
  return runGufunc(begins(inputs), inputs, results, name, dims, steps);
}

ffi::Error callGufuncAt(Firsts firsts, ffi::RemainingArgs inputs,
                        ffi::RemainingRets results, std::string_view name,
                        Extents dims, Extents places, Extents steps) {
  return runGufunc(begins(inputs, firsts, places), inputs, results, name, dims,
                   steps);
}

/// The least items for a thread: computing them takes as long as starting a
/// task on another thread.
constexpr npy_intp itemsOfThread = 1 << 15;

/// Work in parts, which threads take one after the other.
struct Parts {
  Parts(npy_intp count, std::function<void(npy_intp)> run)
      : count(count), run(std::move(run)) {}

  /// Runs parts until none is left.
  void work() {
    for (npy_intp part; (part = next++) < count;) {
      run(part);
      std::lock_guard<std::mutex> lock(mutex);
      if (++done == count)
        allDone.notify_all();
    }
  }

  const npy_intp count;
  const std::function<void(npy_intp)> run;
  std::atomic<npy_intp> next = 0;
  npy_intp done = 0;
  std::mutex mutex;
  std::condition_variable allDone;
};

/// Runs the parts on this thread and on idle threads of XLA. It waits for parts
/// that others have started, but never for threads to become idle.
void doParts(ffi::ThreadPool &pool, npy_intp count,
             std::function<void(npy_intp)> run) {
  auto parts = std::make_shared<Parts>(count, std::move(run));
  npy_intp others = std::min<npy_intp>(count, pool.num_threads()) - 1;
  for (npy_intp i = 0; i < others; ++i)
    pool.Schedule([parts] { parts->work(); });
  parts->work();
  std::unique_lock<std::mutex> lock(parts->mutex);
  parts->allDone.wait(lock, [&] { return parts->done == count; });
}

/// An elementwise ufunc.
///
/// \param operands Where each operand begins.
/// \param ones Which operands are one number for all elements.
ffi::Error runUfunc(ffi::ThreadPool pool, std::vector<char *> operands,
                    std::vector<bool> ones, ffi::AnyBuffer result,
                    std::string_view name) {
  Loop loop = loopOf(name, result.element_type());
  if (!loop.function)
    return missing(name);
  npy_intp size = result.element_count(),
           item = ffi::ByteWidth(result.element_type());
  operands.push_back(bytes(result));
  ones.push_back(false);
  std::vector<npy_intp> steps;
  for (bool isOne : ones)
    steps.push_back(isOne ? 0 : item);
  auto run = [&](npy_intp part) {
    DefaultEnvironment environment;
    npy_intp first = part * itemsOfThread,
             count = std::min(itemsOfThread, size - first);
    std::vector<char *> begin = operands;
    for (size_t i = 0; i < begin.size(); ++i)
      begin[i] += first * steps[i];
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
  return runUfunc(pool, begins(inputs), haveOne(inputs), *result, name);
}

ffi::Error callUfuncAt(ffi::ThreadPool pool, Firsts firsts,
                       ffi::RemainingArgs inputs,
                       ffi::Result<ffi::AnyBuffer> result,
                       std::string_view name, Extents places) {
  return runUfunc(pool, begins(inputs, firsts, places), haveOne(inputs),
                  *result, name);
}

/// `accumulate` of a binary ufunc along the middle axis.
///
/// \param input Where the operand begins.
/// \param shape The lanes before the axis, its extent, the lanes after it.
ffi::Error runAccumulate(char *input, ffi::AnyBuffer output,
                         std::string_view name, Extents shape) {
  ffi::DataType type = output.element_type();
  Loop loop = loopOf(name, type);
  if (!loop.function)
    return missing(name);
  npy_intp length = shape[1], inner = shape[2], item = ffi::ByteWidth(type),
           row = inner * item;
  // Whole rows are faster than single lanes. Complex numbers need lanes, since
  // the rounding of their products depends on the memory layout.
  bool byLanes = inner == 1 || type == ffi::C64 || type == ffi::C128;
  npy_intp calls = byLanes ? inner : length - 1,
           count = byLanes ? length - 1 : inner, next = byLanes ? item : row,
           step = byLanes ? row : item, steps[] = {step, step, step};
  DefaultEnvironment environment;
  for (npy_intp lanes = 0; lanes < shape[0]; ++lanes) {
    char *from = input + lanes * length * row,
         *to = bytes(output) + lanes * length * row;
    std::memcpy(to, from, row);
    for (npy_intp call = 0; call < calls; ++call, from += next, to += next) {
      char *operands[] = {to, from + row, to + row};
      loop(operands, &count, steps);
    }
  }
  return ffi::Error::Success();
}

ffi::Error callAccumulate(ffi::RemainingArgs inputs,
                          ffi::Result<ffi::AnyBuffer> output,
                          std::string_view name, Extents shape) {
  return runAccumulate(begins(inputs)[0], *output, name, shape);
}

ffi::Error callAccumulateAt(Firsts firsts, ffi::RemainingArgs inputs,
                            ffi::Result<ffi::AnyBuffer> output,
                            std::string_view name, Extents places,
                            Extents shape) {
  return runAccumulate(begins(inputs, firsts, places)[0], *output, name, shape);
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

/// Sorts all operands by the keys in the first one.
///
/// \param operands Where each operand begins.
ffi::Error runSort(ffi::ThreadPool pool, const std::vector<char *> &operands,
                   ffi::RemainingRets results, Extents shape, bool stable) {
  std::vector<ffi::AnyBuffer> made;
  for (size_t i = 0; i < results.size(); ++i)
    made.push_back(**results.get<ffi::AnyBuffer>(i));
  int number = typeNumber(made[0].element_type());
  if (number < 0)
    return missing("sort");
  auto alone = [&](Sorter &sorter, npy_intp lane, npy_intp end) {
    return sorter.sort(operands[0], bytes(made[0]), lane, end);
  };
  auto together = [&](Sorter &sorter, npy_intp lane, npy_intp end) {
    std::vector<npy_intp> order(sorter.length);
    for (; lane < end; ++lane) {
      npy_intp first = sorter.first(lane);
      if (!sorter.find(operands[0] + first * sorter.item, order.data(), stable))
        return false;
      for (size_t i = 0; i < made.size(); ++i) {
        npy_intp item = ffi::ByteWidth(made[i].element_type());
        char *from = operands[i] + first * item,
             *to = bytes(made[i]) + first * item;
        for (npy_intp place : order) {
          std::memcpy(to, from + place * sorter.inner * item, item);
          to += sorter.inner * item;
        }
      }
    }
    return true;
  };
  npy_intp item = ffi::ByteWidth(made[0].element_type());
  if (made.size() == 1)
    return sortInParts(pool, number, shape, item, alone);
  return sortInParts(pool, number, shape, item, together);
}

/// Finds the permutations that sort the keys, as integers of 64 bits.
///
/// \param keys Where the keys begin.
ffi::Error runArgsort(ffi::ThreadPool pool, ffi::DataType type, char *keys,
                      ffi::AnyBuffer result, Extents shape, bool stable) {
  int number = typeNumber(type);
  if (number < 0)
    return missing("argsort");
  auto *orders = reinterpret_cast<npy_intp *>(bytes(result));
  auto find = [&](Sorter &sorter, npy_intp lane, npy_intp end) {
    bool isPlaced = sorter.inner == 1;
    std::vector<npy_intp> own(isPlaced ? 0 : sorter.length);
    for (; lane < end; ++lane) {
      npy_intp first = sorter.first(lane);
      npy_intp *order = isPlaced ? orders + first : own.data();
      if (!sorter.find(keys + first * sorter.item, order, stable))
        return false;
      for (npy_intp i = 0; !isPlaced && i < sorter.length; ++i)
        orders[first + i * sorter.inner] = order[i];
    }
    return true;
  };
  return sortInParts(pool, number, shape, ffi::ByteWidth(type), find);
}

ffi::Error callSort(ffi::ThreadPool pool, ffi::RemainingArgs inputs,
                    ffi::RemainingRets results, Extents shape, bool stable) {
  return runSort(pool, begins(inputs), results, shape, stable);
}

ffi::Error callSortAt(ffi::ThreadPool pool, Firsts firsts,
                      ffi::RemainingArgs inputs, ffi::RemainingRets results,
                      Extents places, Extents shape, bool stable) {
  return runSort(pool, begins(inputs, firsts, places), results, shape, stable);
}

ffi::Error callArgsort(ffi::ThreadPool pool, ffi::RemainingArgs inputs,
                       ffi::Result<ffi::AnyBuffer> result, Extents shape,
                       bool stable) {
  return runArgsort(pool, inputs.get<ffi::AnyBuffer>(0)->element_type(),
                    begins(inputs)[0], *result, shape, stable);
}

ffi::Error callArgsortAt(ffi::ThreadPool pool, Firsts firsts,
                         ffi::RemainingArgs inputs,
                         ffi::Result<ffi::AnyBuffer> result, Extents places,
                         Extents shape, bool stable) {
  return runArgsort(pool, inputs.get<ffi::AnyBuffer>(0)->element_type(),
                    begins(inputs, firsts, places)[0], *result, shape, stable);
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
