// What a manifest says of a family, held against the options that the family is
// opened with here.
//
// Threads  Plain functions.
#pragma once

#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/database_counters.h"
#include "db/manifest/manifest_replay.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// InvalidArgument where keys have another order than that, or timestamps are
// kept in another way.
Status CheckComparator(const ReplayedFamily& family,
                       const ColumnFamilyOptions& options);

// Makes what the manifest says of a family fit its comparator; Corruption
// where it cannot.
Status FitTimestamps(const ColumnFamilyData& cfd,
                     const std::vector<std::vector<FileRef>>& levels,
                     ReplayedFamily* replayed);

// Would a new manifest say the same of the family? Before epochs are assigned.
bool IsAsWritten(const ColumnFamilyData& cfd,
                 const std::vector<std::vector<FileRef>>& levels,
                 const ReplayedFamily& replayed);

// No new file gets the number of one of these.
void MarkNumbersUsed(const std::vector<std::vector<FileRef>>& levels,
                     const BlobFileList& blobs, DatabaseCounters* numbers);

}  // namespace ROCKSDB_NAMESPACE
