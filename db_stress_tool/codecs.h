// Compression managers that change the codec from one table, or one block, to
// the next.
//
// Threads  As CompressionManager.
// Errors   InvalidArgument: a name that is none. NotSupported: the engine has
//          no managers.
#pragma once

#include <string>

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::stress {

// Sets the manager that --compression_manager names: none, mixed (tables take
// the codecs in turn), randommixed (blocks do) or autoskip.
Status SetCompressionManager(const std::string& name,
                             ColumnFamilyOptions* family);

}  // namespace ROCKSDB_NAMESPACE::stress
