#include "table/block_writer.h"

#include <algorithm>
#include <cassert>

#include "file/writable_file_writer.h"

namespace ROCKSDB_NAMESPACE {

Status BlockWriter::Append(const Slice& bytes) {
  if (!status_.ok()) return status_;
  status_ = file_->Append(bytes);
  if (status_.ok()) offset_ += bytes.size();
  assert(!status_.ok() || offset_ <= file_->GetFileSize());
  return status_;
}

Status BlockWriter::WriteBlock(const Slice& payload, CompressionType type,
                               BlockHandle* handle) {
  assert(type != kDisableCompressionOption);
  if (payload.size() > UINT32_MAX) [[unlikely]] {
    // No reader would take it.
    return Status::InvalidArgument("a block of more than 4 GiB");
  }
  const BlockHandle result{.offset = offset_, .size = payload.size()};
  char trailer[kBlockTrailerBytes];
  trailer[0] = static_cast<char>(type);
  EncodeFixed32(trailer + 1,
                footer_.TrailerChecksum(payload.data(), payload.size(),
                                        trailer[0], offset_));
  Status s = Append(payload);
  if (s.ok()) s = Append(Slice(trailer, sizeof(trailer)));
  if (s.ok()) {
    assert(offset_ == result.end_with_trailer());
    *handle = result;
  }
  return s;
}

Status BlockWriter::Pad(size_t bytes) {
  static constexpr char kZeros[512] = {};
  Status s;
  while (bytes > 0 && s.ok()) {
    const size_t n = std::min(bytes, sizeof(kZeros));
    s = Append(Slice(kZeros, n));
    bytes -= n;
  }
  assert(!s.ok() || bytes == 0);
  return s;
}

Status BlockWriter::WriteFooter(const BlockHandle& metaindex,
                                const BlockHandle& index) {
  assert(!metaindex.IsNull());
  assert(metaindex.end_with_trailer() == offset_);
  footer_.metaindex = metaindex;
  footer_.index = index;
  std::string bytes;
  footer_.EncodeTo(offset_, &bytes);
  assert(bytes.size() == Footer::kBytes);
  return Append(bytes);
}

}  // namespace ROCKSDB_NAMESPACE
