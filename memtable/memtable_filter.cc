#include "memtable/memtable_filter.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <type_traits>

#include "monitoring/perf_context_imp.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "util/hash.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

std::unique_ptr<MemTableFilter> MemTableFilter::Make(const Shape& shape) {
  const bool has_entries =
      shape.has_whole_keys || shape.prefix_extractor != nullptr;
  if (shape.bytes == 0 || !has_entries) return nullptr;
  return std::make_unique<MemTableFilter>(shape);
}

MemTableFilter::MemTableFilter(const Shape& shape)
    : shape_(shape),
      line_count_(std::max<size_t>(1, shape.bytes / kLineBytes)),
      memory_(line_count_ * kLineBytes, shape_.huge_page_size),
      lines_(static_cast<Line*>(memory_.data())) {
  static_assert(sizeof(Line) == kLineBytes);
  static_assert(std::is_trivially_destructible_v<Line>);
  std::uninitialized_value_construct_n(lines_, line_count_);
  INVARIANT(shape_.has_whole_keys || shape_.prefix_extractor != nullptr);
}

// Visits the bits of an entry until `visit` answers false.
template <class Visit>
bool MemTableFilter::ForEachProbe(const Slice& entry,
                                  const Visit& visit) const {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  uint64_t hash = Hash64(entry);
  size_t line = FastRange64(hash, line_count_);
  for (int i = 0; i < kProbes; ++i) {
    hash = std::rotl(hash, 25) * kFactor;
    if (!shape_.keeps_to_line) line = FastRange64(hash, line_count_);
    assert(line < line_count_);
    // Bits that do not decide about the line.
    const uint32_t bit = static_cast<uint32_t>(hash) >> 23;
    static_assert(kLineBytes * 8 == 1 << (32 - 23));
    if (!visit(&lines_[line].words[bit / 64], uint64_t{1} << (bit % 64))) {
      return false;
    }
  }
  return true;
}

// Relaxed: who may see an entry learned of it from the sequence that was
// published after these stores.
void MemTableFilter::AddEntry(const Slice& entry) {
  ForEachProbe(entry, [](std::atomic<uint64_t>* word, uint64_t bit) {
    if ((word->load(std::memory_order_relaxed) & bit) == 0) {
      word->fetch_or(bit, std::memory_order_relaxed);
    }
    return true;
  });
}

bool MemTableFilter::MayHold(const Slice& entry) const {
  const bool may_hold =
      ForEachProbe(entry, [](const std::atomic<uint64_t>* word, uint64_t bit) {
        return (word->load(std::memory_order_relaxed) & bit) != 0;
      });
  if (may_hold) {
    PERF_COUNTER_ADD(bloom_memtable_hit_count, 1);
  } else {
    PERF_COUNTER_ADD(bloom_memtable_miss_count, 1);
  }
  return may_hold;
}

Slice MemTableFilter::Given(const Slice& user_key) const {
  assert(user_key.size() >= shape_.timestamp_size);
  return Slice(user_key.data(), user_key.size() - shape_.timestamp_size);
}

bool MemTableFilter::HasPrefix(const Slice& given) const {
  return shape_.prefix_extractor != nullptr &&
         shape_.prefix_extractor->InDomain(given);
}

void MemTableFilter::Add(const Slice& user_key) {
  const Slice given = Given(user_key);
  if (shape_.has_whole_keys) AddEntry(given);
  if (HasPrefix(given)) AddEntry(shape_.prefix_extractor->Transform(given));
}

bool MemTableFilter::MayHoldKey(const Slice& user_key) const {
  const Slice given = Given(user_key);
  if (shape_.has_whole_keys) return MayHold(given);
  return !HasPrefix(given) ||
         MayHold(shape_.prefix_extractor->Transform(given));
}

bool MemTableFilter::MayHoldPrefix(const ReadOptions& read,
                                   const Slice& user_key) const {
  const Slice given = Given(user_key);
  if (!HasPrefix(given)) return true;
  if (read.auto_prefix_mode && !EndsInPrefixOf(read, given)) return true;
  return MayHold(shape_.prefix_extractor->Transform(given));
}

bool MemTableFilter::EndsInPrefixOf(const ReadOptions& read,
                                    const Slice& given) const {
  const Slice* upper = read.iterate_upper_bound;
  return upper != nullptr && HasPrefix(*upper) &&
         shape_.prefix_extractor->Transform(*upper) ==
             shape_.prefix_extractor->Transform(given);
}

bool MemTableFilter::HasPrefixesOf(const SliceTransform* extractor) const {
  const SliceTransform* own = shape_.prefix_extractor.get();
  if (own == nullptr || extractor == nullptr) return false;
  return own == extractor || own->AsString() == extractor->AsString();
}

}  // namespace ROCKSDB_NAMESPACE
