// SstFileManager: what it counts, what it refuses, and how it deletes.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "file/sst_file_manager_impl.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// So slow that what comes second stays in the trash for as long as a test.
constexpr int64_t kSlow = 1;

DeadFile Dead(const std::string& path) {
  DeadFile file;
  file.path = path;
  return file;
}

class SstFileManagerTest : public ::testing::Test {
 protected:
  SstFileManagerTest()
      : fs_(std::make_shared<MemFileSystem>()), env_(NewCompositeEnv(fs_)) {
    EXPECT_TRUE(fs_->CreateDir("/d", IOOptions(), nullptr).ok());
  }

  std::unique_ptr<SstFileManagerImpl> Make(int64_t rate, double ratio = 1.0,
                                           uint64_t chunk = 0) {
    Status s;
    std::unique_ptr<SstFileManager> manager(NewSstFileManager(
        env_.get(), fs_, nullptr, "", rate, true, &s, ratio, chunk));
    EXPECT_TRUE(s.ok());
    SstFileManagerImpl* impl = ImplOf(manager.get());
    EXPECT_NE(impl, nullptr);
    manager.release();
    return std::unique_ptr<SstFileManagerImpl>(impl);
  }
  void MakeFile(SstFileManagerImpl* manager, const std::string& path,
                size_t bytes) {
    ASSERT_TRUE(
        WriteStringToFile(fs_.get(), std::string(bytes, 'x'), path).ok());
    if (manager != nullptr) manager->OnAddFile(path, bytes);
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_->GetChildren("/d", IOOptions(), &names, nullptr).ok());
    return names;
  }

  std::shared_ptr<FileSystem> fs_;
  std::unique_ptr<Env> env_;
};

TEST_F(SstFileManagerTest, CountsFiles) {
  const auto manager = Make(0);
  manager->OnAddFile("/d/1", 100);
  manager->OnAddFile("/d/2", 50);
  manager->OnAddFile("/d/2", 60);
  EXPECT_EQ(manager->GetTotalSize(), 160u);
  EXPECT_EQ(
      manager->GetTrackedFiles(),
      (std::unordered_map<std::string, uint64_t>{{"/d/1", 100}, {"/d/2", 60}}));
  manager->OnForgetFile("/d/1");
  manager->OnForgetFile("/d/3");
  EXPECT_EQ(manager->GetTotalSize(), 60u);
}

TEST_F(SstFileManagerTest, LimitsSpace) {
  const auto manager = Make(0);
  manager->OnAddFile("/d/1", 100);
  EXPECT_FALSE(manager->IsMaxAllowedSpaceReached());
  manager->SetMaxAllowedSpaceUsage(150);
  EXPECT_FALSE(manager->IsMaxAllowedSpaceReached());
  EXPECT_TRUE(manager->ReserveForCompaction(50));
  EXPECT_FALSE(manager->IsMaxAllowedSpaceReached());
  EXPECT_TRUE(manager->IsMaxAllowedSpaceReachedIncludingCompactions());
  EXPECT_FALSE(manager->ReserveForCompaction(1));
  manager->ReleaseReserved(50);
  EXPECT_FALSE(manager->IsMaxAllowedSpaceReachedIncludingCompactions());
  manager->SetCompactionBufferSize(40);
  EXPECT_TRUE(manager->ReserveForCompaction(10));
  EXPECT_FALSE(manager->ReserveForCompaction(1));
  EXPECT_EQ(manager->NeededFreeBytes(), 50u);
  manager->OnAddFile("/d/2", 50);
  EXPECT_TRUE(manager->IsMaxAllowedSpaceReached());
  manager->SetMaxAllowedSpaceUsage(0);
  EXPECT_FALSE(manager->IsMaxAllowedSpaceReached());
}

TEST_F(SstFileManagerTest, ABufferOfAnySizeIsKeptFree) {
  const auto manager = Make(0);
  manager->SetMaxAllowedSpaceUsage(1 << 30);
  manager->SetCompactionBufferSize(UINT64_MAX);
  EXPECT_FALSE(manager->ReserveForCompaction(1000));
  manager->SetMaxAllowedSpaceUsage(0);
  EXPECT_TRUE(manager->ReserveForCompaction(1000));
  EXPECT_GT(manager->NeededFreeBytes(), uint64_t{1} << 60);
}

// What is wrong with the old trash is told; there is a manager all the same.
TEST_F(SstFileManagerTest, ATrashThatCannotBeListed) {
  Status s;
  const std::unique_ptr<SstFileManager> manager(
      NewSstFileManager(env_.get(), fs_, nullptr, "/no such folder",
                        /*rate_bytes_per_sec=*/0,
                        /*delete_existing_trash=*/true, &s));
  EXPECT_FALSE(s.ok());
  EXPECT_NE(manager, nullptr);
}

