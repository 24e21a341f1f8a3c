// Whether a key was written after some moment: what a transaction asks before
// it writes.
//
// Cost     A lookup in each memtable that is younger than the moment; files
//          only where one has data as young.
// Threads  Any thread.
#pragma once

#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

struct PointRead;

// The newest version of a key, if it is newer than was asked for.
struct NewerVersion {
  bool exists = false;
  SequenceNumber sequence = 0;
  // In a family with timestamps, the newest one of the key, however old the
  // write is; else empty.
  std::string timestamp;
};

// `user_key` as users give it, without a timestamp. A range deletion over the
// key counts as a version, if the key was there at that moment. What the
// options of `read` say of snapshots and timestamps does not count.
Status FindNewerVersion(const PointRead& read, const Slice& user_key,
                        SequenceNumber since, NewerVersion* found);

}  // namespace ROCKSDB_NAMESPACE
