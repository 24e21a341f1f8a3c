// Tailing iterators: each step goes among what has been written until then. The
// cases are tests/testdata/databases/reads/tailing.txt, in the language of
// database_script.h.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "tests/db/impl/database_script.h"
#include "tests/db/impl/db_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(TailingScript, EveryCase) {
  EXPECT_GE(RunDatabases("databases/reads/tailing.txt"), 14u);
}

class TailingTest : public DbFixture {
 protected:
  std::unique_ptr<Iterator> Tail(ReadOptions read = ReadOptions()) {
    read.tailing = true;
    return std::unique_ptr<Iterator>(db_->NewIterator(read));
  }
  // Where the iterator stands.
  static std::string At(const Iterator& it) {
    if (!it.Valid()) return it.status().ok() ? "-" : it.status().ToString();
    return it.key().ToString() + "=" + it.value().ToString();
  }
};

// Among random writes, flushes and compactions each step ends where an ordered
// map says.
TEST_F(TailingTest, EveryStepIsOnePlaceInAMap) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    Reopen();
    std::map<std::string, std::string> model;
    std::unique_ptr<Iterator> it = Tail();
    it->SeekToFirst();
    for (int i = 0; i < 400; ++i) {
      const std::string key = std::to_string(random.Uniform(60));
      switch (random.Uniform(12)) {
        case 0:
          ASSERT_OK(Delete(key));
          model.erase(key);
          break;
        case 1: {
          const std::string end = key + "5";
          ASSERT_OK(db_->DeleteRange(WriteOptions(), key, end));
          model.erase(model.lower_bound(key), model.lower_bound(end));
          break;
        }
        case 2:
          if (random.Uniform(5) == 0) ASSERT_OK(Flush());
          break;
        case 3:
          if (random.Uniform(10) == 0) ASSERT_OK(CompactAll());
          break;
        case 4:
        case 5:
        case 6:
          model[key] = std::to_string(i);
          ASSERT_OK(Put(key, model[key]));
          break;
        default: {
          std::string expected = "-";
          auto to = model.end();
          if (!it->Valid()) {
            it->Seek(key);
            to = model.lower_bound(key);
          } else {
            const std::string at = it->key().ToString();
            if (random.Uniform(3) > 0) {
              it->Next();
              to = model.upper_bound(at);
            } else {
              it->Prev();
              to = model.lower_bound(at);
              to = to == model.begin() ? model.end() : std::prev(to);
            }
          }
          if (to != model.end()) expected = to->first + "=" + to->second;
          ASSERT_EQ(At(*it), expected) << "operation " << i;
        }
      }
    }
    it.reset();
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
