#include "tools/ldb/blob_dump.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <vector>

#include "db/blob/blob_format.h"
#include "rocksdb/convenience.h"
#include "tools/ldb/blob_expiry.h"
#include "tools/ldb/command.h"
#include "tools/ldb/json_pairs.h"
#include "util/builtin_compression.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kBytesOfDetailLine = 16;
constexpr size_t kTextColumn = 65;
constexpr size_t kDigitsColumn = 15;

std::string DetailText(const Slice& bytes) {
  std::string text;
  for (size_t begin = 0; begin < bytes.size(); begin += kBytesOfDetailLine) {
    const size_t end = std::min(begin + kBytesOfDetailLine, bytes.size());
    std::string line(begin == 0 ? 0 : kDigitsColumn, ' ');
    std::string printable;
    for (size_t i = begin; i < end; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[i]);
      char digits[4];
      std::snprintf(digits, sizeof(digits), "%02X ", byte);
      line += digits;
      printable += byte >= 0x20 && byte < 0x7f ? bytes[i] : '.';
    }
    const size_t column = line.size() + (begin == 0 ? kDigitsColumn : 0);
    if (column < kTextColumn) line.append(kTextColumn - column, ' ');
    text += line + printable;
    if (end < bytes.size()) text += '\n';
  }
  return text;
}

std::string ShownBlob(const Slice& bytes, BlobDisplay how) {
  switch (how) {
    case BlobDisplay::kHex:
      return bytes.ToString(true);
    case BlobDisplay::kDetail:
      return DetailText(bytes);
    case BlobDisplay::kPlain:
    case BlobDisplay::kNone:
      break;
  }
  return bytes.ToString();
}

class BlobFilePrinter {
 public:
  explicit BlobFilePrinter(const BlobDump& dump) : dump_(dump) {}

  Status Run() {
    Status s = dump_.env->GetFileSize(dump_.path, &size_);
    if (!s.ok()) return Status::NotFound();
    if (size_ == 0) return Status::Corruption("File is empty.");
    s = dump_.env->NewRandomAccessFile(dump_.path, &file_, EnvOptions());
    if (s.ok()) s = ShowHeader();
    uint64_t end = 0;
    if (s.ok()) s = ShowFooter(&end);
    for (uint64_t offset = BlobFileHeader::kBytes; s.ok() && offset < end;) {
      s = ShowRecord(&offset, end);
    }
    if (s.ok() && dump_.has_summary && !dump_.as_json) ShowSummary();
    return s;
  }

 private:
  Status Read(uint64_t offset, uint64_t size, std::string* bytes) {
    // Sizes come from the file: none is allocated before it is known to fit.
    if (offset > size_ || size > size_ - offset) {
      return Status::Corruption(
          dump_.path, "offset " + std::to_string(offset) + ": " +
                          std::to_string(size) +
                          " bytes are expected, and the file ends before");
    }
    bytes->resize(size);
    Slice read;
    const Status s = file_->Read(offset, size, &read, bytes->data());
    if (!s.ok()) return s;
    if (read.size() != size)
      return Status::Corruption(dump_.path, "read short");
    if (read.data() != bytes->data()) bytes->assign(read.data(), read.size());
    return s;
  }

  Status ShowHeader() {
    std::string bytes;
    Status s = Read(0, BlobFileHeader::kBytes, &bytes);
    const std::optional<BlobExpiryRange> expiry = TakeHeaderExpiry(&bytes);
    BlobFileHeader header;
    if (s.ok()) s = header.DecodeFrom(bytes);
    if (!s.ok()) return s;
    compression_ = header.compression;
    std::string codec;
    s = GetStringFromCompressionType(&codec, compression_);
    if (!s.ok()) return s;
    PrintForPeople(
        "Blob log header:\n  Version          : 1\n  Column Family ID : " +
        std::to_string(header.column_family) + "\n  Compression      : " +
        codec + "\n  Expiration range : " + ExpiryText(expiry));
    has_expiry_ = expiry.has_value();
    if (compression_ != kNoCompression) {
      decompressor_ = GetBuiltinV2CompressionManager()->GetDecompressor();
    }
    return s;
  }

  // *end: of the records.
  Status ShowFooter(uint64_t* end) {
    *end = size_;
    std::string bytes;
    BlobFileFooter footer;
    std::optional<BlobExpiryRange> expiry;
    bool has_footer =
        size_ >= BlobFileHeader::kBytes + BlobFileFooter::kBytes &&
        Read(size_ - BlobFileFooter::kBytes, BlobFileFooter::kBytes, &bytes)
            .ok();
    if (has_footer && has_expiry_) expiry = TakeFooterExpiry(&bytes);
    has_footer = has_footer && footer.DecodeFrom(bytes).ok();
    if (!has_footer) {
      PrintForPeople("No blob log footer.");
      return Status::OK();
    }
    *end = size_ - BlobFileFooter::kBytes;
    PrintForPeople("Blob log footer:\n  Blob count       : " +
                   std::to_string(footer.blob_count) +
                   "\n  Expiration Range : " + ExpiryText(expiry));
    return Status::OK();
  }

