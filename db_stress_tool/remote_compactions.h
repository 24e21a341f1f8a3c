// A CompactionService whose workers are threads of this process: each opens the
// database beside the one that is open, as another process would.
//
// Threads    As the interface asks: any.
// Errors     A job that fails is said on stderr, unless it was made to fail,
//            and then done by the database or failed, as the flag says.

#pragma once

#include <memory>

#include "db_stress_tool/flags.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

// Null where the engine's services are of another kind. `options` are those of
// all families. Its outputs go to a directory in the database's own, which is
// emptied now.
std::shared_ptr<CompactionService> MakeRemoteCompactions(
    const Flags& flags, const Options& options);

}  // namespace ROCKSDB_NAMESPACE::stress
