// What users bring to a compaction: listeners, a service, a partitioner.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rocksdb/compaction_service.h"
#include "rocksdb/listener.h"
#include "rocksdb/sst_partitioner.h"

namespace ROCKSDB_NAMESPACE {

// Is told of compactions without the mutex, and may do something about them.
class CompactionListener final : public EventListener {
 public:
  void OnCompactionBegin(DB* /*db*/, const CompactionJobInfo& info) override {
    Note("begins", info);
    if (on_begin != nullptr) on_begin();
  }
  void OnCompactionPreCommit(DB* /*db*/,
                             const CompactionJobInfo& info) override {
    Note("is made", info);
  }
  void OnCompactionCompleted(DB* /*db*/,
                             const CompactionJobInfo& info) override {
    Note(info.status.ok() ? "is done" : "failed", info);
  }

  std::vector<std::string> lines;
  std::function<void()> on_begin;

 private:
  void Note(const std::string& what, const CompactionJobInfo& info) {
    lines.push_back(what + " " + std::to_string(info.input_files.size()) +
                    " to " + std::to_string(info.output_files.size()));
  }
};

// Fails, and is told what became of it.
class BadService final : public CompactionService {
 public:
  explicit BadService(std::vector<std::string>* lines) : lines_(lines) {}
  const char* Name() const override { return "BadService"; }
  CompactionServiceScheduleResponse Schedule(const CompactionServiceJobInfo&,
                                             const std::string&) override {
    return {"the job", CompactionServiceJobStatus::kFailure};
  }
  void OnInstallation(const std::string& id,
                      CompactionServiceJobStatus) override {
    lines_->push_back("told of " + id);
  }

 private:
  std::vector<std::string>* const lines_;
};

// Lets no file move, or fails to say whether one may.
class NoMoves final : public SstPartitionerFactory {
 public:
  const char* Name() const override { return "NoMoves"; }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& /*context*/) const override {
    if (throws) throw std::runtime_error("not today");
    return std::make_unique<Partitioner>();
  }
  bool throws = false;

 private:
  class Partitioner final : public SstPartitioner {
   public:
    const char* Name() const override { return "NoMoves"; }
    PartitionerResult ShouldPartition(const PartitionerRequest&) override {
      return kNotRequired;
    }
    bool CanDoTrivialMove(const Slice&, const Slice&) override { return false; }
  };
};

}  // namespace ROCKSDB_NAMESPACE
