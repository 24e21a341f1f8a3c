// The keys that a transaction has used: since when each is known not to have
// changed, and how often it was read and written.
//
// Threads    One at a time.
// Ownership  Owns copies of the keys.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "util/hash.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct TrackedKey {
  // The lowest sequence at which it was looked at.
  SequenceNumber since = kMaxSequenceNumber;
  uint32_t reads = 0;
  uint32_t writes = 0;
  bool is_exclusive = false;
};

// One use of a key.
struct KeyUse {
  uint32_t family_id = 0;
  Slice key;
  SequenceNumber since = kMaxSequenceNumber;
  bool is_read = false;
  bool is_exclusive = true;
};

struct HashOfKey {
  using is_transparent = void;
  size_t operator()(std::string_view key) const {
    return Hash64(key.data(), key.size());
  }
};

class TrackedKeys {
 public:
  using Keys =
      std::unordered_map<std::string, TrackedKey, HashOfKey, std::equal_to<>>;

  void Add(const KeyUse& use) {
    const auto key = use.key.ToStringView();
    Keys& keys = families_[use.family_id];
    auto found = keys.find(key);
    if (found == keys.end()) found = keys.try_emplace(std::string(key)).first;
    TrackedKey& tracked = found->second;
    tracked.since = std::min(tracked.since, use.since);
    ++(use.is_read ? tracked.reads : tracked.writes);
    tracked.is_exclusive = tracked.is_exclusive || use.is_exclusive;
  }

  // Null: it is not tracked.
  TrackedKey* Find(uint32_t family_id, const Slice& key) {
    const auto family = families_.find(family_id);
    if (family == families_.end()) return nullptr;
    const auto found = family->second.find(key.ToStringView());
    return found != family->second.end() ? &found->second : nullptr;
  }

  void Erase(uint32_t family_id, const Slice& key) {
    const auto family = families_.find(family_id);
    if (family == families_.end()) return;
    const auto found = family->second.find(key.ToStringView());
    if (found != family->second.end()) family->second.erase(found);
  }

  // Adds the uses of `other`.
  void Merge(const TrackedKeys& other);

  template <class Visit>  // (family_id, key, tracked)
  void ForEach(const Visit& visit) const {
    for (const auto& [id, keys] : families_) {
      for (const auto& [key, tracked] : keys) visit(id, key, tracked);
    }
  }

  const std::map<uint32_t, Keys>& families() const { return families_; }
  size_t size() const {
    size_t count = 0;
    for (const auto& [id, keys] : families_) count += keys.size();
    return count;
  }
  bool empty() const { return size() == 0; }
  void clear() {
    // The tables of keys stay, for those that come.
    for (auto& [id, keys] : families_) keys.clear();
  }

 private:
  std::map<uint32_t, Keys> families_;
};

}  // namespace ROCKSDB_NAMESPACE
