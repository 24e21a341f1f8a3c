// Inputs of a compaction that a range tombstone covers, which is alone in a
// newer input: they are not read, and the data are as if they had been.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/direct_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"
#include "util/ignore_error.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// 1,000 keys in several files of the last level, unless a test says otherwise;
// a tombstone lies above them.
class CoveredInputsTest : public DirectFixture {
 protected:
  CoveredInputsTest() {
    options_.compaction_verify_record_count = true;
    options_.merge_operator = NewStringAppendOperator(",");
  }

  void OpenWithData() {
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(WriteFile(1));
    ASSERT_OK(CompactTo(0, 2));
    ASSERT_GT(FilesAt(2), 3);
  }
  // A file of level 0 that holds [begin, end), and nothing else.
  void Drop(const std::string& begin, const std::string& end) {
    ASSERT_OK(db_->DeleteRange(WriteOptions(), begin, end));
    ASSERT_OK(Flush());
  }
  // The same as users bring it.
  void IngestRanges(
      const std::vector<std::pair<std::string, std::string>>& ranges) {
    const std::string path =
        directory_.path() + "/external" + std::to_string(++made_) + ".sst";
    SstFileWriter writer(EnvOptions(), options_);
    ASSERT_OK(writer.Open(path));
    for (const auto& [begin, end] : ranges) {
      ASSERT_OK(writer.DeleteRange(begin, end));
    }
    ASSERT_OK(writer.Finish());
    ASSERT_OK(db_->IngestExternalFile({path}, IngestExternalFileOptions()));
  }
  // Every file into the last level, by one job, which info_ tells of.
  void CompactFiles() {
    Forget();
    ASSERT_OK(TryCompactFiles());
  }
  Status TryCompactFiles() {
    CompactionOptions options;
    options.output_file_size_limit = output_bytes_;
    return db_->CompactFiles(options, TableNames(), 2, -1, nullptr, &info_);
  }
  size_t LeftOut() const { return info_.stats.num_filtered_input_files; }
  // Reads and opens of a table.
  bool IsTouched(const std::string& path) const {
    const auto reads = recorder_->reads();
    const auto opens = fs_->opens();
    const auto is_it = [&path](const auto& record) {
      return record.path == path;
    };
    return std::any_of(reads.begin(), reads.end(), is_it) ||
           std::any_of(opens.begin(), opens.end(), is_it);
  }
  std::string Log() {
    std::string text;
    EXPECT_OK(ReadFileToString(env_.get(), path_ + "/LOG", &text));
    return text;
  }
  void ExpectData(int from, int to) {
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(Get(Key(i)), i >= from && i < to ? Value(i, 1) : "NOT_FOUND")
          << i;
    }
  }

  int made_ = 0;
  uint64_t output_bytes_ = 64 << 10;  // the size of the data files
  CompactionJobInfo info_;
};

// --- what is left out

