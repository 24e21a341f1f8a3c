// What is known of when sequence numbers were given out.
//
// Runs tests/testdata/keys/sequence_times.txt:
//
//   times PAIR..               SEQUENCE@SECONDS, noted at first
//   note PAIR.. [apart:SECONDS]    the pairs that there are then
//   forget SECONDS             likewise, without what is older
//   merge PAIR..               likewise, with those of another map
//   around FIRST LAST          the pairs that a file of these entries gets
//   by SECONDS..               up to which entry all was written by then
//   covering SECONDS..         the first noted entry that covers what was
//   encode                     the numbers of the stored form
//   decode NUMBER.. [size:BYTES] [more:BYTES]    the map becomes what these
//                              say, of which only the first bytes are there, or
//                              more than these
#include "util/key/sequence_times.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Pairs = std::vector<SequenceTimes::Pair>;

class SequenceTimesScript {
 public:
  explicit SequenceTimesScript(const ScriptCase& c) : body_(c.body) {
    const ScriptWords command(c.command);
    EXPECT_EQ(command.verb(), "times");
    NoteAll(command, &times_);
  }

  std::string Answers() {
    return AnswerEachLine(LinesOf(body_), [this](const ScriptWords& words) {
      return Answer(words);
    });
  }

 private:
  static void NoteAll(const ScriptWords& words, SequenceTimes* times) {
    for (const std::string& pair : words.words()) {
      times->Note(std::stoull(pair),
                  std::stoull(pair.substr(pair.find('@') + 1)),
                  words.Number("apart", 0));
    }
  }
  static std::string PairsText(const SequenceTimes& times) {
    std::string text;
    for (const auto& pair : times.pairs()) {
      JoinItem(&text, std::to_string(pair.sequence) + "@" +
                          std::to_string(pair.seconds));
    }
    EXPECT_EQ(times.empty(), text.empty());
    return TextOr(text, "none");
  }
  static uint64_t NumberIn(const std::string& text) {
    if (text == "max") return UINT64_MAX;
    return text == "max_sequence" ? kMaxSequenceNumber : std::stoull(text);
  }

  std::string Answer(const ScriptWords& words) {
    const std::string& verb = words.verb();
    if (verb == "encode") return Numbers();
    if (verb == "decode") return Decode(words);
    if (verb == "by" || verb == "covering") return Entries(words);
    if (verb == "around") {
      return PairsText(
          times_.Around(NumberIn(words.Word(0)), NumberIn(words.Word(1))));
    }
    if (verb == "note") {
      NoteAll(words, &times_);
    } else if (verb == "forget") {
      times_.ForgetBefore(NumberIn(words.Word(0)));
    } else {
      EXPECT_EQ(verb, "merge");
      SequenceTimes other;
      NoteAll(words, &other);
      times_.Merge(other);
    }
    return PairsText(times_);
  }
  std::string Entries(const ScriptWords& words) const {
    std::string text;
    for (const std::string& word : words.words()) {
      const uint64_t seconds = NumberIn(word);
      const SequenceNumber sequence = words.verb() == "by"
                                          ? times_.WrittenBy(seconds)
                                          : times_.CoveringAllBy(seconds);
      JoinItem(&text, sequence == kMaxSequenceNumber
                          ? "none"
                          : std::to_string(sequence));
    }
    return text;
  }
  std::string Numbers() const {
    const std::string bytes = times_.Encode();
    Slice rest = bytes;
    std::string text;
    for (uint64_t number = 0; GetVarint64(&rest, &number);) {
      JoinItem(&text, std::to_string(number));
    }
    EXPECT_TRUE(rest.empty()) << rest.ToString(true);
    return TextOr(text, "nothing");
  }
  std::string Decode(const ScriptWords& words) {
    std::string bytes;
    for (const std::string& word : words.words()) {
      PutVarint64(&bytes, NumberIn(word));
    }
    bytes.resize(words.Number("size", bytes.size()));
    bytes += BytesOfText(words.Text("more", ""));
    const Status s = times_.DecodeFrom(bytes);
    return s.ok() ? PairsText(times_) : s.ToString();
  }

  const std::string body_;
  SequenceTimes times_;
};

TEST(SequenceTimesTest, EveryCaseOfTheScript) {
  const size_t count = RunScript(
      "keys/sequence_times.txt",
      [](const ScriptCase& c) { return SequenceTimesScript(c).Answers(); });
  EXPECT_GE(count, 18u) << "cases went missing";
}

TEST(SequenceTimesTest, AnyBytesAreAMapOrCorruption) {
  Random64 random(301);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const uint64_t size = random.Uniform(40);
    for (uint64_t n = 0; n < size; ++n) {
      text += static_cast<char>(random.Uniform(random.OneIn(2) ? 8 : 256));
    }
    SequenceTimes times;
    const Status s = times.DecodeFrom(text);
    ASSERT_TRUE(s.ok() || s.IsCorruption());
    for (size_t n = 1; n < times.pairs().size(); ++n) {
      ASSERT_LT(times.pairs()[n - 1].sequence, times.pairs()[n].sequence);
      ASSERT_LT(times.pairs()[n - 1].seconds, times.pairs()[n].seconds);
    }
  }
}

// Whatever is left out, no entry is ever said to be older than it is.
TEST(SequenceTimesTest, ThinningNeverMakesAnythingOlder) {
  Random64 random(7);
  SequenceTimes times;
  Pairs all;
  SequenceNumber sequence = 0;
  uint64_t now = 1000;
  for (int i = 0; i < 5000; ++i) {
    sequence += 1 + random.Uniform(100);
    now += 1 + random.Uniform(50);
    times.Note(sequence, now, 0);
    all.push_back({sequence, now});
    ASSERT_LE(times.pairs().size(), SequenceTimes::kMostPairs);
  }
  const SequenceTimes part = times.Around(all[100].sequence, sequence);
  EXPECT_EQ(part.pairs().size(), SequenceTimes::kMostPairsInFile);
  for (const auto& pair : all) {
    ASSERT_LE(times.WrittenBy(pair.seconds), pair.sequence);
    ASSERT_LE(part.WrittenBy(pair.seconds), pair.sequence);
  }
  // The newest are told exactly.
  EXPECT_EQ(times.WrittenBy(now), sequence);
  EXPECT_EQ(times.WrittenBy(all[4990].seconds), all[4990].sequence);
  SequenceTimes read;
  std::string text;
  PutVarint64(&text, 20000);
  for (int i = 0; i < 20000; ++i) text += "\x01\x01";
  ASSERT_TRUE(read.DecodeFrom(text).ok());
  EXPECT_LE(read.pairs().size(), SequenceTimes::kMostPairs);
  EXPECT_EQ(read.WrittenBy(20000), 20000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
