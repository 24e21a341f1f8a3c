#include "table/filter/ribbon.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <vector>

#include "util/coding.h"
#include "util/hash.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Word128 = unsigned __int128;

constexpr uint64_t kSlotsPerBlock = 128;
constexpr size_t kSegmentBytes = 16;
static_assert(sizeof(Word128) == kSegmentBytes);
static_assert(kSegmentBytes * 8 == kSlotsPerBlock);
constexpr uint64_t kMaxColumns = 32;
// Beyond that the number of blocks does not fit its 24 bits.
constexpr size_t kMaxKeys = 950000000;
constexpr int kSeeds = 256;
// Below so many slots a Bloom filter may be smaller.
constexpr uint64_t kSmallSlots = 1024;

Word128 LoadSegment(const char* p) {
  return (Word128{DecodeFixed64(p + 8)} << 64) | DecodeFixed64(p);
}

void StoreSegment(char* p, Word128 value) {
  EncodeFixed64(p, static_cast<uint64_t>(value));
  EncodeFixed64(p + 8, static_cast<uint64_t>(value >> 64));
}

uint32_t Parity(Word128 value) {
  return static_cast<uint32_t>(__builtin_parityll(
      static_cast<uint64_t>(value) ^ static_cast<uint64_t>(value >> 64)));
}

int TrailingZeros(Word128 value) {
  assert(value != 0);
  const auto low = static_cast<uint64_t>(value);
  return low != 0 ? std::countr_zero(low)
                  : 64 + std::countr_zero(static_cast<uint64_t>(value >> 64));
}

uint64_t RawSeed(uint8_t ordinal) {
  const uint64_t t = uint64_t{ordinal} * 0xc78219a23eeadd03u;
  return static_cast<uint32_t>(t ^ ((t & 0xf0f0f0f0f0f0f0f0u) >> 4));
}

// How the columns of a solution lie in its bytes.
struct Geometry {
  Geometry(size_t bytes, uint64_t block_count) : blocks(block_count) {
    assert(blocks >= 2);
    const uint64_t segments = bytes / kSegmentBytes;
    upper_columns = (segments + blocks - 1) / blocks;
    lower_blocks = upper_columns * blocks - segments;
    if (upper_columns > kMaxColumns) {
      upper_columns = kMaxColumns;
      lower_blocks = 0;
    }
    assert(SegmentOf(blocks) <= segments);
  }
  uint64_t starts() const {
    return kSlotsPerBlock * blocks - (kSlotsPerBlock - 1);
  }
  uint64_t ColumnsOf(uint64_t block) const {
    return upper_columns - (block < lower_blocks ? 1 : 0);
  }
  uint64_t SegmentOf(uint64_t block) const {
    return block * upper_columns - std::min(block, lower_blocks);
  }

  uint64_t blocks;
  uint64_t upper_columns = 0;  // columns of each block from lower_blocks on
  uint64_t lower_blocks = 0;   // blocks with one column less
};

// The equations of one key: the same sum of slots in every column.
struct Equation {
  Equation(uint64_t hash, uint64_t raw_seed, uint64_t starts) {
    const uint64_t x = (hash ^ raw_seed) * 0x6193d459236a3a0du;
    const uint64_t a = x * 0xc28f82822b650bedu;
    start = FastRange64(x, starts);
    coefficients = ((Word128{a} << 64) ^ Word128{a ^ 0xc367844a6e52731du}) | 1;
    result = static_cast<uint32_t>(__builtin_bswap64(a));
    assert(start < starts);
  }
  uint64_t start;
  Word128 coefficients;
  uint32_t result;  // a bit for each column
};

class RibbonReader final : public FilterBitsReader {
 public:
  RibbonReader(const Slice& data, uint8_t seed, uint32_t blocks)
      : data_(data.data()),
        raw_seed_(RawSeed(seed)),
        geometry_(data.size(), blocks) {}

  bool MayMatch(const Slice& key) const override {
    return MayMatchHash(FilterHash64(key));
  }