// In every way that inputs are read: directly and not, in parts and whole.
TEST_F(CoveredInputsTest, AreNotRead) {
  for (const bool is_direct : {false, true}) {
    for (const uint32_t parts : {1u, 4u}) {
      SCOPED_TRACE(std::to_string(is_direct) + " " + std::to_string(parts));
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      options_.use_direct_io_for_compaction_reads = is_direct;
      options_.max_subcompactions = parts;
      ASSERT_NO_FATAL_FAILURE(OpenWithData());
      const std::vector<LiveFileMetaData> data = Tables();
      uint64_t data_bytes = 0;
      for (const LiveFileMetaData& file : data) data_bytes += file.size;
      ASSERT_NO_FATAL_FAILURE(Drop(Key(0), Key(1000)));
      // Nothing is open, and nothing is known of the files.
      options_.skip_stats_update_on_db_open = true;
      options_.max_open_files = 20;
      Reopen();
      uint64_t bytes = 0;
      for (const LiveFileMetaData& file : Tables()) bytes += file.size;
      ASSERT_NO_FATAL_FAILURE(CompactFiles());
      for (const LiveFileMetaData& file : data) {
        EXPECT_FALSE(IsTouched(path_ + file.name)) << file.name;
      }
      const CompactionJobStats& stats = info_.stats;
      EXPECT_EQ(stats.num_filtered_input_files, data.size());
      EXPECT_EQ(stats.num_filtered_input_files_at_output_level, data.size());
      EXPECT_EQ(stats.total_skipped_input_bytes, data_bytes);
      EXPECT_EQ(stats.num_input_files, 1u);
      EXPECT_EQ(stats.num_input_files_at_output_level, 0u);
      EXPECT_EQ(stats.total_input_bytes, bytes - data_bytes);
      EXPECT_EQ(stats.num_input_records, 0u);
      EXPECT_EQ(stats.num_output_files, 0u);
      EXPECT_EQ(Ticker(COMPACT_READ_BYTES), bytes - data_bytes);
      // They are gone like any input.
      AwaitPurge();
      for (const LiveFileMetaData& file : data) {
        EXPECT_TRUE(env_->FileExists(path_ + file.name).IsNotFound());
      }
      EXPECT_EQ(Scan(), "");
      db_.reset();  // All of LOG is written.
      const std::string log = Log();
      EXPECT_NE(log.find("\"num_filtered_input_files\": " +
                         std::to_string(data.size())),
                std::string::npos);
      EXPECT_NE(log.find("\"total_skipped_input_bytes\": " +
                         std::to_string(data_bytes)),
                std::string::npos);
      Open();
      EXPECT_EQ(Scan(), "");
    }
  }
}

TEST_F(CoveredInputsTest, FilesAtTheBordersAreRead) {
  options_.max_subcompactions = 4;
  ASSERT_NO_FATAL_FAILURE(OpenWithData());
  const std::vector<std::string> data = TableNames();
  const size_t all = data.size();
  ASSERT_NO_FATAL_FAILURE(Drop(Key(100), Key(900)));
  // Nothing is open.
  options_.skip_stats_update_on_db_open = true;
  options_.max_open_files = 20;
  Reopen();
  output_bytes_ = 8 << 10;  // What remains makes several.
  ASSERT_NO_FATAL_FAILURE(CompactFiles());
  EXPECT_GT(FilesAt(2), 2);
  EXPECT_GT(LeftOut(), 0u);
  EXPECT_EQ(static_cast<size_t>(std::count_if(data.begin(), data.end(),
                                              [this](const std::string& name) {
                                                return !IsTouched(path_ + name);
                                              })),
            LeftOut());
  EXPECT_LE(LeftOut(), all - 2);
  EXPECT_GT(info_.stats.num_input_records, 0u);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(Get(Key(i)), i < 100 || i >= 900 ? Value(i, 1) : "NOT_FOUND");
  }
}

