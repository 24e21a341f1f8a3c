// The text forms that option strings and OPTIONS files share: braces and
// lists. Knows no option; numbers and escapes are in util/string_util.h.
//
// Threads  Pure functions.
// Errors   InvalidArgument says what is wrong with the text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

// "a=1;b={c=2;d=3}" to ("a", "1"), ("b", "c=2;d=3"): braces around the whole
// and around each value are taken off. In the order of the text.
Status SplitOptionText(std::string_view text, OptionTexts* result);

// "1:2:{3:4}" to "1", "2", "3:4"; colons inside braces do not count.
Status SplitListText(std::string_view text, std::vector<std::string>* result);

// `text` without the braces that enclose all of it, if they do.
std::string_view StripBraces(std::string_view text);

}  // namespace ROCKSDB_NAMESPACE
