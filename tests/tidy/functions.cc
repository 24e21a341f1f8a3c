#include "tests/tidy/functions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace ROCKSDB_NAMESPACE::tidy {

namespace {

using Tokens = std::span<const Token>;

bool IsOneOf(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Counts how deep in template arguments a walk over tokens is.
class AngleDepth {
 public:
  void Step(Tokens tokens, size_t i) {
    const std::string_view text = tokens[i].text;
    const bool follows_word =
        i > 0 && IsWord(tokens[i - 1].text) && tokens[i - 1].text != "operator";
    if (text == "<" && follows_word) ++depth_;
    if (text == ">" && depth_ > 0) --depth_;
  }
  bool IsInside() const { return depth_ > 0; }

 private:
  int depth_ = 0;
};

// The index behind the group that opens at `i`.
size_t SkipGroup(Tokens tokens, size_t i) {
  int depth = 0;
  for (; i < tokens.size(); ++i) {
    if (tokens[i].text == "(") ++depth;
    if (tokens[i].text == ")" && --depth == 0) return i + 1;
  }
  return i;
}

struct ParameterList {
  std::string name;  // The name of the function.
  Tokens inside;
  Tokens behind;  // What follows the closing parenthesis.
};

bool IsOperatorName(Tokens head, size_t i) {
  for (size_t back = 1; back <= 3 && back <= i; ++back) {
    if (head[i - back].text == "operator") return true;
  }
  return false;
}

// The parameter list in what stands before a body or a semicolon, unless that
// is no function.
std::optional<ParameterList> FindParameterList(Tokens head) {
  constexpr std::array<std::string_view, 7> kNoFunctions = {
      "alignas",  "decltype",      "explicit", "noexcept",
      "requires", "__attribute__", "sizeof"};
  AngleDepth angles;
  for (size_t i = 0; i < head.size(); ++i) {
    angles.Step(head, i);
    if (angles.IsInside()) continue;
    const bool is_operator = IsOperatorName(head, i);
    if (head[i].text == "=" && !is_operator) return std::nullopt;
    if (head[i].text != "(" || i == 0) continue;
    if (IsOneOf(head[i - 1].text, kNoFunctions)) {
      i = SkipGroup(head, i) - 1;
      continue;
    }
    if (head[i - 1].text == "operator") {  // operator()(...)
      ++i;
      continue;
    }
    if (!IsWord(head[i - 1].text) && !is_operator) return std::nullopt;
    const size_t end = SkipGroup(head, i);
    const size_t size = end - i >= 2 ? end - i - 2 : 0;
    return ParameterList{std::string(head[i - 1].text),
                         head.subspan(i + 1, size), head.subspan(end)};
  }
  return std::nullopt;
}

int CountParameters(Tokens inside) {
  if (inside.empty()) return 0;
  if (inside.size() == 1 && inside[0].text == "void") return 0;
  int count = 1;
  int depth = 0;
  AngleDepth angles;
  for (size_t i = 0; i < inside.size(); ++i) {
    angles.Step(inside, i);
    const std::string_view text = inside[i].text;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}") --depth;
    if (text == "," && depth == 0 && !angles.IsInside()) ++count;
  }
  return count;
}

// What stands before a class, struct or function without template<...>.
Tokens WithoutTemplate(Tokens head) {
  while (!head.empty() && head[0].text == "template") {
    int depth = 0;
    size_t i = 1;
    for (; i < head.size(); ++i) {
      if (head[i].text == "<") ++depth;
      if (head[i].text == ">" && --depth == 0) break;
    }
    head = head.subspan(std::min(i + 1, head.size()));
  }
  return head;
}

// Walks over a file's tokens and collects its functions.
class Finder {
 public:
  explicit Finder(const SourceFile& file) : tokens_(file.tokens()) {}

