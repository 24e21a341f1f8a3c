// Where the rows of a plain table are: every so many rows one with a full key,
// in order, and by prefix.
//
// Memory     Eight bytes for each anchor, twelve for each prefix and bucket,
//            and a Bloom filter over keys and prefixes.
// Threads    Immutable once built.
// Errors     Build() answers what is wrong with the rows, and where; Load()
//            what is wrong with the blocks. Offsets in these that are of no row
//            show when the row is read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/table.h"
#include "table/plain/plain_row.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class FilterBitsReader;
class SliceTransform;

class PlainIndex {
 public:
  struct Request {
    Slice rows;
    PlainRowShape shape;
    const InternalKeyComparator* order = nullptr;
    // Outlives the index; null: there are no prefixes.
    const SliceTransform* prefix_extractor = nullptr;
    const PlainTableOptions* table = nullptr;
    bool has_filter = false;
  };
  struct Problem {
    const char* what = nullptr;  // null: none
    uint64_t offset = 0;
  };

  PlainIndex();
  ~PlainIndex();
  PlainIndex(const PlainIndex&) = delete;
  PlainIndex& operator=(const PlainIndex&) = delete;

  // From the rows.
  Problem Build(const Request& request);

  // What the file has (plain_file_index.h), instead: no row is looked at.
  struct Stored {
    Slice index;
    std::string filter;  // empty: none
    uint32_t filter_lines = 0;
    // The filter is of user keys, else of prefixes.
    bool has_whole_keys = false;
  };
  // nullptr, or what is wrong with it.
  const char* Load(const Request& request, Stored stored);

  // Offsets of rows with full keys; the first row's is the first. Empty: there
  // is no row.
  const std::vector<uint64_t>& anchors() const { return anchors_; }
  // The number of the last anchor whose key is less than the target; 0 if there
  // is none.
  size_t AnchorBefore(const Slice& internal_key) const;

  // False: no version of the user key is in the table.
  bool MayHold(const Slice& user_key) const;
  // False: no key with the prefix of this one is.
  bool MayHoldPrefix(const Slice& user_key) const;
  // For a point lookup: like AnchorBefore(), but among the anchors of the key's
  // prefix if there are buckets. False: the prefix is not in the table.
  bool FindAnchor(const Slice& internal_key, size_t* anchor) const;

  size_t memory_bytes() const;

 private:
  struct PrefixRun {
    uint32_t first_anchor;
    uint32_t anchor_count;
    uint32_t next;  // the next run of the bucket, or kNoRun
  };
  static constexpr uint32_t kNoRun = UINT32_MAX;

  Slice Given(const Slice& user_key) const;
  // False: the key has none, or there are no prefixes.
  bool PrefixOf(const Slice& user_key, Slice* prefix) const;
  bool MayHoldByFile(const Slice& user_key) const;
  // False: there is no row, though the file's index says so.
  bool IsBefore(size_t anchor, const Slice& internal_key) const;
  size_t LastBefore(const Slice& internal_key, size_t begin, size_t end) const;
  void MakeBuckets(const std::vector<std::string>& prefixes);
  size_t BucketOf(const Slice& prefix) const;

  Request request_;
  std::vector<uint64_t> anchors_;
  std::vector<PrefixRun> runs_;  // by order of keys
  std::vector<uint32_t> buckets_;
  std::unique_ptr<char[]> filter_bytes_;
  size_t filter_size_ = 0;
  std::unique_ptr<FilterBitsReader> filter_;
  // The filter that the file has; empty: none is used.
  std::string stored_filter_;
  uint32_t stored_filter_lines_ = 0;
  bool stored_filter_has_keys_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
