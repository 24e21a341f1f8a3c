#include "db/blob/blob_index.h"

#include <cassert>

#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Kinds 0 and 2 have an expiry: only the stacked blob store wrote them.
constexpr char kBlobKind = 1;
constexpr size_t kLongest = 1 + 3 * 10 + 1;
static_assert(kBlobKind != 0, "kind 0 is a value stored in place");

}  // namespace

void BlobIndex::EncodeTo(std::string* out) const {
  INVARIANT(out != nullptr);
  INVARIANT(file_number != 0);
  out->assign(1, kBlobKind);
  PutVarint64(out, file_number);
  PutVarint64(out, offset);
  PutVarint64(out, size);
  out->push_back(static_cast<char>(compression));
  assert(out->size() <= kLongest);
}

Status BlobIndex::DecodeFrom(const Slice& bytes) {
  const auto bad = [&bytes](const char* what) {
    return Status::Corruption(std::string("blob reference: ") + what,
                              bytes.ToString(/*hex=*/true));
  };
  if (bytes.empty()) return bad("is empty");
  if (bytes[0] != kBlobKind) return bad("is of a kind that cannot be here");
  Slice rest(bytes.data() + 1, bytes.size() - 1);
  BlobIndex read;
  if (!GetVarint64(&rest, &read.file_number) ||
      !GetVarint64(&rest, &read.offset) || !GetVarint64(&rest, &read.size)) {
    return bad("is cut short");
  }
  if (rest.size() != 1) return bad("has another length than its fields");
  if (read.file_number == 0) return bad("names no file");
  read.compression = static_cast<CompressionType>(rest[0]);
  assert(bytes.size() <= kLongest);
  *this = read;
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
