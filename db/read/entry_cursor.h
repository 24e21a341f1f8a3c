// The sorted stream of a scan, entry by entry, and where its seeks go: to the
// versions of a key that can be seen, behind all of its versions, or before
// them.
//
// Keys that are "given" are as users give them: without a timestamp.
//
// Hot path   A step is one virtual call.
// Threads    One thread.
// Errors     Those of the stream: it is then not valid, and status() says why.
#pragma once

#include <cassert>
#include <memory>
#include <string>
#include <utility>

#include "db/read/entry_rules.h"
#include "db/read/scan_source.h"
#include "monitoring/perf_context_imp.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

class EntryCursor {
 public:
  void Open(ScanSource source) {
    merged_runs_ = source.merged_runs;
    stream_ = IteratorWrapper(std::move(source.entries));
  }
  void Close() { stream_ = IteratorWrapper(); }

  bool Valid() const { return stream_.Valid(); }
  Status status() const { return stream_.status(); }
  // Internal.
  Slice key() const { return stream_.key(); }
  Slice user_key() const { return ExtractUserKey(stream_.key()); }
  bool HasValue() const { return stream_.HasValue(); }
  bool GetValue(Slice* value) { return stream_.GetValue(value); }
  InternalIterator* stream() const { return stream_.iterator(); }

  // False: what the cursor is on is no internal key.
  bool Parse(const EntryRules& rules, ParsedInternalKey* parsed) const {
    assert(parsed != nullptr);
    assert(stream_.Valid());
    return ParseInternalKey(stream_.key(), parsed) &&
           parsed->user_key.size() >= rules.timestamp_size();
  }

  void Next() { stream_.Next(); }
  void Prev() { stream_.Prev(); }
  void SeekToFirst() { stream_.SeekToFirst(); }
  void SeekToLast() { stream_.SeekToLast(); }

  // To where the versions of `given` begin that are seen.
  void SeekToVisible(const EntryRules& rules, const Slice& given) {
    SetSeekKey(given, rules.timestamp(), rules.snapshot(), &target_);
    CountSeek();
    stream_.Seek(target_);
  }
  // The same where no key but those with the prefix of `given` is wanted.
  void SeekToVisibleInPrefix(const EntryRules& rules, const Slice& given) {
    SetSeekKey(given, rules.timestamp(), rules.snapshot(), &target_);
    CountSeek();
    stream_.SeekInPrefix(target_);
  }
  // Past the versions of `stored` that only its sequence hides: to those of
  // its own timestamp first.
  void SeekToSequence(const EntryRules& rules, const Slice& stored) {
    SetSeekKey(stored, Slice(), rules.snapshot(), &target_);
    CountSeek();
    stream_.Seek(target_);
  }
  // To the first entry behind all versions of `given`.
  void SeekBehind(const EntryRules& rules, const Slice& given) {
    SetKeyBehind(given, rules.timestamp_size(), &target_);
    stream_.Seek(target_);
    // The last possible version may itself be there.
    if (stream_.Valid() && stream_.key() == Slice(target_)) stream_.Next();
  }
  // To the last version of `given`, or to the last entry before it.
  void SeekBackToKey(const EntryRules& rules, const Slice& given) {
    SetKeyBehind(given, rules.timestamp_size(), &target_);
    CountSeek();
    stream_.SeekForPrev(target_);
  }
  // To the last entry before every version of `given`.
  void SeekBefore(const EntryRules& rules, const Slice& given) {
    SetKeyBefore(given, rules.timestamp_size(), &target_);
    stream_.SeekForPrev(target_);
    // A boundary of a table may carry the very key that was asked for.
    while (stream_.Valid() &&
           rules.order().CompareToGiven(user_key(), given) >= 0) {
      stream_.Prev();
    }
  }

  // The same for the writes of one version, a stored user key: behind them all,
  // at the last of them or before, and before them all.
  void SeekBehindVersion(const Slice& stored) {
    SetVersion(stored, 0, kValueTypeForSeekForPrev);
    stream_.Seek(target_);
  }
  void SeekBackToVersion(const Slice& stored) {
    SetVersion(stored, 0, kValueTypeForSeekForPrev);
    CountSeek();
    stream_.SeekForPrev(target_);
  }
  void SeekBeforeVersion(const Slice& stored) {
    SetVersion(stored, kMaxSequenceNumber, kValueTypeForSeek);
    stream_.SeekForPrev(target_);
  }

  // One more seek in each of the merged runs.
  void CountSeek() const {
    PERF_COUNTER_ADD(seek_child_seek_count, merged_runs_);
  }

 private:
  void SetVersion(const Slice& stored, SequenceNumber sequence,
                  ValueType type) {
    target_.clear();
    AppendInternalKey(&target_, stored, sequence, type);
  }

  IteratorWrapper stream_;
  // 0: there is one run, and no tombstones.
  size_t merged_runs_ = 0;
  std::string target_;
};

}  // namespace ROCKSDB_NAMESPACE
