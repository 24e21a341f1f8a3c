#include "table/plain/plain_file_index.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "util/coding.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kEmptyBucket = 0x7fffffff;
constexpr uint32_t kListMark = 0x80000000;
constexpr uint32_t kPlainHashSeed = 397;
constexpr int kProbes = 6;
constexpr uint32_t kLineBits = 512;

uint32_t PlainHash(const Slice& prefix) {
  return Hash32(prefix.data(), prefix.size(), kPlainHashSeed);
}

// Calls visit(bit) for the bits of a hash, until it answers false.
template <class Visit>
bool VisitFilterBits(uint32_t hash, uint32_t lines, uint64_t bits,
                     const Visit& visit) {
  assert(bits > 0);
  const uint32_t delta = std::rotr(hash, 17);
  uint64_t base = 0;
  if (lines > 0) {
    base = uint64_t{std::rotr(hash, 11) % lines} * kLineBits;
  }
  for (int i = 0; i < kProbes; ++i) {
    if (lines > 0) {
      if (!visit(base + (hash & (kLineBits - 1)))) return false;
      hash = std::rotr(hash, 9) + delta;
    } else {
      if (!visit(hash % bits)) return false;
      hash += delta;
    }
  }
  return true;
}

}  // namespace

PlainFileIndexBuilder::PlainFileIndexBuilder(const PlainTableOptions& table,
                                             bool has_prefixes,
                                             uint32_t bloom_locality)
    : table_(table),
      has_prefixes_(has_prefixes),
      bloom_locality_(bloom_locality) {}

bool PlainFileIndexBuilder::Add(const Slice& prefix, uint64_t offset) {
  if (offset >= kEmptyBucket) return false;
  const uint32_t hash = PlainHash(prefix);
  hashes_.push_back(hash);
  // Without prefixes all rows are of one, which is empty.
  const Slice run = has_prefixes_ ? prefix : Slice();
  if (prefix_count_ == 0 || run != Slice(last_prefix_)) {
    ++prefix_count_;
    last_prefix_ = run.ToString();
    rows_of_prefix_ = 0;
  }
  const size_t step = std::max<size_t>(1, table_.index_sparseness);
  if (rows_of_prefix_ % step == 0) {
    indexed_.push_back({.bucket_hash = has_prefixes_ ? hash : 0,
                        .offset = static_cast<uint32_t>(offset)});
  }
  ++rows_of_prefix_;
  return true;
}

uint64_t PlainFileIndexBuilder::BucketCount() const {
  if (!has_prefixes_ || table_.hash_table_ratio <= 0) return 1;
  return static_cast<uint64_t>(prefix_count_ / table_.hash_table_ratio) + 1;
}

std::string PlainFileIndexBuilder::Index() const {
  const uint64_t count = BucketCount();
  std::vector<std::vector<uint32_t>> buckets(count);
  for (const Row& row : indexed_) {
    buckets[row.bucket_hash % count].push_back(row.offset);
  }
  std::string heads, lists;
  for (const std::vector<uint32_t>& rows : buckets) {
    if (rows.empty()) {
      PutFixed32(&heads, kEmptyBucket);
    } else if (rows.size() == 1) {
      PutFixed32(&heads, rows.front());
    } else {
      PutFixed32(&heads, static_cast<uint32_t>(lists.size()) | kListMark);
      PutVarint32(&lists, static_cast<uint32_t>(rows.size()));
      for (const uint32_t offset : rows) PutFixed32(&lists, offset);
    }
  }
  std::string index;
  PutVarint32(&index, static_cast<uint32_t>(count));
  PutVarint32(&index, prefix_count_);
  return index + heads + lists;
}

uint32_t PlainFileIndexBuilder::filter_lines() const {
  if (table_.bloom_bits_per_key <= 0 || bloom_locality_ == 0) return 0;
  const uint64_t bits =
      hashes_.size() * static_cast<uint64_t>(table_.bloom_bits_per_key);
  // An odd number, so that all of a hash's bits tell the line.
  return static_cast<uint32_t>((bits + kLineBits - 1) / kLineBits) | 1;
}

std::string PlainFileIndexBuilder::Filter() const {
  if (table_.bloom_bits_per_key <= 0) return "";
  const uint32_t lines = filter_lines();
  const uint64_t wanted =
      hashes_.size() * static_cast<uint64_t>(table_.bloom_bits_per_key);
  const uint64_t bits =
      lines > 0 ? uint64_t{lines} * kLineBits : (wanted + 7) / 8 * 8;
  std::string filter(bits / 8, '\0');
  for (const uint32_t hash : hashes_) {
    VisitFilterBits(hash, lines, bits, [&filter](uint64_t bit) {
      filter[bit / 8] = static_cast<char>(filter[bit / 8] | 1 << (bit % 8));
      return true;
    });
  }
  return filter;
}

bool PlainFilterMayHold(const Slice& filter, uint32_t lines,
                        const Slice& prefix) {
  const uint64_t bits = uint64_t{filter.size()} * 8;
  if (bits == 0 || uint64_t{lines} * kLineBits > bits) return true;
  return VisitFilterBits(PlainHash(prefix), lines, bits,
                         [&filter](uint64_t bit) {
                           return (filter[bit / 8] >> (bit % 8) & 1) != 0;
                         });
}

const char* DecodePlainIndex(const Slice& block, uint64_t rows_bytes,
                             std::vector<uint64_t>* offsets) {
  Slice input = block;
  uint32_t count = 0;
  uint32_t prefixes = 0;
  if (!GetVarint32(&input, &count) || !GetVarint32(&input, &prefixes) ||
      count > input.size() / sizeof(uint32_t)) {
    return "an index that ends early";
  }
  const Slice lists(input.data() + count * sizeof(uint32_t),
                    input.size() - count * sizeof(uint32_t));
  std::vector<uint64_t> all;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t head = DecodeFixed32(input.data() + i * sizeof head);
    if (head == kEmptyBucket) continue;
    if ((head & kListMark) == 0) {
      all.push_back(head);
      continue;
    }
    const size_t at = std::min<size_t>(head & ~kListMark, lists.size());
    Slice list(lists.data() + at, lists.size() - at);
    uint32_t rows = 0;
    uint32_t offset = 0;
    if (!GetVarint32(&list, &rows) || rows > list.size() / sizeof offset) {
      return "a list of the index that ends early";
    }
    // Lists that overlap would make a small block a large list.
    if (all.size() + rows > block.size()) return "lists that overlap";
    while (rows-- > 0 && GetFixed32(&list, &offset)) all.push_back(offset);
  }
  std::sort(all.begin(), all.end());
  if (!all.empty() && all.back() >= rows_bytes) {
    return "the index names a row beyond the last";
  }
  if (std::adjacent_find(all.begin(), all.end()) != all.end()) {
    return "the index names a row twice";
  }
  *offsets = std::move(all);
  return nullptr;
}

}  // namespace ROCKSDB_NAMESPACE
