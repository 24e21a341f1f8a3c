// The prepared transactions of write-ahead logs (db-format.md 3.4): those of
// logs that are replayed, then those that are prepared and ended by writes.
//
// A transaction of the policy write-committed stands in a log as a section
// between two markers and takes effect where a later record commits it, with
// the sequences that follow there. Sections that nothing commits or rolls back
// stay prepared: their logs must be kept until something does, or they are
// copied to a later log. A crash in between leaves two of the same name and
// content, of which the later counts.
//
// Under write-prepared and write-unprepared it is the same here, with other
// begin markers: what is not committed is in no memtable. RocksDB, however,
// inserts a section where it stands, so that of its logs a section may be in
// tables already, with the sequences of the section. Under write-unprepared a
// section may have parts, of which the last says that it is prepared.
//
// Threads    The opening thread; then under the DB mutex.
// Errors     Corruption for markers that do not pair up; NotSupported for
//            sections of another policy.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/wal/timestamp_fit.h"
#include "options/db_options.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyMemTables;
struct SubBatch;

// A key that RocksDB may have put into tables before it was committed.
struct KeyInTables {
  uint32_t family_id = 0;
  std::string key;
  SequenceNumber sequence = 0;  // its first in the section
};

// What a record does to memtables.
struct ReplayedBatch {
  WriteBatch updates;  // they share its sequence
  uint64_t log_number = 0;
};

class PreparedSections {
 public:
  struct Section {
    uint64_t log_number = 0;  // the oldest that holds some of it
    WriteBatch updates;
    bool is_prepared = true;      // else its transaction goes on
    SequenceNumber sequence = 0;  // its first, if it takes some
    SequenceNumber end = 0;       // behind its last one
    // Only sections of RocksDB's logs have these: their sub-batches, and those
    // of their keys that may be in tables.
    std::vector<WriteBatch> sub_batches;
    std::vector<KeyInTables> in_tables;
  };

  explicit PreparedSections(
      SectionPolicy policy = SectionPolicy::kWriteCommitted)
      : policy_(policy) {}

  // True for a batch that Expand() would change.
  static bool Concerns(const WriteBatch& batch);

  // Puts into *batch, which log `log_number` has, what it does to memtables:
  // its updates outside of sections, and those of sections that it commits.
  // `sizes`: of the families' timestamps.
  // *taken: the sequences that sections in it took for themselves.
  Status Expand(uint64_t log_number, const TimestampSizes& sizes,
                WriteBatch* batch, uint64_t* taken = nullptr);
  // The same of a record that RocksDB has numbered by sub-batches, which was
  // cut into `parts`.
  Status ExpandSubBatches(uint64_t log_number, std::vector<SubBatch> parts,
                          ColumnFamilyMemTables* families,
                          std::vector<ReplayedBatch>* effects);

  // --- while the database is open
  // What is there of that name already stays, unless it is prepared.
  void Add(const std::string& name, Section section);
  // Null: there is none of that name.
  const Section* Find(const std::string& name) const;
  void Erase(const std::string& name) { sections_.erase(name); }
  // MakeRecords() was written to that log.
  void MoveAllTo(uint64_t log_number);

  // By name.
  const std::map<std::string, Section>& sections() const { return sections_; }
  // What a log is to hold for each section, to keep it without the one it is
  // in.
  Status MakeRecords(std::vector<WriteBatch>* records) const;
  // The oldest log that holds a section; UINT64_MAX: none does.
  uint64_t MinLog() const;

 private:
  Status CheckBegin(ValueType marker) const;
  Status Keep(const std::string& name, Section* section);
  // `kept` has it from now on.
  static Status Take(Section* section, Section* kept);
  static Status AddSubBatch(const SubBatch& part,
                            ColumnFamilyMemTables& families,
                            uint64_t log_number, Section* section);
  // Its updates are added to `to`.
  Status Commit(const std::string& name, const TimestampSizes& sizes,
                const Slice& timestamp, WriteBatch* to);
  Status UpdatesThatCount(const Section& section, WriteBatch* updates) const;
  Status MakeRecord(const std::string& name, const Section& section,
                    WriteBatch* record) const;

  SectionPolicy policy_;
  std::map<std::string, Section> sections_;
};

}  // namespace ROCKSDB_NAMESPACE
