//===- Staging.cpp - Memory for arguments that XLA can't take -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staging.h"
#include "Blocks.h"
#include "Copying.h"
#include "Native.h"

namespace nb = nanobind;
using namespace ingot;

namespace {

constexpr const char *blockName = "ingot_runtime.block";

void giveBackBlock(PyObject *capsule) {
  size_t size = reinterpret_cast<size_t>(PyCapsule_GetContext(capsule));
  blocks().giveBack({PyCapsule_GetPointer(capsule, blockName), size});
}

/// The base object of an array that uses a block; null with an exception.
PyObject *makeOwner(Block block) {
  if (!block.memory)
    return PyErr_NoMemory();
  PyObject *capsule = PyCapsule_New(block.memory, blockName, giveBackBlock);
  if (!capsule) {
    blocks().giveBack(block);
    return nullptr;
  }
  PyCapsule_SetContext(capsule, reinterpret_cast<void *>(block.size));
  return capsule;
}

/// An array's dtype in native byte order.
PyArray_Descr *nativeDtype(PyArrayObject *array) {
  PyArray_Descr *dtype = PyArray_DESCR(array);
  if (!PyArray_ISNBO(dtype->byteorder))
    return PyArray_DescrNewByteorder(dtype, NPY_NATIVE);
  Py_INCREF(dtype);
  return dtype;
}

/// A copy of an array in C order and native byte order, in a block with `more`
/// extra bytes.
nb::object copyOf(PyArrayObject *array, size_t more) {
  PyArray_Descr *dtype = nativeDtype(array);
  if (!dtype)
    throw nb::python_error();
  nb::object copy =
      nb::steal(arrayInBlock(dtype, PyArray_NDIM(array), PyArray_DIMS(array),
                             PyArray_NBYTES(array), more));
  if (!copy.is_valid() || !copyArray(asArray(copy.ptr()), array))
    throw nb::python_error();
  return copy;
}

/// The argument as a NumPy array; throws if it is another object.
PyArrayObject *checked(nb::handle given) {
  if (!PyArray_Check(given.ptr()))
    throw nb::type_error("an array");
  return asArray(given.ptr());
}

/// A copy of an array in memory that XLA uses without a copy.
nb::object stagedCopy(nb::handle given) { return copyOf(checked(given), 0); }

/// A flat, aligned array that contains the items of an array, and the index of
/// the first one. It uses the array's own memory if possible, else a copy.
nb::tuple within(nb::handle given, bool mustCopy) {
  nb::object array = nb::borrow(given);
  PyArrayObject *whole = checked(array);
  npy_intp item = PyArray_ITEMSIZE(whole);
  auto before = [](PyArrayObject *each) {
    return reinterpret_cast<uintptr_t>(PyArray_DATA(each)) % blockAlignment;
  };
  if (mustCopy || !PyArray_IS_C_CONTIGUOUS(whole) ||
      !PyArray_ISNBO(PyArray_DESCR(whole)->byteorder) ||
      before(whole) % item != 0) {
    array = copyOf(whole, blockAlignment);
    whole = asArray(array.ptr());
  }
  // The last items may lie beyond the memory of the array: programs don't read
  // them.
  npy_intp size = PyArray_SIZE(whole) + blockAlignment / item - 1;
  PyArray_Descr *dtype = PyArray_DESCR(whole);
  Py_INCREF(dtype);
  nb::object flat = nb::steal(PyArray_NewFromDescr(
      &PyArray_Type, dtype, 1, &size, nullptr,
      PyArray_BYTES(whole) - before(whole), NPY_ARRAY_CARRAY_RO, nullptr));
  size_t first = before(whole) / item;
  if (!flat.is_valid() ||
      PyArray_SetBaseObject(asArray(flat.ptr()), array.release().ptr()) < 0)
    throw nb::python_error();
  return nb::make_tuple(flat, first);
}

/// Copies the elements of an array to another one without overlap.
void copyTo(nb::handle to, nb::handle from) {
  if (!PyArray_Check(to.ptr()) || !PyArray_Check(from.ptr()))
    throw nb::type_error("arrays");
  if (!copyArray(asArray(to.ptr()), asArray(from.ptr())))
    throw nb::python_error();
}

} // namespace

PyObject *ingot::arrayInBlock(PyArray_Descr *dtype, int axes,
                              const npy_intp *sizes, npy_intp bytes,
                              size_t more) {
  Block block = blocks().take(bytes + more);
  nb::object owner = nb::steal(makeOwner(block));
  if (!owner.is_valid()) {
    Py_DECREF(dtype);
    return nullptr;
  }
  PyObject *made =
      PyArray_NewFromDescr(&PyArray_Type, dtype, axes, sizes, nullptr,
                           block.memory, NPY_ARRAY_CARRAY, nullptr);
  if (made && PyArray_SetBaseObject(asArray(made), owner.release().ptr()) < 0)
    Py_CLEAR(made);
  return made;
}

void ingot::bindStaging(nb::module_ &module) {
  module.def("staged_copy", &stagedCopy, nb::arg("array"));
  module.def("within", &within, nb::arg("array"), nb::arg("copy"));
  module.def("copy_to", &copyTo, nb::arg("to"), nb::arg("from_"));
}
