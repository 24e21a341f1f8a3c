#include "options/object_kinds.h"

#include <string_view>

#include "options/parse.h"
#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr const char* kMissingObject = "Missing configurable object";

}  // namespace

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

Status AddPresentOptions(const ConfigOptions& config,
                         const Customizable& present, ObjectText* parts) {
  return CallUserCode(parts->id, [&] {
    if (parts->id.empty()) parts->id = present.GetId();
    if (!present.IsInstanceOf(parts->id)) return Status::OK();
    ConfigOptions embedded = config;
    embedded.delimiter = ";";
    std::string text;
    OptionTexts own;
    // What it cannot say of itself is not kept.
    if (!present.GetOptionString(embedded, &text).ok() || text.empty() ||
        !SplitOptionText(text, &own).ok()) {
      return Status::OK();
    }
    const std::string prefix = std::string(present.Name()) + ".";
    for (auto& [name, value] : own) {
      const bool is_given = parts->options.count(prefix + name) > 0;
      if (!is_given) parts->options.try_emplace(name, std::move(value));
    }
    return Status::OK();
  });
}

Status MissingObject(const std::string& option) {
  return Status::NotFound(kMissingObject, option);
}

Status AsBadObjectText(Status s) {
  const std::string_view text = s.getState() ? s.getState() : "";
  if (!s.IsNotFound() || text.starts_with(kMissingObject)) return s;
  const bool is_row = text.starts_with(UnknownOption("").getState());
  return Status::InvalidArgument(is_row ? s.getState()
                                        : UnknownOption(text).getState());
}

}  // namespace ROCKSDB_NAMESPACE
