// Everything that one read of a column family needs, under one reference:
// memtable, sealed memtables, files, options.
//
// Threads    Immutable; reference count atomic. Each thread caches one in a
//            thread-local slot of its family, so that a read takes no lock.
// Ownership  Unref() by the last holder deletes it; that may free files and
//            the family, and never takes the DB mutex.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <string>

#include "db/family/memtable_list.h"
#include "db/version/version.h"
#include "options/cf_options.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;

struct SuperVersion {
  ColumnFamilyData* cfd = nullptr;
  // Keeps a dropped family whole for those who still read it. First, so that
  // it goes after all that needs it.
  std::shared_ptr<ColumnFamilyData> owner;
  MemTableRef mem;
  std::shared_ptr<const MemTableVector> imm;
  // What is flushed and kept; reads find it in files.
  std::shared_ptr<const MemTableVector> history;
  VersionRef current;
  std::shared_ptr<const MutableCFOptions> options;
  // Versions with older timestamps may be gone; empty = all are there.
  std::string full_history_ts_low;
  uint64_t number = 0;
  WriteStallCondition stall = WriteStallCondition::kNormal;

  SuperVersion* Ref() {
    const uint32_t before = refs.fetch_add(1, std::memory_order_relaxed);
    assert(before > 0);
    static_cast<void>(before);
    return this;
  }
  // True if that was the last reference: the caller deletes it.
  bool Unref() {
    // acq_rel: the last holder sees what every other holder did.
    const uint32_t before = refs.fetch_sub(1, std::memory_order_acq_rel);
    assert(before > 0);
    return before == 1;
  }

  std::atomic<uint32_t> refs{1};
};

}  // namespace ROCKSDB_NAMESPACE
