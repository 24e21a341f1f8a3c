// Tells how large a table file would be with other codecs, by building it again
// in memory. The file is not changed.
//
// Errors   NotSupported and Corruption; of a codec that is not built in a line
//          says so, and the others are tried.
// Threads  One.
#pragma once

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class LoneTable;
struct SstDumpArguments;

Status Recompress(const LoneTable& table, const SstDumpArguments& arguments,
                  const Options& options);

}  // namespace ROCKSDB_NAMESPACE
