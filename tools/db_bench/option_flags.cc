#include "tools/db_bench/option_flags.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#define DB_BENCH_DEFINE(where, type, flag, value, option, help) \
  DEFINE_##type(flag, value, help);
DB_BENCH_OPTION_FLAGS(DB_BENCH_DEFINE)
#undef DB_BENCH_DEFINE

DEFINE_int32(skip_list_lookahead, 0,
             "Nodes that a skip list tries from where it was last, before it "
             "searches. 0: none.");
DEFINE_int64(hash_bucket_count, 1048576, "Buckets of hashed memtables.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

using Spelling = std::map<std::string, std::string>;

// Flags whose value the engine spells differently.
const std::map<std::string, Spelling>& Spellings() {
  static const Spelling codecs = {
      {"none", "kNoCompression"},
      {"snappy", "kSnappyCompression"},
      {"zlib", "kZlibCompression"},
      {"bzip2", "kBZip2Compression"},
      {"lz4", "kLZ4Compression"},
      {"lz4hc", "kLZ4HCCompression"},
      {"zstd", "kZSTD"},
  };
  static const std::map<std::string, Spelling> spellings = {
      {"blob_compression_type", codecs},
      {"compression_type", codecs},
      {"wal_compression", codecs},
      {"checksum_type",
       {{"0", "kNoChecksum"},
        {"1", "kCRC32c"},
        {"2", "kxxHash"},
        {"3", "kxxHash64"},
        {"4", "kXXH3"}}},
      {"compaction_pri",
       {{"0", "kByCompensatedSize"},
        {"1", "kOldestLargestSeqFirst"},
        {"2", "kOldestSmallestSeqFirst"},
        {"3", "kMinOverlappingRatio"},
        {"4", "kRoundRobin"}}},
      {"compaction_style",
       {{"0", "kCompactionStyleLevel"},
        {"1", "kCompactionStyleUniversal"},
        {"2", "kCompactionStyleFIFO"},
        {"3", "kCompactionStyleNone"}}},
      // The size of a huge page.
      {"memtable_use_huge_page", {{"false", "0"}, {"true", "2097152"}}},
      {"prepopulate_blob_cache", {{"0", "kDisable"}, {"1", "kFlushOnly"}}},
      {"prepopulate_block_cache", {{"0", "kDisable"}, {"1", "kFlushOnly"}}},
      {"index_block_search_type",
       {{"binary_search", "kBinary"},
        {"interpolation_search", "kInterpolation"},
        {"auto", "kAuto"}}},
      {"use_data_block_hash_index",
       {{"false", "kDataBlockBinarySearch"},
        {"true", "kDataBlockBinaryAndHash"}}},
      {"universal_stop_style",
       {{"0", "kCompactionStopStyleSimilarSize"},
        {"1", "kCompactionStopStyleTotalSize"}}},
      {"index_shortening_mode",
       {{"0", "kNoShortening"},
        {"1", "kShortenSeparators"},
        {"2", "kShortenSeparatorsAndSuccessor"}}},
  };
  return spellings;
}

// Flags of which 0 says that the engine's default is meant.
bool IsDefault(const std::string& flag, const std::string& text) {
  static const std::set<std::string> kZeroIsDefault = {
      "fifo_compaction_max_table_files_size_mb",
      "fifo_compaction_ttl",
      "memtable_insert_with_hint_prefix_size",
      "universal_max_merge_width",
      "universal_max_size_amplification_percent",
      "universal_min_merge_width",
      "universal_size_ratio",
  };
  return text == "0" && kZeroIsDefault.count(flag) != 0;
}

// A memtable's own setting follows its name.
std::string MemTableText(const std::string& name) {
  if (name == "skip_list" && FLAGS_skip_list_lookahead != 0) {
    return name + ":" + std::to_string(FLAGS_skip_list_lookahead);
  }
  if (name == "prefix_hash" || name == "hash_linkedlist") {
    return name + ":" + std::to_string(FLAGS_hash_bucket_count);
  }
  return name;
}

bool IsInMegabytes(const std::string& flag) { return flag.ends_with("_mb"); }

}  // namespace

const std::vector<OptionFlag>& OptionFlags() {
#define DB_BENCH_ROW(where, type, flag, value, option, help) \
  {OptionStruct::where, #flag, #option},
  static const std::vector<OptionFlag> flags = {
      DB_BENCH_OPTION_FLAGS(DB_BENCH_ROW)};
#undef DB_BENCH_ROW
  return flags;
}

std::optional<std::string> EngineText(const OptionFlag& flag) {
  std::string text =
      gflags::GetCommandLineFlagInfoOrDie(flag.flag).current_value;
  if (IsDefault(flag.flag, text)) return "";
  if (IsInMegabytes(flag.flag)) return text + "M";
  if (flag.flag == std::string("memtablerep")) return MemTableText(text);
  if (flag.flag == std::string("memtable_insert_with_hint_prefix_size")) {
    return "fixed:" + text;
  }
  const auto spelling = Spellings().find(flag.flag);
  if (spelling == Spellings().end()) return text;
  const auto engine = spelling->second.find(text);
  if (engine == spelling->second.end()) return std::nullopt;
  return engine->second;
}

}  // namespace ROCKSDB_NAMESPACE::bench
