// checksum_handoff_file_types through the whole engine: which writes come with
// a checksum, and what becomes of one that the file system does not believe.
#include <map>
#include <memory>
#include <string>

#include "env/mem_file_system.h"
#include "file/filename.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/db_fixture.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

MemFileSystemOptions CheckedInMemory() {
  MemFileSystemOptions options;
  options.implicit_directories = true;
  return options;
}

// Looks at every checksum, counts writes with and without, and says of those of
// one type, if it is told to, that they have come in another shape.
class CheckingFileSystem final : public FileSystemWrapper {
 public:
  struct Counts {
    int with = 0;
    int without = 0;
    int wrong = 0;
  };

  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "CheckingFileSystem"; }
  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    return Check(target()->NewWritableFile(name, options, result, dbg), name,
                 result);
  }
  IOStatus ReuseWritableFile(const std::string& name,
                             const std::string& old_name,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override {
    return Check(
        target()->ReuseWritableFile(name, old_name, options, result, dbg), name,
        result);
  }

  void Refuse(FileType type) {
    MutexLock lock(&mutex_);
    refused_ = type;
    refuses_ = true;
  }
  void RefuseNone() {
    MutexLock lock(&mutex_);
    refuses_ = false;
  }
  Counts CountsOf(FileType type) {
    MutexLock lock(&mutex_);
    return counts_[type];
  }
  void Reset() {
    MutexLock lock(&mutex_);
    counts_.clear();
  }

 private:
  class CheckingFile final : public FSWritableFileOwnerWrapper {
   public:
    CheckingFile(std::unique_ptr<FSWritableFile> file, FileType type,
                 CheckingFileSystem* fs)
        : FSWritableFileOwnerWrapper(std::move(file)), type_(type), fs_(fs) {}

    IOStatus Append(const Slice& data, const IOOptions& options,
                    IODebugContext* dbg) override {
      fs_->NoteWithout(type_);
      return target()->Append(data, options, dbg);
    }
    IOStatus Append(const Slice& data, const IOOptions& options,
                    const DataVerificationInfo& info,
                    IODebugContext* dbg) override {
      const IOStatus s = fs_->Look(type_, data, info);
      return s.ok() ? target()->Append(data, options, dbg) : s;
    }
    IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                              const IOOptions& options,
                              IODebugContext* dbg) override {
      fs_->NoteWithout(type_);
      return target()->PositionedAppend(data, offset, options, dbg);
    }
    IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                              const IOOptions& options,
                              const DataVerificationInfo& info,
                              IODebugContext* dbg) override {
      const IOStatus s = fs_->Look(type_, data, info);
      return s.ok() ? target()->PositionedAppend(data, offset, options, dbg)
                    : s;
    }

   private:
    const FileType type_;
    CheckingFileSystem* const fs_;
  };

  IOStatus Check(IOStatus s, const std::string& name,
                 std::unique_ptr<FSWritableFile>* result) {
    if (!s.ok()) return s;
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name.substr(name.rfind('/') + 1), &number, &type)) {
      type = kTempFile;
    }
    *result = std::make_unique<CheckingFile>(std::move(*result), type, this);
    return s;
  }
  void NoteWithout(FileType type) {
    MutexLock lock(&mutex_);
    ++counts_[type].without;
  }
  IOStatus Look(FileType type, const Slice& data,
                const DataVerificationInfo& info) {
    MutexLock lock(&mutex_);
    ++counts_[type].with;
    char expected[sizeof(uint32_t)];
    EncodeFixed32(expected, crc32c::Value(data.data(), data.size()));
    if (info.checksum != Slice(expected, sizeof(expected))) {
      ++counts_[type].wrong;
    }
    if (refuses_ && refused_ == type) {
      return IOStatus::Corruption("the data is not what its checksum says");
    }
    return IOStatus::OK();
  }

  Mutex mutex_;
  std::map<FileType, Counts> counts_ GUARDED_BY(mutex_);
  FileType refused_ GUARDED_BY(mutex_) = kTempFile;
  bool refuses_ GUARDED_BY(mutex_) = false;
};

constexpr FileType kHanded[] = {kWalFile, kDescriptorFile, kTableFile,
                                kBlobFile};