  bool MayMatchHash(uint64_t hash) const {
    const Equation key(hash, raw_seed_, geometry_.starts());
    const uint64_t block = key.start / kSlotsPerBlock;
    const int shift = static_cast<int>(key.start % kSlotsPerBlock);
    const uint64_t columns = geometry_.ColumnsOf(block);
    assert(columns <= kMaxColumns);
    const char* here = data_ + geometry_.SegmentOf(block) * kSegmentBytes;
    const char* next = here + columns * kSegmentBytes;
    for (uint64_t j = 0; j < columns; ++j) {
      Word128 value =
          LoadSegment(here + j * kSegmentBytes) & (key.coefficients << shift);
      if (shift > 0) {
        value ^= LoadSegment(next + j * kSegmentBytes) &
                 (key.coefficients >> (kSlotsPerBlock - shift));
      }
      if (Parity(value) != ((key.result >> j) & 1)) return false;
    }
    return true;
  }

 private:
  const char* const data_;
  const uint64_t raw_seed_;
  const Geometry geometry_;
};

// ---- Building ----

// The keys for which 2^k slots suffice, nearly always.
double CapacityOfSlots(int k) {
  static constexpr std::array<double, 10> kFromEight = {
      248.851, 499.532, 1001.26, 2003.97, 4005.59,
      8000.39, 15966.6, 31828.1, 63447.3, 126506};
  if (k < 8) return 0;
  if (k < 18) return kFromEight[static_cast<size_t>(k) - 8];
  static_assert(kFromEight.size() == 10);
  return std::ldexp(1.0, k) /
         (std::ldexp(1.0, 17) / kFromEight.back() + (k - 17) * 0.0038);
}

uint64_t SlotsFor(size_t count) {
  assert(count > 0);
  const auto n = static_cast<double>(count);
  int k = static_cast<int>(std::floor(std::log(n) * 1.4426950409 + 0.5));
  double capacity = CapacityOfSlots(k);
  uint64_t slots = 256;
  if (k != 0 && capacity != 0) {
    double low = capacity;
    double high = CapacityOfSlots(k + 1);
    if (n < capacity) {
      high = capacity;
      --k;
      low = CapacityOfSlots(k);
    }
    const double base = std::ldexp(1.0, k);
    slots = static_cast<uint64_t>((n - low) / (high - low) * base + base +
                                  0.999999999);
  }
  slots = (slots + kSlotsPerBlock - 1) / kSlotsPerBlock * kSlotsPerBlock;
  return std::max(slots, 2 * kSlotsPerBlock);
}

// The part of wrong keys that a Bloom filter with so many bits for each key
// matches, all probes in a line of 512 bits: lines fill unevenly.
double BloomFalsePositives(double bits_per_key, int probes) {
  const auto standard = [probes](double bits) {
    return std::pow(1.0 - std::exp(-probes / bits), probes);
  };
  const double keys = 512.0 / bits_per_key;
  const double spread = std::sqrt(keys);
  assert(keys > spread);
  return (standard(512.0 / (keys + spread)) +
          standard(512.0 / (keys - spread))) /
         2;
}

// The bytes whose columns match one wrong key in `one_in`. `first_hash` decides
// which way to round.
size_t BytesFor(double one_in, uint64_t slots, uint64_t first_hash) {
  if (one_in <= 1) return kSegmentBytes;
  if (one_in > 4294967295.0) return 4 * slots;
  const auto columns =
      static_cast<uint64_t>(std::floor(std::log2(std::floor(one_in))));
  assert(columns < kMaxColumns);
  const double with_one_more = std::ldexp(1.0, -static_cast<int>(columns) - 1);
  const double lower_part = (1.0 / one_in - with_one_more) / with_one_more;
  const double bias =
      (static_cast<double>(first_hash >> 32) + 0.5) / 4294967296.0;
  const uint64_t blocks = slots / kSlotsPerBlock;
  const auto starts = static_cast<double>(slots - (kSlotsPerBlock - 1));
  const auto lower_blocks = static_cast<uint64_t>(
      (lower_part * starts + bias) / static_cast<double>(kSlotsPerBlock));
  return kSegmentBytes *
         (blocks * columns + (blocks - std::min(lower_blocks, blocks)));
}

// The equations, brought into triangular form as they come.
class Banding {
 public:
  explicit Banding(uint64_t slots) : coefficients_(slots), results_(slots) {}

