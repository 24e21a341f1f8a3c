// One source file as the tidiness rules see it: code and comments apart.
//
// Rules are about code ("no naked new") or about comments ("work left to do
// names an issue"); neither may be fooled by the other, nor by a string. The
// split keeps every character's place, so that a line number is the same in
// all views.
//
// Threads    Immutable after construction.
// Ownership  Owns its text; tokens point into it, so it does not move.
// Errors     Cannot fail: text that is no C++ gives poor tokens, not a crash.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::tidy {

// A word, a number, or one mark; "::" and "->" are one mark each.
struct Token {
  std::string_view text;
  int line;  // Counted from 1.
};

// A quoted include.
struct Include {
  std::string target;  // From the root of the tree: "include/rocksdb/db.h".
  int line;
};

class SourceFile {
 public:
  // `path` is relative to the root of the tree.
  SourceFile(std::string path, std::string text);
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }

  // The lines as written; with everything but code blanked (strings keep
  // their quotes only); with everything but comments blanked.
  const std::vector<std::string_view>& lines() const { return lines_; }
  const std::vector<std::string_view>& code() const { return code_lines_; }
  const std::vector<std::string_view>& comments() const {
    return comment_lines_;
  }

  // The code without preprocessor directives.
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::vector<Include>& includes() const { return includes_; }

  bool IsHeader() const { return path_.ends_with(".h"); }
  bool IsCpp() const { return IsHeader() || path_.ends_with(".cc"); }
  bool IsGenerated() const;

  // The first part of the path, and for db the first two: "db/wal".
  std::string Folder() const;
  bool IsIn(std::string_view folder) const;

 private:
  void FindTokens();
  void FindIncludes();

  const std::string path_;
  const std::string text_;
  std::string code_;
  std::string comment_text_;
  std::vector<std::string_view> lines_;
  std::vector<std::string_view> code_lines_;
  std::vector<std::string_view> comment_lines_;
  std::vector<Token> tokens_;
  std::vector<Include> includes_;
};

std::string FolderOf(std::string_view path);
bool IsWord(std::string_view token);

}  // namespace ROCKSDB_NAMESPACE::tidy
