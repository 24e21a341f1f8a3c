#include "tools/filter_bench/settings.h"

#include <algorithm>
#include <cstdio>

#include "tools/common/flags.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

namespace {

void AddKeyFlags(Settings* settings, tools::Flags* flags) {
  flags->Add("seed", &settings->seed, "of the random numbers");
  flags->Add("working_mem_size_mb", &settings->working_mem_size_mb,
             "megabytes of filters that are built");
  flags->Add("average_keys_per_filter", &settings->average_keys_per_filter,
             "keys of a filter, on average");
  flags->Add("vary_key_count_ratio", &settings->vary_key_count_ratio,
             "by which part of that a filter may have more or fewer");
  flags->Add("key_size", &settings->key_size, "bytes of the shortest keys");
  flags->Add("vary_key_alignment", &settings->vary_key_alignment,
             "keys begin at any address");
  flags->Add("vary_key_size_log2_interval",
             &settings->vary_key_size_log2_interval,
             "2 to this power keys have one size, the next another; 30 and "
             "more: all have the same");
  flags->Add("m_keys_total_max", &settings->m_keys_total_max,
             "millions of keys that end the building; 0: the memory alone");
}

void AddFilterFlags(Settings* settings, tools::Flags* flags) {
  flags->Add("bits_per_key", &settings->bits_per_key, "bits for each key");
  flags->Add("impl", &settings->impl,
             "0: legacy Bloom, 1: Bloom of format_version 5, 2: Ribbon");
  flags->Add("use_plain_table_bloom", &settings->use_plain_table_bloom,
             "instead, those of plain tables");
  flags->Add("use_full_block_reader", &settings->use_full_block_reader,
             "asks by way of a table's filter block");
  flags->Add("new_builder", &settings->new_builder,
             "the time of building counts the making of builders");
  flags->Add("optimize_filters_for_memory",
             &settings->optimize_filters_for_memory,
             "filters fill what the allocator hands out");
  flags->Add("detect_filter_construct_corruption",
             &settings->detect_filter_construct_corruption,
             "each filter is compared with its keys, within the time");
  flags->Add("block_cache_capacity_MB", &settings->block_cache_capacity_mb,
             "of the cache that building is charged to");
  flags->Add("charge_filter_construction",
             &settings->charge_filter_construction,
             "charges the memory of building to a block cache");
  flags->Add("strict_capacity_limit", &settings->strict_capacity_limit,
             "the cache refuses what it has no room for; such filters are "
             "counted");
}

void AddQueryFlags(Settings* settings, tools::Flags* flags) {
  flags->Add("batch_size", &settings->batch_size, "keys that are made at once");
  flags->Add("m_queries", &settings->m_queries,
             "millions of queries of each way of asking");
  flags->Add("net_includes_hashing", &settings->net_includes_hashing,
             "net times have the hashing of keys in them");
  flags->Add("quick", &settings->quick,
             "two ways of asking only, with a tenth of the queries");
  flags->Add("best_case", &settings->best_case,
             "one filter is asked again and again, only");
  flags->Add("allow_bad_fp_rate", &settings->allow_bad_fp_rate,
             "goes on where there are too many false positives");
  flags->Add("legend", &settings->legend, "says what the lines mean, and ends");
  flags->Add("runs", &settings->runs, "how often all of it is done");
}

// Null: nothing is wrong.
const char* ProblemOf(const Settings& settings) {
  if (settings.impl > 2) return "--impl must be 0, 1 or 2.";
  if (settings.key_size < 8 || settings.key_size > 1024) {
    return "--key_size must be from 8 to 1024.";
  }
  if (settings.batch_size == 0 || settings.batch_size > 1024) {
    return "--batch_size must be from 1 to 1024.";
  }
  if (settings.average_keys_per_filter == 0 ||
      settings.average_keys_per_filter > (uint64_t{1} << 30)) {
    return "--average_keys_per_filter must be from 1 to 1073741824.";
  }
  if (!(settings.vary_key_count_ratio >= 0.0 &&
        settings.vary_key_count_ratio <= 1.0)) {
    return "--vary_key_count_ratio must be from 0 to 1.";
  }
  if (!(settings.bits_per_key >= 1.0)) {
    return "--bits_per_key must be at least 1.";
  }
  if (!(settings.m_queries > 0.0)) {
    return "--m_queries must be greater than 0.";
  }
  if (settings.use_plain_table_bloom && settings.use_full_block_reader) {
    return "Plain tables have no filter blocks: --use_plain_table_bloom and "
           "--use_full_block_reader exclude each other.";
  }
  return nullptr;
}

}  // namespace

Kind Settings::kind() const {
  return use_plain_table_bloom ? Kind::kPlainTableBloom
                               : static_cast<Kind>(impl);
}

uint64_t Settings::QueryCount() const {
  const double queries = m_queries * 1e6 / (quick ? 10 : 1);
  return std::max<uint64_t>(1, static_cast<uint64_t>(queries));
}

std::optional<int> ParseSettings(int argc, char** argv, Settings* settings) {
  tools::Flags flags;
  AddKeyFlags(settings, &flags);
  AddFilterFlags(settings, &flags);
  AddQueryFlags(settings, &flags);
  if (!flags.Parse("measures filters", argc, argv)) return flags.exit_status();
  const char* const problem = ProblemOf(*settings);
  if (problem == nullptr) return std::nullopt;
  std::fprintf(stderr, "%s\n", problem);
  return 1;
}

}  // namespace ROCKSDB_NAMESPACE::filter_bench
