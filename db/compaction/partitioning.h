// What the user's SstPartitioner is asked: by a compaction that writes files,
// where they end; by one that could just move them, whether it may.
//
// Threads  Without the DB mutex: it is the user's code.
#pragma once

#include <memory>

#include "db/compaction/compaction.h"
#include "options/cf_options.h"
#include "rocksdb/sst_partitioner.h"

namespace ROCKSDB_NAMESPACE {

// Null: nothing is partitioned. That is so of level 0, too, where every file is
// a run of its own. May throw.
std::unique_ptr<SstPartitioner> NewPartitioner(const ImmutableCFOptions& cf,
                                               const Compaction& compaction);

// May all files of the trivial move `compaction` change their level unchanged?
Status AskForMove(const ImmutableCFOptions& cf, const Compaction& compaction,
                  bool* may_move);

}  // namespace ROCKSDB_NAMESPACE
