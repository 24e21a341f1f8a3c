#include "util/key/internal_key.h"

#include <memory>

namespace ROCKSDB_NAMESPACE {

thread_local constinit uint64_t* comparison_count = nullptr;

std::string ParsedInternalKey::DebugString(bool hex) const {
  std::string text = "'" + user_key.ToString(hex) + "' seq:";
  text += std::to_string(sequence);
  text += ", type:";
  text += std::to_string(static_cast<int>(type));
  return text;
}

std::string InternalKey::DebugString(bool hex) const {
  ParsedInternalKey parsed;
  if (!ParseInternalKey(bytes_, &parsed)) {
    return "(bad) " + Slice(bytes_).ToString(true);
  }
  return parsed.DebugString(hex);
}

std::string InternalKeyText(const Slice& internal_key, KeyText text) {
  const bool is_shown = text == KeyText::kShown;
  if (internal_key.size() < kInternalKeyTrailerBytes) {
    return is_shown ? "(bad) " + internal_key.ToString(/*hex=*/true)
                    : "(bad) <redacted> of " +
                          std::to_string(internal_key.size()) + " bytes";
  }
  // Not parsed: a type that cannot be is what some messages are about.
  const Slice user_key = ExtractUserKey(internal_key);
  std::string result = is_shown ? "'" + user_key.ToString(/*hex=*/true) + "'"
                                : std::string("<redacted>");
  result += " seq:" + std::to_string(ExtractSequence(internal_key));
  result +=
      ", type:" + std::to_string(static_cast<int>(ExtractType(internal_key)));
  return result;
}

LookupKey::LookupKey(const Slice& user_key, SequenceNumber snapshot,
                     const Slice& timestamp) {
  constexpr size_t kMaxVarint32Bytes = 5;
  const size_t size =
      user_key.size() + timestamp.size() + kInternalKeyTrailerBytes;
  const size_t needed = kMaxVarint32Bytes + size;
  char* out = inline_;
  if (needed > sizeof(inline_)) {
    out = std::make_unique<char[]>(needed).release();
  }
  start_ = out;
  out = EncodeVarint32(out, static_cast<uint32_t>(size));
  key_ = out;
  std::memcpy(out, user_key.data(), user_key.size());
  out += user_key.size();
  if (!timestamp.empty()) {
    std::memcpy(out, timestamp.data(), timestamp.size());
    out += timestamp.size();
  }
  EncodeFixed64(out, PackSequenceAndType(snapshot, kValueTypeForSeek));
  end_ = out + kInternalKeyTrailerBytes;
}

}  // namespace ROCKSDB_NAMESPACE
