// A Bloom filter over the keys of a memtable, their prefixes, or both: most
// lookups of what is not there end at it.
//
// Threads  Add() and the questions from any thread at the same time. Whoever
//          knows a sequence to be published finds the entry's bits.
// Errors   None: a filter that cannot tell answers true.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "rocksdb/slice.h"
#include "util/huge_pages.h"

namespace ROCKSDB_NAMESPACE {

class SliceTransform;
struct ReadOptions;

class MemTableFilter {
 public:
  struct Shape {
    size_t bytes = 0;  // 0 = no filter
    bool has_whole_keys = false;
    // All probes of a key fall into one cache line.
    bool keeps_to_line = false;
    // The memory lies in pages of this size where there are any; 0 = ordinary
    // ones.
    size_t huge_page_size = 0;
    size_t timestamp_size = 0;
    std::shared_ptr<const SliceTransform> prefix_extractor = nullptr;
  };
  // Null: the shape leaves nothing to be asked for.
  static std::unique_ptr<MemTableFilter> Make(const Shape& shape);

  explicit MemTableFilter(const Shape& shape);
  MemTableFilter(const MemTableFilter&) = delete;
  MemTableFilter& operator=(const MemTableFilter&) = delete;

  // Keys are stored ones: they end with their timestamp, if there are any.
  void Add(const Slice& user_key);

  // False: no version of the key was added.
  bool MayHoldKey(const Slice& user_key) const;
  // False: a seek to the key that asks for its prefix alone finds nothing.
  bool MayHoldPrefix(const ReadOptions& read, const Slice& user_key) const;
  // Are the prefixes here those that `extractor` makes?
  bool HasPrefixesOf(const SliceTransform* extractor) const;

  size_t memory_bytes() const { return memory_.bytes(); }

 private:
  static constexpr size_t kLineBytes = 64;
  static constexpr int kProbes = 6;
  struct alignas(kLineBytes) Line {
    std::atomic<uint64_t> words[kLineBytes / sizeof(uint64_t)];
  };

  Slice Given(const Slice& user_key) const;
  bool HasPrefix(const Slice& given) const;
  bool EndsInPrefixOf(const ReadOptions& read, const Slice& given) const;
  template <class Visit>
  bool ForEachProbe(const Slice& entry, const Visit& visit) const;
  void AddEntry(const Slice& entry);
  bool MayHold(const Slice& entry) const;

  const Shape shape_;
  const size_t line_count_;
  const HugePages memory_;
  Line* const lines_;  // in memory_
};

}  // namespace ROCKSDB_NAMESPACE
