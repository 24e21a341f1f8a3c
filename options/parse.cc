#include "options/parse.h"

#include "options/option_kinds.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr const char* kNotRecognized = "Extra option not recognized";

// The name that `s` is about, which UnknownOption() or a user's object made.
std::string_view UnknownName(const Status& s) {
  std::string_view text = s.getState();
  const std::string begin = std::string(kNotRecognized) + ": ";
  if (text.starts_with(begin)) text.remove_prefix(begin.size());
  return text;
}

// NotFound, with the name, for a name that the struct does not have.
Status ParseIfKnown(const ConfigOptions& config, const OptionStruct& options,
                    std::string_view name, std::string_view text, void* object);

// `text` is no value of `kind`, which the option `option` is, or a part of it.
// RocksDB's words come first: programs look for them.
Status BadValue(std::string_view option, const OptionKind& kind,
                std::string_view text, const Status& why) {
  const std::string name(option);
  const std::string place = name + "=" + std::string(text);
  const std::string reason = why.getState() ? why.getState() : "";
  if (why.IsNotSupported()) return Status::NotSupported(reason, place);
  const std::string detail = reason + ": " + place;
  if (kind.reader == kReaderOfNames) {
    return Status::InvalidArgument("Error parsing:", name + ": " + detail);
  }
  if (kind.reader == kReaderByMap) {
    return Status::InvalidArgument("No mapping for enum ",
                                   name + ": " + detail);
  }
  if (kind.reader.empty()) {
    return Status::InvalidArgument("Error parsing " + name, detail);
  }
  // RocksDB reads a small unsigned number as a large one, and then repeats it.
  const bool is_small = kind.reader == "stoull" && reason == kOutOfRange;
  return Status::InvalidArgument("Error parsing " + name + ":" +
                                     std::string(is_small ? text : kind.reader),
                                 detail);
}

Status CannotChange(const OptionRow& row) {
  return Status::InvalidArgument("Option not changeable",
                                 std::string(row.name));
}

// `member` is a name that the struct of `row` does not have.
Status UnknownMember(const OptionRow& row, const char* member) {
  return Status::InvalidArgument("Unrecognized option",
                                 std::string(row.name) + "." + member);
}

bool IsAboutUnknown(const Status& s) {
  return s.getState() != nullptr &&
         std::string_view(s.getState()).starts_with(kNotRecognized);
}

// What is wrong inside a struct or an object is said there; which option it
// belongs to comes behind.
bool IsAboutMember(const Status& s) {
  const std::string_view text = s.getState() ? s.getState() : "";
  return s.IsInvalidArgument() && (text.starts_with("Error parsing") ||
                                   text.starts_with("No mapping for enum") ||
                                   text.starts_with("Option not changeable") ||
                                   text.starts_with("Unrecognized option"));
}

// The values of a struct without their names.
Status ParsePositions(const ConfigOptions& config, const OptionRow& row,
                      std::string_view text, void* object) {
  const OptionStruct& members = row.kind->members();
  std::vector<std::string> values;
  Status s = SplitListText(text, &values);
  if (!s.ok()) return s;
  const std::vector<std::string_view> names = members.positions(values.size());
  if (names.empty()) {
    return Status::InvalidArgument(
        "unable to parse the specified CF option " + std::string(row.name),
        std::to_string(values.size()) + " values: " + std::string(text));
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const OptionRow* const member = members.Find(names[i]);
    s = member->kind->parse(config, values[i],
                            member->field(row.field(object)));
    if (!s.ok()) return BadValue(row.name, *member->kind, values[i], s);
  }
  return s;
}

bool HasPositions(const OptionRow& row, std::string_view text) {
  return row.kind->members != nullptr &&
         row.kind->members().positions != nullptr &&
         text.find('=') == std::string_view::npos;
}

// A struct's text that has no names.
bool IsAboutForm(const Status& s) {
  const std::string_view text = s.getState() ? s.getState() : "";
  return text.starts_with("Mismatched key value pair");
}

Status ParseRow(const ConfigOptions& config, const OptionRow& row,
                std::string_view name, std::string_view text, void* object) {
  if (config.mutable_options_only && !row.IsDynamic()) {
    return CannotChange(row);
  }
  if (HasPositions(row, text)) {
    return ParsePositions(config, row, text, object);
  }
  const Status s = row.kind->parse == nullptr
                       ? OnlySetInCode()
                       : row.kind->parse(config, text, row.field(object));
  if (s.ok()) return s;
  if (s.IsNotFound() && s.getState() != nullptr) {
    if (row.kind->members != nullptr) return UnknownMember(row, s.getState());
    return Status::InvalidArgument(
        kNotRecognized, std::string(name) + ": " + std::string(UnknownName(s)));
  }
  if (s.IsInvalidArgument() && IsAboutUnknown(s)) {
    return Status::InvalidArgument(
        kNotRecognized, std::string(name) + ": " + std::string(UnknownName(s)));
  }
  if (IsAboutMember(s) || (row.kind->members != nullptr && IsAboutForm(s))) {
    return Status::CopyAppendMessage(s, ", of ", std::string(name));
  }
  return BadValue(row.name, *row.kind, text, s);
}

// `member` of the struct or object option in front of the dot.
Status ParseMember(const ConfigOptions& config, const OptionRow& row,
                   std::string_view member, std::string_view text,
                   void* object) {
  if (row.kind->members == nullptr) {
    return ParseRow(config, row, std::string(row.name),
                    std::string(member) + "={" + std::string(text) + "}",
                    object);
  }
  if (config.mutable_options_only && !row.IsDynamic()) {
    return CannotChange(row);
  }
  const Status s = ParseIfKnown(config, row.kind->members(), member, text,
                                row.field(object));
  return s.IsNotFound() ? UnknownMember(row, s.getState()) : s;
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

namespace {

Status ParseIfKnown(const ConfigOptions& config, const OptionStruct& options,
                    std::string_view name, std::string_view text,
                    void* object) {
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
    const bool is_ignored =
        options.IsDeprecated(name) || config.ignore_unknown_options;
    return is_ignored ? Status::OK() : Status::NotFound(std::string(name));
  }
  if (dot == std::string_view::npos) {
    return ParseRow(config, *row, name, value, object);
  }
  return ParseMember(config, *row, name.substr(dot + 1), text, object);
}

}  // namespace

Status ParseOption(const ConfigOptions& config, const OptionStruct& options,
                   std::string_view name, std::string_view text, void* object) {
  const Status s = ParseIfKnown(config, options, name, text, object);
  if (!s.IsNotFound()) return s;
  return Status::InvalidArgument(
      kNotRecognized,
      s.getState() + (": no " + std::string(options.name) + " has it"));
}

Status OnlySetInCode() { return Status::NotFound("it has no text"); }

Status UnknownOption(std::string_view name) {
  return Status::NotFound(kNotRecognized, std::string(name));
}

Status ParseMembers(const ConfigOptions& config, const OptionStruct& options,
                    const OptionTexts& texts, void* object) {
  for (const auto& [name, value] : texts) {
    Status s = ParseIfKnown(config, options, name, value, object);
    if (!s.ok()) return s;
  }
  return Status::OK();
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
