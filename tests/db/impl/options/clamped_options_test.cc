// Values that no engine could use: RocksDB opens with the nearest that can be
// used, so must this one. What was changed stands in the LOG and in
// GetOptions(): runs option_scripts/clamped.txt.
//
//   open                  a database with the options of each line, in which
//       tables are written, compacted and read, and which is opened so again.
//       What GetOptions() has otherwise than it was given, but for what every
//       opening chooses, and what the LOG tells of it behind "|"; or why it
//       does not open
#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/rate_limiter.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ClampedOptionsTest : public DbFixture {
 protected:
  std::vector<std::string> LinesOfUse() {
    OptionLines lines;
    lines.Add(static_cast<const DBOptions&>(options_), db_->GetDBOptions());
    lines.Add(static_cast<const ColumnFamilyOptions&>(options_),
              ColumnFamilyOptions(db_->GetOptions()));
    return lines.lines();
  }
  // "name=value is taken as value", in the order of the LOG.
  static std::string ToldIn(const std::string& log) {
    static const std::regex kTold("\\S+=\\S+ is taken as \\S+");
    std::string text;
    for (std::sregex_iterator it(log.begin(), log.end(), kTold), end; it != end;
         ++it) {
      text += (text.empty() ? "" : ", ") + it->str();
    }
    return text.empty() ? "-" : text;
  }
  // The answer for a new database. `common` has the lines of every opening,
  // which are left out.
  std::string OpenWith(const std::string& text,
                       const std::vector<std::string>& common) {
    db_.reset();
    EXPECT_OK(DestroyDB(path_, options_));
    Status s = GetOptionsFromString(ConfigOptions(), plain_, text, &options_);
    if (s.ok()) s = TryOpen();
    if (!s.ok()) return s.ToString();
    Work();
    std::string used;
    for (const std::string& line : LinesOfUse()) {
      if (std::find(common.begin(), common.end(), line) != common.end()) {
        continue;
      }
      used += (used.empty() ? "" : " ") + line;
    }
    const std::string told = ToldIn(Log());
    Open();
    Work();
    return (used.empty() ? "-" : used) + " | " + told;
  }
  std::string Log() {
    db_.reset();
    std::ifstream log(path_ + "/LOG");
    return std::string(std::istreambuf_iterator<char>(log), {});
  }
  const Options plain_ = options_;

  // Three tables, one of which is made of the others.
  void Work() {
    for (int i = 0; i < 2; ++i) {
      for (int k = i; k < 60; k += 2) {
        ASSERT_OK(Put("key" + std::to_string(k), std::string(100, 'v')));
      }
      ASSERT_OK(Flush());
    }
    ASSERT_OK(CompactAll());
    for (int k = 0; k < 60; ++k) {
      ASSERT_EQ(Get("key" + std::to_string(k)), std::string(100, 'v'));
    }
  }
};

TEST_F(ClampedOptionsTest, OpenWithThem) {
  Open();
  const std::vector<std::string> common = LinesOfUse();
  const auto run = [&](const ScriptCase& c) {
    EXPECT_EQ(c.command, "open");
    std::string answers;
    for (const std::string& line : LinesOf(c.body)) {
      SCOPED_TRACE(line);
      answers += OpenWith(line == "-" ? "" : line, common) + "\n";
    }
    return answers;
  };
  EXPECT_GE(RunScript("option_scripts/clamped.txt", run), 12u);
}

TEST_F(ClampedOptionsTest, AFamilyMadeLaterIsToldOfToo) {
  Open();
  ColumnFamilyOptions family(options_);
  family.num_levels = 0;
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(family, "later", &handle));
  EXPECT_EQ(db_->GetOptions(handle).num_levels, 2);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  EXPECT_NE(Log().find("later: num_levels=0 is taken as 2"), std::string::npos);
}

TEST_F(ClampedOptionsTest, TheCallersFactoryStaysAsItIs) {
  BlockBasedTableOptions table;
  table.block_restart_interval = 0;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  const auto* given =
      options_.table_factory->GetOptions<BlockBasedTableOptions>();
  EXPECT_EQ(given->block_restart_interval, 0);
  const auto used = db_->GetOptions().table_factory;
  EXPECT_EQ(used->GetOptions<BlockBasedTableOptions>()->block_restart_interval,
            1);
  // A change of another option keeps the clamped one.
  ASSERT_OK(db_->SetOptions(
      {{"block_based_table_factory", "{block_restart_interval=-3;}"}}));
  Work();
}

TEST_F(ClampedOptionsTest, ACacheThatIsForbiddenIsNotUsed) {
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(1 << 20);
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  Work();
  EXPECT_EQ(table.block_cache->GetUsage(), 0u);
}

TEST_F(ClampedOptionsTest, ALimiterFromText) {
  Options made;
  ASSERT_OK(GetOptionsFromString(ConfigOptions(), options_,
                                 "rate_limiter_bytes_per_sec=1048576", &made));
  ASSERT_NE(made.rate_limiter, nullptr);
  EXPECT_EQ(made.rate_limiter->GetBytesPerSecond(), 1048576);
  EXPECT_TRUE(GetOptionsFromString(ConfigOptions(), options_,
                                   "rate_limiter_bytes_per_sec=-1", &made)
                  .IsInvalidArgument());
}

// Only iterators leave the files out.
TEST_F(ClampedOptionsTest, LookupsOfTheMemtableTierReadFiles) {
  Open();
  ASSERT_OK(Put("in a file", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("in memory", "2"));
  ReadOptions options;
  options.read_tier = kMemtableTier;
  std::string value;
  ASSERT_OK(db_->Get(options, "in a file", &value));
  ASSERT_OK(db_->Get(options, "in memory", &value));
  std::vector<std::string> values;
  for (const Status& s :
       db_->MultiGet(options, {"in a file", "in memory"}, &values)) {
    EXPECT_OK(s);
  }
  EXPECT_EQ(Scan(options), "in memory=2 ");
}

TEST_F(ClampedOptionsTest, TheLogIsFlushedAtAnyPriority) {
  options_.rate_limiter.reset(NewGenericRateLimiter(1 << 30));
  options_.manual_wal_flush = true;
  Open();
  for (const Env::IOPriority priority :
       {Env::IO_LOW, Env::IO_MID, Env::IO_HIGH, Env::IO_USER, Env::IO_TOTAL}) {
    SCOPED_TRACE(priority);
    const int64_t before =
        options_.rate_limiter->GetTotalBytesThrough(priority);
    ASSERT_OK(Put("k", "v"));
    FlushWALOptions flush;
    flush.rate_limiter_priority = priority;
    ASSERT_OK(db_->FlushWAL(flush));
    if (priority == Env::IO_TOTAL) continue;
    EXPECT_GT(options_.rate_limiter->GetTotalBytesThrough(priority), before);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
