#include "rocksdb/slice.h"

#include <utility>

#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Slice::Slice(const SliceParts& parts, std::string* buf) {
  size_t length = 0;
  for (int i = 0; i < parts.num_parts; ++i) length += parts.parts[i].size();
  buf->clear();
  buf->reserve(length);
  for (int i = 0; i < parts.num_parts; ++i) {
    buf->append(parts.parts[i].data(), parts.parts[i].size());
  }
  data_ = buf->data();
  size_ = buf->size();
}

std::string Slice::ToString(bool hex) const {
  return hex ? ToHex(*this) : std::string(data_, size_);
}

bool Slice::DecodeHex(std::string* result) const {
  if (size_ % 2 != 0) return false;
  std::string bytes;
  bytes.reserve(size_ / 2);
  for (size_t i = 0; i < size_; i += 2) {
    const int high = HexDigit(data_[i]);
    const int low = HexDigit(data_[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<char>((high << 4) | low));
  }
  *result = std::move(bytes);
  return true;
}

PinnableSlice::PinnableSlice(PinnableSlice&& other) noexcept : PinnableSlice() {
  *this = std::move(other);
}

PinnableSlice& PinnableSlice::operator=(PinnableSlice&& other) noexcept {
  if (this == &other) return *this;
  Cleanable::operator=(std::move(static_cast<Cleanable&>(other)));
  pinned_ = other.pinned_;
  data_ = other.data_;
  size_ = other.size_;
  if (other.buf_ == &other.self_space_) {
    const bool is_own = !pinned_ && data_ == other.self_space_.data();
    self_space_ = std::move(other.self_space_);
    buf_ = &self_space_;
    // Short strings live inside the object and so have moved.
    if (is_own) data_ = self_space_.data();
  } else {
    buf_ = other.buf_;
  }
  other.self_space_.clear();
  other.buf_ = &other.self_space_;
  other.Reset();
  return *this;
}

}  // namespace ROCKSDB_NAMESPACE
