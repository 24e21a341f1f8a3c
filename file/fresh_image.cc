#include "file/fresh_image.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class FreshFile final : public FSRandomAccessFile {
 public:
  explicit FreshFile(std::shared_ptr<const FreshImage> image)
      : image_(std::move(image)) {
    INVARIANT(image_ != nullptr);
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& /*options*/,
                Slice* result, char* scratch,
                IODebugContext* /*dbg*/) const override {
    *result = image_->Read(offset, n, scratch);
    return IOStatus::OK();
  }
  IOStatus GetFileSize(uint64_t* size) override {
    *size = image_->size();
    return IOStatus::OK();
  }

 private:
  const std::shared_ptr<const FreshImage> image_;
};

}  // namespace

void FreshImage::Append(const Slice& data) {
  size_t done = 0;
  while (done < data.size()) {
    const size_t at = size_ % kChunkBytes;
    if (at == 0) chunks_.push_back(std::make_unique<char[]>(kChunkBytes));
    const size_t n = std::min(data.size() - done, kChunkBytes - at);
    memcpy(chunks_.back().get() + at, data.data() + done, n);
    size_ += n;
    done += n;
  }
  assert(size_ <= chunks_.size() * kChunkBytes);
}

Slice FreshImage::Read(uint64_t offset, size_t n, char* scratch) const {
  if (offset >= size_) return Slice(scratch, 0);
  n = static_cast<size_t>(std::min<uint64_t>(n, size_ - offset));
  size_t done = 0;
  while (done < n) {
    const uint64_t from = offset + done;
    const size_t at = from % kChunkBytes;
    const size_t part = std::min(n - done, kChunkBytes - at);
    assert(from / kChunkBytes < chunks_.size());
    memcpy(scratch + done, chunks_[from / kChunkBytes].get() + at, part);
    done += part;
  }
  return Slice(scratch, n);
}

std::unique_ptr<FSRandomAccessFile> NewFreshFile(
    std::shared_ptr<const FreshImage> image) {
  return std::make_unique<FreshFile>(std::move(image));
}

}  // namespace ROCKSDB_NAMESPACE
