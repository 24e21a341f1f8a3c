// A file system without hard links: another device, say.
#pragma once

#include <string>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

class LinklessFiles : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "LinklessFiles"; }
  IOStatus LinkFile(const std::string&, const std::string&, const IOOptions&,
                    IODebugContext*) override {
    return IOStatus::NotSupported("links");
  }
};

}  // namespace ROCKSDB_NAMESPACE
