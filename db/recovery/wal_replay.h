// Reads the write-ahead logs of a database that is being opened, in order, and
// applies their batches to memtables (db-format.md 2.7, 5.5).
//
// What a damaged place means depends on the recovery mode. In point-in-time
// mode replay stops there, and goes on only with a batch that continues the
// sequence without a hole.
//
// Threads  The opening thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/wal/log_format.h"
#include "db/wal/memtable_inserter.h"
#include "db/wal/predecessor_record.h"
#include "options/db_options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class PreparedSections;
enum class Numbering;

// A blob that a record of the log refers to and that did not survive, so that
// the record counts as damaged.
struct LostBlob {
  bool is_lost = false;
  // Its file ends before it, or is not there: as what was never synced is
  // after a crash.
  bool is_cut_off = false;
  std::string what;
};

// What a replay has found.
struct WalReplayOutcome {
  SequenceNumber next_sequence = 0;  // 0 = no batch was applied
  bool dropped_something = false;    // see db-format.md 2.7: marker batch
  uint64_t stopped_at_log = 0;       // 0 = replay did not stop
  uint64_t newest_log = 0;           // 0 = there was none
  // The sequence behind the last record of each log; 0 = it had none.
  std::map<uint64_t, SequenceNumber> reached;
  // Where in each log the last record ends that counted; 0 = it had none.
  std::map<uint64_t, uint64_t> read_bytes;
};

class WalReplay {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string wal_dir;
    ColumnFamilyMemTables* families = nullptr;
    // Called after each batch: flushes memtables that became full.
    std::function<Status()> after_batch;
    // Are the blobs there that the record of that log refers to? Null: nobody
    // looks.
    std::function<Status(const WriteBatch& batch, uint64_t log_number,
                         LostBlob* lost)>
        check_blobs;
    // Another process writes the logs meanwhile.
    bool is_following = false;
    // Older logs hold nothing that is needed, and may be gone.
    uint64_t min_log_number = 0;
    // For DBOptions::wal_filter.
    std::map<uint32_t, uint64_t> family_log_numbers;
    std::map<std::string, uint32_t> family_ids;
    // By family, of its comparator as it is now; those without are absent.
    std::map<uint32_t, uint16_t> timestamp_sizes;
  };
  using Outcome = WalReplayOutcome;

  explicit WalReplay(Context context);
  ~WalReplay();

  // `numbers` ascending.
  Status Run(const std::vector<uint64_t>& numbers);
  const Outcome& outcome() const { return outcome_; }
  // With DBOptions::allow_2pc: the transactions that are still prepared.
  const PreparedSections& prepared() const { return *prepared_; }

 private:
  class Report;
  enum class Filtered { kApply, kPass, kEnd };
  Status ReplayLog(uint64_t number);
  // *go_on = false: the rest of this log is left out.
  Status ApplyRecord(const Slice& record, uint64_t number, Report* report,
                     bool* go_on);
  void LookForLoss(const Slice& record, Report* report) const;
  Status AfterReport(const Report& report, uint64_t number);
  // Asks DBOptions::wal_filter; `*batch` is what is to be applied.
  Status Filter(uint64_t number, Report* report, WriteBatch* batch,
                Filtered* filtered);
  Status CheckBlobs(const WriteBatch& batch, uint64_t number, Report* report,
                    Filtered* filtered);
  Status Apply(WriteBatch* batch, uint64_t number);
  // The same of a record whose entries share sequences, as RocksDB's policies
  // write-prepared and write-unprepared have them.
  Status ApplySubBatches(const WriteBatch& batch, uint64_t number);
  Status FindNumbering(const WriteBatch& batch, Numbering* numbering) const;
  std::map<uint32_t, uint16_t> KnownSizes() const;
  // What the log says of the one before (track_and_verify_wals).
  void Verify(const log::PredecessorInfo& info, Report* report) const;
  // Has the log before lost its end?
  Status CheckPredecessor(const LogPredecessor& predecessor, uint64_t number);
  // Which end of it was not found; empty: it is whole.
  std::string EndMissed(const LogPredecessor& predecessor) const;
  // The sequence behind a log's last record; 0: it had none.
  SequenceNumber ReachedBy(uint64_t number) const;

  const Context context_;
  Outcome outcome_;
  const std::unique_ptr<PreparedSections> prepared_;
  bool is_stopped_ = false;
  // Something that takes no sequences is missing: only what says so goes on
  // from there.
  bool is_cut_off_ = false;
  bool is_ended_ = false;        // by the filter, or before what is cut off
  log::PredecessorInfo before_;  // the log read last, as it was found
  // What the log being read says of its keys.
  std::map<uint32_t, uint16_t> logged_sizes_;
};

// Corruption where the manifest, or the sequence that it has come to, tells of
// logs that are not `present`, or shorter than they were.
struct ExpectedLogs {
  const std::map<uint64_t, uint64_t>& synced_sizes;  // by number
  uint64_t min_to_keep = 0;  // older ones are not missed, whatever is said
  SequenceNumber last_sequence = 0;
};
Status CheckLogsPresent(const ImmutableDBOptions& options,
                        const std::string& wal_dir,
                        const ExpectedLogs& expected,
                        const std::vector<uint64_t>& present);

// Replay stopped at a damaged place. A family whose tables hold data of later
// logs, the first of which is `log_number`, would then be ahead of the others.
Status CheckNotAhead(const WalReplayOutcome& outcome,
                     const std::string& wal_dir, const std::string& family,
                     uint64_t log_number);

// The numbers of the logs in `dir`, ascending.
Status ListLogs(FileSystem* fs, const std::string& dir,
                std::vector<uint64_t>* numbers);

// Tells LOG of a recovery from these logs, if there are any.
void LogRecoveryEvent(Logger* logger, const char* what,
                      const std::vector<uint64_t>& logs);

}  // namespace ROCKSDB_NAMESPACE
