// Tables of an application's own format: written, read, taken in, and what the
// format has no place for.
#include "rocksdb/external_table.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/multi_scan.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/ingest/listed_table.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ExternalTableTest : public DbFixture {
 protected:
  ExternalTableTest() {
    options_.table_factory =
        NewExternalTableFactory(std::make_shared<ListedTableFactory>(&state_));
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
  }
  // The database goes before what its table factory points to.
  ~ExternalTableTest() override { db_.reset(); }

  static std::string Key(int i) { return "key" + std::to_string(100 + i); }
  std::string FilePath(int i = 0) const {
    return directory_.path() + "/" + std::to_string(i) + ".listed";
  }
  // Every second key of [begin, end).
  Status Write(int begin, int end, const std::string& path) {
    SstFileWriter writer(EnvOptions(), options_);
    Status s = writer.Open(path);
    for (int i = begin; i < end && s.ok(); i += 2) {
      s = writer.Put(Key(i), "v" + std::to_string(i));
    }
    return s.ok() ? writer.Finish() : s;
  }
  Status Ingest(const std::string& path) {
    return db_->IngestExternalFile({path}, IngestExternalFileOptions());
  }
  void OpenWith(int begin, int end) {
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(Write(begin, end, FilePath()));
    ASSERT_OK(Ingest(FilePath()));
  }

  ListedTableState state_;
};

TEST_F(ExternalTableTest, WriterAndReaderUseTheFormat) {
  for (const bool keeps : {true, false}) {
    state_.keeps_properties = keeps;
    ASSERT_OK(Write(0, 10, FilePath()));
    SstFileReader reader(options_);
    ASSERT_OK(reader.Open(FilePath()));
    EXPECT_EQ(reader.GetTableProperties()->num_entries, 5u);
    EXPECT_EQ(reader.GetTableProperties()->key_largest_seqno, 0u);
    EXPECT_EQ(reader.GetTableProperties()->comparator_name,
              keeps ? BytewiseComparator()->Name() : "");
    const std::unique_ptr<Iterator> it(reader.NewIterator(ReadOptions()));
    std::string keys;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      keys += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    EXPECT_EQ(keys, "key100=v0 key102=v2 key104=v4 key106=v6 key108=v8 ");
    EXPECT_OK(it->status());
    EXPECT_OK(reader.VerifyChecksum());
  }
  EXPECT_EQ(state_.checks, 2);
}

TEST_F(ExternalTableTest, TheWriterTellsTheSizeOfTheFile) {
  state_.size_error = 7;
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(FilePath()));
  ASSERT_OK(writer.Put("key", "value"));
  ExternalSstFileInfo info;
  ASSERT_OK(writer.Finish(&info));
  EXPECT_EQ(info.file_size, std::filesystem::file_size(FilePath()));
  EXPECT_EQ(writer.FileSize(), info.file_size);
}