// The end of a tombstone is not in its range, and neither is that of a file
// whose last is the end of one.
TEST_F(CoveredInputsTest, ToTheKey) {
  struct Case {
    const char *begin, *end;
    size_t left_out;
    const char* remains;
  };
  for (const Case& c : {Case{"b", "da", 2, ""}, Case{"b", "d", 1, "d=1 "},
                        Case{"ba", "da", 1, "b=1 "}, Case{"b", "cz", 1, "d=1 "},
                        Case{"bb", "cy", 0, "b=1 d=1 "}}) {
    SCOPED_TRACE(std::string(c.begin) + " " + c.end);
    Open();
    for (const char* key : {"b", "d"}) ASSERT_OK(Put(key, "1"));
    ASSERT_OK(Flush());
    // A tombstone from c to cz, which has nothing to delete.
    ASSERT_NO_FATAL_FAILURE(Drop("c", "cz"));
    ASSERT_NO_FATAL_FAILURE(Drop(c.begin, c.end));
    ASSERT_NO_FATAL_FAILURE(CompactFiles());
    EXPECT_EQ(LeftOut(), c.left_out);
    EXPECT_EQ(Scan(), c.remains);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(CoveredInputsTest, IngestedTombstonesCover) {
  ASSERT_NO_FATAL_FAILURE(OpenWithData());
  const size_t all = Tables().size();
  ASSERT_NO_FATAL_FAILURE(WriteFile(2, 10));
  ASSERT_NO_FATAL_FAILURE(IngestRanges({{Key(0), Key(1000)}}));
  ASSERT_OK(Put(Key(7), Value(7, 1)));  // newer
  ASSERT_OK(Flush());
  EXPECT_EQ(Tables().size(), all + 3);
  ASSERT_NO_FATAL_FAILURE(CompactFiles());
  EXPECT_EQ(LeftOut(), all + 1);
  EXPECT_EQ(info_.stats.num_filtered_input_files_at_output_level, all);
  EXPECT_EQ(info_.stats.num_input_files, 2u);
  ExpectData(7, 8);
}

// What is below still has to be deleted.
TEST_F(CoveredInputsTest, TheTombstoneStays) {
  ASSERT_NO_FATAL_FAILURE(OpenWithData());
  ASSERT_NO_FATAL_FAILURE(WriteFile(2));
  ASSERT_OK(CompactTo(0, 1));
  ASSERT_NO_FATAL_FAILURE(Drop(Key(0), Key(1000)));
  std::vector<std::string> upper = NamesAt(0);
  for (const std::string& name : NamesAt(1)) upper.push_back(name);
  ASSERT_OK(
      db_->CompactFiles(CompactionOptions(), upper, 1, -1, nullptr, &info_));
  EXPECT_EQ(LeftOut(), upper.size() - 1);
  EXPECT_EQ(info_.stats.num_filtered_input_files_at_output_level,
            upper.size() - 1);
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(FilesAt(1), 1);
  EXPECT_EQ(Scan(), "");
  ASSERT_NO_FATAL_FAILURE(CompactFiles());
  EXPECT_EQ(FilesAt(2), 0);
  EXPECT_EQ(Scan(), "");
}

TEST_F(CoveredInputsTest, OfUniversalRuns) {
  options_.compaction_style = kCompactionStyleUniversal;
  Open();
  for (int run = 0; run < 3; ++run) {
    ASSERT_NO_FATAL_FAILURE(WriteFile(run, 1, 100));
  }
  ASSERT_NO_FATAL_FAILURE(Drop(Key(0), Key(100)));
  ASSERT_NO_FATAL_FAILURE(WriteFile(1, 50, 100));
  ASSERT_NO_FATAL_FAILURE(CompactFiles());
  EXPECT_EQ(LeftOut(), 3u);
  EXPECT_EQ(info_.stats.num_input_files, 2u);
  EXPECT_EQ(info_.stats.num_input_records, 2u);
  EXPECT_EQ(Scan(), Key(0) + "=" + Value(0, 1) + " " + Key(50) + "=" +
                        Value(50, 1) + " ");
}

// --- what is read all the same

// Whoever sees what the tombstone deletes, but not the tombstone.
TEST_F(CoveredInputsTest, SnapshotsInBetweenNeedThem) {
  enum class When { kBefore, kAmong, kAfter, kBehind };
  for (const When when :
       {When::kBefore, When::kAmong, When::kAfter, When::kBehind}) {
    SCOPED_TRACE(static_cast<int>(when));
    Open();
    const Snapshot* snapshot = nullptr;
    const auto take = [&](When now) {
      if (now == when) snapshot = db_->GetSnapshot();
    };
    ASSERT_OK(Put("unrelated", "1"));
    take(When::kBefore);
    ASSERT_OK(Put("a", "1"));
    take(When::kAmong);
    ASSERT_OK(Put("b", "1"));
    ASSERT_OK(Delete("unrelated"));
    ASSERT_OK(Flush());
    take(When::kAfter);
    ASSERT_NO_FATAL_FAILURE(Drop("a", "z"));
    take(When::kBehind);
    ReadOptions as_then;
    as_then.snapshot = snapshot;
    const std::string then = Scan(as_then);
    // In the first three cases the file holds versions that the snapshot sees.
    ASSERT_NO_FATAL_FAILURE(CompactFiles());
    EXPECT_EQ(LeftOut(), when == When::kBehind ? 1u : 0u);
    EXPECT_EQ(Scan(as_then), then);
    EXPECT_EQ(Scan(), "");
    db_->ReleaseSnapshot(snapshot);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// One that is older than all that the file holds sees none of it.
TEST_F(CoveredInputsTest, OlderSnapshotsDoNot) {
  Open();
  ASSERT_OK(Put("a", "0"));
  ASSERT_OK(Flush());
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(Drop("a", "z"));
  ASSERT_NO_FATAL_FAILURE(CompactFiles());
  EXPECT_EQ(LeftOut(), 1u);
  EXPECT_EQ(Get("a", snapshot), "0");
  EXPECT_EQ(Get("b", snapshot), "NOT_FOUND");
  EXPECT_EQ(Scan(), "");
  db_->ReleaseSnapshot(snapshot);
}

// Newer data lie beside the tombstone, or over it.
TEST_F(CoveredInputsTest, NewerFilesAreRead) {
  Open();
  ASSERT_NO_FATAL_FAILURE(Drop("a", "z"));
  for (const char* key : {"b", "c"}) ASSERT_OK(Put(key, "1"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(CompactFiles());
  EXPECT_EQ(LeftOut(), 0u);
  EXPECT_EQ(Scan(), "b=1 c=1 ");
}

// By its bounds a file of two tombstones looks like one of one.
TEST_F(CoveredInputsTest, ATombstoneIsTakenForOneOnlyIfItIs) {
  for (const bool is_known : {true, false}) {
    SCOPED_TRACE(is_known);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    ASSERT_NO_FATAL_FAILURE(OpenWithData());
    ASSERT_NO_FATAL_FAILURE(
        IngestRanges({{Key(0), Key(10)}, {Key(500), Key(1000)}}));
    options_.skip_stats_update_on_db_open = !is_known;
    options_.max_open_files = is_known ? -1 : 20;
    Reopen();
    ASSERT_NO_FATAL_FAILURE(CompactFiles());
    EXPECT_EQ(LeftOut(), 0u);
    ExpectData(10, 500);
  }
}

class KeepCovered final : public CompactionFilter {
 public:
  const char* Name() const override { return "KeepCovered"; }
  bool Filter(int, const Slice&, const Slice&, std::string*,
              bool*) const override {
    return false;
  }
};

class ToldFactory final : public CompactionFilterFactory {
 public:
  const char* Name() const override { return "ToldFactory"; }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override {
    told_ = context.input_table_properties.size();
    return std::make_unique<KeepCovered>();
  }
  size_t told_ = 0;
};

TEST_F(CoveredInputsTest, AFilterIsAskedAsEver) {
  const KeepCovered filter;
  const auto factory = std::make_shared<ToldFactory>();
  for (const bool has_factory : {false, true}) {
    SCOPED_TRACE(has_factory);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.compaction_filter = has_factory ? nullptr : &filter;
    options_.compaction_filter_factory = has_factory ? factory : nullptr;
    ASSERT_NO_FATAL_FAILURE(OpenWithData());
    ASSERT_NO_FATAL_FAILURE(Drop(Key(0), Key(1000)));
    const size_t all = Tables().size();
    ASSERT_NO_FATAL_FAILURE(CompactFiles());
    EXPECT_EQ(LeftOut(), 0u);
    EXPECT_EQ(factory->told_, has_factory ? all : 0u);
  }
}

// Each reference that goes is garbage of its blob file.
TEST_F(CoveredInputsTest, BlobFilesAreToldOfTheirGarbage) {
  options_.enable_blob_files = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(WriteFile(1));
  ASSERT_NO_FATAL_FAILURE(Drop(Key(0), Key(1000)));
  ASSERT_NO_FATAL_FAILURE(CompactFiles());
  EXPECT_EQ(LeftOut(), 0u);
  uint64_t bytes = 1;
  ASSERT_TRUE(db_->GetIntProperty(DB::Properties::kLiveBlobFileSize, &bytes));
  EXPECT_EQ(bytes, 0u);
}

TEST_F(CoveredInputsTest, WithTimestampsAllIsRead) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.merge_operator = nullptr;
  Open();
  ASSERT_OK(db_->Put(WriteOptions(), "a", Ts(1), "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a",
                             "z", Ts(2)));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(CompactFiles());
  EXPECT_EQ(LeftOut(), 0u);
  std::string value;
  AsOf then(1);
  ASSERT_OK(db_->Get(then.options, "a", &value));
  EXPECT_EQ(value, "1");
}

// --- faults

// Whatever fails of what is done to the tombstone's file, in one call or from
// then on: the compaction fails, or its result is right.
TEST_F(CoveredInputsTest, WhereTheTombstoneCannotBeReadNothingIsLost) {
  options_.skip_stats_update_on_db_open = true;
  options_.max_open_files = 20;
  size_t failed = 0, passed = 0;
  for (const bool is_permanent : {false, true}) {
    for (uint64_t call = 1;; ++call) {
      SCOPED_TRACE(call);
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      ASSERT_NO_FATAL_FAILURE(OpenWithData());
      ASSERT_NO_FATAL_FAILURE(Drop(Key(100), Key(900)));
      const std::string name = NamesAt(0).front();
      Reopen();
      Fault fault;
      fault.call = call;
      fault.scope = FaultScope::kAllCalls;
      fault.path_contains = name;
      fault.is_permanent = is_permanent;
      fs_->FailCall(fault);
      const Status s = TryCompactFiles();
      const bool has_struck = fs_->failed();
      fs_->ClearFault();
      ++(s.ok() ? passed : failed);
      EXPECT_EQ(FilesAt(0), s.ok() ? 0 : 1);
      // The last of the calls only delete it.
      if (is_permanent && call == 1) {
        EXPECT_FALSE(s.ok());
      }
      IgnoreError(db_->Resume(), "there may be nothing to resume from");
      for (int i = 0; i < 1000; i += 7) {
        ASSERT_EQ(Get(Key(i)), i < 100 || i >= 900 ? Value(i, 1) : "NOT_FOUND");
      }
      if (!has_struck) break;
    }
  }
  EXPECT_GT(failed, 0u);
  EXPECT_GT(passed, 2u) << "the look at the file failed, and no more";
}

// --- anything, against a model

class CoveredModelTest : public CoveredInputsTest,
                         public ::testing::WithParamInterface<bool> {
 protected:
  static constexpr uint64_t kKeys = 60;
  using Model = std::map<std::string, std::string>;

  struct Seen {
    const Snapshot* snapshot = nullptr;
    Model data;
  };

  void Write() {
    for (uint64_t n = 1 + random_.Uniform(30); n > 0; --n) {
      const std::string key = Key(static_cast<int>(random_.Uniform(kKeys)));
      const std::string value = std::to_string(++value_);
      switch (random_.Uniform(4)) {
        case 0:
          ASSERT_OK(Delete(key));
          now_.erase(key);
          break;
        case 1: {
          ASSERT_OK(db_->Merge(WriteOptions(), key, value));
          std::string& old = now_[key];
          old += (old.empty() ? "" : ",") + value;
          break;
        }
        default:
          ASSERT_OK(Put(key, value));
          now_[key] = value;
      }
    }
    if (random_.OneIn(3)) {
      ASSERT_NO_FATAL_FAILURE(DropSome());
    }
    ASSERT_OK(Flush());
  }
  // In the memtable, in a file of its own, or ingested.
  void DropSome() {
    const uint64_t from = random_.Uniform(kKeys);
    const uint64_t to = from + 1 + random_.Uniform(kKeys - from);
    const std::string begin = Key(static_cast<int>(from));
    const std::string end = Key(static_cast<int>(to));
    switch (random_.Uniform(3)) {
      case 0:
        ASSERT_OK(db_->DeleteRange(WriteOptions(), begin, end));
        break;
      case 1:
        ASSERT_OK(Flush());
        ASSERT_NO_FATAL_FAILURE(Drop(begin, end));
        break;
      default:
        ASSERT_NO_FATAL_FAILURE(IngestRanges({{begin, end}}));
    }
    now_.erase(now_.lower_bound(begin), now_.lower_bound(end));
  }
  void ChangeSnapshots() {
    if (random_.OneIn(2) && seen_.size() < 3) {
      seen_.push_back({db_->GetSnapshot(), now_});
    } else if (!seen_.empty()) {
      const size_t i = random_.Uniform(seen_.size());
      db_->ReleaseSnapshot(seen_[i].snapshot);
      seen_.erase(seen_.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  // Level 0 into the next, or all into the last.
  void Compact() {
    const bool is_all = random_.OneIn(3);
    std::vector<std::string> names = NamesAt(0);
    for (const int level : {1, 2}) {
      if (level == 2 && !is_all) break;
      for (const std::string& name : NamesAt(level)) names.push_back(name);
    }
    if (names.empty()) return;
    CompactionOptions options;
    options.output_file_size_limit = 1 << 10;
    ASSERT_OK(
        db_->CompactFiles(options, names, is_all ? 2 : 1, -1, nullptr, &info_));
    left_out_ += LeftOut();
  }
  void ExpectModel(const Model& data, const Snapshot* snapshot) {
    std::string expected;
    for (const auto& [key, value] : data) expected += key + "=" + value + " ";
    ReadOptions as_then;
    as_then.snapshot = snapshot;
    ASSERT_EQ(Scan(as_then), expected);
    for (int i = 0; i < static_cast<int>(kKeys); i += 3) {
      const auto found = data.find(Key(i));
      ASSERT_EQ(Get(Key(i), snapshot),
                found == data.end() ? "NOT_FOUND" : found->second);
    }
  }

  Random64 random_{301};
  int value_ = 0;
  Model now_;
  std::vector<Seen> seen_;
  size_t left_out_ = 0;
};

TEST_P(CoveredModelTest, ReadsAreThoseOfTheModel) {
  options_.compaction_style =
      GetParam() ? kCompactionStyleUniversal : kCompactionStyleLevel;
  options_.max_subcompactions = 3;
  Open();
  for (int step = 0; step < 400; ++step) {
    SCOPED_TRACE(step);
    ASSERT_NO_FATAL_FAILURE(Write());
    if (random_.OneIn(3)) {
      ASSERT_NO_FATAL_FAILURE(DropSome());
    }
    if (random_.OneIn(5)) ChangeSnapshots();
    if (!random_.OneIn(3)) continue;
    ASSERT_OK(Flush());
    ASSERT_NO_FATAL_FAILURE(Compact());
    ASSERT_NO_FATAL_FAILURE(ExpectModel(now_, nullptr));
    for (const Seen& then : seen_) {
      ASSERT_NO_FATAL_FAILURE(ExpectModel(then.data, then.snapshot));
    }
  }
  for (const Seen& then : seen_) db_->ReleaseSnapshot(then.snapshot);
  EXPECT_GT(left_out_, 20u);
}

INSTANTIATE_TEST_SUITE_P(LeveledAndUniversal, CoveredModelTest,
                         testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
