// The rows of cache options, for caches that option text describes.
//
// Threads  Constants.
#pragma once

#include "options/option_row.h"

namespace ROCKSDB_NAMESPACE {

const OptionStruct& LRUCacheOptionStruct();
const OptionStruct& CompressedSecondaryCacheOptionStruct();

}  // namespace ROCKSDB_NAMESPACE
