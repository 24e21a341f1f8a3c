#include "table/filter/legacy_bloom.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "util/coding.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kLegacyLineBytes = 64;
constexpr uint64_t kMaxBits = 0xffff0000;
static_assert(kMaxBits < (uint64_t{1} << 32));
static_assert(kLegacyLineBytes * 8 == 512);

uint32_t LegacyHash(const Slice& key) {
  return Hash32(key.data(), key.size(), kLegacyBloomSeed);
}

// Calls f(byte index in the line, mask) for each probe as long as it is true.
template <typename F>
bool ForEachProbe(uint32_t hash, int probes, uint32_t line_bytes, F&& f) {
  assert(std::has_single_bit(line_bytes));
  const uint32_t delta = std::rotr(hash, 17);
  for (int i = 0; i < probes; ++i, hash += delta) {
    const uint32_t bit = hash & (line_bytes * 8 - 1);
    if (!f(bit / 8, static_cast<char>(1 << (bit & 7)))) return false;
  }
  return true;
}

class LegacyBloomReader final : public FilterBitsReader {
 public:
  struct Shape {
    uint32_t lines;
    uint32_t line_bytes;
    int probes;
  };
  LegacyBloomReader(const char* data, const Shape& shape)
      : data_(data), shape_(shape) {}

  bool MayMatch(const Slice& key) const override {
    return MayMatchHash(LegacyHash(key));
  }
  bool MayMatchHash(uint32_t hash) const {
    const char* line = data_ + size_t{hash % shape_.lines} * shape_.line_bytes;
    return ForEachProbe(
        hash, shape_.probes, shape_.line_bytes,
        [line](uint32_t byte, char mask) { return (line[byte] & mask) != 0; });
  }

 private:
  const char* const data_;
  const Shape shape_;
};

class LegacyBloomBuilder final : public FilterBitsBuilder {
 public:
  explicit LegacyBloomBuilder(uint64_t millibits)
      : bits_per_key_((millibits + 500) / 1000) {
    assert(bits_per_key_ >= 1);
  }

  void AddKey(const Slice& key) override { hashes_.Add(key); }
  void AddKeyAndAlternate(const Slice& key, const Slice& alternate) override {
    hashes_.AddPair(key, alternate);
  }
  size_t EntryCount() const override { return hashes_.all().size(); }

  size_t CapacityOf(size_t bytes) const override {
    // A line more than keys ask for where their number would be even.
    const size_t lines = bytes / kLegacyLineBytes;
    return std::max<size_t>(
        1, std::max<size_t>(lines, 1) * kLegacyLineBytes * 8 / bits_per_key_);
  }

  bool MatchesAll(const Slice& payload) const override {
    if (hashes_.all().empty()) return true;
    const std::unique_ptr<FilterBitsReader> any = NewLegacyBloomReader(payload);
    const auto* reader = static_cast<const LegacyBloomReader*>(any.get());
    return reader != nullptr &&
           std::all_of(
               hashes_.all().begin(), hashes_.all().end(),
               [reader](uint32_t hash) { return reader->MayMatchHash(hash); });
  }

  Slice Finish(std::unique_ptr<char[]>* buffer) override {
    const uint64_t bits =
        std::min(uint64_t{EntryCount()} * bits_per_key_, kMaxBits);
    uint32_t lines = static_cast<uint32_t>((bits + 511) / 512);
    if (lines % 2 == 0) ++lines;
    assert(lines % 2 == 1);
    const int probes =
        std::clamp(static_cast<int>(double(bits_per_key_) * 0.69), 1, 30);
    const size_t bytes = size_t{lines} * kLegacyLineBytes;
    *buffer = std::make_unique<char[]>(bytes + kFilterMetadataBytes);
    char* data = buffer->get();
    for (const uint32_t hash : hashes_.all()) {
      char* line = data + size_t{hash % lines} * kLegacyLineBytes;
      ForEachProbe(hash, probes, kLegacyLineBytes,
                   [line](uint32_t byte, char mask) {
                     line[byte] |= mask;
                     return true;
                   });
    }
    data[bytes] = static_cast<char>(probes);
    EncodeFixed32(data + bytes + 1, lines);
    return Slice(data, bytes + kFilterMetadataBytes);
  }

 private:
  const uint64_t bits_per_key_;
  FilterHashes<uint32_t, LegacyHash> hashes_;
};

}  // namespace

std::unique_ptr<FilterBitsBuilder> NewLegacyBloomBuilder(
    uint64_t millibits_per_key) {
  return std::make_unique<LegacyBloomBuilder>(millibits_per_key);
}

std::unique_ptr<FilterBitsReader> NewLegacyBloomReader(const Slice& payload) {
  if (payload.size() <= kFilterMetadataBytes) return nullptr;
  const size_t bytes = payload.size() - kFilterMetadataBytes;
  const char* metadata = payload.data() + bytes;
  const auto probes = static_cast<int8_t>(metadata[0]);
  const uint32_t lines = DecodeFixed32(metadata + 1);
  if (probes < 1 || lines == 0 || bytes % lines != 0) return nullptr;
  const size_t line_bytes = bytes / lines;
  if (!std::has_single_bit(line_bytes) || line_bytes > 4096) return nullptr;
  assert(size_t{lines} * line_bytes == bytes);
  return std::make_unique<LegacyBloomReader>(
      payload.data(),
      LegacyBloomReader::Shape{.lines = lines,
                               .line_bytes = static_cast<uint32_t>(line_bytes),
                               .probes = probes});
}

}  // namespace ROCKSDB_NAMESPACE
