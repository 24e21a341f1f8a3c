#include "tools/db_bench/engine_options.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"
#include "tools/db_bench/engine.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/merge_operators.h"
#include "tools/db_bench/option_flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// The structs that flags change, before they become one Options.
struct OptionSet {
  DBOptions db;
  ColumnFamilyOptions cf;
  BlockBasedTableOptions table;
};

using NameToText = std::unordered_map<std::string, std::string>;

Status ApplyText(const ConfigOptions& config, OptionStruct where,
                 const NameToText& text, OptionSet* set) {
  switch (where) {
    case OptionStruct::kDb: {
      DBOptions changed;
      Status s = GetDBOptionsFromMap(config, set->db, text, &changed);
      if (s.ok()) set->db = changed;
      return s;
    }
    case OptionStruct::kCf: {
      ColumnFamilyOptions changed;
      Status s = GetColumnFamilyOptionsFromMap(config, set->cf, text, &changed);
      if (s.ok()) set->cf = changed;
      return s;
    }
    case OptionStruct::kTable: {
      BlockBasedTableOptions changed;
      Status s =
          GetBlockBasedTableOptionsFromMap(config, set->table, text, &changed);
      if (s.ok()) set->table = changed;
      return s;
    }
  }
  return Status::InvalidArgument("no such struct of options");
}

Status BadFlag(const OptionFlag& flag, const std::string& why) {
  const std::string value =
      gflags::GetCommandLineFlagInfoOrDie(flag.flag).current_value;
  return Status::InvalidArgument("--" + std::string(flag.flag) + "=" + value,
                                 why);
}

// Whether a printed struct has the option, which is "outer.inner" for a member
// of a struct in it. `text` begins with a delimiter.
bool HasOption(const std::string& text, const std::string& name) {
  const size_t dot = name.find('.');
  const std::string outer = ";" + name.substr(0, dot) + "=";
  const size_t at = text.find(outer);
  if (at == std::string::npos || dot == std::string::npos) {
    return at != std::string::npos;
  }
  const size_t begin = at + outer.size();
  if (begin >= text.size() || text[begin] != '{') return false;
  const size_t end = text.find('}', begin);
  if (end == std::string::npos) return false;
  const std::string inner = ";" + text.substr(begin + 1, end - begin - 1);
  return HasOption(inner, name.substr(dot + 1));
}

// Whether the engine writes an option of this name when it prints its options.
bool IsKnown(const OptionFlag& flag, const OptionSet& set) {
  ConfigOptions config;
  config.delimiter = ";";
  std::string text;
  Status s;
  switch (flag.where) {
    case OptionStruct::kDb:
      s = GetStringFromDBOptions(config, set.db, &text);
      break;
    case OptionStruct::kCf:
      s = GetStringFromColumnFamilyOptions(config, set.cf, &text);
      break;
    case OptionStruct::kTable: {
      const std::unique_ptr<TableFactory> factory(
          NewBlockBasedTableFactory(set.table));
      s = factory->GetOptionString(config, &text);
      break;
    }
  }
  return s.ok() && HasOption(";" + text, flag.option);
}

Status ApplyFlag(const OptionFlag& flag, OptionSet* set) {
  const std::optional<std::string> text = EngineText(flag);
  if (!text.has_value()) return BadFlag(flag, "no such value");
  if (text->empty()) return Status::OK();
  const NameToText named = {{flag.option, *text}};
  ConfigOptions config;
  config.ignore_unknown_options = false;
  Status strict = ApplyText(config, flag.where, named, set);
  if (strict.ok()) return strict;
  if (IsKnown(flag, *set)) return BadFlag(flag, strict.ToString());
  if (WasSet(flag.flag)) {
    fprintf(stderr, "--%s: option %s is not known to this engine: left out\n",
            flag.flag, flag.option);
  }
  return Status::OK();
}

// An engine that does not write the default format is given its newest one.
// A format that was asked for goes through, and may be refused.
void LimitFormatVersion() {
  const int newest = NewestFormatVersion();
  if (WasSet("format_version") || FLAGS_format_version <= newest) return;
  fprintf(stderr,
          "--format_version=%d: this engine writes up to %d: %d is used\n",
          FLAGS_format_version, newest, newest);
  gflags::SetCommandLineOptionWithMode("format_version",
                                       std::to_string(newest).c_str(),
                                       gflags::SET_FLAGS_DEFAULT);
}

Status LoadOptionsFile(OptionSet* set) {
  std::vector<ColumnFamilyDescriptor> families;
  Status s = LoadOptionsFromFile(ConfigOptions(), FLAGS_options_file, &set->db,
                                 &families);
  if (!s.ok()) return s;
  if (families.size() != 1) {
    return Status::NotSupported("--options_file=" + FLAGS_options_file,
                                "has " + std::to_string(families.size()) +
                                    " column families; benchmarks use one");
  }
  set->cf = families[0].options;
  if (set->cf.table_factory != nullptr) {
    const auto* table =
        set->cf.table_factory->GetOptions<BlockBasedTableOptions>();
    if (table != nullptr) set->table = *table;
  }
  return Status::OK();
}

// Whether a flag decides: not if an options file does and the flag is absent.
bool Decides(const char* flag) {
  return FLAGS_options_file.empty() || WasSet(flag);
}

std::shared_ptr<Cache> MakeLruCache() {
  LRUCacheOptions options;
  options.capacity = static_cast<size_t>(FLAGS_cache_size);
  options.num_shard_bits = FLAGS_cache_numshardbits;
  options.high_pri_pool_ratio = FLAGS_cache_high_pri_pool_ratio;
  options.low_pri_pool_ratio = FLAGS_cache_low_pri_pool_ratio;
  return NewLRUCache(options);
}

