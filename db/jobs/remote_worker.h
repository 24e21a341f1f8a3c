// Compacts for another process, which has asked for it and installs what is
// made.
//
// Threads    One, without the DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include <string>

#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class JobContexts;
class VersionSet;
struct ImmutableDBOptions;
struct RemoteCompactionRequest;
struct RemoteCompactionResult;

class RemoteWorker {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    const JobContexts* jobs = nullptr;
  };
  explicit RemoteWorker(const Context& context) : context_(context) {}
  RemoteWorker(const RemoteWorker&) = delete;
  RemoteWorker& operator=(const RemoteWorker&) = delete;

  // The new files lie in the family's last path, `directory`.
  void Compact(const RemoteCompactionRequest& request,
               const std::string& directory,
               const OpenAndCompactOptions& options,
               RemoteCompactionResult* result) EXCLUDES(context_.mutex);

 private:
  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
