// Other names of what is in user_defined_index.h, for tables whose only index
// it is.
#pragma once

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/user_defined_index.h"

namespace ROCKSDB_NAMESPACE {

using IndexFactoryBuilder = UserDefinedIndexBuilder;
using IndexFactoryIterator = UserDefinedIndexIterator;
using IndexFactoryReader = UserDefinedIndexReader;
using IndexFactoryOptions = UserDefinedIndexOption;
using IndexFactory = UserDefinedIndexFactory;

inline const char* const kIndexFactoryMetaPrefix = kUserDefinedIndexPrefix;

}  // namespace ROCKSDB_NAMESPACE
