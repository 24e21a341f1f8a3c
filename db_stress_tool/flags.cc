#include "db_stress_tool/flags.h"

#include <charconv>
#include <cstdlib>
#include <functional>
#include <type_traits>

#include "db_stress_tool/absent_flags.h"
#include "db_stress_tool/keys.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

template <typename T>
bool Parse(const std::string& text, T* value) {
  if constexpr (std::is_same_v<T, std::string>) {
    *value = text;
    return true;
  } else if constexpr (std::is_same_v<T, bool>) {
    *value = text == "1" || text == "true" || text.empty();
    return *value || text == "0" || text == "false";
  } else {
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, *value);
    return result.ec == std::errc() && result.ptr == end;
  }
}

struct FlagRow {
  const char* help;
  bool is_bool;
  std::function<bool(const std::string&, Flags*)> set;
};

const std::map<std::string, FlagRow>& Rows() {
#define DB_STRESS_ROW(type, name, value, help)  \
  {#name,                                       \
   {help, std::is_same_v<type, bool>,           \
    [](const std::string& text, Flags* flags) { \
      return Parse(text, &flags->name);         \
    }}},
  static const std::map<std::string, FlagRow> rows{
      DB_STRESS_FLAGS(DB_STRESS_ROW)};
#undef DB_STRESS_ROW
  return rows;
}

Status Refuse(const std::string& name, const std::string& value,
              const std::string& why) {
  return Status::InvalidArgument("--" + name + "=" + value, why);
}

// One "--name=value", "--name" or "--noname".
Status ParseOne(const std::string& argument, Flags* flags) {
  if (argument.rfind("--", 0) != 0) return Refuse(argument, "", "is no flag");
  const size_t equals = argument.find('=');
  std::string name = argument.substr(2, equals - 2);
  std::string value;
  if (equals != std::string::npos) value = argument.substr(equals + 1);
  auto row = Rows().find(name);
  if (row == Rows().end() && equals == std::string::npos &&
      name.rfind("no", 0) == 0) {
    row = Rows().find(name.substr(2));
    if (row != Rows().end() && row->second.is_bool) {
      name = name.substr(2);
      value = "false";
    }
  }
  flags->given[name] = value;
  if (IsAbsentFlag(name)) {
    return CheckAbsentFlag(name, equals == std::string::npos ? "true" : value);
  }
  if (row == Rows().end()) {
    if (equals == std::string::npos) value = "true";
    flags->engine_options.emplace_back(name, value);
    return Status::OK();
  }
  if (!row->second.set(value, flags)) {
    return Refuse(name, value, "is no value of this flag");
  }
  return Status::OK();
}

Status CheckShares(const Flags& flags) {
  const int64_t sum = flags.readpercent + flags.prefixpercent +
                      flags.writepercent + flags.delpercent +
                      flags.delrangepercent + flags.iterpercent +
                      flags.customopspercent;
  if (sum == 100) return Status::OK();
  return Refuse("readpercent, prefixpercent, ...", std::to_string(sum),
                "shares must add up to 100");
}

