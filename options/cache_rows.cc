#include "options/cache_rows.h"

#include "options/option_kinds.h"
#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {

namespace {

#define LRU(member) OPTION(LRUCacheOptions, member, Mutability::kDynamic)

constexpr OptionRow kCacheRows[] = {
    LRU(capacity),
    LRU(num_shard_bits),
    LRU(strict_capacity_limit),
    LRU(high_pri_pool_ratio),
    LRU(low_pri_pool_ratio),
};

#undef LRU

#define COMPRESSED(member) \
  OPTION(CompressedSecondaryCacheOptions, member, Mutability::kFixed)

constexpr OptionRow kCompressedRows[] = {
    COMPRESSED(capacity),
    COMPRESSED(num_shard_bits),
    COMPRESSED(strict_capacity_limit),
    COMPRESSED(high_pri_pool_ratio),
    COMPRESSED(low_pri_pool_ratio),
    COMPRESSED(compression_type),
    COMPRESSED(enable_custom_split_merge),
};

#undef COMPRESSED

// There was a choice of layouts.
constexpr std::string_view kCompressedDeprecated[] = {
    "compress_format_version"};

}  // namespace

const OptionStruct& CompressedSecondaryCacheOptionStruct() {
  static const OptionStruct kStruct{.name = "CompressedSecondaryCacheOptions",
                                    .rows = kCompressedRows,
                                    .deprecated = kCompressedDeprecated};
  return kStruct;
}

const OptionStruct& LRUCacheOptionStruct() {
  static const OptionStruct kStruct{.name = "LRUCacheOptions",
                                    .rows = kCacheRows};
  return kStruct;
}

}  // namespace ROCKSDB_NAMESPACE