TEST_F(SstFileManagerTest, WithoutARateFilesGoAtOnce) {
  const auto manager = Make(0);
  const auto statistics = CreateDBStatistics();
  manager->SetStatisticsPtr(statistics);
  MakeFile(manager.get(), "/d/1", 100);
  EXPECT_TRUE(manager->DeleteFile(Dead("/d/1")).ok());
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(manager->GetTotalSize(), 0u);
  EXPECT_EQ(statistics->getTickerCount(FILES_DELETED_IMMEDIATELY), 1u);
  EXPECT_FALSE(manager->DeleteFile(Dead("/d/1")).ok());
}

TEST_F(SstFileManagerTest, WithARateTheyWaitInTheTrash) {
  const auto manager = Make(kSlow);
  const auto statistics = CreateDBStatistics();
  manager->SetStatisticsPtr(statistics);
  MakeFile(manager.get(), "/d/1", 1000);
  MakeFile(manager.get(), "/d/2", 1000);
  MakeFile(manager.get(), "/d/3", 1000);
  EXPECT_TRUE(manager->DeleteFile(Dead("/d/1")).ok());
  EXPECT_TRUE(manager->DeleteFile(Dead("/d/2")).ok());
  EXPECT_EQ(statistics->getTickerCount(FILES_MARKED_TRASH), 2u);
  // The first goes at once and is paid for afterwards.
  EXPECT_GE(manager->GetTotalTrashSize(), 1000u);
  EXPECT_GE(manager->GetTotalSize(), 2000u) << "trash takes space too";
  EXPECT_EQ(manager->GetTrackedFiles().count("/d/3"), 1u);
  EXPECT_EQ(manager->GetTrackedFiles().count("/d/1"), 0u);
  EXPECT_EQ(manager->GetTrackedFiles().at("/d/2.trash"), 1000u);
  EXPECT_TRUE(fs_->FileExists("/d/2.trash", IOOptions(), nullptr).ok());
  // A rate that is taken away lets all go.
  manager->SetDeleteRateBytesPerSecond(0);
  manager->WaitForEmptyTrash();
  EXPECT_EQ(Names(), (std::vector<std::string>{"3"}));
  EXPECT_EQ(manager->GetTotalTrashSize(), 0u);
  EXPECT_EQ(statistics->getTickerCount(FILES_DELETED_FROM_TRASH_QUEUE), 2u);
}

TEST_F(SstFileManagerTest, TooMuchTrashIsDeletedAtOnce) {
  const auto manager = Make(kSlow, 0.25);
  MakeFile(manager.get(), "/d/keep", 1000);
  for (const char* path : {"/d/1", "/d/2", "/d/3", "/d/4"}) {
    MakeFile(manager.get(), path, 1000);
  }
  EXPECT_EQ(manager->GetMaxTrashDBRatio(), 0.25);
  for (const char* path : {"/d/1", "/d/2", "/d/3", "/d/4"}) {
    EXPECT_TRUE(manager->DeleteFile(Dead(path)).ok());
  }
  // A quarter of what is left is less than two files.
  EXPECT_LE(manager->GetTotalTrashSize(), 2000u);
  manager->SetMaxTrashDBRatio(0);
  MakeFile(manager.get(), "/d/5", 1000);
  EXPECT_EQ(manager->GetMaxTrashDBRatio(), 0);
}

TEST_F(SstFileManagerTest, LargeFilesGoPieceByPiece) {
  const auto manager = Make(kSlow, 1.0, 100);
  MakeFile(manager.get(), "/d/1", 1000);
  EXPECT_TRUE(manager->DeleteFile(Dead("/d/1")).ok());
  manager->SetDeleteRateBytesPerSecond(0);
  manager->WaitForEmptyTrash();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(manager->GetTotalTrashSize(), 0u);
}

TEST_F(SstFileManagerTest, TrashOfAnEarlierProcessIsTakenUp) {
  {
    const auto manager = Make(kSlow);
    MakeFile(manager.get(), "/d/1", 1000);
    MakeFile(manager.get(), "/d/2", 1000);
    EXPECT_TRUE(manager->DeleteFile(Dead("/d/1")).ok());
    EXPECT_TRUE(manager->DeleteFile(Dead("/d/2")).ok());
  }
  EXPECT_FALSE(Names().empty());
  const auto manager = Make(0);
  EXPECT_TRUE(manager->AdoptTrash("/d", nullptr).ok());
  manager->WaitForEmptyTrash();
  EXPECT_TRUE(Names().empty());
}

TEST_F(SstFileManagerTest, NamesInTheTrashDoNotCollide) {
  const auto manager = Make(kSlow);
  MakeFile(manager.get(), "/d/keep", 100000);
  MakeFile(nullptr, "/d/2.trash", 10);
  MakeFile(manager.get(), "/d/2", 1000);
  EXPECT_TRUE(manager->DeleteFile(Dead("/d/2")).ok());
  EXPECT_TRUE(fs_->FileExists("/d/2.trash", IOOptions(), nullptr).ok());
  EXPECT_FALSE(fs_->FileExists("/d/2", IOOptions(), nullptr).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
