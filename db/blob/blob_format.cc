#include "db/blob/blob_format.h"

#include <cassert>

#include "util/coding.h"
#include "util/crc32c.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kMagic = 0x00248f37;
constexpr uint32_t kVersion = 1;
constexpr size_t kRecordSummedBytes = 24;
constexpr size_t kFooterSummedBytes = 28;
static_assert(kRecordSummedBytes + 2 * sizeof(uint32_t) ==
              BlobRecordHeader::kBytes);
static_assert(kFooterSummedBytes + sizeof(uint32_t) == BlobFileFooter::kBytes);

uint32_t MaskedCrc(const char* data, size_t n) {
  return crc32c::Mask(crc32c::Value(data, n));
}

Status BadCrc(const char* what, uint32_t stored, uint32_t computed) {
  return Status::Corruption(std::string(what) + ": checksum mismatch",
                            "stored " + std::to_string(stored) + ", computed " +
                                std::to_string(computed));
}

}  // namespace

void BlobFileHeader::EncodeTo(std::string* out) const {
  INVARIANT(out != nullptr);
  [[maybe_unused]] const size_t before = out->size();
  PutFixed32(out, kMagic);
  PutFixed32(out, kVersion);
  PutFixed32(out, column_family);
  out->push_back(0);
  out->push_back(static_cast<char>(compression));
  PutFixed64(out, 0);
  PutFixed64(out, 0);
  assert(out->size() == before + kBytes);
}

Status BlobFileHeader::DecodeFrom(const Slice& bytes) {
  if (bytes.size() != kBytes) {
    return Status::Corruption("blob file header: is cut short");
  }
  const char* p = bytes.data();
  if (DecodeFixed32(p) != kMagic) {
    return Status::Corruption("blob file header: no magic number");
  }
  if (const uint32_t version = DecodeFixed32(p + 4); version != kVersion) {
    return Status::Corruption("blob file header: unknown version",
                              std::to_string(version));
  }
  if (p[12] != 0) {
    return Status::Corruption("blob file header: flags that cannot be here",
                              std::to_string(p[12]));
  }
  if (DecodeFixed64(p + 14) != 0 || DecodeFixed64(p + 22) != 0) {
    return Status::Corruption("blob file header: has an expiry");
  }
  if (static_cast<uint8_t>(p[13]) > kZSTD) {
    return Status::Corruption(
        "blob file header: unknown compression",
        std::to_string(static_cast<unsigned>(static_cast<uint8_t>(p[13]))));
  }
  column_family = DecodeFixed32(p + 8);
  compression = static_cast<CompressionType>(p[13]);
  return Status::OK();
}

void BlobFileFooter::EncodeTo(std::string* out) const {
  INVARIANT(out != nullptr);
  const size_t before = out->size();
  PutFixed32(out, kMagic);
  PutFixed64(out, blob_count);
  PutFixed64(out, 0);
  PutFixed64(out, 0);
  assert(out->size() == before + kFooterSummedBytes);
  PutFixed32(out, MaskedCrc(out->data() + before, kFooterSummedBytes));
}

Status BlobFileFooter::DecodeFrom(const Slice& bytes) {
  if (bytes.size() != kBytes) {
    return Status::Corruption("blob file footer: is cut short");
  }
  const char* p = bytes.data();
  if (DecodeFixed32(p) != kMagic) {
    return Status::Corruption("blob file footer: no magic number");
  }
  const uint32_t stored = DecodeFixed32(p + kFooterSummedBytes);
  const uint32_t computed = MaskedCrc(p, kFooterSummedBytes);
  if (stored != computed) return BadCrc("blob file footer", stored, computed);
  if (DecodeFixed64(p + 12) != 0 || DecodeFixed64(p + 20) != 0) {
    return Status::Corruption("blob file footer: has an expiry");
  }
  blob_count = DecodeFixed64(p + 4);
  return Status::OK();
}

void BlobRecordHeader::Encode(const Slice& key, const Slice& stored,
                              std::string* out) {
  INVARIANT(out != nullptr);
  const size_t before = out->size();
  PutFixed64(out, key.size());
  PutFixed64(out, stored.size());
  PutFixed64(out, 0);
  PutFixed32(out, MaskedCrc(out->data() + before, kRecordSummedBytes));
  const uint32_t of_key = crc32c::Value(key.data(), key.size());
  PutFixed32(
      out, crc32c::Mask(crc32c::Extend(of_key, stored.data(), stored.size())));
  assert(out->size() == before + kBytes);
}

Status BlobRecordHeader::DecodeFrom(const Slice& bytes) {
  if (bytes.size() != kBytes) {
    return Status::Corruption("blob record: header is cut short");
  }
  const char* p = bytes.data();
  const uint32_t stored = DecodeFixed32(p + kRecordSummedBytes);
  const uint32_t computed = MaskedCrc(p, kRecordSummedBytes);
  if (stored != computed) return BadCrc("blob record header", stored, computed);
  key_size = DecodeFixed64(p);
  value_size = DecodeFixed64(p + 8);
  blob_crc = DecodeFixed32(p + 28);
  return Status::OK();
}

Status CheckBlobRecord(const Slice& record, const Slice& user_key,
                       uint64_t value_size) {
  if (record.size() != BlobValueOffset(user_key.size()) + value_size) {
    return Status::Corruption("blob record: is cut short");
  }
  BlobRecordHeader header;
  constexpr size_t kHeader = BlobRecordHeader::kBytes;
  Status s = header.DecodeFrom(Slice(record.data(), kHeader));
  if (!s.ok()) return s;
  if (header.key_size != user_key.size() || header.value_size != value_size) {
    return Status::Corruption(
        "blob record: other sizes than its reference says",
        std::to_string(header.key_size) + " and " +
            std::to_string(header.value_size) + ", expected " +
            std::to_string(user_key.size()) + " and " +
            std::to_string(value_size));
  }
  if (Slice(record.data() + kHeader, user_key.size()) != user_key) {
    return Status::Corruption("blob record: belongs to another key");
  }
  assert(record.size() >= kHeader);
  const uint32_t computed =
      MaskedCrc(record.data() + kHeader, record.size() - kHeader);
  if (header.blob_crc != computed) {
    return BadCrc("blob record", header.blob_crc, computed);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
