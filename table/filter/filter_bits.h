#pragma once

// The builders and readers behind FilterPolicy: from keys to the payload of a
// filter block, and from a payload to answers.
//
//   payload   byte data[]  5 bytes of metadata m0..m4
//     at most 5 bytes        an empty set: nothing matches
//     m0 = 0x01..0x7f        legacy Bloom, m0 probes (legacy_bloom.h)
//     m0 = 0xff              Bloom (fast_local_bloom.h)
//     m0 = 0xfe              Ribbon (ribbon.h)
//     anything else          matches always
//
// Threads  A builder is used by one thread, a reader by any number.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr size_t kFilterMetadataBytes = 5;

class FilterBitsBuilder {
 public:
  virtual ~FilterBitsBuilder() = default;

  // Adding a key again right after itself costs nothing.
  virtual void AddKey(const Slice& key) = 0;
  // A key and another form of it, as its prefix; runs of equal prefixes count
  // once.
  virtual void AddKeyAndAlternate(const Slice& key, const Slice& alternate) = 0;
  // What has been kept so far.
  virtual size_t EntryCount() const = 0;
  // About how many entries make a payload of `bytes`; at least 1.
  virtual size_t CapacityOf(size_t bytes) const = 0;
  // The payload; nothing may be added after that. `*buffer` owns the bytes.
  virtual Slice Finish(std::unique_ptr<char[]>* buffer) = 0;
  // After Finish(): does `payload` match all that was added? False only if
  // memory was damaged.
  virtual bool MatchesAll(const Slice& payload) const = 0;
};

class FilterBitsReader {
 public:
  virtual ~FilterBitsReader() = default;

  // False: `key` was not added. True: it may have been.
  virtual bool MayMatch(const Slice& key) const = 0;
  // Asks the processor for what MayMatch(key) is going to look at: worth it
  // where several keys are asked about.
  virtual void Prefetch(const Slice& /*key*/) const {}

  // False: of a kind that is not known here, or damaged; matches always.
  virtual bool IsUsable() const { return true; }
};

// Reads a payload of any built-in kind. Bytes that make no sense match always:
// a filter may only ever save work. Never nullptr.
std::unique_ptr<FilterBitsReader> NewBuiltinFilterBitsReader(
    const Slice& payload);

// How large data may be that was made for `bytes`, in steps of `unit`, so that
// with the metadata they fill what the allocator has handed out for `memory`.
struct FilterFit {
  size_t bytes = 0;
  size_t unit = 1;
  size_t max_bytes = 0;
};
size_t FitFilterAllocation(void* memory, const FilterFit& fit);

// The hashes of what is added, equal neighbours once: `Hash` of a key.
template <typename T, T (*Hash)(const Slice&)>
class FilterHashes {
 public:
  void Add(const Slice& key) {
    const T hash = Hash(key);
    if (hashes_.empty() || hash != hashes_.back()) hashes_.push_back(hash);
  }
  void AddPair(const Slice& key, const Slice& alternate) {
    const T key_hash = Hash(key);
    const T alternate_hash = Hash(alternate);
    const bool had_last = !hashes_.empty();
    const T last = had_last ? hashes_.back() : T{};
    const bool had_alternate = has_alternate_;
    const T before = alternate_;
    if (!(had_alternate && alternate_hash == before) &&
        alternate_hash != key_hash && !(had_last && alternate_hash == last)) {
      hashes_.push_back(alternate_hash);
    }
    alternate_ = alternate_hash;
    has_alternate_ = true;
    if (!(had_last && key_hash == last) &&
        !(had_alternate && key_hash == before)) {
      hashes_.push_back(key_hash);
    }
  }
  const std::vector<T>& all() const { return hashes_; }

 private:
  std::vector<T> hashes_;
  T alternate_{};
  bool has_alternate_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