Status CheckRanges(const Flags& flags) {
  const struct {
    const char* name;
    int64_t value;
    int64_t least;
    int64_t most;
  } ranges[] = {
      {"threads", flags.threads, 1, 1024},
      {"num_dbs", flags.num_dbs, 1, 64},
      {"max_key", flags.max_key, 100, int64_t{1} << 32},
      {"max_key_len", flags.max_key_len, 1, 128},
      {"key_window_scale_factor", flags.key_window_scale_factor, 1, 1 << 20},
      {"column_families", flags.column_families, 1, 64},
      {"value_size_mult", flags.value_size_mult, 1, 1 << 20},
      {"log2_keys_per_lock", flags.log2_keys_per_lock, 0, 32},
      {"range_deletion_width", flags.range_deletion_width, 1, 1000},
      {"prefix_size", flags.prefix_size, -1, 8},
      {"ops_per_thread", flags.ops_per_thread, 0, INT64_MAX},
      {"ingest_external_file_width", flags.ingest_external_file_width, 1, 1000},
      {"top_level_index_pinning", flags.top_level_index_pinning, 0, 3},
      {"partition_pinning", flags.partition_pinning, 0, 3},
      {"unpartitioned_pinning", flags.unpartitioned_pinning, 0, 3},
      {"adm_policy", flags.adm_policy, 0, 4},
      {"checkpoint_engine_max_background_operations",
       flags.checkpoint_engine_max_background_operations, 1, 64},
      {"remote_compaction_worker_interval",
       flags.remote_compaction_worker_interval, 0, 60000},
      {"metadata_charge_policy", flags.metadata_charge_policy, 0, 1},
      {"fifo_compaction_max_table_files_size_mb",
       flags.fifo_compaction_max_table_files_size_mb, 0, int64_t{1} << 40},
      {"fifo_compaction_max_data_files_size_mb",
       flags.fifo_compaction_max_data_files_size_mb, 0, int64_t{1} << 40},
      {"inject_error_severity", flags.inject_error_severity, 1, 3},
      {"compaction_thread_pool_variations",
       flags.compaction_thread_pool_variations, 0, 64},
      {"compressed_secondary_cache_size", flags.compressed_secondary_cache_size,
       0, INT64_MAX},
      {"blob_cache_size", flags.blob_cache_size, 0, INT64_MAX},
      {"txn_write_policy", flags.txn_write_policy, 0, 2},
      {"sqfc_version", flags.sqfc_version, 0, 2},
      {"occ_validation_policy", flags.occ_validation_policy, 0, 1},
      {"occ_lock_bucket_count", flags.occ_lock_bucket_count, 1, 1 << 24},
      {"lb_a", flags.lb_a, 0, flags.ub_a - 2},
      {"ub_a", flags.ub_a, 0, int64_t{1} << 20},
      {"lb_c", flags.lb_c, 0, flags.ub_c - 1},
      {"ub_c", flags.ub_c, 0, int64_t{1} << 20},
  };
  for (const auto& range : ranges) {
    if (range.value < range.least || range.value > range.most) {
      return Refuse(range.name, std::to_string(range.value),
                    "must be from " + std::to_string(range.least) + " to " +
                        std::to_string(range.most));
    }
  }
  return Status::OK();
}

Status CheckKeys(const Flags& flags) {
  if (!(flags.hot_key_alpha >= 0)) {
    return Refuse("hot_key_alpha", std::to_string(flags.hot_key_alpha),
                  "must be at least 0");
  }
  if (flags.key_len_percent_dist.empty() ||
      KeyLengths::Parse(flags.key_len_percent_dist,
                        static_cast<size_t>(flags.max_key_len),
                        static_cast<uint64_t>(flags.key_window_scale_factor))) {
    return Status::OK();
  }
  return Refuse("key_len_percent_dist", flags.key_len_percent_dist,
                "must be --max_key_len numbers that add up to 100");
}

Status CheckNames(const Flags& flags) {
  if (flags.file_checksum_impl != "none" &&
      flags.file_checksum_impl != "crc32c") {
    return Refuse("file_checksum_impl", flags.file_checksum_impl,
                  "is neither none nor crc32c");
  }
  const std::string tiered = "tiered_";
  for (const char* type :
       {"lru_cache", "hyper_clock_cache", "fixed_hyper_clock_cache",
        "auto_hyper_clock_cache"}) {
    if (flags.cache_type == type || flags.cache_type == tiered + type) {
      return Status::OK();
    }
  }
  return Refuse("cache_type", flags.cache_type, "is no kind of cache");
}

// Secondary caches: which there are, and what says how large they are.
Status CheckSecondaryCaches(const Flags& flags) {
  const double ratio = flags.compressed_secondary_cache_ratio;
  const double percent = flags.tiered_cache_percent_compressed;
  const bool is_tiered = flags.cache_type.rfind("tiered_", 0) == 0;
  const bool has_uri = !flags.secondary_cache_uri.empty();
  // TieredAdmissionPolicy::kAdmPolicyThreeQueue: there is a third cache.
  const bool has_three_queues = flags.adm_policy == 3;
  if (!(ratio >= 0 && ratio < 1)) {
    return Refuse("compressed_secondary_cache_ratio", std::to_string(ratio),
                  "must be at least 0 and below 1");
  }
  if (!(percent >= 0 && percent < 100)) {
    return Refuse("tiered_cache_percent_compressed", std::to_string(percent),
                  "must be at least 0 and below 100");
  }
  const int sizes = (flags.compressed_secondary_cache_size > 0) + (ratio > 0) +
                    (percent > 0) + (has_uri && !is_tiered);
  if (sizes > 1) {
    return Refuse("secondary_cache_uri", flags.secondary_cache_uri,
                  "and other flags say twice which secondary cache there is");
  }
  if (is_tiered && has_uri != has_three_queues) {
    return Refuse("secondary_cache_uri", flags.secondary_cache_uri,
                  "goes with a tiered --cache_type if --adm_policy is 3, which "
                  "needs it");
  }
  if (is_tiered && !has_uri && flags.secondary_cache_fault_one_in > 0) {
    return Refuse("secondary_cache_fault_one_in",
                  std::to_string(flags.secondary_cache_fault_one_in),
                  "impossible together with two tiers of --cache_type");
  }
  if (!is_tiered && (ratio > 0 || percent > 0 || flags.adm_policy > 0)) {
    return Refuse("cache_type", flags.cache_type,
                  "is not tiered, as other flags ask for");
  }
  return Status::OK();
}

