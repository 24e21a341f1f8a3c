#pragma once

// A cursor over the entries of one data block.
//
// The hot loop of every read. Nothing here is virtual; a key that shares no
// bytes with the one before is not copied; and a seek in bytewise order skips
// entries without building their keys (see FastScan()).
//
// Files made for ingestion store sequence 0 where another is meant, and files
// may leave out timestamps: KeyRewrite says what every stored key becomes.
//
// Threads    One thread.
// Ownership  The block must outlive the cursor's use of it.
// Errors     problem() is set when the bytes make no sense, or an entry does
//            not match its checksum; the cursor is then not valid until the
//            next Reset().

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "table/block.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// What is done to each key of a file as it is read.
struct KeyRewrite {
  static constexpr SequenceNumber kKeep = UINT64_MAX;

  SequenceNumber sequence = kKeep;  // given to every key instead of its own
  uint32_t timestamp_bytes = 0;     // zeros put behind the user key

  bool is_active() const { return sequence != kKeep || timestamp_bytes != 0; }
  // `internal_key` has its 8 bytes of trailer.
  void Apply(const Slice& internal_key, std::string* out) const;
};

class BlockCursor {
 public:
  BlockCursor(const InternalKeyComparator* order, const KeyRewrite& rewrite)
      : order_(order),
        rewrite_(rewrite),
        is_rewriting_(rewrite.is_active()),
        is_fast_(order->is_bytewise() && !is_rewriting_),
        is_hashable_(is_fast_ || (!is_rewriting_ && HashesKeys(*order))) {}
  // Are equal user keys equal bytes, so that a hash index can find them?
  static bool HashesKeys(const InternalKeyComparator& order) {
    const Comparator* user_order = order.user_comparator();
    return user_order->timestamp_size() == 0 &&
           !user_order->CanKeysWithDifferentByteContentsBeEqual();
  }
  BlockCursor(const BlockCursor&) = delete;
  BlockCursor& operator=(const BlockCursor&) = delete;

  // To a block (before its first entry), or to none.
  void Reset(const BlockLayout* layout) {
    assert(layout == nullptr || layout->restart_count > 0);
    assert(layout == nullptr || layout->entries_end <= layout->restarts_offset);
    layout_ = layout;
    end_ = layout != nullptr ? layout->entries_end : 0;
    Invalidate();
    problem_ = nullptr;
    interval_.clear();
  }

  bool Valid() const { return current_ < end_; }
  Slice key() const {
    assert(Valid());
    return is_rewriting_ ? Slice(rewritten_) : Slice(key_, key_size_);
  }
  Slice value() const {
    assert(Valid());
    return Slice(value_, value_size_);
  }
  // The entry's offset in the block.
  uint32_t offset() const {
    assert(Valid());
    return current_;
  }
  // The key's bytes lie in the block.
  bool IsKeyInBlock() const {
    return !is_rewriting_ && key_ >= layout_->data &&
           key_ < layout_->data + end_;
  }
  // Where the entry lies in the block, without its value if that is apart.
  uint32_t entry_begin() const {
    assert(Valid());
    return current_;
  }
  uint32_t entry_end() const {
    assert(Valid());
    return next_;
  }
  const char* problem() const { return problem_; }

  // To the versions of target's user key at or after `target`, by the block's
  // hash index if it has one. Where there are none, the cursor is on some other
  // user key or not valid, and only if no key of the block is behind the target
  // does it tell that by being not valid.
  void SeekForGet(const Slice& target) {
    assert(layout_ != nullptr);
    if (layout_->bucket_count == 0 || !is_hashable_) [[likely]] {
      Seek(target);
    } else {
      SeekByHash(target);
    }
  }

  void SeekToFirst() {
    key_size_ = 0;
    LoadAtRestart(0);
  }
  void SeekToLast();
  // To the first entry at or after `target`, an internal key.
  void Seek(const Slice& target);
  // To the last entry at or before `target`.
  void SeekForPrev(const Slice& target);
  void Next() {
    assert(Valid());
    Load(next_);
  }
  void Prev();

 private:
  struct IntervalEntry {  // An entry of the restart interval that Prev() is in.
    uint32_t offset;
    uint32_t next;
    size_t key_at;
    uint32_t key_size;
    const char* value;
    uint32_t value_size;
  };
  struct Sizes {
    uint32_t shared;
    uint32_t non_shared;
    uint32_t value_size;
  };