  Status ShowRecord(uint64_t* offset, uint64_t end) {
    std::string bytes;
    Status s = Read(*offset, BlobRecordHeader::kBytes, &bytes);
    if (!s.ok()) return s;
    const uint64_t expiry = has_expiry_ ? TakeRecordExpiry(&bytes) : 0;
    BlobRecordHeader header;
    if (s = header.DecodeFrom(bytes); !s.ok()) {
      return Status::CopyAppendMessage(
          s, " at offset ", std::to_string(*offset) + " of " + dump_.path);
    }
    const uint64_t begin = *offset + BlobRecordHeader::kBytes;
    if (header.key_size > end - begin ||
        header.value_size > end - begin - header.key_size) {
      return Status::Corruption(dump_.path, "record at offset " +
                                                std::to_string(*offset) +
                                                " is longer than the file");
    }
    s = Read(begin, header.key_size + header.value_size, &bytes);
    if (!s.ok()) return s;
    const Slice key(bytes.data(), header.key_size);
    const Slice blob(bytes.data() + header.key_size, header.value_size);
    std::string raw;
    if (decompressor_ != nullptr) s = Uncompress(blob, &raw);
    if (!s.ok()) return s;
    ++record_count_;
    key_bytes_ += key.size();
    blob_bytes_ += blob.size();
    raw_bytes_ += raw.size();
    Show({*offset, expiry, key, blob, raw});
    *offset = begin + header.key_size + header.value_size;
    return s;
  }

  Status Uncompress(const Slice& blob, std::string* raw) const {
    return ExpandInto(decompressor_.get(), compression_, blob, raw);
  }

  struct Record {
    uint64_t offset = 0;
    uint64_t expiry = 0;
    Slice key;
    Slice blob;
    Slice raw;
  };

  void PrintForPeople(const std::string& line) const {
    if (!dump_.as_json) PrintLine(line);
  }

  void ShowAsJson(const Record& record) const {
    JsonObject object;
    object.Add("file", dump_.path).Add("offset", record.offset);
    object.Add("expiration", record.expiry);
    AddBytes(&object, "key", record.key);
    AddBytes(&object, "blob",
             decompressor_ != nullptr ? record.raw : record.blob);
    object.Add("stored_bytes", record.blob.size());
    PrintLine(object.Text());
  }

  void Show(const Record& record) const {
    if (dump_.as_json) return ShowAsJson(record);
    if (dump_.keys == BlobDisplay::kNone) return;
    char where[64];
    std::snprintf(where, sizeof(where),
                  "0x%" PRIx64 " (%" PRIu64 "):", record.offset, record.offset);
    PrintLine(std::string("Read record with offset ") + where +
              "\n  key size   : " + std::to_string(record.key.size()) +
              "\n  value size : " + std::to_string(record.blob.size()) +
              "\n  expiration : " + std::to_string(record.expiry) +
              "\n  key        : " + ShownBlob(record.key, dump_.keys));
    if (dump_.blobs != BlobDisplay::kNone) {
      PrintLine("  blob       : " + ShownBlob(record.blob, dump_.blobs));
    }
    if (dump_.raw_blobs != BlobDisplay::kNone) {
      PrintLine("  raw blob   : " + ShownBlob(record.raw, dump_.raw_blobs));
    }
  }

  void ShowSummary() const {
    PrintLine("Summary:\n  total records: " + std::to_string(record_count_) +
              "\n  total key size: " + std::to_string(key_bytes_) +
              "\n  total blob size: " + std::to_string(blob_bytes_));
    if (decompressor_ != nullptr) {
      PrintLine("  total raw blob size: " + std::to_string(raw_bytes_));
    }
  }

  const BlobDump& dump_;
  std::unique_ptr<RandomAccessFile> file_;
  uint64_t size_ = 0;
  CompressionType compression_ = kNoCompression;
  bool has_expiry_ = false;
  std::shared_ptr<Decompressor> decompressor_;  // null: not compressed
  uint64_t record_count_ = 0;
  uint64_t key_bytes_ = 0;
  uint64_t blob_bytes_ = 0;
  uint64_t raw_bytes_ = 0;
};

}  // namespace

Status DumpBlobFile(const BlobDump& dump) {
  return BlobFilePrinter(dump).Run();
}

}  // namespace ROCKSDB_NAMESPACE
