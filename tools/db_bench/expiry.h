// The time of timeseries: it goes on by one with each write, and what is older
// than --time_range is expired.
//
// Threads    Any.

#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::bench {

// Empty if --expire_style and its kin are possible.
std::string CheckExpiryFlags();

// What removes expired entries: a compaction filter, or threads that delete.
bool ExpiresByFilter();
bool ExpiresByDeletion();

std::atomic<uint64_t>& WritingTime();
// The oldest time that is not expired now.
uint64_t OldestTime();

// Keys are the id and the time, of eight bytes each, then '0' up to the key
// size.
constexpr size_t kTimedKeyBytes = 16;
// False: it is not one of these.
bool ReadTime(const Slice& key, uint64_t* time);

// Drops entries that are expired. Lives as long as the process.
const CompactionFilter* ExpiryFilter();

}  // namespace ROCKSDB_NAMESPACE::bench
