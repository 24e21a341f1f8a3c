#include "tests/tidy/source_file.h"

#include <cctype>
#include <utility>

namespace ROCKSDB_NAMESPACE::tidy {

namespace {

bool IsWordChar(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Copies C++ text to two strings of the same length and lines, one with the
// code alone and one with the comments alone.
class Splitter {
 public:
  Splitter(std::string_view text, std::string* code, std::string* comments)
      : text_(text), code_(*code), comments_(*comments) {
    code_.reserve(text.size());
    comments_.reserve(text.size());
  }

  void Run() {
    while (at_ < text_.size()) {
      if (Sees("//")) {
        CommentUntil(text_.find('\n', at_));
      } else if (Sees("/*")) {
        CommentUntil(After("*/", at_ + 2));
      } else if (Sees("R\"") && !(at_ > 0 && IsWordChar(text_[at_ - 1]))) {
        RawString();
      } else if (text_[at_] == '"' || IsCharLiteral()) {
        Literal(text_[at_]);
      } else {
        Code();
      }
    }
  }

 private:
  bool Sees(std::string_view what) const {
    return text_.substr(at_, what.size()) == what;
  }

  size_t After(std::string_view what, size_t from) const {
    const size_t found = text_.find(what, from);
    return found == std::string_view::npos ? found : found + what.size();
  }

  // A quote between digits separates them: 1'000.
  bool IsCharLiteral() const {
    return text_[at_] == '\'' &&
           !(at_ > 0 && isxdigit(static_cast<unsigned char>(text_[at_ - 1])));
  }

  void Put(char code, char comment) {
    const bool is_newline = text_[at_] == '\n';
    code_.push_back(is_newline ? '\n' : code);
    comments_.push_back(is_newline ? '\n' : comment);
    ++at_;
  }

  void Code() { Put(text_[at_], ' '); }

  void CommentUntil(size_t end) {
    while (at_ < text_.size() && at_ < end) Put(' ', text_[at_]);
  }

  void BlankUntil(size_t end) {
    while (at_ < text_.size() && at_ < end) Put(' ', ' ');
  }

  void Literal(char quote) {
    Code();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      const size_t step = text_[at_] == '\\' ? 2 : 1;
      BlankUntil(at_ + step);
    }
    if (at_ < text_.size()) Code();
  }

  void RawString() {
    const size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return BlankUntil(text_.size());
    std::string close = ")";
    close.append(text_.substr(at_ + 2, open - at_ - 2)).push_back('"');
    const size_t end = After(close, open);
    BlankUntil(at_ + 1);
    Code();
    BlankUntil(end == std::string_view::npos ? end : end - 1);
    if (at_ < text_.size()) Code();
  }

  const std::string_view text_;
  std::string& code_;
  std::string& comments_;
  size_t at_ = 0;
};

bool IsDirective(std::string_view code_line) {
  const size_t first = code_line.find_first_not_of(" \t");
  return first != std::string_view::npos && code_line[first] == '#';
}

// Appends the tokens of one line of code.
void Tokenize(std::string_view line, int number, std::vector<Token>* tokens) {
  size_t at = 0;
  while (at < line.size()) {
    if (isspace(static_cast<unsigned char>(line[at]))) {
      ++at;
      continue;
    }
    size_t size = 1;
    if (IsWordChar(line[at])) {
      while (at + size < line.size() && IsWordChar(line[at + size])) ++size;
    } else if (line.substr(at, 2) == "::" || line.substr(at, 2) == "->") {
      size = 2;
    }
    tokens->push_back({line.substr(at, size), number});
    at += size;
  }
}

}  // namespace

bool IsWord(std::string_view token) {
  return !token.empty() && IsWordChar(token[0]);
}

std::string FolderOf(std::string_view path) {
  size_t end = path.find('/');
  if (end == std::string_view::npos) return "";
  if (path.substr(0, end) == "db") {
    const size_t second = path.find('/', end + 1);
    if (second != std::string_view::npos) end = second;
  }
  return std::string(path.substr(0, end));
}

SourceFile::SourceFile(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {
  if (IsCpp()) {
    Splitter(text_, &code_, &comment_text_).Run();
  } else {
    code_ = text_;
    comment_text_ = text_;
  }
  lines_ = SplitLines(text_);
  code_lines_ = SplitLines(code_);
  comment_lines_ = SplitLines(comment_text_);
  if (IsCpp()) {
    FindTokens();
    FindIncludes();
  }
}

void SourceFile::FindTokens() {
  bool is_directive = false;
  for (size_t i = 0; i < code_lines_.size(); ++i) {
    const std::string_view line = code_lines_[i];
    is_directive = is_directive || IsDirective(line);
    if (!is_directive) Tokenize(line, static_cast<int>(i) + 1, &tokens_);
    // A directive goes on where its line ends in a backslash.
    is_directive = is_directive && line.ends_with('\\');
  }
}

void SourceFile::FindIncludes() {
  for (size_t i = 0; i < code_lines_.size(); ++i) {
    if (!IsDirective(code_lines_[i])) continue;
    if (code_lines_[i].find("include") == std::string_view::npos) continue;
    const size_t open = lines_[i].find('"');
    if (open == std::string_view::npos) continue;
    const size_t close = lines_[i].find('"', open + 1);
    if (close == std::string_view::npos) continue;
    std::string target(lines_[i].substr(open + 1, close - open - 1));
    if (target.starts_with("rocksdb/")) target.insert(0, "include/");
    includes_.push_back({std::move(target), static_cast<int>(i) + 1});
  }
}

bool SourceFile::IsGenerated() const {
  for (size_t i = 0; i < lines_.size() && i < 5; ++i) {
    if (comment_lines_[i].find("Generated by") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

std::string SourceFile::Folder() const { return FolderOf(path_); }

bool SourceFile::IsIn(std::string_view folder) const {
  return path_.size() > folder.size() && path_.starts_with(folder) &&
         path_[folder.size()] == '/';
}

}  // namespace ROCKSDB_NAMESPACE::tidy
