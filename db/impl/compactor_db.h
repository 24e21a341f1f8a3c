// The database as a process sees it that compacts for another one: its tables
// alone, and one compaction of them.
//
// Threads    One.
#pragma once

#include <memory>
#include <string>

#include "db/impl/unwritable_db.h"

namespace ROCKSDB_NAMESPACE {

class JobContexts;
class SequenceAges;
struct RemoteCompactionRequest;
struct RemoteCompactionResult;

class CompactorDB final : public UnwritableDB {
 public:
  CompactorDB(const DBOptions& sanitized, const OpenRequest& request);
  ~CompactorDB() override;

  // Carries out `request`. The new files lie in the family's last path,
  // `directory`.
  void CompactForPrimary(const RemoteCompactionRequest& request,
                         const std::string& directory,
                         const OpenAndCompactOptions& options,
                         RemoteCompactionResult* result);

 private:
  const char* refusal() const override {
    return "Not supported operation while compacting for another process.";
  }
  Status MakeParts() override;
  Status ReadLogs() override { return Status::OK(); }
  Status BeginWork() override;

  std::unique_ptr<SequenceAges> ages_;
  std::unique_ptr<JobContexts> contexts_;
};

}  // namespace ROCKSDB_NAMESPACE
