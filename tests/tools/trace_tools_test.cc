// The readers of traces, as their users see them: what they print of example
// files that RocksDB wrote, which files they make, and how they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "db/wal/write_batch_internal.h"
#include "monitoring/trace/block_cache_trace_text.h"
#include "monitoring/trace/trace_format.h"
#include "rocksdb/table_reader_caller.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/write_batch.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/vectors.h"
#include "tests/tools/program.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string ExampleTrace(const std::string& name) {
  return VectorPath("utilities/" + name);
}

size_t LineCount(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

class TraceToolsTest : public ::testing::Test {
 protected:
  // A copy of the example's first `bytes` bytes.
  std::string CutCopy(const std::string& name, size_t bytes) {
    const std::string path = dir_.File("cut.trace");
    std::ofstream(path, std::ios::binary)
        << BytesOfFile(ExampleTrace(name)).substr(0, bytes);
    return path;
  }
  ProgramResult Analyze(const std::string& path,
                        std::vector<std::string> more) {
    more.push_back("--trace_path=" + path);
    more.push_back("--output_dir=" + dir_.File("out"));
    return RunProgram("trace_analyzer", more);
  }
  std::string Output(const std::string& name) {
    return BytesOfFile(dir_.File("out/trace-" + name));
  }

  const TempDir dir_{"trace_tools"};
};

TEST_F(TraceToolsTest, IoTracesAreALineAnOperation) {
  const std::string path = ExampleTrace("r119_io.trace");
  if (path.empty()) GTEST_SKIP() << "the vectors are absent";
  const ProgramResult run =
      RunProgram("io_tracer_parser", {"--io_trace_file=" + path});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(LineCount(run.output), 3u + 18u);
  EXPECT_THAT(run.output, ::testing::StartsWith(
                              "Start Time: 1795703748815090\n"
                              "RocksDB Major Version: 11\n"
                              "RocksDB Minor Version: 9\n"
                              "Access Time : 5630460346720       , File Name: "
                              "000008.log          , File Operation: "
                              "GetFileSize       , Latency: 82        , IO "
                              "Status: OK, File Size: 0\n"));
  EXPECT_THAT(run.output, HasSubstr(", IO Status: OK, Length: 53, "
                                    "Offset: 1367\n"));
}

TEST_F(TraceToolsTest, AnIoTraceMayEndWithinARecord) {
  if (ExampleTrace("r119_io.trace").empty()) {
    GTEST_SKIP() << "the vectors are absent";
  }
  const ProgramResult run = RunProgram(
      "io_tracer_parser", {"--io_trace_file", CutCopy("r119_io.trace", 300)});
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_GT(LineCount(run.output), 3u);
  EXPECT_LT(LineCount(run.output), 10u);
}

TEST_F(TraceToolsTest, IoTracerParserRefuses) {
  EXPECT_EQ(RunProgram("io_tracer_parser", {}).status, 1);
  const ProgramResult absent = RunProgram(
      "io_tracer_parser", {"--io_trace_file=" + dir_.File("absent")});
  EXPECT_EQ(absent.status, 1);
  EXPECT_THAT(absent.errors, HasSubstr("absent"));
  const ProgramResult unknown = RunProgram("io_tracer_parser", {"--what=1"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.errors,
              HasSubstr("ERROR: unknown command line flag 'what'"));
  const std::string other = ExampleTrace("r119_ops.trace");
  if (other.empty()) GTEST_SKIP() << "the vectors are absent";
  const ProgramResult run =
      RunProgram("io_tracer_parser", {"--io_trace_file=" + other});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.errors, HasSubstr("Corruption"));
}

TEST_F(TraceToolsTest, OperationsAreCountedByTypeAndFamily) {
  for (const std::string release : {"r783", "r119"}) {
    const std::string path = ExampleTrace(release + "_ops.trace");
    if (path.empty()) GTEST_SKIP() << "the vectors are absent";
    const ProgramResult run =
        Analyze(path, {"--analyze_get", "--analyze_put", "--analyze_multiget",
                       "--analyze_iterator", "--analyze_range_delete",
                       "--analyze_merge", "--print_top_k_access=2",
                       "--print_correlation=[put,get][get,multiget]"});
    ASSERT_EQ(run.status, 0) << run.errors;
    EXPECT_THAT(
        run.output,
        HasSubstr("################# Operation Type: get "
                  "#####################\n"
                  "*********************************************************\n"
                  "colume family id: 0\n"
                  "Total number of queries to this cf by get: 1\n"
                  "Total unique keys in this cf: 1\n"
                  "Average key size: 5.000000 key size medium: 5 Key size "
                  "Variation: 0.000000\n"));
    EXPECT_THAT(run.output, HasSubstr("Access_count: 1 0x616C706861\n"));
    EXPECT_THAT(run.output,
                HasSubstr("Total keys of 'get' is: 2\nTotal access is: 2\n"));
    EXPECT_THAT(run.output,
                HasSubstr("Total keys of 'put' is: 4\nTotal access is: 4\n"));
    // The second family got the values "two" and "v2".
    EXPECT_THAT(run.output, HasSubstr("Average value size: 2.500000 Value size "
                                      "medium: 2 Value size variation: 0.500000"
                                      "\n"));
    EXPECT_THAT(run.output, Not(HasSubstr("put_entity")));
    EXPECT_THAT(run.output,
                HasSubstr("The correlation statistics of 'get' after 'put' is: "
                          "0 times"));
    EXPECT_THAT(run.output,
                HasSubstr("Total_requests: 16 Total_accessed_keys: "));
    EXPECT_THAT(run.output,
                HasSubstr(" Total_gets: 2 Total_write_batches: 8 Total_seeks: 2"
                          " Total_seek_for_prevs: 2 Total_multigets: 2\n"));
    EXPECT_THAT(run.output, HasSubstr("Operation: 'multiget' has: 5\n"));
    EXPECT_THAT(run.output, HasSubstr("Operation: 'range_delete' has: 1\n"));
    EXPECT_THAT(run.output, Not(HasSubstr("single_delete")));
  }
}

TEST_F(TraceToolsTest, FilesOfResultsAreThose) {
  const std::string path = ExampleTrace("r119_ops.trace");
  if (path.empty()) GTEST_SKIP() << "the vectors are absent";
  std::filesystem::create_directory(dir_.File("keys"));
  std::ofstream(dir_.File("keys/0.txt"))
      << "0x616C706861\n61\n6B31\n";  // alpha, a, k1
  const ProgramResult run =
      Analyze(path, {"--analyze_get", "--analyze_put", "--no_print",
                     "--output_key_stats", "--output_access_count_stats",
                     "--output_time_series", "--output_qps_stats",
                     "--output_prefix_cut=1", "--output_key_distribution",
                     "--output_value_distribution", "--value_interval=2",
                     "--convert_to_human_readable_trace",
                     "--key_space_dir=" + dir_.File("keys")});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, "");
  // Keys alpha and k1, with values of one byte each.
  EXPECT_THAT(Output("put-0-accessed_key_stats.txt"),
              ::testing::StartsWith("0 1 0 1 1.000000\n"));
  EXPECT_EQ(LineCount(Output("put-0-accessed_key_stats.txt")), 2u);
  EXPECT_EQ(Output("get-0-accessed_key_stats.txt"), "0 10 0 1 1.000000\n");
  EXPECT_EQ(Output("get-0-whole_key_stats.txt"), "0 0\n1 1\n2 0\n");
  EXPECT_EQ(Output("put-0-accessed_key_count_distribution.txt"),
            "access_count: 1 num: 2\n");
  EXPECT_EQ(Output("put-0-accessed_key_size_distribution.txt"), "2 1\n5 1\n");
  EXPECT_THAT(Output("put-0-accessed_value_size_distribution.txt"),
              HasSubstr("Number_of_value_size_between 0 and 2 is: "));
  EXPECT_EQ(Output("put-0-accessed_key_prefix_cut.txt"),
            "0 1 1 1.000000 1.000000 0x61\n1 1 1 1.000000 1.000000 0x6B\n");
  EXPECT_EQ(Output("put-0-whole_key_prefix_cut.txt"), "0 0x61\n2 0x6B\n");
  EXPECT_THAT(Output("get-0-time_series.txt"),
              ::testing::MatchesRegex("0 [0-9]+ 1\n"));
  EXPECT_THAT(Output("put-0-accessed_top_k_qps_prefix_cut.txt"),
              HasSubstr("The prefix: 0x61 Access count: 1\n"));
  EXPECT_THAT(Output("qps_stats.txt"), HasSubstr(" 0 0 0 0 0 0 0 0 "));
  EXPECT_THAT(Output("cf_qps_stats.txt"), ::testing::StartsWith("0 1 all\n"));
  const std::string text = Output("human_readable_trace.txt");
  EXPECT_THAT(text, ::testing::StartsWith("0x616C706861 1 0 1 "));
  EXPECT_THAT(text, HasSubstr("0x6D 0x6E 4 0 0 "));
}

