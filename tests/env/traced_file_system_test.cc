// The file system that tells an I/O tracer of what is asked of it: what is
// told, and that files have all that they have below.
#include "env/traced_file_system.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/async_writable_file.h"
#include "env/resident_pages.h"
#include "env/write_back_file.h"
#include "monitoring/trace/io_tracer.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "tests/testing/memory_trace.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What one operation is told as, in a line.
std::string TextOf(const IoTraceRecord& record) {
  std::string text = record.operation + " " + record.file_name;
  const auto add = [&text](const char* name,
                           const std::optional<uint64_t>& value) {
    if (value) text += std::string(" ") + name + "=" + std::to_string(*value);
  };
  add("size", record.operands.file_size);
  add("length", record.operands.length);
  add("offset", record.operands.offset);
  if (record.request_id) text += " id=" + *record.request_id;
  if (record.status != "OK") text += " failed";
  return text;
}

class TracedFileSystemTest : public ::testing::Test {
 protected:
  TracedFileSystemTest()
      : directory_("traced_fs"),
        base_(FileSystem::Default()),
        tracer_(std::make_shared<IoTracer>(SystemClock::Default().get())),
        fs_(NewTracedFileSystem(base_, tracer_)) {}

  void Start() {
    ASSERT_TRUE(tracer_->Start(TraceOptions(), trace_.NewWriter()).ok());
  }
  std::vector<std::string> Told() {
    std::vector<std::string> told;
    for (const TraceInMemory::Record& record : trace_.Records()) {
      if (record.type == kTraceBegin) continue;
      IoTraceRecord operation;
      EXPECT_TRUE(DecodeIoTraceRecord(record.payload, &operation).ok());
      told.push_back(TextOf(operation));
    }
    trace_.bytes.clear();
    return told;
  }
  std::string PathOf(const std::string& name) { return directory_.File(name); }

  using Texts = std::vector<std::string>;

  TempDir directory_;
  const std::shared_ptr<FileSystem> base_;
  const std::shared_ptr<IoTracer> tracer_;
  const std::shared_ptr<FileSystem> fs_;
  TraceInMemory trace_;
};

