// Keys as a table file has them.
//
// Runs tests/testdata/sst/stored_keys.txt:
//
//   keys [timestamps:TREATMENT] [hidden]    of a family whose keys have none
//                  (by default), or some that its files keep or leave_out;
//                  hidden: messages may not show keys
//   > bytes        of a timestamp that are left out, and that are stored
//   > key KEY[^TIMESTAMP]@SEQUENCE      as it is stored; what filters get of it
//   > end KEY[^TIMESTAMP]               the stored end of a range
//   > order KEY@SEQUENCE KEY@SEQUENCE   of stored keys: <, = or >
//   > text KEY[^TIMESTAMP]@SEQUENCE     for messages
#include "table/stored_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "rocksdb/comparator.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

ImmutableCFOptions FamilyOf(const Comparator* comparator, bool persists) {
  ColumnFamilyOptions options;
  options.comparator = comparator;
  options.persist_user_defined_timestamps = persists;
  return ImmutableCFOptions(options);
}

class StoredKeysScript {
 public:
  explicit StoredKeysScript(const ScriptCase& c)
      : command_(c.command),
        steps_(c.body),
        family_(FamilyOf(command_.Has("timestamps")
                             ? BytewiseComparatorWithU64Ts()
                             : BytewiseComparator(),
                         command_.Text("timestamps", "keep") == "keep")),
        keys_(family_, KeyTextOf(!command_.HasWord("hidden"))) {
    EXPECT_EQ(command_.verb(), "keys");
  }

  std::string Answers() {
    return AnswerEachLine(steps_.asked, [this](const ScriptWords& words) {
      return Answer(words);
    });
  }

 private:
  // `key^3`, with the timestamp behind the key.
  static std::string UserKey(const std::string& text) {
    const size_t hat = text.find('^');
    std::string key = text.substr(0, hat);
    if (hat != text.npos) PutFixed64(&key, std::stoull(text.substr(hat + 1)));
    return key;
  }
  static InternalKey KeyIn(const std::string& text) {
    const size_t at = text.find('@');
    return InternalKey(UserKey(text.substr(0, at)),
                       std::stoull(text.substr(at + 1)), kTypeValue);
  }
  static std::string Shown(const Slice& stored) {
    ParsedInternalKey key;
    EXPECT_TRUE(ParseInternalKey(stored, &key));
    return TextOfBytes(key.user_key.ToStringView()) + "@" +
           std::to_string(key.sequence);
  }
  std::string Answer(const ScriptWords& words) {
    const std::string& verb = words.verb();
    if (verb == "bytes") {
      return std::to_string(keys_.left_out_bytes()) + " left out, " +
             std::to_string(keys_.timestamp_bytes()) + " stored";
    }
    const std::string word = words.Word(0);
    if (verb == "end")
      return TextOfBytes(keys_.EndOf(UserKey(word)).ToStringView());
    const InternalKey key = KeyIn(word);
    if (verb == "text") return keys_.Text(key.Encode());
    if (verb == "order") {
      const int order =
          keys_.order().Compare(key.Encode(), KeyIn(words.Word(1)).Encode());
      return order < 0 ? "<" : order > 0 ? ">" : "=";
    }
    EXPECT_EQ(verb, "key");
    const Slice stored = keys_.Of(key.Encode());
    EXPECT_EQ(keys_.left_out_bytes() == 0, stored.data() == key.Encode().data())
        << "a copy, or none";
    return Shown(stored) + " for '" +
           TextOfBytes(keys_.PlainUserKey(stored).ToStringView()) + "'";
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  const ImmutableCFOptions family_;
  StoredKeys keys_;
};

TEST(StoredKeysTest, EveryCaseOfTheScript) {
  const size_t count = RunScript(
      "sst/stored_keys.txt",
      [](const ScriptCase& c) { return StoredKeysScript(c).Answers(); });
  EXPECT_GE(count, 6u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
