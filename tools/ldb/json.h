// JSON, a member after another.
//
// Threads  Confined to one thread.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// In quotes. Bytes that are no characters of ASCII are written \u00XX: text
// that is UTF-8 is not told from other bytes.
inline std::string JsonString(const Slice& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "\"";
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte == '"' || byte == '\\') {
      text += '\\';
      text += static_cast<char>(byte);
    } else if (byte >= 0x20 && byte < 0x7f) {
      text += static_cast<char>(byte);
    } else {
      text += "\\u00";
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
  }
  return text + '"';
}

class JsonObject {
 public:
  JsonObject& Add(const char* name, const Slice& value) {
    return AddRaw(name, JsonString(value));
  }
  JsonObject& Add(const char* name, uint64_t value) {
    return AddRaw(name, std::to_string(value));
  }
  // JSON already.
  JsonObject& AddRaw(const char* name, const std::string& json) {
    if (!members_.empty()) members_ += ", ";
    members_ += JsonString(name) + ": " + json;
    return *this;
  }
  std::string Text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

class JsonArray {
 public:
  void Add(const std::string& json) {
    if (!elements_.empty()) elements_ += ", ";
    elements_ += json;
  }
  bool empty() const { return elements_.empty(); }
  std::string Text() const { return "[" + elements_ + "]"; }

 private:
  std::string elements_;
};

}  // namespace ROCKSDB_NAMESPACE
