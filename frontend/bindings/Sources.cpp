//===- Sources.cpp - Text that Python compiles without a file -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sources.h"

#include <cstdio>
#include <cstring>
#include <string_view>

namespace nb = nanobind;

namespace {

/// Limits: the number of texts, the bytes of one text, and of all texts.
constexpr Py_ssize_t mostTexts = 512, longestText = 256 * 1024,
                     mostBytes = 4 * 1024 * 1024;

/// The texts by (text, filename), the newest last. It is never destroyed, since
/// the hook can't be removed.
PyObject *recent = nullptr;
Py_ssize_t recentBytes = 0;
PyInterpreterState *interpreter = nullptr;

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

/// Whether the text may define functions and is not the content of a file.
bool isKept(PyObject *source, PyObject *filename) {
  if (!PyBytes_Check(source) || PyBytes_GET_SIZE(source) > longestText ||
      !PyUnicode_Check(filename))
    return false;
  std::string_view text(PyBytes_AS_STRING(source), PyBytes_GET_SIZE(source));
  if (text.find("def ") == text.npos && text.find("lambda") == text.npos)
    return false;
  const char *name = PyUnicode_AsUTF8(filename);
  // Modules have a file; <unknown> is from `ast.parse`, which makes no
  // functions.
  return name && !(name[0] == '/' && endsWith(name, ".py")) &&
         std::strcmp(name, "<unknown>");
}

void drop(PyObject *key) {
  Py_ssize_t size = PyBytes_GET_SIZE(PyTuple_GET_ITEM(key, 0));
  Py_INCREF(key);
  if (PyDict_DelItem(recent, key) == 0)
    recentBytes -= size;
  Py_DECREF(key);
}

void keep(PyObject *source, PyObject *filename) {
  PyObject *key = PyTuple_Pack(2, source, filename);
  if (!key)
    return;
  // A text that exists already becomes the newest.
  if (PyDict_Contains(recent, key) == 1)
    drop(key);
  if (PyDict_SetItem(recent, key, Py_None) == 0)
    recentBytes += PyBytes_GET_SIZE(source);
  Py_DECREF(key);
  while (PyDict_GET_SIZE(recent) > mostTexts || recentBytes > mostBytes) {
    Py_ssize_t at = 0;
    PyObject *oldest, *value;
    if (!PyDict_Next(recent, &at, &oldest, &value))
      return;
    drop(oldest);
  }
}

/// An auditing hook, which Python calls for each compilation. Hooks can't be
/// removed, so it returns at once for all other events.
int hook(const char *event, PyObject *args, void *) {
  if (std::strcmp(event, "compile") || !PyTuple_Check(args) ||
      PyTuple_GET_SIZE(args) != 2 || PyInterpreterState_Get() != interpreter)
    return 0;
  PyObject *source = PyTuple_GET_ITEM(args, 0);
  PyObject *filename = PyTuple_GET_ITEM(args, 1);
  if (isKept(source, filename))
    keep(source, filename);
  PyErr_Clear();
  return 0;
}

/// C's buffer of standard input: the only copy of the last block of a script or
/// session that comes through a pipe.
nb::bytes stdinBuffer() {
#ifdef __GLIBC__
  const char *start = stdin->_IO_buf_base;
  if (start)
    return nb::bytes(start, stdin->_IO_buf_end - start);
#endif
  return nb::bytes("", 0);
}

} // namespace

void ingot::bindSources(nb::module_ &m) {
  if (!recent) {
    recent = PyDict_New();
    interpreter = PyInterpreterState_Get();
    if (!recent || PySys_AddAuditHook(hook, nullptr) != 0)
      throw nb::python_error();
  }
  m.def("recent_sources", [] { return nb::steal(PyDict_Keys(recent)); });
  m.def("stdin_buffer", stdinBuffer);
}
