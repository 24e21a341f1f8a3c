// What a user's iterator is made from.
//
// Ownership  One reference of the super version passes over with it.
#pragma once

#include <memory>

#include "db/family/super_version.h"
#include "db/read/iterator_host.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

struct UserIteratorRequest {
  ReadOptions options;                    // its snapshot is not looked into
  SuperVersion* super_version = nullptr;  // one reference passes over
  SequenceNumber snapshot = kMaxSequenceNumber;
  SystemClock* clock = nullptr;  // null: seeks are not timed
  // False: what a snapshot would show may be gone from the newest state.
  bool has_snapshots = true;
  KeyText key_text = KeyText::kRedacted;
  SeekTrace seek_trace;
  std::unique_ptr<IteratorHost> host;
};

}  // namespace ROCKSDB_NAMESPACE
