// What users are told of table files is right: lists, properties, approximate
// sizes, and checks of blocks and of whole files under one deadline.
#include "db/files/table_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "db/registry/state_publisher.h"
#include "memtable/memtable.h"
#include "rocksdb/file_checksum.h"
#include "table/table_reader.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using TableList = std::vector<LiveFileMetaData>;

// "family level:number" of each.
std::string Places(const TableList& files) {
  std::string text;
  for (const LiveFileMetaData& file : files) {
    text += (text.empty() ? "" : " ") + file.column_family_name +
            std::to_string(file.level) + ":" + std::to_string(file.file_number);
  }
  return text;
}

std::string PathsOf(const TablePropertiesCollection& tables) {
  std::vector<std::string> paths;
  for (const auto& [path, properties] : tables) paths.push_back(path);
  std::sort(paths.begin(), paths.end());
  std::string text;
  for (const std::string& path : paths)
    text += (text.empty() ? "" : " ") + path;
  return text;
}

// Two families; the first has a file in level 0 and two in level 1.
class TableCatalogTest : public ::testing::Test {
 protected:
  TableCatalogTest() {
    first = world.Add(0, "a");
    second = world.Add(1, "b");
    newest = world.f.Write(13, TableFiles::Numbered("c", 300, 9));
    left = world.f.Write(11, TableFiles::Numbered("b", 500));
    right = world.f.Write(12, TableFiles::Numbered("d", 500));
    other = world.f.Write(14, TableFiles::Numbered("x", 10));
    world.Install(first, {{newest}, {left, right}});
    world.Install(second, {{}, {}, {other}});
    Publish(first);
    Publish(second);
  }
  ~TableCatalogTest() override { states.Free(); }

  void Publish(const FamilyRef& family) {
    MutexLock lock(&world.mutex);
    states.Publish(family->cfd.get(), WriteStallCondition::kNormal);
  }
  ColumnFamilyData* cfd() const { return first->cfd.get(); }
  uint64_t SizeOf(const SizeApproximationOptions& options, const Range& range) {
    uint64_t size = UINT64_MAX;
    const Status s =
        TableCatalog::EstimateSizes(options, cfd(), &range, 1, &size);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return size;
  }
  // One byte of the file is another from here on.
  void Damage(uint64_t number, size_t offset) {
    const std::string path = TableFileName("/db", number);
    std::string bytes;
    ASSERT_TRUE(ReadFileToString(world.f.fs.get(), path, &bytes).ok());
    ASSERT_LT(offset, bytes.size());
    bytes[offset] = static_cast<char>(bytes[offset] ^ 1);
    ASSERT_TRUE(WriteStringToFile(world.f.fs.get(), bytes, path).ok());
  }
  // The manifest has the checksum of the file from here on.
  void Sum(const FileRef& file) {
    std::string bytes;
    ASSERT_TRUE(ReadFileToString(world.f.fs.get(),
                                 TableFileName("/db", file->number), &bytes)
                    .ok());
    const auto generator =
        GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator(
            FileChecksumGenContext());
    generator->Update(bytes.data(), bytes.size());
    generator->Finalize();
    file->checksum = generator->GetChecksum();
    file->checksum_function = generator->Name();
  }
  Status VerifyBlocks() {
    return catalog.VerifyBlocks(ReadOptions(), MutableDBOptions(DBOptions()));
  }
  Status VerifyFiles(const ReadOptions& options = ReadOptions()) {
    return catalog.VerifyFiles(options, MutableDBOptions(DBOptions()));
  }

  FamilyWorld world;
  StatePublisher states{&world.mutex, nullptr};
  TableCatalog catalog{{.db = world.f.db.get(),
                        .file_options = FileOptions(),
                        .db_name = "/db",
                        .mutex = &world.mutex,
                        .families = &world.families}};
  FamilyRef first, second;
  FileRef newest, left, right, other;
};

TEST_F(TableCatalogTest, AllFamiliesAreListedLevelByLevel) {
  left->file_creation_time = 77;
  left->being_compacted = true;
  TableList files(3);  // What was there before goes.
  catalog.ListAll(&files);
  EXPECT_EQ(Places(files), "a0:13 a1:11 a1:12 b2:14");
  const LiveFileMetaData& file = files[1];
  EXPECT_EQ(file.name, "/000011.sst");
  EXPECT_EQ(file.db_path, "/db");
  EXPECT_EQ(file.size, left->size_bytes);
  EXPECT_EQ(file.smallestkey, "b00000");
  EXPECT_EQ(file.largestkey, "b00499");
  EXPECT_EQ(file.smallest, left->smallest.Encode().ToString());
  EXPECT_EQ(file.smallest_seqno, 5u);
  EXPECT_EQ(file.file_creation_time, 77u);
  EXPECT_EQ(file.file_checksum_func_name, kUnknownFileChecksumFuncName);
  EXPECT_TRUE(file.being_compacted);
  EXPECT_FALSE(files[2].being_compacted);
}

