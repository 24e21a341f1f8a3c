#include "tools/ldb/blob_expiry.h"

#include <cstring>

#include "db/blob/blob_format.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kFlagsAt = 12;  // offset of a header's flags; 1: blobs expire
constexpr size_t kHeaderRangeAt = 14;
constexpr size_t kFooterRangeAt = 12;
constexpr size_t kFooterSumAt = 28;
constexpr size_t kRecordExpiryAt = 16;
constexpr size_t kRecordSumAt = 24;

uint32_t SumOf(const std::string& bytes, size_t size) {
  return crc32c::Mask(crc32c::Value(bytes.data(), size));
}

BlobExpiryRange RangeAt(const std::string& bytes, size_t at) {
  return {DecodeFixed64(bytes.data() + at),
          DecodeFixed64(bytes.data() + at + sizeof(uint64_t))};
}

// Zeros `size` bytes at `at`, if the sum at `sum_at` says that they are what
// was written, and gives the rest its own sum.
bool TakeSummed(size_t at, size_t size, size_t sum_at, std::string* bytes) {
  if (DecodeFixed32(bytes->data() + sum_at) != SumOf(*bytes, sum_at)) {
    return false;
  }
  std::memset(bytes->data() + at, 0, size);
  EncodeFixed32(bytes->data() + sum_at, SumOf(*bytes, sum_at));
  return true;
}

}  // namespace

std::optional<BlobExpiryRange> TakeHeaderExpiry(std::string* header) {
  if (header->size() != BlobFileHeader::kBytes) return std::nullopt;
  if ((*header)[kFlagsAt] != 1) return std::nullopt;
  const BlobExpiryRange range = RangeAt(*header, kHeaderRangeAt);
  (*header)[kFlagsAt] = 0;
  std::memset(header->data() + kHeaderRangeAt, 0, 2 * sizeof(uint64_t));
  return range;
}

std::optional<BlobExpiryRange> TakeFooterExpiry(std::string* footer) {
  if (footer->size() != BlobFileFooter::kBytes) return std::nullopt;
  const BlobExpiryRange range = RangeAt(*footer, kFooterRangeAt);
  if (range.first == 0 && range.last == 0) return std::nullopt;
  const bool is_taken =
      TakeSummed(kFooterRangeAt, 2 * sizeof(uint64_t), kFooterSumAt, footer);
  return is_taken ? std::optional(range) : std::nullopt;
}

uint64_t TakeRecordExpiry(std::string* record_header) {
  if (record_header->size() != BlobRecordHeader::kBytes) return 0;
  const uint64_t expiry =
      DecodeFixed64(record_header->data() + kRecordExpiryAt);
  if (expiry == 0) return 0;
  const bool is_taken = TakeSummed(kRecordExpiryAt, sizeof(uint64_t),
                                   kRecordSumAt, record_header);
  return is_taken ? expiry : 0;
}

std::string ExpiryText(const std::optional<BlobExpiryRange>& range) {
  if (!range.has_value()) return "nil";
  return "(" + std::to_string(range->first) + ", " +
         std::to_string(range->last) + ")";
}

}  // namespace ROCKSDB_NAMESPACE
