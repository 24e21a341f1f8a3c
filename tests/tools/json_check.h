// Whether a text is one value of JSON (RFC 8259), with nothing behind it.
//
// Threads  Pure functions.
#pragma once

#include <string_view>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class JsonCheck {
 public:
  static bool IsJson(std::string_view text) {
    JsonCheck check(text);
    return check.TakeValue() && check.rest_.empty();
  }

 private:
  explicit JsonCheck(std::string_view text) : rest_(text) {}

  void SkipBlanks() {
    while (!rest_.empty() &&
           std::string_view(" \t\r\n").find(rest_[0]) != rest_.npos) {
      rest_.remove_prefix(1);
    }
  }
  bool Take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool TakeValue() {
    SkipBlanks();
    const bool is_good = Take("true") || Take("false") || Take("null") ||
                         TakeMembers('{', '}') || TakeMembers('[', ']') ||
                         TakeString() || TakeNumber();
    SkipBlanks();
    return is_good;
  }
  bool TakeMembers(char begin, char end) {
    if (!Take({&begin, 1})) return false;
    SkipBlanks();
    if (Take({&end, 1})) return true;
    do {
      SkipBlanks();
      if (begin == '{') {
        if (!TakeString()) return false;
        SkipBlanks();
        if (!Take(":")) return false;
      }
      if (!TakeValue()) return false;
    } while (Take(","));
    return Take({&end, 1});
  }
  bool TakeString() {
    if (!Take("\"")) return false;
    while (!rest_.empty() && static_cast<unsigned char>(rest_[0]) >= 0x20) {
      const char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (c == '\\' && !TakeEscape()) return false;
    }
    return false;
  }
  bool TakeEscape() {
    if (!Take("u")) {
      if (rest_.empty()) return false;
      const bool is_known = std::string_view("\"\\/bfnrt").find(rest_[0]) !=
                            std::string_view::npos;
      rest_.remove_prefix(1);
      return is_known;
    }
    constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
    for (int i = 0; i < 4; ++i) {
      if (rest_.empty() || kDigits.find(rest_[0]) == kDigits.npos) return false;
      rest_.remove_prefix(1);
    }
    return true;
  }
  bool TakeDigits() {
    size_t count = 0;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      rest_.remove_prefix(1);
      ++count;
    }
    return count > 0;
  }
  bool TakeNumber() {
    Take("-");
    if (!Take("0") && !TakeDigits()) return false;
    if (Take(".") && !TakeDigits()) return false;
    if (!Take("e") && !Take("E")) return true;
    if (!Take("+")) Take("-");
    return TakeDigits();
  }

  std::string_view rest_;
};

}  // namespace ROCKSDB_NAMESPACE
