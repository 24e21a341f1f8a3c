// What a log says of the log before it: how far that one went.
//
// Each log is a file, and a crash of the system may leave the newer one whole
// and cut the older one short at the end of a record, where nothing looks
// damaged. A log therefore begins with the sequence number behind the last
// record of its predecessor; a recovery that has read less knows of the hole.
//
// The record is a write batch without data, whose only entry is a blob (as of
// WriteBatch::PutLogData()), which every reader of logs passes over.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

struct LogPredecessor {
  uint64_t log_number = 0;
  // Behind its last record that took any; 0: none did.
  SequenceNumber next_sequence = 0;
  // Where its last record ends in the file; 0: that is not known. What takes no
  // sequences, such as a section of a transaction, is missed by this alone.
  uint64_t end = 0;
};

// `sequence`: of the record that follows in the log.
std::string EncodePredecessor(const LogPredecessor& predecessor,
                              SequenceNumber sequence);

// False: another kind of record.
bool DecodePredecessor(const Slice& record, LogPredecessor* predecessor);

}  // namespace ROCKSDB_NAMESPACE
