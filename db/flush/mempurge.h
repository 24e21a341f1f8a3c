// A flush that writes no file (experimental_mempurge_threshold): what is left
// of sealed memtables, once versions that nobody needs are gone, goes to a new
// memtable that takes their place. Their logs stay.
//
// Threads    Takes no lock; the memtables must be sealed, and the target is
//            known to nobody else.
// Errors     Aborted where it is not worth it; those of a flush. The memtables
//            are as they were, the target is of no use.
#pragma once

#include <cstdint>
#include <vector>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class InternalKeyComparator;
class MemTable;
struct JobContext;
struct MutableCFOptions;

struct MempurgeRequest {
  const JobContext* job = nullptr;
  const MutableCFOptions* options = nullptr;
  std::vector<const MemTable*> memtables;  // oldest first
  MemTable* target = nullptr;
};

// About how many bytes of keys and values would be left: from samples.
uint64_t EstimateUsefulBytes(const InternalKeyComparator& order,
                             const std::vector<const MemTable*>& memtables);

Status Mempurge(const MempurgeRequest& request);

}  // namespace ROCKSDB_NAMESPACE
