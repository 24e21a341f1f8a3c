#include "tools/ldb/hex.h"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdint>
#include <cstdlib>

namespace ROCKSDB_NAMESPACE {

namespace {

int ValueOfHexDigit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const int lower = std::tolower(static_cast<unsigned char>(digit));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

std::string HexDigits(const Slice& bytes) { return bytes.ToString(true); }

bool DecodeHex(const std::string& text, std::string* bytes,
               std::string* error) {
  if (text.size() < 2 || text[0] != '0' || text[1] != 'x') {
    *error = "Invalid hex input " + text + ".  Must start with 0x";
    return false;
  }
  std::string decoded;
  for (size_t i = 2; i < text.size(); i += 2) {
    const int high = ValueOfHexDigit(text[i]);
    const int low = i + 1 < text.size() ? ValueOfHexDigit(text[i + 1]) : -1;
    if (high < 0 || low < 0) {
      *error = "Invalid hex input " + text +
               ".  After 0x come pairs of hexadecimal digits";
      return false;
    }
    decoded.push_back(static_cast<char>(high * 16 + low));
  }
  bytes->swap(decoded);
  return true;
}

NumberKind LeadingInt(const std::string& text, int* number) {
  errno = 0;
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (end == text.c_str()) return NumberKind::kInvalid;
  if (errno == ERANGE || value < INT_MIN || value > INT_MAX) {
    return NumberKind::kOutOfRange;
  }
  *number = static_cast<int>(value);
  return NumberKind::kGood;
}

bool WholeNumber(const std::string& text, uint64_t* number) {
  const char* const end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, *number);
  return code == std::errc() && rest == end;
}

}  // namespace ROCKSDB_NAMESPACE
