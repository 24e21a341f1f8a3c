// Batches of a log whose families had timestamps of other sizes when it was
// written than they have now (db-format.md 3.5).
//
// Threads  Pure functions.
// Errors   InvalidArgument where both have timestamps, of different sizes;
//          NotSupported for a prepared transaction in such a batch; Corruption
//          where a key is shorter than its timestamp, or entries are missing.
#pragma once

#include <cstdint>
#include <map>

#include "rocksdb/status.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

// By id of the column family; those without timestamps may be absent.
using TimestampSizes = std::map<uint32_t, uint16_t>;

// Makes the keys of `*batch` what the families have `now`: without a timestamp
// before, a key gets the oldest; without one now, it loses its own. Families
// that are not `now` and were not `then` have none.
Status FitTimestamps(const TimestampSizes& then, const TimestampSizes& now,
                     WriteBatch* batch);

}  // namespace ROCKSDB_NAMESPACE
