#include "options/cache_rows.h"

#include "options/option_kinds.h"
#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {

namespace {

#define LRU(member) OPTION(LRUCacheOptions, member, Mutability::kDynamic)

constexpr OptionRow kRows[] = {
    LRU(capacity),
    LRU(num_shard_bits),
    LRU(strict_capacity_limit),
    LRU(high_pri_pool_ratio),
    LRU(low_pri_pool_ratio),
};

#undef LRU

}  // namespace

const OptionStruct& LRUCacheOptionStruct() {
  static const OptionStruct kStruct{.name = "LRUCacheOptions", .rows = kRows};
  return kStruct;
}

}  // namespace ROCKSDB_NAMESPACE
