// Counts the tables that are opened, and lets a test do something in the moment
// before.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

class TableOpens final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "TableOpens"; }
  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* file,
                               IODebugContext* dbg) override {
    if (path.ends_with(".sst")) {
      ++count;
      if (before_open != nullptr) before_open();
    }
    return FileSystemWrapper::NewRandomAccessFile(path, options, file, dbg);
  }
  std::atomic<int> count{0};
  std::function<void()> before_open;
};

}  // namespace ROCKSDB_NAMESPACE
