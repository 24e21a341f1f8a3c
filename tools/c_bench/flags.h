// The command line: flags with db_bench's names and values.
//
// Some are the program's own; others become a word of the text of options that
// the engine parses, so that no engine needs a function for them. An empty
// value leaves a flag to the engine's default.
//
// Threads    Immutable once parsed.
// Errors     A flag or value that cannot be ends the program.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace c_bench {

class Flags {
 public:
  Flags();

  // Takes the command line. Answers --help and --helpxml itself, and ends the
  // program then.
  void Parse(int count, char** arguments);

  const std::string& Value(const std::string& name) const;
  int64_t Number(const std::string& name) const;
  bool IsOn(const std::string& name) const;

  // The options that the flags ask for, as the engine parses them.
  std::string OptionText() const;

 private:
  void Take(const std::string& name, const std::string& value);
  std::string TableText() const;
  void PrintXml() const;
  void PrintHelp() const;

  std::map<std::string, std::string> values_;
};

}  // namespace c_bench
