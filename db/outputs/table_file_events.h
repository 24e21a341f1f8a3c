// What LOG is told of a table file that was written.
//
// Threads  The writer's, without the DB mutex.
#pragma once

#include "db/outputs/job_context.h"
#include "db/tables/file_meta.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

// `properties` is null for a file that could not be finished.
void LogTableCreation(const JobContext& job, const FileMeta& meta,
                      const TableProperties* properties, const Status& status);

}  // namespace ROCKSDB_NAMESPACE
