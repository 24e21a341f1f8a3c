// Trace files, RocksDB's too, are written and read back, and cut ones are
// noticed.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/trace_reader_writer.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/vectors.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TraceFileTest : public ::testing::Test {
 protected:
  TraceFileTest() : directory_("trace") {}

  // Records of the file, or how it ends.
  static std::vector<std::string> ReadAll(const std::string& path,
                                          Status* end) {
    std::unique_ptr<TraceReader> reader;
    *end = NewFileTraceReader(Env::Default(), EnvOptions(), path, &reader);
    std::vector<std::string> records;
    std::string record;
    while (end->ok()) {
      *end = reader->Read(&record);
      if (end->ok()) records.push_back(record);
    }
    return records;
  }
  static std::string Record(char type, const std::string& payload) {
    std::string record;
    PutFixed64(&record, 12345);
    record += type;
    PutFixed32(&record, static_cast<uint32_t>(payload.size()));
    return record + payload;
  }

  const TempDir directory_;
};

TEST_F(TraceFileTest, TracesOfRocksDb) {
  for (const auto& [name, count] :
       std::vector<std::pair<std::string, size_t>>{{"ops.trace", 18},
                                                   {"ops_sampled.trace", 5},
                                                   {"ops_max.trace", 7},
                                                   {"block_cache.trace", 0},
                                                   {"io.trace", 0}}) {
    for (const std::string release : {"r783_", "r119_"}) {
      const std::string path = VectorPath("utilities/" + release + name);
      if (path.empty()) GTEST_SKIP() << "the vectors are absent";
      Status end;
      const std::vector<std::string> records = ReadAll(path, &end);
      EXPECT_TRUE(end.IsIncomplete()) << name << ": " << end.ToString();
      std::string bytes;
      for (const std::string& record : records) bytes += record;
      EXPECT_EQ(BytesOfFile(path), bytes) << name;
      if (count > 0) {
        EXPECT_EQ(count, records.size()) << release << name;
      }
    }
  }
}

TEST_F(TraceFileTest, ThereAndBack) {
  const std::string path = directory_.File("trace");
  std::unique_ptr<TraceWriter> writer;
  ASSERT_TRUE(
      NewFileTraceWriter(Env::Default(), EnvOptions(), path, &writer).ok());
  const std::string first = Record(1, "header");
  const std::string second = Record(2, "");
  ASSERT_TRUE(writer->Write(first).ok());
  EXPECT_EQ(first.size(), writer->GetFileSize());
  ASSERT_TRUE(writer->Write(second).ok());
  ASSERT_TRUE(writer->Close().ok());

  std::unique_ptr<TraceReader> reader;
  ASSERT_TRUE(
      NewFileTraceReader(Env::Default(), EnvOptions(), path, &reader).ok());
  std::string record;
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(reader->Read(&record).ok());
    EXPECT_EQ(first, record);
    ASSERT_TRUE(reader->Read(&record).ok());
    EXPECT_EQ(second, record);
    EXPECT_TRUE(reader->Read(&record).IsIncomplete());
    ASSERT_TRUE(reader->Reset().ok());
  }
  ASSERT_TRUE(reader->Close().ok());
  EXPECT_EQ("IO error: TraceReader is closed.", reader->Reset().ToString());
  EXPECT_TRUE(reader->Read(&record).IsIOError());
}

TEST_F(TraceFileTest, FilesThatAreCut) {
  const std::string path = directory_.File("trace");
  const std::string bytes = Record(1, "header") + Record(4, "get");
  const size_t first = Record(1, "header").size();
  for (size_t size = 0; size <= bytes.size(); ++size) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
    Status end;
    const size_t count = ReadAll(path, &end).size();
    const bool is_between = size == 0 || size == first || size == bytes.size();
    EXPECT_EQ(is_between, end.IsIncomplete()) << size;
    if (!is_between) {
      EXPECT_EQ("Corruption: Corrupted trace file.", end.ToString()) << size;
    }
    EXPECT_EQ(size < first ? 0u : size < bytes.size() ? 1u : 2u, count) << size;
  }
  // A length of 4 GiB is not asked of memory.
  std::ofstream(path, std::ios::binary)
      << Record(1, "").substr(0, 9) + "\xff\xff\xff\xff" + "data";
  Status end;
  EXPECT_EQ(0u, ReadAll(path, &end).size());
  EXPECT_TRUE(end.IsCorruption());
  EXPECT_EQ(0u, ReadAll(directory_.File("absent"), &end).size());
  EXPECT_TRUE(end.IsPathNotFound());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
