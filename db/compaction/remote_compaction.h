// A compaction that another process carries out: what that process is told,
// and what it answers. The bytes are for two processes of one release; a tag in
// front keeps others apart.
//
// Contract   Every file of the request is in the database until the answer has
//            been installed, so that the worker finds it in the manifest.
// Errors     Corruption: bytes that nothing of this release has written.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/compaction/compaction.h"
#include "db/outputs/job_context.h"
#include "db/semantics/compaction_iterator_stats.h"
#include "db/version/version_edit.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

struct RemoteCompactionRequest {
  std::string db_id;
  std::string family;
  std::vector<std::string> paths;  // where the family's files are
  // Numbers of files, by level; those of level 0 the newest first.
  std::vector<std::pair<int, std::vector<uint64_t>>> inputs;
  std::vector<uint64_t> unread;  // inputs that nobody needs to read, ascending
  std::vector<uint64_t> grandparents;
  int output_level = 0;
  uint64_t max_output_file_bytes = 0;
  uint64_t max_grandparent_overlap_bytes = 0;
  uint32_t max_subcompactions = 1;
  CompressionType compression = kNoCompression;
  CompactionReason reason = CompactionReason::kUnknown;
  Temperature output_temperature = Temperature::kUnknown;
  bool is_manual = false;
  bool is_bottommost = false;
  std::vector<SequenceNumber> snapshots;  // ascending

  static RemoteCompactionRequest Of(const JobContext& job,
                                    const Compaction& compaction);
  std::string Encode() const;
  Status Decode(const Slice& bytes);

  // The same compaction in the worker's view of the database. NotFound: a file
  // is not there.
  Status Restore(VersionRef version,
                 std::shared_ptr<const MutableCFOptions> options,
                 std::unique_ptr<Compaction>* compaction) const;
};

struct RemoteCompactionResult {
  Status status;
  std::string directory;  // where the new files are
  VersionEdit files;      // added, with the worker's numbers
  CompactionIteratorStats records;
  uint64_t dropped_tombstones = 0;
  uint64_t cpu_micros = 0;

  Status Encode(std::string* bytes) const;
  Status Decode(const Slice& bytes);
};

// What keeps a compaction in this process; empty: nothing does.
std::string WhyNotRemote(const Compaction& compaction);

// What a user's service is told of a job.
CompactionServiceJobInfo DescribeForService(const JobContext& job,
                                            const Compaction& compaction);

// An output of an earlier run of the same job, which lies where this one's
// will: opened, if it is as it was recorded.
Status TakeFinishedFile(const JobContext& job, const Compaction& compaction,
                        const FileMeta& recorded, CompactionOutputFile* output);

// Moves the result's files to where they would have been written, and opens
// them. Those that were moved are in *outputs also after an error.
Status TakeInRemoteFiles(const JobContext& job, const Compaction& compaction,
                         const RemoteCompactionResult& result,
                         std::vector<CompactionOutputFile>* outputs);

}  // namespace ROCKSDB_NAMESPACE
