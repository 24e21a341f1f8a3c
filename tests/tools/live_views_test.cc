// ldb io and ldb top: what they show of databases that are open here.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/observation.h"
#include "rocksdb/statistics.h"
#include "tests/testing/page_cache.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"
#include "tools/ldb/live/log_digest.h"
#include "tools/ldb/live/metrics.h"
#include "tools/ldb/live/process_io.h"
#include "tools/ldb/live/resident_files.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LiveViewTest : public ::testing::Test {
 protected:
  void Open(Options options) {
    options.create_if_missing = true;
    path_ = std::filesystem::canonical(dir_.path()).string() + "/db";
    ASSERT_TRUE(DB::Open(options, path_, &db_).ok());
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(db_->Put(WriteOptions(), "key" + std::to_string(10000 + i),
                           std::string(200, static_cast<char>('a' + i % 26)))
                      .ok());
    }
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  std::vector<ResidentFile> Files() {
    std::vector<ResidentFile> files;
    EXPECT_TRUE(FindResidentFiles({path_, Options(), {}}, &files).ok());
    return files;
  }

  const TempDir dir_{"live"};
  std::string path_;
  std::unique_ptr<DB> db_;
};

TEST_F(LiveViewTest, ResidencyFollowsThePageCache) {
  Options options;
  options.compression = kNoCompression;
  Open(options);
  const std::vector<ResidentFile> files = Files();
  // There may be a log more, that is about to go.
  ASSERT_GE(files.size(), 2u);
  EXPECT_EQ(ResidentKind::kTable, files[0].kind);
  EXPECT_EQ(0, files[0].level);
  EXPECT_EQ("default", files[0].family);
  EXPECT_GT(files[0].size_bytes, 100000u);
  EXPECT_EQ(ResidentKind::kLog, files.back().kind);
  const int table = open(files[0].path.c_str(), O_RDONLY);
  ASSERT_GE(table, 0);
  ASSERT_EQ(0, fdatasync(table));
  ASSERT_EQ(0, posix_fadvise(table, 0, 0, POSIX_FADV_DONTNEED));
  const uint64_t dropped = Files()[0].cached_bytes;
  std::string bytes(files[0].size_bytes, '\0');
  ASSERT_EQ(static_cast<ssize_t>(bytes.size()),
            pread(table, bytes.data(), bytes.size(), 0));
  close(table);
  EXPECT_EQ(files[0].size_bytes, Files()[0].cached_bytes);
  // A file system in memory drops nothing.
  EXPECT_LE(dropped, files[0].size_bytes);
}

TEST_F(LiveViewTest, AllIsResidentUntilAPageIsNot) {
  SKIP_WITHOUT_PAGE_CACHE(dir_);
  Options options;
  options.compression = kNoCompression;
  options.cf_paths = {{dir_.File("tables"), UINT64_MAX}};
  Open(options);
  const std::vector<ColumnFamilyDescriptor> families = {{"default", options}};
  std::vector<ResidentFile> files;
  ASSERT_TRUE(FindResidentFiles({path_, options, families}, &files).ok());
  ASSERT_EQ(ResidentKind::kTable, files[0].kind);
  EXPECT_THAT(files[0].path, HasSubstr("/tables/"));
  const MappedFile table(files[0].path);
  // Where memory is short pages go at any time.
  bool is_resident = false;
  for (int i = 0; !is_resident && i < 100; ++i) {
    table.ReadAll();
    is_resident = IsAllResident({path_, options, families});
  }
  EXPECT_TRUE(is_resident);
  table.DropPages();
  EXPECT_FALSE(IsAllResident({path_, options, families}));
  EXPECT_FALSE(IsAllResident({dir_.File("nothing"), options, families}));
}

