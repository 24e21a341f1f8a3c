#include "tools/db_bench/engine_options.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/options_util.h"
#include "tools/db_bench/caches.h"
#include "tools/db_bench/comparators.h"
#include "tools/db_bench/engine.h"
#include "tools/db_bench/engine_parts.h"
#include "tools/db_bench/environment.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/merge_operators.h"
#include "tools/db_bench/option_flags.h"
#include "tools/db_bench/remote_compaction.h"
#include "tools/db_bench/table_formats.h"

DEFINE_string(statistics_string, "",
              "Statistics as this text says, rather than --statistics.");
DEFINE_bool(use_trie_index, false,
            "Tables have an index that is a trie, and reads go by it.");
DEFINE_bool(rate_limit_bg_reads, false,
            "The rate limiter limits reads of compactions, not writes.");
DEFINE_int64(rate_limiter_single_burst_bytes, 0,
             "Most bytes that it hands out at once. 0: those of a refill.");

DECLARE_bool(rate_limit_user_ops);

namespace ROCKSDB_NAMESPACE::bench {

namespace {

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

// In the words that scripts know from RocksDB's db_bench, where it has any.
Status NoSuchValue(const OptionFlag& flag) {
  const struct {
    const char* flag;
    const char* text;
  } kTexts[] = {
      {"prepopulate_block_cache", "Unknown prepopulate block cache mode"},
      {"prepopulate_blob_cache", "Unknown prepopulate blob cache mode"},
      {"index_shortening_mode", "Unknown key shortening mode"},
  };
  const std::string name = flag.flag;
  const std::string value =
      gflags::GetCommandLineFlagInfoOrDie(flag.flag).current_value;
  if (name.ends_with("compression_type")) {
    return Status::InvalidArgument("Cannot parse compression type '" + value +
                                   "'");
  }
  for (const auto& row : kTexts) {
    if (name != row.flag) continue;
    return Status::InvalidArgument(std::string(row.text) + ": " + value);
  }
  return BadFlag(flag, "no such value");
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
  if (!text.has_value()) return NoSuchValue(flag);
  if (text->empty()) return Status::OK();
  const NameToText named = {{flag.option, *text}};
  ConfigOptions config;
  config.ignore_unknown_options = false;
  config.ignore_unsupported_options = false;
  Status strict = ApplyText(config, flag.where, named, set);
  if (strict.ok()) return strict;
  if (flag.flag == std::string("memtablerep")) {
    return Status::InvalidArgument("Could not create memtable factory",
                                   strict.ToString());
  }
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

// By its name, so that engines without it say so.
Status SetTrieIndex(OptionSet* set) {
  if (!FLAGS_use_trie_index) return Status::OK();
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  return ApplyText(config, OptionStruct::kTable,
                   {{"user_defined_index_factory", "trie_index"},
                    {"use_udi_as_primary_index", "true"}},
                   set);
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
    return Status::InvalidArgument(
        "invalid merge operator[" + FLAGS_merge_operator + "]", s.ToString());
  }
  *cf = changed;
  return s;
}

void SetFileChecksums(DBOptions* db) {
  if (!FLAGS_file_checksum) return;
  db->file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
}

Status SetStatistics(DBOptions* db) {
  if (!FLAGS_statistics_string.empty()) {
    Status s = Statistics::CreateFromString(
        ConfigOptions(), FLAGS_statistics_string, &db->statistics);
    if (s.ok() && db->statistics == nullptr) {
      s = Status::InvalidArgument("makes none");
    }
    if (!s.ok()) {
      return Status::InvalidArgument(
          "--statistics_string=" + FLAGS_statistics_string, s.ToString());
    }
  } else if (FLAGS_statistics) {
    db->statistics = CreateDBStatistics();
  }
  if (db->statistics != nullptr) {
    db->statistics->set_stats_level(static_cast<StatsLevel>(FLAGS_stats_level));
  }
  return Status::OK();
}

// A limiter of one kind of I/O leaves the other alone: reads of users are
// limited only where both are.
RateLimiter::Mode LimiterMode() {
  if (FLAGS_rate_limit_user_ops) return RateLimiter::Mode::kAllIo;
  return FLAGS_rate_limit_bg_reads ? RateLimiter::Mode::kReadsOnly
                                   : RateLimiter::Mode::kWritesOnly;
}

Status SetRateLimiter(DBOptions* db) {
  if (FLAGS_rate_limiter_bytes_per_sec == 0) {
    for (const char* flag :
         {"rate_limit_bg_reads", "rate_limit_user_ops",
          "rate_limit_auto_wal_flush", "rate_limiter_single_burst_bytes"}) {
      const auto info = gflags::GetCommandLineFlagInfoOrDie(flag);
      if (info.current_value != info.default_value) {
        return Status::InvalidArgument("--" + info.name,
                                       "needs --rate_limiter_bytes_per_sec");
      }
    }
    return Status::OK();
  }
  LimiterSettings settings;
  settings.bytes_per_second =
      static_cast<int64_t>(FLAGS_rate_limiter_bytes_per_sec);
  settings.refill_micros = FLAGS_rate_limiter_refill_period_us;
  settings.mode = LimiterMode();
  settings.is_auto_tuned = FLAGS_rate_limiter_auto_tuned;
  settings.burst_bytes = FLAGS_rate_limiter_single_burst_bytes;
  return NewLimiter(settings, &db->rate_limiter);
}

}  // namespace

bool Decides(const char* flag) {
  return FLAGS_options_file.empty() || WasSet(flag);
}

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
  SetPrefix(&set.cf);
  SetFileChecksums(&set.db);
  SetRemoteCompaction(&set.db);
  if (FLAGS_thread_status_per_interval > 0) {
    set.db.enable_thread_tracking = true;
  }
  set.db.create_if_missing = !FLAGS_use_existing_db;
  Status s = SetComparator(&set.cf);
  if (s.ok()) s = SetEnvironment(&set);
  if (s.ok()) s = SetTrieIndex(&set);
  if (s.ok()) s = SetMergeOperator(&set.cf);
  if (s.ok()) s = SetStatistics(&set.db);
  if (s.ok()) s = SetRateLimiter(&set.db);
  if (s.ok()) s = SetCaches(&set);
  if (s.ok()) s = SetTableFormat(&set);
  if (!s.ok()) return s;
  *result = Options(set.db, set.cf);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
