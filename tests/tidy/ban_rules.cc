// Banned things: back doors, leftovers, and what belongs to one machine only.

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "tests/tidy/rules.h"

namespace ROCKSDB_NAMESPACE::tidy {

namespace {

using Tokens = std::span<const Token>;

// Whether a line, or the comment line above it, allows a thing and says why:
// `NOLINT(thing): reason`.
bool IsAllowed(const SourceFile& file, int line, const std::string& thing) {
  const std::string mark = "NOLINT(" + thing + "): ";
  const size_t index = static_cast<size_t>(line) - 1;
  for (size_t back = 0; back <= 1 && back <= index; ++back) {
    const std::string_view text = file.comments()[index - back];
    const size_t found = text.find(mark);
    if (found != std::string_view::npos && text.size() > found + mark.size()) {
      return true;
    }
  }
  return false;
}

std::string_view TextAt(Tokens tokens, size_t i) {
  return i < tokens.size() ? tokens[i].text : std::string_view();
}

// The classes that a file defines.
std::set<std::string_view> ClassesOf(const SourceFile& file) {
  std::set<std::string_view> names;
  const Tokens tokens = file.tokens();
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != "class" && tokens[i].text != "struct") continue;
    // The name is the last word before a base list or the body.
    std::string_view name;
    size_t j = i + 1;
    for (; j < tokens.size(); ++j) {
      const std::string_view text = tokens[j].text;
      if (text == "{" || text == ":" || text == ";" || text == ">") break;
      if (IsWord(text) && text != "final") name = text;
    }
    if (TextAt(tokens, j) == "{" || TextAt(tokens, j) == ":") {
      names.insert(name);
    }
  }
  return names;
}

// The class that the friend declaration at `i` names; empty for a function.
std::string_view FriendClass(Tokens tokens, size_t i) {
  std::string_view name;
  for (size_t j = i + 1; j < tokens.size() && tokens[j].text != ";"; ++j) {
    if (tokens[j].text == "(") return "";
    if (IsWord(tokens[j].text)) name = tokens[j].text;
  }
  return name;
}

bool IsOwnInternal(const SourceFile& file, std::string_view name,
                   const std::set<std::string_view>& classes) {
  constexpr std::string_view kEnding = "Internal";
  if (!file.IsIn("include") || !name.ends_with(kEnding)) return false;
  return classes.contains(name.substr(0, name.size() - kEnding.size()));
}

bool IsTestHook(std::string_view word) {
  return word.starts_with("TEST_") || word == "FRIEND_TEST" ||
         word.find("SyncPoint") != std::string_view::npos ||
         word.ends_with("ForTest") || word.ends_with("ForTests") ||
         word.ends_with("ForTesting");
}

// Whether "(#7)" or "(issue 7)" stands at the start of `text`.
bool NamesIssue(std::string_view text) {
  for (const std::string_view start : {"(#", "(issue "}) {
    if (!text.starts_with(start)) continue;
    text.remove_prefix(start.size());
    size_t digits = 0;
    while (digits < text.size() &&
           isdigit(static_cast<unsigned char>(text[digits]))) {
      ++digits;
    }
    return digits > 0 && text.substr(digits).starts_with(')');
  }
  return false;
}

bool IsWordAt(std::string_view text, size_t at, std::string_view word) {
  const auto is_word_char = [](char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  const size_t end = at + word.size();
  return (at == 0 || !is_word_char(text[at - 1])) &&
         (end >= text.size() || !is_word_char(text[end]));
}

// The text of a comment line behind its blanks and slashes; empty where the
// line has no comment.
std::string_view CommentText(std::string_view comment_line) {
  const size_t first = comment_line.find_first_not_of(" \t/*");
  return first == std::string_view::npos ? std::string_view()
                                         : comment_line.substr(first);
}

// Everything of a preprocessor line but blanks: "#if0".
std::string Squeezed(std::string_view line) {
  std::string result;
  for (const char c : line) {
    if (!isspace(static_cast<unsigned char>(c))) result.push_back(c);
  }
  return result;
}

}  // namespace

Violations CheckFriends(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    const std::set<std::string_view> classes = ClassesOf(*file);
    const Tokens tokens = file->tokens();
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].text != "friend") continue;
      const std::string_view name = FriendClass(tokens, i);
      if (name.empty() || classes.contains(name)) continue;
      if (IsOwnInternal(*file, name, classes)) continue;
      result.push_back({file->path(), tokens[i].line,
                        "friend of another file: " + std::string(name)});
    }
  }
  return result;
}

Violations CheckTestHooks(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    if (file->IsIn("tests")) continue;
    for (const Token& token : file->tokens()) {
      if (IsTestHook(token.text)) {
        result.push_back({file->path(), token.line,
                          "test hook: " + std::string(token.text)});
      }
    }
  }
  return result;
}

