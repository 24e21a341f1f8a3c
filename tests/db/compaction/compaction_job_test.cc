// Compaction jobs without a database: what they write, and what they do not
// install. Runs tests/testdata/compaction/jobs.txt, in the language of
// job_script.h.
#include "db/compaction/compaction_job.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/db/compaction/job_script.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(CompactionJobTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) { return JobScript(c).Run(c.body); };
  EXPECT_GE(RunScript("compaction/jobs.txt", run), 13u) << "cases went missing";
}

// No file has a tombstone that reaches into another one.
TEST(CompactionJobTest, TombstonesAreCutWhereFilesEnd) {
  JobWorld world;
  ASSERT_NO_FATAL_FAILURE(world.Create());
  // They have something to delete below.
  ASSERT_TRUE(world.Flush("a@1=x z@2=x").ok());
  ASSERT_TRUE(world.Compact(0, 3).ok());
  const std::string value(3000, 'v');
  ASSERT_TRUE(
      world.Flush("b-y@3 a@4=" + value + " c@5=" + value + " e@6=" + value)
          .ok());
  world.max_output_bytes = 4000;
  ASSERT_TRUE(world.Compact(0, 1).ok());
  const std::vector<FileRef> files = world.Files(1);
  ASSERT_GE(files.size(), 2u);
  std::string end = "b";
  for (size_t i = 0; i < files.size(); ++i) {
    for (const TextEntry& e : world.Entries(files[i])) {
      if (e.type != kTypeRangeDeletion) continue;
      EXPECT_EQ(e.user_key, end) << i;
      EXPECT_EQ(e.sequence, 3u);
      end = e.value;
    }
    if (i == 0) continue;
    EXPECT_LT(
        world.cfd->order().Compare(files[i - 1]->largest, files[i]->smallest),
        0);
  }
  EXPECT_EQ(end, "y") << "one piece behind the other";
  world.Close();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
