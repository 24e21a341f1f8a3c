// Asks the user's SstPartitioner whether files may move as they are.
//
// Threads  Without the DB mutex: it is the user's code.
#pragma once

#include "db/compaction/compaction.h"
#include "options/cf_options.h"

namespace ROCKSDB_NAMESPACE {

// May all files of the trivial move `compaction` change their level unchanged?
Status AskForMove(const ImmutableCFOptions& cf, const Compaction& compaction,
                  bool* may_move);

}  // namespace ROCKSDB_NAMESPACE
