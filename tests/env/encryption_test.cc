// Files that are encrypted: testdata/env/encrypted.txt, in the language of
// file_steps.h; ciphers.txt has what text makes. Here is what looks at bytes.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env_encryption.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/utilities/object_registry.h"
#include "tests/env/file_steps.h"
#include "tests/testing/script_calls.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/vectors.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kPrefix = 4096;

class EncryptionTest : public ::testing::Test {
 protected:
  EncryptionTest()
      : raw_(std::make_shared<MemFileSystem>()),
        fs_(NewEncryptedFS(raw_, EncryptionProvider::NewCTRProvider(
                                     BlockCipher::NewROT13Cipher(16)))) {}

  static ConfigOptions Strict() {
    ConfigOptions config;
    config.ignore_unsupported_options = false;
    return config;
  }
  void Write(const std::string& name, const std::string& data) {
    const IOStatus s = WriteStringToFile(fs_.get(), data, name);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  static std::string Read(FileSystem* fs, const std::string& name) {
    std::string data;
    const IOStatus s = ReadFileToString(fs, name, &data);
    return s.ok() ? data : s.ToString();
  }
  uint64_t SizeOf(FileSystem* fs, const std::string& name) {
    uint64_t size = 0;
    EXPECT_TRUE(fs->GetFileSize(name, IOOptions(), &size, nullptr).ok());
    return size;
  }
  std::string ReadAt(const std::string& name, uint64_t offset, size_t n,
                     const FileOptions& options = FileOptions()) {
    std::unique_ptr<FSRandomAccessFile> file;
    IOStatus s = fs_->NewRandomAccessFile(name, options, &file, nullptr);
    std::string scratch(n, '?');
    Slice result;
    if (s.ok()) {
      s = file->Read(offset, n, IOOptions(), &result, scratch.data(), nullptr);
    }
    return s.ok() ? result.ToString() : s.ToString();
  }

  const std::shared_ptr<FileSystem> raw_;
  const std::shared_ptr<FileSystem> fs_;
};

TEST_F(EncryptionTest, FilesOfRocksDb) {
  std::shared_ptr<FileSystem> fs;
  const Status s = FileSystem::CreateFromString(
      Strict(), "{id=EncryptedFileSystem;provider={id=CTR;cipher=ROT13:16}}",
      &fs);
  ASSERT_TRUE(s.ok()) << s.ToString();
  for (const std::string release : {"r783", "r119"}) {
    const std::string path =
        VectorPath("utilities/" + release + "_encrypted_ctr_rot13_16.bin");
    if (path.empty()) GTEST_SKIP() << "the vectors are absent";
    const std::string data = Read(fs.get(), path);
    ASSERT_EQ(2000u, data.size());
    EXPECT_EQ("line 0000\nline 0001\n", data.substr(0, 20));
    EXPECT_EQ("line 0199\n", data.substr(1990));
    EXPECT_EQ(2000u, SizeOf(fs.get(), path));
    EXPECT_EQ("MANIFEST-000014\n",
              Read(fs.get(), path.substr(0, path.size() - 4) + "_CURRENT"));
  }
}

TEST_F(EncryptionTest, WhatIsWrittenIsReadInEveryWay) {
  std::string data;
  for (int i = 0; i < 1000; ++i) data += "line " + std::to_string(i) + "\n";
  Write("f", data);
  EXPECT_EQ(data, Read(fs_.get(), "f"));
  EXPECT_EQ(data.size(), SizeOf(fs_.get(), "f"));
  EXPECT_EQ(data.size() + kPrefix, SizeOf(raw_.get(), "f"));
  EXPECT_EQ(std::string::npos, Read(raw_.get(), "f").find("line"));
  for (const size_t offset : {0u, 1u, 15u, 16u, 17u, 100u}) {
    for (const size_t n : {0u, 1u, 15u, 16u, 33u, 5000u}) {
      EXPECT_EQ(data.substr(offset, n), ReadAt("f", offset, n))
          << offset << " " << n;
    }
  }
  EXPECT_EQ("", ReadAt("f", data.size() + 5, 10));

  std::unique_ptr<FSSequentialFile> file;
  ASSERT_TRUE(fs_->NewSequentialFile("f", FileOptions(), &file, nullptr).ok());
  char scratch[100];
  Slice part;
  ASSERT_TRUE(file->Read(7, IOOptions(), &part, scratch, nullptr).ok());
  EXPECT_EQ(data.substr(0, 7), part);
  ASSERT_TRUE(file->Skip(30).ok());
  ASSERT_TRUE(file->Read(50, IOOptions(), &part, scratch, nullptr).ok());
  EXPECT_EQ(data.substr(37, 50), part);
}

TEST_F(EncryptionTest, TwoFilesAreNeverAlike) {
  Write("a", std::string(100, 'x'));
  Write("b", std::string(100, 'x'));
  EXPECT_NE(Read(raw_.get(), "a"), Read(raw_.get(), "b"));
  EXPECT_NE(Read(raw_.get(), "a").substr(kPrefix),
            Read(raw_.get(), "b").substr(kPrefix));
}

// It has a key stream of its own.
TEST_F(EncryptionTest, FilesThatAreReused) {
  Write("f", "first s");
  const std::string before = Read(raw_.get(), "f").substr(0, kPrefix);
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_->ReuseWritableFile("g", "f", FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Append("again", IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ("again", Read(fs_.get(), "g").substr(0, 5));
  EXPECT_NE(before, Read(raw_.get(), "g").substr(0, kPrefix));
}

TEST_F(EncryptionTest, WhatGrowsKnowsItsSize) {
  Write("f", "first ");
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_->ReopenWritableFile("f", FileOptions(), &file, nullptr).ok());
  EXPECT_EQ(6u, file->GetFileSize(IOOptions(), nullptr));
  ASSERT_TRUE(file->Append("second", IOOptions(), nullptr).ok());
  EXPECT_EQ(12u, file->GetFileSize(IOOptions(), nullptr));
  ASSERT_TRUE(file->Close(IOOptions(), nullptr).ok());
}

TEST_F(EncryptionTest, DirectFiles) {
  FileOptions direct;
  direct.use_direct_reads = true;
  direct.use_direct_writes = true;
  const auto allocated = std::unique_ptr<char, void (*)(void*)>(
      static_cast<char*>(std::aligned_alloc(4096, 8192)), &free);
  char* const buffer = allocated.get();
  memset(buffer, 'd', 8192);
  std::unique_ptr<FSWritableFile> out;
  ASSERT_TRUE(fs_->NewWritableFile("f", direct, &out, nullptr).ok());
  ASSERT_TRUE(out->use_direct_io());
  ASSERT_TRUE(
      out->PositionedAppend(Slice(buffer, 8192), 0, IOOptions(), nullptr).ok());
  ASSERT_TRUE(out->Truncate(5000, IOOptions(), nullptr).ok());
  ASSERT_TRUE(out->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(std::string(5000, 'd'), Read(fs_.get(), "f"));

  memset(buffer, 0, 8192);
  Slice result;
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(fs_->NewRandomAccessFile("f", direct, &file, nullptr).ok());
  ASSERT_TRUE(
      file->Read(4096, 4096, IOOptions(), &result, buffer, nullptr).ok());
  EXPECT_EQ(std::string(904, 'd'), result);
  std::unique_ptr<FSSequentialFile> in;
  ASSERT_TRUE(fs_->NewSequentialFile("f", direct, &in, nullptr).ok());
  ASSERT_TRUE(
      in->PositionedRead(0, 4096, IOOptions(), &result, buffer, nullptr).ok());
  EXPECT_EQ(std::string(4096, 'd'), result);
  // That leaves alone what comes next.
  ASSERT_TRUE(in->Read(4096, IOOptions(), &result, buffer, nullptr).ok());
  EXPECT_EQ(std::string(4096, 'd'), result);

  // One whose prefix is not there yet is direct, too.
  ASSERT_TRUE(WriteStringToFile(raw_.get(), "", "empty").ok());
  ASSERT_TRUE(fs_->NewSequentialFile("empty", direct, &in, nullptr).ok());
  EXPECT_TRUE(in->use_direct_io());
  ASSERT_TRUE(
      in->PositionedRead(0, 4096, IOOptions(), &result, buffer, nullptr).ok());
  EXPECT_TRUE(result.empty());
  Write("empty", "now");
  ASSERT_TRUE(in->Read(4096, IOOptions(), &result, buffer, nullptr).ok());
  EXPECT_EQ("now", result.ToString());
}

TEST_F(EncryptionTest, DirectFilesOfAnAlignmentThatThePrefixLacks) {
  MemFileSystemOptions options;
  options.direct_alignment = 16384;
  const auto fs = NewEncryptedFS(
      std::make_shared<MemFileSystem>(SystemClock::Default(), options),
      EncryptionProvider::NewCTRProvider(BlockCipher::NewROT13Cipher(16)));
  FileOptions direct;
  direct.use_direct_writes = true;
  std::unique_ptr<FSWritableFile> out;
  const IOStatus s = fs->NewWritableFile("f", direct, &out, nullptr);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
}

TEST_F(EncryptionTest, MappedFilesAreRefused) {
  Write("f", "data");
  FileOptions mapped;
  mapped.use_mmap_reads = true;
  std::unique_ptr<FSRandomAccessFile> file;
  EXPECT_TRUE(fs_->NewRandomAccessFile("f", mapped, &file, nullptr)
                  .IsInvalidArgument());
  std::unique_ptr<MemoryMappedFileBuffer> buffer;
  EXPECT_TRUE(fs_->NewMemoryMappedFileBuffer("f", &buffer).IsNotSupported());
  fs_->SanitizeFileOptions(&mapped);
  EXPECT_FALSE(mapped.use_mmap_reads);
  EXPECT_FALSE(mapped.use_mmap_writes);
  int64_t operations = 0;
  fs_->SupportedOps(operations);
  EXPECT_EQ(0, operations & (1 << FSSupportedOps::kAsyncIO));
  EXPECT_EQ(0, operations & (1 << FSSupportedOps::kFSBuffer));
}

TEST_F(EncryptionTest, SizesInAList) {
  ASSERT_TRUE(WriteStringToFile(raw_.get(), "", "empty").ok());
  ASSERT_TRUE(WriteStringToFile(raw_.get(), "bytes", "short").ok());
  Write("real", "0123456789");
  std::vector<FileSystem::FileAttributes> files;
  ASSERT_TRUE(
      fs_->GetChildrenFileAttributes("/", IOOptions(), &files, nullptr).ok());
  ASSERT_EQ(3u, files.size());
  for (const auto& file : files) {
    EXPECT_EQ(file.name == "real" ? 10u : 0u, file.size_bytes) << file.name;
  }
}

// Whoever follows a log may open it before its writer has put the prefix there.
TEST_F(EncryptionTest, AFileThatIsReadWhileItBegins) {
  Write("whole", "late data");
  const std::string bytes = Read(raw_.get(), "whole");
  std::unique_ptr<FSWritableFile> out;
  ASSERT_TRUE(raw_->NewWritableFile("f", FileOptions(), &out, nullptr).ok());
  std::unique_ptr<FSSequentialFile> in;
  ASSERT_TRUE(fs_->NewSequentialFile("f", FileOptions(), &in, nullptr).ok());
  char scratch[100];
  Slice part;
  const auto read = [&] {
    EXPECT_TRUE(in->Read(100, IOOptions(), &part, scratch, nullptr).ok());
    return part.ToString();
  };
  EXPECT_EQ("", read());
  const auto append = [&](size_t begin, size_t n) {
    ASSERT_TRUE(
        out->Append(Slice(bytes.substr(begin, n)), IOOptions(), nullptr).ok());
  };
  append(0, 1000);
  EXPECT_EQ("", read());
  append(1000, kPrefix - 1000);
  EXPECT_EQ("", read());
  append(kPrefix, 4);
  EXPECT_EQ("late", read());
  append(kPrefix + 4, 5);
  EXPECT_EQ(" data", read());
}

std::string CipherByName(const CallArguments& a) {
  ConfigOptions config;
  config.ignore_unsupported_options = a[0] == "lenient";
  std::shared_ptr<BlockCipher> cipher;
  const Status s = BlockCipher::CreateFromString(config, a[1], &cipher);
  if (!s.ok()) return s.ToString();
  if (cipher == nullptr) return "none";
  return cipher->GetId() + " of " + std::to_string(cipher->BlockSize());
}
// And whether it takes another cipher.
std::string ProviderByName(const CallArguments& a) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  std::shared_ptr<EncryptionProvider> provider;
  const Status s =
      EncryptionProvider::CreateFromString(config, a[0], &provider);
  std::string text = s.ToString();
  if (provider == nullptr) return text;
  if (s.ok()) {
    text = provider->GetId() + ", prefix of " +
           std::to_string(provider->GetPrefixLength());
  }
  return text +
         "; another: " + provider->AddCipher("", "key", 3, true).ToString();
}

TEST(EncryptionScriptTest, ObjectsByName) {
  const ScriptCalls calls = {{"cipher", CipherByName},
                             {"provider", ProviderByName}};
  EXPECT_GE(RunCalls("env/ciphers.txt", calls), 22u) << "calls went missing";
}

TEST(EncryptionScriptTest, Files) {
  EXPECT_GE(RunFileScript("env/encrypted.txt"), 7u) << "cases went missing";
}

TEST_F(EncryptionTest, NothingIsMadeWithoutACipher) {
  EXPECT_EQ(nullptr, NewEncryptedFS(raw_, nullptr));
  EXPECT_EQ(nullptr,
            NewEncryptedFS(raw_, EncryptionProvider::NewCTRProvider(nullptr)));
  EXPECT_EQ(nullptr, NewEncryptedEnv(Env::Default(), nullptr));
}

TEST_F(EncryptionTest, TimesAreCounted) {
  get_perf_context()->Reset();
  SetPerfLevel(kEnableTimeExceptForMutex);
  Write("f", std::string(100000, 'x'));
  EXPECT_GT(get_perf_context()->encrypt_data_nanos, 0u);
  EXPECT_EQ(100000u, Read(fs_.get(), "f").size());
  EXPECT_GT(get_perf_context()->decrypt_data_nanos, 0u);
  SetPerfLevel(kEnableCount);
}

// An application's own: fails when it is told to.
class FailingCipher final : public BlockCipher {
 public:
  const char* Name() const override { return "Failing"; }
  size_t BlockSize() override { return 16; }
  Status Encrypt(char* data) override {
    if (fails) return Status::IOError("the key is gone");
    for (int i = 0; i < 16; ++i) data[i] = static_cast<char>(data[i] * 7 + 1);
    return Status::OK();
  }
  Status Decrypt(char*) override { return Status::NotSupported("Decrypt"); }

  bool fails = false;
};

TEST_F(EncryptionTest, ACipherThatFails) {
  const auto cipher = std::make_shared<FailingCipher>();
  const auto fs =
      NewEncryptedFS(raw_, EncryptionProvider::NewCTRProvider(cipher));
  ASSERT_TRUE(WriteStringToFile(fs.get(), "data", "f").ok());
  EXPECT_EQ("data", Read(fs.get(), "f"));
  std::unique_ptr<FSWritableFile> out;
  ASSERT_TRUE(fs->NewWritableFile("g", FileOptions(), &out, nullptr).ok());
  cipher->fails = true;
  EXPECT_EQ("IO error: the key is gone", Read(fs.get(), "f"));
  const uint64_t before = SizeOf(raw_.get(), "g");
  EXPECT_TRUE(out->Append("data", IOOptions(), nullptr).IsIOError());
  EXPECT_EQ(before, SizeOf(raw_.get(), "g")) << "nothing was written";
  EXPECT_TRUE(WriteStringToFile(fs.get(), "data", "h").IsIOError());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
