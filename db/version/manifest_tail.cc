#include "db/version/manifest_tail.h"

#include <algorithm>
#include <memory>

#include "db/wal/log_format.h"
#include "file/sequential_file_reader.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kLengthOffset = 4;
constexpr size_t kTypeOffset = 6;
static_assert(kTypeOffset + 1 == log::kHeaderSize);

// What a physical record's bytes say, from its header to the end of its block
// or of the file.
class TailRecord {
 public:
  explicit TailRecord(const Slice& bytes) : bytes_(bytes) {
    INVARIANT(bytes.size() >= log::kHeaderSize);
  }
  size_t length() const {
    const auto* raw = reinterpret_cast<const unsigned char*>(bytes_.data());
    return raw[kLengthOffset] | raw[kLengthOffset + 1] << 8;
  }
  bool IsZero() const { return bytes_[kTypeOffset] == 0 && length() == 0; }
  uint32_t stored_crc() const { return DecodeFixed32(bytes_.data()); }
  size_t room() const { return bytes_.size() - log::kHeaderSize; }
  // The record is whole and right, if it has this many bytes.
  bool FitsLength(size_t length) const {
    if (length > room()) return false;
    const uint32_t crc = crc32c::Value(bytes_.data() + kTypeOffset, 1 + length);
    return crc32c::Mask(crc) == stored_crc();
  }
  // One byte of the length is wrong: with another in its place the checksum
  // is right. A record that was cut short passes by chance once in ten
  // million times.
  bool HasDamagedLength() const {
    for (size_t byte = 0; byte < 256; ++byte) {
      if (FitsLength((length() & 0xff00) | byte)) return true;
      if (FitsLength((length() & 0x00ff) | byte << 8)) return true;
    }
    return false;
  }

 private:
  const Slice bytes_;
};

Status Damaged(uint64_t offset, const char* what) {
  assert(what != nullptr);
  return Status::Corruption("at offset " + std::to_string(offset), what);
}

Status CheckRecords(const Slice& tail, uint64_t begin) {
  size_t at = 0;
  while (at < tail.size()) {
    assert(begin + at >= begin);
    const uint64_t offset = begin + at;
    const size_t left_in_block =
        log::kBlockSize - static_cast<size_t>(offset % log::kBlockSize);
    const size_t left = std::min(left_in_block, tail.size() - at);
    if (left < log::kHeaderSize) {
      at += left;  // Padding, or a header that is cut short.
      continue;
    }
    const TailRecord record(Slice(tail.data() + at, left));
    if (record.IsZero()) {
      // Room that was set aside is all zeros.
      if (record.stored_crc() != 0) {
        return Damaged(offset, "a record of no type");
      }
      at += left;
      continue;
    }
    if (record.FitsLength(record.length())) {
      at += log::kHeaderSize + record.length();
      continue;
    }
    if (record.length() <= record.room()) {
      return Damaged(offset, "checksum mismatch");
    }
    if (record.HasDamagedLength()) {
      return Damaged(offset, "the length of a record is damaged");
    }
    return Status::OK();  // Cut short: nothing follows.
  }
  return Status::OK();
}

}  // namespace

Status CheckManifestTail(FileSystem* fs, const std::string& path,
                         uint64_t begin) {
  INVARIANT(fs != nullptr);
  uint64_t size = 0;
  Status s = fs->GetFileSize(path, IOOptions(), &size, nullptr);
  if (!s.ok() || size <= begin) return s;
  std::unique_ptr<SequentialFileReader> file;
  s = SequentialFileReader::Create(
      fs, path, fs->OptimizeForManifestRead(FileOptions()), &file);
  if (s.ok()) INVARIANT(file != nullptr);
  if (s.ok()) s = file->Skip(begin);
  // An unfinished record is some blocks at most; more is not looked at.
  constexpr uint64_t kMaxTailBytes = 64 << 20;
  std::string bytes(std::min(size - begin, kMaxTailBytes), '\0');
  Slice tail;
  if (s.ok()) s = file->Read(bytes.size(), &tail, bytes.data());
  if (!s.ok()) return s;
  INVARIANT(tail.size() <= bytes.size());
  return CheckRecords(tail, begin);
}

}  // namespace ROCKSDB_NAMESPACE
