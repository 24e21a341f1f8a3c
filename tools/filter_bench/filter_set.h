// The filters that filter_bench asks, each with keys of its own.
//
// Threads    Confined to one thread.
// Ownership  Owns the filters.
// Errors     Build(): Corruption where a filter lacks a key that was added.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cache/memory_charge.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"
#include "table/filter/filter_bits.h"
#include "table/filter/filter_block.h"
#include "tools/db_bench/random.h"
#include "tools/filter_bench/settings.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

class FilterSet {
 public:
  explicit FilterSet(const Settings& settings);

  Status Build();
  // What building took, and what the filters are.
  void Print() const;

  size_t size() const { return filters_.size(); }
  uint64_t key_count(size_t filter) const { return filters_[filter].key_count; }
  // False: `key` was not added to the filter.
  bool MayMatch(size_t filter, const Slice& key) const;
  // Prefetches what MayMatch() will read; a batch first does so for all keys.
  void Prefetch(size_t filter, const Slice& key) const;

 private:
  struct Filter {
    uint64_t key_count = 0;
    std::unique_ptr<char[]> buffer;
    Slice payload;
    std::unique_ptr<FilterBitsReader> bits;
    std::unique_ptr<FilterBlock> block;
    // A plain table's filter, and how many lines it has.
    std::string plain;
    uint32_t plain_lines = 0;
  };

  uint64_t DrawKeyCount();
  bool IsEnough() const;
  std::unique_ptr<FilterBitsBuilder> NewBuilder() const;
  Status BuildBits(const std::vector<Slice>& keys, Filter* filter);
  void BuildPlain(const std::vector<Slice>& keys, Filter* filter);
  void MakeReader(Filter* filter) const;

  const Settings& settings_;
  const Kind kind_;
  const InternalKeyComparator order_;
  BlockBasedTableOptions table_;
  std::shared_ptr<ChargedMemory> charged_;
  bench::Random random_;
  std::vector<Filter> filters_;

  uint64_t total_keys_ = 0;
  uint64_t total_bytes_ = 0;
  uint64_t allocated_bytes_ = 0;
  uint64_t refused_charges_ = 0;
  double build_seconds_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::filter_bench
