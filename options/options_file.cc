#include "options/options_file.h"

#include <algorithm>
#include <map>
#include <set>

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "options/object_kinds.h"
#include "options/parse.h"
#include "options/print.h"
#include "options/table_rows.h"
#include "options/text.h"
#include "rocksdb/table.h"
#include "rocksdb/version.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::string_view kHead =
    "# This is a RocksDB option file.\n"
    "#\n"
    "# For detailed file format spec, please refer to the example file\n"
    "# in examples/rocksdb_option_file_example.ini\n"
    "#\n\n";
constexpr std::string_view kTablePrefix = "TableOptions/";

struct Section {
  std::string title;  // "CFOptions"
  std::string argument;
  int line = 0;
  OptionTexts texts;
};

// --- Printing ---------------------------------------------------------------

template <class T>
const T& DefaultsOf() {
  static const T kDefault{};
  return kDefault;
}

// `defaults`: what a reader of the file takes for an option that is not there.
void AppendSection(const OptionStruct& options, const void* object,
                   const void* defaults, std::string* text) {
  const ConfigOptions config;
  text->append("  ");
  for (const OptionRow& row : options.rows) {
    if (!row.traits.written || row.kind->parse == nullptr) continue;
    // A table factory's options have a section of their own.
    ConfigOptions depth = config;
    if (row.name == "table_factory") depth.depth = ConfigOptions::kDepthShallow;
    const std::string value = PrintOption(depth, row, object);
    if (value.empty()) {
      // An object without a name cannot be told.
      const std::string implied = PrintOption(depth, row, defaults);
      if (implied.empty() || implied == "nullptr") continue;
    } else if (value == row.traits.implied) {
      continue;
    }
    text->append(row.name).append("=").append(value).append("\n  ");
  }
  text->append("\n");
}

struct TableSection {
  const OptionStruct* rows = nullptr;
  const void* options = nullptr;
  const void* defaults = nullptr;
};

TableSection SectionOf(const TableFactory& factory) {
  if (const void* options = factory.GetOptions<BlockBasedTableOptions>()) {
    return {&BlockBasedTableOptionStruct(), options,
            &DefaultsOf<BlockBasedTableOptions>()};
  }
  if (const void* options = factory.GetOptions<PlainTableOptions>()) {
    return {&PlainTableOptionStruct(), options,
            &DefaultsOf<PlainTableOptions>()};
  }
  if (const void* options = factory.GetOptions<CuckooTableOptions>()) {
    return {&CuckooTableOptionStruct(), options,
            &DefaultsOf<CuckooTableOptions>()};
  }
  return {};
}

// The options that an application's table factory says it has.
void AppendOwnOptions(const TableFactory& factory, std::string* text) {
  std::string options;
  OptionTexts texts;
  Status s = factory.GetOptionString(ConfigOptions(), &options);
  if (s.ok()) s = SplitOptionText(options, &texts);
  text->append("  ");
  for (const auto& [name, value] : texts) {
    const bool is_list = value.find_first_of(";={") != std::string::npos;
    text->append(name).append("=").append(
        EscapeObjectText(is_list ? "{" + value + "}" : value));
    text->append("\n  ");
  }
  text->append("\n");
}

void AppendFamily(const NamedFamily& family, std::string* text) {
  const std::string name = EscapeOptionString(family.name);
  text->append("\n[CFOptions \"").append(name).append("\"]\n");
  AppendSection(ColumnFamilyOptionStruct(), &family.options,
                &DefaultsOf<ColumnFamilyOptions>(), text);
  const TableFactory* factory = family.options.table_factory.get();
  if (factory == nullptr) return;
  text->append("[").append(kTablePrefix).append(factory->Name());
  text->append(" \"").append(name).append("\"]\n");
  const TableSection section = SectionOf(*factory);
  if (section.rows != nullptr) {
    AppendSection(*section.rows, section.options, section.defaults, text);
  } else {
    AppendOwnOptions(*factory, text);
  }
}

// --- Reading lines ----------------------------------------------------------

Status LineError(const std::string& file, int line, const std::string& why) {
  return Status::InvalidArgument(file + ":" + std::to_string(line), why);
}

Status InFile(const std::string& file, int line, const Status& s) {
  if (s.ok()) return s;
  const std::string why = s.getState() != nullptr ? s.getState() : "";
  const std::string place = file + ":" + std::to_string(line);
  if (s.IsNotSupported()) return Status::NotSupported(place, why);
  return Status::InvalidArgument(place, why);
}

// The line up to its comment.
std::string_view WithoutComment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] != '\\')) {
      return TrimSpace(line.substr(0, i));
    }
  }
  return TrimSpace(line);
}

