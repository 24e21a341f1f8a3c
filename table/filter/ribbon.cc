#include "table/filter/ribbon.h"

#include <algorithm>
#include <cassert>

#include "util/coding.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Word128 = unsigned __int128;

constexpr uint64_t kSlotsPerBlock = 128;
constexpr size_t kSegmentBytes = 16;
static_assert(sizeof(Word128) == kSegmentBytes);
static_assert(kSegmentBytes * 8 == kSlotsPerBlock);
constexpr uint64_t kMaxColumns = 32;

Word128 LoadSegment(const char* p) {
  return (Word128{DecodeFixed64(p + 8)} << 64) | DecodeFixed64(p);
}

int Parity(Word128 value) {
  return __builtin_parityll(static_cast<uint64_t>(value) ^
                            static_cast<uint64_t>(value >> 64));
}

uint64_t RawSeed(uint8_t ordinal) {
  const uint64_t t = uint64_t{ordinal} * 0xc78219a23eeadd03u;
  return static_cast<uint32_t>(t ^ ((t & 0xf0f0f0f0f0f0f0f0u) >> 4));
}

class Reader final : public FilterBitsReader {
 public:
  Reader(const char* data, size_t bytes, uint8_t seed, uint32_t blocks)
      : data_(data),
        raw_seed_(RawSeed(seed)),
        starts_(kSlotsPerBlock * blocks - (kSlotsPerBlock - 1)) {
    assert(blocks >= 2);
    const uint64_t segments = bytes / kSegmentBytes;
    upper_columns_ = (segments + blocks - 1) / blocks;
    lower_blocks_ = upper_columns_ * blocks - segments;
    if (upper_columns_ > kMaxColumns) {
      upper_columns_ = kMaxColumns;
      lower_blocks_ = 0;
    }
    assert(SegmentOf(blocks) <= segments);
  }

  bool MayMatch(const Slice& key) const override {
    const uint64_t x = (FilterHash64(key) ^ raw_seed_) * 0x6193d459236a3a0du;
    const uint64_t start = FastRange64(x, starts_);
    const uint64_t a = x * 0xc28f82822b650bedu;
    const Word128 coefficients =
        ((Word128{a} << 64) ^ Word128{a ^ 0xc367844a6e52731du}) | 1;
    const auto wanted = static_cast<uint32_t>(__builtin_bswap64(a));

    assert(start < starts_);
    const uint64_t block = start / kSlotsPerBlock;
    const int shift = static_cast<int>(start % kSlotsPerBlock);
    const uint64_t columns = ColumnsOf(block);
    assert(columns <= kMaxColumns);
    const char* here = data_ + SegmentOf(block) * kSegmentBytes;
    const char* next = here + columns * kSegmentBytes;
    for (uint64_t j = 0; j < columns; ++j) {
      Word128 value =
          LoadSegment(here + j * kSegmentBytes) & (coefficients << shift);
      if (shift > 0) {
        value ^= LoadSegment(next + j * kSegmentBytes) &
                 (coefficients >> (kSlotsPerBlock - shift));
      }
      if (Parity(value) != static_cast<int>((wanted >> j) & 1)) return false;
    }
    return true;
  }

 private:
  uint64_t ColumnsOf(uint64_t block) const {
    return upper_columns_ - (block < lower_blocks_ ? 1 : 0);
  }
  uint64_t SegmentOf(uint64_t block) const {
    return block * upper_columns_ - std::min(block, lower_blocks_);
  }

  const char* const data_;
  const uint64_t raw_seed_;
  const uint64_t starts_;       // slots at which a key may begin
  uint64_t upper_columns_ = 0;  // of the blocks from lower_blocks_ on
  uint64_t lower_blocks_ = 0;   // blocks with one column less
};

}  // namespace

std::unique_ptr<FilterBitsReader> NewRibbonReader(const Slice& payload) {
  if (payload.size() <= kFilterMetadataBytes) return nullptr;
  const size_t bytes = payload.size() - kFilterMetadataBytes;
  const auto* metadata =
      reinterpret_cast<const uint8_t*>(payload.data() + bytes);
  if (metadata[0] != 0xfe) return nullptr;
  const uint32_t blocks = uint32_t{metadata[2]} | uint32_t{metadata[3]} << 8 |
                          uint32_t{metadata[4]} << 16;
  if (blocks < 2) return nullptr;
  return std::make_unique<Reader>(payload.data(), bytes, metadata[1], blocks);
}

}  // namespace ROCKSDB_NAMESPACE
