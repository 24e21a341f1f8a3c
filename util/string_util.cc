#include "util/string_util.h"

#include <algorithm>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <system_error>

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

char LowerChar(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The power of two that a unit stands for; -1 if it is none.
int UnitShift(std::string_view unit) {
  if (unit.empty()) return 0;
  if (unit.size() != 1) return -1;
  switch (LowerChar(unit[0])) {
    case 'k':
      return 10;
    case 'm':
      return 20;
    case 'g':
      return 30;
    case 't':
      return 40;
    default:
      return -1;
  }
}

// Digits and a unit, without sign or space.
bool ParseMagnitude(std::string_view text, uint64_t* value) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && LowerChar(text[1]) == 'x') {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || rest == text.data()) return false;
  const int shift =
      UnitShift(std::string_view(rest, static_cast<size_t>(end - rest)));
  if (shift < 0 || number > (UINT64_MAX >> shift)) return false;
  *value = number << shift;
  return true;
}

template <typename T>
bool ParseInto(std::string_view text, T* value) {
  if constexpr (std::is_signed_v<T>) {
    int64_t wide = 0;
    if (!ParseInt64(text, &wide)) return false;
    if (wide < std::numeric_limits<T>::min() ||
        wide > std::numeric_limits<T>::max()) {
      return false;
    }
    *value = static_cast<T>(wide);
  } else {
    uint64_t wide = 0;
    if (!ParseUint64(text, &wide)) return false;
    if (wide > std::numeric_limits<T>::max()) return false;
    *value = static_cast<T>(wide);
  }
  return true;
}

char OptionEscape(char c) {
  switch (c) {
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\\':
    case ':':
    case '#':
      return c;
    default:
      return '\0';
  }
}

}  // namespace

bool ConsumeDecimalNumber(Slice* input, uint64_t* value) {
  const char* const end = input->data() + input->size();
  uint64_t number = 0;
  const auto [rest, error] = std::from_chars(input->data(), end, number);
  if (error != std::errc() || rest == input->data()) return false;
  *value = number;
  input->remove_prefix(static_cast<size_t>(rest - input->data()));
  return true;
}

bool ParseUint64(std::string_view text, uint64_t* value) {
  text = TrimSpace(text);
  // "-1" is how users write "no limit"; it means the same here as in C.
  if (!text.empty() && text[0] == '-') {
    int64_t negative = 0;
    if (!ParseInt64(text, &negative)) return false;
    *value = static_cast<uint64_t>(negative);
    return true;
  }
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  return ParseMagnitude(text, value);
}

bool ParseInt64(std::string_view text, int64_t* value) {
  text = TrimSpace(text);
  const bool is_negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (is_negative || text[0] == '+')) text.remove_prefix(1);
  uint64_t magnitude = 0;
  if (!ParseMagnitude(text, &magnitude)) return false;
  const uint64_t limit = uint64_t{INT64_MAX} + (is_negative ? 1 : 0);
  if (magnitude > limit) return false;
  *value = static_cast<int64_t>(is_negative ? ~magnitude + 1 : magnitude);
  return true;
}

bool ParseUint32(std::string_view text, uint32_t* value) {
  int64_t wide = 0;
  if (ParseInt64(text, &wide) && wide < 0 && wide >= INT32_MIN) {
    *value = static_cast<uint32_t>(wide);
    return true;
  }
  return ParseInto(text, value);
}

bool ParseInt32(std::string_view text, int32_t* value) {
  return ParseInto(text, value);
}

bool ParseSizeT(std::string_view text, size_t* value) {
  return ParseInto(text, value);
}

bool ParseDouble(std::string_view text, double* value) {
  text = TrimSpace(text);
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || text.empty()) return false;
  *value = number;
  return true;
}

bool ParseBoolean(std::string_view text, bool* value) {
  const std::string lower = ToLower(TrimSpace(text));
  if (lower == "true" || lower == "1" || lower == "on" || lower == "yes") {
    *value = true;
    return true;
  }
  if (lower == "false" || lower == "0" || lower == "off" || lower == "no") {
    *value = false;
    return true;
  }
  return false;
}

std::string DoubleToString(double value) {
  char buf[64];
  const auto result = std::to_chars(buf, buf + sizeof(buf), value);
  return std::string(buf, result.ptr);
}

std::string_view TrimSpace(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> SplitString(std::string_view text, char delimiter) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (;;) {
    const size_t end = text.find(delimiter);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() &&
         text.substr(text.size() - suffix.size()) == suffix;
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), LowerChar);
  return lower;
}

