// Versions as text, for tests of what reads and compactions make of them.
//
//   k@7=v       a value        k@7!   a deletion     k@7!!  a single deletion
//   k@7+v       an operand     a-c@7  a range tombstone
//   k@7{a:1,:v} an entity      k@7~v  a value with a preferred sequence
//   k@7?N:v     of type N, whatever that is
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "util/coding.h"
#include "util/key/internal_key.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

struct TextEntry {
  std::string user_key;
  SequenceNumber sequence = 0;
  ValueType type = kTypeValue;
  std::string value;  // or the end of a range tombstone

  std::string Text() const {
    const std::string at = "@" + std::to_string(sequence);
    switch (type) {
      case kTypeValue:
        return user_key + at + "=" + value;
      case kTypeMerge:
        return user_key + at + "+" + value;
      case kTypeDeletion:
        return user_key + at + "!";
      case kTypeSingleDeletion:
        return user_key + at + "!!";
      case kTypeRangeDeletion:
        return user_key + "-" + value + at;
      default:
        return user_key + at + "?" + std::to_string(type) + value;
    }
  }
};

// "name:value,..", in the order of names, as it is stored.
inline std::string EntityOf(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> parts;
  std::istringstream input(text);
  for (std::string part; std::getline(input, part, ',');) {
    const size_t colon = part.find(':');
    EXPECT_NE(colon, std::string::npos) << text;
    parts.emplace_back(part.substr(0, colon), part.substr(colon + 1));
  }
  WideColumns columns;
  for (const auto& [name, value] : parts) columns.emplace_back(name, value);
  std::string entity;
  const Status s = EncodeWideColumns(columns, &entity);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return entity;
}

inline TextEntry ParseEntry(const std::string& text) {
  TextEntry entry;
  const size_t at = text.find('@');
  EXPECT_NE(at, std::string::npos) << text;
  entry.user_key = text.substr(0, at);
  size_t digits = 0;
  entry.sequence = std::stoull(text.substr(at + 1), &digits);
  const std::string rest = text.substr(at + 1 + digits);
  const size_t dash = entry.user_key.find('-');
  if (dash != std::string::npos) {
    entry.type = kTypeRangeDeletion;
    entry.value = entry.user_key.substr(dash + 1);
    entry.user_key.resize(dash);
  } else if (rest == "!!") {
    entry.type = kTypeSingleDeletion;
  } else if (rest == "!") {
    entry.type = kTypeDeletion;
  } else {
    EXPECT_FALSE(rest.empty()) << text;
    entry.type = rest[0] == '+' ? kTypeMerge : kTypeValue;
    entry.value = rest.substr(1);
    if (rest[0] == '{') {
      entry.type = kTypeWideColumnEntity;
      entry.value = EntityOf(rest.substr(1, rest.size() - 2));
    } else if (rest[0] == '~') {
      entry.type = kTypeValuePreferredSeqno;
      PutFixed64(&entry.value, 0);
    } else if (rest[0] == '?') {
      const size_t colon = rest.find(':');
      entry.type = static_cast<ValueType>(std::stoi(rest.substr(1)));
      entry.value = rest.substr(colon + 1);
    }
  }
  return entry;
}

inline std::vector<TextEntry> ParseEntries(const std::string& text) {
  std::vector<TextEntry> entries;
  std::istringstream words(text);
  for (std::string word; words >> word;) entries.push_back(ParseEntry(word));
  return entries;
}

}  // namespace ROCKSDB_NAMESPACE
