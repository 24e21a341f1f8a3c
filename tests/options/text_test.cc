// The text of options is split at braces and lists, and broken text is refused.
#include "options/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

OptionTexts Split(const std::string& text) {
  OptionTexts texts;
  const Status s = SplitOptionText(text, &texts);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return texts;
}

TEST(OptionTextTest, SplitsAtTheTopLevel) {
  const OptionTexts expected = {{"a", "1"}, {"b", "c=2;d={e=3}"}, {"f", ""}};
  EXPECT_EQ(expected, Split("a=1;b={c=2;d={e=3}};f="));
  EXPECT_EQ(expected, Split(" { a = 1 ;; b = { c=2;d={e=3} } ; f=; } "));
  EXPECT_TRUE(Split("").empty());
  EXPECT_TRUE(Split(" ; ").empty());
}

TEST(OptionTextTest, RefusesBrokenText) {
  for (const char* text : {"a", "=1", "a={1", "a=1}", "a={1}2", "a={b}={c}",
                           "{a=1}}", "a=1;b", "a=}{;b=1", "{=}"}) {
    OptionTexts texts = {{"untouched", "yes"}};
    EXPECT_TRUE(SplitOptionText(text, &texts).IsInvalidArgument()) << text;
    EXPECT_EQ(1u, texts.size()) << text;
  }
}

TEST(OptionTextTest, SplitsLists) {
  std::vector<std::string> elements;
  ASSERT_TRUE(SplitListText("1:{2:3}:4", &elements).ok());
  EXPECT_EQ((std::vector<std::string>{"1", "2:3", "4"}), elements);
  ASSERT_TRUE(SplitListText("", &elements).ok());
  EXPECT_TRUE(elements.empty());
  EXPECT_FALSE(SplitListText("1:{2", &elements).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