std::shared_ptr<Cache> MakeCache() {
  if (FLAGS_cache_type == "lru_cache") return MakeLruCache();
  HyperClockCacheOptions options(static_cast<size_t>(FLAGS_cache_size),
                                 static_cast<size_t>(FLAGS_block_size),
                                 FLAGS_cache_numshardbits);
  // An engine without this kind gives none, or one of another kind.
  std::shared_ptr<Cache> cache = options.MakeSharedCache();
  if (cache != nullptr && std::string(cache->Name()) != "LRUCache") {
    return cache;
  }
  fprintf(stderr, "--cache_type=%s: not in this engine: an LRU cache is used\n",
          FLAGS_cache_type.c_str());
  return MakeLruCache();
}

void SetCache(BlockBasedTableOptions* table) {
  if (!Decides("cache_size") && !WasSet("cache_type")) return;
  table->no_block_cache = FLAGS_cache_size == 0;
  table->block_cache = table->no_block_cache ? nullptr : MakeCache();
}

void SetBlobCache(const BlockBasedTableOptions& table,
                  ColumnFamilyOptions* cf) {
  if (!FLAGS_use_blob_cache) return;
  cf->blob_cache = FLAGS_use_shared_block_and_blob_cache
                       ? table.block_cache
                       : NewLRUCache(static_cast<size_t>(FLAGS_blob_cache_size),
                                     FLAGS_blob_cache_numshardbits);
}

void SetFilter(BlockBasedTableOptions* table) {
  if (!Decides("bloom_bits")) return;
  table->filter_policy.reset(
      FLAGS_bloom_bits <= 0 ? nullptr : NewBloomFilterPolicy(FLAGS_bloom_bits));
}

void SetPrefix(ColumnFamilyOptions* cf) {
  if (FLAGS_prefix_size == 0) return;
  cf->prefix_extractor.reset(
      NewFixedPrefixTransform(static_cast<size_t>(FLAGS_prefix_size)));
}

Status SetMergeOperator(ColumnFamilyOptions* cf) {
  if (FLAGS_merge_operator.empty()) return Status::OK();
  cf->merge_operator = MakeMergeOperator(FLAGS_merge_operator);
  if (cf->merge_operator != nullptr) return Status::OK();
  ColumnFamilyOptions changed;
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  Status s = GetColumnFamilyOptionsFromMap(
      config, *cf, {{"merge_operator", FLAGS_merge_operator}}, &changed);
  if (s.ok() && changed.merge_operator == nullptr) {
    s = Status::InvalidArgument("not known to this engine");
  }
  if (!s.ok()) {
    return Status::InvalidArgument("--merge_operator=" + FLAGS_merge_operator,
                                   s.ToString());
  }
  *cf = changed;
  return s;
}

void SetRowCache(DBOptions* db) {
  if (FLAGS_row_cache_size == 0) return;
  db->row_cache = NewLRUCache(static_cast<size_t>(FLAGS_row_cache_size));
}

void SetFileChecksums(DBOptions* db) {
  if (!FLAGS_file_checksum) return;
  db->file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
}

void SetStatistics(DBOptions* db) {
  if (!FLAGS_statistics) return;
  db->statistics = CreateDBStatistics();
  db->statistics->set_stats_level(static_cast<StatsLevel>(FLAGS_stats_level));
}

void SetRateLimiter(DBOptions* db) {
  if (FLAGS_rate_limiter_bytes_per_sec == 0) return;
  db->rate_limiter.reset(NewGenericRateLimiter(
      static_cast<int64_t>(FLAGS_rate_limiter_bytes_per_sec),
      FLAGS_rate_limiter_refill_period_us, /*fairness=*/10,
      RateLimiter::Mode::kWritesOnly, FLAGS_rate_limiter_auto_tuned));
}

void SetThreadPools(Env* env) {
  if (FLAGS_num_high_pri_threads > 0) {
    env->SetBackgroundThreads(FLAGS_num_high_pri_threads, Env::Priority::HIGH);
  }
  if (FLAGS_num_low_pri_threads > 0) {
    env->SetBackgroundThreads(FLAGS_num_low_pri_threads, Env::Priority::LOW);
  }
  if (FLAGS_num_bottom_pri_threads > 0) {
    env->SetBackgroundThreads(FLAGS_num_bottom_pri_threads,
                              Env::Priority::BOTTOM);
  }
}

}  // namespace

Status MakeEngineOptions(Options* result) {
  OptionSet set;
  LimitFormatVersion();
  if (!FLAGS_options_file.empty()) {
    if (Status s = LoadOptionsFile(&set); !s.ok()) return s;
  }
  for (const OptionFlag& flag : OptionFlags()) {
    if (!Decides(flag.flag)) continue;
    if (Status s = ApplyFlag(flag, &set); !s.ok()) return s;
  }
  SetCache(&set.table);
  SetBlobCache(set.table, &set.cf);
  SetFilter(&set.table);
  SetPrefix(&set.cf);
  if (Status s = SetMergeOperator(&set.cf); !s.ok()) return s;
  SetRowCache(&set.db);
  SetFileChecksums(&set.db);
  SetStatistics(&set.db);
  SetRateLimiter(&set.db);
  SetThreadPools(set.db.env);
  if (FLAGS_thread_status_per_interval > 0) {
    set.db.enable_thread_tracking = true;
  }
  set.db.create_if_missing = !FLAGS_use_existing_db;
  set.cf.table_factory.reset(NewBlockBasedTableFactory(set.table));
  *result = Options(set.db, set.cf);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