// What reads all shows the same either way, and brings nothing into memory.
TEST_F(LiveViewTest, AScanLeavesOutOfThePageCacheWhatWasNotThere) {
  SKIP_WITHOUT_DIRECT_IO(dir_);
  Options options;
  options.compression = kNoCompression;
  Open(options);
  ASSERT_TRUE(db_->Close().ok());
  const MappedFile table(Files()[0].path);
  table.ReadAll();
  const ProgramResult warm = RunProgram("ldb", {"--db=" + path_, "dump"});
  EXPECT_EQ(0, warm.status) << warm.errors;
  EXPECT_THAT(warm.output, HasSubstr("Keys in range: 2000"));
  table.DropPages();
  const ProgramResult cold = RunProgram("ldb", {"--db=" + path_, "dump"});
  EXPECT_EQ(warm.output, cold.output);
  // Its footer and index are read in the ordinary way.
  EXPECT_LT(table.ResidentPages(), table.page_count() / 2);
}

TEST_F(LiveViewTest, DescriptorsAreThoseOfTheProcess) {
  Open(Options());
  const std::string table = Files()[0].path;
  const OpenCounts before = OpenFilesOf(getpid(), path_)[table];
  const int descriptor = open(table.c_str(), O_RDONLY);
  EXPECT_EQ(before.buffered + 1, OpenFilesOf(getpid(), path_)[table].buffered);
  close(descriptor);
  const int direct = open(table.c_str(), O_RDONLY | O_DIRECT);
  if (direct < 0) GTEST_SKIP() << "no direct I/O here";
  EXPECT_EQ(before.direct + 1, OpenFilesOf(getpid(), path_)[table].direct);
  close(direct);
  EXPECT_EQ(before.direct, OpenFilesOf(getpid(), path_)[table].direct);
}

TEST_F(LiveViewTest, IoShowsTheOwnerAndChangesNothing) {
  Open(Options());
  const ProgramResult table = RunProgram("ldb", {"--db=" + path_, "io"});
  EXPECT_EQ(0, table.status) << table.errors;
  EXPECT_THAT(table.output,
              HasSubstr("open in process " + std::to_string(getpid())));
  EXPECT_THAT(table.output, HasSubstr("\nL0    default"));
  EXPECT_THAT(table.output, HasSubstr("\nlogs "));
  const ProgramResult json =
      RunProgram("ldb", {"--db=" + path_, "io", "--json"});
  EXPECT_EQ(0, json.status) << json.errors;
  EXPECT_THAT(json.output, HasSubstr("\"part\": \"L0\""));
  EXPECT_THAT(json.output, HasSubstr("\"open_direct\": 0"));
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "b").ok());
  ASSERT_TRUE(db_->Close().ok());
  const ProgramResult closed = RunProgram("ldb", {"--db=" + path_, "io"});
  EXPECT_THAT(closed.output, HasSubstr("no process has it open"));
  const ProgramResult nothing =
      RunProgram("ldb", {"--db=" + path_ + "/none", "io"});
  EXPECT_EQ(1, nothing.status);
  const ProgramResult bad =
      RunProgram("ldb", {"--db=" + path_, "io", "--interval=0"});
  EXPECT_EQ(1, bad.status);
}

TEST_F(LiveViewTest, TopReadsTheNumbersOfAnApplication) {
  Options options;
  options.statistics = CreateDBStatistics();
  Open(options);
  std::string text;
  ASSERT_TRUE(GetPrometheusText(db_.get(), &text).ok());
  const Metrics before = Metrics::Parse(text);
  EXPECT_EQ(2000, before.Sum("rocksdb_number_keys_written_total"));
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(db_->Put(WriteOptions(), "more", "value").ok());
  }
  ASSERT_TRUE(GetPrometheusText(db_.get(), &text).ok());
  const std::string view = TextOf(Metrics::Parse(text), before, 10);
  EXPECT_THAT(view, HasSubstr("keys written                   50.0 /s\n"));
  EXPECT_THAT(view, HasSubstr("writers are not held back\n"));
  std::ofstream(dir_.File("metrics")) << text;
  const ProgramResult shown =
      RunProgram("ldb", {"top", "--prometheus=" + dir_.File("metrics")});
  EXPECT_EQ(0, shown.status) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr("running compactions"));
}

