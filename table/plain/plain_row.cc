#include "table/plain/plain_row.h"

#include <cassert>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint8_t kSizeMask = 0x3f;
constexpr char kPlainValueMark = static_cast<char>(0xff);
constexpr uint64_t kPlainValueTrailer = kTypeValue;
static_assert(kTypeValue != 0xff, "else a mark would begin a whole trailer");

bool TakeBytes(size_t n, Slice* input, Slice* bytes) {
  if (input->size() < n) return false;
  *bytes = Slice(input->data(), n);
  input->remove_prefix(n);
  return true;
}

bool TakePart(Slice* input, PlainKeyPart* part, uint32_t* size) {
  Slice control;
  if (!TakeBytes(1, input, &control)) return false;
  const auto byte = static_cast<uint8_t>(control[0]);
  const uint8_t kind = byte >> 6;
  if (kind > static_cast<uint8_t>(PlainKeyPart::kSuffix)) return false;
  *part = static_cast<PlainKeyPart>(kind);
  *size = byte & kSizeMask;
  if (*size < kSizeMask) return true;
  uint32_t more = 0;
  if (!GetVarint32(input, &more) || more > UINT32_MAX - kSizeMask) return false;
  *size += more;
  return true;
}

}  // namespace

void AppendPlainKeyPart(PlainKeyPart part, uint32_t size, std::string* row) {
  assert(row != nullptr);
  const auto kind = static_cast<uint8_t>(static_cast<uint8_t>(part) << 6);
  if (size < kSizeMask) {
    row->push_back(static_cast<char>(kind | size));
    return;
  }
  row->push_back(static_cast<char>(kind | kSizeMask));
  PutVarint32(row, size - kSizeMask);
}

void AppendPlainTrailer(const Slice& internal_key, std::string* row) {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  const uint64_t trailer = ExtractTrailer(internal_key);
  if (trailer == kPlainValueTrailer) {
    row->push_back(kPlainValueMark);
  } else {
    PutFixed64(row, trailer);
  }
}

void PlainRowCursor::SeekTo(uint64_t offset) {
  assert(offset <= rows_.size());
  offset_ = offset;
  problem_ = nullptr;
  full_key_ = Slice();
  prefix_size_ = 0;
  ParseRow();
  if (is_valid_ && !has_full_key_) {
    is_valid_ = false;
    problem_ = "a row without a whole key where one should be";
  }
}

void PlainRowCursor::Next() {
  assert(is_valid_);
  assert(next_offset_ > offset_);
  offset_ = next_offset_;
  ParseRow();
}

void PlainRowCursor::ParseRow() {
  is_valid_ = false;
  if (offset_ >= rows_.size()) return;
  Slice input(rows_.data() + offset_, rows_.size() - offset_);
  uint32_t value_size = 0;
  if (!ParseKey(&input)) {
    problem_ = "a row with a bad key";
  } else if (!GetVarint32(&input, &value_size) ||
             !TakeBytes(value_size, &input, &value_)) {
    problem_ = "a row whose value does not end";
  } else {
    next_offset_ = rows_.size() - input.size();
    is_valid_ = true;
  }
}

bool PlainRowCursor::ParseKey(Slice* input) {
  Slice user_key;
  const bool has_key = shape_.encoding == kPlain
                           ? ParsePlainKey(input, &user_key)
                           : ParseParts(input, &user_key);
  return has_key && TakeTrailer(user_key, input);
}

bool PlainRowCursor::ParsePlainKey(Slice* input, Slice* user_key) {
  uint32_t size = shape_.user_key_len;
  if (size == kPlainTableVariableLength && !GetVarint32(input, &size)) {
    return false;
  }
  has_full_key_ = true;
  return TakeBytes(size, input, user_key);
}

bool PlainRowCursor::ParseParts(Slice* input, Slice* user_key) {
  PlainKeyPart part;
  uint32_t size = 0;
  if (!TakePart(input, &part, &size)) return false;
  has_full_key_ = part == PlainKeyPart::kFull;
  if (has_full_key_) {
    if (!TakeBytes(size, input, user_key)) return false;
    full_key_ = *user_key;
    prefix_size_ = 0;
    return true;
  }
  if (part == PlainKeyPart::kPrefix) {
    if (size > full_key_.size()) return false;
    prefix_size_ = size;
    if (!TakePart(input, &part, &size)) return false;
  }
  Slice suffix;
  if (part != PlainKeyPart::kSuffix || !TakeBytes(size, input, &suffix)) {
    return false;
  }
  assert(prefix_size_ <= full_key_.size());
  key_bytes_.assign(full_key_.data(), prefix_size_);
  key_bytes_.append(suffix.data(), suffix.size());
  *user_key = key_bytes_;
  return true;
}

bool PlainRowCursor::TakeTrailer(const Slice& user_key, Slice* input) {
  if (input->empty()) return false;
  const bool is_in_rows = user_key.data() != key_bytes_.data();
  if ((*input)[0] == kPlainValueMark) {
    input->remove_prefix(1);
    if (is_in_rows) key_bytes_.assign(user_key.data(), user_key.size());
    PutFixed64(&key_bytes_, kPlainValueTrailer);
    key_ = key_bytes_;
    return true;
  }
  Slice trailer;
  if (!TakeBytes(kInternalKeyTrailerBytes, input, &trailer)) return false;
  if (!IsStoredType(static_cast<ValueType>(trailer[0]))) return false;
  if (is_in_rows) {
    // The trailer lies behind the user key.
    assert(user_key.data() + user_key.size() == trailer.data());
    key_ = Slice(user_key.data(), user_key.size() + trailer.size());
  } else {
    key_bytes_.append(trailer.data(), trailer.size());
    key_ = key_bytes_;
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
