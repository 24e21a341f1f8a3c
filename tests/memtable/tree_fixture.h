// An EntryTree with its arena, and entries to put into it.
#pragma once

#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include "memtable/entry_tree.h"
#include "rocksdb/comparator.h"
#include "util/arena.h"
#include "util/coding.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// An internal key of a value.
inline std::string TreeKey(const Slice& user_key, SequenceNumber sequence) {
  std::string key;
  AppendInternalKey(&key, user_key, sequence, kTypeValue);
  return key;
}

struct TreeOrder {
  const InternalKeyComparator* order;
  bool operator()(const std::string& a, const std::string& b) const {
    return order->Compare(a, b) < 0;
  }
};
// The internal keys that a tree should have.
using TreeModel = std::set<std::string, TreeOrder>;

class TreeFixture {
 public:
  explicit TreeFixture(const Comparator* user) : order_(user) {}

  const char* Entry(const std::string& key, const std::string& value) {
    const size_t size = VarintLength(key.size()) + key.size() +
                        VarintLength(value.size()) + value.size();
    char* entry = arena_.Allocate(size);
    char* out = EncodeVarint32(entry, static_cast<uint32_t>(key.size()));
    std::memcpy(out, key.data(), key.size());
    out = EncodeVarint32(out + key.size(), static_cast<uint32_t>(value.size()));
    std::memcpy(out, value.data(), value.size());
    return entry;
  }
  // With the value "v" + key.
  bool Insert(const std::string& key) {
    return tree_.Insert(Entry(key, "v" + key));
  }

  InternalKeyComparator order_;
  ConcurrentArena arena_{1 << 16};
  EntryTree tree_{&order_, &arena_};
};

}  // namespace ROCKSDB_NAMESPACE
