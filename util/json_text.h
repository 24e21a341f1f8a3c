// Strings as JSON has them.
//
// Threads  A plain function.
#pragma once

#include <string>
#include <string_view>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// In quotes. Bytes of any kind may be in `value`; those that are no UTF-8 stay.
inline void AppendJsonString(std::string_view value, std::string* text) {
  constexpr char kHex[] = "0123456789abcdef";
  *text += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      *text += "\\u00";
      *text += kHex[byte >> 4];
      *text += kHex[byte & 15];
      continue;
    }
    if (c == '"' || c == '\\') *text += '\\';
    *text += c;
  }
  *text += '"';
}

}  // namespace ROCKSDB_NAMESPACE