  std::vector<Function> Run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const std::string_view text = tokens_[at_].text;
      if (text == "{") {
        Open();
      } else if (text == "}") {
        Close();
      } else if (IsOutside()) {
        StepOutside(text);
      }
    }
    return std::move(found_);
  }

 private:
  enum class Scope {
    kNames,     // A namespace or class: functions stand in it.
    kFunction,  // A function's body.
    kInside,    // Any braces in a body, an initializer or an enum.
  };

  bool IsOutside() const {
    return scopes_.empty() || scopes_.back() == Scope::kNames;
  }

  Tokens Head() const {
    return tokens_.subspan(head_begin_, at_ - head_begin_);
  }

  void StepOutside(std::string_view text) {
    if (text == "(") ++parentheses_;
    if (text == ")") --parentheses_;
    if (parentheses_ > 0) return;
    if (text == ";") {
      AddDeclaration();
      head_begin_ = at_ + 1;
    } else if (text == ":" && IsAccessLabel()) {
      head_begin_ = at_ + 1;
    }
  }

  bool IsAccessLabel() const {
    const Tokens head = Head();
    return head.size() == 1 &&
           (head[0].text == "public" || head[0].text == "private" ||
            head[0].text == "protected");
  }

  void Open() {
    const Scope scope =
        IsOutside() && parentheses_ == 0 ? Classify() : Scope::kInside;
    if (scope == Scope::kFunction) BeginDefinition();
    scopes_.push_back(scope);
    if (scope == Scope::kNames) head_begin_ = at_ + 1;
  }

  void Close() {
    if (scopes_.empty()) return;
    const Scope scope = scopes_.back();
    scopes_.pop_back();
    if (scope == Scope::kInside) return;
    if (scope == Scope::kFunction) {
      current_.last_line = tokens_[at_].line;
      found_.push_back(current_);
    }
    head_begin_ = at_ + 1;
  }

  // What the brace at `at_` opens.
  Scope Classify() const {
    const Tokens head = WithoutTemplate(Head());
    if (head.empty()) return Scope::kInside;
    // A macro's call may stand before it without a semicolon.
    for (const Token& token : head) {
      if (token.text == "namespace") return Scope::kNames;
    }
    const std::string_view first = head[0].text;
    if (first == "extern" && head.back().text == "\"") return Scope::kNames;
    if (first == "class" || first == "struct" || first == "union") {
      return Scope::kNames;
    }
    const auto list = FindParameterList(head);
    if (!list || IsMemberInitializer(*list)) return Scope::kInside;
    return Scope::kFunction;
  }

  // `: a_{1}` before a constructor's body.
  static bool IsMemberInitializer(const ParameterList& list) {
    if (list.behind.empty()) return false;
    const bool has_colon =
        std::any_of(list.behind.begin(), list.behind.end(),
                    [](const Token& token) { return token.text == ":"; });
    const std::string_view last = list.behind.back().text;
    return has_colon && (IsWord(last) || last == ">");
  }

  void Fill(const ParameterList& list) {
    current_ = Function();
    current_.name = list.name;
    current_.first_line = tokens_[head_begin_].line;
    current_.last_line = tokens_[at_].line;
    current_.parameter_count = CountParameters(list.inside);
    for (const Token& token : list.behind) {
      if (token.text == "override" || token.text == "final") {
        current_.is_override = true;
      }
    }
  }

  void BeginDefinition() {
    Fill(*FindParameterList(WithoutTemplate(Head())));
    current_.is_definition = true;
  }

  void AddDeclaration() {
    const auto list = FindParameterList(WithoutTemplate(Head()));
    if (!list) return;
    Fill(*list);
    found_.push_back(current_);
  }

  const Tokens tokens_;
  size_t at_ = 0;
  size_t head_begin_ = 0;
  int parentheses_ = 0;
  std::vector<Scope> scopes_;
  Function current_;
  std::vector<Function> found_;
};

}  // namespace

std::vector<Function> FindFunctions(const SourceFile& file) {
  return Finder(file).Run();
}

}  // namespace ROCKSDB_NAMESPACE::tidy
