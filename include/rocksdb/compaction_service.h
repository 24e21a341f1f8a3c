// Remote compaction: a database with a CompactionService hands it the input of
// each compaction that rewrites tables; somebody passes that to
// DB::OpenAndCompact() in another process, on the same files, and its result
// back. Compactions of families with blob files stay in the process.
//
// Threads    A service is called from any thread. A worker is one call.
// Errors     A service that throws or gives no result fails its compaction with
//            Incomplete; the database goes on with its inputs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/customizable.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/listener.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

class CompactionFilter;
class CompactionFilterFactory;
class Logger;
class MergeOperator;
class SliceTransform;
class TableFactory;
class TablePropertiesCollectorFactory;

enum class CompactionServiceJobStatus : char {
  kSuccess,
  kFailure,
  kAborted,
  kUseLocal,
};

struct CompactionServiceJobInfo {
  std::string db_name;
  std::string db_id;
  std::string db_session_id;
  uint32_t cf_id = 0;
  std::string cf_name;
  uint64_t job_id = 0;
  Env::Priority priority = Env::LOW;
  CompactionReason compaction_reason = CompactionReason::kUnknown;
  bool is_full_compaction = false;
  bool is_manual_compaction = false;
  bool bottommost_level = false;
  int base_input_level = 0;
  int output_level = 0;
};

struct CompactionServiceScheduleResponse {
  std::string scheduled_job_id;
  CompactionServiceJobStatus status = CompactionServiceJobStatus::kUseLocal;

  CompactionServiceScheduleResponse(const std::string& job_id,
                                    CompactionServiceJobStatus job_status)
      : scheduled_job_id(job_id), status(job_status) {}
  explicit CompactionServiceScheduleResponse(
      CompactionServiceJobStatus job_status)
      : status(job_status) {}
};

class CompactionService : public Customizable {
 public:
  static const char* Type() { return "CompactionService"; }
  const char* Name() const override = 0;

  virtual CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& /*info*/,
      const std::string& /*compaction_service_input*/) {
    return CompactionServiceScheduleResponse(
        CompactionServiceJobStatus::kUseLocal);
  }
  virtual CompactionServiceJobStatus Wait(
      const std::string& /*scheduled_job_id*/, std::string* /*result*/) {
    return CompactionServiceJobStatus::kUseLocal;
  }
  virtual void CancelAwaitingJobs() {}
  virtual void OnInstallation(const std::string& /*scheduled_job_id*/,
                              CompactionServiceJobStatus /*status*/) {}
};

// What the worker of a remote compaction cannot read from the OPTIONS file.
struct CompactionServiceOptionsOverride {
  Env* env = Env::Default();
  std::shared_ptr<FileChecksumGenFactory> file_checksum_gen_factory = nullptr;
  const Comparator* comparator = BytewiseComparator();
  std::shared_ptr<MergeOperator> merge_operator = nullptr;
  const CompactionFilter* compaction_filter = nullptr;
  std::shared_ptr<CompactionFilterFactory> compaction_filter_factory = nullptr;
  std::shared_ptr<const SliceTransform> prefix_extractor = nullptr;
  std::shared_ptr<TableFactory> table_factory;
  std::shared_ptr<SstPartitionerFactory> sst_partitioner_factory = nullptr;
  std::vector<std::shared_ptr<EventListener>> listeners;
  std::shared_ptr<Statistics> statistics = nullptr;
  std::shared_ptr<Logger> info_log = nullptr;
  std::vector<std::shared_ptr<TablePropertiesCollectorFactory>>
      table_properties_collector_factories;
  std::unordered_map<std::string, std::string> options_map;
};

// The options of one call of DB::OpenAndCompact().
struct OpenAndCompactOptions {
  // Another thread sets it to stop the call, which then answers Incomplete; may
  // be null.
  std::atomic<bool>* canceled = nullptr;
  // Records finished files in the output directory, in a file
  // COMPACTION_PROGRESS-T; a later call with the same input and directory
  // continues after them. Such a compaction runs as one sub-compaction. A call
  // without this option forgets what is recorded there. State that a filter
  // keeps between keys is not recorded.
  bool allow_resumption = false;
};

}  // namespace ROCKSDB_NAMESPACE