Violations CheckTodos(const Tree& tree) {
  Violations result;
  for (const auto& [path, file] : tree.files()) {
    if (path.ends_with(".md")) continue;  // Prose may speak of them.
    for (size_t i = 0; i < file->comments().size(); ++i) {
      const std::string_view line = file->comments()[i];
      for (const std::string_view word : {"TODO", "FIXME", "XXX"}) {
        const size_t at = line.find(word);
        if (at == std::string_view::npos || !IsWordAt(line, at, word)) continue;
        if (NamesIssue(line.substr(at + word.size()))) continue;
        result.push_back({path, static_cast<int>(i) + 1,
                          std::string(word) + " without an issue's number"});
      }
    }
  }
  return result;
}

Violations CheckDisabledCode(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    for (size_t i = 0; i < file->code().size(); ++i) {
      const std::string line = Squeezed(file->code()[i]);
      if (line == "#if0" || line == "#iffalse") {
        result.push_back({file->path(), static_cast<int>(i) + 1,
                          "code that is never built"});
      }
    }
  }
  return result;
}

Violations CheckNakedNew(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    const Tokens tokens = file->tokens();
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].text != "new") continue;
      const bool is_placement = TextAt(tokens, i + 1) == "(";
      const bool is_operator = i > 0 && tokens[i - 1].text == "operator";
      if (is_placement || is_operator) continue;
      if (IsAllowed(*file, tokens[i].line, "naked-new")) continue;
      result.push_back({file->path(), tokens[i].line, "naked new"});
    }
  }
  return result;
}

Violations CheckMachinePaths(const Tree& tree) {
  // In two parts each, since this file is checked too.
  const std::array<std::string, 5> banned = {
      std::string("/wo") + "rk/", std::string("/ho") + "me/",
      std::string("/ro") + "ot/", std::string("/tmp/") + "b-",
      std::string("/tmp/") + "bash"};
  Violations result;
  for (const auto& [path, file] : tree.files()) {
    for (size_t i = 0; i < file->lines().size(); ++i) {
      for (const std::string& path_part : banned) {
        if (file->lines()[i].find(path_part) == std::string_view::npos) {
          continue;
        }
        result.push_back({path, static_cast<int>(i) + 1,
                          "a path of one machine: " + path_part});
      }
    }
  }
  return result;
}

Violations CheckSleepsInTests(const Tree& tree) {
  constexpr std::array<std::string_view, 6> kSleeps = {
      "sleep",     "usleep",      "nanosleep",
      "sleep_for", "sleep_until", "clock_nanosleep"};
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    if (!file->IsIn("tests")) continue;
    const Tokens tokens = file->tokens();
    for (size_t i = 0; i < tokens.size(); ++i) {
      const bool is_sleep = std::find(kSleeps.begin(), kSleeps.end(),
                                      tokens[i].text) != kSleeps.end();
      if (!is_sleep || TextAt(tokens, i + 1) != "(") continue;
      if (IsAllowed(*file, tokens[i].line, "sleep")) continue;
      result.push_back({file->path(), tokens[i].line, "a test that sleeps"});
    }
  }
  return result;
}

Violations CheckCommentBeginnings(const Tree& tree) {
  constexpr std::array<std::string_view, 8> kFragments = {
      "Of", "As", "Who", "Whose", "of", "as", "who", "whose"};
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    bool goes_on = false;
    for (size_t i = 0; i < file->comments().size(); ++i) {
      const std::string_view text = CommentText(file->comments()[i]);
      const bool is_behind_code = !Squeezed(file->code()[i]).empty();
      const bool begins = is_behind_code || !goes_on;
      goes_on = !text.empty();
      if (!begins) continue;
      for (const std::string_view word : kFragments) {
        if (!text.starts_with(word) || !IsWordAt(text, 0, word)) continue;
        result.push_back({file->path(), static_cast<int>(i) + 1,
                          "a comment that begins with " + std::string(word)});
      }
    }
  }
  return result;
}

Violations CheckPlatformConditions(const Tree& tree) {
  constexpr std::array<std::string_view, 7> kPlatforms = {
      "_WIN32",    "OS_WIN",      "__linux__", "OS_LINUX",
      "__APPLE__", "__FreeBSD__", "_MSC_VER"};
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    if (file->IsIn("env") || file->IsIn("util") || file->IsIn("include")) {
      continue;
    }
    for (size_t i = 0; i < file->code().size(); ++i) {
      const std::string line = Squeezed(file->code()[i]);
      if (!line.starts_with("#if") && !line.starts_with("#elif")) continue;
      for (const std::string_view platform : kPlatforms) {
        if (line.find(platform) == std::string::npos) continue;
        result.push_back({file->path(), static_cast<int>(i) + 1,
                          "a platform's condition outside env/ and util/"});
      }
    }
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::tidy