TEST(MetricsTest, TellsWhatHoldsWritersBack) {
  const Metrics metrics = Metrics::Parse(
      "# TYPE rocksdb_is_write_stopped gauge\n"
      "rocksdb_is_write_stopped{db=\"/d\",cf=\"default\"} 1\n"
      "rocksdb_is_write_stopped{db=\"/d\",cf=\"two\"} 1\n"
      "rocksdb_num_files_at_level0{db=\"/d\",cf=\"default\"} 3\n"
      "rocksdb_num_files_at_level0{db=\"/d\",cf=\"two\"} 36\n"
      "no sample\n"
      "plain_name 4.5\n");
  EXPECT_EQ(4.5, metrics.Sum("plain_name"));
  EXPECT_EQ(1, metrics.Most("rocksdb_is_write_stopped"));
  EXPECT_FALSE(metrics.Sum("rocksdb_none").has_value());
  const std::string view = TextOf(metrics, Metrics(), 1);
  EXPECT_THAT(view, HasSubstr("WRITES ARE STOPPED"));
  EXPECT_THAT(view, HasSubstr("files on level 0: 36 in family 'two'"));
  EXPECT_EQ("The text has no samples.\n", TextOf(Metrics(), Metrics(), 1));
}

TEST_F(LiveViewTest, TopReadsTheStatisticsInLog) {
  Options options;
  options.stats_dump_period_sec = 0;
  options.level0_slowdown_writes_trigger = 20;
  Open(options);
  const ProgramResult none = RunProgram("ldb", {"--db=" + path_, "top"});
  EXPECT_EQ(0, none.status);
  EXPECT_THAT(none.output, HasSubstr("LOG has no statistics yet"));
  EXPECT_EQ(1, RunProgram("ldb", {"--db=" + path_ + "/no", "top"}).status);
}

// A LOG as RocksDB 7.8.3 wrote it, cut.
TEST(LogDigestTest, TakesTheLastStatisticsAndWhatCameThen) {
  LogDigest digest;
  for (const char* line :
       {"2026/11/26-17:00:00.000000 1 [WARN] [d] Stopping writes because",
        "2026/11/26-17:19:37.617998 1 [x.cc:1] ------- DUMPING STATS -----",
        "2026/11/26-17:19:37.617999 1 [x.cc:2] ",
        "** DB Stats **",
        "Uptime(secs): 0.1 total, 0.1 interval",
        "Cumulative writes: 115 writes",
        "Interval writes: 115 writes, 115 keys",
        "",
        "** Compaction Stats [default] **",
        "Level    Files   Size     Score",
        "---------------------------------",
        "  L0      2/0    4.00 KB   0.5",
        " Sum      2/0    4.00 KB   0.0",
        "",
        "** Compaction Stats [default] **",
        "Priority    Files   Size     Score",
        "---------------------------------",
        "Low      9/9    9.00 KB   9.0",
        "",
        "Interval compaction: 0.10 GB write, 1.00 MB/s write",
        "Stalls(count): 0 level0_slowdown, 4 memtable_slowdown, "
        "interval 0 total count",
        "Block cache LRUCache@0x1#2 capacity: 8.00 MB usage: 0.09 KB",
        "2026/11/26-17:19:38.000000 1 [WARN] [default] Stalling writes "
        "because we have 5 immutable memtables"}) {
    digest.Feed(line);
  }
  EXPECT_EQ("2026/11/26-17:19:37", digest.time);
  EXPECT_EQ(0u, digest.stop_count);
  EXPECT_EQ(1u, digest.stall_count);
  const LogDigest::Family& family = digest.families["default"];
  EXPECT_EQ(2u, family.levels.size());
  ASSERT_EQ(1u, family.causes.size());
  EXPECT_EQ("4 memtable_slowdown", family.causes[0]);
  const std::string text = TextOf(digest);
  EXPECT_THAT(text, HasSubstr("  L0      2/0    4.00 KB   0.5\n"));
  EXPECT_THAT(text, Not(HasSubstr("Low ")));
  EXPECT_THAT(text, HasSubstr("Block cache LRUCache"));
  EXPECT_THAT(text, HasSubstr("because we have 5 immutable memtables"));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
