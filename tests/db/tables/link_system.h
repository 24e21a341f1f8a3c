// A file system that may have no links.
#pragma once

#include <string>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

class LinkSystem final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "LinkSystem"; }
  IOStatus LinkFile(const std::string& from, const std::string& to,
                    const IOOptions& options, IODebugContext* dbg) override {
    if (!answer.ok()) return answer;
    return FileSystemWrapper::LinkFile(from, to, options, dbg);
  }
  IOStatus answer;  // OK: that of the file system below
};

}  // namespace ROCKSDB_NAMESPACE
