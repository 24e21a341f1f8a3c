#include "table/filter/fast_local_bloom.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <iterator>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMaxBytes = 0xffffffc0;
static_assert(kMaxBytes % kBloomLineBytes == 0);

// Up to so many thousandths of a bit for each key, i + 1 probes.
constexpr uint64_t kProbeLimits[] = {2080,  3580,  5100,  6640,  8300,  10070,
                                     11720, 14001, 16050, 18300, 22001, 25501};

class FastLocalBloomReader final : public FilterBitsReader {
 public:
  FastLocalBloomReader(const char* data, size_t bytes, int probes)
      : data_(data), bytes_(bytes), probes_(probes) {
    assert(bytes % kBloomLineBytes == 0 && bytes != 0);
  }

  bool MayMatch(const Slice& key) const override {
    return MayMatchHash(FilterHash64(key));
  }
  void Prefetch(const Slice& key) const override {
    __builtin_prefetch(LineOf(FilterHash64(key)));
  }
  bool MayMatchHash(uint64_t hash) const {
    return BloomTest(static_cast<uint32_t>(hash >> 32), probes_, LineOf(hash));
  }

 private:
  const char* LineOf(uint64_t hash) const {
    return data_ + size_t{BloomLine(hash, bytes_)} * kBloomLineBytes;
  }

  const char* const data_;
  const size_t bytes_;
  const int probes_;
};

// Lines are asked for a few keys ahead, since each is a cache miss.
void Fill(const std::vector<uint64_t>& all, int probes, char* data,
          size_t bytes) {
  constexpr size_t kAhead = 8;
  static_assert((kAhead & (kAhead - 1)) == 0);
  std::array<char*, kAhead> lines;
  const auto fetch = [&](size_t i) {
    char* line = data + size_t{BloomLine(all[i], bytes)} * kBloomLineBytes;
    assert(line + kBloomLineBytes <= data + bytes);
    __builtin_prefetch(line, 1, 3);
    lines[i % kAhead] = line;
  };
  for (size_t i = 0; i < std::min(kAhead, all.size()); ++i) fetch(i);
  for (size_t i = 0; i < all.size(); ++i) {
    BloomSet(static_cast<uint32_t>(all[i] >> 32), probes, lines[i % kAhead]);
    if (i + kAhead < all.size()) fetch(i + kAhead);
  }
}

class FastLocalBloomBuilder final : public FilterBitsBuilder {
 public:
  explicit FastLocalBloomBuilder(const BloomShape& shape) : shape_(shape) {
    assert(shape.millibits_per_key >= 1000);
  }

  void AddKey(const Slice& key) override { hashes_.Add(key); }
  void AddKeyAndAlternate(const Slice& key, const Slice& alternate) override {
    hashes_.AddPair(key, alternate);
  }
  size_t EntryCount() const override { return hashes_.all().size(); }
  size_t CapacityOf(size_t bytes) const override {
    return BloomCapacity(bytes, shape_.millibits_per_key);
  }
  Slice Finish(std::unique_ptr<char[]>* buffer) override {
    return MakeBloom(hashes_.all(), shape_, buffer);
  }
  bool MatchesAll(const Slice& payload) const override {
    return BloomMatchesAll(payload, hashes_.all());
  }

 private:
  const BloomShape shape_;
  FilterHashes<uint64_t, FilterHash64> hashes_;
};

}  // namespace

int BloomProbes(uint64_t millibits) {
  static_assert(std::size(kProbeLimits) == 12);
  for (size_t i = 0; i < std::size(kProbeLimits); ++i) {
    if (millibits <= kProbeLimits[i]) return static_cast<int>(i) + 1;
  }
  if (millibits <= 50000) return static_cast<int>((millibits - 1) / 2000) - 1;
  return 24;
}

size_t BloomBytes(size_t count, uint64_t millibits) {
  const uint64_t raw = std::min<uint64_t>(
      (uint64_t{count} * millibits + 7999) / 8000, kMaxBytes);
  assert(raw <= kMaxBytes);
  return (raw + kBloomLineBytes - 1) / kBloomLineBytes * kBloomLineBytes;
}

size_t BloomCapacity(size_t bytes, uint64_t millibits) {
  assert(millibits > 0);
  const size_t lines = bytes < kFilterMetadataBytes
                           ? 0
                           : (bytes - kFilterMetadataBytes) / kBloomLineBytes;
  return std::max<size_t>(
      1, std::max<size_t>(lines, 1) * kBloomLineBytes * 8000 / millibits);
}

Slice MakeBloom(const std::vector<uint64_t>& hashes, const BloomShape& shape,
                std::unique_ptr<char[]>* buffer) {
  const size_t count = hashes.size();
  size_t bytes = BloomBytes(count, shape.millibits_per_key);
  *buffer =
      std::make_unique_for_overwrite<char[]>(bytes + kFilterMetadataBytes);
  if (shape.fits_allocation) {
    bytes = FitFilterAllocation(
        buffer->get(),
        {.bytes = bytes, .unit = kBloomLineBytes, .max_bytes = kMaxBytes});
  }
  memset(buffer->get(), 0, bytes + kFilterMetadataBytes);
  const uint64_t millibits =
      count == 0 ? shape.millibits_per_key : bytes * 8000 / count;
  const int probes =
      BloomProbes(shape.fits_allocation ? millibits : shape.millibits_per_key);
  assert(probes >= 1 && probes <= 30);
  assert(bytes % kBloomLineBytes == 0);
  if (count != 0) Fill(hashes, probes, buffer->get(), bytes);
  char* metadata = buffer->get() + bytes;
  metadata[0] = static_cast<char>(0xff);
  metadata[2] = static_cast<char>(probes);
  return Slice(buffer->get(), bytes + kFilterMetadataBytes);
}

bool BloomMatchesAll(const Slice& payload,
                     const std::vector<uint64_t>& hashes) {
  if (hashes.empty()) return true;
  const std::unique_ptr<FilterBitsReader> any =
      NewFastLocalBloomReader(payload);
  const auto* reader = static_cast<const FastLocalBloomReader*>(any.get());
  return reader != nullptr &&
         std::all_of(hashes.begin(), hashes.end(), [reader](uint64_t hash) {
           return reader->MayMatchHash(hash);
         });
}

std::unique_ptr<FilterBitsBuilder> NewFastLocalBloomBuilder(
    const BloomShape& shape) {
  return std::make_unique<FastLocalBloomBuilder>(shape);
}

std::unique_ptr<FilterBitsReader> NewFastLocalBloomReader(
    const Slice& payload) {
  if (payload.size() <= kFilterMetadataBytes) return nullptr;
  const size_t bytes = payload.size() - kFilterMetadataBytes;
  const auto* metadata =
      reinterpret_cast<const uint8_t*>(payload.data() + bytes);
  const int probes = metadata[2] & 31;
  if (metadata[0] != 0xff || metadata[1] != 0 || (metadata[2] >> 5) != 0 ||
      probes < 1 || probes > 30 || metadata[3] != 0 || metadata[4] != 0 ||
      bytes % kBloomLineBytes != 0 || bytes > kMaxBytes) {
    return nullptr;
  }
  return std::make_unique<FastLocalBloomReader>(payload.data(), bytes, probes);
}

}  // namespace ROCKSDB_NAMESPACE