// "[Title "argument"]".
Status ParseHeading(std::string_view line, Section* section) {
  if (line.back() != ']') {
    return Status::InvalidArgument("section heading without ']'",
                                   std::string(line));
  }
  std::string_view inside = line.substr(1, line.size() - 2);
  const size_t first = inside.find('"');
  section->title = TrimSpace(inside.substr(0, first));
  if (first != std::string_view::npos) {
    const size_t last = inside.rfind('"');
    if (last == first || !TrimSpace(inside.substr(last + 1)).empty()) {
      return Status::InvalidArgument("section argument without end",
                                     std::string(line));
    }
    section->argument = UnescapeOptionString(
        std::string(inside.substr(first + 1, last - first - 1)));
  }
  if (section->title.empty()) {
    return Status::InvalidArgument("section without a title");
  }
  return Status::OK();
}

// The first of several lines with one name counts.
Status AddLine(std::string_view line, Section* section) {
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    return Status::InvalidArgument("no '=' in", std::string(line));
  }
  std::string name(TrimSpace(line.substr(0, equals)));
  if (name.empty()) {
    return Status::InvalidArgument("no option name in", std::string(line));
  }
  for (const auto& [known, value] : section->texts) {
    if (known == name) return Status::OK();
  }
  section->texts.emplace_back(std::move(name),
                              TrimSpace(line.substr(equals + 1)));
  return Status::OK();
}

Status SplitSections(const std::string& file, std::string_view text,
                     std::vector<Section>* sections) {
  int number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = WithoutComment(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty()) continue;
    if (line[0] == '[') {
      Section section;
      section.line = number;
      Status s = ParseHeading(line, &section);
      if (!s.ok()) return InFile(file, number, s);
      sections->push_back(std::move(section));
    } else if (sections->empty()) {
      return LineError(file, number, "option outside of any section");
    } else if (Status s = AddLine(line, &sections->back()); !s.ok()) {
      return InFile(file, number, s);
    }
  }
  return Status::OK();
}

// --- Sections to options ----------------------------------------------------

// "11.9.0": dotted numbers, at most `max_parts`.
bool ParseVersion(std::string_view text, size_t max_parts,
                  std::vector<int>* parts) {
  parts->clear();
  while (true) {
    const size_t dot = text.find('.');
    int32_t part = 0;
    const std::string_view digits = text.substr(0, dot);
    const bool plain =
        !digits.empty() &&
        digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!plain || !ParseInt32(digits, &part)) return false;
    parts->push_back(part);
    if (dot == std::string_view::npos) return parts->size() <= max_parts;
    text.remove_prefix(dot + 1);
  }
}

class FileReader {
 public:
  FileReader(const ConfigOptions& config, const std::string& file,
             OptionsFile* result)
      : config_(config), file_(file), result_(result) {
    config_.mutable_options_only = false;
  }

  Status Read(std::string_view text) {
    std::vector<Section> sections;
    Status s = SplitSections(file_, text, &sections);
    for (const Section& section : sections) {
      if (!s.ok()) return s;
      s = InFile(file_, section.line, Take(section));
    }
    return s.ok() ? CheckComplete() : s;
  }

 private:
  Status Take(const Section& section) {
    if (!has_version_ && section.title != "Version") {
      return Status::InvalidArgument("[Version] must be the first section");
    }
    if (section.title == "Version") return TakeVersion(section);
    if (section.title == "DBOptions") return TakeDatabase(section);
    if (section.title == "CFOptions") return TakeFamily(section);
    if (section.title.starts_with(kTablePrefix)) return TakeTable(section);
    return Status::InvalidArgument("unknown section", section.title);
  }

  Status TakeVersion(const Section& section) {
    if (has_version_) return Status::InvalidArgument("a second [Version]");
    has_version_ = true;
    std::vector<int> format;
    for (const auto& [name, text] : section.texts) {
      bool good = true;
      if (name == "rocksdb_version") {
        good = ParseVersion(text, 3, &result_->rocksdb_version);
      } else if (name == "options_file_version") {
        good = ParseVersion(text, 2, &format);
      }
      if (!good) return Status::InvalidArgument("bad version", text);
    }
    if (result_->rocksdb_version.empty()) {
      return Status::InvalidArgument("no rocksdb_version");
    }
    if (format.empty() ||
        format[0] < ConfigOptions::kMinSupportedOptionFileVersion) {
      return Status::InvalidArgument("options_file_version must be 1 or more");
    }
    return Status::OK();
  }

  Status TakeDatabase(const Section& section) {
    if (has_database_) return Status::InvalidArgument("a second [DBOptions]");
    has_database_ = true;
    return ParseOptions(config_, DBOptionStruct(), section.texts, &result_->db);
  }

