// iter_start_ts over several column families: random operations beside the list
// of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "rocksdb/attribute_groups.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "tests/testing/scale.h"
#include "util/key/internal_key.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kFamilies = 3;

std::string KeyOf(uint64_t i) { return "key" + std::to_string(100 + i); }

// A version of a key: keys ascend, times of a key descend.
struct WrittenVersion {
  std::string key;
  uint64_t time = 0;
  bool operator<(const WrittenVersion& other) const {
    return key != other.key ? key < other.key : time > other.time;
  }
};
// What each family has there: a value, or a deletion.
using Entries = std::map<size_t, std::optional<std::string>>;
using History = std::map<WrittenVersion, Entries>;

class FamilyVersionsTest : public FamiliesFixture {
 protected:
  FamilyVersionsTest() {
    options_.comparator = BytewiseComparatorWithU64Ts();
    options_.disable_auto_compactions = true;
    options_.create_missing_column_families = true;
  }

  void OpenAll() {
    ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one", "two"}));
  }
  void WriteOne(size_t family, const WrittenVersion& at,
                const std::optional<std::string>& value) {
    if (value) {
      ASSERT_OK(db_->Put(WriteOptions(), handles_[family], at.key, Ts(at.time),
                         *value));
    } else {
      ASSERT_OK(
          db_->Delete(WriteOptions(), handles_[family], at.key, Ts(at.time)));
    }
    history_[at][family] = value;
  }

