// How the lines of data-driven tests are read.
#include "tests/testing/script.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

using Texts = std::vector<std::string>;

TEST(ScriptTest, WordsStandInAnyOrder) {
  const ScriptWords line("scan lower:b lazy upper:d:e pin");
  EXPECT_EQ(line.verb(), "scan");
  EXPECT_EQ(line.words(), (Texts{"lazy", "pin"}));
  EXPECT_TRUE(line.HasWord("pin"));
  EXPECT_FALSE(line.HasWord("lower"));
  EXPECT_TRUE(line.Has("lower"));
  EXPECT_FALSE(line.Has("pin"));
  EXPECT_EQ(line.Text("upper", ""), "d:e") << "cut at the first colon";
  EXPECT_EQ(line.Text("at", "3"), "3");
}

TEST(ScriptTest, QuotedTextIsOneWord) {
  const ScriptWords line(R"(put "a b" value:"c: d" e"f:g" "")");
  EXPECT_EQ(line.words(), (Texts{"a b", "ef:g", ""}));
  EXPECT_EQ(line.Text("value", ""), "c: d");
}

TEST(ScriptTest, NumbersHaveDefaults) {
  const ScriptWords line("  scan   at:18446744073709551615 ");
  EXPECT_EQ(line.Number("at", 1), UINT64_MAX);
  EXPECT_EQ(line.Number("most", 7), 7u);
  EXPECT_TRUE(ScriptWords("").verb().empty());
}

TEST(ScriptTest, BytesThereAndBack) {
  const std::string bytes("a\0\\x\xFF\n", 6);
  EXPECT_EQ(TextOfBytes(bytes), R"(a\x00\x5Cx\xFF\x0A)");
  EXPECT_EQ(BytesOfText(TextOfBytes(bytes)), bytes);
}

TEST(ScriptTest, LinesEndOnce) {
  EXPECT_EQ(LinesOf("a\n\nb\n"), (Texts{"a", "", "b"}));
  EXPECT_EQ(LinesOf("a"), (Texts{"a"}));
  EXPECT_TRUE(LinesOf("").empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
