// What is stated of the command-line tools, and no test of a part looks at.
// docs/tools/statements.md says which test holds which statement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "db/blob/blob_format.h"
#include "db/compaction/progress_file.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/utilities/ldb_cmd.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"
#include "tests/tools/transcript.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

using Words = std::vector<std::string>;

TEST(StatedTranscriptTest, Ldb) { ReplayTranscript("stated_ldb"); }
TEST(StatedTranscriptTest, SstDump) { ReplayTranscript("stated_sst_dump"); }

class StatedToolsTest : public ::testing::Test {
 protected:
  std::string db() const { return dir_.File("db"); }
  void Open() {
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    ASSERT_TRUE(DB::Open(options_, db(), &db_).ok());
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
  }
  ProgramResult Ldb(Words words) const {
    words.insert(words.begin(), "--db=" + db());
    return RunProgram("ldb", words);
  }
  // The path of one whose name has `part`.
  std::string PathWith(const std::string& part) const {
    for (const auto& entry : std::filesystem::directory_iterator(db())) {
      const std::string name = entry.path().filename();
      if (name.find(part) != std::string::npos) return entry.path();
    }
    ADD_FAILURE() << "no file with " << part;
    return "";
  }

  const TempDir dir_{"stated_tools"};
  Options options_;
  std::unique_ptr<DB> db_;
};

// All but LOCK: to close it would give up the lock that this process has on it.
std::map<std::string, std::string> FilesOf(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().filename() == "LOCK") continue;
    std::ostringstream content;
    content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    files[entry.path().filename()] = content.str();
  }
  return files;
}

// $TABLE, $LOG and $DIR are put in.
const std::vector<Words> kReaders = {
    {"get", "a"},
    {"multi_get", "a"},
    {"get_entity", "a"},
    {"multi_get_entity", "a"},
    {"scan"},
    {"dump"},
    {"idump"},
    {"approxsize", "--from=a", "--to=z"},
    {"get_property", "rocksdb.num-files-at-level0"},
    {"checkconsistency"},
    {"list_live_files_metadata"},
    {"dump_live_files"},
    {"list_file_range_deletes"},
    {"list_column_families"},
    {"manifest_dump"},
    {"file_checksum_dump"},
    {"dump_wal", "--walfile=$LOG"}};

const std::vector<Words> kWriters = {
    {"put", "x", "y"},
    {"put_entity", "x", "a:b"},
    {"batchput", "x", "y"},
    {"delete", "a"},
    {"singledelete", "a"},
    {"deleterange", "a", "b"},
    {"query"},
    {"load"},
    {"compact"},
    {"change_compaction_style", "--old_compaction_style=0",
     "--new_compaction_style=1"},
    {"create_column_family", "x"},
    {"drop_column_family", "x"},
    {"backup", "--backup_dir=$DIR/backups"},
    {"checkpoint", "--checkpoint_dir=$DIR/checkpoint"},
    {"write_extern_sst", "$DIR/x.sst"},
    {"ingest_extern_sst", "$TABLE"},
    {"repair"},
    {"restore", "--backup_dir=$DIR/backups"},
    {"unsafe_remove_sst_file", "7"},
    {"update_manifest", "--update_temperatures"}};

// Commands that only read work beside a process that has the database open, and
// change nothing; commands that would change it do not begin.
TEST_F(StatedToolsTest, BesideAProcessThatHasTheDatabaseOpen) {
  ASSERT_EQ(
      0, Ldb({"batchput", "a", "1", "b", "2", "--create_if_missing"}).status);
  ASSERT_EQ(0, Ldb({"backup", "--backup_dir=" + dir_.File("backups")}).status);
  Open();
  Put("c", "3");
  // What the opening has left to do is done.
  WaitForCompactOptions all;
  all.wait_for_purge = true;
  ASSERT_TRUE(db_->WaitForCompact(all).ok());
  const std::string table = PathWith(".sst");
  const std::string log = PathWith(".log");
  const auto run = [&](Words words) {
    for (std::string& word : words) {
      word = std::regex_replace(word, std::regex("\\$TABLE"), table);
      word = std::regex_replace(word, std::regex("\\$LOG"), log);
      word = std::regex_replace(word, std::regex("\\$DIR"), dir_.path());
    }
    return Ldb(words);
  };
  const std::map<std::string, std::string> before = FilesOf(db());
  for (const Words& words : kReaders) {
    const ProgramResult result = run(words);
    EXPECT_EQ(0, result.status) << words[0] << result.errors;
  }
  EXPECT_EQ(0, RunProgram("ldb", {"dump_wal", "--walfile=" + log}).status);
  EXPECT_EQ(0, RunProgram("ldb", {"dump", "--path=" + table}).status);
  EXPECT_EQ(0, RunProgram("sst_dump", {"--file=" + db()}).status);
  for (const Words& words : kWriters) {
    const ProgramResult result = run(words);
    EXPECT_EQ(1, result.status) << words[0];
    EXPECT_THAT(result.errors,
                HasSubstr("IO error: While lock file: " + db() +
                          "/LOCK: Resource temporarily unavailable"))
        << words[0];
  }
  EXPECT_EQ(before, FilesOf(db()));
}

