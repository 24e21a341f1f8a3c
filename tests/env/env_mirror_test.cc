// A mirrored environment does everything in both of its file systems and ends
// the process where they differ.
#include "rocksdb/utilities/env_mirror.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/composite_env.h"
#include "env/mem_file_system.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class EnvMirrorTest : public ::testing::Test {
 protected:
  EnvMirrorTest()
      : directory_("mirror"),
        memory_(std::make_unique<CompositeEnvWrapper>(
            Env::Default(), std::make_shared<MemFileSystem>(
                                SystemClock::Default(), ImplicitParents()))),
        mirror_(Env::Default(), memory_.get()) {
    EXPECT_TRUE(memory_->CreateDirIfMissing(directory_.path()).ok());
  }
  static MemFileSystemOptions ImplicitParents() {
    MemFileSystemOptions options;
    options.implicit_directories = true;
    return options;
  }
  static std::string Read(Env* env, const std::string& name) {
    std::string data;
    const Status s = ReadFileToString(env, name, &data);
    return s.ok() ? data : s.ToString();
  }

  const TempDir directory_;
  const std::unique_ptr<Env> memory_;
  EnvMirror mirror_;
};

TEST_F(EnvMirrorTest, BothHaveWhatIsDone) {
  const std::string f = directory_.File("f");
  ASSERT_TRUE(WriteStringToFile(&mirror_, "0123456789", f).ok());
  EXPECT_EQ("0123456789", Read(Env::Default(), f));
  EXPECT_EQ("0123456789", Read(memory_.get(), f));
  EXPECT_EQ("0123456789", Read(&mirror_, f));
  std::unique_ptr<RandomAccessFile> file;
  ASSERT_TRUE(mirror_.NewRandomAccessFile(f, &file, EnvOptions()).ok());
  char scratch[20];
  Slice part;
  ASSERT_TRUE(file->Read(7, 10, &part, scratch).ok());
  EXPECT_EQ("789", part);
  std::unique_ptr<WritableFile> out;
  ASSERT_TRUE(mirror_.ReopenWritableFile(f, &out, EnvOptions()).ok());
  ASSERT_TRUE(out->Append("abc").ok());
  ASSERT_TRUE(out->Sync().ok());
  ASSERT_TRUE(out->Close().ok());
  uint64_t size = 0;
  ASSERT_TRUE(mirror_.GetFileSize(f, &size).ok());
  EXPECT_EQ(13u, size);
  uint64_t time = 0;
  EXPECT_TRUE(mirror_.GetFileModificationTime(f, &time).ok());
  EXPECT_GT(time, 0u);
  ASSERT_TRUE(mirror_.RenameFile(f, f + "2").ok());
  EXPECT_TRUE(mirror_.FileExists(f).IsNotFound());
  EXPECT_TRUE(memory_->FileExists(f + "2").ok());
  std::vector<std::string> names;
  ASSERT_TRUE(mirror_.GetChildren(directory_.path(), &names).ok());
  EXPECT_EQ(std::vector<std::string>{"f2"}, names);
  std::vector<Env::FileAttributes> attributes;
  ASSERT_TRUE(
      mirror_.GetChildrenFileAttributes(directory_.path(), &attributes).ok());
  EXPECT_EQ(1u, attributes.size());
  EXPECT_TRUE(mirror_.DeleteFile(f + "2").ok());
  EXPECT_TRUE(mirror_.CreateDir(directory_.File("d")).ok());
  EXPECT_TRUE(mirror_.DeleteDir(directory_.File("d")).ok());
  FileLock* lock = nullptr;
  ASSERT_TRUE(mirror_.LockFile(directory_.File("LOCK"), &lock).ok());
  EXPECT_TRUE(mirror_.UnlockFile(lock).ok());
  std::unique_ptr<RandomRWFile> anywhere;
  EXPECT_TRUE(
      mirror_.NewRandomRWFile(f, &anywhere, EnvOptions()).IsNotSupported());
}

TEST_F(EnvMirrorTest, ProcIsTheFirstOnesAlone) {
  EXPECT_TRUE(mirror_.FileExists("/proc/self/stat").ok());
  EXPECT_FALSE(Read(&mirror_, "/proc/self/stat").empty());
}

using EnvMirrorDeathTest = EnvMirrorTest;

TEST_F(EnvMirrorDeathTest, DifferencesEndTheProcess) {
  const std::string f = directory_.File("f");
  ASSERT_TRUE(WriteStringToFile(&mirror_, "data", f).ok());
  ASSERT_TRUE(WriteStringToFile(memory_.get(), "date", f).ok());
  EXPECT_DEATH(Read(&mirror_, f), "");
  ASSERT_TRUE(WriteStringToFile(memory_.get(), "data more", f).ok());
  uint64_t size = 0;
  EXPECT_DEATH(mirror_.GetFileSize(f, &size).PermitUncheckedError(), "");
  ASSERT_TRUE(memory_->DeleteFile(f).ok());
  EXPECT_DEATH(mirror_.FileExists(f).PermitUncheckedError(), "");
  std::vector<std::string> names;
  EXPECT_DEATH(
      mirror_.GetChildren(directory_.path(), &names).PermitUncheckedError(),
      "");
}

TEST_F(EnvMirrorTest, Ownership) {
  int deleted = 0;
  class Counted final : public EnvWrapper {
   public:
    Counted(Env* target, int* deleted)
        : EnvWrapper(target), deleted_(deleted) {}
    ~Counted() override { ++*deleted_; }

   private:
    int* const deleted_;
  };
  auto first = std::make_unique<Counted>(Env::Default(), &deleted);
  auto second = std::make_unique<Counted>(Env::Default(), &deleted);
  { EnvMirror mirror(first.get(), second.get()); }
  EXPECT_EQ(0, deleted);
  { EnvMirror mirror(first.release(), second.release(), true, true); }
  EXPECT_EQ(2, deleted);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
