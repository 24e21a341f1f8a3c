#include "utilities/backup/backup_description.h"

#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "options/enum_names.h"
#include "util/invariant.h"
#include "util/string_util.h"
#include "utilities/backup/backup_names.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::string_view kSchemaField = "schema_version";
constexpr std::string_view kMetadataField = "metadata";
constexpr std::string_view kCrcField = "crc32";
constexpr std::string_view kSizeField = "size";
constexpr std::string_view kTemperatureField = "temp";
constexpr std::string_view kExcludedField = "ni::excluded";
// The prefix of fields that a reader may not pass over.
constexpr std::string_view kMustKnow = "ni::";
constexpr std::string_view kFooterMark = "// FOOTER";

// Up to the next `delimiter`, which is passed over.
std::string_view TakeUpTo(char delimiter, std::string_view* text) {
  const size_t end = text->find(delimiter);
  const std::string_view taken = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return taken;
}

// No sign, no leading zero.
bool ParseCanonical(std::string_view word, uint64_t max, uint64_t* value) {
  uint64_t number = 0;
  Slice rest(word);
  if (word.empty() || (word.size() > 1 && word[0] == '0') ||
      !ConsumeDecimalNumber(&rest, &number) || !rest.empty() || number > max) {
    return false;
  }
  *value = number;
  return true;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

bool ParseHexBytes(std::string_view text, std::string* bytes) {
  if (text.size() % 2 != 0) return false;
  bytes->clear();
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexDigit(text[i]);
    const int low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<char>(high * 16 + low));
  }
  return true;
}

IOStatus BadLine(const char* what, std::string_view line) {
  return IOStatus::Corruption(what, EscapeString(line));
}

IOStatus UnknownField(std::string_view field) {
  return IOStatus::NotSupported("Unrecognized non-ignorable field",
                                EscapeString(field));
}

class BackupDecoder {
 public:
  explicit BackupDecoder(const Slice& text) : text_(text.ToStringView()) {}

  IOStatus Run() {
    IOStatus s = ReadHeader();
    while (s.ok() && !is_done_ && !text_.empty()) s = ReadFileLine();
    if (s.ok() && result_.files.size() != file_count_) {
      s = IOStatus::Corruption("Inconsistent number of files",
                               std::to_string(file_count_) + " announced, " +
                                   std::to_string(result_.files.size()) +
                                   " listed");
    }
    return s;
  }
  BackupDescription Take() { return std::move(result_); }

 private:
  bool NextLine(std::string_view* line) {
    if (text_.empty()) return false;
    *line = TakeUpTo('\n', &text_);
    return !line->empty();
  }

  IOStatus ReadHeader() {
    std::string_view line;
    if (!NextLine(&line)) return IOStatus::Corruption("No timestamp");
    if (StartsWith(line, kSchemaField)) {
      IOStatus s = ReadSchema(line);
      if (!s.ok()) return s;
      if (!NextLine(&line)) return IOStatus::Corruption("No timestamp");
    }
    uint64_t number = 0;
    constexpr uint64_t kMaxTime = std::numeric_limits<int64_t>::max();
    if (!ParseCanonical(line, kMaxTime, &number)) {
      return BadLine("Bad timestamp", line);
    }
    result_.timestamp = static_cast<int64_t>(number);
    if (!NextLine(&line) ||
        !ParseCanonical(line, UINT64_MAX, &result_.sequence)) {
      return BadLine("Bad sequence number", line);
    }
    if (!NextLine(&line)) return IOStatus::Corruption("No number of files");
    while (line.find(' ') != std::string_view::npos) {
      if (IOStatus s = ReadHeaderField(line); !s.ok()) return s;
      if (!NextLine(&line)) return IOStatus::Corruption("No number of files");
    }
    return ParseCanonical(line, UINT32_MAX, &file_count_)
               ? IOStatus::OK()
               : BadLine("Bad number of files", line);
  }

  IOStatus ReadSchema(std::string_view line) {
    std::string_view version = line;
    if (TakeUpTo(' ', &version) != kSchemaField) {
      return BadLine("Bad schema version", line);
    }
    is_schema2_ = version == "2" || StartsWith(version, "2.");
    return is_schema2_ ? IOStatus::OK()
                       : IOStatus::NotSupported("Unsupported schema version",
                                                EscapeString(version));
  }

  IOStatus ReadHeaderField(std::string_view line) {
    std::string_view data = line;
    const std::string_view field = TakeUpTo(' ', &data);
    if (field == kMetadataField) {
      return ParseHexBytes(data, &result_.app_metadata)
                 ? IOStatus::OK()
                 : IOStatus::Corruption("Metadata is not in hex");
    }
    if (!is_schema2_) return BadLine("Bad number of files", line);
    return StartsWith(field, kMustKnow) ? UnknownField(field) : IOStatus::OK();
  }

