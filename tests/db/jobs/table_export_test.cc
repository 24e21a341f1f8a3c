// An export links or copies the tables of a family, with blobs inlined, and a
// failure leaves the family as it was.
#include "db/jobs/table_export.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/db/intake/flushing_world.h"
#include "tests/db/tables/link_system.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using ExportedFiles = std::vector<LiveFileMetaData>;

// Values of four bytes and more lie in blob files.
class TableExportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.f.family.enable_blob_files = true;
    world_.f.family.min_blob_size = 4;
    links_ = std::make_shared<LinkSystem>(world_.f.fs);
    world_.stored.file_system = links_;
    world_.Open();
    family_ = world_.default_family;
    ASSERT_TRUE(
        world_.f.fs->CreateDirIfMissing("/export", IOOptions(), nullptr).ok());
    export_ = std::make_unique<TableExport>(
        world_.mutex, &world_.families, world_.contexts.get(), &world_.stop);
  }
  // A table of level 0 with that entry.
  void Write(const std::string& key, const std::string& value) {
    world_.Insert(family_, key, value);
    {
      MutexLock lock(world_.mutex);
      ASSERT_TRUE(
          world_.memtables->SealAndQueue({family_}, FlushReason::kManualFlush)
              .ok());
    }
    while (world_.env.job_count() > 0) world_.env.RunNext();
  }
  Status Export(ExportedFiles* files) {
    return export_->Export(family_, "/export", files);
  }
  // The names of what a directory has of tables.
  std::vector<std::string> TablesIn(const std::string& directory) const {
    std::vector<std::string> names;
    EXPECT_TRUE(
        world_.f.fs->GetChildren(directory, IOOptions(), &names, nullptr).ok());
    std::erase_if(names,
                  [](const std::string& n) { return !n.ends_with(".sst"); });
    return names;
  }
  // The family has its own tables alone, and as it had them.
  void ExpectNoLeftOvers() {
    EXPECT_EQ(world_.stored.FilesOnDisk(), world_.stored.FilesInVersion());
  }
  // What an exported table has of the key.
  std::string Get(const LiveFileMetaData& file, const std::string& key) const {
    EXPECT_EQ(file.directory, "/export");
    const auto meta = std::make_shared<FileMeta>();
    meta->number = file.file_number;
    meta->size_bytes = file.size;
    EXPECT_TRUE(world_.f.fs
                    ->RenameFile(file.directory + "/" + file.relative_filename,
                                 TableFileName("/db", file.file_number),
                                 IOOptions(), nullptr)
                    .ok());
    return world_.f.Get(meta, key);
  }

  FlushingWorld world_;
  std::shared_ptr<LinkSystem> links_;
  ColumnFamilyData* family_ = nullptr;
  std::unique_ptr<TableExport> export_;
};

TEST_F(TableExportTest, ATableWithoutBlobsIsNamedAsItIs) {
  Write("a", "x");
  ExportedFiles files;
  ASSERT_TRUE(Export(&files).ok());
  ASSERT_EQ(files.size(), 1u);
  const FileRef table = world_.stored.Files(0)[0];
  EXPECT_EQ(files[0].file_number, table->number);
  EXPECT_EQ(files[0].size, table->size_bytes);
  EXPECT_EQ(files[0].directory, "/db");
  EXPECT_EQ(files[0].relative_filename,
            TableFileName("", table->number).substr(1));
  EXPECT_TRUE(TablesIn("/export").empty());
}

TEST_F(TableExportTest, ATableWithBlobsIsWrittenAnewWithThem) {
  Write("a", "long value");
  const FileRef table = world_.stored.Files(0)[0];
  ASSERT_NE(table->oldest_blob_file, 0u);
  ExportedFiles files;
  ASSERT_TRUE(Export(&files).ok());
  ASSERT_EQ(files.size(), 1u);
  EXPECT_NE(files[0].file_number, table->number);
  EXPECT_EQ(files[0].oldest_blob_file_number, 0u);
  EXPECT_EQ(files[0].name, "/" + files[0].relative_filename);
  EXPECT_EQ(files[0].db_path, "/export");
  EXPECT_EQ(files[0].smallestkey, "a");
  EXPECT_EQ(files[0].smallest_seqno, table->smallest_sequence);
  uint64_t size = 0;
  ASSERT_TRUE(
      world_.f.fs
          ->GetFileSize("/export" + files[0].name, IOOptions(), &size, nullptr)
          .ok());
  EXPECT_EQ(files[0].size, size);
  EXPECT_EQ(TablesIn("/export"),
            std::vector<std::string>{files[0].relative_filename});
  ExpectNoLeftOvers();
  EXPECT_EQ(Get(files[0], "a"), "=long value");
}