// What does not go with user-defined timestamps.
Status CheckTimestamps(const Flags& flags) {
  const int64_t size = flags.user_timestamp_size;
  if (size == 0) return Status::OK();
  if (size != 8) {
    return Refuse("user_timestamp_size", std::to_string(size),
                  "must be 0 or 8");
  }
  const struct {
    const char* name;
    bool is_set;
  } others[] = {
      {"test_batches_snapshots", flags.test_batches_snapshots},
      {"test_cf_consistency", flags.test_cf_consistency},
      {"ingest_external_file_one_in", flags.ingest_external_file_one_in > 0},
      {"use_wbwi_one_in", flags.use_wbwi_one_in > 0},
      {"ingest_wbwi_one_in", flags.ingest_wbwi_one_in > 0},
      {"use_put_entity_one_in", flags.use_put_entity_one_in > 0},
      {"use_timed_put_one_in", flags.use_timed_put_one_in > 0},
      {"use_get_entity", flags.use_get_entity},
      {"use_multi_get_entity", flags.use_multi_get_entity},
      {"use_multi_cf_iterator", flags.use_multi_cf_iterator},
      {"use_trie_index", flags.use_trie_index},
  };
  for (const auto& other : others) {
    if (!other.is_set) continue;
    return Refuse(other.name, flags.given.at(other.name),
                  "impossible together with --user_timestamp_size");
  }
  return Status::OK();
}

Status CheckFollower(const Flags& flags) {
  return flags.test_follower && flags.read_only
             ? Refuse("test_follower", "1",
                      "follows a database that is written")
             : Status::OK();
}

Status CheckBestEfforts(const Flags& flags) {
  if (flags.best_efforts_recovery && !flags.disable_wal) {
    return Refuse("best_efforts_recovery", "1",
                  "leaves the log alone: needs --disable_wal");
  }
  if (flags.test_secondary &&
      (flags.best_efforts_recovery || flags.read_only)) {
    return Refuse("test_secondary", "1",
                  "follows a database that is written, and has its log");
  }
  if (flags.best_efforts_recovery && flags.open_read_only_one_in > 0) {
    return Refuse("open_read_only_one_in",
                  std::to_string(flags.open_read_only_one_in),
                  "impossible together with --best_efforts_recovery");
  }
  if (flags.cut_tables_one_in == 0) return Status::OK();
  if (!flags.best_efforts_recovery || flags.expected_values_dir.empty()) {
    return Refuse("cut_tables_one_in", std::to_string(flags.cut_tables_one_in),
                  "needs --best_efforts_recovery and --expected_values_dir");
  }
  return Status::OK();
}

// What does not go with transactions.
Status CheckTransactions(const Flags& flags) {
  if (!flags.use_txn) {
    if (flags.use_optimistic_txn) {
      return Refuse("use_optimistic_txn", "1", "needs --use_txn");
    }
    return flags.create_timestamped_snapshot_one_in > 0
               ? Refuse(
                     "create_timestamped_snapshot_one_in",
                     std::to_string(flags.create_timestamped_snapshot_one_in),
                     "needs --use_txn")
               : Status::OK();
  }
  const bool is_locking = !flags.use_optimistic_txn;
  const struct {
    const char* name;
    bool is_set;
  } others[] = {
      {"user_timestamp_size", flags.user_timestamp_size > 0},
      {"delrangepercent", flags.delrangepercent > 0},
      {"ingest_external_file_one_in", flags.ingest_external_file_one_in > 0},
      {"ingest_wbwi_one_in", flags.ingest_wbwi_one_in > 0},
      {"use_timed_put_one_in", flags.use_timed_put_one_in > 0},
      {"best_efforts_recovery", flags.best_efforts_recovery},
      // A section is in the log, and plain databases do not open such logs.
      {"disable_wal", is_locking && flags.disable_wal},
      {"open_read_only_one_in", is_locking && flags.open_read_only_one_in > 0},
      {"checkpoint_one_in", is_locking && flags.checkpoint_one_in > 0},
      {"backup_one_in", is_locking && flags.backup_one_in > 0},
      {"test_secondary", is_locking && flags.test_secondary},
      {"test_follower", is_locking && flags.test_follower},
  };
  for (const auto& other : others) {
    if (!other.is_set) continue;
    return Refuse(other.name, "1", "impossible together with --use_txn");
  }
  if (flags.create_timestamped_snapshot_one_in > 0 &&
      (!is_locking || flags.txn_write_policy != 0)) {
    return Refuse("create_timestamped_snapshot_one_in",
                  std::to_string(flags.create_timestamped_snapshot_one_in),
                  "needs --use_optimistic_txn=0 and --txn_write_policy=0");
  }
  return Status::OK();
}

