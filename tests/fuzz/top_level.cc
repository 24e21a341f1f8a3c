#include "tests/fuzz/top_level.h"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>

#include "rocksdb/cache.h"
#include "rocksdb/table.h"
#include "table/filter/builtin_policies.h"
#include "table/format.h"
#include "table/metaindex.h"
#include "tests/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE::fuzz {

namespace {

// Bits of the input's first byte: the format is newer, partitions lie in the
// block cache, and the top level is the index's instead of the filter's.
constexpr uint8_t kIsNewer = 1, kIsCached = 2, kIsOfIndex = 4;
constexpr char kPartitionedBloom[] =
    "partitionedfilter.rocksdb.BuiltinBloomFilter";

struct PartitionedTable {
  std::string bytes;
  Footer footer;
  Metaindex metaindex;
};

void PrepareTable(uint8_t kinds, TableFixture* fixture) {
  BlockBasedTableOptions& table = fixture->table;
  table.format_version = (kinds & kIsNewer) != 0 ? 5 : 2;
  table.checksum = kNoChecksum;
  table.block_size = 128;
  table.metadata_block_size = 128;
  table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.filter_policy = std::make_shared<BloomFilterPolicy>(10);
  table.cache_index_and_filter_blocks = (kinds & kIsCached) != 0;
  table.block_cache = NewLRUCache(1 << 20, 0);
}

PartitionedTable MakePartitioned(uint8_t kinds) {
  PartitionedTable result;
  TableFixture fixture;
  PrepareTable(kinds, &fixture);
  result.bytes = fixture.Build(NumberedEntries(200));
  const std::string& bytes = result.bytes;
  const Slice end(bytes.data() + bytes.size() - Footer::kBytes, Footer::kBytes);
  const auto payload = [&bytes](const BlockHandle& handle) {
    return Slice(bytes.data() + handle.offset, handle.size);
  };
  if (!result.footer.DecodeFrom(end, bytes.size(), "seed").ok() ||
      result.metaindex.Decode(payload(result.footer.metaindex)) != nullptr) {
    std::abort();
  }
  return result;
}

const PartitionedTable& PartitionedOf(uint8_t kinds) {
  static const PartitionedTable older = MakePartitioned(0);
  static const PartitionedTable newer = MakePartitioned(kIsNewer);
  return (kinds & kIsNewer) != 0 ? newer : older;
}

std::string WithTopLevel(uint8_t kinds, const Slice& payload) {
  const PartitionedTable& table = PartitionedOf(kinds);
  std::string bytes = table.bytes;
  const auto append = [&bytes](const Slice& block) {
    const BlockHandle handle{bytes.size(), block.size()};
    bytes.append(block.data(), block.size());
    bytes.append(kBlockTrailerBytes, '\0');
    return handle;
  };
  const BlockHandle top = append(payload);
  std::map<std::string, BlockHandle> blocks = table.metaindex.blocks();
  Footer footer = table.footer;
  ((kinds & kIsOfIndex) != 0 ? footer.index : blocks[kPartitionedBloom]) = top;
  footer.metaindex = append(Metaindex::Encode(blocks));
  footer.EncodeTo(bytes.size(), &bytes);
  return bytes;
}

}  // namespace

size_t RunTopLevel(const Slice& bytes) {
  if (bytes.empty()) return 0;
  const auto kinds = static_cast<uint8_t>(bytes[0]);
  TableFixture fixture;
  PrepareTable(kinds, &fixture);
  std::unique_ptr<TableReader> reader;
  const Slice payload(bytes.data() + 1, bytes.size() - 1);
  if (!fixture.Open(WithTopLevel(kinds, payload), &reader).ok()) return 0;
  size_t found = 0;
  for (const char* key : {"key00000", "key00100", "key00199", "absent"}) {
    if (fixture.Get(*reader, key)[0] == '=') ++found;
  }
  const ReadOptions read;
  const auto iterator = reader->NewIterator({.read_options = &read});
  // The index may lead to one block many times.
  constexpr size_t kMostSteps = 10000;
  iterator->SeekToFirst();
  for (size_t i = 0; iterator->Valid() && i < kMostSteps; ++i) iterator->Next();
  iterator->SeekToLast();
  for (size_t i = 0; iterator->Valid() && i < kMostSteps; ++i) iterator->Prev();
  return found;
}

std::vector<std::string> TopLevelSeeds() {
  std::vector<std::string> seeds;
  for (uint8_t kinds = 0; kinds < 8; ++kinds) {
    const PartitionedTable& table = PartitionedOf(kinds);
    const BlockHandle top = (kinds & kIsOfIndex) != 0
                                ? table.footer.index
                                : *table.metaindex.Find(kPartitionedBloom);
    seeds.push_back(static_cast<char>(kinds) +
                    table.bytes.substr(top.offset, top.size));
  }
  return seeds;
}

}  // namespace ROCKSDB_NAMESPACE::fuzz