  // "key@time:" and a letter for a value or a deletion as key() tells.
  static std::string TextOfKey(const Slice& internal_key) {
    const Slice stored = ExtractUserKey(internal_key);
    const bool is_deletion = IsPointDeletion(ExtractType(internal_key));
    return WithoutTimestamp(stored, 8).ToString() + "@" +
           std::to_string(TsOf(TimestampOf(stored, 8))) +
           (is_deletion ? "-" : "+");
  }
  static std::string Coalesced(const Iterator& it) {
    std::string text = TextOfKey(it.key()) + it.value().ToString();
    EXPECT_TRUE(it.timestamp() == TimestampOf(ExtractUserKey(it.key()), 8));
    EXPECT_EQ(it.columns().empty(), IsPointDeletion(ExtractType(it.key())));
    return text;
  }
  std::string Grouped(const AttributeGroupIterator& it) const {
    std::string text = TextOfKey(it.key());
    for (const IteratorAttributeGroup& group : it.attribute_groups()) {
      text += " " + group.column_family()->GetName();
      for (const WideColumn& column : group.columns()) {
        text += "=" + column.value().ToString();
      }
    }
    return text;
  }
  static bool HasValue(const Entries& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [](const auto& one) { return one.second.has_value(); });
  }
  std::string ExpectedCoalesced(const WrittenVersion& at,
                                const Entries& entries) const {
    std::string value;
    for (const auto& [family, own] : entries) {
      if (own) value = *own;
    }
    return at.key + "@" + std::to_string(at.time) +
           (HasValue(entries) ? "+" : "-") + value;
  }
  std::string ExpectedGroups(const WrittenVersion& at,
                             const Entries& entries) const {
    std::string text = at.key + "@" + std::to_string(at.time) +
                       (HasValue(entries) ? "+" : "-");
    for (const auto& [family, own] : entries) {
      text += " " + handles_[family]->GetName();
      if (own) text += "=" + *own;
    }
    return text;
  }

  // The versions that a reader of [oldest, newest] sees, in order.
  std::vector<std::pair<WrittenVersion, Entries>> Seen(const History& history,
                                                       uint64_t oldest,
                                                       uint64_t newest) const {
    std::vector<std::pair<WrittenVersion, Entries>> seen;
    for (const auto& [at, entries] : history) {
      if (at.time >= oldest && at.time <= newest)
        seen.emplace_back(at, entries);
    }
    return seen;
  }

  // Walks to and fro, beside a place in the list.
  template <class Cursor, class TextOf>
  void WalkAtRandom(Cursor* it, const std::vector<std::string>& keys,
                    const std::vector<std::string>& expected,
                    const TextOf& text_of) {
    const auto size = static_cast<int64_t>(expected.size());
    for (int round = 0; round < 20; ++round) {
      const std::string target = KeyOf(random_.Uniform(25));
      int64_t at = 0;
      switch (random_.Uniform(4)) {
        case 0:
          it->SeekToFirst();
          break;
        case 1:
          it->SeekToLast();
          at = size - 1;
          break;
        case 2:
          it->Seek(target);
          while (at < size && keys[static_cast<size_t>(at)] < target) ++at;
          break;
        default:
          it->SeekForPrev(target);
          at = size - 1;
          while (at >= 0 && keys[static_cast<size_t>(at)] > target) --at;
      }
      for (int step = 0; step < 15; ++step) {
        ASSERT_OK(it->status());
        ASSERT_EQ(it->Valid(), at >= 0 && at < size) << target;
        if (!it->Valid()) break;
        ASSERT_EQ(text_of(*it), expected[static_cast<size_t>(at)]);
        if (random_.Uniform(3) != 0) {
          it->Next();
          ++at;
        } else {
          it->Prev();
          --at;
        }
      }
    }
  }

  void Check(const History& history, const Snapshot* snapshot) {
    const uint64_t newest = 1 + random_.Uniform(time_);
    const uint64_t oldest = random_.Uniform(newest + 1);
    SCOPED_TRACE(std::to_string(oldest) + " to " + std::to_string(newest));
    AsOf as_of(newest, snapshot);
    as_of.From(oldest);
    std::vector<std::string> keys, coalesced, groups;
    for (const auto& [at, entries] : Seen(history, oldest, newest)) {
      keys.push_back(at.key);
      coalesced.push_back(ExpectedCoalesced(at, entries));
      groups.push_back(ExpectedGroups(at, entries));
    }
    const std::unique_ptr<Iterator> one =
        db_->NewCoalescingIterator(as_of.options, handles_);
    ASSERT_NO_FATAL_FAILURE(WalkAtRandom(one.get(), keys, coalesced,
                                         &FamilyVersionsTest::Coalesced));
    const std::unique_ptr<AttributeGroupIterator> many =
        db_->NewAttributeGroupIterator(as_of.options, handles_);
    ASSERT_NO_FATAL_FAILURE(
        WalkAtRandom(many.get(), keys, groups,
                     [this](const auto& it) { return Grouped(it); }));
    ASSERT_NO_FATAL_FAILURE(CheckEach(history, oldest, as_of.options));
  }
  // NewIterators(): each family by itself.
  void CheckEach(const History& history, uint64_t oldest,
                 const ReadOptions& read) {
    std::vector<Iterator*> raw;
    ASSERT_OK(db_->NewIterators(read, handles_, &raw));
    ASSERT_EQ(raw.size(), kFamilies);
    for (size_t family = 0; family < kFamilies; ++family) {
      const std::unique_ptr<Iterator> it(raw[family]);
      it->SeekToFirst();
      for (const auto& [at, entries] :
           Seen(history, oldest, TsOf(*read.timestamp))) {
        if (entries.count(family) == 0) continue;
        const std::optional<std::string>& own = entries.at(family);
        ASSERT_TRUE(it->Valid());
        EXPECT_EQ(TextOfKey(it->key()),
                  at.key + "@" + std::to_string(at.time) + (own ? "+" : "-"));
        EXPECT_EQ(it->value().ToString(), own.value_or(""));
        it->Next();
      }
      EXPECT_FALSE(it->Valid());
    }
  }

  void WriteSome() {
    for (int i = 0; i < 20; ++i) {
      if (random_.OneIn(3)) ++time_;
      const WrittenVersion at{KeyOf(random_.Uniform(20)), time_};
      std::optional<std::string> value;
      if (!random_.OneIn(3)) value = std::to_string(random_.Uniform(1000));
      // Often several families have the same version.
      const size_t first = random_.Uniform(kFamilies);
      ASSERT_NO_FATAL_FAILURE(WriteOne(first, at, value));
      if (random_.OneIn(2)) {
        ASSERT_NO_FATAL_FAILURE(
            WriteOne((first + 1) % kFamilies, at,
                     random_.OneIn(4) ? std::nullopt : value));
      }
    }
  }
  // Random operations and checks; the database must be empty at first.
  void Live() {
    history_.clear();
    time_ = 1;
    const Snapshot* snapshot = nullptr;
    History then;
    for (int round = 0; round < 40; ++round) {
      SCOPED_TRACE(round);
      ASSERT_NO_FATAL_FAILURE(WriteSome());
      if (random_.OneIn(4)) {
        ASSERT_OK(db_->Flush(FlushOptions(), handles_[random_.Uniform(3)]));
      }
      if (random_.OneIn(10)) {
        if (snapshot != nullptr) db_->ReleaseSnapshot(snapshot);
        snapshot = db_->GetSnapshot();
        then = history_;
      }
      ASSERT_NO_FATAL_FAILURE(Check(history_, nullptr));
      if (snapshot != nullptr) {
        ASSERT_NO_FATAL_FAILURE(Check(then, snapshot));
      }
    }
    if (snapshot != nullptr) db_->ReleaseSnapshot(snapshot);
  }

  Random64 random_{0xfa31u};
  uint64_t time_ = 1;
  History history_;
};

