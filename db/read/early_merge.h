// A merge that is resolved while it is written (max_successive_merges): what
// the key has is read, and the operand is applied to it.
//
// Threads  Any. Whatever is older than the operand must be in the memtables.
// Errors   Those of a read, Incomplete among them if the read may not go to
//          files, and of the merge operator: the operand is then kept as it is.
#pragma once

#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct PointRead;

// What takes the operand's place, with its sequence.
struct ResolvedMerge {
  ValueType type = kTypeValue;  // or kTypeWideColumnEntity
  std::string value;
};

// `read` is as of the operand's sequence, which nothing holds yet. *result is
// untouched on failure.
Status ResolveMerge(const PointRead& read, const Slice& user_key,
                    const Slice& operand, ResolvedMerge* result);

}  // namespace ROCKSDB_NAMESPACE
