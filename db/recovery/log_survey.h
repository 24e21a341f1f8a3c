// What the write-ahead logs of a database hold, found without applying any of
// it: for repairs, and for an open that leaves the logs alone.
//
// Damaged places are passed over; what can be read behind them counts.
//
// Threads  One.
// Errors   Of the file system. Damage is a result.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

struct LogSurvey {
  struct Log {
    // The sequences of its first record and behind its last; 0 = it has none.
    SequenceNumber first_sequence = 0;
    SequenceNumber next_sequence = 0;
    // The last sequence of a batch that touches the family, by id.
    std::map<uint32_t, SequenceNumber> families;
    // Numbers of the blob files that it refers to.
    std::set<uint64_t> blob_files;
    bool is_damaged = false;
  };
  std::map<uint64_t, Log> logs;  // by number

  // The last sequence of all records; 0 = there is none.
  SequenceNumber LastSequence() const;
  // Is `sequence` between the first and the last of some log?
  bool Spans(SequenceNumber sequence) const;
  uint32_t LargestFamily() const;
  bool RefersToBlobFile(uint64_t number) const;
  // The first log that holds something of the family beyond `sequence`;
  // UINT64_MAX: none.
  uint64_t FirstLogBeyond(uint32_t family, SequenceNumber sequence) const;
};

Status SurveyLogs(FileSystem* fs, const std::string& wal_dir,
                  const std::vector<uint64_t>& numbers, LogSurvey* survey);

}  // namespace ROCKSDB_NAMESPACE
