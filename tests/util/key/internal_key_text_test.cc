// What messages say of internal keys, where keys may be shown and where not.
//
// Runs tests/testdata/keys/internal_key_text.txt:
//
//   key USER_KEY SEQUENCE TYPE    of a good one; the type is its number
//   bytes BYTES                   of any bytes
//
// The first answer is for messages that may show keys.
#include <gtest/gtest.h>

#include <string>

#include "tests/testing/script.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string TextsOfInternalKey(const ScriptWords& words) {
  const auto word = [&words](size_t i) {
    return i < words.words().size() ? words.words()[i] : std::string();
  };
  std::string bytes = BytesOfText(word(0));
  if (words.verb() == "key") {
    PutFixed64(&bytes,
               PackSequenceAndType(std::stoull(word(1)),
                                   static_cast<ValueType>(std::stoi(word(2)))));
  } else {
    EXPECT_EQ(words.verb(), "bytes");
  }
  return InternalKeyText(bytes, KeyTextOf(true)) + "\n" +
         InternalKeyText(bytes, KeyTextOf(false)) + "\n";
}

TEST(InternalKeyTextTest, EveryCaseOfTheScript) {
  EXPECT_EQ(KeyTextOf(true), KeyText::kShown);
  EXPECT_EQ(KeyTextOf(false), KeyText::kRedacted);
  // Its blank at the end would not be seen in a script.
  EXPECT_EQ(InternalKeyText("", KeyText::kShown), "(bad) ");
  const size_t count =
      RunScript("keys/internal_key_text.txt", [](const ScriptCase& c) {
        return TextsOfInternalKey(ScriptWords(c.command));
      });
  EXPECT_GE(count, 11u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