// Joins operands, under a name that no tool knows.
class PrivateOperator : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice& /*key*/, const Slice* existing, const Slice& value,
             std::string* result, Logger* /*logger*/) const override {
    *result = (existing == nullptr ? "" : existing->ToString() + "&") +
              value.ToString();
    return true;
  }
  const char* Name() const override { return "test.PrivateOperator"; }
};

TEST_F(StatedToolsTest, OperandsOfAnUnknownOperatorAreShown) {
  options_.merge_operator = std::make_shared<PrivateOperator>();
  Open();
  ASSERT_TRUE(db_->Merge(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), "a", "2").ok());
  db_.reset();
  const ProgramResult result = Ldb({"scan"});
  EXPECT_EQ("a ==> 1:2\n", result.output) << result.errors;
  EXPECT_EQ(0, result.status);
}

TEST_F(StatedToolsTest, ChecksumsOfFilesAreListed) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  Put("a", "1");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(1u, files.size());
  const std::string number = std::to_string(files[0].file_number);
  const std::string end = "\nPrint SST file checksum information finished \n";
  ASSERT_EQ(4u, files[0].file_checksum.size());
  EXPECT_EQ(number + ", FileChecksumCrc32c, " + files[0].file_checksum + end,
            Ldb({"file_checksum_dump"}).output);
  EXPECT_EQ(number + ", FileChecksumCrc32c, 0x" +
                Slice(files[0].file_checksum).ToString(true) + end,
            Ldb({"file_checksum_dump", "--hex"}).output);
}

// Columns may lie in blob files: that is no damage.
TEST_F(StatedToolsTest, ColumnsInBlobFilesAreShown) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 10;
  Open();
  const std::string large(16, 'a');
  ASSERT_TRUE(db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "k",
                             WideColumns{{"c1", large}, {"c2", "b"}})
                  .ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  db_.reset();
  const ProgramResult dumped = Ldb({"idump", "--decode_blob_index"});
  EXPECT_EQ(0, dumped.status) << dumped.errors;
  EXPECT_THAT(
      dumped.output,
      MatchesRegex("'k' seq:1, type:22 => c1:\\[blob ref\\] file:[0-9]+ "
                   "offset:[0-9]+ size:16 compression: NoCompression c2:b\n"
                   "Internal keys in range: 1\n"));
  const ProgramResult scanned = RunProgram(
      "sst_dump",
      {"--file=" + PathWith(".sst"), "--command=scan", "--output_hex"});
  EXPECT_EQ(0, scanned.status) << scanned.errors;
  EXPECT_THAT(scanned.output, HasSubstr("'6B' seq:1, type:22 => 0x6331:0x01"));
  EXPECT_THAT(scanned.output, HasSubstr(" 0x6332:0x62\n"));
}

// Writes past the log leave gaps in its numbers.
TEST_F(StatedToolsTest, GapsOfALogAreShownAlone) {
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  Put("a", "1");
  Put("b", "2");
  ASSERT_TRUE(db_->Put(unlogged, "c", "3").ok());
  ASSERT_TRUE(db_->Put(unlogged, "d", "4").ok());
  Put("e", "5");
  Put("f", "6");
  const ProgramResult result =
      RunProgram("ldb", {"dump_wal", "--walfile=" + PathWith(".log"),
                         "--only_print_seqno_gaps", "--print_value"});
  EXPECT_THAT(result.output,
              MatchesRegex("Prev batch sequence number: 2, prev batch count: "
                           "1, 5,1,[0-9]+,[0-9]+,PUT\\(0\\) : 0x65 : 0x35 \n"))
      << result.errors;
}