TEST_F(TraceToolsTest, EntitiesAreInTheText) {
  const std::string path = ExampleTrace("r119_ops_entity.trace");
  if (path.empty()) GTEST_SKIP() << "the vectors are absent";
  const ProgramResult run =
      Analyze(path, {"--analyze_put", "--convert_to_human_readable_trace"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(Output("human_readable_trace.txt"), HasSubstr("0x65 9 0 "));
  EXPECT_THAT(run.output, HasSubstr("Operation: 'put' has: 2\n"));
  EXPECT_THAT(run.output, HasSubstr("Operation: 'put_entity' has: 1\n"));
}

TEST_F(TraceToolsTest, ATraceMayLackItsEnd) {
  if (ExampleTrace("r119_ops.trace").empty()) {
    GTEST_SKIP() << "the vectors are absent";
  }
  const ProgramResult run =
      Analyze(CutCopy("r119_ops.trace", 400), {"--analyze_put"});
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("Operation: 'put' has: "));
}

TEST_F(TraceToolsTest, DamageIsToldOrPassedOver) {
  const std::string example = ExampleTrace("r119_ops.trace");
  if (example.empty()) GTEST_SKIP() << "the vectors are absent";
  std::string bytes = BytesOfFile(example);
  // The map of the first operation says that it has nothing.
  const size_t first = 8 + 1 + 4 + static_cast<uint8_t>(bytes[9]);
  bytes[first + 8 + 1 + 4] = 0;
  const std::string path = dir_.File("damaged.trace");
  std::ofstream(path, std::ios::binary) << bytes;
  ProgramResult run = Analyze(path, {"--analyze_put"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(LineCount(run.errors), 2u);
  EXPECT_THAT(run.errors, HasSubstr("Corruption"));
  run = Analyze(path, {"--analyze_put", "--try_process_corrupted_trace"});
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("Operation: 'put' has: 3\n"));
}

// A trace in the order of the log has such a commit of a transaction.
TEST_F(TraceToolsTest, CommitsWithTimestampsAreWrites) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("k", "v").ok());
  WriteBatchInternal::AddCommitWithTimestamp(&batch, "xid", "12345678");
  std::string payload;
  PutFixed64(&payload, TraceFieldBit(TraceField::kBatch));
  PutLengthPrefixedSlice(&payload, batch.Data());
  const std::string path = dir_.File("commit.trace");
  std::ofstream(path, std::ios::binary)
      << EncodeTraceRecord(1, kTraceBegin, QueryTraceHeader()) +
             EncodeTraceRecord(2'000'000, kTraceWrite, payload);
  const ProgramResult run = Analyze(path, {"--analyze_put"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("Operation: 'put' has: 1\n"));
}

TEST_F(TraceToolsTest, TraceAnalyzerRefuses) {
  EXPECT_EQ(RunProgram("trace_analyzer", {}).status, 1);
  EXPECT_EQ(Analyze(dir_.File("absent"), {"--analyze_get"}).status, 1);
  for (const std::string flag :
       {"--sample_ratio=0", "--sample_ratio=x", "--value_interval=0",
        "--print_correlation=[get,what]", "--print_correlation=get",
        "--output_prefix_cut=-1"}) {
    const ProgramResult run = Analyze(dir_.File("absent"), {flag});
    EXPECT_EQ(run.status, 1) << flag;
    EXPECT_NE(run.errors, "") << flag;
  }
  const ProgramResult help = RunProgram("trace_analyzer", {"--help"});
  EXPECT_EQ(help.status, 1);
  EXPECT_THAT(help.output, HasSubstr("trace_analyzer:"));
}

// What a program ends with on a full disk. `line` is its name and its flags.
int StatusOnAFullDisk(const std::string& line) {
  const std::string directory = std::string(BASALT_BINARY_DIR) + "/bin";
  const ProgramResult run = RunProgram(
      "/bin/sh",
      {"-c", "PATH='" + directory + "':\"$PATH\"; " + line + " > /dev/full"});
  EXPECT_THAT(run.errors, HasSubstr("standard output could not be written"))
      << line;
  return run.status;
}

// Those that read traces, and all others that print.
TEST_F(TraceToolsTest, OutputThatIsLostIsAFailure) {
  const std::string db = "'" + dir_.File("db") + "'";
  const std::string made = dir_.File("db");
  ASSERT_EQ(0, RunProgram("ldb", {"--db=" + made, "put", "key", "value",
                                  "--create_if_missing", "--enable_blob_files"})
                   .status);
  ASSERT_EQ(
      0, RunProgram("ldb", {"--db=" + made, "compact", "--enable_blob_files"})
             .status);
  std::string blob;
  for (const auto& entry : std::filesystem::directory_iterator(made)) {
    if (entry.path().extension() == ".blob") blob = entry.path().string();
  }
  EXPECT_EQ(255, StatusOnAFullDisk("blob_dump --file='" + blob + "'"));
  EXPECT_EQ(255, StatusOnAFullDisk("blob_dump --help"));
  EXPECT_EQ(2, StatusOnAFullDisk("compaction_simulator --help"));
  for (const std::string& line :
       {"kvdump " + db, "ldb scan --db=" + db,
        "sst_dump --command=scan --file=" + db, std::string("ldb --help"),
        std::string("ldb --version"), std::string("ldb help scan"),
        std::string("filter_bench --legend"),
        std::string("cache_bench --version"),
        std::string("rocksdb_dump --version"),
        std::string("db_sanity_test --version")}) {
    EXPECT_EQ(1, StatusOnAFullDisk(line)) << line;
  }
  if (ExampleTrace("r119_ops.trace").empty()) {
    GTEST_SKIP() << "the vectors are absent";
  }
  for (const std::string& line :
       {"io_tracer_parser --io_trace_file='" + ExampleTrace("r119_io.trace"),
        "trace_analyzer --analyze_get --output_dir='" + dir_.File("out") +
            "' --trace_path='" + ExampleTrace("r119_ops.trace"),
        "block_cache_trace_analyzer --block_cache_trace_path='" +
            ExampleTrace("r119_block_cache.trace")}) {
    EXPECT_EQ(1, StatusOnAFullDisk(line + "'")) << line;
  }
}

class BlockCacheAnalyzerTest : public TraceToolsTest {
 protected:
  ProgramResult Run(const std::string& path, std::vector<std::string> more) {
    more.push_back("--block_cache_trace_path=" + path);
    return RunProgram("block_cache_trace_analyzer", more);
  }
  // The example, with results.
  ProgramResult RunExample(std::vector<std::string> more) {
    more.push_back("--block_cache_analysis_result_dir=" + dir_.File("out"));
    return Run(ExampleTrace("r119_block_cache.trace"), std::move(more));
  }
  std::string Result(const std::string& name) {
    return BytesOfFile(dir_.File("out/" + name));
  }
  void SetUp() override {
    if (ExampleTrace("r119_block_cache.trace").empty()) {
      GTEST_SKIP() << "the vectors are absent";
    }
  }
};

TEST_F(BlockCacheAnalyzerTest, TellsAccessesByFamilyCallerAndType) {
  const ProgramResult run =
      RunExample({"--print_block_size_stats", "--print_access_count_stats",
                  "--analyze_top_k_access_count_blocks=1",
                  "--analyze_bottom_k_access_count_blocks=2"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output,
              HasSubstr("Column family: default id: 0\n"
                        "Number of files: 1 Number of blocks: 5 Number of "
                        "accesses: 17 Misses: 3 (17.65%)\n"
                        "Blocks by type: Data 3 (60.00%) Filter 1 (20.00%) "
                        "Index 1 (20.00%)\n"
                        "Accesses by type: Data 7 (41.18%) Filter 5 (29.41%) "
                        "Index 5 (29.41%)\n"
                        "Caller Get: Number of accesses: 10 (58.82%) Number of "
                        "files: 1\n"));
  EXPECT_THAT(run.output, HasSubstr("Caller Iterator: Number of accesses: 3 "));
  EXPECT_THAT(run.output, HasSubstr("Overall: Number of column families: 1\n"));
  EXPECT_THAT(run.output, HasSubstr("Block size of Index blocks: Count: 1 "
                                    "Average: 176.00 Min: 176 "));
  EXPECT_THAT(run.output, HasSubstr("Accesses of Data blocks: Count: 3 "));
  EXPECT_THAT(run.output,
              HasSubstr("Type: Filter Size: 200 Access_count: 5\n"));
}

TEST_F(BlockCacheAnalyzerTest, TheTraceAsTextIsReadAgain) {
  const std::string text = dir_.File("text");
  ProgramResult run = RunExample({"--human_readable_trace_file_path=" + text});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(LineCount(BytesOfFile(text)), 17u);
  EXPECT_THAT(BytesOfFile(text),
              ::testing::StartsWith("1795703748814665,1,8,200,0,default,0,9,1,"
                                    "0,1,1,0,1,0,0,1801812272,60,16,16,0\n"));
  const std::string report = run.output;
  const std::string again = dir_.File("again");
  run = Run(text, {"--is_block_cache_human_readable_trace",
                   "--human_readable_trace_file_path=" + again});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, report);
  EXPECT_EQ(BytesOfFile(again), BytesOfFile(text));
}

TEST_F(BlockCacheAnalyzerTest, CachesAreSimulated) {
  const std::string config = dir_.File("config");
  // The second has room for index, filter and one data block.
  std::ofstream(config) << "lru,0,0,100,1K,1M\nlru_priority,0,0,1K\n"
                        << "ghost_lru,0,1M,1M\n";
  ProgramResult run =
      RunExample({"--block_cache_sim_config_path=" + config, "--mrc_only"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, "");
  // Five blocks miss once. In the second cache the last data block pushes
  // index and filter out, which the iterator then asks for in vain; with
  // priority it pushes out the first data block. Behind the ghost each block
  // misses twice, but for the one that nobody puts in.
  EXPECT_EQ(Result("0_17_mrc"),
            "cache_name,num_shard_bits,ghost_capacity,capacity,miss_ratio,"
            "total_accesses\n"
            "lru,0,0,100,100.000000,17\n"
            "lru,0,0,1024,35.294118,17\n"
            "lru,0,0,1048576,29.411765,17\n"
            "lru_priority,0,0,1024,29.411765,17\n"
            "ghost_lru,0,1048576,1048576,52.941176,17\n");
  EXPECT_THAT(Result("17_1_miss_timeline"),
              HasSubstr("time,lru-0-0-100,lru-0-0-1024,lru-0-0-1048576,"
                        "lru_priority-0-0-1024,ghost_lru-0-1048576-1048576\n"
                        "1795703748,17,6,5,5,9\n"));
  EXPECT_EQ(LineCount(Result("17_3600_miss_ratio_timeline")), 2u);
  // All of it is in the first hour.
  run = RunExample({"--block_cache_sim_config_path=" + config, "--mrc_only",
                    "--cache_sim_warmup_seconds=3600"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(Result("0_17_mrc"), HasSubstr("lru,0,0,100,0.000000,0\n"));
}

TEST_F(BlockCacheAnalyzerTest, ResultsByGroups) {
  const ProgramResult run = RunExample(
      {"--timeline_labels=bt,cf_level", "--reuse_distance_labels=all",
       "--reuse_distance_buckets=0,500,1000", "--reuse_interval_labels=bt",
       "--reuse_interval_buckets=1,10", "--reuse_lifetime_labels=block",
       "--reuse_lifetime_buckets=1", "--skew_labels=block",
       "--skew_buckets=20,100", "--analyze_callers=Get,Iterator",
       "--access_count_buckets=1,5"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(Result("user_access_only_bt_1_access_timeline"),
            "time,Data,Filter,Index\n1795703748,7,5,5\n");
  EXPECT_THAT(Result("all_access_cf_level_3600_access_timeline"),
              HasSubstr("time,default-0\n498806,17\n"));
  EXPECT_THAT(Result("all_reuse_distance"),
              ::testing::StartsWith("bucket,all\n0,"));
  EXPECT_EQ(LineCount(Result("all_reuse_distance")), 5u);
  EXPECT_THAT(Result("bt_access_reuse_interval"),
              HasSubstr("bucket,Data,Filter,Index\n1,100.000000,100.000000,"
                        "100.000000\n10,0.000000"));
  EXPECT_NE(Result("bt_avg_reuse_interval"), "");
  EXPECT_NE(Result("bt_avg_reuse_interval_naccesses"), "");
  EXPECT_NE(Result("block_reuse_lifetime"), "");
  EXPECT_THAT(Result("block_skewness"),
              HasSubstr("percent_of_groups,percent_of_accesses\n20,"
                        "29.411765\n100,100.000000\n"));
  EXPECT_EQ(Result("percentage_of_accesses_summary"),
            "column_family,Get,Iterator\ndefault,58.823529,17.647059\n");
  EXPECT_EQ(Result("Iterator_bt_percentage_of_accesses_summary"),
            "group,percent\nData,11.764706\nIndex,5.882353\n");
  EXPECT_THAT(Result("bt_access_count_summary"),
              HasSubstr("bucket,Data,Filter,Index\n1,33.333333,0.000000,"));
}

// Traces of a few accesses, as text.
class MadeBlockTraceTest : public TraceToolsTest {
 protected:
  struct Access {
    uint64_t micros = 0;
    uint64_t block = 1;
    TraceType type = kBlockTraceDataBlock;
    TableReaderCaller caller = kUserGet;
    uint64_t lookup = 0;
    uint64_t key = 0;
    uint64_t found_bytes = 0;  // 0: the key is not there
  };

  ProgramResult Run(const std::vector<Access>& accesses,
                    std::vector<std::string> more) {
    const std::string path = dir_.File("made");
    std::ofstream out(path);
    for (const Access& access : accesses) {
      BlockAccessText text;
      text.time_micros = access.micros;
      text.block = access.block;
      text.type = access.type;
      text.block_bytes = 100;
      text.family_name = "default";
      text.caller = access.caller;
      text.lookup = access.lookup;
      text.key = access.key;
      text.found_bytes = access.found_bytes;
      text.is_key_found = access.found_bytes > 0;
      text.key_count = 4;
      text.block_key_bytes = 16;
      text.key_bytes = 5;
      out << BlockAccessLine(text) << '\n';
    }
    out.close();
    more.push_back("--block_cache_trace_path=" + path);
    more.push_back("--is_block_cache_human_readable_trace");
    more.push_back("--block_cache_analysis_result_dir=" + dir_.File("out"));
    return RunProgram("block_cache_trace_analyzer", more);
  }
  std::string Result(const std::string& name) {
    return BytesOfFile(dir_.File("out/" + name));
  }
};

TEST_F(MadeBlockTraceTest, BlocksOfAWindowThatAreUsedAgain) {
  constexpr uint64_t kSecond = 1'000'000;
  const ProgramResult run =
      Run({{.micros = 101 * kSecond, .block = 1},
           {.micros = 109 * kSecond, .block = 2},
           {.micros = 110 * kSecond, .block = 2},
           {.micros = 110 * kSecond, .block = 3},
           {.micros = 121 * kSecond, .block = 1},
           {.micros = 121 * kSecond, .block = 3, .caller = kCompaction}},
          {"--analyze_blocks_reuse_k_reuse_window=10"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(Result("user_access_only_10_reuse_blocks_timeline"),
            "start_time,100,110,120\n"
            "100,100.000000,50.000000,50.000000\n"
            "110,,100.000000,0.000000\n"
            "120,,,100.000000\n");
  EXPECT_THAT(Result("all_access_10_reuse_blocks_timeline"),
              HasSubstr("110,,100.000000,50.000000\n"));
}

TEST_F(MadeBlockTraceTest, HowMuchOfABlockLookUpsAskFor) {
  // Two of four keys, three of four times, thirty of a hundred bytes.
  const ProgramResult run =
      Run({{.lookup = 1, .key = 1, .found_bytes = 20},
           {.lookup = 2, .key = 1, .found_bytes = 20},
           {.lookup = 3, .key = 2, .found_bytes = 10},
           {.lookup = 4, .key = 3},
           {.type = kBlockTraceIndexBlock, .lookup = 4, .key = 3},
           {.caller = kCompaction}},
          {"--analyze_get_spatial_locality_labels=all,bt",
           "--analyze_get_spatial_locality_buckets=30,60,100"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(Result("all_percent_ref_keys"),
            "bucket,all\n30,0.000000\n60,100.000000\n100,0.000000\n"
            "18446744073709551615,0.000000\n");
  EXPECT_THAT(Result("all_percent_accesses_on_ref_keys"),
              HasSubstr("\n60,0.000000\n100,100.000000\n"));
  EXPECT_THAT(Result("all_percent_data_size_on_ref_keys"),
              HasSubstr("\n30,100.000000\n60,0.000000\n"));
  EXPECT_THAT(Result("bt_percent_ref_keys"),
              ::testing::StartsWith("bucket,Data\n"));
}

TEST_F(MadeBlockTraceTest, WhatThePastOfABlockTellsOfItsFuture) {
  std::vector<Access> accesses;
  for (const auto& [second, block] : std::vector<std::pair<uint64_t, uint64_t>>{
           {0, 1}, {1, 1}, {2, 2}, {3, 1}, {4, 2}, {5, 2}, {7, 1}}) {
    accesses.push_back({.micros = second * 1'000'000, .block = block});
  }
  ProgramResult run =
      Run(accesses, {"--analyze_correlation_coefficients_labels=all"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(Result("all_elapsed_time_correlation_input"),
            "group,elapsed_time,num_accesses_till_next_access,"
            "elapsed_time_till_next_access\n"
            "all,1000000,2,2000000\nall,2000000,1,1000000\n"
            "all,2000000,3,4000000\n");
  EXPECT_THAT(Result("all_num_past_accesses_correlation_input"),
              HasSubstr("\nall,1,2,2000000\nall,1,1,1000000\n"
                        "all,2,3,4000000\n"));
  EXPECT_THAT(Result("all_num_accesses_since_last_access_correlation_input"),
              HasSubstr("\nall,1,2,2000000\nall,2,1,1000000\n"));
  EXPECT_THAT(run.output,
              HasSubstr("Correlation of num_past_accesses with accesses until "
                        "the next, all: 0.866025\n"));
  EXPECT_THAT(run.output, HasSubstr("Correlation of elapsed_time with accesses "
                                    "until the next, all: 0.000000\n"));
  run = Run(accesses,
            {"--analyze_correlation_coefficients_labels=all",
             "--analyze_correlation_coefficients_max_number_of_values=2"});
  EXPECT_EQ(LineCount(Result("all_elapsed_time_correlation_input")), 3u);
}

TEST_F(MadeBlockTraceTest, HybridCachesKeepRows) {
  std::vector<Access> accesses;
  // Each look-up reads an index block and the data block behind it; the second
  // asks for the key of the first.
  for (const uint64_t lookup : {1, 2, 3}) {
    const uint64_t key = lookup == 3 ? 2 : 1;
    accesses.push_back({.block = 1,
                        .type = kBlockTraceIndexBlock,
                        .lookup = lookup,
                        .key = key});
    accesses.push_back(
        {.block = 2, .lookup = lookup, .key = key, .found_bytes = 10});
  }
  const std::string config = dir_.File("config");
  std::ofstream(config) << "lru,0,0,50,1M\n"
                        << "lru_hybrid,0,0,10,50,1M\n"
                        << "lru_hybrid_no_insert_on_row_miss,0,0,1M\n"
                        << "ghost_lru_hybrid,0,1M,1M\n"
                        << "ghost_lru_hybrid_no_insert_on_row_miss,0,1M,1M\n";
  const ProgramResult run =
      Run(accesses, {"--block_cache_sim_config_path=" + config, "--mrc_only"});
  ASSERT_EQ(run.status, 0) << run.errors;
  // With room for 50 bytes no block fits, and a row does. Behind a ghost all
  // goes in at the second look-up; without blocks the third finds nothing.
  EXPECT_EQ(Result("0_6_mrc"),
            "cache_name,num_shard_bits,ghost_capacity,capacity,miss_ratio,"
            "total_accesses\n"
            "lru,0,0,50,100.000000,6\n"
            "lru,0,0,1048576,33.333333,6\n"
            "lru_hybrid,0,0,10,100.000000,6\n"
            "lru_hybrid,0,0,50,66.666667,6\n"
            "lru_hybrid,0,0,1048576,33.333333,6\n"
            "lru_hybrid_no_insert_on_row_miss,0,0,1048576,66.666667,6\n"
            "ghost_lru_hybrid,0,1048576,1048576,66.666667,6\n"
            "ghost_lru_hybrid_no_insert_on_row_miss,0,1048576,1048576,"
            "100.000000,6\n");
}

TEST_F(MadeBlockTraceTest, TheFirstAccessMayHaveBegunLast) {
  std::vector<Access> accesses;
  for (const uint64_t second : {5, 2, 4}) {
    accesses.push_back({.micros = second * 1'000'000});
  }
  const std::string config = dir_.File("config");
  std::ofstream(config) << "lru,0,0,1M\n";
  const ProgramResult run =
      Run(accesses, {"--block_cache_sim_config_path=" + config, "--mrc_only"});
  ASSERT_EQ(run.status, 0) << run.errors;
  // The name has the seconds and the accesses of the trace.
  EXPECT_THAT(Result("3_3_mrc"), HasSubstr("\nlru,0,0,1048576,33.333333,3\n"));
}

TEST_F(BlockCacheAnalyzerTest, Refuses) {
  EXPECT_EQ(RunProgram("block_cache_trace_analyzer", {}).status, 1);
  EXPECT_EQ(Run(dir_.File("absent"), {}).status, 1);
  EXPECT_EQ(Run(ExampleTrace("r119_io.trace"), {}).status, 1);
  EXPECT_EQ(Run(ExampleTrace("r119_ops.trace"), {}).status, 1);
  EXPECT_EQ(Run(ExampleTrace("r119_block_cache.trace"),
                {"--is_block_cache_human_readable_trace"})
                .status,
            1);
  const std::string config = dir_.File("config");
  std::ofstream(config) << "lfu,0,0,1M\n";
  for (const std::string& flag :
       {std::string("--timeline_labels=what"),
        std::string("--reuse_distance_labels=all"),
        std::string("--skew_labels=block"),
        std::string("--analyze_callers=Nobody"),
        std::string("--access_count_buckets=x"),
        std::string("--analyze_get_spatial_locality_labels=all"),
        std::string("--analyze_correlation_coefficients_labels=what"),
        "--block_cache_sim_config_path=" + config}) {
    const ProgramResult run = RunExample({flag});
    EXPECT_EQ(run.status, 1) << flag;
    EXPECT_THAT(run.errors, HasSubstr("block_cache_trace_analyzer: ")) << flag;
  }
  // Without a place for it.
  EXPECT_EQ(
      Run(ExampleTrace("r119_block_cache.trace"), {"--timeline_labels=all"})
          .status,
      1);
}

TEST_F(BlockCacheAnalyzerTest, ATraceMayEndWithinARecord) {
  const ProgramResult run = Run(CutCopy("r119_block_cache.trace", 700), {});
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("Overall: "));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