TEST_F(ExternalTableTest, ADatabaseServesWhatItTakesIn) {
  for (const bool keeps : {true, false}) {
    state_.keeps_properties = keeps;
    ASSERT_OK(DestroyDB(path_, options_));
    ASSERT_NO_FATAL_FAILURE(OpenWith(0, 20));
    for (const bool again : {false, true}) {
      if (again) {
        ASSERT_NO_FATAL_FAILURE(Reopen());
      }
      EXPECT_EQ(FilesAt(6), 1);
      for (int i = -1; i < 21; ++i) {
        const bool is_there = i >= 0 && i < 20 && i % 2 == 0;
        EXPECT_EQ(Get(Key(i)),
                  is_there ? "v" + std::to_string(i) : "NOT_FOUND");
      }
      std::string expected, backward;
      for (int i = 0; i < 20; i += 2) {
        const std::string entry = Key(i) + "=v" + std::to_string(i) + " ";
        expected += entry;
        backward = entry + backward;
      }
      EXPECT_EQ(Scan(), expected);
      EXPECT_EQ(ScanBackward(), backward);
      const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
      it->Seek(Key(7));
      ASSERT_TRUE(it->Valid());
      EXPECT_EQ(it->key(), Key(8));
      it->SeekForPrev(Key(7));
      ASSERT_TRUE(it->Valid());
      EXPECT_EQ(it->key(), Key(6));
      it->SeekForPrev(Key(8));
      ASSERT_TRUE(it->Valid());
      EXPECT_EQ(it->key(), Key(8));
      it->Seek(Key(19));
      EXPECT_FALSE(it->Valid());
      it->SeekForPrev("key");
      EXPECT_FALSE(it->Valid());
      EXPECT_OK(it->status());
    }
    // Newer data are in memory, and nothing of them has to be flushed.
    ASSERT_OK(Put(Key(4), "new"));
    ASSERT_OK(Delete(Key(6)));
    EXPECT_EQ(Get(Key(4)), "new");
    EXPECT_EQ(Get(Key(6)), "NOT_FOUND");
    std::vector<std::string> values;
    const std::vector<std::string> names = {Key(3), Key(4), Key(6), Key(8)};
    const std::vector<Slice> keys(names.begin(), names.end());
    const auto statuses = db_->MultiGet(ReadOptions(), keys, &values);
    EXPECT_TRUE(statuses[0].IsNotFound());
    EXPECT_EQ(values[1], "new");
    EXPECT_TRUE(statuses[2].IsNotFound());
    ASSERT_OK(statuses[3]);
    EXPECT_EQ(values[3], "v8");
    EXPECT_GT(state_.batches, 0);
    db_.reset();
    std::filesystem::remove_all(path_);
  }
}

TEST_F(ExternalTableTest, ItsReadsCountAndItsScansArePrepared) {
  ASSERT_OK(Write(0, 20, FilePath()));
  uint64_t before = 0;
  ASSERT_NO_FATAL_FAILURE(Open());
  HistogramData reads;
  options_.statistics->histogramData(SST_READ_MICROS, &reads);
  before = reads.count;
  ASSERT_OK(Ingest(FilePath()));
  options_.statistics->histogramData(SST_READ_MICROS, &reads);
  EXPECT_GT(reads.count, before);
  MultiScanArgs args(BytewiseComparator());
  const std::string bounds[] = {Key(2), Key(5), Key(10), Key(13)};
  args.insert(bounds[0], bounds[1]);
  args.insert(bounds[2], bounds[3]);
  const auto scans =
      db_->NewMultiScan(ReadOptions(), db_->DefaultColumnFamily(), args);
  std::string keys;
  for (auto scan : *scans) {
    for (auto entry : scan) keys += entry.first.ToString() + " ";
  }
  EXPECT_EQ(keys, "key102 key104 key110 key112 ");
  ASSERT_EQ(state_.prepared.size(), 2u);
  EXPECT_EQ(state_.prepared[1].first, Key(10));
  EXPECT_EQ(state_.prepared[1].second, Key(13));
}

// A sequence number above 0 has no place in the file.
TEST_F(ExternalTableTest, WhatNeedsASequenceIsRefused) {
  for (const bool writes : {false, true}) {
    for (const bool keeps : {true, false}) {
      state_.keeps_properties = keeps;
      ASSERT_NO_FATAL_FAILURE(OpenWith(0, 20));
      ASSERT_OK(Write(3, 9, FilePath(1)));
      const std::string bytes = ReadBytes(FilePath(1));
      IngestExternalFileOptions options;
      options.write_global_seqno = writes;
      options.move_files = true;  // What is written would be in this file.
      const Status s = db_->IngestExternalFile({FilePath(1)}, options);
      EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
      EXPECT_EQ(ReadBytes(FilePath(1)), bytes);
      EXPECT_EQ(Get(Key(3)), "NOT_FOUND");
      EXPECT_EQ(Get(Key(4)), "v4");
      EXPECT_EQ(TablesOnDisk(), 1u);
      db_.reset();
      std::filesystem::remove_all(path_);
    }
  }
}