Status CheckMultiOps(const Flags& flags) {
  if (!flags.test_multi_ops_txns) {
    return flags.customopspercent > 0
               ? Refuse("customopspercent",
                        std::to_string(flags.customopspercent),
                        "needs --test_multi_ops_txns")
               : Status::OK();
  }
  const struct {
    const char* name;
    bool is_right;
  } needs[] = {
      {"use_txn", flags.use_txn && !flags.read_only},
      {"column_families=1", flags.column_families == 1},
      {"writepercent=0", flags.writepercent == 0},
      {"delpercent=0", flags.delpercent == 0},
      {"acquire_snapshot_one_in=0", flags.acquire_snapshot_one_in == 0},
      {"import_family_one_in=0", flags.import_family_one_in == 0},
      {"checkpoint_one_in=0", flags.checkpoint_one_in == 0},
      {"backup_one_in=0", flags.backup_one_in == 0},
  };
  for (const auto& need : needs) {
    if (need.is_right) continue;
    return Refuse("test_multi_ops_txns", "1",
                  std::string("needs --") + need.name);
  }
  return Status::OK();
}

Status CheckCombinations(const Flags& flags) {
  if (!flags.delete_dir_and_exit.empty()) return Status::OK();
  if (flags.db.empty()) return Refuse("db", "", "names no directory");
  if (flags.sync && flags.disable_wal) {
    return Refuse("sync", "1", "impossible together with --disable_wal");
  }
  if (flags.ingest_wbwi_one_in > 0 && !flags.disable_wal) {
    // In no log, it would be lost while what came after it is not.
    return Refuse("ingest_wbwi_one_in",
                  std::to_string(flags.ingest_wbwi_one_in),
                  "needs --disable_wal");
  }
  if (flags.use_full_merge_v1 && flags.use_put_entity_one_in > 0) {
    return Refuse("use_full_merge_v1", "1",
                  "knows no columns: impossible with --use_put_entity_one_in");
  }
  if (flags.test_batches_snapshots && flags.test_cf_consistency) {
    return Refuse("test_batches_snapshots", "1",
                  "impossible together with --test_cf_consistency");
  }
  if (flags.MayLoseWrites() && flags.clear_column_family_one_in > 0 &&
      flags.WasGiven("clear_column_family_one_in")) {
    return Refuse("clear_column_family_one_in", "",
                  "a drop lasts, while older writes may be lost");
  }
  if (flags.MayLoseWrites() && flags.ingest_external_file_one_in > 0) {
    return Refuse("ingest_external_file_one_in", "",
                  "a file lasts, while older writes may be lost");
  }
  if (!flags.expected_values_dir.empty() || flags.destroy_db_initially ||
      flags.read_only || flags.test_batches_snapshots ||
      flags.test_cf_consistency || flags.test_multi_ops_txns) {
    return Status::OK();
  }
  return Refuse("expected_values_dir", "",
                "is needed to go on with a database");
}

}  // namespace

Status ParseFlags(int argc, char** argv, Flags* flags) {
  for (int i = 1; i < argc; ++i) {
    if (Status s = ParseOne(argv[i], flags); !s.ok()) return s;
  }
  if (flags->MayLoseWrites() &&
      !flags->WasGiven("clear_column_family_one_in")) {
    flags->clear_column_family_one_in = 0;
  }
  for (const auto& check :
       {CheckShares, CheckRanges, CheckKeys, CheckNames, CheckSecondaryCaches,
        CheckFollower, CheckTimestamps, CheckBestEfforts, CheckTransactions,
        CheckMultiOps, CheckCombinations}) {
    if (Status s = check(*flags); !s.ok()) return s;
  }
  return Status::OK();
}

std::string FlagHelp() {
  std::string text;
  for (const auto& [name, row] : Rows()) {
    text += "--" + name + "  " + row.help + "\n";
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::stress
