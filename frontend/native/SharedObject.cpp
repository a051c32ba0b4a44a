//===- SharedObject.cpp - Linking in this process -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedObject.h"

#include "lld/Common/Driver.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>
#include <link.h>
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace {

/// A new file of this process, in memory where there is a file system for that.
struct TemporaryFile {
  SmallString<64> path;
  FileRemover remover;

  std::error_code create() {
    StringRef memory = "/dev/shm";
    SmallString<64> folder = memory;
    if (!sys::fs::can_write(memory))
      sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
    sys::path::append(folder, "ingot-%%%%%%%%%%%%");
    if (std::error_code error = sys::fs::createUniqueFile(folder, path))
      return error;
    remover.setFile(path);
    return {};
  }
};

/// The files of the C library that this process uses, as far as there are any.
std::vector<std::string> libraries() {
  std::vector<std::string> paths;
  for (const char *name : {"libc.so.6", "libm.so.6", "libmvec.so.1"}) {
    link_map *map = nullptr;
    void *handle = dlopen(name, RTLD_LAZY);
    if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
      paths.emplace_back(map->l_name);
  }
  return paths;
}

/// Whether an object uses symbols that it does not define.
Expected<bool> needsLibraries(StringRef object) {
  auto file = object::ObjectFile::createObjectFile({object, "kernel"});
  if (!file)
    return file.takeError();
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (*flags & object::SymbolRef::SF_Undefined)
      return true;
  }
  return false;
}

} // namespace

Expected<std::string> ingot::linkSharedObject(StringRef object) {
  TemporaryFile input, output;
  if (std::error_code error = input.create())
    return errorCodeToError(error);
  if (std::error_code error = output.create())
    return errorCodeToError(error);
  auto writeObject = [&](raw_ostream &stream) {
    stream << object;
    return Error::success();
  };
  if (Error error = writeToOutput(input.path, writeObject))
    return error;

  static const std::vector<std::string> all = libraries();
  // Undefined symbols are an error here, instead of when a process loads it.
  SmallVector<const char *> arguments = {"ld.lld",
                                         "-shared",
                                         "-s",
                                         "-z",
                                         "defs",
                                         "-o",
                                         output.path.c_str(),
                                         input.path.c_str(),
                                         "--gc-sections",
                                         "--hash-style=gnu",
                                         "--threads=1",
                                         "--as-needed"};
  // To read them takes longer than to link most kernels.
  Expected<bool> needs = needsLibraries(object);
  if (!needs)
    return needs.takeError();
  if (*needs)
    for (const std::string &path : all)
      arguments.push_back(path.c_str());

  std::string messages;
  raw_string_ostream stream(messages);
  {
    // The linker's state is global.
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    if (lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}})
            .retCode)
      return createStringError(messages);
  }
  auto linked = MemoryBuffer::getFile(output.path);
  if (!linked)
    return errorCodeToError(linked.getError());
  return (*linked)->getBuffer().str();
}
