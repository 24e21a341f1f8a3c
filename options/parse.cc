#include "options/parse.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status BadValue(std::string_view name, std::string_view text,
                const Status& why) {
  const std::string place = std::string(name) + "=" + std::string(text);
  if (why.IsNotSupported()) {
    return Status::NotSupported(place, why.getState() ? why.getState() : "");
  }
  return Status::InvalidArgument(place, why.getState() ? why.getState() : "");
}

Status ParseRow(const ConfigOptions& config, const OptionRow& row,
                std::string_view text, void* object) {
  if (config.mutable_options_only && !row.IsDynamic()) {
    return Status::InvalidArgument("option cannot be changed while open",
                                   std::string(row.name));
  }
  if (row.kind->parse == nullptr) {
    return Status::InvalidArgument("option cannot be set from text",
                                   std::string(row.name));
  }
  const Status s = row.kind->parse(config, text, row.field(object));
  return s.ok() ? s : BadValue(row.name, text, s);
}

// `member` of the struct or object option in front of the dot.
Status ParseMember(const ConfigOptions& config, const OptionRow& row,
                   std::string_view member, std::string_view text,
                   void* object) {
  if (row.kind->members == nullptr) {
    return ParseRow(config, row,
                    std::string(member) + "={" + std::string(text) + "}",
                    object);
  }
  if (config.mutable_options_only && !row.IsDynamic()) {
    return Status::InvalidArgument("option cannot be changed while open",
                                   std::string(row.name));
  }
  return ParseOption(config, row.kind->members(), member, text,
                     row.field(object));
}

Status Unknown(const ConfigOptions& config, const OptionStruct& options,
               std::string_view name) {
  if (config.ignore_unknown_options) return Status::OK();
  return Status::InvalidArgument(std::string(options.name) + " has no option",
                                 std::string(name));
}

}  // namespace

const OptionRow* OptionStruct::Find(std::string_view option) const {
  for (const OptionRow& row : rows) {
    if (row.name == option) return &row;
  }
  return nullptr;
}

const OptionAlias* OptionStruct::FindAlias(std::string_view option) const {
  for (const OptionAlias& entry : aliases) {
    if (entry.alias == option) return &entry;
  }
  return nullptr;
}

bool OptionStruct::IsDeprecated(std::string_view option) const {
  for (const std::string_view entry : deprecated) {
    if (entry == option) return true;
  }
  return false;
}

bool IsOneOf(std::string_view text, std::string_view values) {
  while (true) {
    const size_t bar = values.find('|');
    if (values.substr(0, bar) == text) return true;
    if (bar == std::string_view::npos) return false;
    values.remove_prefix(bar + 1);
  }
}

bool IsOptionName(const OptionStruct& options, std::string_view name) {
  const std::string_view head = name.substr(0, name.find('.'));
  return options.Find(head) != nullptr || options.FindAlias(head) != nullptr ||
         options.IsDeprecated(name);
}

Status ParseOption(const ConfigOptions& config, const OptionStruct& options,
                   std::string_view name, std::string_view text, void* object) {
  const size_t dot = name.find('.');
  std::string_view head = name.substr(0, dot);
  std::string_view value = text;
  std::string prefixed;
  if (const OptionAlias* alias = options.FindAlias(head)) {
    head = alias->name;
    if (!alias->value_prefix.empty() && dot == std::string_view::npos) {
      prefixed = alias->value_prefix;
      prefixed += StripBraces(text);
      value = prefixed;
    }
  }
  const OptionRow* row = options.Find(head);
  if (row == nullptr) {
    if (options.IsDeprecated(name)) return Status::OK();
    return Unknown(config, options, name);
  }
  if (dot == std::string_view::npos) {
    return ParseRow(config, *row, value, object);
  }
  return ParseMember(config, *row, name.substr(dot + 1), text, object);
}

Status ParseOptions(const ConfigOptions& config, const OptionStruct& options,
                    const OptionTexts& texts, void* object) {
  for (const auto& [name, text] : texts) {
    if (Status s = ParseOption(config, options, name, text, object); !s.ok()) {
      return s;
    }
  }
  return Status::OK();
}

Status ParseOptionString(const ConfigOptions& config,
                         const OptionStruct& options, std::string_view text,
                         void* object) {
  OptionTexts texts;
  if (Status s = SplitOptionText(text, &texts); !s.ok()) return s;
  return ParseOptions(config, options, texts, object);
}

}  // namespace ROCKSDB_NAMESPACE
