#include "options/object_kinds.h"

#include <mutex>
#include <vector>

namespace ROCKSDB_NAMESPACE {

Status SplitObjectText(std::string_view text, ObjectText* result) {
  const std::string_view inner = StripBraces(text);
  ObjectText parts;
  if (inner.find('=') == std::string_view::npos) {
    parts.id = inner;
    *result = std::move(parts);
    return Status::OK();
  }
  OptionTexts texts;
  if (Status s = SplitOptionText(inner, &texts); !s.ok()) return s;
  for (auto& [name, value] : texts) {
    if (name == "id") {
      parts.id = std::move(value);
    } else {
      parts.options[name] = std::move(value);
    }
  }
  *result = std::move(parts);
  return Status::OK();
}

void KeepForProcess(std::shared_ptr<const void> object) {
  static std::mutex mutex;
  static std::vector<std::shared_ptr<const void>>& kept =
      *std::make_unique<std::vector<std::shared_ptr<const void>>>().release();
  const std::lock_guard<std::mutex> lock(mutex);
  kept.push_back(std::move(object));
}

std::string EscapeObjectText(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '#' || c == '\\' || c == '\n' || c == '\r') escaped += '\\';
    escaped += c == '\n' ? 'n' : c == '\r' ? 'r' : c;
  }
  return escaped;
}

std::string JoinObjectText(const std::string& id, const std::string& options) {
  const bool is_plain = id.find_first_of("=;") == std::string::npos;
  if (TrimSpace(options).empty()) return is_plain ? id : "{" + id + "}";
  std::string text = "{id=" + id + ";" + options;
  if (text.back() != ';') text += ';';
  return text + "}";
}

}  // namespace ROCKSDB_NAMESPACE