  IOStatus ReadFileLine() {
    std::string_view line;
    if (!NextLine(&line)) return IOStatus::Corruption("Empty line");
    if (is_schema2_ && line == kFooterMark) return ReadFooter();
    std::string_view rest = line;
    BackupFile file;
    file.path = std::string(TakeUpTo(' ', &rest));
    if (!IsBackupPath(file.path)) return BadLine("Bad name of a file", line);
    is_excluded_ = false;
    size_t pair_count = 0;
    for (; !rest.empty(); ++pair_count) {
      const std::string_view field = TakeUpTo(' ', &rest);
      if (rest.empty()) return BadLine("Field without a value", line);
      const std::string_view value = TakeUpTo(' ', &rest);
      if (IOStatus s = ReadFileField(field, value, &file); !s.ok()) return s;
    }
    if (!is_schema2_ && (pair_count != 1 || !file.has_crc32c)) {
      return BadLine("Expected a path and its crc32", line);
    }
    if (!names_.insert(DbNameOf(file.path)).second) {
      return BadLine("Listed twice", line);
    }
    if (is_excluded_) {
      result_.excluded.push_back(std::move(file.path));
    } else {
      result_.files.push_back(std::move(file));
    }
    return IOStatus::OK();
  }

  IOStatus ReadFileField(std::string_view field, std::string_view value,
                         BackupFile* file) {
    uint64_t number = 0;
    if (field == kCrcField) {
      if (!ParseCanonical(value, UINT32_MAX, &number)) {
        return BadLine("Bad crc32", value);
      }
      file->crc32c = static_cast<uint32_t>(number);
      file->has_crc32c = true;
      return IOStatus::OK();
    }
    if (!is_schema2_) return BadLine("Unknown field", field);
    if (field == kSizeField) {
      if (!ParseCanonical(value, UINT64_MAX - 1, &file->size_bytes)) {
        return BadLine("Bad size", value);
      }
    } else if (field == kTemperatureField) {
      // A word of a later release: not known.
      (void)EnumFromName(value, &file->temperature);
    } else if (field == kExcludedField) {
      is_excluded_ = value == "true";
      if (!is_excluded_ && value != "false") {
        return IOStatus::NotSupported("Unrecognized value of ni::excluded",
                                      EscapeString(value));
      }
    } else if (StartsWith(field, kMustKnow)) {
      return UnknownField(field);
    }
    return IOStatus::OK();
  }

  IOStatus ReadFooter() {
    is_done_ = true;
    while (!text_.empty()) {
      std::string_view line;
      if (!NextLine(&line)) return IOStatus::Corruption("Empty line");
      const std::string_view field = TakeUpTo(' ', &line);
      if (StartsWith(field, kMustKnow)) return UnknownField(field);
    }
    return IOStatus::OK();
  }

  std::string_view text_;
  bool is_schema2_ = false;
  bool is_done_ = false;
  bool is_excluded_ = false;  // the file of the line
  uint64_t file_count_ = 0;
  std::set<std::string> names_;
  BackupDescription result_;
};

void AppendFileLine(const BackupFile& file, int schema, std::string* text) {
  INVARIANT(IsBackupPath(file.path));
  INVARIANT(schema > 1 || file.has_crc32c);
  text->append(file.path);
  const auto append = [&](std::string_view field, std::string_view value) {
    text->append(" ").append(field).append(" ").append(value);
  };
  if (file.has_crc32c) append(kCrcField, std::to_string(file.crc32c));
  if (schema > 1 && file.size_bytes != BackupFile::kUnknownSize) {
    append(kSizeField, std::to_string(file.size_bytes));
  }
  if (schema > 1 && file.temperature != Temperature::kUnknown) {
    append(kTemperatureField, NameOfEnum(file.temperature));
  }
  text->append("\n");
}

}  // namespace

std::string EncodeBackup(const BackupDescription& backup, int schema) {
  INVARIANT(schema >= 1 && schema <= BackupDescription::kMaxSchema);
  INVARIANT(schema > 1 || backup.excluded.empty());
  std::string text;
  if (schema > 1) text.append(kSchemaField).append(" 2.1\n");
  text += std::to_string(backup.timestamp) + "\n";
  text += std::to_string(backup.sequence) + "\n";
  if (!backup.app_metadata.empty()) {
    text.append(kMetadataField).append(" ");
    text += ToHex(backup.app_metadata) + "\n";
  }
  text += std::to_string(backup.files.size()) + "\n";
  for (const BackupFile& file : backup.files) {
    AppendFileLine(file, schema, &text);
  }
  for (const std::string& path : backup.excluded) {
    text.append(path).append(" ").append(kExcludedField).append(" true\n");
  }
  return text;
}

IOStatus DecodeBackup(const Slice& text, BackupDescription* result) {
  INVARIANT(result != nullptr);
  BackupDecoder decoder(text);
  IOStatus s = decoder.Run();
  if (s.ok()) *result = decoder.Take();
  return s;
}

std::vector<std::string> PathsIn(const Slice& text) {
  std::vector<std::string> paths;
  std::string_view rest = text.ToStringView();
  while (!rest.empty()) {
    std::string_view line = TakeUpTo('\n', &rest);
    const std::string_view path = TakeUpTo(' ', &line);
    if (IsBackupPath(path)) paths.emplace_back(path);
  }
  return paths;
}

}  // namespace ROCKSDB_NAMESPACE
