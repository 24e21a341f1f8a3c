#include "table/metaindex.h"

#include <cassert>
#include <utility>

#include "rocksdb/user_defined_index.h"
#include "table/block.h"
#include "table/block_builder.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Is it a block that a reader may look for?
bool IsKnown(const Slice& name) {
  for (const char* block :
       {kPropertiesBlock, kOldPropertiesBlock, kIndexBlock, kDictionaryBlock,
        kTombstoneBlock, kHashPrefixesBlock, kHashMetadataBlock}) {
    if (name == Slice(block)) return true;
  }
  return name.starts_with(kFullFilterPrefix) ||
         name.starts_with(kPartitionedFilterPrefix) ||
         name.starts_with(kUserDefinedIndexPrefix);
}

}  // namespace

const char* Metaindex::Decode(const Slice& payload) {
  std::map<std::string, BlockHandle> blocks;
  BlockWalker walker(payload);
  while (walker.Next()) {
    Slice value = walker.value();
    BlockHandle handle;
    if (!handle.DecodeFrom(&value)) {
      if (IsKnown(walker.key())) return "bad block handle in metaindex";
      continue;
    }
    assert(value.size() < walker.value().size());
    blocks[walker.key().ToString()] = handle;
  }
  if (walker.problem() != nullptr) return walker.problem();
  blocks_ = std::move(blocks);
  return nullptr;
}

const BlockHandle* Metaindex::Find(const std::string& name) const {
  const auto found = blocks_.find(name);
  return found != blocks_.end() ? &found->second : nullptr;
}

std::string Metaindex::Encode(
    const std::map<std::string, BlockHandle>& blocks) {
  BlockBuilder block(1);
  std::string value;
  for (const auto& [name, handle] : blocks) {
    assert(!name.empty());
    value.clear();
    handle.EncodeTo(&value);
    block.Add(name, value);
  }
  return block.Finish().ToString();
}

}  // namespace ROCKSDB_NAMESPACE
