// Entities: their stored form, and what holds the columns of a read.
//
// Runs tests/testdata/keys/wide_columns.txt:
//
//   encode COLUMN..     the stored form
//   decode BYTES        its columns; what a reader gets who follows no
//                       references, if that is another answer; the value of
//                       the default column; the stored form of the columns
//   cuts BYTES          what every shorter form decodes to
//   print COLUMN        as a stream shows it
//   hold                steps of a holder, each with what it holds then:
//                       plain VALUE, entity BYTES, copy, move, reset, size
//
// COLUMN is NAME=VALUE, and NAME=*VALUE for one that refers to a blob; the
// default column has no name. BYTES may have \xHH.
#include "rocksdb/wide_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/coding.h"
#include "util/random.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const WideColumns& Example() {
  static const WideColumns columns = {{"", "plain"}, {"a", ""}, {"bc", "xyz"}};
  return columns;
}

std::string Encoded() {
  std::string s;
  EXPECT_TRUE(EncodeWideColumns(Example(), &s).ok());
  return s;
}

// The same columns in version 2.
std::string Version2(uint8_t type_of_last) {
  std::string s;
  for (const uint32_t n : {2u, 3u, 3u, 3u, 3u}) PutVarint32(&s, n);
  s += "\x01\x01";
  s.push_back(static_cast<char>(type_of_last));
  for (const uint32_t n : {0u, 1u, 2u, 5u, 0u, 3u}) PutVarint32(&s, n);
  return s + "abc" + "plainxyz";
}

TEST(WideColumnsTest, DamagedBytesAreCorruptionOrOtherColumns) {
  for (const std::string& good : {Encoded(), Version2(0x01), Version2(0x11)}) {
    WideColumns columns;
    Random64 random(3);
    for (int i = 0; i < 5000; ++i) {
      std::string bad = good;
      bad[random.Uniform(bad.size())] = static_cast<char>(random.Next());
      const std::vector<char> exact(bad.begin(), bad.end());
      const Status s =
          DecodeWideColumns(Slice(exact.data(), exact.size()), &columns);
      EXPECT_TRUE(s.ok() || s.IsCorruption() || s.IsNotSupported());
    }
  }
}

TEST(PinnableWideColumnsTest, Pins) {
  int count = 0;
  const std::string bytes = Encoded();
  {
    Cleanable source;
    source.RegisterCleanup([](void* n, void*) { ++*static_cast<int*>(n); },
                           &count, nullptr);
    PinnableWideColumns p;
    ASSERT_TRUE(p.SetWideColumnValue(bytes, &source).ok());
    const PinnableWideColumns moved = std::move(p);
    EXPECT_EQ(bytes.data() + bytes.size(),
              moved.columns().back().value().data() + 3);
    EXPECT_EQ(0, count);
  }
  EXPECT_EQ(1, count);
}

StoredColumns ColumnsOfWords(const std::vector<std::string>& words) {
  StoredColumns stored;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    EXPECT_NE(equals, std::string::npos) << word;
    const Slice all(word);
    Slice value(all.data() + equals + 1, all.size() - equals - 1);
    const bool is_reference = value.starts_with("*");
    if (is_reference) value.remove_prefix(1);
    stored.columns.emplace_back(Slice(all.data(), equals), value);
    stored.is_reference.push_back(is_reference);
  }
  return stored;
}

std::string TextOfColumns(const WideColumns& columns,
                          const std::vector<bool>& is_reference = {}) {
  std::string text;
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool refers = i < is_reference.size() && is_reference[i];
    JoinItem(&text, TextOfBytes(columns[i].name().ToStringView()) + "=" +
                        (refers ? "*" : "") +
                        TextOfBytes(columns[i].value().ToStringView()));
  }
  return TextOr(text, "no columns");
}