  Status TakeFamily(const Section& section) {
    if (FindFamily(section.argument) != nullptr) {
      return Status::InvalidArgument("a second section for column family",
                                     section.argument);
    }
    if (result_->families.empty() && section.argument != "default") {
      return Status::InvalidArgument("the first column family must be default",
                                     section.argument);
    }
    NamedFamily family;
    family.name = section.argument;
    family.texts = section.texts;
    Status s = ParseOptions(config_, ColumnFamilyOptionStruct(), section.texts,
                            &family.options);
    if (s.ok()) result_->families.push_back(std::move(family));
    return s;
  }

  Status TakeTable(const Section& section) {
    NamedFamily* family = FindFamily(section.argument);
    if (family == nullptr) {
      return Status::InvalidArgument("table options of an unknown family",
                                     section.argument);
    }
    if (!families_with_table_.insert(section.argument).second) {
      return Status::InvalidArgument("a second section of table options for",
                                     section.argument);
    }
    const std::string factory_name = section.title.substr(kTablePrefix.size());
    std::shared_ptr<TableFactory> factory;
    Status s = RegistryOf(config_).NewSharedObject(factory_name, &factory);
    // A format that this program lacks: left unset, as the files' readers do.
    if (s.IsNotSupported()) return Status::OK();
    if (!s.ok()) return s;
    ObjectText parts{.id = factory_name, .options = {}};
    const bool has_rows = SectionOf(*factory).rows != nullptr;
    for (const auto& [name, value] : section.texts) {
      parts.options[name] =
          has_rows ? value
                   : std::string(StripBraces(UnescapeOptionString(value)));
    }
    s = ConfigureObject(config_, parts, factory.get());
    if (s.ok()) family->options.table_factory = std::move(factory);
    return s;
  }

  Status CheckComplete() const {
    if (has_version_ && has_database_ && !result_->families.empty()) {
      return Status::OK();
    }
    return Status::Corruption(
        file_, "needs [Version], [DBOptions] and [CFOptions \"default\"]");
  }

  NamedFamily* FindFamily(std::string_view name) {
    for (NamedFamily& family : result_->families) {
      if (family.name == name) return &family;
    }
    return nullptr;
  }

  ConfigOptions config_;
  const std::string file_;
  OptionsFile* const result_;
  bool has_version_ = false;
  bool has_database_ = false;
  std::set<std::string> families_with_table_;
};

// --- Comparing --------------------------------------------------------------

// The options on which it depends how stored data are read.
constexpr std::string_view kReadingOptions =
    "comparator|merge_operator|prefix_extractor|table_factory|"
    "persist_user_defined_timestamps";

// Options of one struct, and their texts where they come from a file: an
// object that this program cannot make has a name there alone.
struct Side {
  const void* options;
  const OptionTexts* texts = nullptr;
};

std::string ObjectName(const OptionRow& row, const Side& side) {
  ConfigOptions config;
  config.depth = ConfigOptions::kDepthShallow;
  std::string text = PrintOption(config, row, side.options);
  if (side.texts != nullptr) {
    for (const auto& [name, value] : *side.texts) {
      if (name == row.name) text = value;
    }
  }
  text = UnescapeOptionString(text);
  ObjectText parts;
  const Status s = SplitObjectText(text, &parts);
  if (s.ok() && !parts.id.empty()) return parts.id;
  return std::string(StripBraces(text));
}

bool SameOption(const OptionRow& row, const Side& a, const Side& b) {
  if (row.kind->type != "object") {
    const ConfigOptions config;
    return row.kind->equal(config, row.Field(a.options), row.Field(b.options));
  }
  const std::string left = ObjectName(row, a);
  const std::string right = ObjectName(row, b);
  if (left == right) return true;
  // An object may come or go, but for the order of the keys.
  return row.name != "comparator" && (left == "nullptr" || right == "nullptr");
}

std::string ShownOption(const OptionRow& row, const Side& side) {
  if (row.kind->type == "object") return ObjectName(row, side);
  return PrintOption(ConfigOptions(), row, side.options);
}

Status CompareStructs(const ConfigOptions& config, const OptionStruct& options,
                      const Side& a, const Side& b) {
  const bool exact =
      config.IsCheckEnabled(ConfigOptions::kSanityLevelExactMatch);
  for (const OptionRow& row : options.rows) {
    if (row.kind->equal == nullptr || !row.traits.written) continue;
    if (!exact && !IsOneOf(row.name, kReadingOptions)) continue;
    if (SameOption(row, a, b)) continue;
    return Status::InvalidArgument(
        std::string(options.name) + "::" + std::string(row.name),
        ShownOption(row, a) + " differs from " + ShownOption(row, b));
  }
  return Status::OK();
}

