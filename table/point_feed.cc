#include "table/point_feed.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "table/block_cursor.h"
#include "table/point_lookup.h"
#include "table/read_bits.h"
#include "table/table_filter.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A block of one restart interval holds few entries, long ones where it is as
// large as others: most of it is read. All of its lines are asked for at once,
// since the way to the value goes through three of them in a row.
void FetchLongEntry(const Block& block) {
  constexpr size_t kLineBytes = 64;
  constexpr size_t kMostBytes = 8 << 10;
  if (block.layout().restart_count != 1) return;
  const size_t size = std::min(block.size(), kMostBytes);
  for (size_t i = 0; i < size; i += kLineBytes) {
    __builtin_prefetch(block.layout().data + i);
  }
}

// Feeds the entries of one block from the cursor's on. *is_done: no further
// block can add anything.
Status FeedBlock(const TableParts& parts, BlockRef<Block>* block,
                 BlockCursor* cursor, PointLookup* lookup, bool* is_done) {
  // Takes over the hold on the block; the lookup may take it from there. What
  // is not in memory of the block's own dies with the file: it gets copied.
  assert(cursor->problem() == nullptr || !cursor->Valid());
  Cleanable pin;
  const Block& content = **block;
  const bool can_pin = (*block)->is_owned();
  if (can_pin) block->MoveHoldTo(&pin);
  for (; cursor->Valid(); cursor->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(cursor->key(), &key)) {
      return Status::Corruption(
          parts.file.name(),
          "entry with a bad internal key: " +
              InternalKeyText(cursor->key(), parts.key_text));
    }
    if (content.read_bits() != nullptr) [[unlikely]]
      CountUse(parts, content, *cursor);
    if (!lookup->Add(key, cursor->value(), can_pin ? &pin : nullptr)) {
      *is_done = true;
      return Status::OK();
    }
  }
  return Status::OK();
}

template <class Start>
Status FeedFrom(const TableParts& parts, const Start& start,
                BlockRef<Block>&& first, const Slice& internal_key,
                PointLookup* lookup) {
  assert(start.index != nullptr && !lookup->IsDecided());
  assert(start.read != nullptr && start.filter != nullptr);
  auto& index = *start.index;
  const Slice user_key = ExtractUserKey(internal_key);
  const PointLookup::State before = lookup->state();
  BlockCursor cursor(&parts.order, parts.rewrite);
  bool is_done = !index.Valid();
  bool is_first = true;
  Status s;
  BlockRef<Block> block = std::move(first);
  while (!is_done) {
    const BlockHandle& handle = index.handle();
    if (!block) {
      parts.NoteRead(handle.offset);
      s = FindDataBlock(parts, {.read = start.read, .handle = handle}, &block);
      if (!s.ok()) return s;
    }
    FetchLongEntry(*block);
    cursor.Reset(&block->layout());
    PERF_TIMER_GUARD(block_seek_nanos);
    if (is_first) {
      cursor.SeekForGet(internal_key);
    } else {
      cursor.SeekToFirst();
    }
    PERF_TIMER_STOP(block_seek_nanos);
    is_first = false;
    s = FeedBlock(parts, &block, &cursor, lookup, &is_done);
    if (s.ok() && cursor.problem() != nullptr) {
      s = parts.file.Corrupt(handle.offset, cursor.problem());
    }
    if (!s.ok()) return s;
    cursor.Reset(nullptr);
    block.Reset();
    // Only a block that ends amid the versions of a key has them as separator.
    if (is_done || !parts.order.EqualUserKeys(index.user_key(), user_key)) {
      break;
    }
    s = index.Next();
    if (!s.ok()) return s;
    is_done = !index.Valid() || index.BeginsBehind(user_key);
  }
  if (lookup->state() != before) start.filter->CountFound(parts, user_key);
  return s;
}

}  // namespace

Status FeedFromBlocks(const TableParts& parts, const FeedStart& start,
                      BlockRef<Block> first, const Slice& internal_key,
                      PointLookup* lookup) {
  return FeedFrom(parts, start, std::move(first), internal_key, lookup);
}

Status FeedByOwnIndex(const TableParts& parts, const OwnFeedStart& start,
                      const Slice& internal_key, PointLookup* lookup) {
  return FeedFrom(parts, start, BlockRef<Block>(), internal_key, lookup);
}

}  // namespace ROCKSDB_NAMESPACE
