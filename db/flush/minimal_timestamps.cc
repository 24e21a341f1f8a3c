#include "db/flush/minimal_timestamps.h"

#include <algorithm>
#include <utility>

#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

void MinimalTimestamps::SeekToFirst() {
  entries_->SeekToFirst();
  TakeKey();
}

void MinimalTimestamps::Seek(const Slice& target) {
  const size_t size = order_->timestamp_size();
  const Slice user_key = ExtractUserKey(target);
  // Every version of the key, as any may come first once they are in order.
  entries_->Seek(BeforeAllVersions(user_key, size).Encode());
  TakeKey();
  while (Valid() && order_->Compare(key(), target) < 0) Next();
}

void MinimalTimestamps::Next() {
  INVARIANT(Valid());
  if (++at_ == versions_.size()) TakeKey();
}

void MinimalTimestamps::TakeKey() {
  versions_.clear();
  at_ = 0;
  is_disordered_ = false;
  if (entries_->Valid()) {
    first_ = ExtractUserKey(entries_->key()).ToString();
    do {
      TakeVersion();
      entries_->Next();
    } while (entries_->Valid() &&
             order_->EqualUserKeys(ExtractUserKey(entries_->key()), first_));
  }
  status_ = entries_->status();
  if (!status_.ok()) versions_.clear();
  if (!is_disordered_) return;
  std::sort(versions_.begin(), versions_.end(),
            [](const Version& a, const Version& b) {
              return ExtractTrailer(a.key) > ExtractTrailer(b.key);
            });
}

void MinimalTimestamps::TakeVersion() {
  const Slice from = entries_->key();
  if (!versions_.empty() &&
      ExtractSequence(versions_.back().key) < ExtractSequence(from)) {
    if (ExtractType(versions_.back().key) != kTypeMerge) {
      ++hidden_count_;
      return;
    }
    is_disordered_ = true;
  }
  const size_t size = order_->timestamp_size();
  Version& version = versions_.emplace_back();
  const Slice given = WithoutTimestamp(ExtractUserKey(from), size);
  version.key = WithMinTimestamp(given, size);
  PutFixed64(&version.key, ExtractTrailer(from));
  version.value = entries_->value();
}

void MinimalTimestamps::Refuse() {
  versions_.clear();
  at_ = 0;
  status_ = Status::NotSupported("a flush goes forward only");
}
void MinimalTimestamps::SeekToLast() { Refuse(); }
void MinimalTimestamps::SeekForPrev(const Slice& /*target*/) { Refuse(); }
void MinimalTimestamps::Prev() { Refuse(); }

}  // namespace ROCKSDB_NAMESPACE
