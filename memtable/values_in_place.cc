#include "memtable/values_in_place.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <exception>
#include <utility>

#include "util/coding.h"
#include "util/hash.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The length of the value follows the key.
Slice ValueBehind(const Slice& internal_key) {
  uint32_t size = 0;
  const char* const length = internal_key.end();
  const char* const value =
      GetVarint32Ptr(length, length + kMaxVarint32Length, &size);
  INVARIANT(value != nullptr);
  return Slice(value, size);
}

class InPlaceIterator final : public InternalIterator {
 public:
  InPlaceIterator(std::unique_ptr<InternalIterator> entries,
                  const ValuesInPlace* values)
      : entries_(std::move(entries)), values_(values) {
    INVARIANT(entries_ != nullptr);
    INVARIANT(values_ != nullptr);
  }

  bool Valid() const override { return entries_->Valid(); }
  void SeekToFirst() override {
    is_read_ = false;
    entries_->SeekToFirst();
  }
  void SeekToLast() override {
    is_read_ = false;
    entries_->SeekToLast();
  }
  void Seek(const Slice& target) override {
    is_read_ = false;
    entries_->Seek(target);
  }
  void SeekForPrev(const Slice& target) override {
    is_read_ = false;
    entries_->SeekForPrev(target);
  }
  void Next() override {
    assert(Valid());
    is_read_ = false;
    entries_->Next();
  }
  void Prev() override {
    assert(Valid());
    is_read_ = false;
    entries_->Prev();
  }
  Slice key() const override { return entries_->key(); }
  // The same bytes until the iterator moves.
  Slice value() const override {
    assert(Valid());
    if (!is_read_) values_->Read(entries_->key(), &value_);
    is_read_ = true;
    return value_;
  }
  Status status() const override { return entries_->status(); }
  bool IsKeyPinned() const override { return entries_->IsKeyPinned(); }

 private:
  const std::unique_ptr<InternalIterator> entries_;
  const ValuesInPlace* const values_;
  mutable std::string value_;
  mutable bool is_read_ = false;
};

}  // namespace

Status AskInPlaceCallback(InPlaceCallback callback, char* old,
                          uint32_t old_size, const Slice& delta,
                          CallbackAnswer* answer) {
  INVARIANT(callback != nullptr && answer != nullptr);
  *answer = CallbackAnswer();
  answer->size = old_size;
  try {
    answer->what = callback(old, &answer->size, delta, &answer->merged);
  } catch (const std::exception& e) {
    return Status::Aborted("inplace_callback threw", e.what());
  } catch (...) {
    return Status::Aborted("inplace_callback threw");
  }
  if (answer->what == UPDATED_INPLACE && answer->size > old_size) {
    return Status::Corruption("inplace_callback",
                              "the value of " + std::to_string(old_size) +
                                  " bytes has " + std::to_string(answer->size) +
                                  " where it stands");
  }
  return Status::OK();
}

ValuesInPlace::ValuesInPlace(size_t lock_count)
    : locks_(std::max<size_t>(lock_count, 1)) {}

SpinMutex* ValuesInPlace::LockOf(const Slice& internal_key) const {
  return &locks_[Hash64(ExtractUserKey(internal_key)) % locks_.size()];
}

bool ValuesInPlace::Overwrite(const Slice& internal_key, const Slice& value) {
  // Nobody else changes it: no lock is needed to look.
  const Slice old = ValueBehind(internal_key);
  if (value.size() > old.size()) return false;
  const SpinMutexLock lock(LockOf(internal_key));
  char* const length = const_cast<char*>(internal_key.end());
  char* const out = EncodeVarint32(length, static_cast<uint32_t>(value.size()));
  std::memcpy(out, value.data(), value.size());
  assert(out + value.size() <= old.end());
  return true;
}

Status ValuesInPlace::Update(const Slice& internal_key,
                             InPlaceCallback callback, const Slice& delta,
                             CallbackAnswer* answer) {
  const SpinMutexLock lock(LockOf(internal_key));
  const Slice old = ValueBehind(internal_key);
  char* const value = const_cast<char*>(old.data());
  Status s = AskInPlaceCallback(
      callback, value, static_cast<uint32_t>(old.size()), delta, answer);
  if (!s.ok() || answer->what != UPDATED_INPLACE) return s;
  // A shorter length may take fewer bytes.
  char* const length = const_cast<char*>(internal_key.end());
  char* const out = EncodeVarint32(length, answer->size);
  std::memmove(out, value, answer->size);
  assert(out + answer->size <= old.end());
  return s;
}

void ValuesInPlace::Read(const Slice& internal_key, std::string* value) const {
  assert(value != nullptr);
  const SpinMutexLock lock(LockOf(internal_key));
  const Slice now = ValueBehind(internal_key);
  value->assign(now.data(), now.size());
}

std::unique_ptr<InternalIterator> NewInPlaceIterator(
    std::unique_ptr<InternalIterator> entries, const ValuesInPlace* values) {
  return std::make_unique<InPlaceIterator>(std::move(entries), values);
}

}  // namespace ROCKSDB_NAMESPACE
