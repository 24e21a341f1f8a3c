// The external files that one call adds to one column family.
//
// Contract   Prepare() without any lock; Assign() under the DB mutex while no
//            write can happen; Seal() without the mutex; then Number(), if a
//            snapshot has come meanwhile, and the edit is logged. Finish()
//            after that, whatever came of it.
// Threads    One at a time; Prepare() uses helper threads of its own.
// Errors     The first one, naming the file. The database is as before then.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "db/family/super_version.h"
#include "db/ingest/gap_survey.h"
#include "db/ingest/ingested_file.h"
#include "db/ingest/replaced_range.h"
#include "db/outputs/job_context.h"
#include "db/version/version_edit.h"
#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

struct IngestRequest {
  std::vector<std::string> paths;
  IngestExternalFileOptions options;
  // One for each path, or none; the same holds for the functions.
  std::vector<std::string> checksums;
  std::vector<std::string> checksum_functions;
  Temperature temperature = Temperature::kUnknown;
  // One for each path, or none; each may be null.
  std::vector<const PreparedFileInfo*> infos;
  std::optional<ReplacedRange> replaced;
};

class IngestJob {
 public:
  IngestJob(JobContext context, ColumnFamilyRef cfd,
            std::shared_ptr<const MutableCFOptions> options,
            const IngestRequest& request);
  ~IngestJob();

  // What is wrong with a request, whatever the files are.
  static Status Check(const ColumnFamilyData& cfd,
                      const IngestRequest& request);

  Status Prepare();

  // Does a memtable hold keys of the files, which must go to a table first?
  bool NeedsFlush(const MemTable& active, const MemTableVector& sealed) const;

  // Where a range is replaced: adds a file ahead of the others that takes away
  // what the version has of it, which no write may add to any more. Does I/O,
  // without the DB mutex.
  Status ClearRange(const VersionStorage& storage);

  // Looks into the tables of a version between whose keys a file may fit: does
  // I/O, without the DB mutex. What it has not seen stands in the way.
  void LookIntoGaps(const VersionStorage& storage);

  // Chooses levels and sequences, and fills in edit().
  struct Surroundings {
    std::function<bool(int level, const KeySpan& span)> is_busy;
    bool has_snapshots = false;
    SequenceNumber last_sequence = 0;
  };
  Status Assign(const Surroundings& around);
  Status Seal();

  // Under the DB mutex, after Assign(). Are there files that every snapshot
  // sees, although such as are older must not?
  bool HasUnnumbered() const;
  // Gives these a number after all; Seal() follows, again.
  Status Number(SequenceNumber sequence);

  enum class Outcome {
    kInstalled,  // the files are the database's
    kUndone,     // nothing of it counts
    kUnknown,    // a crash may bring it to count: nothing is deleted
  };
  void Finish(Outcome outcome);

  ColumnFamilyData* cfd() const { return cfd_.get(); }
  VersionEdit* edit() { return &edit_; }
  const std::vector<std::unique_ptr<IngestedFile>>& files() const {
    return files_;
  }
  // Not the one that ClearRange() has added.
  bool IsGiven(const IngestedFile& file) const {
    return &file != clearing_file_;
  }
  bool allows_flush() const { return options_.allow_blocking_flush; }
  // The largest sequence in the files that it adds; 0 = it needs no number.
  SequenceNumber LargestSequence() const;

 private:
  Status PrepareFile(size_t index);
  bool Overlaps(const MemTable& memtable) const;
  std::vector<KeySpan> Spans() const;
  bool IsBehind() const { return options_.ingest_behind; }

  const ColumnFamilyRef cfd_;  // first: the context points to it
  const JobContext context_;
  const IngestExternalFileOptions options_;
  const std::shared_ptr<const MutableCFOptions> mutable_options_;
  const std::optional<ReplacedRange> replaced_;
  std::vector<std::unique_ptr<IngestedFile>> files_;
  const IngestedFile* clearing_file_ = nullptr;  // one of them
  GapSurvey gaps_;
  VersionEdit edit_;
};

// LookIntoGaps() of all, until no new version has come. The mutex is released
// meanwhile. Most of it is done while writes go on; the rest, of what came
// since, while none does.
void LookIntoGapsOf(Mutex* mutex,
                    const std::vector<std::unique_ptr<IngestJob>>& jobs)
    REQUIRES(mutex);

}  // namespace ROCKSDB_NAMESPACE