  void Invalidate() { current_ = next_ = end_; }
  void Fail(const char* problem) {
    assert(problem != nullptr);
    problem_ = problem;
    Invalidate();
  }
  void Load(uint32_t offset);
  void LoadPlain(uint32_t offset);
  void LoadSpecial(uint32_t offset);
  void LoadAtRestart(uint32_t index);
  void LoadSeparated(uint32_t offset);
  bool BuildKey(const char* tail, const Sizes& sizes);
  void GrowBuffer(size_t size);
  Slice RestartKey(uint32_t index);
  uint32_t RestartBefore(const Slice& target);
  uint32_t RestartAtOrBefore(uint32_t offset) const;
  void SeekByHash(const Slice& target);
  void ScanFrom(uint32_t restart, const Slice& target);
  bool FastScan(uint32_t offset, const Slice& target);
  void LoadFound(uint32_t offset, const char* tail, const Sizes& sizes,
                 const Slice& target);
  void FillInterval(uint32_t restart, uint32_t end_offset);
  void Restore(const IntervalEntry& entry);

  const InternalKeyComparator* order_;
  const BlockLayout* layout_ = nullptr;
  uint32_t end_ = 0;           // where the entries end
  uint32_t current_ = 0;       // offset of the entry; end_ when not valid
  uint32_t next_ = 0;          // offset of the entry after it
  const char* key_ = nullptr;  // the stored key, not rewritten
  size_t key_size_ = 0;
  const char* value_ = nullptr;
  uint32_t value_size_ = 0;

  KeyRewrite rewrite_;
  bool is_rewriting_;
  bool is_fast_;
  bool is_hashable_;
  uint32_t next_restart_ = 0;  // separated layout: the next restart to come
  const char* problem_ = nullptr;

  char* buffer_ = inline_buffer_;  // where keys are put together
  size_t buffer_size_ = sizeof(inline_buffer_);
  std::unique_ptr<char[]> heap_buffer_;
  std::string rewritten_;
  std::string restart_key_;

  // Entries of one restart interval, all before `interval_end_`, so that a
  // backward scan reads each interval once.
  std::vector<IntervalEntry> interval_;
  std::string interval_keys_;

  char inline_buffer_[128];
};

inline bool BlockCursor::BuildKey(const char* tail, const Sizes& sizes) {
  const size_t size = size_t{sizes.shared} + sizes.non_shared;
  assert(layout_ != nullptr);
  if (size < kInternalKeyTrailerBytes) return false;
  if (sizes.shared == 0) {
    key_ = tail;
  } else {
    if (sizes.shared > key_size_) return false;
    if (size > buffer_size_) [[unlikely]]
      GrowBuffer(size);
    if (key_ != buffer_) memcpy(buffer_, key_, sizes.shared);
    assert(size <= buffer_size_);
    memcpy(buffer_ + sizes.shared, tail, sizes.non_shared);
    key_ = buffer_;
  }
  key_size_ = size;
  if (is_rewriting_) [[unlikely]] {
    rewrite_.Apply(Slice(key_, key_size_), &rewritten_);
  }
  return true;
}

inline void BlockCursor::Load(uint32_t offset) {
  if (offset >= end_) {
    Invalidate();
    return;
  }
  if (layout_->is_special) [[unlikely]] {
    LoadSpecial(offset);
    return;
  }
  LoadPlain(offset);
}

[[gnu::always_inline]] inline void BlockCursor::LoadPlain(uint32_t offset) {
  const char* const limit = layout_->data + end_;
  Sizes sizes;
  const char* p = DecodeEntrySizes(layout_->data + offset, limit, &sizes.shared,
                                   &sizes.non_shared, &sizes.value_size);
  if (p == nullptr ||
      uint64_t{sizes.non_shared} + sizes.value_size >
          static_cast<uint64_t>(limit - p) ||
      !BuildKey(p, sizes)) [[unlikely]] {
    Fail("bad entry in data block");
    return;
  }
  value_ = p + sizes.non_shared;
  value_size_ = sizes.value_size;
  current_ = offset;
  next_ = static_cast<uint32_t>(value_ + value_size_ - layout_->data);
  assert(next_ > current_ && next_ <= end_);
}

}  // namespace ROCKSDB_NAMESPACE
