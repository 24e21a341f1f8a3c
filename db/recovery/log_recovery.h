// The write-ahead logs at open (db-format.md 5.5): what they hold goes into
// memtables and tables, and the session's first log begins.
//
// Threads    One, under the DB mutex, before anybody else knows the database.
// Ownership  Borrows what it is given.
// Errors     Damage as the options say. On a failure the database is only good
//            for being closed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/recovery/wal_replay.h"
#include "db/version/version_edit.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyMemTables;
class CurrentOptions;
class FSDirectory;
class FamilyPublisher;
class FamilyRegistry;
class JobContexts;
class LeftOpenBlobs;
class LogKeeper;
class VersionSet;
class WriteMemory;
struct FamilyEntry;

class LogRecovery {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_name;
    std::string wal_dir;
    Mutex* mutex = nullptr;
    const CurrentOptions* options = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    FSDirectory* directory = nullptr;  // the manifest's
    FamilyPublisher* publisher = nullptr;
    JobContexts* jobs = nullptr;
    WriteMemory* memory = nullptr;
    // Null, both: nothing is written.
    LogKeeper* logs = nullptr;
    ColumnFamilyMemTables* targets = nullptr;
  };
  explicit LogRecovery(Context context);
  ~LogRecovery();
  LogRecovery(const LogRecovery&) = delete;
  LogRecovery& operator=(const LogRecovery&) = delete;

  Status Replay();
  // Instead (best_efforts_recovery): a later open without it replays what the
  // families' tables do not hold. What is written until then is newer.
  Status LeaveLogs();

  // The sections that a replay has found to be prepared.
  const PreparedSections& prepared() const { return *prepared_; }

 private:
  // What replay has written for each family (by id), to be logged at its end.
  using Edits = std::map<uint32_t, VersionEdit>;

  bool Writes() const { return context_.logs != nullptr; }
  Status RunReplay(const std::vector<uint64_t>& logs, uint64_t min_log,
                   Edits* edits, WalReplay::Outcome* outcome)
      REQUIRES(context_.mutex);
  uint64_t MinLogToReplay() const REQUIRES(context_.mutex);
  Status CheckEnd(const WalReplay::Outcome& outcome) REQUIRES(context_.mutex);
  // Sets *lost if the record refers to a blob that did not survive.
  Status CheckBlobs(const WriteBatch& batch, uint64_t log_number,
                    LostBlob* lost) REQUIRES(context_.mutex);
  Status FindLeftOpenBlobs() REQUIRES(context_.mutex);
  Status TakeUpLeftOpenBlobs(Edits* edits) REQUIRES(context_.mutex);
  Status Flush(bool only_full, Edits* edits) REQUIRES(context_.mutex);
  Status Flush(FamilyEntry* family, Edits* edits) REQUIRES(context_.mutex);
  Status FlushForMemory(Edits* edits) REQUIRES(context_.mutex);
  Status HoldPrepared(const WalReplay::Outcome& outcome,
                      const std::vector<uint64_t>& logs)
      REQUIRES(context_.mutex);
  // By number, the sequence that follows each; 0: not known.
  Status KeepLogs(const std::map<uint64_t, SequenceNumber>& logs)
      REQUIRES(context_.mutex);
  Status MakeDurable(const std::string& path, uint64_t number) const;
  bool MayKeepLogs(const WalReplay::Outcome& outcome, const Edits& edits) const
      REQUIRES(context_.mutex);
  Status Finish(const WalReplay::Outcome& outcome,
                const std::vector<uint64_t>& logs, Edits* edits)
      REQUIRES(context_.mutex);
  // What the open ends with.
  struct End {
    bool keeps_logs = false;
    uint64_t oldest_log = 0;  // the oldest that is needed from here on
    uint64_t first_log = 0;   // the first of this session
  };
  bool SaysNothing(const Edits& edits, const End& end) const
      REQUIRES(context_.mutex);
  Status LogEdits(const End& end, Edits* edits) REQUIRES(context_.mutex);
  Status ForgetTrackedLogs() REQUIRES(context_.mutex);
  Status StartFirstLog(uint64_t number, const WalReplay::Outcome& outcome)
      REQUIRES(context_.mutex);

  const Context context_;
  const std::unique_ptr<PreparedSections> prepared_;
  const std::unique_ptr<LeftOpenBlobs> left_open_;
  uint64_t newest_log_ = 0;  // that was found; 0: none
};

}  // namespace ROCKSDB_NAMESPACE
