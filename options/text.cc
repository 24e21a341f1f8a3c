#include "options/text.h"

#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";

// The index behind the brace that closes the one at `begin`; npos if none.
size_t EndOfBraces(std::string_view text, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// The first `separator` outside braces from `begin` on, or the end of the
// text; npos if the braces do not balance.
size_t EndOfElement(std::string_view text, size_t begin, char separator) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth < 0) return std::string_view::npos;
    if (text[i] == separator && depth == 0) return i;
  }
  return depth == 0 ? text.size() : std::string_view::npos;
}

Status Unbalanced(std::string_view text) {
  return Status::InvalidArgument("Mismatched curly braces for nested options",
                                 std::string(text));
}

// The value at text[*position], which moves behind it and its semicolon.
Status TakeValue(std::string_view text, size_t* position, std::string* value) {
  size_t begin = text.find_first_not_of(kSpace, *position);
  if (begin == std::string_view::npos) begin = text.size();
  const bool braced = begin < text.size() && text[begin] == '{';
  const size_t value_end =
      braced ? EndOfBraces(text, begin) : EndOfElement(text, begin, ';');
  if (value_end == std::string_view::npos) return Unbalanced(text);
  size_t end = value_end;
  if (braced) {
    end = text.find_first_not_of(kSpace, value_end);
    if (end == std::string_view::npos) end = text.size();
    if (end < text.size() && text[end] != ';') {
      return Status::InvalidArgument("Unexpected chars after nested options",
                                     std::string(text.substr(end)));
    }
  }
  const std::string_view taken =
      TrimSpace(text.substr(begin, value_end - begin));
  *value = braced ? std::string(TrimSpace(taken.substr(1, taken.size() - 2)))
                  : std::string(taken);
  *position = end;
  return Status::OK();
}

}  // namespace

std::string_view StripBraces(std::string_view text) {
  const std::string_view trimmed = TrimSpace(text);
  if (trimmed.empty() || trimmed[0] != '{') return trimmed;
  if (EndOfBraces(trimmed, 0) != trimmed.size()) return trimmed;
  return TrimSpace(trimmed.substr(1, trimmed.size() - 2));
}

Status SplitOptionText(std::string_view whole, OptionTexts* result) {
  const std::string_view text = StripBraces(whole);
  OptionTexts options;
  size_t position = 0;
  while (true) {
    position = text.find_first_not_of(" \t\r\n\f\v;", position);
    if (position == std::string_view::npos) break;
    const size_t equals = text.find('=', position);
    if (equals == std::string_view::npos) {
      return Status::InvalidArgument("Mismatched key value pair, '=' expected",
                                     std::string(text.substr(position)));
    }
    const std::string_view name =
        TrimSpace(text.substr(position, equals - position));
    if (name.empty() || name.find_first_of(";{}") != std::string_view::npos) {
      return Status::InvalidArgument(
          name.empty() ? "Empty key found" : "Unexpected char in key",
          std::string(text.substr(position)));
    }
    position = equals + 1;
    std::string value;
    if (Status s = TakeValue(text, &position, &value); !s.ok()) return s;
    options.emplace_back(std::string(name), std::move(value));
  }
  *result = std::move(options);
  return Status::OK();
}

Status SplitListText(std::string_view whole, std::vector<std::string>* result) {
  const std::string_view text = TrimSpace(whole);
  std::vector<std::string> elements;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = EndOfElement(text, begin, ':');
    if (end == std::string_view::npos) return Unbalanced(text);
    elements.emplace_back(StripBraces(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  *result = std::move(elements);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
