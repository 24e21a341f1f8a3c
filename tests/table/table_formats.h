// The formats that a block-based table can have beside the default: one table
// of names and settings, for tests that hold under each.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "tests/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE {

struct TableFormat {
  const char* name;
  // Releases that know format_version 5 at most read it.
  bool is_old;
  void (*prepare)(TableFixture* fixture);
};

inline void PrintTo(const TableFormat& format, std::ostream* out) {
  *out << format.name;
}

inline std::vector<TableFormat> PartitionedFormats() {
  using Table = BlockBasedTableOptions;
  return {
      {"TwoLevel", true,
       [](TableFixture* f) {
         f->table.index_type = Table::kTwoLevelIndexSearch;
         f->table.metadata_block_size = 100;
       }},
      {"Partitioned", true,
       [](TableFixture* f) {
         f->table.index_type = Table::kTwoLevelIndexSearch;
         f->table.metadata_block_size = 100;
         f->table.partition_filters = true;
       }},
      {"PartitionedInCache", true,
       [](TableFixture* f) {
         f->table.index_type = Table::kTwoLevelIndexSearch;
         f->table.metadata_block_size = 100;
         f->table.index_block_restart_interval = 3;
         f->table.partition_filters = true;
         f->table.cache_index_and_filter_blocks = true;
       }},
      {"CoupledWithPrefixes", true,
       [](TableFixture* f) {
         f->table.index_type = Table::kTwoLevelIndexSearch;
         f->table.metadata_block_size = 150;
         f->table.partition_filters = true;
         f->table.decouple_partitioned_filters = false;
         f->family.prefix_extractor.reset(NewFixedPrefixTransform(7));
       }},
      {"PartitionedRibbon", true,
       [](TableFixture* f) {
         f->table.index_type = Table::kTwoLevelIndexSearch;
         f->table.metadata_block_size = 300;
         f->table.partition_filters = true;
         f->table.filter_policy.reset(NewRibbonFilterPolicy(10, -1));
         f->table.detect_filter_construct_corruption = true;
       }},
  };
}

inline std::vector<TableFormat> OtherFormats() {
  using Table = BlockBasedTableOptions;
  return {
      {"Ribbon", true,
       [](TableFixture* f) {
         f->table.filter_policy.reset(NewRibbonFilterPolicy(10, -1));
       }},
      {"HashIndex", true,
       [](TableFixture* f) {
         f->table.index_type = Table::kHashSearch;
         f->family.prefix_extractor.reset(NewFixedPrefixTransform(7));
       }},
      {"FirstKeys", true,
       [](TableFixture* f) {
         f->table.index_type = Table::kBinarySearchWithFirstKey;
         f->table.index_block_restart_interval = 3;
       }},
      {"DataBlockHash", true,
       [](TableFixture* f) {
         f->table.data_block_index_type = Table::kDataBlockBinaryAndHash;
         f->table.block_restart_interval = 3;
       }},
      {"Aligned", true, [](TableFixture* f) { f->table.block_align = true; }},
      {"SuperBlocks", true,
       [](TableFixture* f) {
         f->table.super_block_alignment_size = 1024;
         f->table.super_block_alignment_space_overhead_ratio = 4;
       }},
      {"SeparatedValues", false,
       [](TableFixture* f) {
         f->table.format_version = 7;
         f->table.separate_key_value_in_data_block = true;
         f->table.block_restart_interval = 3;
         f->table.data_block_index_type = Table::kDataBlockBinaryAndHash;
       }},
  };
}

inline std::vector<TableFormat> TableFormats() {
  std::vector<TableFormat> all = PartitionedFormats();
  for (const TableFormat& format : OtherFormats()) all.push_back(format);
  return all;
}

}  // namespace ROCKSDB_NAMESPACE
