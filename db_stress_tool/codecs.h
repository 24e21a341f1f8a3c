// Managers of compression that mix what one database, one table or one block
// after the other is compressed with.
//
// Threads  As CompressionManager.
// Errors   InvalidArgument: a name that is none. NotSupported: the engine has
//          no managers.
#pragma once

#include <string>

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::stress {

// As --compression_manager names it: none, mixed (tables take the codecs in
// turn), randommixed (blocks do) or autoskip.
Status SetCompressionManager(const std::string& name,
                             ColumnFamilyOptions* family);

}  // namespace ROCKSDB_NAMESPACE::stress
