//===- SharedObject.cpp - Linking in this process -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedObject.h"

#include "lld/Common/Driver.h"
#include "lld/Common/Filesystem.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
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

  std::error_code create(StringRef contents) {
    StringRef memory = "/dev/shm";
    SmallString<64> folder = memory;
    if (!sys::fs::can_write(memory))
      sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
    sys::path::append(folder, "ingot-%%%%%%%%%%%%");
    int file;
    if (std::error_code error = sys::fs::createUniqueFile(folder, file, path))
      return error;
    remover.setFile(path);
    raw_fd_ostream stream(file, /*shouldClose=*/true);
    stream << contents;
    stream.close();
    std::error_code error = stream.error();
    stream.clear_error();
    return error;
  }
};

/// The linker's state is global.
std::mutex linker;
/// What it has linked last.
std::string linked;

class LinkedInMemory : public FileOutputBuffer {
public:
  explicit LinkedInMemory(size_t size) : FileOutputBuffer(""), bytes(size, 0) {}
  uint8_t *getBufferStart() const override { return bytes.data(); }
  uint8_t *getBufferEnd() const override { return bytes.data() + bytes.size(); }
  size_t getBufferSize() const override { return bytes.size(); }
  Error commit() override {
    linked.assign(bytes.begin(), bytes.end());
    return Error::success();
  }

private:
  mutable std::vector<uint8_t> bytes;
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

/// Whether objects use symbols that none of them defines.
Expected<bool> needLibraries(ArrayRef<std::string> objects) {
  StringSet<> used, defined;
  for (const std::string &object : objects) {
    auto file = object::ObjectFile::createObjectFile({object, "kernel"});
    if (!file)
      return file.takeError();
    for (const object::SymbolRef &symbol : (*file)->symbols()) {
      Expected<uint32_t> flags = symbol.getFlags();
      if (!flags)
        return flags.takeError();
      Expected<StringRef> name = symbol.getName();
      if (!name)
        return name.takeError();
      bool isUndefined = *flags & object::SymbolRef::SF_Undefined;
      (isUndefined ? used : defined).insert(*name);
    }
  }
  return any_of(
      used, [&](const auto &each) { return !defined.contains(each.getKey()); });
}

} // namespace

// These definitions are found before those in the linker's archives. Where LLVM
// writes files, it takes over signals, to remove what is written by half.

Expected<std::unique_ptr<FileOutputBuffer>>
FileOutputBuffer::create(StringRef path, size_t size, unsigned flags) {
  return std::make_unique<LinkedInMemory>(size);
}

namespace lld {
void unlinkAsync(StringRef path) {}
std::error_code tryCreateFile(StringRef path) { return {}; }
// For options that are not used here.
std::unique_ptr<raw_fd_ostream> openFile(StringRef file) { return {}; }
std::unique_ptr<raw_fd_ostream> openLTOOutputFile(StringRef file) { return {}; }
} // namespace lld

Expected<std::string> ingot::linkSharedObject(ArrayRef<std::string> objects) {
  // Undefined symbols are an error here, instead of when a process loads it.
  SmallVector<const char *> arguments = {
      "ld.lld",        "-shared",          "-s",          "-z",         "defs",
      "--gc-sections", "--hash-style=gnu", "--threads=1", "--as-needed"};
  std::vector<TemporaryFile> inputs(objects.size());
  for (auto [object, input] : zip_equal(objects, inputs)) {
    if (std::error_code error = input.create(object))
      return errorCodeToError(error);
    arguments.push_back(input.path.c_str());
  }

  static const std::vector<std::string> all = libraries();
  // To read them takes longer than to link most kernels.
  Expected<bool> needs = needLibraries(objects);
  if (!needs)
    return needs.takeError();
  if (*needs)
    for (const std::string &path : all)
      arguments.push_back(path.c_str());

  std::string messages;
  raw_string_ostream stream(messages);
  std::lock_guard lock(linker);
  if (lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}})
          .retCode)
    return createStringError(messages);
  return std::move(linked);
}
