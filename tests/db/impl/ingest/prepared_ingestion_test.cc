// Ingestion in two steps: what is prepared is seen by nobody, undone by whoever
// drops it, and added by one commit, of several families as a whole.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/db/impl/ingest_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class PreparedIngestionTest : public IngestFixture {
 protected:
  using Handle = std::unique_ptr<FileIngestionHandle>;

  Status Prepare(size_t family, const std::string& path, Handle* handle,
                 const IngestExternalFileOptions& options = {}) {
    return db_->PrepareFileIngestion(handles_[family], {path}, options, handle);
  }
  Status Commit(Handle first, Handle second) {
    std::vector<Handle> handles;
    handles.push_back(std::move(first));
    handles.push_back(std::move(second));
    return db_->CommitFileIngestionHandles(std::move(handles));
  }
};

TEST_F(PreparedIngestionTest, IsSeenWhenItIsCommitted) {
  OpenFamilies({"default"});
  ASSERT_OK(Put("k01", "old"));
  Handle handle;
  ASSERT_OK(Prepare(0, MakeKeys(1, 3, "new"), &handle));
  EXPECT_EQ(Scan(), "k01=old ");
  // What the database does meanwhile leaves the prepared file alone.
  ASSERT_OK(Put("k02", "between"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(/*force=*/true));
  AwaitPurge();
  ASSERT_OK(db_->CommitFileIngestionHandle(std::move(handle)));
  EXPECT_EQ(Scan(), "k01=new k02=new k03=new ");
  OpenFamilies({"default"});
  EXPECT_EQ(Scan(), "k01=new k02=new k03=new ");
}

TEST_F(PreparedIngestionTest, WhatIsDroppedIsUndone) {
  OpenFamilies({"default"});
  IngestExternalFileOptions moves;
  moves.move_files = true;
  const std::string path = MakeKeys(1, 3, "v");
  Handle handle;
  ASSERT_OK(Prepare(0, path, &handle, moves));
  EXPECT_EQ(TablesOnDisk(), 1u);
  handle.reset();
  EXPECT_EQ(TablesOnDisk(), 0u);
  EXPECT_TRUE(Exists(path));

  ASSERT_OK(Prepare(0, path, &handle, moves));
  EXPECT_OK(handle->Abort());
  EXPECT_EQ(TablesOnDisk(), 0u);
  EXPECT_OK(handle->Abort());
  EXPECT_TRUE(
      db_->CommitFileIngestionHandle(std::move(handle)).IsInvalidArgument());
  EXPECT_EQ(Scan(), "");

  ASSERT_OK(Prepare(0, path, &handle, moves));
  ASSERT_OK(db_->CommitFileIngestionHandle(std::move(handle)));
  EXPECT_FALSE(Exists(path));
  EXPECT_EQ(Scan(), "k01=v k02=v k03=v ");
}

TEST_F(PreparedIngestionTest, SeveralFamiliesInOneCommit) {
  OpenFamilies({"default"});
  ASSERT_NO_FATAL_FAILURE(CreateFamily("other"));
  Handle first, second;
  ASSERT_OK(Prepare(0, MakeKeys(1, 2, "a"), &first));
  ASSERT_OK(Prepare(1, MakeKeys(2, 3, "b"), &second));
  ASSERT_OK(Commit(std::move(first), std::move(second)));
  EXPECT_EQ(ScanOf(0), "k01=a k02=a ");
  EXPECT_EQ(ScanOf(1), "k02=b k03=b ");
}

TEST_F(PreparedIngestionTest, OneThatCannotBeSpoilsAll) {
  OpenFamilies({"default"});
  ASSERT_NO_FATAL_FAILURE(CreateFamily("other"));
  Handle first, second;
  // Twice the same family.
  ASSERT_OK(Prepare(0, MakeKeys(1, 2, "a"), &first));
  ASSERT_OK(Prepare(0, MakeKeys(3, 4, "a"), &second));
  EXPECT_TRUE(Commit(std::move(first), std::move(second)).IsInvalidArgument());
  // One that is gone meanwhile.
  ASSERT_OK(Prepare(0, MakeKeys(1, 2, "a"), &first));
  ASSERT_OK(Prepare(1, MakeKeys(1, 2, "b"), &second));
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  EXPECT_TRUE(
      Commit(std::move(first), std::move(second)).IsColumnFamilyDropped());
  // None at all.
  EXPECT_TRUE(db_->CommitFileIngestionHandle(nullptr).IsInvalidArgument());
  EXPECT_TRUE(db_->CommitFileIngestionHandles({}).IsInvalidArgument());
  EXPECT_EQ(Scan(), "");
  EXPECT_EQ(TablesOnDisk(), 0u);
}

TEST_F(PreparedIngestionTest, HandlesOfOthersAreRefused) {
  OpenFamilies({"default"});
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options_, directory_.path() + "/other", &other));
  Handle handle;
  ASSERT_OK(other->PrepareFileIngestion(other->DefaultColumnFamily(),
                                        {MakeKeys(1, 2, "a")}, {}, &handle));
  EXPECT_TRUE(
      db_->CommitFileIngestionHandle(std::move(handle)).IsInvalidArgument());
  EXPECT_TRUE(other->PrepareFileIngestion({}, &handle).IsInvalidArgument());
  EXPECT_TRUE(
      db_->PrepareFileIngestion(handles_[0], {MakeKeys(1, 2, "a")}, {}, nullptr)
          .IsInvalidArgument());
  EXPECT_FALSE(
      db_->PrepareFileIngestion(handles_[0], {path_ + "/none"}, {}, &handle)
          .ok());
  EXPECT_EQ(handle, nullptr);
}

