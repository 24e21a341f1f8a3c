#include "options/table_rows.h"

#include "options/option_kinds.h"
#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/table.h"
#include "rocksdb/user_defined_index.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

template <>
struct StructOf<MetadataCacheOptions> {
  static const OptionStruct& Get() { return MetadataCacheOptionStruct(); }
};

namespace {

using enum Mutability;

// No factory stands for the one that goes by size.
void TellFlushBlockPolicy(const std::string& name, const void* field,
                          OptionLines* lines) {
  const auto& factory =
      *static_cast<const std::shared_ptr<FlushBlockPolicyFactory>*>(field);
  lines->push_back({name, NameInLog(factory, "FlushBlockBySizePolicyFactory") +
                              " (" + AddressInLog(factory) + ")"});
}

void TellBlockCache(const std::string& name, const void* field,
                    OptionLines* lines) {
  const auto& cache = *static_cast<const std::shared_ptr<Cache>*>(field);
  lines->push_back({name, AddressInLog(cache)});
  if (cache == nullptr) return;
  lines->push_back({name + "_name", cache->Name()});
  std::string options = cache->GetPrintableOptions();
  while (options.ends_with('\n')) options.pop_back();
  lines->push_back({name + "_options", "\n" + options});
}

// RocksDB once wrote eight bytes here, of which the field is the lower half:
// the OPTIONS files of that time have numbers such as 8589934592.
Status ParseReadAmp(const ConfigOptions& /*config*/, std::string_view text,
                    void* value) {
  uint64_t number = 0;
  if (!ParseUint64(text, &number)) {
    return Status::InvalidArgument("not a number");
  }
  *static_cast<uint32_t*>(value) = static_cast<uint32_t>(number);
  return Status::OK();
}

constexpr OptionKind ReadAmpKind() {
  OptionKind kind = kKindOf<uint32_t>;
  kind.parse = &ParseReadAmp;
  return kind;
}
constexpr OptionKind kReadAmpKind = ReadAmpKind();

#define TABLE(member, ...) OPTION(BlockBasedTableOptions, member, __VA_ARGS__)

constexpr OptionRow kBlockBasedRows[] = {
    TABLE(flush_block_policy_factory, kDynamic,
          .samples =
              "FlushBlockBySizePolicyFactory|FlushBlockEveryKeyPolicyFactory",
          .tell = &TellFlushBlockPolicy),
    TABLE(cache_index_and_filter_blocks, kDynamic),
    TABLE(cache_index_and_filter_blocks_with_high_priority, kDynamic),
    TABLE(pin_l0_filter_and_index_blocks_in_cache, kDynamic),
    TABLE(pin_top_level_index_and_filter, kDynamic),
    TABLE(metadata_cache_options, kDynamic),
    TABLE(index_type, kDynamic),
    TABLE(index_block_search_type, kDynamic),
    TABLE(data_block_index_type, kDynamic),
    TABLE(index_shortening, kDynamic),
    TABLE(data_block_hash_table_util_ratio, kDynamic, .samples = "0.5|0.75|1"),
    TABLE(checksum, kDynamic),
    TABLE(no_block_cache, kDynamic),
    TABLE(block_cache, kDynamic, .written = false, .tell = &TellBlockCache),
    TABLE(persistent_cache, kFixed, .written = false),
    TABLE(block_size, kDynamic, .samples = "256|1024|4096|16384"),
    TABLE(block_size_deviation, kDynamic, .samples = "0|10|50"),
    TABLE(block_restart_interval, kDynamic, .samples = "1|2|16|64"),
    TABLE(index_block_restart_interval, kDynamic, .samples = "1|8"),
    TABLE(metadata_block_size, kDynamic, .samples = "128|1024|4096"),
    TABLE(cache_usage_options, kFixed, .written = false),
    TABLE(partition_filters, kDynamic),
    TABLE(decouple_partitioned_filters, kDynamic),
    TABLE(optimize_filters_for_memory, kDynamic),
    TABLE(use_delta_encoding, kDynamic),
    TABLE(filter_policy, kDynamic,
          .tell = &TellNameOrNull<std::shared_ptr<const FilterPolicy>>),
    TABLE(user_defined_index_factory, kDynamic,
          .samples = "nullptr|trie_index"),
    TABLE(use_udi_as_primary_index, kDynamic),
    TABLE(fail_if_no_udi_on_open, kDynamic),
    TABLE(whole_key_filtering, kDynamic),
    TABLE(detect_filter_construct_corruption, kDynamic),
    TABLE(verify_compression, kDynamic),
    {"read_amp_bytes_per_bit",
     [](void* object) -> void* {
       return &static_cast<BlockBasedTableOptions*>(object)
                   ->read_amp_bytes_per_bit;
     },
     &kReadAmpKind, kDynamic, OptionTraits{.samples = "0|32"}},
    TABLE(format_version, kDynamic, .samples = "2|3|4|5|6|7"),
    TABLE(separate_key_value_in_data_block, kDynamic),
    TABLE(uniform_cv_threshold, kDynamic, .samples = "-1|0.2|1000"),
    TABLE(enable_index_compression, kDynamic),
    TABLE(block_align, kDynamic),
    TABLE(super_block_alignment_size, kDynamic, .samples = "0|4096|65536"),
    TABLE(super_block_alignment_space_overhead_ratio, kDynamic,
          .samples = "4|128"),
    TABLE(max_auto_readahead_size, kDynamic, .samples = "0|16384|262144"),
    TABLE(prepopulate_block_cache, kDynamic),
    TABLE(initial_auto_readahead_size, kDynamic, .samples = "0|4096|16384"),
    TABLE(num_file_reads_for_auto_readahead, kDynamic, .samples = "0|2|5"),
};

#undef TABLE

constexpr std::string_view kDeprecatedTableOptions[] = {
    "block_cache_compressed",      "hash_index_allow_collision",
    "index_per_partition",         "reserve_table_builder_memory",
    "reserve_table_reader_memory", "skip_table_builder_flush",
};

#define PLAIN(member, ...) OPTION(PlainTableOptions, member, __VA_ARGS__)

constexpr OptionRow kPlainRows[] = {
    PLAIN(user_key_len, kDynamic),
    PLAIN(bloom_bits_per_key, kDynamic),
    PLAIN(hash_table_ratio, kDynamic),
    PLAIN(index_sparseness, kDynamic),
    PLAIN(huge_page_tlb_size, kDynamic,
          .note = "The index lies in ordinary pages."),
    PLAIN(encoding_type, kDynamic),
    PLAIN(full_scan_mode, kDynamic),
    PLAIN(store_index_in_file, kDynamic),
};

#undef PLAIN
#define CUCKOO(member) OPTION(CuckooTableOptions, member, kDynamic)

constexpr OptionRow kCuckooRows[] = {
    CUCKOO(hash_table_ratio),  CUCKOO(max_search_depth),
    CUCKOO(cuckoo_block_size), CUCKOO(identity_as_first_hash),
    CUCKOO(use_module_hash),
};

#undef CUCKOO

#define PINNING(member) OPTION(MetadataCacheOptions, member, kDynamic)

constexpr OptionRow kMetadataCacheRows[] = {
    PINNING(top_level_index_pinning),
    PINNING(partition_pinning),
    PINNING(unpartitioned_pinning),
};

#undef PINNING

}  // namespace

const OptionStruct& BlockBasedTableOptionStruct() {
  static const OptionStruct kStruct{.name = "BlockBasedTableOptions",
                                    .rows = kBlockBasedRows,
                                    .deprecated = kDeprecatedTableOptions};
  return kStruct;
}

const OptionStruct& CuckooTableOptionStruct() {
  static const OptionStruct kStruct{.name = "CuckooTableOptions",
                                    .rows = kCuckooRows};
  return kStruct;
}

const OptionStruct& PlainTableOptionStruct() {
  static const OptionStruct kStruct{.name = "PlainTableOptions",
                                    .rows = kPlainRows};
  return kStruct;
}

const OptionStruct& MetadataCacheOptionStruct() {
  static const OptionStruct kStruct{.name = "MetadataCacheOptions",
                                    .rows = kMetadataCacheRows};
  return kStruct;
}

}  // namespace ROCKSDB_NAMESPACE
