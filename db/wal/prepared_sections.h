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
// Threads    The opening thread; then under the DB mutex.
// Errors     Corruption for markers that do not pair up; NotSupported for
//            sections of the policies write-prepared and write-unprepared.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/wal/timestamp_fit.h"
#include "rocksdb/status.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

class PreparedSections {
 public:
  struct Section {
    uint64_t log_number = 0;  // that holds it
    WriteBatch updates;
  };

  // True for a batch that Expand() would change.
  static bool Concerns(const WriteBatch& batch);

  // Puts into *batch, which log `log_number` has, what it does to memtables:
  // its updates outside of sections, and those of sections that it commits.
  // `sizes`: of the families' timestamps.
  Status Expand(uint64_t log_number, const TimestampSizes& sizes,
                WriteBatch* batch);

  // --- while the database is open
  // `updates` are those between the markers.
  void Add(const std::string& name, uint64_t log_number, WriteBatch updates);
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
  Status Keep(const std::string& name, Section* section);

  std::map<std::string, Section> sections_;
};

}  // namespace ROCKSDB_NAMESPACE
