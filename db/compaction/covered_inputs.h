// Inputs of a compaction that nobody needs to read: a newer input that holds
// one range tombstone, and nothing else, deletes all that they hold. Users make
// such files to drop a range at once: an SstFileWriter's DeleteRange() alone in
// a table that is ingested over the data.
//
// Cost     Where no input looks by its bounds like such a file, a look at each
//          file's bounds; else that file is opened, and nothing else is read.
// Errors   None: where something cannot be read, inputs are read as ever, and
//          the compaction meets the error itself.
#pragma once

#include "db/compaction/compaction.h"
#include "db/outputs/job_context.h"

namespace ROCKSDB_NAMESPACE {

// Puts their numbers in compaction->unread. (mutex; released around I/O)
void LeaveOutCovered(const JobContext& job, Compaction* compaction);

}  // namespace ROCKSDB_NAMESPACE
