// Files whose asynchronous reads go on until somebody asks for them.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "rocksdb/file_system.h"
#include "tests/file/fake_files.h"

namespace ROCKSDB_NAMESPACE {

// A file whose asynchronous reads are answered by Poll(), in any order.
class PolledFile : public FakeReadableFile {
 public:
  struct Pending {
    FSReadRequest request;
    std::function<void(FSReadRequest&, void*)> callback;
    void* argument = nullptr;
    bool is_answered = false;
  };
  using FakeReadableFile::FakeReadableFile;

  IOStatus ReadAsync(FSReadRequest& request, const IOOptions& options,
                     std::function<void(FSReadRequest&, void*)> callback,
                     void* argument, void** handle, IOHandleDeleter* deleter,
                     IODebugContext* debug) override {
    auto pending = std::make_unique<Pending>();
    FSReadRequest& own = pending->request;
    own.offset = request.offset;
    own.len = request.len;
    own.status = Read(request.offset, request.len, options, &own.result,
                      request.scratch, debug);
    pending->callback = std::move(callback);
    pending->argument = argument;
    ++in_flight;
    *handle = pending.release();
    *deleter = [this](void* raw) {
      std::unique_ptr<Pending>(static_cast<Pending*>(raw)).reset();
      --in_flight;
    };
    return IOStatus::OK();
  }

  int in_flight = 0;
};

class PollingFileSystem : public FileSystemWrapper {
 public:
  PollingFileSystem() : FileSystemWrapper(FileSystem::Default()) {}
  const char* Name() const override { return "PollingFileSystem"; }
  void SupportedOps(int64_t& ops) override {
    ops = int64_t{1} << FSSupportedOps::kAsyncIO;
  }
  IOStatus Poll(std::vector<void*>& handles, size_t) override {
    ++polls;
    if (fails) return IOStatus::IOError("fake", "no poll");
    for (void* raw : handles) Answer(raw);
    return IOStatus::OK();
  }
  IOStatus AbortIO(std::vector<void*>& handles) override {
    ++aborts;
    for (void* raw : handles) Answer(raw);
    return IOStatus::OK();
  }

  int polls = 0;
  int aborts = 0;
  bool fails = false;

 private:
  static void Answer(void* raw) {
    auto* pending = static_cast<PolledFile::Pending*>(raw);
    if (pending->is_answered) return;
    pending->is_answered = true;
    pending->callback(pending->request, pending->argument);
  }
};

}  // namespace ROCKSDB_NAMESPACE
