// Tombstones that overlap, cut into fragments that do not.
//
// Runs tests/testdata/keys/range_tombstones.txt:
//
//   tombstones [reverse] [timestamps]
//   BEGIN-END[^TIMESTAMP]@SEQUENCE ..     as they are written
//   > fragments           [begin-end)sequences, newest first
//   > newest              sequence of all
//   > at KEY.. [up_to:SEQUENCE] [as_of:TIMESTAMP]    the newest that covers
//                         each key, 0 for none; asked with and without a cursor
//   > walk KEY.. [up_to:SEQUENCE] [as_of:TIMESTAMP]  the same of one cursor,
//                         with the interval over which the answer holds
//   > clip [lower:KEY] [upper:KEY] [inclusive]    cuts what follows; fragments
//
// KEY, BEGIN and END may be "" and, where they have timestamps, KEY^TIMESTAMP.
#include "util/key/range_tombstones.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Tombstones as written, and the answers by looking at each.
struct Model {
  struct Entry {
    std::string begin;
    std::string end;
    SequenceNumber sequence;
  };
  const Comparator* order = BytewiseComparator();
  std::vector<Entry> entries;

  SequenceNumber MaxCovering(const std::string& key,
                             SequenceNumber upper) const {
    SequenceNumber newest = 0;
    for (const Entry& e : entries) {
      if (e.sequence <= upper && order->Compare(e.begin, key) <= 0 &&
          order->Compare(key, e.end) < 0) {
        newest = std::max(newest, e.sequence);
      }
    }
    return newest;
  }

  std::shared_ptr<const FragmentedTombstones> Build() const {
    std::vector<RangeTombstone> list;
    for (const Entry& e : entries) list.push_back({e.begin, e.end, e.sequence});
    return FragmentedTombstones::Build(list, order);
  }
};

std::string RandomKey(Random64* random) {
  std::string key;
  for (uint64_t n = random->Uniform(3); n > 0; --n) {
    key.push_back(static_cast<char>('a' + random->Uniform(4)));
  }
  return key;
}

Model RandomModel(Random64* random, const Comparator* order) {
  Model model;
  model.order = order;
  for (uint64_t n = random->Uniform(12); n > 0; --n) {
    model.entries.push_back(
        {RandomKey(random), RandomKey(random), 1 + random->Uniform(15)});
  }
  return model;
}

void ExpectWellFormed(const FragmentedTombstones& tombstones) {
  SequenceNumber newest = 0;
  for (size_t i = 0; i < tombstones.size(); ++i) {
    const FragmentedTombstones::Fragment f = tombstones.at(i);
    ASSERT_LT(tombstones.order()->Compare(f.begin, f.end), 0);
    if (i > 0) {
      ASSERT_LE(tombstones.order()->Compare(tombstones.at(i - 1).end, f.begin),
                0);
    }
    ASSERT_FALSE(f.sequences.empty());
    ASSERT_TRUE(std::is_sorted(f.sequences.rbegin(), f.sequences.rend()));
    ASSERT_EQ(std::adjacent_find(f.sequences.begin(), f.sequences.end()),
              f.sequences.end());
    newest = std::max(newest, f.sequences.front());
  }
  ASSERT_EQ(tombstones.newest_sequence(), newest);
}

TEST(RangeTombstones, AnswerAsTheOriginalsDo) {
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Model model = RandomModel(
        &random, seed % 2 ? BytewiseComparator() : ReverseBytewiseComparator());
    const auto tombstones = model.Build();
    ExpectWellFormed(*tombstones);
    const SequenceNumber upper = random.Uniform(17);
    TombstoneCursor cursor(tombstones, upper);
    for (int i = 0; i < 60; ++i) {
      const std::string key = RandomKey(&random);
      const SequenceNumber expected = model.MaxCovering(key, upper);
      ASSERT_EQ(tombstones->MaxCovering(key, upper), expected) << key;
      ASSERT_EQ(cursor.MaxCovering(key), expected) << key;
    }
    if (HasFatalFailure()) return;
  }
}

TEST(RangeTombstones, CursorSaysHowFarItsAnswerHolds) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Model model = RandomModel(&random, BytewiseComparator());
    TombstoneCursor cursor(model.Build(), 10);
    for (int i = 0; i < 20; ++i) {
      const std::string key = RandomKey(&random);
      const SequenceNumber answer = cursor.MaxCovering(key);
      const auto begin = cursor.AnswerBegin();
      const auto end = cursor.AnswerEnd();
      ASSERT_TRUE(!begin || begin->compare(key) <= 0);
      ASSERT_TRUE(!end || Slice(key).compare(*end) < 0);
      for (int j = 0; j < 20; ++j) {
        const std::string other = RandomKey(&random);
        if (begin && Slice(other).compare(*begin) < 0) continue;
        if (end && Slice(other).compare(*end) >= 0) continue;
        ASSERT_EQ(model.MaxCovering(other, 10), answer) << key << " " << other;
      }
    }
  }
}