Side SideOf(const NamedFamily& family) {
  return {&family.options, family.texts.empty() ? nullptr : &family.texts};
}

Status CompareFamilies(const ConfigOptions& config, const NamedFamily& a,
                       const NamedFamily& b) {
  Status s =
      CompareStructs(config, ColumnFamilyOptionStruct(), SideOf(a), SideOf(b));
  const auto& left = a.options.table_factory;
  const auto& right = b.options.table_factory;
  if (!s.ok() || left == nullptr || right == nullptr) return s;
  const TableSection ours = SectionOf(*left);
  const TableSection theirs = SectionOf(*right);
  if (ours.rows == nullptr || ours.rows != theirs.rows) return s;
  return CompareStructs(config, *ours.rows, {ours.options}, {theirs.options});
}

}  // namespace

std::string PrintOptionsFile(const OptionsFile& options) {
  INVARIANT(!options.families.empty());
  INVARIANT(options.families.front().name == "default");
  std::string text(kHead);
  text += "[Version]\n  rocksdb_version=";
  for (size_t i = 0; i < options.rocksdb_version.size(); ++i) {
    if (i > 0) text += '.';
    text += std::to_string(options.rocksdb_version[i]);
  }
  if (options.rocksdb_version.empty()) text += GetRocksVersionAsString();
  text += "\n  options_file_version=1.1\n\n[DBOptions]\n";
  AppendSection(DBOptionStruct(), &options.db, &DefaultsOf<DBOptions>(), &text);
  for (const NamedFamily& family : options.families) {
    AppendFamily(family, &text);
  }
  return text;
}

Status ParseFamilyNames(const std::string& file_name, std::string_view text,
                        std::vector<std::string>* names) {
  INVARIANT(names != nullptr);
  std::vector<Section> sections;
  Status s = SplitSections(file_name, text, &sections);
  if (!s.ok()) return s;
  names->clear();
  for (const Section& section : sections) {
    if (section.title == "CFOptions") names->push_back(section.argument);
  }
  return s;
}

std::string OptionsForCopy(std::string_view text,
                           const std::set<std::string>& left_out,
                           const std::string& wal_dir) {
  // The ends of the titles of sections that are left out.
  std::set<std::string> endings;
  for (const std::string& family : left_out) {
    endings.insert("\"" + EscapeOptionString(family) + "\"]");
  }
  const auto is_left_out = [&](std::string_view title) {
    const size_t quote = title.find('"');
    return quote != title.npos &&
           endings.count(std::string(title.substr(quote))) > 0;
  };
  std::string result;
  bool is_in_left_out = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.starts_with('[')) is_in_left_out = is_left_out(TrimSpace(line));
    const std::string_view name = TrimSpace(line.substr(0, line.find('=')));
    if (name != "wal_dir" && !is_in_left_out) result.append(line);
    if (!wal_dir.empty() && name == "[DBOptions]") {
      result += "  wal_dir=" + EscapeOptionString(wal_dir) + "\n";
    }
  }
  return result;
}

Status ParseOptionsFile(const ConfigOptions& config,
                        const std::string& file_name, std::string_view text,
                        OptionsFile* result) {
  OptionsFile options;
  Status s = FileReader(config, file_name, &options).Read(text);
  if (s.ok()) *result = std::move(options);
  return s;
}

Status CompareOptions(const ConfigOptions& config, const OptionsFile& a,
                      const OptionsFile& b) {
  if (config.IsCheckDisabled()) return Status::OK();
  Status s = CompareStructs(config, DBOptionStruct(), {&a.db}, {&b.db});
  std::map<std::string, const NamedFamily*> others;
  for (const NamedFamily& family : b.families) {
    others[family.name] = &family;
  }
  for (const NamedFamily& family : a.families) {
    if (!s.ok()) return s;
    const auto other = others.find(family.name);
    if (other == others.end()) {
      return Status::InvalidArgument("column family on one side alone",
                                     family.name);
    }
    s = CompareFamilies(config, family, *other->second);
  }
  if (s.ok() && a.families.size() != b.families.size()) {
    return Status::InvalidArgument("numbers of column families differ");
  }
  return s;
}

Status VerifyOptionsFile(const std::string& file_name, std::string_view text,
                         const OptionsFile& options) {
  OptionsFile parsed;
  ConfigOptions config;
  // Objects are compared by name; none of the application's is made for that.
  config.registry = ObjectRegistry::NewInstance(nullptr);
  Status s = ParseOptionsFile(config, file_name, text, &parsed);
  if (s.ok()) s = CompareOptions(config, options, parsed);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
