// The list of files to copy names every live file with its directory, its
// checksum and the length that belongs to the copy.
#include "db/files/live_file_list.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using FoundFiles = std::vector<LiveFileStorageInfo>;

// "directory name size", "+" behind what may have grown meanwhile.
std::vector<std::string> FileTexts(const FoundFiles& files) {
  std::vector<std::string> texts;
  for (const LiveFileStorageInfo& file : files) {
    texts.push_back(file.directory + " " + file.relative_filename + " " +
                    std::to_string(file.size) + (file.trim_to_size ? "+" : ""));
  }
  return texts;
}

FileRef ListedTable(uint64_t number, uint64_t size_bytes, uint32_t path_id) {
  auto file = std::make_shared<FileMeta>();
  file->number = number;
  file->epoch_number = number;
  file->path_id = path_id;
  file->size_bytes = size_bytes;
  const InternalKey key("k", number, kTypeValue);
  file->NoteEntry(key.Encode(), number);
  return file;
}

TEST(LiveFileListTest, TablesAndBlobsAreWhereTheFamilyHasThem) {
  FamilyWorld world;
  world.f.family.cf_paths = {{"/fast", 1 << 20}, {"/slow", 1 << 30}};
  const FamilyRef family = world.Add(0, "default");
  const FileRef young = ListedTable(11, 100, 0);
  young->temperature = Temperature::kWarm;
  // A path that the options do not have any more is the last.
  world.Install(
      family,
      {{young}, {ListedTable(12, 30, 1)}, {ListedTable(13, 7, /*path_id=*/9)}},
      {FamilyWorld::Blob(14, 1000)});
  FoundFiles files;
  LiveFileList list(LiveFileList::Checksums::kLeftOut, &files);
  {
    MutexLock lock(&world.mutex);
    list.AddFamily(family->cfd.get());
  }
  EXPECT_EQ(FileTexts(files),
            (std::vector<std::string>{
                "/fast 000011.sst 100", "/slow 000012.sst 30",
                "/slow 000013.sst 7", "/fast 000014.blob 1062"}));
  EXPECT_EQ(files[0].temperature, Temperature::kWarm);
  EXPECT_EQ(files[1].temperature, Temperature::kUnknown);
  EXPECT_EQ(files[0].file_type, kTableFile);
  EXPECT_EQ(files[0].file_number, 11u);
  EXPECT_EQ(files[3].file_type, kBlobFile);
  EXPECT_EQ(files[3].file_number, 14u);
}

// The manifest names a family, and nobody has opened it.
TEST(LiveFileListTest, AFamilyIsListedAsTheManifestSaysIt) {
  VersionEdit edit;
  edit.AddFile(5, ListedTable(11, 100, 0));
  const FileRef linked = ListedTable(12, 30, 1);
  linked->oldest_blob_file = 14;
  edit.AddFile(6, linked);
  BlobFileAddition blob;
  blob.number = 14;
  blob.total_count = 1;
  blob.total_bytes = 10;
  blob.checksum_method = "Sum";
  blob.checksum_value = "xyz";
  edit.blob_additions.push_back(blob);
  VersionBuilder builder(nullptr);
  ASSERT_TRUE(builder.Apply(edit).ok());
  FoundFiles files;
  LiveFileList list(LiveFileList::Checksums::kAdded, &files);
  ASSERT_TRUE(list.AddFamily({{"/fast", 0}, {"/slow", 0}}, &builder).ok());
  EXPECT_EQ(FileTexts(files), (std::vector<std::string>{
                                  "/fast 000011.sst 100", "/slow 000012.sst 30",
                                  "/fast 000014.blob 72"}));
  EXPECT_EQ(files[2].file_checksum_func_name, "Sum");
  EXPECT_EQ(files[2].file_checksum, "xyz");
}

TEST(LiveFileListTest, ChecksumsAreTheManifests) {
  FamilyWorld world;
  const FamilyRef family = world.Add(0, "default");
  const FileRef summed = ListedTable(11, 100, 0);
  summed->checksum_function = "Sum";
  summed->checksum = "abc";
  world.Install(family, {{summed}, {ListedTable(12, 100, 0)}});
  for (const auto wanted :
       {LiveFileList::Checksums::kLeftOut, LiveFileList::Checksums::kAdded}) {
    const bool is_added = wanted == LiveFileList::Checksums::kAdded;
    FoundFiles files;
    LiveFileList list(wanted, &files);
    {
      MutexLock lock(&world.mutex);
      list.AddFamily(family->cfd.get());
    }
    list.AddLog("/db", 13, 5, LiveFileList::Trim::kNo);
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[0].file_checksum_func_name, is_added ? "Sum" : "");
    EXPECT_EQ(files[0].file_checksum, is_added ? "abc" : "");
    const std::string unknown = is_added ? kUnknownFileChecksumFuncName : "";
    EXPECT_EQ(files[1].file_checksum_func_name, unknown);
    EXPECT_EQ(files[2].file_checksum_func_name, unknown);
  }
}

TEST(LiveFileListTest, ACopyHasTheManifestThatItsCurrentNames) {
  FoundFiles files;
  LiveFileList list(LiveFileList::Checksums::kLeftOut, &files);
  list.AddManifest("/db", 4, 321);
  EXPECT_EQ(
      FileTexts(files),
      (std::vector<std::string>{"/db MANIFEST-000004 321+", "/db CURRENT 16"}));
  EXPECT_TRUE(files[0].replacement_contents.empty());
  EXPECT_EQ(files[1].replacement_contents, "MANIFEST-000004\n");
  EXPECT_EQ(files[0].file_type, kDescriptorFile);
  EXPECT_EQ(files[1].file_type, kCurrentFile);
}

TEST(LiveFileListTest, WhatMayGrowIsCut) {
  FoundFiles files;
  LiveFileList list(LiveFileList::Checksums::kLeftOut, &files);
  list.AddLog("/logs", 7, 10, LiveFileList::Trim::kNo);
  list.AddLog("/logs", 8, 20, LiveFileList::Trim::kYes);
  list.AddGrowingBlob("/blobs/here/000009.blob", 9, 30);
  list.AddOptions("/db", 6, 40);
  EXPECT_EQ(FileTexts(files),
            (std::vector<std::string>{
                "/logs 000007.log 10", "/logs 000008.log 20+",
                "/blobs/here 000009.blob 30+", "/db OPTIONS-000006 40"}));
  EXPECT_EQ(files[1].file_type, kWalFile);
  EXPECT_EQ(files[2].file_type, kBlobFile);
  EXPECT_EQ(files[3].file_type, kOptionsFile);
}

TEST(LiveFileListTest, AnOptionsFileIsListedIfItIsThere) {
  FamilyWorld world;
  FileSystem* const fs = world.f.fs.get();
  ASSERT_TRUE(WriteStringToFile(fs, "text", "/db/OPTIONS-000006").ok());
  FoundFiles files;
  LiveFileList list(LiveFileList::Checksums::kLeftOut, &files);
  list.AddOptionsFile(fs, "/db", 0);
  list.AddOptionsFile(fs, "/db", 5);
  EXPECT_TRUE(files.empty());
  list.AddOptionsFile(fs, "/db", 6);
  EXPECT_EQ(FileTexts(files),
            (std::vector<std::string>{"/db OPTIONS-000006 4"}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
