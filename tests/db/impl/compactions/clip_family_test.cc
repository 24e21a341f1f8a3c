// ClipColumnFamily(): what is outside the range is gone from reads and files.
// The cases are tests/testdata/databases/compactions/clip_family.txt, in the
// language of database_script.h, without compactions that nobody asks for; and
//
//   clip BEGIN END [family:NAME]
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>

#include "rocksdb/comparator.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string ClipFamily(ScriptDatabase& database, const ScriptLine& line) {
  const std::vector<std::string>& ends = line.words.words();
  ColumnFamilyHandle* const family =
      database.Family(line.words.Text("family", kDefaultColumnFamilyName));
  return AnswerOf(
      line, database.db()->ClipColumnFamily(family, ends.at(0), ends.at(1)));
}

TEST(ClipFamilyScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.disable_auto_compactions = true;
  EXPECT_GE(RunDatabases("databases/compactions/clip_family.txt", options,
                         {{"clip", ClipFamily}}),
            10u);
}

class ClipFamilyTest : public FamiliesFixture {
 protected:
  Status Clip(const std::string& begin, const std::string& end) {
    return db_->ClipColumnFamily(handles_.back(), begin, end);
  }
};

TEST_F(ClipFamilyTest, AgreesWithAMapInBothOrders) {
  for (const bool is_reverse : {false, true}) {
    options_.comparator =
        is_reverse ? ReverseBytewiseComparator() : BytewiseComparator();
    path_ = directory_.path() + (is_reverse ? "/reverse" : "/forward");
    OpenFamilies({"default"});
    std::mt19937 random(7);
    const auto key_at = [](unsigned i) { return std::to_string(1000 + i); };
    for (int round = 0; round < 20; ++round) {
      std::map<std::string, std::string> model;
      for (int i = 0; i < 60; ++i) {
        const std::string key = key_at(random() % 100);
        ASSERT_OK(PutIn(0, key, std::to_string(i)));
        if (random() % 20 == 0) {
          ASSERT_OK(db_->Flush(FlushOptions()));
        }
      }
      std::string begin = key_at(random() % 100);
      std::string end = key_at(random() % 100);
      if (begin == end) continue;
      if (options_.comparator->Compare(begin, end) > 0) std::swap(begin, end);
      std::string expected;
      std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
      for (it->Seek(begin);
           it->Valid() && options_.comparator->Compare(it->key(), end) < 0;
           it->Next()) {
        expected += it->key().ToString() + "=" + it->value().ToString() + " ";
      }
      it.reset();
      ASSERT_OK(Clip(begin, end));
      EXPECT_EQ(ScanOf(0), expected) << begin << " to " << end;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
