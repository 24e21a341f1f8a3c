#pragma once

// Asks a table file's filter, the prefixes of its hash index and its timestamps
// about a key or a prefix, and counts the answers.
//
// Threads    Any number.
// Errors     A read that fails is an error of the lookup. A damaged filter is
//            none: every key may match.

#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class SliceTransform;
struct TableParts;

// Is nothing of the file visible as of read.timestamp, as it all is newer?
bool IsAllNewer(const TableParts& parts, const ReadOptions& read);

struct FilterCheck {
  // The column family's present extractor; null = no prefixes.
  const SliceTransform* prefix_extractor = nullptr;
  bool is_skipped = false;

  // *may_match = false: no entry of internal_key's user key that is visible as
  // of read.timestamp is in the file.
  Status MayMatchKey(const TableParts& parts, const ReadOptions& read,
                     const Slice& internal_key, bool* may_match) const;
  // Ahead of MayMatchKey() for several keys, whose waits for memory overlap
  // then. Only of whole keys in a filter that the table holds.
  void PrefetchKey(const TableParts& parts, const Slice& internal_key) const;
  // *may_match = false: no key with the prefix of `target` is in the file.
  // Always true in auto_prefix_mode unless the upper bound has the same prefix.
  Status MayMatchPrefix(const TableParts& parts, const ReadOptions& read,
                        const Slice& target, bool* may_match) const;
  // A lookup that the filter let pass has found `user_key`, with its timestamp.
  void CountFound(const TableParts& parts, const Slice& user_key) const;

 private:
  // Does the filter hold prefixes by this extractor, and is the key in its
  // domain?
  bool HasPrefixOf(const TableParts& parts, const Slice& user_key) const;
  // Does all that the reader may see from `user_key` on share its prefix?
  bool EndsInPrefixOf(const ReadOptions& read, const Slice& user_key) const;
};

}  // namespace ROCKSDB_NAMESPACE
