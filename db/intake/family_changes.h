// Families that come and go while the database is open, and what changes of
// them: their options, how far back their history goes.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
// Errors     A manifest that cannot be written is told to JobErrors.
#pragma once

#include <string>
#include <unordered_map>

#include "db/family/column_family.h"
#include "db/jobs/edit_context.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CurrentOptions;
class FamilyAttacher;
class FileAccessChooser;
class FlushDesk;
class LeaderAttention;
class LogKeeper;
class OptionsFiles;
class SequenceAges;
class WalLock;
class WriteThread;

class FamilyChanges {
 public:
  struct Context : EditContext {
    const ImmutableDBOptions* db = nullptr;
    const CurrentOptions* options = nullptr;
    WriteThread* writes = nullptr;
    WalLock* wal_lock = nullptr;
    LogKeeper* logs = nullptr;
    FamilyAttacher* attacher = nullptr;
    const FileAccessChooser* access = nullptr;
    OptionsFiles* options_files = nullptr;
    FlushDesk* flushes = nullptr;
    SequenceAges* ages = nullptr;
    LeaderAttention* attention = nullptr;
  };
  explicit FamilyChanges(const Context& context);
  FamilyChanges(const FamilyChanges&) = delete;
  FamilyChanges& operator=(const FamilyChanges&) = delete;

  // --- Note() must follow, for one or several
  Status Add(const ColumnFamilyOptions& options, const std::string& name,
             ColumnFamilyRef* cfd) EXCLUDES(context_.mutex);
  Status Remove(ColumnFamilyData* cfd) EXCLUDES(context_.mutex);
  // In OPTIONS, and wherever else it costs as much as there are families.
  Status Note() EXCLUDES(context_.mutex);

  // --- changes of one, or of several: of all or of none
  struct Inputs {
    ColumnFamilyData* cfd = nullptr;
    const std::unordered_map<std::string, std::string>* options = nullptr;
  };
  Status SetOptions(const std::vector<Inputs>& inputs) EXCLUDES(context_.mutex);
  Status RaiseHistory(ColumnFamilyData* cfd, const Slice& ts_low)
      EXCLUDES(context_.mutex);

  // What is in force now. (mutex)
  Status WriteOptionsFile();

 private:
  Status CheckPaths(const ColumnFamilyOptions& options) const
      EXCLUDES(context_.mutex);
  Status Apply(const std::vector<Inputs>& inputs) EXCLUDES(context_.mutex);

  const Context context_;
  Mutex history_mutex_;  // held while some full_history_ts_low is raised
};

}  // namespace ROCKSDB_NAMESPACE
