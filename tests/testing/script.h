// Data-driven tests: cases in text files, each with what it is to answer.
//
//   # comment
//   COMMAND
//   BODY                  on one line or more, or none
//   ----
//   EXPECTED              ends at an empty line
//
// An empty line within an answer stands as <empty>.
//
// Set BASALT_REWRITE=1 to write the expectations anew; the diff is then to be
// read like code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct ScriptCase {
  std::string comment;  // lines before the command
  std::string command;
  std::string body;  // lines, each with its end
  std::string expected;
};

struct ScriptWord {
  std::string text;
  // The index of the first colon outside quotes; npos if there is none.
  size_t colon = std::string::npos;
};

// A line cut at blanks. What stands in double quotes is one word, with blanks
// and colons as they are; a quote that does not end fails the test.
std::vector<ScriptWord> CutWords(std::string_view line);

// A line of words: VERB WORD.. NAME:VALUE.., in any order behind the verb. A
// word with a colon is a named one.
class ScriptWords {
 public:
  explicit ScriptWords(std::string_view line);

  const std::string& verb() const { return verb_; }
  // Without the verb and the named ones.
  const std::vector<std::string>& words() const { return words_; }
  // The one at `index` of them; one that is missing fails the test.
  const std::string& Word(size_t index) const;
  const std::map<std::string, std::string>& named() const { return named_; }

  bool HasWord(const std::string& word) const;
  bool Has(const std::string& name) const { return named_.contains(name); }
  std::string Text(const std::string& name, const std::string& otherwise) const;
  uint64_t Number(const std::string& name, uint64_t otherwise) const;

 private:
  std::string verb_;
  std::vector<std::string> words_;
  std::map<std::string, std::string> named_;
};

// The lines of a text, without their ends.
std::vector<std::string> LinesOf(const std::string& text);

// Bytes as text: what is not printable, and '\', as \xHH; and back.
std::string TextOfBytes(std::string_view bytes);
std::string BytesOfText(std::string_view text);

using ScriptFunction = std::function<std::string(const ScriptCase&)>;

// Every case of tests/testdata/FILE answers as expected, one after the other.
// Returns how many there are.
size_t RunScript(const std::string& file, const ScriptFunction& run);
// The same for all of tests/testdata/FOLDER/*.txt.
size_t RunScripts(const std::string& folder, const ScriptFunction& run);

}  // namespace ROCKSDB_NAMESPACE