TEST_F(FamilyVersionsTest, OneStopForAKeyAndATime) {
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  WriteOne(0, {"a", 1}, "0");
  WriteOne(1, {"a", 1}, "1");
  WriteOne(1, {"a", 2}, std::nullopt);
  WriteOne(0, {"b", 2}, std::nullopt);
  WriteOne(2, {"b", 2}, "2");
  AsOf as_of(9);
  as_of.From(0);
  const std::unique_ptr<Iterator> one =
      db_->NewCoalescingIterator(as_of.options, handles_);
  std::string text;
  for (one->SeekToFirst(); one->Valid(); one->Next()) {
    text += Coalesced(*one) + " ";
  }
  EXPECT_OK(one->status());
  EXPECT_EQ(text, "a@2- a@1+1 b@2+2 ");
  const std::unique_ptr<AttributeGroupIterator> many =
      db_->NewAttributeGroupIterator(as_of.options, handles_);
  text.clear();
  for (many->SeekToLast(); many->Valid(); many->Prev()) {
    text += Grouped(*many) + "; ";
  }
  EXPECT_EQ(text, "b@2+ default two=2; a@1+ default=0 one=1; a@2- one; ");
}

TEST_F(FamilyVersionsTest, WhatOneFamilyRefusesAllDo) {
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  AsOf as_of(9);
  as_of.From(0);
  const Slice small("123");
  as_of.options.iter_start_ts = &small;
  EXPECT_TRUE(db_->NewCoalescingIterator(as_of.options, handles_)
                  ->status()
                  .IsInvalidArgument());
  as_of.From(0);
  as_of.options.tailing = true;
  const std::unique_ptr<AttributeGroupIterator> it =
      db_->NewAttributeGroupIterator(as_of.options, handles_);
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsNotSupported());
}

TEST_F(FamilyVersionsTest, AgreesWithTheListOfOperations) {
  for (uint64_t life = 0; life < TestScale(); ++life) {
    SCOPED_TRACE("life " + std::to_string(life));
    path_ = directory_.path() + "/db" + std::to_string(life);
    ASSERT_NO_FATAL_FAILURE(OpenAll());
    ASSERT_NO_FATAL_FAILURE(Live());
    CloseFamilies();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
