// What filter_bench is told by its flags, which are those of RocksDB's.
//
// Threads  A plain value.

#pragma once

#include <cstdint>
#include <optional>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

enum class Kind : uint8_t { kLegacyBloom, kBloom, kRibbon, kPlainTableBloom };

struct Settings {
  uint64_t seed = 0;
  uint64_t working_mem_size_mb = 200;
  uint64_t average_keys_per_filter = 10000;
  double vary_key_count_ratio = 0.4;
  uint32_t key_size = 24;
  bool vary_key_alignment = true;
  uint32_t vary_key_size_log2_interval = 5;
  uint32_t batch_size = 8;
  double bits_per_key = 10.0;
  double m_queries = 200;
  double m_keys_total_max = 0;
  bool use_full_block_reader = false;
  bool use_plain_table_bloom = false;
  bool new_builder = false;
  uint32_t impl = 0;
  bool net_includes_hashing = false;
  bool optimize_filters_for_memory = false;
  bool detect_filter_construct_corruption = false;
  uint64_t block_cache_capacity_mb = 8;
  bool charge_filter_construction = false;
  bool strict_capacity_limit = false;
  bool quick = false;
  bool best_case = false;
  bool allow_bad_fp_rate = false;
  bool legend = false;
  uint32_t runs = 1;

  Kind kind() const;
  // How many queries each measurement makes; --quick makes a tenth of them.
  uint64_t QueryCount() const;
};

// The status to end with, whose reason was told; none: the program goes on.
std::optional<int> ParseSettings(int argc, char** argv, Settings* settings);

}  // namespace ROCKSDB_NAMESPACE::filter_bench
