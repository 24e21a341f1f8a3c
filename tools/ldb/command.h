// What the commands of ldb have in common, and the table that lists them.
//
// A command is one row: its name, what it opens, what it takes, its help, and
// a function that makes it. Parsing, checking, usage texts and completion of
// shells are made from the rows.
//
// Threads    One.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/ldb_cmd.h"
#include "tools/ldb/dump_outcome.h"

namespace ROCKSDB_NAMESPACE {

// What Run() opens for a command.
enum class Opens { kNothing, kForReading, kForWriting };

// Whether a command takes the options that all do, or --db alone.
enum class TakesOptions { kAll, kDbOnly };

struct CommandRow {
  const char* name;
  Opens opens;
  const char* arguments;  // the text that the usage shows
  const char* help;       // one sentence or a few
  std::vector<std::string> options;
  LDBCommand* (*make)(const CommandRow& row,
                      const LDBCommand::ParsedParams& params);
  TakesOptions takes = TakesOptions::kAll;
};

class Command : public LDBCommand {
 public:
  Command(const CommandRow& row, const ParsedParams& params);

  bool NoDBOpen() override { return row_.opens == Opens::kNothing; }

  // Takes the parameters apart. What is wrong with them fails the command.
  virtual void Parse() {}

  void OverrideBaseOptions() override;

  bool is_failure_told() const { return is_failure_told_; }

 protected:
  void Fail(const std::string& text) {
    exec_state_ = LDBCommandExecuteResult::Failed(text);
  }
  // What is wrong stands on standard error already, and is not said again.
  void FailQuietly() {
    Fail("");
    is_failure_told_ = true;
  }
  // Fails the command if a file could not be shown.
  void Take(const DumpOutcome& outcome) {
    if (outcome.failure.empty()) return;
    if (outcome.is_told) return FailQuietly();
    Fail(outcome.failure);
  }
  // "<what>: <status>".
  void Fail(const std::string& what, const Status& s) {
    Fail(what + ": " + s.ToString());
  }
  // For commands whose result is a line on standard error.
  void Succeed(const std::string& text) {
    exec_state_ = LDBCommandExecuteResult::Succeed(text);
  }
  // Prints "OK", or fails with the status.
  void OkOrFail(const Status& s);

  const std::vector<std::string>& words() const { return words_; }
  bool HasFlag(const std::string& name) const {
    return IsFlagPresent(flags_, name);
  }
  bool wants_json() const { return HasFlag("json"); }
  bool HasOption(const std::string& name) const {
    return option_map_.contains(name);
  }
  std::string Option(const std::string& name) const;

  // A word as bytes, in hex or plain. What is no hex fails the command.
  std::string KeyOf(const std::string& word);
  std::string ValueOf(const std::string& word);

  // The number of an option, if it is there. What is none fails the command.
  void IntOption(const std::string& name, int* value) {
    ParseIntOption(option_map_, name, *value, exec_state_);
  }
  // --max_keys; -1 is no limit. `ending` closes the error's sentence.
  int MaxKeys(int unlimited, const char* ending);

  // How a key is shown where nothing else is.
  std::string ShownKey(const Slice& key) const;

 private:
  std::string BytesOf(const std::string& word, bool is_hex);

  const CommandRow& row_;
  const std::vector<std::string> words_;
  bool is_failure_told_ = false;
};

template <class T>
LDBCommand* MakeCommand(const CommandRow& row,
                        const LDBCommand::ParsedParams& params) {
  auto command = std::make_unique<T>(row, params);
  command->Parse();
  return command.release();
}

// Writes all bytes to standard output, zeros too.
void Print(const Slice& text);
void PrintLine(const Slice& text);

// The rows of each family of commands, in the order of the usage.
const std::vector<CommandRow>& ReadCommands();
const std::vector<CommandRow>& WriteCommands();
const std::vector<CommandRow>& ScanCommands();
const std::vector<CommandRow>& LoadCommands();
const std::vector<CommandRow>& FamilyCommands();
const std::vector<CommandRow>& InspectCommands();
const std::vector<CommandRow>& CompactCommands();
const std::vector<CommandRow>& BackupCommands();
const std::vector<CommandRow>& ExternalFileCommands();
const std::vector<CommandRow>& RemoteCommands();
const std::vector<CommandRow>& ManifestCommands();
const std::vector<CommandRow>& FileDumpCommands();
const std::vector<CommandRow>& DoctorCommands();
const std::vector<CommandRow>& LiveCommands();

// All of them.
std::vector<const CommandRow*> AllCommands();
// nullptr: no command is called so.
const CommandRow* FindCommand(const std::string& name);

// `text` in lines of 80 columns, the first begun by `indent` blanks, and the
// others by more, if there are any.
std::string Wrapped(const std::string& text, size_t indent);
// What `ldb <command> --help` prints.
std::string CommandHelp(const CommandRow& row);

}  // namespace ROCKSDB_NAMESPACE
