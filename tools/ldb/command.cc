#include "tools/ldb/command.h"

#include <cstdio>

#include "tools/ldb/hex.h"

namespace ROCKSDB_NAMESPACE {

Command::Command(const CommandRow& row, const ParsedParams& params)
    : LDBCommand(
          params.option_map, params.flags, row.opens == Opens::kForReading,
          row.takes == TakesOptions::kAll ? BuildCmdLineOptions(row.options)
                                          : row.options),
      row_(row),
      words_(params.cmd_params) {}

void Command::OverrideBaseOptions() {
  LDBCommand::OverrideBaseOptions();
  options_.create_if_missing = create_if_missing_;
}

void Command::OkOrFail(const Status& s) {
  if (s.ok()) {
    PrintLine("OK");
  } else {
    Fail(s.ToString());
  }
}

std::string Command::Option(const std::string& name) const {
  const auto found = option_map_.find(name);
  return found == option_map_.end() ? std::string() : found->second;
}

std::string Command::BytesOf(const std::string& word, bool is_hex) {
  if (!is_hex) return word;
  std::string bytes;
  std::string error;
  const bool is_good = DecodeHex(word, &bytes, &error);
  // The first of several bad words is told.
  if (!is_good && !exec_state_.IsFailed()) Fail(error);
  return bytes;
}

std::string Command::KeyOf(const std::string& word) {
  return BytesOf(word, is_key_hex_);
}

std::string Command::ValueOf(const std::string& word) {
  return BytesOf(word, is_value_hex_);
}

int Command::MaxKeys(int unlimited, const char* ending) {
  if (!HasOption(ARG_MAX_KEYS)) return unlimited;
  int number = unlimited;
  switch (LeadingInt(Option(ARG_MAX_KEYS), &number)) {
    case NumberKind::kGood:
      break;
    case NumberKind::kInvalid:
      Fail(ARG_MAX_KEYS + " has an invalid value" + ending);
      break;
    case NumberKind::kOutOfRange:
      Fail(ARG_MAX_KEYS + " has a value out-of-range" + ending);
      break;
  }
  return number;
}

std::string Command::ShownKey(const Slice& key) const {
  if (is_key_hex_) return "0x" + HexDigits(key);
  if (ldb_options_.key_formatter != nullptr) {
    return ldb_options_.key_formatter->Format(key);
  }
  return key.ToString();
}

void Print(const Slice& text) {
  // RunCommand() looks whether all went out.
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return;
}

void PrintLine(const Slice& text) {
  Print(text);
  Print("\n");
}

std::vector<const CommandRow*> AllCommands() {
  std::vector<const CommandRow*> all;
  for (const std::vector<CommandRow>* rows :
       {&ReadCommands(), &ScanCommands(), &WriteCommands(), &LoadCommands(),
        &FamilyCommands(), &InspectCommands(), &FileDumpCommands(),
        &ManifestCommands(), &DoctorCommands(), &LiveCommands(),
        &CompactCommands(), &BackupCommands(), &ExternalFileCommands(),
        &RemoteCommands()}) {
    for (const CommandRow& row : *rows) all.push_back(&row);
  }
  return all;
}

const CommandRow* FindCommand(const std::string& name) {
  for (const CommandRow* row : AllCommands()) {
    if (name == row->name) return row;
  }
  return nullptr;
}

LDBCommand* LDBCommand::SelectCommand(const ParsedParams& parsed_parms) {
  const CommandRow* const row = FindCommand(parsed_parms.cmd);
  return row == nullptr ? nullptr : row->make(*row, parsed_parms);
}

}  // namespace ROCKSDB_NAMESPACE