std::string EncodedColumns(const ScriptWords& command) {
  const StoredColumns stored = ColumnsOfWords(command.words());
  std::string bytes;
  Status s = EncodeStoredColumns(stored, &bytes);
  std::string plain;
  const bool has_reference =
      std::find(stored.is_reference.begin(), stored.is_reference.end(), true) !=
      stored.is_reference.end();
  if (!has_reference) {
    EXPECT_EQ(EncodeWideColumns(stored.columns, &plain), s);
    EXPECT_EQ(plain, bytes);
  }
  return s.ok() ? TextOfBytes(bytes) : s.ToString();
}

std::string DecodedColumns(const std::string& bytes) {
  StoredColumns stored;
  Status s = DecodeStoredColumns(bytes, &stored);
  WideColumns columns;
  const Status followed = DecodeWideColumns(bytes, &columns);
  if (!s.ok()) {
    EXPECT_EQ(followed.ToString(), s.ToString());
    return s.ToString() + (RefersToBlobs(bytes) ? "\nrefers to blobs" : "");
  }
  std::string text = TextOfColumns(stored.columns, stored.is_reference) + "\n";
  EXPECT_EQ(RefersToBlobs(bytes), !followed.ok());
  if (!followed.ok()) {
    text += followed.ToString() + "\n";
  } else {
    EXPECT_EQ(columns, stored.columns);
    Slice value;
    s = DefaultColumnOf(bytes, &value);
    EXPECT_TRUE(s.ok()) << s.ToString();
    text += "default: '" + TextOfBytes(value.ToStringView()) + "'\n";
  }
  std::string again;
  s = EncodeStoredColumns(stored, &again);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return text + "again: " + (again == bytes ? "the same" : TextOfBytes(again));
}

// What decoding answers when `bytes` are cut off at each length: "FIRST-LAST
// ANSWER" for neighbouring lengths with one answer.
std::string CutColumns(const std::string& bytes) {
  std::string text, last;
  size_t first = 0;
  for (size_t size = 0; size <= bytes.size(); ++size) {
    WideColumns columns;
    const std::string now =
        size == bytes.size()
            ? ""
            : DecodeWideColumns(Slice(bytes.data(), size), &columns).ToString();
    if (size > 0 && now != last) {
      text += std::to_string(first) + "-" + std::to_string(size - 1) + " " +
              last + "\n";
      first = size;
    }
    last = now;
  }
  return text;
}

std::string HeldColumns(const ScriptCase& c) {
  PinnableWideColumns held;
  const auto answer = [&held](const ScriptWords& words) {
    const std::string& verb = words.verb();
    const std::string bytes =
        words.words().empty() ? "" : BytesOfText(words.words()[0]);
    Status s;
    if (verb == "plain") {
      held.SetPlainValue(bytes);
    } else if (verb == "entity") {
      s = held.SetWideColumnValue(bytes);
    } else if (verb == "copy") {
      const PinnableWideColumns copy = held;
      EXPECT_EQ(copy, held);
      held.Reset();
      held = copy;
    } else if (verb == "move") {
      PinnableWideColumns other = std::move(held);
      held = std::move(other);
    } else if (verb == "reset") {
      held.Reset();
    } else {
      EXPECT_EQ(verb, "size");
      return std::to_string(held.serialized_size());
    }
    return (s.ok() ? "" : s.ToString() + ": ") + TextOfColumns(held.columns());
  };
  return AnswerEachLine(LinesOf(c.body), answer);
}

TEST(WideColumnsTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) -> std::string {
    const ScriptWords command(c.command);
    const std::string& verb = command.verb();
    if (verb == "hold") return HeldColumns(c);
    if (verb == "encode") return EncodedColumns(command);
    if (verb == "print") {
      std::ostringstream out;
      out << ColumnsOfWords(command.words()).columns.at(0);
      return out.str();
    }
    const std::string bytes =
        command.words().empty() ? "" : BytesOfText(command.words()[0]);
    if (verb == "cuts") return CutColumns(bytes);
    EXPECT_EQ(verb, "decode");
    return DecodedColumns(bytes);
  };
  EXPECT_GE(RunScript("keys/wide_columns.txt", run), 38u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