class ChecksumHandoffTest : public DbFixture {
 protected:
  ChecksumHandoffTest()
      : fs_(std::make_shared<CheckingFileSystem>(
            std::make_shared<MemFileSystem>(SystemClock::Default(),
                                            CheckedInMemory()))),
        env_(NewCompositeEnv(fs_)) {
    path_ = "/db";
    options_.env = env_.get();
    options_.enable_blob_files = true;
    options_.min_blob_size = 1000;
    options_.disable_auto_compactions = true;
    for (const FileType type : kHanded) {
      options_.checksum_handoff_file_types.Add(type);
    }
  }
  ~ChecksumHandoffTest() override { db_.reset(); }

  void WriteSome() {
    for (int i = 0; i < 300; ++i) {
      ASSERT_OK(Put("k" + std::to_string(i), std::string(900, 'v')));
      ASSERT_OK(Put("b" + std::to_string(i), std::string(1100, 'b')));
    }
  }
  void ExpectHanded(FileType type) {
    const CheckingFileSystem::Counts counts = fs_->CountsOf(type);
    EXPECT_GT(counts.with, 0) << type;
    EXPECT_EQ(counts.without, 0) << type;
    EXPECT_EQ(counts.wrong, 0) << type;
  }

  std::shared_ptr<CheckingFileSystem> fs_;
  std::unique_ptr<Env> env_;
};

TEST_F(ChecksumHandoffTest, EveryWriteOfTheSetHasItsChecksum) {
  for (const bool is_direct : {false, true}) {
    SCOPED_TRACE(is_direct ? "direct" : "buffered");
    options_.use_direct_io_for_flush_and_compaction = is_direct;
    fs_->Reset();
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(WriteSome());
    ASSERT_OK(Flush());
    ASSERT_NO_FATAL_FAILURE(WriteSome());
    ASSERT_OK(CompactAll(/*force=*/true));
    SstFileWriter writer(EnvOptions(), options_);
    ASSERT_OK(writer.Open("/external/000777.sst"));
    ASSERT_OK(writer.Put("x", "external"));
    ASSERT_OK(writer.Finish());
    ASSERT_OK(db_->IngestExternalFile({"/external/000777.sst"},
                                      IngestExternalFileOptions()));
    ASSERT_NO_FATAL_FAILURE(Reopen());
    EXPECT_EQ(Get("x"), "external");
    EXPECT_EQ(Get("k7"), std::string(900, 'v'));
    EXPECT_EQ(Get("b7"), std::string(1100, 'b'));
    for (const FileType type : kHanded) ExpectHanded(type);
    // Those of no type that was asked for.
    EXPECT_EQ(fs_->CountsOf(kOptionsFile).with, 0);
    EXPECT_EQ(fs_->CountsOf(kTempFile).with, 0);
    EXPECT_GT(fs_->CountsOf(kTempFile).without, 0);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(ChecksumHandoffTest, TypesOutsideTheSetHaveNone) {
  for (const FileType type : kHanded) {
    SCOPED_TRACE(type);
    options_.checksum_handoff_file_types = FileTypeSet(type);
    fs_->Reset();
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(WriteSome());
    ASSERT_OK(Flush());
    db_.reset();
    for (const FileType other : kHanded) {
      if (other == type) {
        ExpectHanded(other);
      } else {
        EXPECT_EQ(fs_->CountsOf(other).with, 0) << other;
        EXPECT_GT(fs_->CountsOf(other).without, 0) << other;
      }
    }
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// The write or the job fails, as with any other failing call, and nothing that
// was acknowledged is lost.
TEST_F(ChecksumHandoffTest, AWriteThatIsNotBelievedFails) {
  for (const FileType type : kHanded) {
    SCOPED_TRACE(type);
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(WriteSome());
    fs_->Refuse(type);
    Status s = type == kWalFile ? Put("k", "refused") : Flush();
    EXPECT_FALSE(s.ok());
    EXPECT_NE(s.ToString().find("not what its checksum says"),
              std::string::npos)
        << s.ToString();
    EXPECT_FALSE(Put("after", "v").ok());
    fs_->RefuseNone();
    ASSERT_NO_FATAL_FAILURE(Reopen());
    EXPECT_EQ(Get("k"), "NOT_FOUND");
    EXPECT_EQ(Get("k7"), std::string(900, 'v'));
    EXPECT_EQ(Get("b299"), std::string(1100, 'b'));
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