void AppendEscapedStringTo(std::string* dst, const Slice& value) {
  for (const char c : value.ToStringView()) {
    if (c >= ' ' && c <= '~') {
      dst->push_back(c);
    } else {
      dst->append("\\x").append(ToHex(Slice(&c, 1)));
    }
  }
}

std::string EscapeString(const Slice& value) {
  std::string result;
  AppendEscapedStringTo(&result, value);
  return result;
}

std::string EscapeOptionString(const std::string& raw) {
  std::string result;
  result.reserve(raw.size());
  for (const char c : raw) {
    const char escape = OptionEscape(c);
    if (escape != '\0') result.push_back('\\');
    result.push_back(escape != '\0' ? escape : c);
  }
  return result;
}

std::string UnescapeOptionString(const std::string& escaped) {
  std::string result;
  result.reserve(escaped.size());
  for (size_t i = 0; i < escaped.size(); ++i) {
    char c = escaped[i];
    if (c == '\\' && i + 1 < escaped.size()) {
      c = escaped[++i];
      if (c == 'n') c = '\n';
      if (c == 'r') c = '\r';
    }
    result.push_back(c);
  }
  return result;
}

std::string ToHex(const Slice& value) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string result;
  result.reserve(value.size() * 2);
  for (const char c : value.ToStringView()) {
    const auto byte = static_cast<uint8_t>(c);
    result.push_back(kDigits[byte >> 4]);
    result.push_back(kDigits[byte & 0xf]);
  }
  return result;
}

void PutBaseChars36(std::string* dst, size_t digits, uint64_t value) {
  static constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const size_t start = dst->size();
  dst->resize(start + digits);
  for (size_t i = digits; i > 0; --i, value /= 36) {
    (*dst)[start + i - 1] = kDigits[value % 36];
  }
}

bool ParseBaseChars36(Slice* input, size_t digits, uint64_t* value) {
  if (input->size() < digits) return false;
  uint64_t number = 0;
  for (size_t i = 0; i < digits; ++i) {
    const char c = LowerChar((*input)[i]);
    uint64_t digit = 0;
    if (IsDigit(c)) {
      digit = static_cast<uint64_t>(c - '0');
    } else if (c >= 'a' && c <= 'z') {
      digit = static_cast<uint64_t>(c - 'a') + 10;
    } else {
      return false;
    }
    if (number > (UINT64_MAX - digit) / 36) return false;
    number = number * 36 + digit;
  }
  *value = number;
  input->remove_prefix(digits);
  return true;
}

void AppendNumberTo(std::string* dst, uint64_t number) {
  char buf[24];
  const auto result = std::to_chars(buf, buf + sizeof(buf), number);
  dst->append(buf, result.ptr);
}

std::string NumberToHumanString(int64_t number) {
  const uint64_t magnitude = number < 0 ? ~static_cast<uint64_t>(number) + 1
                                        : static_cast<uint64_t>(number);
  uint64_t divisor = 1;
  const char* unit = "";
  if (magnitude >= 10000000000) {
    divisor = 1000000000;
    unit = "G";
  } else if (magnitude >= 10000000) {
    divisor = 1000000;
    unit = "M";
  } else if (magnitude >= 10000) {
    divisor = 1000;
    unit = "K";
  }
  return (number < 0 ? "-" : "") + std::to_string(magnitude / divisor) + unit;
}

std::string BytesToHumanString(uint64_t bytes) {
  static constexpr const char* kUnits[] = {"KB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return StringPrintf("%.2f %s", value, kUnits[unit]);
}

std::string MicrosToHumanString(uint64_t micros) {
  if (micros < 10000) {
    return StringPrintf("%llu us", static_cast<unsigned long long>(micros));
  }
  const double seconds = static_cast<double>(micros) / 1e6;
  if (seconds < 10) return StringPrintf("%.3lf ms", seconds * 1e3);
  if (seconds < 60) return StringPrintf("%.3lf sec", seconds);
  const auto minutes = static_cast<unsigned long long>(seconds / 60);
  const double rest = seconds - static_cast<double>(minutes) * 60;
  if (minutes < 60) return StringPrintf("%02llu:%06.3f M:S", minutes, rest);
  return StringPrintf("%02llu:%02llu:%06.3f H:M:S", minutes / 60, minutes % 60,
                      rest);
}

std::string StringPrintf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string result(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  if (length > 0) {
    std::vsnprintf(result.data(), result.size() + 1, format, again);
  }
  va_end(again);
  return result;
}

std::string ErrnoString(int error_number) {
  return std::generic_category().message(error_number);
}

}  // namespace ROCKSDB_NAMESPACE
