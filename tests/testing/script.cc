#include "tests/testing/script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kEmptyLine[] = "<empty>";

std::filesystem::path DataFolder() {
  return std::filesystem::path(BASALT_SOURCE_DIR) / "tests/testdata";
}

std::vector<ScriptCase> ReadScript(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::vector<ScriptCase> cases;
  ScriptCase now;
  enum { kBefore, kBody, kExpected } part = kBefore;
  const auto finish = [&] {
    if (part == kExpected) cases.push_back(std::move(now));
    if (part == kExpected) now = ScriptCase();
    part = part == kExpected ? kBefore : part;
  };
  for (std::string line; std::getline(file, line);) {
    if (line.empty() && part != kBody) {
      if (part == kBefore) now.comment += "\n";
      finish();
    } else if (part == kBefore && line[0] == '#') {
      now.comment += line + "\n";
    } else if (part == kBefore) {
      now.command = line;
      part = kBody;
    } else if (part == kBody && line == "----") {
      part = kExpected;
    } else {
      (part == kBody ? now.body : now.expected) += line + "\n";
    }
  }
  finish();
  EXPECT_EQ(part, kBefore) << path << ": a case without an answer";
  EXPECT_FALSE(cases.empty()) << path;
  return cases;
}

std::string Render(const std::vector<ScriptCase>& cases) {
  std::string text;
  for (const ScriptCase& c : cases) {
    text +=
        c.comment + c.command + "\n" + c.body + "----\n" + c.expected + "\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

// Whole lines, none of which ends the case.
std::string AsExpectation(const std::string& answer) {
  std::string text;
  for (const std::string& line : LinesOf(answer)) {
    text += (line.empty() ? kEmptyLine : line) + "\n";
  }
  return text;
}

size_t RunCases(const std::filesystem::path& path, const ScriptFunction& run) {
  SCOPED_TRACE(path.filename());
  const bool rewrites = std::getenv("BASALT_REWRITE") != nullptr;
  std::vector<ScriptCase> cases = ReadScript(path);
  for (ScriptCase& c : cases) {
    SCOPED_TRACE(c.command + "\n" + c.body);
    const std::string seen = AsExpectation(run(c));
    if (rewrites) {
      c.expected = seen;
    } else {
      EXPECT_EQ(seen, c.expected);
    }
  }
  if (rewrites) std::ofstream(path) << Render(cases);
  return cases.size();
}

}  // namespace

std::vector<ScriptWord> CutWords(std::string_view line) {
  std::vector<ScriptWord> words;
  bool is_quoted = false, is_in_word = false;
  for (const char c : line) {
    if (c == ' ' && !is_quoted) {
      is_in_word = false;
      continue;
    }
    if (!std::exchange(is_in_word, true)) words.emplace_back();
    ScriptWord& word = words.back();
    if (c == '"') {
      is_quoted = !is_quoted;
      continue;
    }
    if (c == ':' && !is_quoted && word.colon == std::string::npos) {
      word.colon = word.text.size();
    }
    word.text += c;
  }
  EXPECT_FALSE(is_quoted) << line;
  return words;
}

ScriptWords::ScriptWords(std::string_view line) {
  bool first = true;
  for (const auto& [word, colon] : CutWords(line)) {
    if (std::exchange(first, false)) {
      verb_ = word;
    } else if (colon == std::string::npos) {
      words_.push_back(word);
    } else {
      const bool is_new =
          named_.emplace(word.substr(0, colon), word.substr(colon + 1)).second;
      EXPECT_TRUE(is_new) << "twice: " << word;
    }
  }
}

const std::string& ScriptWords::Word(size_t index) const {
  static const std::string nothing;
  EXPECT_LT(index, words_.size()) << verb_ << ": a word is missing";
  return index < words_.size() ? words_[index] : nothing;
}

bool ScriptWords::HasWord(const std::string& word) const {
  return std::find(words_.begin(), words_.end(), word) != words_.end();
}

std::string ScriptWords::Text(const std::string& name,
                              const std::string& otherwise) const {
  const auto found = named_.find(name);
  return found == named_.end() ? otherwise : found->second;
}

uint64_t ScriptWords::Number(const std::string& name,
                             uint64_t otherwise) const {
  const auto found = named_.find(name);
  return found == named_.end() ? otherwise : std::stoull(found->second);
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  return lines;
}

std::string TextOfBytes(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    if (std::isprint(static_cast<unsigned char>(c)) != 0 && c != '\\') {
      text += c;
      continue;
    }
    char code[5];
    std::snprintf(code, sizeof(code), "\\x%02X", static_cast<uint8_t>(c));
    text += code;
  }
  return text;
}

std::string BytesOfText(std::string_view text) {
  std::string bytes;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) != "\\x") {
      bytes += text[at];
      continue;
    }
    const std::string digits(text.substr(at + 2, 2));
    bytes += static_cast<char>(std::stoul(digits, nullptr, 16));
    at += 1 + digits.size();
  }
  return bytes;
}

size_t RunScript(const std::string& file, const ScriptFunction& run) {
  return RunCases(DataFolder() / file, run);
}

size_t RunScripts(const std::string& folder, const ScriptFunction& run) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(DataFolder() / folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  EXPECT_FALSE(paths.empty()) << folder;
  size_t count = 0;
  for (const std::filesystem::path& path : paths) {
    if (path.extension() == ".txt") count += RunCases(path, run);
  }
  return count;
}

}  // namespace ROCKSDB_NAMESPACE
