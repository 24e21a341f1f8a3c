#include "options/object_kinds.h"

#include <string_view>

#include "options/parse.h"
#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {

const ObjectRegistry& RegistryOf(const ConfigOptions& config) {
  static const ObjectRegistry& standard = *ObjectRegistry::Default();
  return config.registry != nullptr ? *config.registry : standard;
}

Status SplitObjectText(std::string_view text, ObjectText* result) {
  const std::string_view inner = StripBraces(text);
  ObjectText parts;
  const size_t equals = inner.find('=');
  const bool is_uri = inner.substr(0, equals).find("://") != inner.npos;
  if (equals == inner.npos || is_uri) {
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

bool IsNullText(std::string_view text) {
  return text.empty() || text == "nullptr";
}

Status MakeSharedFromText(const ConfigOptions& config, std::string_view text,
                          const std::shared_ptr<Cache>& /*current*/,
                          std::shared_ptr<Cache>* result) {
  ObjectText parts;
  if (Status s = SplitObjectText(text, &parts); !s.ok()) return s;
  const bool has_options = !parts.options.empty();
  if (has_options && (parts.id.empty() || parts.id == "LRUCache")) {
    const std::string options(StripBraces(text));
    return RegistryOf(config).NewSharedObject("LRUCache://" + options, result);
  }
  std::unique_ptr<Cache> cache;
  Status s = MakeUniqueFromText(config, text, &cache);
  if (s.ok()) *result = std::move(cache);
  return s;
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

Status AsBadObjectText(Status s) {
  const bool is_unknown =
      s.IsNotFound() && s.getState() != nullptr &&
      std::string_view(s.getState()).starts_with(UnknownOption("").getState());
  return is_unknown ? Status::InvalidArgument(s.getState()) : s;
}

}  // namespace ROCKSDB_NAMESPACE
