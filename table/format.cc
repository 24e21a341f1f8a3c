#include "table/format.h"

#include <cassert>
#include <cstring>

#include "util/block_checksum.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kExtendedMagic[4] = {0x3e, 0x00, 0x7a, 0x00};
constexpr size_t kHandlesBytes = 40;
constexpr size_t kExtendedMagicAt = 1;
constexpr size_t kFooterChecksumAt = 5;
constexpr size_t kBaseContextAt = 9;
constexpr size_t kMetaindexSizeAt = 13;
constexpr size_t kReservedAt = 33;
constexpr size_t kReservedBytes = 8;
constexpr size_t kVersionAt = 41;
constexpr size_t kMagicAt = 45;
static_assert(kMagicAt + 8 == Footer::kBytes);
static_assert(kVersionAt + 4 == kMagicAt);
static_assert(kReservedAt + kReservedBytes == kVersionAt);
static_assert(kMetaindexSizeAt + 4 + 16 == kReservedAt);
static_assert(1 + kHandlesBytes == kVersionAt);
static_assert(2 * BlockHandle::kMaxEncodedBytes <= kHandlesBytes);
static_assert(kHandlesBytes + 8 == Footer::kLegacyBytes);

// The checksum of the footer's bytes; their checksum field counts as zero.
uint32_t FooterChecksum(const Footer& footer, std::string bytes,
                        uint64_t footer_offset) {
  assert(bytes.size() == Footer::kBytes);
  memset(bytes.data() + kFooterChecksumAt, 0, sizeof(uint32_t));
  const size_t payload = bytes.size() - 1;
  return BlockChecksum(footer.checksum, bytes.data(), payload, bytes[payload]) +
         ChecksumModifier(footer.base_context_checksum, footer_offset);
}

Status DecodeHandles(Slice input, uint64_t file_size, uint64_t footer_offset,
                     const std::string& file, Footer* footer) {
  assert(input.size() == kHandlesBytes);
  assert(footer_offset < file_size);
  if (!footer->metaindex.DecodeFrom(&input) ||
      !footer->index.DecodeFrom(&input)) {
    return CorruptTable(file, footer_offset, "footer: bad block handle");
  }
  if (!footer->metaindex.FitsBefore(footer_offset) ||
      !footer->index.FitsBefore(footer_offset)) {
    return CorruptTable(file, footer_offset,
                        "footer: metaindex " + footer->metaindex.ToString() +
                            " or index " + footer->index.ToString() +
                            " outside the file of " +
                            std::to_string(file_size) + " bytes");
  }
  return Status::OK();
}

Status DecodeContext(const Slice& bytes, uint64_t footer_offset,
                     const std::string& file, Footer* footer) {
  assert(bytes.size() == Footer::kBytes);
  const char* p = bytes.data();
  if (memcmp(p + kExtendedMagicAt, kExtendedMagic, 4) != 0) {
    return CorruptTable(file, footer_offset, "footer: bad extended magic");
  }
  footer->base_context_checksum = DecodeFixed32(p + kBaseContextAt);
  if (footer->base_context_checksum == 0) {
    return CorruptTable(file, footer_offset,
                        "footer: base context checksum is zero");
  }
  const uint32_t stored = DecodeFixed32(p + kFooterChecksumAt);
  const uint32_t computed =
      FooterChecksum(*footer, bytes.ToString(), footer_offset);
  if (stored != computed) {
    return CorruptTable(file, footer_offset,
                        "footer: checksum is " + std::to_string(stored) +
                            ", expected " + std::to_string(computed));
  }
  for (size_t i = 0; i < kReservedBytes; ++i) {
    if (p[kReservedAt + i] != 0) {
      return Status::NotSupported(file,
                                  "footer uses a feature of a newer release");
    }
  }
  footer->metaindex.size = DecodeFixed32(p + kMetaindexSizeAt);
  const uint64_t bytes_before = footer->metaindex.size + kBlockTrailerBytes;
  if (bytes_before > footer_offset) {
    return CorruptTable(file, footer_offset,
                        "footer: metaindex block of " +
                            std::to_string(footer->metaindex.size) +
                            " bytes is larger than the file");
  }
  footer->metaindex.offset = footer_offset - bytes_before;
  assert(footer->metaindex.end_with_trailer() == footer_offset);
  footer->index = BlockHandle();
  return Status::OK();
}

Status CheckMagic(uint64_t magic, const std::string& file) {
  switch (magic) {
    case kBlockBasedTableMagic:
    case kLegacyBlockBasedTableMagic:
      return Status::OK();
    case kPlainTableMagic:
    case kLegacyPlainTableMagic:
      return Status::NotSupported(file, "PlainTable");
    case kCuckooTableMagic:
      return Status::NotSupported(file, "CuckooTable");
    default:
      return Status::Corruption("Bad table magic number: expected " +
                                std::to_string(kBlockBasedTableMagic) +
                                ", found " + std::to_string(magic) + " in " +
                                file);
  }
}

}  // namespace

