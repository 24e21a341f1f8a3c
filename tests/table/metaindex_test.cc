// Metaindex blocks with what a later release may put there.
#include "table/metaindex.h"

#include <gtest/gtest.h>

#include <string>

#include "table/block_builder.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// A handle, and what cannot be one.
std::string GoodValue() {
  std::string value;
  const BlockHandle handle{1000, 100};
  handle.EncodeTo(&value);
  return value;
}
constexpr char kBadValue[] = "\xff";

TEST(MetaindexTest, WhatNobodyKnowsMayBeAnything) {
  BlockBuilder block(1);
  block.Add("a later one", kBadValue);
  block.Add(kPropertiesBlock, GoodValue());
  block.Add("rocksdb.unheard_of", GoodValue());
  Metaindex metaindex;
  EXPECT_EQ(metaindex.Decode(block.Finish()), nullptr);
  EXPECT_EQ(metaindex.Find("a later one"), nullptr);
  ASSERT_NE(metaindex.Find(kPropertiesBlock), nullptr);
  EXPECT_EQ(metaindex.Find(kPropertiesBlock)->offset, 1000u);
  EXPECT_NE(metaindex.Find("rocksdb.unheard_of"), nullptr);
}

TEST(MetaindexTest, KnownBlocksHaveHandles) {
  for (const char* name :
       {kPropertiesBlock, kOldPropertiesBlock, kIndexBlock, kDictionaryBlock,
        kTombstoneBlock, kHashPrefixesBlock, kHashMetadataBlock,
        "fullfilter.rocksdb.BuiltinBloomFilter",
        "partitionedfilter.rocksdb.BuiltinBloomFilter",
        "rocksdb.user_defined_index.of_somebody"}) {
    BlockBuilder block(1);
    block.Add(name, kBadValue);
    Metaindex metaindex;
    EXPECT_NE(metaindex.Decode(block.Finish()), nullptr) << name;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