TEST_F(TableExportTest, TablesOfAllLevelsAreListedInTheirOrder) {
  Write("a", "long value");
  const FileRef moved = world_.stored.Files(0)[0];
  {
    VersionEdit edit;
    edit.DeleteFile(0, moved->number);
    edit.AddFile(2, moved);
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(
        world_.versions()
            ->LogAndApply({{family_, &edit}}, world_.stored.directory.get())
            .ok());
  }
  Write("b", "x");
  Write("c", "another value");
  ExportedFiles files;
  ASSERT_TRUE(Export(&files).ok());
  std::string text;
  for (const LiveFileMetaData& file : files) {
    text += std::to_string(file.level) + file.smallestkey + " ";
  }
  EXPECT_EQ(text, "0c 0b 2a ");
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(TablesIn("/export").size(), 2u);
  EXPECT_EQ(files[1].directory, "/db");
  EXPECT_EQ(Get(files[0], "c"), "=another value");
  EXPECT_EQ(Get(files[2], "a"), "=long value");
}

// What a family has is what it had when it was asked.
TEST_F(TableExportTest, AFamilyWithoutTablesHasNoneToExport) {
  world_.Insert(family_, "a", "in memory");
  ExportedFiles files(1);
  ASSERT_TRUE(Export(&files).ok());
  EXPECT_TRUE(files.empty());
}

TEST_F(TableExportTest, ADroppedFamilyIsNotExported) {
  Write("a", "long value");
  ExportedFiles files;
  FamilyRef held;
  {
    MutexLock lock(world_.mutex);
    held = world_.families.Find(family_->id());
    world_.families.Remove(family_->id());
  }
  EXPECT_TRUE(Export(&files).IsColumnFamilyDropped());
  {
    MutexLock lock(world_.mutex);
    world_.families.Add(held);
  }
  family_->MarkDropped();
  EXPECT_TRUE(Export(&files).IsColumnFamilyDropped());
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(TablesIn("/export").empty());
}

TEST_F(TableExportTest, WhenTheDatabaseIsClosedNothingIsWritten) {
  Write("a", "long value");
  world_.stop.ShutDown();
  ExportedFiles files;
  EXPECT_TRUE(Export(&files).IsShutdownInProgress());
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(TablesIn("/export").empty());
  ExpectNoLeftOvers();
}

// --- what fails

TEST_F(TableExportTest, WhereThereIsNoLinkThereIsACopy) {
  Write("a", "long value");
  links_->answer = IOStatus::NotSupported("a link");
  ExportedFiles files;
  ASSERT_TRUE(Export(&files).ok());
  ExpectNoLeftOvers();
  EXPECT_EQ(Get(files[0], "a"), "=long value");
}

TEST_F(TableExportTest, WithNeitherLinkNorCopyThereIsNoExport) {
  Write("a", "long value");
  links_->answer = IOStatus::NotSupported("a link");
  world_.FailNext("/export");
  ExportedFiles files(1);
  EXPECT_TRUE(Export(&files).IsIOError());
  EXPECT_EQ(files.size(), 1u);
  ExpectNoLeftOvers();
}

TEST_F(TableExportTest, ABlobThatCannotBeReadIsAnError) {
  Write("a", "long value");
  ASSERT_TRUE(
      world_.f.fs
          ->DeleteFile(
              BlobFileName("/db", world_.stored.Files(0)[0]->oldest_blob_file),
              IOOptions(), nullptr)
          .ok());
  ExportedFiles files;
  EXPECT_FALSE(Export(&files).ok());
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(TablesIn("/export").empty());
  ExpectNoLeftOvers();
}

// Each call that changes a file fails once. A file that cannot be deleted stays
// until the next open.
TEST_F(TableExportTest, AnExportThatFailsLeavesTheFamilyAsItWas) {
  Write("a", "long value");
  Write("b", "another value");
  const std::string before = world_.Tables();
  for (uint64_t call = 1;; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const std::set<uint64_t> on_disk = world_.stored.FilesOnDisk();
    world_.f.fs->FailCall({.call = call});
    ExportedFiles files;
    const Status s = Export(&files);
    const std::string failed = world_.f.fs->failed_call();
    world_.f.fs->ClearFault();
    EXPECT_TRUE(s.ok() || s.IsIOError()) << s.ToString();
    EXPECT_EQ(files.size(), s.ok() ? 2u : 0u);
    EXPECT_EQ(world_.Tables(), before);
    if (failed.find("DeleteFile") == std::string::npos) {
      EXPECT_EQ(world_.stored.FilesOnDisk(), on_disk);
    }
    if (failed.empty()) {
      EXPECT_EQ(Get(files[0], "b"), "=another value");
      break;
    }
    ASSERT_LT(call, 200u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