  // False: they contradict each other under this seed.
  bool AddAll(const std::vector<uint64_t>& hashes, uint8_t seed) {
    std::fill(coefficients_.begin(), coefficients_.end(), Word128{0});
    std::fill(results_.begin(), results_.end(), 0u);
    const uint64_t raw_seed = RawSeed(seed);
    const uint64_t starts = coefficients_.size() - (kSlotsPerBlock - 1);
    constexpr size_t kAhead = 8;
    for (size_t i = 0; i < hashes.size(); ++i) {
      if (i + kAhead < hashes.size()) {
        const Equation later(hashes[i + kAhead], raw_seed, starts);
        __builtin_prefetch(&coefficients_[later.start], 1, 3);
        __builtin_prefetch(&results_[later.start], 1, 3);
      }
      if (!Add(Equation(hashes[i], raw_seed, starts))) return false;
    }
    return true;
  }

  // Writes the solution; slots without an equation are free, and stay 0.
  void Solve(const Geometry& geometry, char* data) const {
    std::array<Word128, kMaxColumns> state{};
    assert(geometry.blocks * kSlotsPerBlock == coefficients_.size());
    for (uint64_t block = geometry.blocks; block-- > 0;) {
      const uint64_t columns = geometry.ColumnsOf(block);
      for (uint64_t slot = (block + 1) * kSlotsPerBlock;
           slot-- > block * kSlotsPerBlock;) {
        SolveSlot(slot, columns, &state);
      }
      char* segment = data + geometry.SegmentOf(block) * kSegmentBytes;
      for (uint64_t j = 0; j < columns; ++j) {
        StoreSegment(segment + j * kSegmentBytes, state[j]);
      }
    }
  }

 private:
  bool Add(Equation equation) {
    uint64_t slot = equation.start;
    for (;;) {
      assert(slot < coefficients_.size());
      assert((equation.coefficients & 1) == 1);
      if (coefficients_[slot] == 0) {
        coefficients_[slot] = equation.coefficients;
        results_[slot] = equation.result;
        return true;
      }
      equation.coefficients ^= coefficients_[slot];
      equation.result ^= results_[slot];
      if (equation.coefficients == 0) return equation.result == 0;
      const int zeros = TrailingZeros(equation.coefficients);
      slot += static_cast<uint64_t>(zeros);
      equation.coefficients >>= zeros;
    }
  }

  void SolveSlot(uint64_t slot, uint64_t columns,
                 std::array<Word128, kMaxColumns>* state) const {
    const Word128 coefficients = coefficients_[slot];
    const uint32_t result = results_[slot];
    for (uint64_t j = 0; j < columns; ++j) {
      const Word128 shifted = (*state)[j] << 1;
      const uint32_t bit = Parity(shifted & coefficients) ^ ((result >> j) & 1);
      (*state)[j] = shifted | bit;
    }
  }

  std::vector<Word128> coefficients_;  // 0: no equation begins here
  std::vector<uint32_t> results_;
};

class RibbonBuilder final : public FilterBitsBuilder {
 public:
  explicit RibbonBuilder(const BloomShape& shape) : shape_(shape) {
    const auto millibits = shape.millibits_per_key;
    assert(millibits >= 1000 && millibits <= 100000);
    one_in_ = 1 / BloomFalsePositives(static_cast<double>(millibits) / 1000,
                                      BloomProbes(millibits));
  }

  void AddKey(const Slice& key) override { hashes_.Add(key); }
  void AddKeyAndAlternate(const Slice& key, const Slice& alternate) override {
    hashes_.AddPair(key, alternate);
  }
  size_t EntryCount() const override { return hashes_.all().size(); }

  size_t CapacityOf(size_t bytes) const override {
    // Slots come in steps, and a Bloom filter may do better: the largest number
    // whose filter is not larger.
    size_t low = BloomCapacity(bytes, shape_.millibits_per_key);
    size_t high = std::max(low + 1, bytes * 8);
    while (low + 1 < high) {
      const size_t middle = low + (high - low) / 2;
      if (DataBytesFor(middle) + kFilterMetadataBytes <= bytes) {
        low = middle;
      } else {
        high = middle;
      }
    }
    assert(low >= 1);
    return low;
  }