TEST_F(ExternalTableTest, WhatIsNoPlainValueIsRefusedByItsName) {
  const auto refusal = [this](const auto& add) {
    SstFileWriter writer(EnvOptions(), options_);
    Status s = writer.Open(FilePath());
    if (s.ok()) s = writer.Put("a", "1");
    if (s.ok()) s = add(&writer);
    if (s.ok()) s = writer.Finish();
    EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
    return s.ToString();
  };
  const auto names = [](const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos &&
           text.find("ListedTable") != std::string::npos;
  };
  EXPECT_TRUE(names(refusal([](auto* w) { return w->Delete("b"); }),
                    "Value type 0 not supported"));
  EXPECT_TRUE(names(refusal([](auto* w) { return w->Merge("b", "2"); }),
                    "Value type 2 not supported"));
  EXPECT_TRUE(names(refusal([](auto* w) {
                      return w->PutEntity("b", {{"x", "y"}});
                    }),
                    "Value type 22 not supported"));
  EXPECT_TRUE(names(refusal([](auto* w) { return w->DeleteRange("b", "c"); }),
                    "range deletions"));
  // A flush has sequence numbers.
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  const Status s = Flush();
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_EQ(Get("a"), "1");
  db_.reset();
  std::filesystem::remove_all(path_);
  options_.comparator = BytewiseComparatorWithU64Ts();
  EXPECT_TRUE(TryOpen().IsNotSupported());
}

TEST_F(ExternalTableTest, AnErrorOfTheFormatReachesItsCaller) {
  ASSERT_NO_FATAL_FAILURE(OpenWith(0, 20));
  state_.bad_key = Key(8);
  EXPECT_NE(Get(Key(8)).find("bad value"), std::string::npos);
  EXPECT_EQ(Get(Key(10)), "v10");
  EXPECT_NE(Scan().find("bad value"), std::string::npos);
  EXPECT_NE(ScanBackward().find("bad value"), std::string::npos);
  std::vector<std::string> values;
  const std::vector<std::string> names = {Key(6), Key(8), Key(9)};
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<Status> statuses = db_->MultiGet(ReadOptions(), keys, &values);
  EXPECT_OK(statuses[0]);
  EXPECT_TRUE(statuses[1].IsCorruption());
  EXPECT_TRUE(statuses[2].IsNotFound());
  state_.answers_too_little = true;
  statuses = db_->MultiGet(ReadOptions(), keys, &values);
  for (const Status& s : statuses) EXPECT_TRUE(s.IsCorruption());
  state_.check = Status::Corruption("found bad");
  EXPECT_TRUE(db_->VerifyChecksum(ReadOptions()).IsCorruption());
  // Writing.
  Status s = Write(0, 20, FilePath(1));
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  state_.bad_key.clear();
  state_.finish = Status::IOError("no end");
  s = Write(0, 20, FilePath(1));
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  state_.finish = Status::OK();
  state_.closes_its_file = true;
  EXPECT_OK(Write(0, 20, FilePath(1)));
  ASSERT_EQ(state_.file_calls.size(), 4u);
  for (const Status& one : state_.file_calls) {
    EXPECT_TRUE(one.IsNotSupported()) << one.ToString();
  }
  // Opening.
  SstFileReader reader(options_);
  state_.open = Status::Corruption("no table");
  EXPECT_TRUE(reader.Open(FilePath(1)).IsCorruption());
  state_.open = Status::OK();
  EXPECT_OK(reader.Open(FilePath(1)));
  std::string bytes = ReadBytes(FilePath(1));
  bytes.resize(bytes.size() - 3);
  WriteBytes(FilePath(1), bytes);
  SstFileReader cut(options_);
  EXPECT_FALSE(cut.Open(FilePath(1)).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
