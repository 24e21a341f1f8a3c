#include "db/manifest/manifest_tail.h"

#include <algorithm>
#include <array>
#include <bit>
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

// What a device writes whole.
constexpr uint64_t kSectorBytes = 512;

// The checksum's step over a byte of zero, taken back: `by_top[state >> 24]` is
// the low byte of the state before.
struct Crc32cSteps {
  std::array<uint32_t, 256> forward{};
  std::array<uint8_t, 256> by_top{};
};

constexpr Crc32cSteps MakeCrc32cSteps() {
  constexpr uint32_t kPolynomial = 0x82f63b78;
  Crc32cSteps steps;
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? crc >> 1 ^ kPolynomial : crc >> 1;
    }
    steps.forward[byte] = crc;
    steps.by_top[crc >> 24] = static_cast<uint8_t>(byte);
  }
  return steps;
}

constexpr Crc32cSteps kCrc32cSteps = MakeCrc32cSteps();

uint32_t StepBack(uint32_t state) {
  const uint8_t low = kCrc32cSteps.by_top[state >> 24];
  return (state ^ kCrc32cSteps.forward[low]) << 8 | low;
}

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
  // One byte of what the checksum covers, or of the checksum itself, is wrong.
  // Another record passes by chance, by its length, once in ten thousand times.
  // A byte behind `lost_from` that has more than a bit too few is lost rather.
  bool HasDamagedByte(size_t lost_from) const {
    assert(length() <= room());
    const uint32_t actual =
        crc32c::Value(bytes_.data() + kTypeOffset, 1 + length());
    const uint32_t masked = crc32c::Mask(actual) ^ stored_crc();
    for (int shift = 0; shift < 32; shift += 8) {
      if ((masked & ~(uint32_t{0xff} << shift)) == 0) return true;
    }
    // What the byte would have changed, followed back from the end.
    uint32_t state = actual ^ crc32c::Unmask(stored_crc());
    for (size_t i = 0; i <= length(); ++i) {
      state = StepBack(state);
      if (state > 0xff) continue;
      const size_t at = kTypeOffset + length() - i;
      return at < lost_from || std::popcount(state) == 1;
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

bool IsZeros(const Slice& bytes) {
  return std::all_of(bytes.data(), bytes.data() + bytes.size(),
                     [](char c) { return c == 0; });
}

// The length of the file has outlived a power failure, and so have the first
// sectors of its last record, which begins at `offset`; the others are zeros.
// Not so if the file ends inside the record: that is another way to be cut.
bool LostItsLastSectors(const TailRecord& record, const Slice& rest,
                        uint64_t offset) {
  size_t used = rest.size();
  while (used > 0 && rest[used - 1] == 0) --used;
  const uint64_t cut =
      (offset + used + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
  if (cut >= offset + rest.size()) return false;
  if (cut < offset + log::kHeaderSize) {
    // One byte may be a flipped one in room that was set aside, unless it is
    // all that there is place for in its sector.
    if (cut == offset + 1) return true;
    const auto zeros = std::count(rest.data(), rest.data() + used, '\0');
    return used - static_cast<size_t>(zeros) > 1;
  }
  return record.length() <= record.room() &&
         cut < offset + log::kHeaderSize + record.length() &&
         !record.HasDamagedLength() &&
         !record.HasDamagedByte(static_cast<size_t>(cut - offset));
}

Status CheckRecords(const Slice& tail, uint64_t begin, bool* is_torn) {
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
    const Slice rest(tail.data() + at, tail.size() - at);
    const TailRecord record(Slice(rest.data(), left));
    if (record.IsZero() && record.stored_crc() == 0) {
      // Room that was set aside is all zeros.
      *is_torn = IsZeros(rest);
      at += left;
      continue;
    }
    if (!record.IsZero() && record.FitsLength(record.length())) {
      at += log::kHeaderSize + record.length();
      continue;
    }
    *is_torn = LostItsLastSectors(record, rest, offset);
    if (*is_torn) return Status::OK();
    if (record.IsZero()) return Damaged(offset, "a record of no type");
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
                         uint64_t begin, bool* is_torn) {
  INVARIANT(fs != nullptr);
  INVARIANT(is_torn != nullptr);
  *is_torn = false;
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
  return CheckRecords(tail, begin, is_torn);
}

}  // namespace ROCKSDB_NAMESPACE