// --- what is known of files ahead

class FileInfoTest : public PreparedIngestionTest {
 protected:
  using Info = std::shared_ptr<const PreparedFileInfo>;

  Info Learn(const std::string& path) {
    Info info;
    const Status s =
        db_->GetPreparedFileInfoForExternalSstIngestion(path, &info);
    EXPECT_OK(s);
    return info;
  }
  Status IngestKnown(const std::string& path, const PreparedFileInfo* info,
                     const IngestExternalFileOptions& options = {}) {
    IngestExternalFileArg arg;
    arg.column_family = handles_[0];
    arg.external_files = {path};
    arg.options = options;
    arg.file_infos = {info};
    return db_->IngestExternalFiles({arg});
  }
};

TEST_F(FileInfoTest, AFileOfWhichAllIsKnownGoesInAsAnyOther) {
  OpenFamilies({"default"});
  ASSERT_OK(Put("k02", "old"));
  const std::string path = Make([](SstFileWriter* writer) {
    EXPECT_OK(writer->Put("k01", "a"));
    EXPECT_OK(writer->Put("k02", "b"));
    EXPECT_OK(writer->DeleteRange("k05", "k09"));
  });
  ASSERT_OK(Put("k07", "goes"));
  const Info info = Learn(path);
  ASSERT_NE(info, nullptr);
  ASSERT_OK(IngestKnown(path, info.get()));
  EXPECT_EQ(Scan(), "k01=a k02=b ");
  OpenFamilies({"default"});
  EXPECT_EQ(Scan(), "k01=a k02=b ");
  // The same file again, by what was known, and by nothing.
  ASSERT_OK(Put("k01", "between"));
  ASSERT_OK(IngestKnown(path, info.get()));
  EXPECT_EQ(Scan(), "k01=a k02=b ");
  ASSERT_OK(IngestKnown(path, nullptr));
  IngestExternalFileOptions verified;
  verified.verify_checksums_before_ingest = true;
  ASSERT_OK(IngestKnown(path, info.get(), verified));
  EXPECT_EQ(Scan(), "k01=a k02=b ");
}

TEST_F(FileInfoTest, OfAnotherFileItIsRefused) {
  OpenFamilies({"default"});
  const Info longer = Learn(MakeKeys(1, 30, "v"));
  const Info equal = Learn(MakeKeys(1, 3, "v"));
  const std::string path = MakeKeys(4, 6, "w");
  EXPECT_TRUE(IngestKnown(path, longer.get()).IsInvalidArgument());
  // `equal` tells of a file of the same size, with as many entries.
  EXPECT_TRUE(IngestKnown(path, equal.get()).IsCorruption());
  EXPECT_EQ(Scan(), "");
  EXPECT_EQ(TablesOnDisk(), 0u);
  IngestExternalFileArg arg;
  arg.column_family = handles_[0];
  arg.external_files = {path};
  arg.file_infos = {equal.get(), equal.get()};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  ASSERT_OK(IngestKnown(path, Learn(path).get()));
  EXPECT_EQ(Scan(), "k04=w k05=w k06=w ");
}

TEST_F(FileInfoTest, WhatCannotBeLearned) {
  OpenFamilies({"default"});
  Info info;
  EXPECT_FALSE(db_->GetPreparedFileInfoForExternalSstIngestion(
                      directory_.path() + "/none.sst", &info)
                   .ok());
  EXPECT_EQ(info, nullptr);
  EXPECT_TRUE(db_->GetPreparedFileInfoForExternalSstIngestion(
                     MakeKeys(1, 2, "v"), nullptr)
                  .IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