TEST_F(TableCatalogTest, AFamilyIsDescribedWithItsBlobFiles) {
  BlobFileState blob = FamilyWorld::Blob(20, 1000);
  blob.garbage_count = 3;
  blob.garbage_bytes = 300;
  world.Install(first, {{newest}, {left, right}}, {blob});
  std::vector<ColumnFamilyMetaData> all(5);
  catalog.DescribeAll(&all);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[1].file_count, 1u);
  EXPECT_EQ(all[1].blob_file_count, 0u);
  const ColumnFamilyMetaData& family = all[0];
  EXPECT_EQ(family.name, "a");
  EXPECT_EQ(family.file_count, 3u);
  EXPECT_EQ(family.size,
            newest->size_bytes + left->size_bytes + right->size_bytes);
  ASSERT_EQ(family.levels.size(), 7u);
  EXPECT_EQ(family.levels[1].level, 1);
  EXPECT_EQ(family.levels[1].size, left->size_bytes + right->size_bytes);
  ASSERT_EQ(family.levels[1].files.size(), 2u);
  EXPECT_EQ(family.levels[1].files[1].file_number, 12u);
  EXPECT_TRUE(family.levels[2].files.empty());
  EXPECT_EQ(family.blob_file_size, 1000 + BlobFile::kFrameBytes);
  ASSERT_EQ(family.blob_files.size(), 1u);
  EXPECT_EQ(family.blob_files[0].blob_file_name, "/000020.blob");
  EXPECT_EQ(family.blob_files[0].blob_file_path, "/db");
  EXPECT_EQ(family.blob_files[0].garbage_blob_count, 3u);
  EXPECT_EQ(family.blob_files[0].garbage_blob_bytes, 300u);
}

TEST_F(TableCatalogTest, TheOldestFileIsToldWhereAllStayOpen) {
  newest->file_creation_time = 90;
  left->file_creation_time = 50;
  right->file_creation_time = 60;
  other->file_creation_time = 70;
  MutableDBOptions now{DBOptions()};
  now.max_open_files = 1000;
  uint64_t seconds = 1;
  EXPECT_TRUE(catalog.OldestCreation(now, &seconds).IsNotSupported());
  EXPECT_EQ(seconds, 1u);
  now.max_open_files = -1;
  ASSERT_TRUE(catalog.OldestCreation(now, &seconds).ok());
  EXPECT_EQ(seconds, 50u);
  // The manifest does not say; the file may.
  right->file_creation_time = kUnknownTime;
  std::shared_ptr<const TableReader> reader;
  ASSERT_TRUE(cfd()
                  ->tables()
                  ->Find(ReadOptions(), *right, 1, *cfd()->options(), &reader)
                  .ok());
  const uint64_t in_file = reader->properties()->file_creation_time;
  ASSERT_LT(in_file, 50u);
  ASSERT_TRUE(catalog.OldestCreation(now, &seconds).ok());
  EXPECT_EQ(seconds, in_file);
}

TEST_F(TableCatalogTest, PropertiesOfTablesThatMayHoldAKey) {
  TablePropertiesCollection found;
  ASSERT_TRUE(TableCatalog::GetProperties(cfd(), &found).ok());
  EXPECT_EQ(PathsOf(found), "/db/000011.sst /db/000012.sst /db/000013.sst");
  EXPECT_EQ(found["/db/000013.sst"]->num_entries, 300u);
  const auto in_ranges = [&](const std::vector<Range>& ranges) {
    EXPECT_TRUE(
        TableCatalog::GetProperties(cfd(), ranges.data(), ranges.size(), &found)
            .ok());
    return PathsOf(found);
  };
  // Both ends are in the range.
  EXPECT_EQ(in_ranges({{"b00499", "c00000"}}), "/db/000011.sst /db/000013.sst");
  EXPECT_EQ(in_ranges({{"b005", "bz"}}), "");
  EXPECT_EQ(in_ranges({{"a", "b"}, {"d00003", "d00004"}, {"y", "z"}}),
            "/db/000012.sst");
  EXPECT_EQ(in_ranges({}), "");
}

TEST_F(TableCatalogTest, PropertiesLevelByLevel) {
  TableCatalog::PropertiesByLevel levels;
  ASSERT_TRUE(TableCatalog::GetProperties(cfd(), &levels).ok());
  ASSERT_EQ(levels.size(), 7u);
  EXPECT_EQ(PathsOf(*levels[0]), "/db/000013.sst");
  EXPECT_EQ(PathsOf(*levels[1]), "/db/000011.sst /db/000012.sst");
  EXPECT_EQ(PathsOf(*levels[2]), "");
}

TEST_F(TableCatalogTest, ATableThatCannotBeOpenedIsAnError) {
  ASSERT_TRUE(
      world.f.fs->DeleteFile("/db/000012.sst", IOOptions(), nullptr).ok());
  TablePropertiesCollection found;
  EXPECT_FALSE(TableCatalog::GetProperties(cfd(), &found).ok());
  // It is not asked.
  const Range elsewhere("b", "c");
  EXPECT_TRUE(TableCatalog::GetProperties(cfd(), &elsewhere, 1, &found).ok());
  EXPECT_EQ(PathsOf(found), "/db/000011.sst");
}

