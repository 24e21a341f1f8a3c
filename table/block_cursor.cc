#include "table/block_cursor.h"

#include <algorithm>
#include <cstring>

#include "table/block_hash_index.h"
#include "table/common_prefix.h"
#include "table/entry_checksums.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kLineBytes = 64;
// What a scan asks for before it gets there: the place of an entry depends on
// the one before, so the processor cannot look far ahead by itself.
constexpr size_t kLinesAhead = 8;

inline void PrefetchLines(const char* p, size_t lines) {
  for (size_t i = 0; i < lines; ++i) __builtin_prefetch(p + i * kLineBytes);
}

}  // namespace

void KeyRewrite::Apply(const Slice& internal_key, std::string* out) const {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  const Slice user_key = ExtractUserKey(internal_key);
  const uint64_t trailer = ExtractTrailer(internal_key);
  out->assign(user_key.data(), user_key.size());
  out->append(timestamp_bytes, '\0');
  assert(sequence == kKeep || sequence <= kMaxSequenceNumber);
  PutFixed64(out,
             sequence == kKeep ? trailer : (sequence << 8) | (trailer & 0xff));
}

void BlockCursor::GrowBuffer(size_t size) {
  assert(size > buffer_size_);
  const size_t capacity = std::max(size, 2 * buffer_size_);
  auto grown = std::make_unique_for_overwrite<char[]>(capacity);
  if (key_ == buffer_) {
    memcpy(grown.get(), key_, key_size_);
    key_ = grown.get();
  }
  heap_buffer_ = std::move(grown);
  buffer_ = heap_buffer_.get();
  buffer_size_ = capacity;
}

void BlockCursor::LoadSpecial(uint32_t offset) {
  assert(layout_->is_special && offset < end_);
  if (layout_->is_separated) {
    LoadSeparated(offset);
  } else {
    LoadPlain(offset);
  }
  if (layout_->checksums == nullptr || !Valid()) return;
  if (!layout_->checksums->Matches(current_, Slice(key_, key_size_), value())) {
    Fail("checksum mismatch of an entry in memory");
  }
}

void BlockCursor::LoadSeparated(uint32_t offset) {
  assert(layout_->is_separated && offset < end_);
  const char* const limit = layout_->data + end_;
  Sizes sizes;
  const char* p = DecodeEntrySizes(layout_->data + offset, limit, &sizes.shared,
                                   &sizes.non_shared, &sizes.value_size);
  const char* value = value_ + value_size_;
  const bool is_restart = next_restart_ < layout_->restart_count &&
                          layout_->RestartOffset(next_restart_) == offset;
  if (p != nullptr && is_restart) {
    uint32_t value_start = 0;
    p = GetVarint32Ptr(p, limit, &value_start);
    if (value_start > layout_->values_end - layout_->values_offset) p = nullptr;
    value = layout_->data + layout_->values_offset + value_start;
    ++next_restart_;
  }
  if (p == nullptr || sizes.non_shared > static_cast<uint64_t>(limit - p) ||
      sizes.value_size >
          static_cast<uint64_t>(layout_->data + layout_->values_end - value) ||
      !BuildKey(p, sizes)) {
    Fail("bad entry in data block with separated values");
    return;
  }
  value_ = value;
  value_size_ = sizes.value_size;
  current_ = offset;
  next_ = static_cast<uint32_t>(p + sizes.non_shared - layout_->data);
  assert(next_ > current_ && next_ <= end_);
}

void BlockCursor::LoadAtRestart(uint32_t index) {
  if (layout_ == nullptr) return;
  assert(index < layout_->restart_count);
  // An entry there may share nothing: there is no key before it.
  key_size_ = 0;
  next_restart_ = index;
  value_ = layout_->data + layout_->values_offset;
  value_size_ = 0;
  Load(layout_->RestartOffset(index));
}

void BlockCursor::SeekToLast() {
  if (layout_ == nullptr || end_ == 0) {
    Invalidate();
    return;
  }
  LoadAtRestart(layout_->restart_count - 1);
  while (Valid() && next_ < end_) Load(next_);
}

