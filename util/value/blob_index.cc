#include "util/value/blob_index.h"

#include <cassert>

#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Kinds 0 and 2 have an expiry: only the stacked blob store wrote them.
constexpr char kBlobKind = 1;
constexpr size_t kLongest = 1 + 3 * 10 + 1;
static_assert(kBlobKind != 0, "kind 0 is a value stored in place");

Status Bad(const char* what, const Slice& bytes) {
  return Status::Corruption(std::string("blob reference: ") + what,
                            bytes.ToString(/*hex=*/true));
}

}  // namespace

void BlobIndex::EncodeTo(std::string* out) const {
  INVARIANT(file_number != 0);
  Encode(out);
}

void BlobIndex::EncodeEmbedded(std::string* out) const {
  INVARIANT(file_number == 0);
  INVARIANT(compression == kNoCompression);
  Encode(out);
}

void BlobIndex::Encode(std::string* out) const {
  INVARIANT(out != nullptr);
  out->assign(1, kBlobKind);
  PutVarint64(out, file_number);
  PutVarint64(out, offset);
  PutVarint64(out, size);
  out->push_back(static_cast<char>(compression));
  assert(out->size() <= kLongest);
}

Status BlobIndex::Decode(const Slice& bytes) {
  if (bytes.empty()) return Bad("is empty", bytes);
  if (bytes[0] != kBlobKind) {
    return Bad("is of a kind that cannot be here", bytes);
  }
  Slice rest(bytes.data() + 1, bytes.size() - 1);
  if (!GetVarint64(&rest, &file_number) || !GetVarint64(&rest, &offset) ||
      !GetVarint64(&rest, &size)) {
    return Bad("is cut short", bytes);
  }
  if (rest.size() != 1) {
    return Bad("has another length than its fields", bytes);
  }
  compression = static_cast<CompressionType>(rest[0]);
  assert(bytes.size() <= kLongest);
  return Status::OK();
}

Status BlobIndex::DecodeFrom(const Slice& bytes) {
  BlobIndex read;
  Status s = read.Decode(bytes);
  if (s.ok() && read.file_number == 0) s = Bad("names no file", bytes);
  if (s.ok()) *this = read;
  return s;
}

Status BlobIndex::DecodeEmbedded(const Slice& bytes) {
  BlobIndex read;
  Status s = read.Decode(bytes);
  if (s.ok() && read.file_number != 0) {
    s = Bad("names a file, where blobs are embedded", bytes);
  }
  if (s.ok() && read.compression != kNoCompression) {
    s = Bad("says that an embedded blob is compressed", bytes);
  }
  if (s.ok()) *this = read;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
