#include "java/jni/packing.h"

#include <bit>

#include "java/jni/call.h"

namespace ROCKSDB_NAMESPACE::jni {

void Packer::Number(uint64_t value, int size) {
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
    bytes_.push_back(static_cast<char>(value >> shift));
  }
}

void Packer::Double(double value) { Long(std::bit_cast<uint64_t>(value)); }

void Packer::Text(const Slice& text) {
  Int(text.size());
  bytes_.append(text.data(), text.size());
}

void Packer::Status(const class Status& status) {
  Int(static_cast<int>(status.code()));
  Int(static_cast<int>(status.subcode()));
  const char* state = status.getState();
  Bool(state != nullptr);
  if (state != nullptr) Text(state);
}

uint64_t Unpacker::Number(size_t size) {
  if (bytes_.size() - at_ < size) {
    Fail(Wrong::kArgument, "packed arguments end too early");
  }
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes_[at_++]);
  }
  return value;
}

Slice Unpacker::Bytes() {
  const auto size = static_cast<size_t>(static_cast<uint32_t>(Int()));
  if (bytes_.size() - at_ < size) {
    Fail(Wrong::kArgument, "packed arguments end too early");
  }
  at_ += size;
  return Slice(bytes_.data() + at_ - size, size);
}

}  // namespace ROCKSDB_NAMESPACE::jni