// Another order of bytes, under a name that no tool knows.
class PrivateOrder : public Comparator {
 public:
  const char* Name() const override { return "test.PrivateOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return b.compare(a);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

TEST_F(StatedToolsTest, AManifestOfAnUnknownOrderIsDumped) {
  const PrivateOrder order;
  options_.comparator = &order;
  Open();
  Put("a", "1");
  db_.reset();
  const ProgramResult result =
      RunProgram("ldb", {"manifest_dump", "--path=" + PathWith("MANIFEST-")});
  EXPECT_EQ(0, result.status) << result.errors;
  EXPECT_THAT(result.output,
              HasSubstr("\ncomparator: <test.PrivateOrder>, but the comparator "
                        "object is not available.\n"));
}

TEST_F(StatedToolsTest, ProgressOfACompactionIsDumped) {
  std::filesystem::create_directory(db());
  std::unique_ptr<FSDirectory> directory;
  FileSystem* const fs = FileSystem::Default().get();
  ASSERT_TRUE(fs->NewDirectory(db(), IOOptions(), &directory, nullptr).ok());
  CompactionProgressFile progress({.fs = fs,
                                   .clock = SystemClock::Default().get(),
                                   .logger = nullptr,
                                   .directory = directory.get(),
                                   .path = db(),
                                   .request = "request"});
  CompactionProgressRecord first;
  first.files.push_back(NewFileMeta(7, "apple", "melon", 9));
  first.next = InternalKey("nut", 7, kTypeValue);
  first.output_records = 800;
  ASSERT_TRUE(progress.Begin({first}).ok());
  CompactionProgressRecord last;
  last.files.push_back(NewFileMeta(8, "nut", "pear", 9));
  last.output_records = 900;
  progress.Add(last);
  const std::string path = PathWith("COMPACTION_PROGRESS-");
  const ProgramResult result =
      RunProgram("ldb", {"compaction_progress_dump", "--path=" + path});
  EXPECT_EQ(0, result.status) << result.errors;
  EXPECT_EQ(
      "Compaction Progress File: " + path + "\n" + std::string(44, '=') +
          "\nProgress Record 0:\n"
          "  output file: 7 1007 'apple' seq:100, type:1 .. 'melon' seq:1, "
          "type:1\n"
          "  output records so far: 800\n"
          "  goes on at: 'nut' seq:7, type:1\n"
          "Progress Record 1:\n"
          "  output file: 8 1008 'nut' seq:100, type:1 .. 'pear' seq:1, "
          "type:1\n"
          "  output records so far: 900\n"
          "  all is done\n"
          "\nTotal records: 2\n",
      result.output);
  EXPECT_EQ(
      "{\"output_files\": [{\"number\": 7, \"bytes\": 1007, "
      "\"smallest_key\": \"apple\", \"smallest_key_hex\": \"6170706C65\", "
      "\"largest_key\": \"melon\", \"largest_key_hex\": \"6D656C6F6E\"}], "
      "\"output_records\": 800, \"goes_on_at\": \"nut\", "
      "\"goes_on_at_hex\": \"6E7574\"}\n"
      "{\"output_files\": [{\"number\": 8, \"bytes\": 1008, "
      "\"smallest_key\": \"nut\", \"smallest_key_hex\": \"6E7574\", "
      "\"largest_key\": \"pear\", \"largest_key_hex\": \"70656172\"}], "
      "\"output_records\": 900}\n",
      RunProgram("ldb",
                 {"compaction_progress_dump", "--path=" + path, "--json"})
          .output);
}

// A blob file of a release that let single blobs expire.
std::string ExpiringBlobFile() {
  constexpr uint64_t kFirst = 1700000000;
  constexpr uint64_t kLast = 1800000000;
  std::string file;
  BlobFileHeader().EncodeTo(&file);
  file[12] = 1;
  EncodeFixed64(file.data() + 14, kFirst);
  EncodeFixed64(file.data() + 22, kLast);
  std::string record;
  BlobRecordHeader::Encode("key", "value", &record);
  EncodeFixed64(record.data() + 16, kFirst);
  EncodeFixed32(record.data() + 24,
                crc32c::Mask(crc32c::Value(record.data(), 24)));
  file += record + "keyvalue";
  BlobFileFooter footer;
  footer.blob_count = 1;
  std::string end;
  footer.EncodeTo(&end);
  EncodeFixed64(end.data() + 12, kFirst);
  EncodeFixed64(end.data() + 20, kLast);
  EncodeFixed32(end.data() + 28, crc32c::Mask(crc32c::Value(end.data(), 28)));
  return file + end;
}

TEST_F(StatedToolsTest, BlobsThatExpireHaveTheirTimes) {
  const std::string path = dir_.File("000009.blob");
  const std::string bytes = ExpiringBlobFile();
  std::ofstream(path, std::ios::binary) << bytes;
  const ProgramResult result = RunProgram("ldb", {"dump", "--path=" + path});
  EXPECT_EQ(0, result.status) << result.errors;
  EXPECT_EQ(
      "Blob log header:\n"
      "  Version          : 1\n"
      "  Column Family ID : 0\n"
      "  Compression      : kNoCompression\n"
      "  Expiration range : (1700000000, 1800000000)\n"
      "Blob log footer:\n"
      "  Blob count       : 1\n"
      "  Expiration Range : (1700000000, 1800000000)\n"
      "Read record with offset 0x1e (30):\n"
      "  key size   : 3\n"
      "  value size : 5\n"
      "  expiration : 1700000000\n"
      "  key        : key\n"
      "  blob       : value\n"
      "Summary:\n"
      "  total records: 1\n"
      "  total key size: 3\n"
      "  total blob size: 5\n",
      result.output);
  // Each byte of what is summed counts.
  for (size_t at : {size_t{30 + 16}, size_t{30 + 24}}) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_EQ(1, RunProgram("ldb", {"dump", "--path=" + path}).status) << at;
  }
}

// --- which options a command takes

struct CommandOptions {
  Words command;  // with as many parameters as it wants
  std::set<std::string> options;
};

const std::set<std::string> kHex = {"hex", "key_hex", "value_hex"};

std::set<std::string> With(std::set<std::string> options,
                           const std::set<std::string>& more) {
  options.insert(more.begin(), more.end());
  return options;
}

const std::set<std::string> kWrite = With(kHex, {"ttl", "create_if_missing"});
const std::set<std::string> kRead = With(kHex, {"read_timestamp", "json"});

// Beside those that every command takes. --json is ours alone.
const std::vector<CommandOptions> kCommands = {
    {{"get", "a"}, With(kRead, {"ttl"})},
    {{"multi_get", "a"}, kRead},
    {{"get_entity", "a"}, With(kRead, {"ttl"})},
    {{"multi_get_entity", "a"}, kRead},
    {{"put", "a", "b"}, kWrite},
    {{"put_entity", "a", "b:c"}, kWrite},
    {{"batchput", "a", "b"}, kWrite},
    {{"delete", "a"}, kHex},
    {{"singledelete", "a"}, kHex},
    {{"deleterange", "a", "b"}, kHex},
    {{"scan"},
     With(kHex, {"from", "to", "max_keys", "no_value", "ttl", "timestamp",
                 "start_time", "end_time", "read_timestamp",
                 "get_write_unix_time", "json"})},
    {{"dump"},
     With(kHex, {"from", "to", "max_keys", "count_only", "count_delim", "stats",
                 "ttl", "timestamp", "start_time", "end_time", "bucket", "path",
                 "decode_blob_index", "dump_uncompressed_blobs", "json"})},
    {{"idump"},
     With(kHex, {"from", "to", "input_key_hex", "max_keys", "count_only",
                 "count_delim", "stats", "decode_blob_index", "json"})},
    {{"load"},
     With(kHex, {"create_if_missing", "disable_wal", "bulk_load", "compact",
                 "from", "to"})},
    {{"query"}, With(kHex, {"ttl"})},
    {{"approxsize"}, With(kHex, {"from", "to", "json"})},
    {{"get_property", "x"}, {"json"}},
    {{"checkconsistency"}, {}},
    {{"list_file_range_deletes"}, {"max_keys", "json"}},
    {{"dump_wal"},
     {"walfile", "header", "print_value", "write_committed",
      "only_print_seqno_gaps", "json"}},
    {{"manifest_dump"}, {"verbose", "json", "hex", "path"}},
    {{"file_checksum_dump"}, {"hex", "path", "json"}},
    {{"dump_live_files"},
     {"decode_blob_index", "dump_uncompressed_blobs", "json"}},
    {{"list_live_files_metadata"}, {"sort_by_filename", "json"}},
    {{"compaction_progress_dump"}, {"path", "json"}},
    {{"list_column_families"}, {"json"}},
    {{"compact"}, With(kHex, {"from", "to", "ttl"})},
    {{"reduce_levels"}, {"new_levels", "print_old_levels"}},
    {{"change_compaction_style"},
     {"old_compaction_style", "new_compaction_style"}},
    {{"checkpoint"}, {"checkpoint_dir"}},
    {{"backup"},
     {"backup_dir", "num_threads", "stderr_log_level", "backup_env_uri",
      "backup_fs_uri"}},
    {{"restore"},
     {"backup_dir", "num_threads", "stderr_log_level", "backup_env_uri",
      "backup_fs_uri"}},
    {{"repair"}, {"verbose"}},
    {{"write_extern_sst", "x"},
     With(kHex, {"from", "to", "create_if_missing"})},
    {{"ingest_extern_sst", "x"},
     {"move_files", "snapshot_consistency", "allow_global_seqno",
      "allow_blocking_flush", "ingest_behind", "write_global_seqno",
      "create_if_missing"}},
    {{"unsafe_remove_sst_file", "7"}, {}},
    {{"update_manifest"}, {"update_temperatures", "verbose"}},
    {{"remote_compaction_primary"}, {"job_dir"}},
    {{"remote_compaction_worker"}, {"job_dir"}},
};

const char* const kGlobalOptions[] = {"env_uri",
                                      "fs_uri",
                                      "secondary_path",
                                      "leader_path",
                                      "column_family",
                                      "try_load_options",
                                      "ignore_unknown_options",
                                      "disable_consistency_checks",
                                      "use_txn",
                                      "txn_write_policy",
                                      "bloom_bits",
                                      "block_size",
                                      "uniform_cv_threshold",
                                      "auto_compaction",
                                      "compression_type",
                                      "compression_max_dict_bytes",
                                      "write_buffer_size",
                                      "file_size",
                                      "fix_prefix_len",
                                      "enable_blob_files",
                                      "enable_blob_garbage_collection",
                                      "min_blob_size",
                                      "blob_file_starting_level",
                                      "blob_file_size",
                                      "blob_compaction_readahead_size",
                                      "blob_garbage_collection_age_cutoff",
                                      "blob_garbage_collection_force_threshold",
                                      "blob_compression_type",
                                      "prepopulate_blob_cache",
                                      "load_library",
                                      "comparator",
                                      "merge_operator"};

// The option is passed without a value: whether the command knows its name does
// not depend on one.
bool Takes(const Words& command, const std::string& option) {
  Words words = command;
  words.insert(words.end(), {"--db=x", "--" + option});
  const std::unique_ptr<LDBCommand> made(
      LDBCommand::InitFromCmdLineArgs(words, Options(), LDBOptions(), nullptr));
  if (made == nullptr) {
    ADD_FAILURE() << "no command " << command[0];
    return false;
  }
  ::testing::internal::CaptureStderr();
  const bool is_taken = made->ValidateCmdLineOptions();
  const std::string errors = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(is_taken ? "" : "Invalid command-line flag " + option + "\n",
            errors)
      << command[0];
  return is_taken;
}

TEST(StatedOptionsTest, EveryCommandTakesItsOwnAndNoOthers) {
  std::set<std::string> all;
  for (const CommandOptions& each : kCommands) {
    all.insert(each.options.begin(), each.options.end());
  }
  for (const CommandOptions& each : kCommands) {
    for (const std::string& option : all) {
      EXPECT_EQ(each.options.contains(option), Takes(each.command, option))
          << each.command[0] << " --" << option;
    }
  }
}

TEST(StatedOptionsTest, AllButTwoTakeTheOptionsOfAll) {
  for (const char* option : kGlobalOptions) {
    for (const CommandOptions& each : kCommands) {
      EXPECT_TRUE(Takes(each.command, option)) << each.command[0] << option;
    }
    for (const char* command : {"create_column_family", "drop_column_family"}) {
      EXPECT_FALSE(Takes({command, "x"}, option)) << command << option;
    }
  }
  // It is in RocksDB's help, and refused all the same.
  EXPECT_FALSE(Takes({"get", "a"}, "db_write_buffer_size"));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
