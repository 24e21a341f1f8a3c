// The rows of LRUCacheOptions, for caches that option text describes.
//
// Threads  Constants.
#pragma once

#include "options/option_row.h"

namespace ROCKSDB_NAMESPACE {

const OptionStruct& LRUCacheOptionStruct();

}  // namespace ROCKSDB_NAMESPACE
