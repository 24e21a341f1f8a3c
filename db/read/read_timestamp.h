// Do the user-defined timestamps of a read fit the keys that it reads?
//
// Threads  Pure functions.
// Errors   InvalidArgument, which says what does not fit.
#pragma once

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class Comparator;
struct SuperVersion;

// A family with timestamps is read as of one, of its size; a family without
// takes none.
Status CheckReadTimestamp(const ReadOptions& options,
                          const ColumnFamilyData& family);

// Does `timestamp`, null if there is none, fit a family whose timestamps have
// `size` bytes?
Status CheckTimestampSize(const std::string& family, size_t size,
                          const Slice* timestamp);

// What was older than full_history_ts_low of `state` may be gone. NotSupported
// of the history of keys for a tailing iterator.
Status CheckHistory(const ReadOptions& options, const SuperVersion& state);

// The newest timestamp of what the memtables of `state` hold, visible or not;
// empty: they hold nothing. Cost: a look at each entry.
Status NewestTimestampInMemory(const SuperVersion& state, std::string* newest);

}  // namespace ROCKSDB_NAMESPACE
