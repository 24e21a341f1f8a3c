// The replayer of traces that a TraceReader reads.
//
// Ownership  The replayer owns the reader. The database and the families
//            outlive it.
#pragma once

#include <memory>
#include <vector>

#include "rocksdb/status.h"
#include "rocksdb/utilities/replayer.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;
class TraceReader;

Status NewTraceReplayer(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                        std::unique_ptr<TraceReader>&& reader,
                        std::unique_ptr<Replayer>* replayer);

// The operation in a record of a file of `version`, 1 or 2. NotSupported if it
// is none.
Status DecodeTraceRecord(const std::string& bytes, int version,
                         std::unique_ptr<TraceRecord>* record);

}  // namespace ROCKSDB_NAMESPACE
