// Checksums of files, by the manifest and by the present versions.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/experimental.h"
#include "rocksdb/file_checksum.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Number of a file -> its function and checksum.
using Checksums = std::map<uint64_t, std::pair<std::string, std::string>>;

Checksums ContentOf(FileChecksumList* list) {
  std::vector<uint64_t> numbers;
  std::vector<std::string> checksums;
  std::vector<std::string> functions;
  EXPECT_OK(list->GetAllFileChecksums(&numbers, &checksums, &functions));
  Checksums content;
  for (size_t i = 0; i < numbers.size(); ++i) {
    content[numbers[i]] = {functions[i], checksums[i]};
  }
  EXPECT_EQ(content.size(), numbers.size());
  return content;
}

class ManifestChecksumsTest : public FamiliesFixture {
 protected:
  ManifestChecksumsTest() {
    options_.disable_auto_compactions = true;
    options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  }
  ~ManifestChecksumsTest() override { CloseFamilies(); }

  Status FromManifest(const std::string& directory) {
    return experimental::GetFileChecksumsFromCurrentManifest(
        FileSystem::Default().get(), directory, list_.get());
  }
  Checksums FromVersions() {
    const std::unique_ptr<FileChecksumList> list(NewFileChecksumList());
    EXPECT_OK(db_->GetLiveFilesChecksumInfo(list.get()));
    return ContentOf(list.get());
  }
  std::string ChecksumOf(const std::string& file) {
    std::string bytes;
    EXPECT_OK(ReadFileToString(options_.env, path_ + "/" + file, &bytes));
    const auto generator =
        options_.file_checksum_gen_factory->CreateFileChecksumGenerator(
            {file, ""});
    generator->Update(bytes.data(), bytes.size());
    generator->Finalize();
    return generator->GetChecksum();
  }

  const std::unique_ptr<FileChecksumList> list_{NewFileChecksumList()};
};

TEST_F(ManifestChecksumsTest, OfTablesAndBlobFilesOfEveryFamily) {
  Open();
  ASSERT_OK(Put("gone", "v"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(true));
  ColumnFamilyOptions with_blobs(options_);
  with_blobs.enable_blob_files = true;
  ColumnFamilyHandle* more = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(with_blobs, "more", &more));
  const std::unique_ptr<ColumnFamilyHandle> owned(more);
  ASSERT_OK(db_->Put(WriteOptions(), more, "k", std::string(1000, 'b')));
  ASSERT_OK(db_->Flush(FlushOptions(), more));
  ASSERT_OK(FromManifest(path_));
  const Checksums found = ContentOf(list_.get());
  EXPECT_EQ(found.size(), 3u);
  EXPECT_EQ(FromVersions(), found);
  std::vector<std::string> names;
  ASSERT_OK(options_.env->GetChildren(path_, &names));
  size_t compared = 0;
  for (const std::string& name : names) {
    if (!name.ends_with(".sst") && !name.ends_with(".blob")) continue;
    const auto entry = found.find(std::stoull(name));
    if (entry == found.end()) continue;  // It is being removed.
    EXPECT_EQ(entry->second.first, kStandardDbFileChecksumFuncName) << name;
    EXPECT_EQ(entry->second.second, ChecksumOf(name)) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 3u);
}

// Nor need the database be open, and what the list had goes.
TEST_F(ManifestChecksumsTest, FilesWithoutOneHaveThatOfNoFunction) {
  options_.file_checksum_gen_factory = nullptr;
  Open();
  ASSERT_OK(Put("a", "v"));
  ASSERT_OK(Flush());
  const Checksums expected = FromVersions();
  db_.reset();
  ASSERT_OK(list_->InsertOneFileChecksum(77, "of another", "function"));
  ASSERT_OK(FromManifest(path_));
  EXPECT_EQ(ContentOf(list_.get()), expected);
  ASSERT_EQ(expected.size(), 1u);
  EXPECT_EQ(expected.begin()->second.first, kUnknownFileChecksumFuncName);
  EXPECT_EQ(expected.begin()->second.second, kUnknownFileChecksum);
}

TEST_F(ManifestChecksumsTest, WhatCannotBeReadLeavesTheListEmpty) {
  FileSystem* const fs = FileSystem::Default().get();
  using experimental::GetFileChecksumsFromCurrentManifest;
  EXPECT_TRUE(GetFileChecksumsFromCurrentManifest(nullptr, path_, list_.get())
                  .IsInvalidArgument());
  EXPECT_TRUE(GetFileChecksumsFromCurrentManifest(fs, path_, nullptr)
                  .IsInvalidArgument());
  Open();
  ASSERT_OK(Put("a", "v"));
  ASSERT_OK(Flush());
  db_.reset();
  const auto fails = [this](const std::string& directory) {
    EXPECT_OK(list_->InsertOneFileChecksum(77, "of another", "function"));
    const Status s = FromManifest(directory);
    EXPECT_EQ(list_->size(), 0u);
    return s;
  };
  const Status missing = fails(path_ + "/none");
  EXPECT_TRUE(missing.IsNotFound() || missing.IsPathNotFound())
      << missing.ToString();
  std::string current;
  ASSERT_OK(ReadFileToString(options_.env, path_ + "/CURRENT", &current));
  current.pop_back();
  const std::string manifest = path_ + "/" + current;
  std::string bytes;
  ASSERT_OK(ReadFileToString(options_.env, manifest, &bytes));
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_OK(WriteStringToFile(options_.env, bytes, manifest));
  const Status damaged = fails(path_);
  EXPECT_TRUE(damaged.IsCorruption()) << damaged.ToString();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
