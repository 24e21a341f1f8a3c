// The sorted stream that a flush or compaction reads, entry by entry: checked,
// counted, within its range, and with the values behind references to blobs.
//
// Hot path   A step is one virtual call of the stream.
// Lifetime   A key or value is good until the next step.
// Errors     Where it fails, or its user does (Fail()), it has ended, and
//            status() tells: an error of the stream or of blobs, Corruption for
//            a key that is none, or what the stop token says.
// Threads    One thread.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "db/semantics/compaction_iterator_stats.h"
#include "db/tables/stop_token.h"
#include "env/job_threads.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

class BlobFetcher;
class BlobFlow;

class CompactionInput {
 public:
  struct Context {
    InternalIterator* stream = nullptr;
    // Only stored user keys in [begin, end); with timestamps, those bounds
    // have the newest.
    std::optional<Slice> begin;
    std::optional<Slice> end;
    // The values of references to blobs; null: the input has none.
    const BlobFetcher* blobs = nullptr;
    // Is told of every reference that is read; may be null.
    BlobFlow* blob_flow = nullptr;
    KeyText key_text = KeyText::kRedacted;
    StopToken stop;
  };

  // Counts in *stats what it reads, and skips.
  CompactionInput(const Context& context, const InternalKeyComparator& order,
                  CompactionIteratorStats* stats);

  void SeekToFirst();
  void Next() {
    assert(is_valid_);
    is_valid_ = context_.stream->NextAndGetKey(&key_);
    Load();
  }
  // To the first version of `user_key`, which is ahead.
  void SkipTo(const Slice& user_key);

  bool Valid() const { return is_valid_; }
  const Status& status() const { return status_; }
  // The first failure counts.
  void Fail(Status status);
  // Did somebody ask to stop? It has then failed.
  bool MustStop() { return context_.stop.MustStop() && FailsToStop(); }

  const Slice& key() const { return key_; }
  Slice user_key() const { return ExtractUserKey(key_); }
  SequenceNumber sequence() const { return ExtractSequence(key_); }
  ValueType type() const { return ExtractType(key_); }
  // Empty where keys have none.
  Slice timestamp() const { return TimestampOf(user_key(), timestamp_size_); }
  // The value as it is stored.
  Slice value() const { return context_.stream->value(); }
  // The block that the entry may be from; see InternalIterator.
  bool GetWholeBlock(WholeBlock* block) const {
    return context_.stream->GetWholeBlock(block);
  }
  // The key as messages may show it (KeyText).
  std::string TextOfKey() const {
    return InternalKeyText(key_, context_.key_text);
  }

  // The value behind the reference that it is on, and the entity that it is on
  // with all such values in it; good until the next call. False: it failed.
  bool FetchBlob(Slice* blob);
  bool FetchEntity(Slice* entity);

 private:
  // How many records pass between two looks at the stop token.
  static constexpr uint64_t kRecordsPerLook = 1024;
  // And how many between two moments at which others may go first.
  static constexpr uint64_t kRecordsPerStep = 32;

  // Looks at what it has moved to.
  [[gnu::always_inline]] void Load() {
    if (!is_valid_) [[unlikely]] {
      LoadEnd();
      return;
    }
    if (key_.size() < kInternalKeyTrailerBytes + timestamp_size_ ||
        !IsStoredType(type())) [[unlikely]] {
      LoadDamage();
      return;
    }
    if (context_.end &&
        order_.CompareUserKeys(user_key(), *context_.end) >= 0) {
      is_valid_ = false;
      return;
    }
    if (++stats_->records_in % kRecordsPerStep == 0) JobThreads::GiveWay();
    if (stats_->records_in % kRecordsPerLook == 0 && MustStop()) return;
    if (MayReferToBlobs(type())) [[unlikely]] {
      NoteReferences();
    }
  }
  void LoadEnd();
  void LoadDamage();
  bool FailsToStop();
  void NoteReferences();

  const Context context_;
  const InternalKeyComparator& order_;
  const size_t timestamp_size_;
  CompactionIteratorStats* const stats_;
  bool is_valid_ = false;
  Slice key_;
  Status status_;
  PinnableSlice blob_;
  std::string entity_;
};

}  // namespace ROCKSDB_NAMESPACE
