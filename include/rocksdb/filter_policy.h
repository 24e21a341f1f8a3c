#pragma once

// Filters that tell, without reading data blocks, that a table file does not
// hold a key.
//
// Threads    All calls must be safe from many threads at once.
// Ownership  The functions at the end return a new object that the caller owns.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/advanced_options.h"
#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class FilterBitsBuilder;
class FilterBitsReader;
class Logger;
class Slice;
struct BlockBasedTableOptions;
struct ConfigOptions;

// The file for which a filter is about to be built.
struct FilterBuildingContext {
  explicit FilterBuildingContext(const BlockBasedTableOptions& options)
      : table_options(options) {}

  const BlockBasedTableOptions& table_options;
  std::string column_family_name;  // empty = unknown
  CompactionStyle compaction_style = kCompactionStyleLevel;
  int num_levels = -1;         // -1 = unknown
  Logger* info_log = nullptr;  // may be null
  int level_at_creation = -1;  // -1 = unknown
  bool is_bottommost = false;
  TableFileCreationReason reason = TableFileCreationReason::kMisc;
};

// Chooses the kind and size of filters. Applications choose among the built-in
// policies; a policy of their own may wrap them.
class FilterPolicy : public Customizable {
 public:
  ~FilterPolicy() override = default;
  static const char* Type() { return "FilterPolicy"; }

  // Makes a policy from `bloomfilter:BITS`, `ribbonfilter:BITS[:LEVEL]`, their
  // long names, or `nullptr`; or a registered one. For an unknown name null, or
  // NotSupported without ConfigOptions::ignore_unsupported_options;
  // InvalidArgument for a bad number.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<const FilterPolicy>* result);

  // Part of the name of the filter block. Filters are read only by policies
  // with the same compatibility name.
  virtual const char* CompatibilityName() const = 0;

  // nullptr: no filter for this file. The caller owns the result.
  virtual FilterBitsBuilder* GetBuilderWithContext(
      const FilterBuildingContext& context) const = 0;

  // Reads what a builder of the same compatibility name wrote. `contents` must
  // outlive the result, which the caller owns.
  virtual FilterBitsReader* GetFilterBitsReader(
      const Slice& contents) const = 0;
};

// Bloom filter of about `bits_per_key` bits for each key: 10 gives about 1 % of
// false positives. Below 0.5 there is none. The second argument does nothing.
const FilterPolicy* NewBloomFilterPolicy(
    double bits_per_key, bool use_block_based_builder_ignored = false);

// Ribbon filter with the false positives of a Bloom filter of that many bits
// but about 30 % smaller and slower to build. Files below level
// `bloom_before_level` get Bloom filters: 0 means memtable flushes do, -1 that
// all files get Ribbon filters.
const FilterPolicy* NewRibbonFilterPolicy(double bloom_equivalent_bits_per_key,
                                          int bloom_before_level = 0);

}  // namespace ROCKSDB_NAMESPACE