Slice BlockCursor::RestartKey(uint32_t index) {
  const uint32_t offset = layout_->RestartOffset(index);
  const char* const limit = layout_->data + end_;
  Sizes sizes;
  const char* p = nullptr;
  if (offset < end_) {
    p = DecodeEntrySizes(layout_->data + offset, limit, &sizes.shared,
                         &sizes.non_shared, &sizes.value_size);
  }
  uint32_t value_start = 0;
  if (p != nullptr && layout_->is_separated) {
    p = GetVarint32Ptr(p, limit, &value_start);
  }
  if (p == nullptr || sizes.shared != 0 ||
      sizes.non_shared < kInternalKeyTrailerBytes ||
      sizes.non_shared > static_cast<uint64_t>(limit - p)) {
    Fail("bad restart point in data block");
    return Slice();
  }
  const Slice key(p, sizes.non_shared);
  if (!is_rewriting_) return key;
  rewrite_.Apply(key, &restart_key_);
  return restart_key_;
}

// The last restart point whose key is before `target`; 0 if none is.
uint32_t BlockCursor::RestartBefore(const Slice& target) {
  assert(layout_->restart_count > 0);
  uint32_t low = 0;
  uint32_t high = layout_->restart_count - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    const Slice key = RestartKey(middle);
    if (key.empty()) return 0;  // problem_ is set.
    if (order_->Compare(key, target) < 0) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

uint32_t BlockCursor::RestartAtOrBefore(uint32_t offset) const {
  uint32_t low = 0;
  uint32_t high = layout_->restart_count - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    if (layout_->RestartOffset(middle) <= offset) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

void BlockCursor::Seek(const Slice& target) {
  assert(target.size() >= kInternalKeyTrailerBytes);
  if (layout_ == nullptr || end_ == 0) {
    Invalidate();
    return;
  }
  const uint32_t restart = RestartBefore(target);
  if (problem_ == nullptr) ScanFrom(restart, target);
}

void BlockCursor::SeekByHash(const Slice& target) {
  assert(is_hashable_ && layout_->bucket_count > 0);
  if (end_ == 0) {
    Invalidate();
    return;
  }
  const uint32_t hash = BlockHashOf(ExtractUserKey(target));
  const auto bucket = static_cast<uint8_t>(
      layout_->data[layout_->buckets_offset + hash % layout_->bucket_count]);
  if (bucket == kBucketCollision) return Seek(target);
  // The key is not in this block; the end of it tells whether the search must
  // go on in the next.
  const uint32_t restart =
      bucket == kBucketEmpty ? layout_->restart_count - 1 : bucket;
  if (restart >= layout_->restart_count ||
      layout_->RestartOffset(restart) > end_) {
    return Fail("bad bucket in block hash index");
  }
  ScanFrom(restart, target);
}

// To the first entry at or after `target` from a restart point on.
void BlockCursor::ScanFrom(uint32_t restart, const Slice& target) {
  assert(restart < layout_->restart_count);
  if (is_fast_ && !layout_->is_special &&
      FastScan(layout_->RestartOffset(restart), target)) {
    return;
  }
  if (problem_ != nullptr) return;
  LoadAtRestart(restart);
  while (Valid() && order_->Compare(key(), target) < 0) Next();
}

void BlockCursor::SeekForPrev(const Slice& target) {
  assert(target.size() >= kInternalKeyTrailerBytes);
  Seek(target);
  if (problem_ != nullptr) return;
  if (!Valid()) {
    SeekToLast();
  } else if (order_->Compare(key(), target) > 0) {
    Prev();
  }
}

// The first entry at or after `target` from the restart point at `offset` on,
// without building the keys of the entries on the way (readrandom).
//
// Let m be how many bytes the user key before has in common with the target's,
// that key being smaller. An entry that shares more than m bytes with it has
// its byte m too, so it is smaller as well, whatever follows. An entry that
// shares m or fewer begins like the target, so comparing its tail suffices,
// and its key is a piece of the target and that tail.
//
// False, with nothing changed: a case that needs whole keys (shared bytes reach
// into the 8 bytes behind the user key, or an entry has the user key of the
// target but is newer). The caller does it the plain way.
bool BlockCursor::FastScan(uint32_t offset, const Slice& target) {
  assert(is_fast_ && !layout_->is_special);
  assert(offset <= end_);
  const char* const limit = layout_->data + end_;
  PrefetchLines(layout_->data + offset, kLinesAhead);
  const size_t target_size = target.size() - kInternalKeyTrailerBytes;
  size_t matched = 0;
  uint64_t compared = 0;   // entries
  size_t before_size = 0;  // the previous user key's; 0 at the restart point
  bool is_first = true;
  while (offset < end_) {
    Sizes sizes;
    PrefetchLines(layout_->data + offset + kLinesAhead * kLineBytes, 2);
    const char* tail =
        DecodeEntrySizes(layout_->data + offset, limit, &sizes.shared,
                         &sizes.non_shared, &sizes.value_size);
    const size_t size = size_t{sizes.shared} + sizes.non_shared;
    ++compared;
    if (tail == nullptr ||
        uint64_t{sizes.non_shared} + sizes.value_size >
            static_cast<uint64_t>(limit - tail) ||
        size < kInternalKeyTrailerBytes ||
        (is_first ? sizes.shared != 0
                  : sizes.shared > before_size + kInternalKeyTrailerBytes)) {
      Fail("bad entry in data block");
      return false;
    }
    const size_t user_size = size - kInternalKeyTrailerBytes;
    const uint32_t next = static_cast<uint32_t>(
        tail + sizes.non_shared + sizes.value_size - layout_->data);
    if (sizes.shared > matched) {
      if (matched >= before_size || matched >= user_size) return false;
    } else {
      if (user_size < sizes.shared) return false;
      assert(sizes.shared <= target_size);
      const size_t common = std::min(user_size, target_size) - sizes.shared;
      const char* rest = target.data() + sizes.shared;
      const size_t equal = CommonPrefix(tail, rest, common);
      int order;
      if (equal < common) {
        order = static_cast<uint8_t>(tail[equal]) -
                static_cast<uint8_t>(rest[equal]);
      } else {
        order = (user_size > target_size) - (user_size < target_size);
      }
      if (order == 0) {
        if (sizes.non_shared < kInternalKeyTrailerBytes) return false;
        // The larger trailer is the newer entry, which comes first.
        if (ExtractTrailer(Slice(tail, sizes.non_shared)) >
            ExtractTrailer(target)) {
          return false;
        }
      }
      if (order >= 0) {
        assert(compared > 0);
        CountComparisons(compared);
        LoadFound(offset, tail, sizes, target);
        return true;
      }
      matched = sizes.shared + equal;
      assert(matched <= target_size);
    }
    before_size = user_size;
    is_first = false;
    offset = next;
  }
  CountComparisons(compared);
  Invalidate();
  return true;
}

void BlockCursor::LoadFound(uint32_t offset, const char* tail,
                            const Sizes& sizes, const Slice& target) {
  assert(!is_rewriting_ && sizes.shared <= target.size());
  key_ = target.data();
  key_size_ = sizes.shared;
  const bool is_built = BuildKey(tail, sizes);
  assert(is_built);
  (void)is_built;
  value_ = tail + sizes.non_shared;
  value_size_ = sizes.value_size;
  current_ = offset;
  next_ = static_cast<uint32_t>(value_ + value_size_ - layout_->data);
}

void BlockCursor::Prev() {
  assert(Valid());
  if (interval_.empty() || interval_.back().next != current_) {
    interval_.clear();
    if (current_ == 0) {
      Invalidate();
      return;
    }
    const uint32_t here = current_;
    FillInterval(RestartAtOrBefore(here - 1), here);
    if (problem_ != nullptr) return;
    if (interval_.empty() || interval_.back().next != here) {
      Fail("restart points in data block do not match its entries");
      return;
    }
  }
  const IntervalEntry entry = interval_.back();
  interval_.pop_back();
  Restore(entry);
}

// Notes the entries from a restart point up to `end_offset`.
void BlockCursor::FillInterval(uint32_t restart, uint32_t end_offset) {
  assert(interval_.empty());
  interval_keys_.clear();
  LoadAtRestart(restart);
  while (Valid() && current_ < end_offset) {
    interval_.push_back({.offset = current_,
                         .next = next_,
                         .key_at = interval_keys_.size(),
                         .key_size = static_cast<uint32_t>(key_size_),
                         .value = value_,
                         .value_size = value_size_});
    interval_keys_.append(key_, key_size_);
    if (next_ >= end_offset) break;
    Load(next_);
  }
}

void BlockCursor::Restore(const IntervalEntry& entry) {
  assert(entry.key_at + entry.key_size <= interval_keys_.size());
  assert(entry.offset < entry.next);
  key_ = interval_keys_.data() + entry.key_at;
  key_size_ = entry.key_size;
  value_ = entry.value;
  value_size_ = entry.value_size;
  current_ = entry.offset;
  next_ = entry.next;
  if (layout_->is_separated) {
    next_restart_ = RestartAtOrBefore(entry.offset) + 1;
  }
  if (is_rewriting_) {
    rewrite_.Apply(Slice(key_, key_size_), &rewritten_);
  }
}

}  // namespace ROCKSDB_NAMESPACE