TEST_F(TableCatalogTest, WhatCannotBeEstimatedIsRefused) {
  const Range range("a", "z");
  uint64_t size = 0;
  SizeApproximationOptions options;
  EXPECT_TRUE(TableCatalog::EstimateSizes(options, cfd(), nullptr, 1, &size)
                  .IsInvalidArgument());
  EXPECT_TRUE(TableCatalog::EstimateSizes(options, cfd(), &range, 1, nullptr)
                  .IsInvalidArgument());
  EXPECT_TRUE(
      TableCatalog::EstimateSizes(options, cfd(), nullptr, 0, nullptr).ok());
  options.include_files = false;
  EXPECT_TRUE(TableCatalog::EstimateSizes(options, cfd(), &range, 1, &size)
                  .IsInvalidArgument());
}

TEST_F(TableCatalogTest, SizesAreThoseOfWhatIsAskedFor) {
  const BlobFileState blob = FamilyWorld::Blob(20, 100'000);
  world.Install(first, {{newest}, {left, right}}, {blob});
  for (int i = 0; i < 3; ++i) {  // Into three memtables.
    MutexLock lock(&world.mutex);
    MemTableRef full = cfd()->SwitchMemTable(cfd()->NewMemTable(0));
    for (int key = 0; key < 1000; ++key) {
      ASSERT_TRUE(full->Add(1000 * i + key + 10, kTypeValue,
                            "m" + std::to_string(10'000 + key), "value")
                      .ok());
    }
    if (i < 2) {
      full->MarkImmutable();
      cfd()->imm()->Add(std::move(full));
    } else {
      cfd()->SwitchMemTable(std::move(full));
    }
  }
  Publish(first);
  SizeApproximationOptions files, memtables, blobs, all;
  memtables.include_files = false;
  memtables.include_memtables = true;
  blobs.include_files = false;
  blobs.include_blob_files = true;
  all.include_memtables = true;
  all.include_blob_files = true;
  const Range everything("a", "z");
  const uint64_t total =
      newest->size_bytes + left->size_bytes + right->size_bytes;
  EXPECT_EQ(SizeOf(files, everything), total);
  EXPECT_EQ(SizeOf(blobs, everything), blob.file->size_bytes());
  EXPECT_GT(SizeOf(memtables, everything), 0u);
  EXPECT_EQ(SizeOf(memtables, {"a", "f"}), 0u);
  EXPECT_EQ(SizeOf(files, {"f", "z"}), 0u);
  EXPECT_EQ(SizeOf(all, everything),
            total + blob.file->size_bytes() + SizeOf(memtables, everything));
  // The range has the same share of the blobs as of the tables.
  const uint64_t part = SizeOf(files, {"d", "e"});
  EXPECT_GT(part, 0u);
  EXPECT_LT(part, total);
  EXPECT_NEAR(static_cast<double>(SizeOf(blobs, {"d", "e"})) /
                  static_cast<double>(blob.file->size_bytes()),
              static_cast<double>(part) / static_cast<double>(total), 0.001);
  uint64_t count = 0, bytes = 0;
  TableCatalog::EstimateInMemory(cfd(), everything, &count, &bytes);
  EXPECT_EQ(bytes, SizeOf(memtables, everything));
  EXPECT_GT(count, 1500u);  // There are 3000.
  EXPECT_LT(count, 6000u);
  TableCatalog::EstimateInMemory(cfd(), {"a", "f"}, &count, &bytes);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(bytes, 0u);
}

TEST_F(TableCatalogTest, BlocksAreCheckedOfAllFamilies) {
  ASSERT_TRUE(VerifyBlocks().ok());
  EXPECT_EQ(world.f.Ticker(VERIFY_CHECKSUM_READ_BYTES),
            newest->size_bytes + left->size_bytes + right->size_bytes +
                other->size_bytes);
  Damage(14, 10);
  EXPECT_TRUE(VerifyBlocks().IsCorruption());
}

TEST_F(TableCatalogTest, WholeFilesAreCheckedWhereTheManifestHasASum) {
  EXPECT_TRUE(VerifyFiles().IsInvalidArgument());  // There is no factory.
  world.f.db->file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Sum(right);
  EXPECT_TRUE(VerifyFiles().ok());
  Damage(14, 10);  // It has none.
  EXPECT_TRUE(VerifyFiles().ok());
  Damage(12, 10);
  const Status s = VerifyFiles();
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("/db/000012.sst"), std::string::npos);
  right->checksum_function = "Unheard";
  EXPECT_TRUE(VerifyFiles().IsInvalidArgument());
}

TEST_F(TableCatalogTest, ADeadlineIsThatOfTheWhole) {
  world.f.db->file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  ReadOptions options;
  options.deadline = std::chrono::microseconds(1);
  EXPECT_TRUE(VerifyFiles(options).ok());  // There is nothing to read.
  Sum(right);
  EXPECT_TRUE(VerifyFiles(options).IsTimedOut());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