std::string BlockHandle::ToString() const {
  return "(offset " + std::to_string(offset) + ", size " +
         std::to_string(size) + ")";
}

Status CorruptTable(const std::string& file, uint64_t offset,
                    const std::string& what) {
  return Status::Corruption(
      file, "at offset " + std::to_string(offset) + ": " + what);
}

Status Footer::DecodeFrom(const Slice& tail, uint64_t file_size,
                          const std::string& file) {
  if (file_size < kLegacyBytes || tail.size() < kLegacyBytes) {
    return Status::Corruption("file is too short (" +
                                  std::to_string(file_size) +
                                  " bytes) to be an sstable",
                              file + ": expected at least " +
                                  std::to_string(kLegacyBytes) + " bytes");
  }
  assert(tail.size() <= file_size);
  const uint64_t magic = DecodeFixed64(tail.data() + tail.size() - 8);
  if (Status s = CheckMagic(magic, file); !s.ok()) return s;

  Footer result;
  if (magic == kLegacyBlockBasedTableMagic) {
    result.format_version = 0;
    result.checksum = kCRC32c;
    const Slice handles(tail.data() + tail.size() - kLegacyBytes,
                        kHandlesBytes);
    Status s = DecodeHandles(handles, file_size, file_size - kLegacyBytes, file,
                             &result);
    if (s.ok()) *this = result;
    return s;
  }
  if (tail.size() < kBytes) {
    return CorruptTable(file, 0, "file is too short for its footer");
  }
  const Slice bytes(tail.data() + tail.size() - kBytes, kBytes);
  const uint64_t footer_offset = file_size - kBytes;
  result.format_version = DecodeFixed32(bytes.data() + kVersionAt);
  if (result.format_version == 0 ||
      result.format_version > kLatestFormatVersion) {
    return CorruptTable(file, footer_offset + kVersionAt,
                        "corrupt or unsupported format_version: " +
                            std::to_string(result.format_version) + "; up to " +
                            std::to_string(kLatestFormatVersion) +
                            " can be read, a later release may have more");
  }
  const auto checksum_type = static_cast<uint8_t>(bytes[0]);
  if (!IsKnownChecksumType(checksum_type)) {
    return CorruptTable(
        file, footer_offset,
        "unknown checksum type " + std::to_string(checksum_type));
  }
  result.checksum = static_cast<ChecksumType>(checksum_type);
  Status s;
  if (result.format_version >= kFirstContextChecksumVersion) {
    s = DecodeContext(bytes, footer_offset, file, &result);
  } else {
    const Slice handles(bytes.data() + 1, kHandlesBytes);
    s = DecodeHandles(handles, file_size, footer_offset, file, &result);
  }
  if (s.ok()) *this = result;
  return s;
}

void Footer::EncodeTo(uint64_t footer_offset, std::string* out) const {
  INVARIANT(format_version >= 1 && format_version <= kLatestFormatVersion);
  std::string bytes;
  bytes.push_back(static_cast<char>(checksum));
  if (format_version < kFirstContextChecksumVersion) {
    assert(base_context_checksum == 0);
    metaindex.EncodeTo(&bytes);
    index.EncodeTo(&bytes);
    INVARIANT(bytes.size() <= 1 + kHandlesBytes);
    bytes.resize(1 + kHandlesBytes);
  } else {
    INVARIANT(base_context_checksum != 0);
    INVARIANT(metaindex.end_with_trailer() == footer_offset);
    INVARIANT(metaindex.size <= UINT32_MAX);
    bytes.append(kExtendedMagic, sizeof(kExtendedMagic));
    PutFixed32(&bytes, 0);
    PutFixed32(&bytes, base_context_checksum);
    PutFixed32(&bytes, static_cast<uint32_t>(metaindex.size));
    bytes.resize(kVersionAt);
  }
  PutFixed32(&bytes, format_version);
  PutFixed64(&bytes, kBlockBasedTableMagic);
  assert(bytes.size() == kBytes);
  if (format_version >= kFirstContextChecksumVersion) {
    const uint32_t value = FooterChecksum(*this, bytes, footer_offset);
    EncodeFixed32(bytes.data() + kFooterChecksumAt, value);
  }
  out->append(bytes);
}

uint32_t Footer::TrailerChecksum(const char* payload, size_t size, char type,
                                 uint64_t offset) const {
  assert(format_version >= kFirstContextChecksumVersion ||
         base_context_checksum == 0);
  return BlockChecksum(checksum, payload, size, type) +
         ChecksumModifier(base_context_checksum, offset);
}

}  // namespace ROCKSDB_NAMESPACE