TEST(RangeTombstones, ClipCutsAndKeepsTheRest) {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Model model = RandomModel(&random, BytewiseComparator());
    const std::string lower = RandomKey(&random);
    const std::string upper = RandomKey(&random);
    const Slice lower_slice(lower);
    const Slice upper_slice(upper);
    const bool has_lower = random.OneIn(2);
    const bool has_upper = random.OneIn(2);
    const auto clipped = model.Build()->Clip(
        has_lower ? &lower_slice : nullptr, has_upper ? &upper_slice : nullptr);
    ExpectWellFormed(*clipped);
    for (int i = 0; i < 40; ++i) {
      const std::string key = RandomKey(&random);
      const bool inside =
          (!has_lower || key >= lower) && (!has_upper || key < upper);
      ASSERT_EQ(clipped->MaxCovering(key, 20),
                inside ? model.MaxCovering(key, 20) : 0);
    }
  }
}

TEST(RangeTombstones, ClipWithAnInclusiveBoundKeepsThatKeyAndNoMore) {
  using UpperBound = FragmentedTombstones::UpperBound;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Model model = RandomModel(
        &random, seed % 2 ? BytewiseComparator() : ReverseBytewiseComparator());
    const std::string lower = RandomKey(&random);
    const std::string upper = RandomKey(&random);
    const Slice lower_slice(lower);
    const Slice upper_slice(upper);
    // Cut once, or twice, where the second bound is at or around the first.
    auto clipped =
        model.Build()->Clip(&lower_slice, &upper_slice, UpperBound::kInclusive);
    const std::string again = RandomKey(&random);
    const Slice again_slice(again);
    const bool is_again = random.OneIn(2);
    const bool is_exclusive = random.OneIn(2);
    if (is_again) {
      clipped = clipped->Clip(
          nullptr, &again_slice,
          is_exclusive ? UpperBound::kExclusive : UpperBound::kInclusive);
    }
    TombstoneCursor cursor(clipped, 20);
    for (int i = 0; i < 60; ++i) {
      const std::string key = RandomKey(&random);
      const int to_again = model.order->Compare(key, again);
      const bool inside =
          model.order->Compare(lower, key) <= 0 &&
          model.order->Compare(key, upper) <= 0 &&
          (!is_again || to_again < 0 || (to_again == 0 && !is_exclusive));
      const SequenceNumber expected = inside ? model.MaxCovering(key, 20) : 0;
      ASSERT_EQ(clipped->MaxCovering(key, 20), expected) << key;
      ASSERT_EQ(cursor.MaxCovering(key), expected) << key;
    }
  }
}

class TombstonesScript {
 public:
  explicit TombstonesScript(const ScriptCase& c)
      : command_(c.command), steps_(c.body) {
    EXPECT_EQ(command_.verb(), "tombstones");
    has_timestamps_ = command_.HasWord("timestamps");
    order_ = BytewiseComparator();
    if (command_.HasWord("reverse")) order_ = ReverseBytewiseComparator();
    if (has_timestamps_) order_ = BytewiseComparatorWithU64Ts();
    std::vector<Written> written;
    for (const std::string& line : steps_.given) {
      std::istringstream words(line);
      for (std::string word; words >> word;) written.push_back(Parse(word));
    }
    std::vector<RangeTombstone> list;
    for (const Written& w : written) {
      list.push_back({w.begin, w.end, w.sequence, w.timestamp});
    }
    tombstones_ = FragmentedTombstones::Build(list, order_);
  }

  std::string Answers() {
    return AnswerEachLine(steps_.asked, [this](const ScriptWords& words) {
      if (!is_cut_inclusively_) ExpectWellFormed(*tombstones_);
      return Answer(words);
    });
  }

 private:
  struct Written {
    std::string begin;
    std::string end;
    std::string timestamp;
    SequenceNumber sequence = 0;
  };

