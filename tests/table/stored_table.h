// A block-based table file of one level or two, taken apart, to be compared
// with another one: blocks, metaindex, properties.
//
// Threads    Immutable.
// Errors     What cannot be decoded fails the test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "table/block.h"
#include "table/format.h"
#include "table/index_block.h"
#include "table/metaindex.h"
#include "table/properties_block.h"
#include "util/builtin_compression.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr char kBuiltinFilterBlock[] =
    "fullfilter.rocksdb.BuiltinBloomFilter";

class StoredTable {
 public:
  // `records` have trailers too, and no index tells of them.
  explicit StoredTable(std::string file, std::vector<BlockHandle> records = {})
      : bytes_(std::move(file)), blocks_(std::move(records)) {
    const Slice end(bytes_.data() + bytes_.size() - Footer::kBytes,
                    Footer::kBytes);
    EXPECT_TRUE(footer_.DecodeFrom(end, bytes_.size(), "vector").ok());
    EXPECT_EQ(metaindex_.Decode(At(footer_.metaindex)), nullptr);
    const BlockHandle& properties = PropertiesHandle();
    EXPECT_EQ(DecodeProperties(At(properties), properties.offset, &p_),
              nullptr);
    encoding_.has_user_keys = p_.index_key_is_user_key != 0;
    encoding_.has_delta_values = p_.index_value_is_delta_encoded != 0;
    BlockHandle index = footer_.index;
    for (const auto& [name, handle] : metaindex_.blocks()) {
      if (name == kPropertiesBlock) continue;
      if (name == kIndexBlock) {
        index = handle;
      } else {
        blocks_.push_back(handle);
      }
      if (Slice(name).starts_with(kPartitionedFilterPrefix)) Walk(handle, 1);
    }
    const uint32_t type =
        CollectedFixed32(p_, BlockBasedTablePropertyNames::kIndexType,
                         BlockBasedTableOptions::kBinarySearch);
    encoding_.has_first_keys =
        type == BlockBasedTableOptions::kBinarySearchWithFirstKey;
    blocks_.push_back(index);
    first_indexed_ = blocks_.size();
    Walk(index, type == BlockBasedTableOptions::kTwoLevelIndexSearch ? 2 : 1);
  }

  // What comes before the properties; trailers that depend on the file are
  // zeros.
  std::string Head() const {
    std::string head = bytes_;
    head.resize(PropertiesHandle().offset);
    if (footer_.base_context_checksum == 0) return head;
    for (const BlockHandle& block : blocks_) {
      const uint64_t end = block.offset + block.size;
      EXPECT_LE(end + kBlockTrailerBytes, head.size());
      head.replace(end, kBlockTrailerBytes, kBlockTrailerBytes, '\0');
    }
    return head;
  }

  // Names and handles.
  std::string MetaindexText() const {
    std::string text;
    for (const auto& [name, handle] : metaindex_.blocks()) {
      text += name + " " +
              (name == kPropertiesBlock ? std::to_string(handle.offset)
                                        : handle.ToString()) +
              "\n";
    }
    return text;
  }
  std::vector<std::string> MetaindexNames() const {
    std::vector<std::string> names;
    for (const auto& block : metaindex_.blocks()) names.push_back(block.first);
    return names;
  }

  std::map<std::string, std::string> Properties() const {
    std::map<std::string, std::string> all;
    BlockWalker walker(At(PropertiesHandle()));
    while (walker.Next()) {
      all[walker.key().ToString()] = walker.value().ToString();
    }
    EXPECT_EQ(walker.problem(), nullptr);
    return all;
  }

  // Separator, type of compression and expanded payload of each data block.
  // The index has one level.
  std::vector<std::string> DataBlocks() const {
    const BlockHandle* dictionary = metaindex_.Find(kDictionaryBlock);
    BuiltinDecompressor decompressor(
        LayoutOf(), dictionary != nullptr ? At(*dictionary) : Slice());
    std::vector<std::string> result;
    for (size_t i = first_indexed_; i < blocks_.size(); ++i) {
      const BlockHandle& block = blocks_[i];
      result.push_back(separators_[i - first_indexed_] + " " +
                       std::to_string(TypeOf(block)) + " " +
                       Slice(Expanded(block, &decompressor)).ToString(true));
    }
    return result;
  }

  BlockHandle BlockNamed(const std::string& name) const {
    const BlockHandle* handle = metaindex_.Find(name);
    EXPECT_NE(handle, nullptr) << name;
    return handle != nullptr ? *handle : BlockHandle();
  }
  // The data block at `index`. The table's index must have one level.
  const BlockHandle& DataBlock(size_t index) const {
    EXPECT_LT(first_indexed_ + index, blocks_.size());
    return blocks_[first_indexed_ + index];
  }

  bool has_context_checksums() const {
    return footer_.base_context_checksum != 0;
  }
  ChecksumType checksum() const { return footer_.checksum; }
  uint32_t format_version() const { return footer_.format_version; }

 private:
  const BlockHandle& PropertiesHandle() const {
    return *metaindex_.Find(kPropertiesBlock);
  }
  Slice At(const BlockHandle& handle) const {
    return Slice(bytes_.data() + handle.offset, handle.size);
  }
  CompressionType TypeOf(const BlockHandle& handle) const {
    return static_cast<CompressionType>(bytes_[handle.offset + handle.size]);
  }
  BuiltinDecompressor::Layout LayoutOf() const {
    using Layout = BuiltinDecompressor::Layout;
    return footer_.format_version < 2 ? Layout::kOld : Layout::kWithSizes;
  }
  std::string Expanded(const BlockHandle& handle,
                       Decompressor* decompressor) const {
    const CompressionType type = TypeOf(handle);
    if (type == kNoCompression) return At(handle).ToString();
    std::string raw;
    EXPECT_TRUE(ExpandInto(decompressor, type, At(handle), &raw).ok());
    return raw;
  }
  void Walk(const BlockHandle& handle, int levels) {
    BuiltinDecompressor decompressor(LayoutOf());
    IndexBlock index(encoding_);
    EXPECT_EQ(index.Append(Expanded(handle, &decompressor)), nullptr);
    for (size_t i = 0; i < index.size(); ++i) {
      blocks_.push_back(index.handle(i));
      separators_.push_back(index.key(i).ToString(true));
      if (levels > 1) Walk(index.handle(i), levels - 1);
    }
  }

  std::string bytes_;
  Footer footer_;
  Metaindex metaindex_;
  TableProperties p_;
  IndexEncoding encoding_;
  std::vector<BlockHandle> blocks_;
  // Where in blocks_ those begin that the index leads to.
  size_t first_indexed_ = 0;
  std::vector<std::string> separators_;
};

}  // namespace ROCKSDB_NAMESPACE