TEST_F(TracedFileSystemTest, WritableFiles) {
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_->NewWritableFile(PathOf("f"), FileOptions(), &file, nullptr).ok());
  Start();
  ASSERT_TRUE(file->Append("12345", IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Flush(IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Sync(IOOptions(), nullptr).ok());
  EXPECT_EQ(file->GetFileSize(IOOptions(), nullptr), 5u);
  ASSERT_TRUE(file->Truncate(3, IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(Told(), (Texts{"Append f length=5", "GetFileSize f size=5",
                           "Truncate f size=3", "Close f"}));
}

TEST_F(TracedFileSystemTest, ReadableFiles) {
  ASSERT_TRUE(WriteStringToFile(base_.get(), "0123456789", PathOf("f")).ok());
  Start();
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_->NewRandomAccessFile(PathOf("f"), FileOptions(), &file, nullptr)
          .ok());
  char scratch[20];
  Slice result;
  IODebugContext debug;
  const std::string id = "17";
  debug.SetRequestId(&id);
  ASSERT_TRUE(file->Read(8, 5, IOOptions(), &result, scratch, &debug).ok());
  EXPECT_EQ(result, "89");
  FSReadRequest requests[2];
  requests[0].len = 2;
  requests[0].scratch = scratch;
  requests[1].offset = 4;
  requests[1].len = 3;
  requests[1].scratch = scratch + 10;
  ASSERT_TRUE(file->MultiRead(requests, 2, IOOptions(), nullptr).ok());
  EXPECT_EQ(requests[1].result, "456");
  ASSERT_TRUE(file->Prefetch(0, 4, IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->InvalidateCache(1, 2).ok());
  std::unique_ptr<FSSequentialFile> front;
  ASSERT_TRUE(
      fs_->NewSequentialFile(PathOf("f"), FileOptions(), &front, nullptr).ok());
  ASSERT_TRUE(front->Skip(7).ok());
  // What was read, not what was asked for.
  ASSERT_TRUE(front->Read(20, IOOptions(), &result, scratch, nullptr).ok());
  EXPECT_EQ(result, "789");
  EXPECT_EQ(
      Told(),
      (Texts{"NewRandomAccessFile f", "Read f length=5 offset=8 id=17",
             "MultiRead f length=2 offset=0", "MultiRead f length=3 offset=4",
             "Prefetch f length=4 offset=0",
             "InvalidateCache f length=2 offset=1", "NewSequentialFile f",
             "Read f length=3"}));
}

TEST_F(TracedFileSystemTest, FilesForReadingAndWriting) {
  ASSERT_TRUE(WriteStringToFile(base_.get(), "0123456789", PathOf("f")).ok());
  Start();
  std::unique_ptr<FSRandomRWFile> file;
  ASSERT_TRUE(
      fs_->NewRandomRWFile(PathOf("f"), FileOptions(), &file, nullptr).ok());
  char scratch[20];
  Slice result;
  ASSERT_TRUE(file->Write(3, "xy", IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Read(2, 4, IOOptions(), &result, scratch, nullptr).ok());
  EXPECT_EQ(result, "2xy5");
  ASSERT_TRUE(file->Flush(IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Sync(IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Fsync(IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(Told(), (Texts{"NewRandomRWFile f", "Write f length=2 offset=3",
                           "Read f length=4 offset=2", "Flush f", "Sync f",
                           "Fsync f", "Close f"}));
}

TEST_F(TracedFileSystemTest, TheFileSystemItself) {
  Start();
  const IOOptions io;
  ASSERT_TRUE(fs_->CreateDir(PathOf("d"), io, nullptr).ok());
  ASSERT_TRUE(fs_->CreateDirIfMissing(PathOf("d"), io, nullptr).ok());
  std::unique_ptr<FSDirectory> open;
  ASSERT_TRUE(fs_->NewDirectory(PathOf("d"), io, &open, nullptr).ok());
  std::vector<std::string> names;
  ASSERT_TRUE(fs_->GetChildren(PathOf("d"), io, &names, nullptr).ok());
  ASSERT_TRUE(fs_->DeleteDir(PathOf("d"), io, nullptr).ok());
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_->NewWritableFile(PathOf("f"), FileOptions(), &file, nullptr).ok());
  file.reset();
  ASSERT_TRUE(
      fs_->ReopenWritableFile(PathOf("f"), FileOptions(), &file, nullptr).ok());
  file.reset();
  ASSERT_TRUE(fs_->ReuseWritableFile(PathOf("g"), PathOf("f"), FileOptions(),
                                     &file, nullptr)
                  .ok());
  file.reset();
  ASSERT_TRUE(fs_->Truncate(PathOf("g"), 7, io, nullptr).ok());
  uint64_t size = 0;
  ASSERT_TRUE(fs_->GetFileSize(PathOf("g"), io, &size, nullptr).ok());
  ASSERT_TRUE(fs_->DeleteFile(PathOf("g"), io, nullptr).ok());
  EXPECT_FALSE(fs_->DeleteFile(PathOf("g"), io, nullptr).ok());
  EXPECT_EQ(
      Told(),
      (Texts{"CreateDir d", "CreateDirIfMissing d", "NewDirectory d",
             "GetChildren d", "DeleteDir d", "NewWritableFile f",
             "ReopenWritableFile f", "ReuseWritableFile g", "Truncate g size=7",
             "GetFileSize g size=7", "DeleteFile g", "DeleteFile g failed"}));
}

TEST_F(TracedFileSystemTest, WithoutATraceNothingIsTold) {
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_->NewWritableFile(PathOf("f"), FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Append("12345", IOOptions(), nullptr).ok());
  EXPECT_TRUE(trace_.bytes.empty());
}

TEST_F(TracedFileSystemTest, FailedOpensGiveNoFile) {
  Start();
  std::unique_ptr<FSRandomAccessFile> file;
  EXPECT_FALSE(
      fs_->NewRandomAccessFile(PathOf("f"), FileOptions(), &file, nullptr)
          .ok());
  EXPECT_EQ(file, nullptr);
  EXPECT_EQ(Told(), Texts{"NewRandomAccessFile f failed"});
}

// Files that have one, the other, both or none of what is beyond the interface.
class BareWritableFile : public FSWritableFile {
 public:
  using FSWritableFile::Append;
  IOStatus Append(const Slice&, const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
};

class FakeWriteBack : public WriteBackFile {
 public:
  IOStatus StartWriteBack(uint64_t, uint64_t) override {
    return IOStatus::OK();
  }
  bool TellsWriteBack() const override { return true; }
  bool IsWrittenBack(uint64_t, uint64_t n) override { return n < 10; }
  IOStatus FinishWriteBack(uint64_t, uint64_t) override {
    return IOStatus::IOError("of the device");
  }
};

class FakeAsync : public AsyncWritableFile {
 public:
  bool Start(Write*) override { return true; }
  bool Finish(Write* write, Patience patience) override {
    write->status = IOStatus::OK();
    write->is_finished = patience == Patience::kWait;
    return write->is_finished;
  }
};

class WriteBackOnly : public BareWritableFile, public FakeWriteBack {};
class AsyncOnly : public BareWritableFile, public FakeAsync {};
class AsyncAndWriteBack : public BareWritableFile,
                          public FakeAsync,
                          public FakeWriteBack {};

// Gives the file that it was given.
class OneFileSystem : public FileSystemWrapper {
 public:
  explicit OneFileSystem(std::unique_ptr<FSWritableFile> file)
      : FileSystemWrapper(FileSystem::Default()), file_(std::move(file)) {}
  const char* Name() const override { return "OneFileSystem"; }
  IOStatus NewWritableFile(const std::string&, const FileOptions&,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext*) override {
    *result = std::move(file_);
    return IOStatus::OK();
  }

 private:
  std::unique_ptr<FSWritableFile> file_;
};

std::unique_ptr<FSWritableFile> TracedForm(
    std::unique_ptr<FSWritableFile> file,
    const std::shared_ptr<IoTracer>& tracer) {
  const auto fs = NewTracedFileSystem(
      std::make_shared<OneFileSystem>(std::move(file)), tracer);
  std::unique_ptr<FSWritableFile> traced;
  EXPECT_TRUE(
      fs->NewWritableFile("dir/f", FileOptions(), &traced, nullptr).ok());
  return traced;
}

TEST_F(TracedFileSystemTest, WhatAFileHasBeyondTheInterfaceStays) {
  const auto has_write_back = [](FSWritableFile* file) {
    return dynamic_cast<WriteBackFile*>(file) != nullptr;
  };
  const auto is_async = [](FSWritableFile* file) {
    return dynamic_cast<AsyncWritableFile*>(file) != nullptr;
  };
  auto file = TracedForm(std::make_unique<BareWritableFile>(), tracer_);
  EXPECT_FALSE(has_write_back(file.get()));
  EXPECT_FALSE(is_async(file.get()));
  file = TracedForm(std::make_unique<WriteBackOnly>(), tracer_);
  EXPECT_TRUE(has_write_back(file.get()));
  EXPECT_FALSE(is_async(file.get()));
  auto* const write_back = dynamic_cast<WriteBackFile*>(file.get());
  EXPECT_TRUE(write_back->TellsWriteBack());
  EXPECT_TRUE(write_back->IsWrittenBack(0, 9));
  EXPECT_FALSE(write_back->IsWrittenBack(0, 10));
  EXPECT_TRUE(write_back->StartWriteBack(0, 1).ok());
  EXPECT_TRUE(write_back->FinishWriteBack(0, 1).IsIOError());
  file = TracedForm(std::make_unique<AsyncOnly>(), tracer_);
  EXPECT_FALSE(has_write_back(file.get()));
  EXPECT_TRUE(is_async(file.get()));
  file = TracedForm(std::make_unique<AsyncAndWriteBack>(), tracer_);
  EXPECT_TRUE(has_write_back(file.get()));
  EXPECT_TRUE(is_async(file.get()));
  // Those of the operating system, as the engine looks for them.
  ASSERT_TRUE(WriteStringToFile(base_.get(), "0123456789", PathOf("f")).ok());
  std::unique_ptr<FSRandomAccessFile> below;
  std::unique_ptr<FSRandomAccessFile> traced;
  ASSERT_TRUE(
      base_->NewRandomAccessFile(PathOf("f"), FileOptions(), &below, nullptr)
          .ok());
  ASSERT_TRUE(
      fs_->NewRandomAccessFile(PathOf("f"), FileOptions(), &traced, nullptr)
          .ok());
  const auto* const pages = dynamic_cast<ResidentPages*>(below.get());
  const auto* const told = dynamic_cast<ResidentPages*>(traced.get());
  ASSERT_EQ(pages != nullptr, told != nullptr);
  char out[10];
  if (pages != nullptr) {
    EXPECT_EQ(pages->ReadResident(0, 10, out), told->ReadResident(0, 10, out));
  }
}

TEST_F(TracedFileSystemTest, AnAsynchronousWriteIsToldAtItsEnd) {
  const auto file = TracedForm(std::make_unique<AsyncOnly>(), tracer_);
  auto* const async = dynamic_cast<AsyncWritableFile*>(file.get());
  ASSERT_NE(async, nullptr);
  AsyncWritableFile::Write early;
  ASSERT_TRUE(async->Start(&early));
  Start();
  AsyncWritableFile::Write write;
  write.data = "12345";
  write.offset = 4096;
  ASSERT_TRUE(async->Start(&write));
  EXPECT_FALSE(async->Finish(&write, AsyncWritableFile::Patience::kNone));
  EXPECT_TRUE(Told().empty());
  EXPECT_TRUE(async->Finish(&write, AsyncWritableFile::Patience::kWait));
  EXPECT_EQ(Told(), Texts{"PositionedAppend f length=5 offset=4096"});
  // Begun before the trace.
  EXPECT_TRUE(async->Finish(&early, AsyncWritableFile::Patience::kWait));
  EXPECT_TRUE(Told().empty());
}

// The next write at the same address is not taken for it.
TEST_F(TracedFileSystemTest, AnAsynchronousWriteMayOutliveItsTrace) {
  const auto file = TracedForm(std::make_unique<AsyncOnly>(), tracer_);
  auto* const async = dynamic_cast<AsyncWritableFile*>(file.get());
  ASSERT_NE(async, nullptr);
  Start();
  AsyncWritableFile::Write write;
  ASSERT_TRUE(async->Start(&write));
  tracer_->End();
  EXPECT_TRUE(async->Finish(&write, AsyncWritableFile::Patience::kWait));
  ASSERT_TRUE(async->Start(&write));
  Start();
  EXPECT_TRUE(async->Finish(&write, AsyncWritableFile::Patience::kWait));
  EXPECT_TRUE(Told().empty()) << "it was begun before the second trace";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