  Slice Finish(std::unique_ptr<char[]>* buffer) override {
    const std::vector<uint64_t>& all = hashes_.all();
    if (all.empty() || all.size() > kMaxKeys) {
      return MakeBloom(all, shape_, buffer);
    }
    const uint64_t slots = SlotsFor(all.size());
    const size_t bytes = BytesFor(one_in_, slots, all[0]);
    if (slots < kSmallSlots &&
        BloomBytes(all.size(), shape_.millibits_per_key) < bytes) {
      return MakeBloom(all, shape_, buffer);
    }
    Banding banding(slots);
    auto seed = static_cast<uint8_t>(all[0]);
    for (int tries = 0; tries < kSeeds; ++tries, ++seed) {
      if (banding.AddAll(all, seed)) {
        return Solution(banding, {slots, bytes, seed}, buffer);
      }
    }
    return MakeBloom(all, shape_, buffer);
  }

  bool MatchesAll(const Slice& payload) const override {
    const std::vector<uint64_t>& all = hashes_.all();
    const std::unique_ptr<FilterBitsReader> any = NewRibbonReader(payload);
    if (any == nullptr) return BloomMatchesAll(payload, all);
    const auto* reader = static_cast<const RibbonReader*>(any.get());
    return std::all_of(all.begin(), all.end(), [reader](uint64_t hash) {
      return reader->MayMatchHash(hash);
    });
  }

 private:
  struct Plan {
    uint64_t slots;
    size_t bytes;
    uint8_t seed;
  };

  size_t DataBytesFor(size_t count) const {
    const uint64_t slots = SlotsFor(std::min(count, kMaxKeys));
    const size_t bytes = BytesFor(one_in_, slots, 0);
    return slots < kSmallSlots
               ? std::min(bytes, BloomBytes(count, shape_.millibits_per_key))
               : bytes;
  }

  Slice Solution(const Banding& banding, const Plan& plan,
                 std::unique_ptr<char[]>* buffer) const {
    size_t bytes = plan.bytes;
    *buffer =
        std::make_unique_for_overwrite<char[]>(bytes + kFilterMetadataBytes);
    if (shape_.fits_allocation) {
      bytes = FitFilterAllocation(
          buffer->get(),
          {.bytes = bytes, .unit = kSegmentBytes, .max_bytes = 4 * plan.slots});
    }
    const uint64_t blocks = plan.slots / kSlotsPerBlock;
    INVARIANT(blocks >= 2 && blocks < (uint64_t{1} << 24));
    std::fill_n(buffer->get(), bytes, '\0');
    banding.Solve(Geometry(bytes, blocks), buffer->get());
    char* metadata = buffer->get() + bytes;
    metadata[0] = static_cast<char>(0xfe);
    metadata[1] = static_cast<char>(plan.seed);
    for (int i = 0; i < 3; ++i) {
      metadata[2 + i] = static_cast<char>((blocks >> (8 * i)) & 0xff);
    }
    return Slice(buffer->get(), bytes + kFilterMetadataBytes);
  }

  const BloomShape shape_;
  double one_in_;  // one in so many wrong keys may match
  FilterHashes<uint64_t, FilterHash64> hashes_;
};

}  // namespace

std::unique_ptr<FilterBitsBuilder> NewRibbonBuilder(const BloomShape& shape) {
  return std::make_unique<RibbonBuilder>(shape);
}

std::unique_ptr<FilterBitsReader> NewRibbonReader(const Slice& payload) {
  if (payload.size() <= kFilterMetadataBytes) return nullptr;
  const size_t bytes = payload.size() - kFilterMetadataBytes;
  const auto* metadata =
      reinterpret_cast<const uint8_t*>(payload.data() + bytes);
  if (metadata[0] != 0xfe) return nullptr;
  const uint32_t blocks = uint32_t{metadata[2]} | uint32_t{metadata[3]} << 8 |
                          uint32_t{metadata[4]} << 16;
  if (blocks < 2) return nullptr;
  return std::make_unique<RibbonReader>(Slice(payload.data(), bytes),
                                        metadata[1], blocks);
}

}  // namespace ROCKSDB_NAMESPACE