  static std::string Stamp(const std::string& number) {
    std::string timestamp;
    PutFixed64(&timestamp, number == "max" ? UINT64_MAX : std::stoull(number));
    return timestamp;
  }
  // `key^5`, as it is stored.
  std::string Stored(const std::string& text) const {
    if (!has_timestamps_) return text;
    const size_t hat = text.find('^');
    return text.substr(0, hat) + Stamp(text.substr(hat + 1));
  }
  std::string Shown(const Slice& key) const {
    const size_t size = key.size() - (has_timestamps_ ? sizeof(uint64_t) : 0);
    std::string text(key.data(), size);
    if (!has_timestamps_) return text;
    const uint64_t stamp = DecodeFixed64(key.data() + size);
    return text + "^" + (stamp == UINT64_MAX ? "max" : std::to_string(stamp));
  }
  Written Parse(const std::string& word) const {
    const size_t dash = word.find('-');
    const size_t at = word.find('@');
    const size_t hat = std::min(at, word.find('^'));
    Written w;
    w.begin = word.substr(0, dash);
    w.end = word.substr(dash + 1, hat - dash - 1);
    if (has_timestamps_) {
      w.timestamp = Stamp(word.substr(hat + 1));
      w.begin += w.timestamp;
      w.end += w.timestamp;
    }
    w.sequence = std::stoull(word.substr(at + 1));
    return w;
  }

  std::string Answer(const ScriptWords& words) {
    if (words.verb() == "newest") {
      return std::to_string(tombstones_->newest_sequence());
    }
    if (words.verb() == "fragments") return Fragments();
    if (words.verb() == "clip") return Clip(words);
    const std::string as_of =
        words.Has("as_of") ? Stamp(words.Text("as_of", "")) : "";
    const TombstoneLimit limit(words.Number("up_to", kMaxSequenceNumber),
                               as_of);
    return words.verb() == "walk" ? Walk(words, limit) : At(words, limit);
  }
  std::string Fragments() const {
    std::string text;
    for (size_t i = 0; i < tombstones_->size(); ++i) {
      const FragmentedTombstones::Fragment f = tombstones_->at(i);
      std::string sequences;
      for (size_t k = 0; k < f.sequences.size(); ++k) {
        std::string one = std::to_string(f.sequences[k]);
        if (has_timestamps_) {
          one += "^" + std::to_string(DecodeFixed64(f.timestamp(k).data()));
        }
        JoinItem(&sequences, one, ",");
      }
      JoinItem(&text,
               "[" + Shown(f.begin) + "-" + Shown(f.end) + ")" + sequences);
    }
    EXPECT_EQ(tombstones_->empty(), text.empty());
    return TextOr(text, "none");
  }
  std::string Clip(const ScriptWords& words) {
    using UpperBound = FragmentedTombstones::UpperBound;
    const std::string lower = Stored(words.Text("lower", "^0"));
    const std::string upper = Stored(words.Text("upper", "^0"));
    const Slice lower_slice(lower), upper_slice(upper);
    is_cut_inclusively_ |= words.HasWord("inclusive");
    tombstones_ =
        tombstones_->Clip(words.Has("lower") ? &lower_slice : nullptr,
                          words.Has("upper") ? &upper_slice : nullptr,
                          words.HasWord("inclusive") ? UpperBound::kInclusive
                                                     : UpperBound::kExclusive);
    return Fragments();
  }
  std::string At(const ScriptWords& words, const TombstoneLimit& limit) const {
    EXPECT_EQ(words.verb(), "at");
    std::string text;
    for (const std::string& word : words.words()) {
      const std::string key = Stored(word);
      const SequenceNumber newest = tombstones_->MaxCovering(key, limit);
      EXPECT_EQ(TombstoneCursor(tombstones_, limit).MaxCovering(key), newest);
      JoinItem(&text, std::to_string(newest));
    }
    return text;
  }
  std::string Walk(const ScriptWords& words,
                   const TombstoneLimit& limit) const {
    TombstoneCursor cursor(tombstones_, limit);
    std::string text;
    for (const std::string& word : words.words()) {
      const SequenceNumber newest = cursor.MaxCovering(Stored(word));
      const auto begin = cursor.AnswerBegin();
      const auto end = cursor.AnswerEnd();
      JoinItem(&text, std::to_string(newest) + "[" +
                          (begin ? Shown(*begin) : "..") + "-" +
                          (end ? Shown(*end) : "..") + ")");
    }
    return text;
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  bool has_timestamps_ = false;
  bool is_cut_inclusively_ = false;  // A fragment may be that one key.
  const Comparator* order_ = nullptr;
  std::shared_ptr<const FragmentedTombstones> tombstones_;
};

TEST(RangeTombstones, EveryCaseOfTheScript) {
  const size_t count = RunScript(
      "keys/range_tombstones.txt",
      [](const ScriptCase& c) { return TombstonesScript(c).Answers(); });
  EXPECT_GE(count, 33u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
