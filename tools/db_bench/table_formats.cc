#include "tools/db_bench/table_formats.h"

#include <algorithm>
#include <string>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "tools/db_bench/engine_parts.h"
#include "tools/db_bench/expiry.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/option_flags.h"

DEFINE_bool(use_plain_table, false, "Plain tables, not block-based ones.");
DEFINE_bool(use_cuckoo_table, false,
            "Cuckoo tables, not block-based ones. Needs --mmap_read.");
DEFINE_double(cuckoo_hash_ratio, 0.9,
              "How full the hash of a cuckoo table is.");
DEFINE_bool(identity_as_first_hash, false,
            "The first hash of a cuckoo table is the key, of eight bytes.");
DEFINE_bool(use_hash_search, false,
            "A hash of prefixes in the index. Needs --prefix_size.");
DEFINE_bool(index_with_first_key, false,
            "The index holds the first key of each block.");
DEFINE_bool(partition_index, false, "The index is parted.");
DEFINE_bool(partition_index_and_filters, false,
            "The index and the filters are parted.");
DEFINE_bool(use_ribbon_filter, false,
            "Ribbon filters of --bloom_bits, not Bloom filters.");
DEFINE_bool(use_keep_filter, false,
            "A compaction filter that keeps all it is asked about.");
DEFINE_int32(min_level_to_compress, -1,
             "Levels below this one are not compressed. Negative: all are.");
DEFINE_string(compression_manager, "none",
              "Who chooses the codec of a block: none, mixed (a codec for each "
              "file in turn), autoskip, costpredictor, or the name of one that "
              "the engine knows.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Status BadFormat(const char* flag, const char* why) {
  return Status::InvalidArgument("--" + std::string(flag), why);
}

Status SetIndex(BlockBasedTableOptions* table) {
  const int kinds =
      int{FLAGS_use_hash_search} + int{FLAGS_index_with_first_key} +
      int{FLAGS_partition_index || FLAGS_partition_index_and_filters};
  if (kinds > 1) {
    return BadFormat("use_hash_search",
                     "excludes --index_with_first_key and --partition_index*, "
                     "as these do each other");
  }
  if (FLAGS_use_hash_search) {
    if (FLAGS_prefix_size == 0) {
      return BadFormat("use_hash_search", "needs --prefix_size");
    }
    table->index_type = BlockBasedTableOptions::kHashSearch;
  }
  if (FLAGS_index_with_first_key) {
    table->index_type = BlockBasedTableOptions::kBinarySearchWithFirstKey;
  }
  if (FLAGS_partition_index || FLAGS_partition_index_and_filters) {
    table->index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  }
  if (FLAGS_partition_index_and_filters) table->partition_filters = true;
  return Status::OK();
}

void SetFilter(BlockBasedTableOptions* table) {
  if (!Decides("bloom_bits")) return;
  if (FLAGS_bloom_bits <= 0) {
    table->filter_policy.reset();
  } else if (FLAGS_use_ribbon_filter) {
    table->filter_policy.reset(NewRibbonFilterPolicy(FLAGS_bloom_bits));
  } else {
    table->filter_policy.reset(NewBloomFilterPolicy(FLAGS_bloom_bits));
  }
}

// Costs a compaction what any filter costs it, and changes nothing.
class KeepAll final : public CompactionFilter {
 public:
  const char* Name() const override { return "KeepFilter"; }
  bool Filter(int /*level*/, const Slice& /*key*/, const Slice& /*value*/,
              std::string* /*new_value*/, bool* /*changed*/) const override {
    return false;
  }
};

void SetCodecsOfLevels(ColumnFamilyOptions* cf) {
  if (FLAGS_min_level_to_compress < 0) return;
  const auto first = static_cast<size_t>(FLAGS_min_level_to_compress);
  const auto levels = static_cast<size_t>(cf->num_levels);
  cf->compression_per_level.assign(levels, cf->compression);
  std::fill_n(cf->compression_per_level.begin(), std::min(first, levels),
              kNoCompression);
}

Status MakePlainTables(ColumnFamilyOptions* cf) {
  PlainTableOptions options;
  options.user_key_len = static_cast<uint32_t>(FLAGS_key_size);
  if (FLAGS_bloom_bits >= 0) options.bloom_bits_per_key = FLAGS_bloom_bits;
  options.hash_table_ratio = 0.75;
  cf->table_factory.reset(NewPlainTableFactory(options));
  return Status::OK();
}

Status MakeCuckooTables(const OptionSet& set, ColumnFamilyOptions* cf) {
  if (!set.db.allow_mmap_reads) {
    return BadFormat("use_cuckoo_table", "needs --mmap_read");
  }
  if (FLAGS_cuckoo_hash_ratio <= 0 || FLAGS_cuckoo_hash_ratio > 1) {
    return BadFormat("cuckoo_hash_ratio", "must be above 0 and at most 1");
  }
  if (FLAGS_identity_as_first_hash && FLAGS_key_size != 8) {
    return BadFormat("identity_as_first_hash", "needs --key_size=8");
  }
  CuckooTableOptions options;
  options.hash_table_ratio = FLAGS_cuckoo_hash_ratio;
  options.identity_as_first_hash = FLAGS_identity_as_first_hash;
  cf->table_factory.reset(NewCuckooTableFactory(options));
  return Status::OK();
}

}  // namespace

Status SetTableFormat(OptionSet* set) {
  static const KeepAll keep_all;
  if (FLAGS_use_keep_filter && ExpiresByFilter()) {
    return BadFormat("use_keep_filter",
                     "excludes --expire_style=compaction_filter");
  }
  if (FLAGS_use_keep_filter) set->cf.compaction_filter = &keep_all;
  if (ExpiresByFilter()) set->cf.compaction_filter = ExpiryFilter();
  SetCodecsOfLevels(&set->cf);
  if (FLAGS_compression_manager != "none") {
    Status s = SetCompressionManager(FLAGS_compression_manager, &set->cf);
    if (!s.ok()) return s;
  }
  if (FLAGS_use_plain_table && FLAGS_use_cuckoo_table) {
    return BadFormat("use_plain_table", "excludes --use_cuckoo_table");
  }
  if (FLAGS_use_plain_table) return MakePlainTables(&set->cf);
  if (FLAGS_use_cuckoo_table) return MakeCuckooTables(*set, &set->cf);
  Status s = SetIndex(&set->table);
  if (!s.ok()) return s;
  SetFilter(&set->table);
  set->cf.table_factory.reset(NewBlockBasedTableFactory(set->table));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
